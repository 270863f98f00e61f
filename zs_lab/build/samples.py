"""What the builders share: their options, the records that are new enough, and the sample that they make."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate
from math import isnan
from typing import Any, NamedTuple

from zs_bench.benchmarks import Task
from zs_bench.errors import UnusableInput
from zs_bench.inputs import GAP, compose
from zs_bench.problems import short
from zs_lab.build.reading import Record, read_dates
from zs_lab.build.tell_tales import Hit

#: How many names of what was left out are shown.
_NAMED = 5


def option(about: str, *, default: object, least: int = 1) -> Any:
    """Return a field of a builder's options that is an option of the command, with its help and the least number."""
    return field(default=default, metadata={"help": about, "least": least})


@dataclass(frozen=True, slots=True)
class Options:
    """The options of every builder.

    Attributes:
        day: the column of the date.
        since: leave out texts that are older than this day, or have no date.
        accept: keep texts with tell-tales, which have been reviewed.
    """

    day: str = "date"
    since: date | None = None
    accept: bool = False


class Example(NamedTuple):
    """One example: its units are reviews, summaries or paragraphs, of these days; each reference becomes a row."""

    id: str
    units: Sequence[str]
    references: Sequence[str]
    query: str | None = None
    days: Sequence[date] = ()


class EmptySample(UnusableInput):
    """No example could be built; `hits` are the passages to review."""

    def __init__(self, why: str, detail: str | None, hits: Sequence[Hit]) -> None:
        super().__init__(why, detail)
        self.hits = hits


@dataclass(slots=True)
class Sample:
    """The examples of a task that were built from one's own texts.

    Attributes:
        dropped: why records, units or whole examples were left out, with how many.
        named: for some reasons, the names of what was left out.
        hits: passages of the texts that may give the answer away.
        notes: sentences on the references, which are not public if these are private.
    """

    task: Task
    examples: list[Example] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    named: dict[str, list[str]] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def drop(self, why: str, name: str | None = None) -> None:
        """Count what was left out, and keep its name if it has one."""
        self.dropped[why] += 1
        if name is not None:
            self.named.setdefault(why, []).append(short(name))

    def left_out(self) -> list[str]:
        """Return a phrase for each reason: what was left out, how many, and the first names."""
        phrases = []
        for why, count in self.dropped.most_common():
            names = self.named.get(why, [])
            shown = [*names[:_NAMED], *(["…"] if len(names) > _NAMED else [])]
            phrases.append(f"{why}: {count:,}" + (f" ({', '.join(shown)})" if shown else ""))
        return phrases

    def empty(self, why: str) -> "EmptySample":
        """Return the error of a sample without an example: why, with what was left out."""
        return EmptySample(why, "; ".join(self.left_out()) or None, self.hits)

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows, one per reference, with all fields of the Hub's data."""
        template, rows = self.task.template, []
        if template is None:
            raise ValueError(f"{self.task} has no prompt template")
        for example in self.examples:
            count = len(example.units) if "{N}" in template.instruction else None
            prompt, indices = compose(self.task, GAP.join(example.units), example.query, summaries=count)
            lengths = (len(unit) + len(GAP) for unit in example.units[:-1])
            fields = {
                **indices._asdict(),
                "truncation_seperator": template.separator,
                "inner_docs_start_indices": list(accumulate(lengths, initial=indices.document_start_index)),
            }
            for number, reference in enumerate(example.references):
                ids = {"id": example.id, "pid": f"{example.id}_{number}"}
                rows.append({**ids, "input": prompt, "output": reference, **fields})
        return rows


def recent(
    records: Iterable[Record], options: Options, sample: Sample, columns: Mapping[str, str | None]
) -> Iterator[tuple[int, Record, list[date]]]:
    """Yield the records that are new enough, each with its number from 1 and its day, if it has one.

    Args:
        columns: those that a builder reads, each with the option that names another column, or `None`.

    Raises:
        UnusableInput: when the first record lacks a column, or, with `since`, when no date can be read.
    """
    rows = list(records)
    for column, named_by in columns.items() if rows else ():
        _require(rows[0], column, f"name yours with {named_by}" if named_by else f"a record needs {', '.join(columns)}")
    days = read_dates(row.get(options.day) for row in rows)
    unread = [number for number, day in enumerate(days, start=1) if day is None]
    if options.since and unread:
        if not any(options.day in row for row in rows):
            _require(rows[0], options.day, "name the column of the date with --day")
        first = f"the first is {short(text_of(rows[unread[0] - 1], options.day))!r}, record {unread[0]}"
        if len(unread) == len(rows):
            whole = f"none of the {len(rows):,} dates in column {short(options.day)!r} can be read; {first}"
            raise UnusableInput(f"{whole}; write them as 2026-01-31, or name another column with --day")
        sample.dropped[f"records without a date that can be read ({first})"] = len(unread)
    for number, (row, day) in enumerate(zip(rows, days, strict=True), start=1):
        if options.since is None or (day is not None and day >= options.since):
            yield number, row, [day] if day else []
        elif day is not None:
            sample.drop(f"records older than {options.since}")


def _require(record: Record, column: str, step: str) -> None:
    if column not in record:
        columns = ", ".join(short(name) for name in record)
        raise UnusableInput(f"there is no column {short(column)!r}, the columns are {columns}; {step}")


def text_of(record: Record, column: str) -> str:
    """Return the text under a column of the record, empty if there is none."""
    value = record.get(column)
    missing = value is None or (isinstance(value, float) and isnan(value))
    return "" if missing else str(value).strip()


def seeded_random(seed: int, *names: str) -> random.Random:
    """Return a random generator that depends on the seed and these names only, not on what is drawn elsewhere."""
    return random.Random("\0".join((str(seed), *names)))  # noqa: S311 - a sample, not a secret
