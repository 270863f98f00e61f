"""The two engines that compute ROUGE: `rouge-score-rs` (Rust) where its wheel exists, Google's `rouge-score` otherwise.

They return the same values to the last bit; the tests hold them to it. Which one runs is visible: `engine().name`.
Neither needs NLTK's data, since no `rougeLsum` is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL")
ENGINES = ("rouge-score-rs", "rouge-score")

# The scores of one pair: ROUGE type to an object with precision, recall and fmeasure, as fractions.
PairScores = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to compute ROUGE for many pairs: `score_pairs(references, predictions)`, equally long lists of texts."""

    name: str
    score_pairs: Callable[[Sequence[str], Sequence[str]], list[PairScores]]


@cache
def engine(package: str | None = None, *, stemmer: bool = False) -> Engine:
    """The engine of that package; without a name the fastest one installed.

    Args:
        package: one of `ENGINES`.
        stemmer: reduce words to their stems (Porter). The released evaluator does not; other implementations do.

    Raises:
        ImportError: when it is not installed (it is in requirements.txt).
    """
    if package is None:
        try:
            return engine(ENGINES[0], stemmer=stemmer)
        except ImportError:
            return engine(ENGINES[1], stemmer=stemmer)
    module = import_module(f"{package.replace('-', '_')}.rouge_scorer")
    scorer = module.RougeScorer(list(ROUGE_TYPES), use_stemmer=stemmer)

    def one_by_one(references: Sequence[str], predictions: Sequence[str]) -> list[PairScores]:
        return list(map(scorer.score, references, predictions))

    # Imported here: it takes as long as all else that `import zs_metric` does.
    version = import_module("importlib.metadata").version(package)
    return Engine(f"{package} {version}", getattr(scorer, "score_batch", one_by_one))
