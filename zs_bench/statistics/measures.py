"""A split in words: how long its inputs and outputs are, and how far its outputs are spread over the documents.

Several rows may ask about one document (NarrativeQA's train split: 55,003 rows, some 1,100 books). Its words are
counted once, and the bigrams of all its outputs are looked for in one pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zs_bench.catalog import SIZES, TaskSize
from zs_bench.prompting.dissect import CannotDissect
from zs_bench.sources.rows import Example
from zs_bench.statistics.distribution import Distribution
from zs_bench.statistics.lengths import count_words, count_words_around
from zs_bench.statistics.spread import mean_deviation, outputs_of, spreads

# A document's length and hash: the documents themselves would be held a second time.
_Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Measures:
    """A split in words; `None` where there is nothing to measure.

    Attributes:
        words_in: of the inputs, one for each example.
        words_out: of the outputs, one for each reference.
        spread: one for each example that has one (`zs_bench.statistics.spread`).
        undissected: examples whose document is not to be found in the input; they have no spread.
        published: what the paper says of the task; `None` when it does not average it.
    """

    words_in: Distribution | None
    words_out: Distribution | None
    spread: Distribution | None
    undissected: int
    published: TaskSize | None

    def as_json(self) -> dict[str, Any]:
        """The measures as JSON-able data: each a distribution, with the paper's average where it has one."""
        size = self.published
        return {
            "words_in": _as_json(self.words_in, None if size is None else size.words),
            "words_out": _as_json(self.words_out, None if size is None else size.words_out),
            "spread": None if self.spread is None else self.spread.as_json(),
            "undissected": self.undissected,
        }


def measure(task: str, examples: Iterable[Example], benchmark: str = "zero_scrolls") -> Measures:
    """The measures of the task's examples."""
    seen = _Documents()
    words_in = [seen.add(example) for example in examples]
    words_out = [count_words(output) for output in seen.outputs]
    return Measures(
        Distribution.of(words_in),
        Distribution.of(words_out),
        Distribution.of(seen.deviations()),
        seen.undissected,
        SIZES[benchmark].get(task),
    )


class _Documents:
    """The documents met so far, with who asks about them."""

    def __init__(self) -> None:
        self.words: dict[_Key, int] = {}
        self.examples: dict[_Key, list[Example]] = {}
        self.outputs: list[str] = []
        self.undissected = 0

    def add(self, example: Example) -> int:
        """Take note of the example; the words of its input."""
        self.outputs += example.references
        try:
            document = example.document
        except CannotDissect:
            self.undissected += 1
            return count_words(example.input)
        key = len(document), hash(document)
        if key not in self.words:
            self.words[key] = count_words(document)
        self.examples.setdefault(key, []).append(example)
        return count_words_around(example.input, document, self.words[key])

    def deviations(self) -> list[float]:
        """The examples' spreads, of those that have one, document by document."""
        found = [deviation for examples in self.examples.values() for deviation in _deviations(examples)]
        return [deviation for deviation in found if deviation is not None]


def _deviations(examples: list[Example]) -> list[float | None]:
    """The spreads of examples that share a document."""
    outputs = [outputs_of(example) for example in examples]
    if not any(outputs):
        return []
    found = iter(spreads(examples[0].document, [output for some in outputs for output in some]))
    return [mean_deviation([next(found) for _ in some]) for some in outputs]


def _as_json(words: Distribution | None, published: float | None) -> dict[str, Any] | None:
    return None if words is None else {**words.as_json(), "published_mean": published}
