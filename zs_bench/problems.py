"""What is wrong with a file: each problem names the thing, the place (file, row, id) and the next step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zs_metric.errors import ZeroScrollsError


class UnusableInput(ZeroScrollsError):
    """A file or folder, or a row of one, from which nothing can be read.

    `message` says what is wrong, the same for all that are alike; `detail` what stands there or where, if anything.
    """

    def __init__(self, message: str, detail: str | None = None) -> None:
        super().__init__(message if detail is None else f"{message} ({detail})")
        self.message, self.detail = message, detail


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: the file as the user named it, and the row in it where there is one.

    Rows are lines, counted from 1: of a CSV row with line breaks the first.
    """

    file: str | None
    row: int | None = None

    def __str__(self) -> str:
        return str(self.file) if self.row is None else f"{self.file}, row {self.row}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        kind: a short name of the kind, stable for programs: `missing`, `unknown`, `null`, `conflict`, …
        message: what is wrong and what to do, without the place: the same for all that are alike.
        task, id: of the answer it is about, where known.
        place: file and row, where known.
        other: a second place, for what stands twice.
        refuses: whether its task (or, without one, the file) is refused for it; otherwise it is a warning.
        detail: what stands there, where that helps.
    """

    kind: str
    message: str
    task: str | None = None
    id: str | None = None
    place: Place | None = None
    other: Place | None = None
    refuses: bool = True
    detail: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The problem as JSON-able data."""
        place, other = self.place or Place(None), self.other
        data = {"kind": self.kind, "task": self.task, "id": self.id, "file": place.file, "row": place.row}
        if other is not None:
            data |= {"other_file": other.file, "other_row": other.row}
        if self.detail is not None:
            data["detail"] = self.detail
        return {**data, "message": self.message, "refuses": self.refuses}


def lines(problems: Iterable[Problem], *, examples: int = 3, most: int = 20) -> list[str]:
    """The problems as sentences for people: those alike are told together, with the first ids and rows.

    Args:
        problems: what to tell.
        examples: how many ids of those alike are named.
        most: how many sentences at most, a last one then telling how many there are besides.

    >>> lines([Problem("null", "the answer is null; write a text", "qasper", "7f", Place("a.json", 3))])
    ['qasper: the answer is null; write a text: 7f (a.json, row 3)']
    """
    groups: dict[tuple[str | None, str], list[Problem]] = {}
    for problem in problems:
        task = None if problem.kind == "doubled" else problem.task
        groups.setdefault((task, problem.message), []).append(problem)
    told = [_line(task, message, group, examples) for (task, message), group in list(groups.items())[:most]]
    left = sum(map(len, list(groups.values())[most:]))
    return [*told, f"… and {left:,} more problems of other kinds; the JSON report lists them"] if left else told


def _line(task: str | None, message: str, group: list[Problem], examples: int) -> str:
    if group[0].kind == "doubled" and len(group) > examples:
        where = _repeats(group)
    else:
        shown = list(dict.fromkeys(text for text in map(_where, group[:examples]) if text))
        more = f", … {len(group):,} in all" if len(group) > examples else ""
        where = ", ".join(shown) + more if shown else ""
    return (f"{task}: " if task else "") + message + (f": {where}" if where else "")


def _repeats(group: list[Problem]) -> str:
    """Which file repeats which: there are hundreds of ids when a whole file does."""
    files: dict[str, list[str]] = {}
    for problem in group:
        later, earlier = ("" if place is None else str(place.file) for place in (problem.place, problem.other))
        files.setdefault(later, []).append(earlier)
    told = [f"{later} repeats {len(ids):,} ids of {_first_of(ids)}" for later, ids in files.items()]
    return ", ".join(told[:3]) + (f", … {len(told):,} files" if len(told) > 3 else "")


def _first_of(names: list[str]) -> str:
    different = list(dict.fromkeys(names))
    return different[0] + (f" and {len(different) - 1:,} other files" if len(different) > 1 else "")


def _where(problem: Problem) -> str:
    name = "" if problem.id is None else short(problem.id)
    detail = "" if problem.detail is None else short(problem.detail)
    inside = ": ".join(filter(None, (" and ".join(_places(problem)), detail)))
    return f"{name} ({inside})" if name and inside else name or inside


def _places(problem: Problem) -> list[str]:
    return list(dict.fromkeys(str(place) for place in (problem.other, problem.place) if place is not None))


def short(text: str, limit: int = 60) -> str:
    r"""The text with control characters escaped, cut to a length that fits into a message.

    >>> short("a\x1b[2J" + "b" * 100, 10)
    'a\\x1b[2Jb…'
    """
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"
