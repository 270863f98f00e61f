"""Problems of files: what is wrong, where, and how it can be repaired.

Messages are sentences without the final full stop. They name no command-line options, since the page shows them too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any

from zs_metric.texts import clean_text

#: The most problems that a report lists; those that refuse something come first, and the rest is counted.
MAX_PROBLEMS = 10_000
# How many ids or files a sentence names.
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Place:
    """A file, and a row of it if known: the number of its first line, or of the row (`unit`), counted from 1."""

    file: str | None
    row: int | None = None
    unit: str = "line"

    def __str__(self) -> str:
        return str(self.file) if self.row is None else f"{self.file}, {self.unit} {self.row}"


@dataclass(frozen=True, slots=True)
class Repair:
    """The repair of a problem, in words.

    Attributes:
        safe: whether it cannot change the score of a valid prediction. Others are made only on request.
        becomes: the changed fields of the row; `None` for a dropped row and for a repair of the whole file.
    """

    what: str
    safe: bool
    becomes: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem. Lone surrogates in its texts become U+FFFD, so that every report can be written.

    Attributes:
        kind: its short name, stable for programs: `missing`, `null`, `conflict`, `pid`, …
        family: the broader kind, by default the same: `pid` belongs to `unknown`.
        message: what is wrong and what to do, the same for all problems of a kind.
        other: for a duplicate, the place of the row that is kept.
        is_error: whether its task (or, without a task, the file) is not scored; otherwise it is a warning.
        detail: the value that was read there, or a hint, where it helps.
        benchmark: the benchmark that the file belongs to, if it is another one.
        columns: what would say which columns hold what, if the names are right: `id=uid,prediction=answer`.
    """

    kind: str
    message: str
    task: str | None = None
    id: str | None = None
    place: Place | None = None
    other: Place | None = None
    is_error: bool = True
    detail: str | None = None
    family: str = ""
    benchmark: str | None = None
    repair: Repair | None = None
    columns: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "family", self.family or self.kind)
        if f"{self.message}{self.id}{self.detail}".isascii():
            return
        for name in ("message", "id", "detail"):
            text = getattr(self, name)
            object.__setattr__(self, name, text if text is None else clean_text(text, name))

    def as_warning(self, message: str | None = None) -> "Problem":
        """The problem as a warning, perhaps with another message."""
        return replace(self, message=message or self.message, is_error=False)

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
        place = self.place or Place(None)
        data: dict[str, Any] = {"kind": self.kind, "family": self.family, "task": self.task, "id": self.id}
        data |= {"file": place.file, "row": place.row}
        if self.other:
            data |= {"other_file": self.other.file, "other_row": self.other.row}
        more: dict[str, Any] = {"detail": self.detail, "benchmark": self.benchmark, "columns": self.columns}
        more["repair"] = self.repair and asdict(self.repair)
        data |= {name: value for name, value in more.items() if value is not None}
        return {**data, "message": self.message, "refuses": self.is_error}


