"""What is wrong with a file, where, and how it can be repaired: the one form and the one wording of every fault.

Messages are sentences without the last full stop. They name no option of a command, since the browser shows them too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from zs_metric.errors import ZeroScrollsError
from zs_metric.texts import clean_text


class UnusableInput(ZeroScrollsError):
    """A file or folder, or a row of one, from which nothing can be read.

    `message` says what is wrong, in the same words for all that are alike; `detail` adds what was found, or where.
    """

    def __init__(self, message: str, detail: str | None = None) -> None:
        super().__init__(message if detail is None else f"{message} ({detail})")
        self.message, self.detail = message, detail


@dataclass(frozen=True, slots=True)
class Place:
    """A file as the user named it, and the row in it where there is one.

    Rows are lines, counted from 1; a CSV row with line breaks counts as its first line.
    """

    file: str | None
    row: int | None = None

    def __str__(self) -> str:
        return str(self.file) if self.row is None else f"{self.file}, row {self.row}"


@dataclass(frozen=True, slots=True)
class Repair:
    """How a problem can be solved.

    Attributes:
        what: what is done, in words.
        safe: whether it cannot change the score of anything that is right. The others are made only on request.
        becomes: the new `task`, `id` or `prediction` of the row, where it changes; `None` for a row that is dropped
            and for a repair that concerns the whole file.
    """

    what: str
    safe: bool
    becomes: Mapping[str, str] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The repair as JSON-able data."""
        return {"what": self.what, "safe": self.safe, "becomes": None if self.becomes is None else dict(self.becomes)}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. Lone surrogates in its texts become U+FFFD, so that every report can be written.

    Attributes:
        kind: its short name, stable for programs: `missing`, `null`, `conflict`, `pid`, …
        message: what is wrong and what to do, without the place: the same for all that are alike.
        task, id: of the prediction, where known.
        place: file and row, where known.
        other: a second place, for a duplicate: the row that is kept.
        refuses: whether its task (or, without one, the file) is refused for it; otherwise it is a warning.
        detail: what was found there, where that helps.
        family: the wider kind that the report of `score` gives, where it differs: `pid` is one of `unknown`.
        benchmark: the name of the benchmark that the file is for, when it is not the one asked for.
        repair: how it can be solved, where that is known.
    """

    kind: str
    message: str
    task: str | None = None
    id: str | None = None
    place: Place | None = None
    other: Place | None = None
    refuses: bool = True
    detail: str | None = None
    family: str | None = None
    benchmark: str | None = None
    repair: Repair | None = None

    def __post_init__(self) -> None:
        if f"{self.message}{self.id}{self.detail}".isascii():
            return
        for name in ("message", "id", "detail"):
            text = getattr(self, name)
            object.__setattr__(self, name, text if text is None else clean_text(text, name))

    def as_warning(self, message: str | None = None) -> Problem:
        """The same, refusing nothing; with another message if one is given."""
        return Problem(
            self.kind,
            message or self.message,
            self.task,
            self.id,
            self.place,
            self.other,
            refuses=False,
            detail=self.detail,
            family=self.family,
            benchmark=self.benchmark,
            repair=self.repair,
        )

    @property
    def widely(self) -> str:
        """The family, or the kind where it is its own."""
        return self.family or self.kind

    @property
    def change(self) -> str:
        """The repair as a sentence, with the place.

        >>> Problem("pid", "…", "qasper", "7_0", repair=Repair("read as '7'", safe=True)).change
        "qasper, '7_0': read as '7'"
        """
        name = self.detail if self.id is None else repr(short(self.id))
        where = ", ".join(str(part) for part in (self.place, self.task, name) if part is not None)
        return f"{where}: {self.repair.what if self.repair else ''}"

    def as_dict(self) -> dict[str, Any]:
        """The problem as JSON-able data, as the report of `score` has it."""
        place, other = self.place or Place(None), self.other
        data: dict[str, Any] = {"kind": self.widely, "task": self.task, "id": self.id}
        data |= {"file": place.file, "row": place.row}
        if other is not None:
            data |= {"other_file": other.file, "other_row": other.row}
        more = {"detail": self.detail, "fault": self.family and self.kind, "benchmark": self.benchmark}
        data |= {name: value for name, value in more.items() if value is not None}
        if self.repair is not None:
            data["repair"] = self.repair.as_dict()
        return {**data, "message": self.message, "refuses": self.refuses}


def lines(problems: Iterable[Problem], *, examples: int = 3, most: int = 20) -> list[str]:
    """The problems as sentences for people: one for all that are alike, with the first ids and rows.

    Args:
        problems: what to report.
        examples: how many ids are named of those that are alike.
        most: how many sentences at most; a last one then says how many problems there are besides.

    >>> lines([Problem("null", "The answer is null. Write a text", "qasper", "7f", Place("a.json", 3))])
    ['qasper: The answer is null. Write a text: 7f (a.json, row 3)']
    """
    groups: dict[tuple[str | None, str], list[Problem]] = {}
    for problem in problems:
        task = None if problem.kind in ("doubled", "missing-task") else problem.task
        groups.setdefault((task, problem.message), []).append(problem)
    sentences = [_line(task, message, group, examples) for (task, message), group in list(groups.items())[:most]]
    left = sum(map(len, list(groups.values())[most:]))
    return (
        [*sentences, f"… and {left:,} more problems of other kinds; the JSON report lists them"] if left else sentences
    )


def _line(task: str | None, message: str, group: list[Problem], examples: int) -> str:
    if group[0].kind == "doubled" and len(group) > examples:
        where = _repeats(group)
    else:
        shown = list(dict.fromkeys(text for text in map(_where, group[:examples]) if text))
        more = f", … {len(group):,} in all" if len(group) > examples else ""
        where = ", ".join(shown) + more if shown else ""
    between = " " if message.endswith("?") else ": "
    return (f"{task}: " if task else "") + message + (f"{between}{where}" if where else "")


def _repeats(group: list[Problem]) -> str:
    """Which file repeats which: hundreds of ids are doubled when a whole file is."""
    files: dict[str, list[str]] = {}
    for problem in group:
        earlier, later = ("" if place is None else str(place.file) for place in (problem.place, problem.other))
        files.setdefault(later, []).append(earlier)
    repeats = [f"{later} repeats {len(ids):,} IDs of {_first_of(ids)}" for later, ids in files.items()]
    return ", ".join(repeats[:3]) + (f", … {len(repeats):,} files" if len(repeats) > 3 else "")


def _first_of(names: list[str]) -> str:
    different = list(dict.fromkeys(names))
    return different[0] + (f" and {len(different) - 1:,} other files" if len(different) > 1 else "")


def _where(problem: Problem) -> str:
    whole_task = problem.task if problem.kind == "missing-task" else None
    name = whole_task or "" if problem.id is None else short(problem.id)
    detail = "" if problem.detail is None else short(problem.detail, 80)
    inside = ": ".join(filter(None, (" and ".join(_places(problem)), detail)))
    return f"{name} ({inside})" if name and inside else name or inside


def _places(problem: Problem) -> list[str]:
    return list(dict.fromkeys(str(place) for place in (problem.place, problem.other) if place is not None))


def short(text: str, limit: int = 60) -> str:
    r"""The text with control characters escaped, cut to a length that fits into a message.

    >>> short("a\x1b[2J" + "b" * 100, 10)
    'a\\x1b[2Jb…'
    """
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def counted(count: int, noun: str) -> str:
    """The count with its noun, as it is in a message.

    >>> counted(1, "word"), counted(2400, "word")
    ('1 word', '2,400 words')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
