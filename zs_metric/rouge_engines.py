"""The two engines that compute ROUGE: `rouge-score-rs` (Rust) where its wheel exists, Google's `rouge-score` otherwise.

They return the same values to the last bit, which the tests check. `engine().name` says which one runs. Neither needs
NLTK's data, which only `rougeLsum` would.
"""

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
    """The engine of the given package, by default the fastest one installed.

    Args:
        package: one of `ENGINES`.
        stemmer: reduce words to their stems (Porter), which the released evaluator does not do.

    Raises:
        ImportError: if the package is not installed.
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

    # Imported here because it would double the time of `import zs_metric`.
    version = import_module("importlib.metadata").version(package)
    return Engine(f"{package} {version}", getattr(scorer, "score_batch", one_by_one))
