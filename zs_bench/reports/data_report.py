"""The report of `zero-scrolls data`: what was fetched and what inspection found, as text, JSON and lists of ids."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from zs_bench.dataset.inspection import Loaded, broken_rules
from zs_bench.dataset.measures import measure
from zs_bench.problems import lines
from zs_bench.reports.tables import text_table
from zs_bench.validation.known_ids import IDS_SCHEMA
from zs_metric.errors import ZeroScrollsError

SCHEMA = "zero-scrolls-data/1"


@dataclass
class DataReport:
    """The splits that were read, and those that could not be.

    Attributes:
        splits: what was read, without the examples: those of the whole benchmark would take half a gigabyte.
        cleaning: the ids of each split that the cleaning rules of SCROLLS would drop, by rule.
        failed: task, or task and split, to the reason.
        absent: tasks that the source does not have and that were not asked for by name, to the reason.
    """

    splits: list[Loaded] = field(default_factory=list)
    ids: list[list[str]] = field(default_factory=list)
    measures: list[dict[str, Any]] = field(default_factory=list)
    cleaning: list[dict[str, list[str]]] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    @property
    def revision(self) -> str | None:
        """The commit that was read; `None` where there are no commits."""
        return next((one.revision for one in self.splits), None)

    def add(self, loaded: Loaded) -> None:
        """Add a split, with its ids and measures."""
        self.splits.append(replace(loaded, examples=[]))
        self.ids.append([example.id for example in loaded.examples])
        self.cleaning.append(broken_rules(loaded.task, loaded.examples))
        self.measures.append(measure(loaded.task, loaded.examples))

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
        about = {"benchmark": first.task.benchmark.name, "source": first.source_label, "revision": self.revision}
        ids = {one.task.name: ids for one, ids in zip(self.splits, self.ids, strict=True)}
        return {"schema": IDS_SCHEMA, **about, "split": splits[0], "ids": ids}

    def as_json(self) -> dict[str, Any]:
        """The report as JSON-able data."""
        splits = [
            _as_json(one) | measures | {"cleaning": broken}
            for one, measures, broken in zip(self.splits, self.measures, self.cleaning, strict=True)
        ]
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
                *text_table([_HEADER, *map(_row, self.splits)], right=range(2, 6)),
                "",
                *text_table([_MEASURED, *map(_measured, self.splits, self.measures)], right=range(2, 9)),
                _MEASURED_LONG,
                *_undissected(self.splits, self.measures),
                "",
                *(f"Source: {source}." for source in sources),
                *([f"Not there: {', '.join(self.absent)}."] if self.absent else []),
                *(["", "Nothing may be scored against:", *(f"- {line}" for line in refusing)] if refusing else []),
                *(["", "Found:", *(f"- {line}" for line in others)] if others else []),
                *_cleaning(self.splits, self.cleaning),
            ]
        )


def _as_json(one: Loaded) -> dict[str, Any]:
    return {
        "benchmark": one.task.benchmark.name,
        "task": one.task.name,
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
    return one.task.name, one.split, *numbers, *shares, kinds or "none"


_MEASURED = ("task", "split", "words in", "paper", "words out", "paper", "spread", "median", "with spread")
_MEASURED_LONG = (
    "Words: averages, beside those of the paper. Spread: the standard deviation of the places, in words, at which the\n"
    "word pairs of an output first occur in the document; mean and median over the examples that have one."
)


def _measured(one: Loaded, measures: Mapping[str, Any]) -> tuple[str, ...]:
    words_in, words_out, spread = (measures[name] or {} for name in ("words_in", "words_out", "spread"))
    numbers = (
        _number(words_in, "mean", 0),
        _number(words_in, "published_mean", 0),
        _number(words_out, "mean", 1),
        _number(words_out, "published_mean", 1),
        _number(spread, "mean", 1),
        _number(spread, "median", 1),
    )
    return one.task.name, one.split, *numbers, _share(spread.get("count", 0), one.counts.ids)


def _undissected(splits: Iterable[Loaded], measures: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for one, found in zip(splits, measures, strict=True):
        if count := found["undissected"]:
            yield f"{one.task}, {one.split}: the document of {count} of {one.counts.ids} was not found."


def _cleaning(splits: Iterable[Loaded], cleaning: Iterable[Mapping[str, Sequence[str]]]) -> list[str]:
    """What the cleaning rules of SCROLLS would drop, for its own tasks; other rows have it in the JSON."""
    found = [
        f"- {one.task.name}, {one.split}: {rule}: {len(ids):,} of {one.counts.ids:,} ({', '.join(ids[:3])}"
        + (", …)" if len(ids) > 3 else ")")
        for one, broken in zip(splits, cleaning, strict=True)
        if one.task.benchmark.name == "scrolls"
        for rule, ids in broken.items()
        if ids
    ]
    return ["", "The cleaning rules of SCROLLS (section 3.2) would drop:", *found] if found else []


def _number(numbers: Mapping[str, float | None], name: str, digits: int) -> str:
    value = numbers.get(name)
    return "" if value is None else f"{value:,.{digits}f}"


def _share(part: int, whole: int) -> str:
    return "all" if part == whole else f"{part} of {whole}" if part else "none"
