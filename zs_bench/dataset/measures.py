"""Lengths of the inputs and outputs of a split in words, and the spread of its outputs over the documents.

Words are separated by white space (SCROLLS, Table 1 and Figure 1). The input is the whole field `input`, as a model
reads it: with the question, and in ZeroSCROLLS with instruction and headers. An output is one reference.

Many rows can share a document (NarrativeQA's train split: 55,003 rows, some 1,100 books). Its words are counted once,
and the bigrams of all its outputs are searched in one pass.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from zs_bench.dataset.rows import Example
from zs_bench.dataset.spread import mean_deviation, outputs_of, spreads
from zs_bench.prompts.dissection import CannotDissect
from zs_bench.tasks import TaskSize, info
from zs_metric.tasks import Task

_PERCENTILES = {"p5": 5, "p25": 25, "median": 50, "p75": 75, "p95": 95}


@dataclass(frozen=True, slots=True)
class Distribution:
    """The distribution of one or more numbers; `values` are ascending."""

    values: tuple[float, ...]

    @classmethod
    def of(cls, values: Iterable[float]) -> "Distribution | None":
        """The distribution of the values; `None` if there are none.

        >>> Distribution.of([4, 1, 3]).median
        3.0
        """
        ordered = tuple(sorted(values))
        return cls(ordered) if ordered else None

    @property
    def mean(self) -> float:
        """The plain mean."""
        return fmean(self.values)

    @property
    def median(self) -> float:
        """The 50th percentile."""
        return self.percentile(50)

    def percentile(self, share: float) -> float:
        """The percentile `share`, 0 to 100, with linear interpolation.

        >>> Distribution((10, 20, 40)).percentile(75)
        30.0
        """
        return float(np.percentile(self.values, share))

    def as_json(self) -> dict[str, float]:
        """Count, mean, smallest, the 5th, 25th, 50th (as median), 75th and 95th percentile, largest."""
        percentiles = {name: self.percentile(share) for name, share in _PERCENTILES.items()}
        return {
            "count": len(self.values),
            "mean": self.mean,
            "min": self.values[0],
            **percentiles,
            "max": self.values[-1],
        }


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of a split; `None` if there is nothing to measure.

    Attributes:
        words_in: words per input.
        words_out: words per reference.
        spread: the spread of each example that has one (`zs_bench.dataset.spread`).
        undissected: the number of examples whose document was not found in the input.
    """

    words_in: Distribution | None
    words_out: Distribution | None
    spread: Distribution | None
    undissected: int
    published: TaskSize

    def as_json(self) -> dict[str, Any]:
        """The measures as JSON-able data; lengths with the paper's mean."""
        return {
            "words_in": _as_json(self.words_in, self.published.words),
            "words_out": _as_json(self.words_out, self.published.words_out),
            "spread": None if self.spread is None else self.spread.as_json(),
            "undissected": self.undissected,
        }


def measure(task: Task, examples: Iterable[Example]) -> Measures:
    """The measures of the task's examples."""
    words_in: list[int] = []
    words_out: list[int] = []
    undissected = 0
    documents: dict[tuple[int, int], _Document] = {}
    for example in examples:
        words_out += map(count_words, example.references)
        try:
            text = example.document
        except CannotDissect:
            undissected += 1
            words_in.append(count_words(example.input))
            continue
        # Length and hash identify a document without another copy of its text.
        document = documents.setdefault((len(text), hash(text)), _Document([]))
        document.examples.append(example)
        words_in.append(document.words_of_input(example))
    deviations = [one for document in documents.values() for one in _deviations(document.examples)]
    return Measures(
        Distribution.of(words_in),
        Distribution.of(words_out),
        Distribution.of(one for one in deviations if one is not None),
        undissected,
        info(task).size,
    )


@dataclass(slots=True)
class _Document:
    """A document: its examples, and the number of its words once counted."""

    examples: list[Example]
    words: int | None = None

    def words_of_input(self, example: Example) -> int:
        """The number of words of an input; those of a shared document are counted once."""
        if isinstance(example.text, str):
            return count_words(example.text)
        if self.words is None:
            self.words = count_words(example.text.document)
        return count_words(example.query) + self.words


def _deviations(examples: list[Example]) -> list[float | None]:
    """The spreads of examples that share a document."""
    outputs = [outputs_of(example) for example in examples]
    if not any(outputs):
        return []
    found = iter(spreads(examples[0].document, [output for some in outputs for output in some]))
    return [mean_deviation([next(found) for _ in some]) for some in outputs]


def _as_json(words: Distribution | None, published: float | None) -> dict[str, Any] | None:
    return None if words is None else {**words.as_json(), "published_mean": published}


def count_words(text: str) -> int:
    """The number of words of a text.

    >>> count_words("Who — or what — was it?")
    7
    """
    return len(text.split())
