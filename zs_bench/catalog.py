"""What the benchmarks and their tasks are, as facts for people (ZeroSCROLLS Table 1, SCROLLS Table 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zs_metric.tasks import find_benchmark, find_task

METRIC_TITLES: Mapping[str, str] = {
    "rouge": "ROUGE",
    "f1": "F1",
    "accuracy": "Accuracy",
    "exp_similarity": "Exponential similarity",
    "concordance_index": "Concordance index",
    "exact_match": "Exact match",
}


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """A task for people: its title, kind and domain."""

    title: str
    kind: str
    domain: str


@dataclass(frozen=True, slots=True)
class TaskSize:
    """A task of a benchmark in numbers; `None` where the paper has none.

    Attributes:
        words: of an input, on average.
        test, validation, train: examples of the split.
        words_out: of an output, on average.
    """

    words: int
    test: int
    validation: int | None = None
    train: int | None = None
    words_out: float | None = None

    def of_split(self, split: str) -> int | None:
        """The examples of a split, of any name."""
        return {"test": self.test, "validation": self.validation, "train": self.train}.get(split)


#: Every task of either benchmark.
FACTS: Mapping[str, TaskFacts] = {
    "gov_report": TaskFacts("GovReport", "Summarization", "government"),
    "summ_screen_fd": TaskFacts("SummScreenFD", "Summarization", "TV"),
    "qmsum": TaskFacts("QMSum", "Query-based summarization", "meetings"),
    "squality": TaskFacts("SQuALITY", "Query-based summarization", "literature"),
    "qasper": TaskFacts("Qasper", "Question answering", "science"),
    "narrative_qa": TaskFacts("NarrativeQA", "Question answering", "literature, film"),
    "quality": TaskFacts("QuALITY", "Multiple choice", "literature, misc"),
    "musique": TaskFacts("MuSiQue", "Multi-hop question answering", "Wikipedia"),
    "space_digest": TaskFacts("SpaceDigest", "Aggregation", "hotel reviews"),
    "book_sum_sort": TaskFacts("BookSumSort", "Aggregation", "literature"),
    "contract_nli": TaskFacts("ContractNLI", "Natural language inference", "legal"),
    "quality_hard": TaskFacts("QuALITY, hard", "Multiple choice", "literature, misc"),
}

#: The tasks of each benchmark's average in numbers.
SIZES: Mapping[str, Mapping[str, TaskSize]] = {
    "zero_scrolls": {
        "gov_report": TaskSize(7273, 500),
        "summ_screen_fd": TaskSize(5663, 337),
        "qmsum": TaskSize(10839, 281),
        "squality": TaskSize(4971, 260),
        "qasper": TaskSize(3531, 500),
        "narrative_qa": TaskSize(49384, 500),
        "quality": TaskSize(4248, 500),
        "musique": TaskSize(1749, 500),
        "space_digest": TaskSize(5481, 500),
        "book_sum_sort": TaskSize(6840, 500),
    },
    "scrolls": {
        "gov_report": TaskSize(7886, 973, 972, 17457, 492.5),
        "summ_screen_fd": TaskSize(5598, 337, 338, 3673, 99.6),
        "qmsum": TaskSize(9497, 281, 272, 1257, 69.7),
        "qasper": TaskSize(3629, 1399, 1726, 2567, 11.4),
        "narrative_qa": TaskSize(51653, 10306, 5878, 55003, 4.6),
        "quality": TaskSize(4193, 2128, 2086, 2523, 10.3),
        "contract_nli": TaskSize(1706, 2091, 1037, 7191, 1.4),
    },
}


def titles(benchmark: str = "zero_scrolls") -> dict[str, str]:
    """The tasks of the benchmark's average, name to title.

    Raises:
        UnknownBenchmark: with the likely name.

    >>> list(titles("scrolls").values())[-1]
    'ContractNLI'
    """
    return {name: FACTS[name].title for name in find_benchmark(benchmark).tasks}


def metric_title(task: str, benchmark: str = "zero_scrolls") -> str:
    """What people call the task's metric.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name.

    >>> metric_title("quality"), metric_title("quality", "scrolls")
    ('Accuracy', 'Exact match')
    """
    return METRIC_TITLES[find_task(task, benchmark=benchmark).metric]
