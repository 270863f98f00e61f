"""Problems of files: what is wrong, where, and how it can be repaired.

Messages are sentences without the final full stop. They name no command-line options, since the page shows them too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from zs_metric.errors import ZeroScrollsError
from zs_metric.texts import clean_text


class UnusableInput(ZeroScrollsError):
    """A file, folder or row that cannot be read.

    `message` is the same for all errors of a kind; `detail` adds what was found, or where.
    """

    def __init__(self, message: str, detail: str | None = None) -> None:
        super().__init__(message if detail is None else f"{message} ({detail})")
        self.message, self.detail = message, detail


@dataclass(frozen=True, slots=True)
class Place:
    """A file, and a row of it if known: the number of its first line, counted from 1."""

    file: str | None
    row: int | None = None

    def __str__(self) -> str:
        return str(self.file) if self.row is None else f"{self.file}, line {self.row}"


@dataclass(frozen=True, slots=True)
class Repair:
    """The repair of a problem.

    Attributes:
        safe: whether it cannot change the score of a valid prediction. Others are made only on request.
        becomes: the changed fields of the row, of `task`, `id` and `prediction`; `None` for a dropped row and for a
            repair of the whole file.
    """

    what: str
    safe: bool
    becomes: Mapping[str, str] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The repair as JSON-able data."""
        return {"what": self.what, "safe": self.safe, "becomes": None if self.becomes is None else dict(self.becomes)}


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem. Lone surrogates in its texts become U+FFFD, so that every report can be written.

    Attributes:
        kind: its short name, stable for programs: `missing`, `null`, `conflict`, `pid`, …
        message: what is wrong and what to do, the same for all problems of a kind.
        task, id: of the prediction, if known.
        place: file and row, if known.
        other: for a duplicate, the place of the row that is kept.
        refuses: whether its task (or, without a task, the file) is not scored; otherwise it is a warning.
        detail: what was found, if that helps.
        family: the broader kind in the report of `score`, if it differs: `pid` belongs to `unknown`.
        benchmark: the benchmark that the file belongs to, if it is not the given one.
        repair: how it can be repaired, if known.
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

    def as_warning(self, message: str | None = None) -> "Problem":
        """The problem as a warning, with another message if one is given."""
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
        """The family, by default the kind."""
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
        """The problem as JSON-able data, as in the report of `score`."""
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


#: The ids that a sentence names.
_NAMED = 3


def lines(problems: Iterable[Problem], *, most: int = 20) -> list[str]:
    """The problems as sentences, one for all problems with the same message, with the first ids and rows.

    There are at most `most` of them, and a last one that counts the other problems.

    >>> lines([Problem("null", "The answer is null. Write a text", "qasper", "7f", Place("a.json", 3))])
    ['qasper: The answer is null. Write a text: 7f (a.json, line 3)']
    """
    groups: dict[tuple[str | None, str], list[Problem]] = {}
    for problem in problems:
        task = None if problem.kind in ("doubled", "missing-task") else problem.task
        groups.setdefault((task, problem.message), []).append(problem)
    sentences = [_line(task, message, group) for (task, message), group in list(groups.items())[:most]]
    left = sum(map(len, list(groups.values())[most:]))
    return (
        [*sentences, f"… and {left:,} more problems of other kinds; the JSON report lists them"] if left else sentences
    )


def _line(task: str | None, message: str, group: list[Problem]) -> str:
    if group[0].kind == "doubled" and len(group) > _NAMED:
        where = _repeats(group)
    else:
        shown = list(dict.fromkeys(text for text in map(_where, group[:_NAMED]) if text))
        more = f", … {len(group):,} in all" if len(group) > _NAMED else ""
        where = ", ".join(shown) + more if shown else ""
    between = " " if message.endswith("?") else ": "
    return (f"{task}: " if task else "") + message + (f"{between}{where}" if where else "")


def _repeats(group: list[Problem]) -> str:
    """The files that repeat ids of other files, instead of hundreds of ids."""
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
    name = whole_task or "" if problem.id is None else _visible(short(problem.id))
    detail = "" if problem.detail is None else short(problem.detail, 80)
    inside = ": ".join(filter(None, (" and ".join(_places(problem)), detail)))
    return f"{name} ({inside})" if name and inside else name or inside


def _visible(name: str) -> str:
    """The name, in quotes where it begins or ends with a space.

    >>> _visible("7f"), _visible("7f ")
    ('7f', "'7f '")
    """
    return name if name == name.strip() else repr(name)


def _places(problem: Problem) -> list[str]:
    return list(dict.fromkeys(str(place) for place in (problem.place, problem.other) if place is not None))


def short(text: str, limit: int = 60) -> str:
    r"""The text with control characters escaped, cut to fit into a message.

    >>> short("a\x1b[2J" + "b" * 100, 10)
    'a\\x1b[2Jb…'
    """
    shown = printable(text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def printable(text: str) -> str:
    """The text with control characters of a terminal escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def counted(count: int, noun: str) -> str:
    """The count with its noun, in the plural if needed.

    >>> counted(1, "word"), counted(2400, "word")
    ('1 word', '2,400 words')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
