"""The report of `zero-scrolls data`: what was fetched and what inspection found, as text, JSON and lists of ids."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from zs_bench.dataset.inspection import Loaded, broken_rules
from zs_bench.dataset.measures import measure
from zs_bench.problems import lines
from zs_bench.reports.tables import Table, few, listed
from zs_bench.validation.known_ids import IDS_SCHEMA
from zs_metric.errors import ZeroScrollsError

SCHEMA = "zero-scrolls-data/1"
# The columns of the measures: the head, which measure, which of its numbers, and its decimals.
_MEASURES = (
    ("words in", "words_in", "mean", 0),
    ("paper", "words_in", "published_mean", 0),
    ("words out", "words_out", "mean", 1),
    ("paper", "words_out", "published_mean", 1),
    ("spread", "spread", "mean", 1),
    ("median", "spread", "median", 1),
)
_MEASURES_NOTE = (
    "Words: averages, beside those of the paper. Spread: the standard deviation of the places, in words, at which the\n"
    "word pairs of an output first occur in the document; mean and median over the examples that have one."
)


@dataclass(frozen=True)
class SplitReport:
    """A split that was read, without its examples: those of the whole benchmark would take half a gigabyte.

    `cleaning` has the ids that the cleaning rules of SCROLLS would drop, by rule.
    """

    loaded: Loaded
    ids: list[str]
    measures: dict[str, Any]
    cleaning: dict[str, list[str]]

    def as_json(self) -> dict[str, Any]:
        """Return the split as JSON-able data."""
        split = self.loaded
        return {
            "benchmark": split.task.benchmark.name,
            "task": split.task.name,
            "split": split.split,
            "source": split.source_label,
            "revision": split.revision,
            **asdict(split.counts),
            "scorable": split.scorable,
            "findings": [problem.as_dict() for problem in split.findings],
            **self.measures,
            "cleaning": self.cleaning,
        }


@dataclass
class DataReport:
    """The splits that were read; tasks, or tasks and splits, that could not be; and tasks that the source lacks."""

    splits: list[SplitReport] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    def add(self, loaded: Loaded) -> None:
        """Add a split, with its ids and measures."""
        task, examples = loaded.task, loaded.examples
        ids, kept = [example.id for example in examples], replace(loaded, examples=[])
        self.splits.append(SplitReport(kept, ids, measure(task, examples), broken_rules(task, examples)))

    def ids_as_json(self) -> dict[str, Any]:
        """Return the ids by task, with split, source and revision.

        Raises:
            ZeroScrollsError: unless they are all of one split.
        """
        splits = list(dict.fromkeys(split.loaded.split for split in self.splits))
        if len(splits) != 1:
            what = f"these are {' and '.join(splits)}" if splits else "nothing could be read"
            raise ZeroScrollsError(f"--ids takes the ids of one split, {what}; give one with --split")
        first = self.splits[0].loaded
        about = {"benchmark": first.task.benchmark.name, "source": first.source_label, "revision": first.revision}
        ids = {split.loaded.task.name: split.ids for split in self.splits}
        return {"schema": IDS_SCHEMA, **about, "split": splits[0], "ids": ids}

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON-able data."""
        return {"schema": SCHEMA, "splits": [split.as_json() for split in self.splits], "failed": self.failed}

    def as_text(self) -> str:
        """Return the tables, the sources, and what inspection found."""
        if not self.splits:
            return "Nothing could be read."
        every = [split.loaded for split in self.splits]
        findings = [problem for loaded in every for problem in loaded.findings]
        others = dict.fromkeys(problem for problem in findings if not problem.is_error)
        sources = dict.fromkeys(part.source_label + (f" ({part.revision})" if part.revision else "") for part in every)
        return "\n".join(
            [
                _counts(every).text(),
                "",
                _measures(self.splits).text(),
                _MEASURES_NOTE,
                *(
                    f"{split.loaded.task}, {split.loaded.split}: "
                    f"the document of {split.measures['undissected']} of {split.loaded.counts.ids} was not found."
                    for split in self.splits
                    if split.measures["undissected"]
                ),
                "",
                *(f"Source: {source}." for source in sources),
                *([f"Not in the source: {', '.join(self.absent)}."] if self.absent else []),
                *listed("Not fit to score against", lines(problem for problem in findings if problem.is_error)),
                *listed("Found", lines(others)),
                *listed("The cleaning rules of SCROLLS (section 3.2) would drop", [*_cleaned(self.splits)]),
            ]
        )


def _counts(splits: Iterable[Loaded]) -> Table:
    rows = []
    for split in splits:
        counts, kinds = split.counts, ", ".join(problem.kind for problem in split.findings)
        shares = (_share(counts.labelled, counts.rows), _share(counts.indexed, counts.ids))
        rows.append((split.task.name, split.split, str(counts.rows), str(counts.ids), *shares, kinds or "none"))
    return Table(
        ("task", "split", "rows", "ids", "with reference", "index fields", "findings"), rows, right=range(2, 6)
    )


def _measures(splits: Iterable[SplitReport]) -> Table:
    rows = []
    for split in splits:
        values = [((split.measures[what] or {}).get(name), digits) for _, what, name, digits in _MEASURES]
        numbers = ("" if value is None else f"{value:,.{digits}f}" for value, digits in values)
        with_spread = _share((split.measures["spread"] or {}).get("count", 0), split.loaded.counts.ids)
        rows.append((split.loaded.task.name, split.loaded.split, *numbers, with_spread))
    return Table(("task", "split", *(title for title, *_ in _MEASURES), "with spread"), rows, right=range(2, 9))


def _cleaned(splits: Iterable[SplitReport]) -> Iterator[str]:
    """Yield what the cleaning rules of SCROLLS would drop from its own tasks; the JSON has it of all tasks."""
    for split in splits:
        task, ids_read = split.loaded.task, split.loaded.counts.ids
        for rule, ids in split.cleaning.items():
            if ids and task.benchmark.name == "scrolls":
                yield f"{task}, {split.loaded.split}: {rule}: {len(ids):,} of {ids_read:,} ({few(ids)})"


def _share(part: int, whole: int) -> str:
    return "all" if part == whole else f"{part} of {whole}" if part else "none"