def lines(
    problems: Iterable[Problem], *, most: int = 20, titles: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """The problems as sentences, one for all problems with the same message, with the first ids and rows.

    There are at most `most` sentences, and a last one that counts the other problems. Tasks have their `titles` where
    there are some, name to title.

    >>> lines([Problem("null", "The answer is null", "qasper", "7f", Place("a.json", 3))])
    ['qasper: The answer is null: 7f (a.json, line 3)']
    """
    groups: dict[tuple[str | None, str], list[Problem]] = {}
    for each in problems:
        title = titles.get(each.task or "")
        problem = replace(each, task=title) if title else each
        task = None if problem.kind in ("doubled", "missing-task", "by-references") else problem.task
        groups.setdefault((task, problem.message), []).append(problem)
    groups = _joined(groups)
    sentences = [_line(task, message, group) for (task, message), group in list(groups.items())[:most]]
    left = sum(map(len, list(groups.values())[most:]))
    if left:
        sentences.append(f"… and {left:,} more problems of other kinds; the JSON report lists them")
    return sentences


def lines_by_system(by_system: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the lines of systems, each once and with its systems' names; a line of all systems has no name.

    >>> lines_by_system({"a": ["empty", "cut"], "b": ["cut"]})
    ['a: empty', 'cut']
    """
    names_by_line: dict[str, list[str]] = {}
    for name, of_system in by_system.items():
        for line in of_system:
            names_by_line.setdefault(line, []).append(short(name))
    said = names_by_line.items()
    return [line if len(names) == len(by_system) else f"{', '.join(names)}: {line}" for line, names in said]


_Groups = dict[tuple[str | None, str], list[Problem]]


def _joined(groups: _Groups) -> _Groups:
    """The groups, those of the same warning about several tasks as one, whose name counts the problems of each."""
    by_message: dict[str, _Groups] = {}
    for key, group in groups.items():
        by_message.setdefault(key[1], {})[key] = group
    joined: _Groups = {}
    for message, alike in by_message.items():
        first = next(iter(alike.values()))[0]
        if len(alike) < _NAMED or first.is_error or first.id is None:
            joined |= alike
        else:
            name = ", ".join(f"{task} {len(group):,}" for (task, _), group in alike.items())
            joined[name, message] = [problem for group in alike.values() for problem in group]
    return joined


def _line(task: str | None, message: str, group: list[Problem]) -> str:
    first, is_task = group[0], group[0].kind == "missing-task"
    if len(group) <= _NAMED:
        subject, where = task, ", ".join(dict.fromkeys(filter(None, map(_where, group))))
    else:
        in_rows = all(problem.place is not None and problem.place.row is not None for problem in group)
        noun = "task" if is_task else "answer" if first.id is not None else "row" if in_rows else "file"
        number = len({problem.place and problem.place.file for problem in group}) if noun == "file" else len(group)
        count = None if first.kind == "missing" else counted(number, noun)
        subject, where = ", ".join(filter(None, (task, count))), _where_all(group)
    between = " " if message.endswith("?") else ": "
    return (f"{subject}: " if subject else "") + message + (f"{between}{where}" if where else "")


def _where(problem: Problem) -> str:
    places = dict.fromkeys(str(place) for place in (problem.place, problem.other) if place is not None)
    return _with(_name(problem), ": ".join(filter(None, (" and ".join(places), short(problem.detail or "", 80)))))


def _where_all(group: list[Problem]) -> str:
    """The first ids, and the files with the lines between which all are; or the first files."""
    rows: dict[str, list[int]] = {}
    units = {place.file: place.unit for problem in group for place in (problem.place, problem.other) if place}
    for place in (place for problem in group for place in (problem.place, problem.other)):
        if place is not None and place.file is not None:
            rows.setdefault(place.file, []).extend([place.row] if place.row else [])
    names = [name for name in dict.fromkeys(map(_name, group[:_NAMED])) if name or not rows]
    places = [f"{file}, {units[file]}s {min(at)} to {max(at)}" if len({*at}) > 1 else file for file, at in rows.items()]
    others = [counted(len(places) - _NAMED, "other file")] if len(places) > _NAMED else []
    details = {problem.detail for problem in group}
    detail = short(details.pop() or "", 80) if len(details) == 1 else ""
    each = " each" if detail and group[0].kind == "missing-task" else ""
    inside = "; ".join(filter(None, (", ".join([*places[:_NAMED], *others]), detail + each)))
    return _with(", ".join([*names, "…"]) if any(names) else "", inside)


def _name(problem: Problem) -> str:
    name = (problem.task or "") if problem.kind == "missing-task" else short(problem.id or "")
    return name if name == name.strip() else repr(name)  # quotes show the space in `7f `


def _with(name: str, more: str) -> str:
    return f"{name} ({more})" if name and more else name or more


def short(text: str, limit: int = 60) -> str:
    r"""The text with control characters escaped, cut to fit into a message.

    >>> short("a\x1b[2J" + "b" * 100, 10)
    'a\\x1b[2Jb…'
    """
    shown = printable(text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def printable(text: str) -> str:
    """The text with control characters of a terminal escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def counted(count: int, noun: str) -> str:
    """The count with its noun, in the plural if needed.

    >>> counted(1, "word"), counted(2400, "word")
    ('1 word', '2,400 words')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
