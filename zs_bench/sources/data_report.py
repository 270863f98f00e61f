"""What was fetched and found, for `zero-scrolls data`: a table for people, JSON, and lists of ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from zs_bench.problems import lines
from zs_bench.sources.inspection import Loaded
from zs_bench.statistics.measures import Measures, measure
from zs_metric.errors import ZeroScrollsError

SCHEMA = "zero-scrolls-data/1"
#: The form of an exported list of ids: `{schema, benchmark, source, revision, split, ids: {task: [id, …]}}`.
IDS_SCHEMA = "zero-scrolls-ids/1"


@dataclass
class DataReport:
    """What was read, and what could not be.

    Attributes:
        splits: what was read, without the examples: all of the benchmark would fill half a gigabyte.
        ids: of each of them.
        measures: of each of them, its lengths and spreads, taken while its examples were there.
        failed: task, or task and split, to the reason.
        absent: tasks that the source has not, which nobody asked for by name.
    """

    splits: list[Loaded] = field(default_factory=list)
    ids: list[list[str]] = field(default_factory=list)
    measures: list[Measures] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    @property
    def revision(self) -> str | None:
        """The commit that was read; `None` where there are no commits."""
        return next((one.revision for one in self.splits), None)

    def add(self, loaded: Loaded) -> None:
        """Take note of a split."""
        self.splits.append(replace(loaded, examples=[]))
        self.ids.append([example.id for example in loaded.examples])
        self.measures.append(measure(loaded.task, loaded.examples, loaded.benchmark))

    def ids_as_json(self) -> dict[str, Any]:
        """The ids by task, with split, source and revision.

        Raises:
            ZeroScrollsError: unless they are all of one split.
        """
        splits = list(dict.fromkeys(one.split for one in self.splits))
        if len(splits) != 1:
            what = f"these are {' and '.join(splits)}" if splits else "nothing could be read"
            raise ZeroScrollsError(f"--ids takes the ids of one split, {what}; give one with --split")
        first = self.splits[0]
        about = {"benchmark": first.benchmark, "source": first.source_label, "revision": self.revision}
        ids = {one.task: ids for one, ids in zip(self.splits, self.ids, strict=True)}
        return {"schema": IDS_SCHEMA, **about, "split": splits[0], "ids": ids}

    def as_json(self) -> dict[str, Any]:
        """The report as JSON-able data."""
        splits = [_as_json(one) | measures.as_json() for one, measures in zip(self.splits, self.measures, strict=True)]
        return {"schema": SCHEMA, "splits": splits, "failed": self.failed}

    def as_text(self) -> str:
        """The table, where it is from, and what inspection found."""
        if not self.splits:
            return "Nothing could be read."
        found = [problem for one in self.splits for problem in one.findings]
        refusing = lines(problem for problem in found if problem.refuses)
        others = lines(dict.fromkeys(problem for problem in found if not problem.refuses))
        sources = dict.fromkeys(
            one.source_label + (f" ({one.revision})" if one.revision else "") for one in self.splits
        )
        return "\n".join(
            [
                *_table([_HEADER, *map(_row, self.splits)]),
                "",
                *_table([_MEASURED, *map(_measured, self.splits, self.measures)], right=range(2, 9)),
                _MEASURED_LONG,
                *_undissected(self.splits, self.measures),
                "",
                *(f"Source: {source}." for source in sources),
                *([f"Not there: {', '.join(self.absent)}."] if self.absent else []),
                *(["", "Nothing may be scored against:", *(f"- {line}" for line in refusing)] if refusing else []),
                *(["", "Found:", *(f"- {line}" for line in others)] if others else []),
            ]
        )


def _as_json(one: Loaded) -> dict[str, Any]:
    return {
        "benchmark": one.benchmark,
        "task": one.task,
        "split": one.split,
        "source": one.source_label,
        "revision": one.revision,
        **asdict(one.counts),
        "scorable": one.scorable,
        "findings": [problem.as_dict() for problem in one.findings],
    }


_HEADER = ("task", "split", "rows", "ids", "with reference", "index fields", "findings")


def _row(one: Loaded) -> tuple[str, ...]:
    counts = one.counts
    numbers = (str(counts.rows), str(counts.ids))
    shares = (_share(counts.labelled, counts.rows), _share(counts.indexed, counts.ids))
    kinds = ", ".join(problem.kind for problem in one.findings)
    return one.task, one.split, *numbers, *shares, kinds or "none"


_MEASURED = ("task", "split", "words in", "paper", "words out", "paper", "spread", "median", "with spread")
_MEASURED_LONG = (
    "Words: averages, beside those of the paper. Spread: the standard deviation of the places, in words, at which the\n"
    "word pairs of an output first stand in the document; mean and median over the examples that have one."
)


def _measured(one: Loaded, measures: Measures) -> tuple[str, ...]:
    told = measures.as_json()
    words_in, words_out, spread = (told[name] or {} for name in ("words_in", "words_out", "spread"))
    numbers = (
        _number(words_in, "mean", 0),
        _number(words_in, "published_mean", 0),
        _number(words_out, "mean", 1),
        _number(words_out, "published_mean", 1),
        _number(spread, "mean", 1),
        _number(spread, "median", 1),
    )
    return one.task, one.split, *numbers, _share(spread.get("count", 0), one.counts.ids)


def _undissected(splits: Iterable[Loaded], measures: Iterable[Measures]) -> Iterator[str]:
    for one, found in zip(splits, measures, strict=True):
        if found.undissected:
            yield f"{one.task}, {one.split}: the document of {found.undissected} of {one.counts.ids} was not found."


def _number(numbers: Mapping[str, float | None], name: str, digits: int) -> str:
    value = numbers.get(name)
    return "" if value is None else f"{value:,.{digits}f}"


def _share(part: int, whole: int) -> str:
    return "all" if part == whole else f"{part} of {whole}" if part else "none"


def _table(rows: list[tuple[str, ...]], right: range = range(2, 6)) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
