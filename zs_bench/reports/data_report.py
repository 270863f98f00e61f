"""The report of `zero-scrolls data`: what was fetched and what inspection found, as text, JSON and lists of ids."""

from collections.abc import Iterator
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
    """A split without its examples (which take half a gigabyte), and the ids that each rule of SCROLLS concerns."""

    loaded: Loaded
    ids: list[str]
    measures: dict[str, Any]
    cleaning: dict[str, list[str]]


@dataclass
class DataReport:
    """The splits that were read; tasks, or tasks and splits, that could not be; and tasks that the source lacks."""

    splits: list[SplitReport] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    def add(self, loaded: Loaded) -> None:
        task, examples = loaded.task, loaded.examples
        ids, kept = [example.id for example in examples], replace(loaded, examples=[])
        self.splits.append(SplitReport(kept, ids, measure(task, examples), broken_rules(task, examples)))

    def ids_as_json(self) -> dict[str, Any]:
        """Return the ids by task, with split, source and revision; raises `ZeroScrollsError` for several splits."""
        splits = list(dict.fromkeys(split.loaded.split for split in self.splits))
        if len(splits) != 1:
            what = f"these are {' and '.join(splits)}" if splits else "nothing could be read"
            raise ZeroScrollsError(f"--ids takes the ids of one split, {what}; give one with --split")
        first = self.splits[0].loaded
        about = {"benchmark": first.task.benchmark.name, "source": first.source_label, "revision": first.revision}
        ids = {split.loaded.task.name: split.ids for split in self.splits}
        return {"schema": IDS_SCHEMA, **about, "split": splits[0], "ids": ids}

    def as_json(self) -> dict[str, Any]:
        splits = [
            {
                "benchmark": split.loaded.task.benchmark.name,
                "task": split.loaded.task.name,
                "split": split.loaded.split,
                "source": split.loaded.source_label,
                "revision": split.loaded.revision,
                **asdict(split.loaded.counts),
                "scorable": split.loaded.scorable,
                "findings": [problem.as_dict() for problem in split.loaded.findings],
                **split.measures,
                "cleaning": split.cleaning,
            }
            for split in self.splits
        ]
        return {"schema": SCHEMA, "splits": splits, "failed": self.failed}

    def as_text(self) -> str:
        """Return the tables, the sources, and what inspection found."""
        if not self.splits:
            return "Nothing could be read."
        text, cleaned = [*self._tables(), _MEASURES_NOTE], []
        for split in self.splits:
            name, ids = f"{split.loaded.task}, {split.loaded.split}", split.loaded.counts.ids
            if without := split.measures["undissected"]:
                text.append(f"{name}: the document of {without} of {ids} was not found.")
            if split.loaded.task.benchmark.cleaning_source:  # the JSON has it of all tasks
                broken = ((rule, some) for rule, some in split.cleaning.items() if some)
                cleaned += [f"{name}: {rule}: {len(some):,} of {ids:,} ({few(some)})" for rule, some in broken]
        every = [split.loaded for split in self.splits]
        sources = dict.fromkeys(part.source_label + (f" ({part.revision})" if part.revision else "") for part in every)
        text += ["", *(f"Source: {source}." for source in sources)]
        text += [f"Not in the source: {', '.join(self.absent)}."] if self.absent else []
        problems = [problem for split in every for problem in split.findings]
        others = dict.fromkeys(problem for problem in problems if not problem.is_error)
        text += listed("Not fit to score against", lines(problem for problem in problems if problem.is_error))
        text += listed("Found", lines(others))
        return "\n".join(text + listed("By the cleaning rules of SCROLLS (section 3.2)", cleaned))

    def _tables(self) -> Iterator[str]:
        counted, measured = [], []
        for split in self.splits:
            name, counts = (split.loaded.task.name, split.loaded.split), split.loaded.counts
            kinds = ", ".join(problem.kind for problem in split.loaded.findings)
            shares = (_share(counts.labelled, counts.rows), _share(counts.indexed, counts.ids))
            counted.append((*name, str(counts.rows), str(counts.ids), *shares, kinds or "none"))
            values = [((split.measures[what] or {}).get(number), digits) for _, what, number, digits in _MEASURES]
            numbers = ("" if value is None else f"{value:,.{digits}f}" for value, digits in values)
            measured.append((*name, *numbers, _share((split.measures["spread"] or {}).get("count", 0), counts.ids)))
        head = ("task", "split", "rows", "ids", "with reference", "index fields", "findings")
        yield from (Table(head, counted, right=range(2, 6)).text(), "")
        titles = (title for title, *_ in _MEASURES)
        yield Table(("task", "split", *titles, "with spread"), measured, right=range(2, 9)).text()


def _share(part: int, whole: int) -> str:
    return "all" if part == whole else f"{part} of {whole}" if part else "none"
