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
from zs_bench.tasks import info
from zs_metric.tasks import Task

_PERCENTILES = {"p5": 5, "p25": 25, "median": 50, "p75": 75, "p95": 95}


def measure(task: Task, examples: Iterable[Example]) -> dict[str, Any]:
    """The measures of the task's examples as JSON-able data.

    `words_in` (words per input), `words_out` (words per reference) and `spread` (of each example that has one, see
    `zs_bench.dataset.spread`) are distributions, `None` if there is nothing to measure; the first two with the paper's
    `published_mean`. `undissected` counts the examples whose document was not found in the input.
    """
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
    published = info(task).size
    return {
        "words_in": distribution(words_in, published_mean=published.words),
        "words_out": distribution(words_out, published_mean=published.words_out),
        "spread": distribution(one for one in deviations if one is not None),
        "undissected": undissected,
    }


def distribution(values: Iterable[float], **more: float | None) -> dict[str, Any] | None:
    """Count, mean, smallest, some percentiles (interpolated linearly) and largest; `None` if there are no values.

    >>> distribution([4, 1, 3])["median"]
    3.0
    """
    ordered = sorted(values)
    if not ordered:
        return None
    percentiles = {name: float(np.percentile(ordered, share)) for name, share in _PERCENTILES.items()}
    ends = {"count": len(ordered), "mean": fmean(ordered), "min": ordered[0]}
    return {**ends, **percentiles, "max": ordered[-1], **more}


@dataclass(slots=True)
class _Document:
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
    outputs = [outputs_of(example) for example in examples]
    if not any(outputs):
        return []
    found = iter(spreads(examples[0].document, [output for some in outputs for output in some]))
    return [mean_deviation([next(found) for _ in some]) for some in outputs]


def count_words(text: str) -> int:
    """The number of words of a text.

    >>> count_words("Who — or what — was it?")
    7
    """
    return len(text.split())
