"""The explanation of an F1 score: the normalisation step by step, the shared tokens, where to stop."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..f1 import normalize
from .parts import best_of, growing_overlap, shared
from .scored import Explainer, ScoredPrediction
from .words import WordsView, named_answer, tokens_of, words_fields

_WORD = re.compile(r"\S+")
# The steps of the normalisation that do not keep line ends.
_BY_WORD = ("whitespace", "transliteration")


@dataclass(frozen=True, slots=True)
class F1View(WordsView):
    """The prediction beside its references.

    Attributes:
        shared: the number of tokens shared with the best reference.
        precision, recall: points.
    """

    shared: int
    precision: float
    recall: float


def view(scored: ScoredPrediction, omitted: list[str]) -> F1View:
    """The view; it shows the reference that gave the score."""
    best = scored.result.best_reference or 0
    answer, reference = tokens_of(scored, scored.prediction), tokens_of(scored, scored.references[best])
    marks = shared(answer, reference)
    return F1View(
        **words_fields(scored, best, (answer, reference), marks, omitted),
        shared=sum(marks[0]),
        precision=scored.result.precision or 0.0,
        recall=scored.result.recall or 0.0,
    )


def repairs(scored: ScoredPrediction) -> Iterator[tuple[str, str]]:
    """What could have been written instead: (the change, the text)."""
    named = named_answer(scored.prediction)
    if named is not None:
        yield "what follows “answer:” alone", named


def best_stop(scored: ScoredPrediction) -> int | None:
    """The end of the first word after which F1 is highest; `None` if it is higher nowhere."""
    words = list(_WORD.finditer(scored.prediction))
    tokens = _tokens_by_word(scored, [scored.better_text(word.group()) for word in words])
    references = (tokens_of(scored, scored.better_text(text)) for text in scored.references)
    f1 = best_of(growing_overlap(tokens, reference) for reference in references)
    best = max(f1, default=0)
    return words[f1.index(best)].end() if best > scored.better.score / 100 + 1e-9 else None


def _tokens_by_word(scored: ScoredPrediction, words: Sequence[str]) -> list[list[str]]:
    """The tokens of each word; the words take the first steps together, one per line, which is faster."""
    late = [name for name in scored.task.metric.steps if name in _BY_WORD]
    early = [name for name in scored.task.metric.steps if name not in late]
    return [normalize(line, late).split() for line in normalize("\n".join(words), early).split("\n")]


EXPLAINER = Explainer(view=view, repairs=repairs, best_stop=best_stop, tokens=tokens_of)
