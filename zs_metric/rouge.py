"""ROUGE of a summary (ZeroSCROLLS section 3.3; GovReport, SummScreenFD, QMSum, SQuALITY).

Tokens are those of Google's `rouge_score`: lowercase, separated by any characters outside `[a-z0-9]`; no stemming.
Order of operations:

1. per prediction and ROUGE type (1, 2, L): the highest F-measure over the references (the best can differ by type);
2. per type: the mean over the predictions;
3. the geometric mean of the three means.

That is `rouge_aggregation="corpus"`, the released evaluator and every published number. `"instance"`, the wording of
section 3.3, takes the geometric mean per prediction and then the mean over the predictions, which is another number.

Two engines compute it: `rouge-score-rs` (Rust) where its wheel exists, Google's `rouge-score` otherwise. They return
the same values to the last bit, which the tests check.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any, NamedTuple

from .results import ExampleResult, RougeType
from .version import installed_version

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL")
ENGINES = ("rouge-score-rs", "rouge-score")

# The scores of one pair: ROUGE type to an object with precision, recall and fmeasure, as fractions.
PairScores = Mapping[str, Any]


class Engine(NamedTuple):
    """A way to compute ROUGE for many pairs: `score_pairs(references, predictions)`, equally long lists of texts."""

    name: str
    score_pairs: Callable[[Sequence[str], Sequence[str]], list[PairScores]]


@cache
def engine(package: str | None = None, *, stemmer: bool = False, types: tuple[str, ...] = ROUGE_TYPES) -> Engine:
    """Return the engine of a package of `ENGINES`, by default the fastest one installed; ImportError if it is not.

    `stemmer` reduces words to their stems (Porter), and `types` may have `rougeLsum`; official scores have neither.
    """
    if package is None:
        try:
            return engine(ENGINES[0], stemmer=stemmer, types=types)
        except ImportError:
            return engine(ENGINES[1], stemmer=stemmer, types=types)
    module = import_module(f"{package.replace('-', '_')}.rouge_scorer")
    scorer = module.RougeScorer(list(types), use_stemmer=stemmer)
    version = installed_version(package, package.replace("-", "_"))
    if hasattr(scorer, "score_batch"):
        return Engine(f"{package} {version}", scorer.score_batch)
    return Engine(f"{package} {version}", lambda references, texts: list(map(scorer.score, references, texts)))


# A token in the original text. U+0130 and U+212A are the two characters outside ASCII whose lowercase has an ASCII
# letter; that of U+0130 has a combining dot after it, which ends the token.
_TOKEN = re.compile("[A-Za-z0-9\u212a]+\u0130?|\u0130")


def score_rouge(
    predictions: Sequence[str], references: Sequence[Sequence[str]], *, stemmer: bool = False
) -> list[ExampleResult]:
    """ROUGE of each prediction, in one call of the engine: per type the best reference, and their geometric mean.

    Official scores never use the stemmer.

    >>> round(score_rouge(["hello there"], [["hello", "hi there"]])[0].rouge["rouge1"].fmeasure, 4)
    66.6667
    """
    pairs = engine(stemmer=stemmer).score_pairs(
        [text for texts in references for text in texts],
        [prediction for prediction, texts in zip(predictions, references, strict=True) for _ in texts],
    )
    results, next_pairs = [], iter(pairs)
    for prediction, texts in zip(predictions, references, strict=True):
        of_prediction = list(islice(next_pairs, len(texts)))
        best = {name: _best(name, of_prediction) for name in ROUGE_TYPES}
        score = geometric_mean(*(part.fmeasure for part in best.values()))
        parsed = prediction if _TOKEN.search(prediction) else None
        reason = None if score else _why_nothing(parsed, prediction, best)
        results.append(ExampleResult(score, parsed, reason, parts=best))
    return results


def tokens(text: str) -> list[tuple[str, int, int]]:
    """Return the tokens, each with its start and end in the text.

    >>> tokens("naïve Bayes")
    [('na', 0, 2), ('ve', 3, 5), ('bayes', 6, 11)]
    """
    return [(match.group().lower().rstrip("\u0307"), *match.span()) for match in _TOKEN.finditer(text)]


def words_in(text: str) -> int:
    """Return the number of tokens in the text.

    >>> words_in("naïve Bayes"), words_in("会")
    (3, 0)
    """
    return sum(1 for _ in _TOKEN.finditer(text))


def geometric_mean(rouge1: float, rouge2: float, rouge_l: float) -> float:
    """Return the geometric mean of three scores in points, in points."""
    return 100 * math.pow((rouge1 / 100) * (rouge2 / 100) * (rouge_l / 100), 1 / 3)


def aggregate_rouge(examples: Sequence[ExampleResult]) -> dict[str, float]:
    """Return the means per type, their geometric mean, and the mean of the predictions' geometric means, in points.

    Keys: `rouge/rouge1`, `rouge/rouge2`, `rouge/rougeL`, `rouge/geometric_mean`, `rouge/geometric_mean_instance`.
    """
    parts = [rouge for example in examples if (rouge := example.rouge) is not None]
    means = {f"rouge/{name}": math.fsum(part[name].fmeasure for part in parts) / len(parts) for name in ROUGE_TYPES}
    means["rouge/geometric_mean"] = geometric_mean(*means.values())
    means["rouge/geometric_mean_instance"] = math.fsum(example.score for example in examples) / len(examples)
    return means


def _best(name: str, pairs: Sequence[PairScores]) -> RougeType:
    index = max(range(len(pairs)), key=lambda i: pairs[i][name].fmeasure) if len(pairs) > 1 else 0
    part = pairs[index][name]
    return RougeType(100 * part.precision, 100 * part.recall, 100 * part.fmeasure, index)


def _why_nothing(parsed: str | None, prediction: str, best: dict[str, RougeType]) -> str:
    if not prediction.strip():
        return "the answer is empty"
    if parsed is None:
        return "no word in the answer (ROUGE reads the letters a to z and digits only)"
    if not best["rouge1"].fmeasure:
        return "no word in common with any reference"
    return "no two neighbouring words in common with any reference, so ROUGE-2 and the geometric mean are 0"
