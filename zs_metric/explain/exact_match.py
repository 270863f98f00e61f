"""The explanation of exact match: both texts normalised, the words in which they differ, parts that do match."""

import re
from collections.abc import Iterator

from ..accuracy import is_letter_alone
from ..f1 import score_f1
from .f1 import WordsView, first_sentence, named_answer, tokens_of, words_fields
from .parts import LIST_LIMIT, TEXT_LIMIT, shared_in_order, to_ascii
from .scored import Explainer, ScoredPrediction

_LETTER_BEFORE = re.compile(r"\W{0,4}[A-D]\s?[).:\]]\W{0,4}(?=\w)")
_CLAUSE_END = re.compile(r"[,;:(\[]|\s[-–—]+\s|—")


def _view(scored: ScoredPrediction, omitted: list[str]) -> WordsView:
    """Return the view; the shared words are a longest common subsequence, the others are the difference."""
    best = _nearest_reference(scored)
    tokens = tokens_of(scored, scored.prediction), tokens_of(scored, scored.references[best])
    marks = shared_in_order(*(listed[:LIST_LIMIT] for listed in tokens)) or ([], [])
    return WordsView(**words_fields(scored, best, tokens, marks, omitted))


def _cause(scored: ScoredPrediction) -> str | None:
    """Misread is an option's letter, and a prediction of which a part alone would score 100."""
    misread = is_letter_alone(scored.prediction) or 100 in scored.official_scores(text for _, text in _repairs(scored))
    return "misread" if misread else None


def _repairs(scored: ScoredPrediction) -> Iterator[tuple[str, str]]:
    """Yield non-empty proper parts of the prediction, as written and with typographic characters in ASCII."""
    text = scored.prediction[:TEXT_LIMIT]
    for whole in dict.fromkeys((text, to_ascii(text))):
        for change, part in _parts(whole):
            if tokens_of(scored, part) not in ([], tokens_of(scored, whole)):
                yield change, part.strip()


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Each beginning of a text: all of it, its first sentence and its first clause."""
    for which, words in _beginnings(text):
        yield which, words
        yield f"the first sentence of {which}", first_sentence(words)
        yield f"the first clause of {which}", _CLAUSE_END.split(first_sentence(words), maxsplit=1)[0]


def _beginnings(text: str) -> Iterator[tuple[str, str]]:
    for which, words in (("the answer", text), ("what follows “answer:”", named_answer(text) or "")):
        yield which, words
        letter = _LETTER_BEFORE.match(words)
        if letter:
            yield f"{which} without the option's letter", words[letter.end() :]


def _nearest_reference(scored: ScoredPrediction) -> int:
    """Return the reference that the prediction equals; if there is none, the first with the highest F1."""
    if scored.result.score or len(scored.references) == 1:
        return scored.result.best_reference or 0
    return score_f1(scored.prediction, scored.references, steps=scored.task.metric.steps).best_reference or 0


EXPLAINER = Explainer(view=_view, repairs=_repairs, cause=_cause, split=lambda _, lost: {"other text": lost})
