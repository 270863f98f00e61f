"""What is wrong with a file: each problem names the thing, the place (file, row, id) and the next step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zs_metric.errors import ZeroScrollsError


class UnusableInput(ZeroScrollsError):
    """A file or folder from which nothing can be read at all."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: the file as the user named it, and the row (line) in it where there is one."""

    file: str | None
    row: int | None = None

    def __str__(self) -> str:
        return str(self.file) if self.row is None else f"{self.file}, row {self.row}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        kind: a short name of the kind, stable for programs: `missing`, `unknown`, `null`, `conflict`, …
        message: what is wrong and what to do, without the place.
        task, id: of the answer it is about, where known.
        place: file and row, where known.
        other: a second place, for what stands twice.
        refuses: whether its task (or, without one, the file) is refused for it; otherwise it is a warning.
    """

    kind: str
    message: str
    task: str | None = None
    id: str | None = None
    place: Place | None = None
    other: Place | None = None
    refuses: bool = True

    def as_dict(self) -> dict[str, Any]:
        """The problem as JSON-able data."""
        place, other = self.place or Place(None), self.other
        data = {"kind": self.kind, "task": self.task, "id": self.id, "file": place.file, "row": place.row}
        if other is not None:
            data |= {"other_file": other.file, "other_row": other.row}
        return {**data, "message": self.message, "refuses": self.refuses}


def lines(problems: Iterable[Problem], *, examples: int = 3) -> list[str]:
    """The problems as sentences for people: those alike are told together, with the first ids and rows.

    >>> lines([Problem("null", "the answer is null; write a text", "qasper", "7f", Place("a.json", 3))])
    ['qasper: the answer is null; write a text: 7f (a.json, row 3)']
    """
    groups: dict[tuple[str | None, str], list[Problem]] = {}
    for problem in problems:
        groups.setdefault((problem.task, problem.message), []).append(problem)
    return [_line(task, message, group, examples) for (task, message), group in groups.items()]


def _line(task: str | None, message: str, group: list[Problem], examples: int) -> str:
    shown = [text for text in map(_where, group[:examples]) if text]
    more = f", … {len(group)} in all" if len(group) > examples else ""
    return (f"{task}: " if task else "") + message + (f": {', '.join(shown)}{more}" if shown else "")


def _where(problem: Problem) -> str:
    name = "" if problem.id is None else short(problem.id)
    places = " and ".join(str(place) for place in (problem.other, problem.place) if place is not None)
    return f"{name} ({places})" if name and places else name or places


def short(text: str, limit: int = 60) -> str:
    """The text, cut to a length that fits into a message, with control characters escaped."""
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
