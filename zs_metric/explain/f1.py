"""The explanation of an F1 score: the normalisation step by step, the shared tokens, where to stop.

`exact_match.py` shares the view, the tokens and the parts of a text.
"""

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unidecode import unidecode

from ..f1 import ARTICLE, NORMALIZATION, normalize
from .parts import QUOTES_REFERENCES, Part, best_of, first_characters, first_of, growing_overlap, shared
from .scored import CostlyCharacter, Explainer, ScoredPrediction

#: The most characters whose normalisation is shown, and the most changes of one of its steps.
STEPS_LIMIT, CHANGES_LIMIT = 10_000, 100
#: The most characters of one token that are shown.
TOKEN_LIMIT = 200
_NAMED = re.compile(r"\banswer(?:\s{0,3}:|\s{1,3}is\b\s{0,3}:?)\s{0,9}(?=\S)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")
_WORD = re.compile(r"\S+")
# The steps of the normalisation that do not keep line ends.
_BY_WORD = ("whitespace", "transliteration")


@dataclass(frozen=True, slots=True)
class Step(Part):
    """A step of the normalisation: its name, the text after it, what it removed, and `(before, after)` pairs."""

    name: str
    text: str
    removed: tuple[str, ...]
    replaced: tuple[tuple[str, str], ...]

    @property
    def changes(self) -> list[tuple[str, str | None]]:
        """Its changes as `(before, after)`; `after` is `None` for a removed piece. Removed whitespace is not listed."""
        removed: list[tuple[str, str | None]] = [(piece, None) for piece in self.removed if piece.strip()]
        return [*removed, *self.replaced]


@dataclass(frozen=True, slots=True)
class Token(Part):
    """A token that the scorer compares, and whether the other text has it too."""

    token: str
    shared: bool


@dataclass(frozen=True, slots=True)
class ScoredReference(Part):
    """A reference and the prediction's score against it alone, in points."""

    text: str | None = field(metadata=QUOTES_REFERENCES)
    score: float


@dataclass(frozen=True, slots=True)
class WordsView(Part):
    """The prediction beside its references.

    Attributes:
        steps, reference_steps: the normalisation of the prediction and of the best reference.
        best_reference: the index of the reference it is compared with.
        typography: the typographic characters that cost points.
        lenient_score: points, with typographic characters in ASCII on both sides.
        answer_tokens, reference_tokens: the tokens of both after the last step.
    """

    answer: str
    steps: tuple[Step, ...]
    reference_steps: tuple[Step, ...] = field(metadata=QUOTES_REFERENCES)
    best_reference: int
    references: tuple[ScoredReference, ...]
    typography: tuple[CostlyCharacter, ...]
    lenient_score: float
    answer_tokens: tuple[Token, ...]
    reference_tokens: tuple[Token, ...] = field(metadata=QUOTES_REFERENCES)


@dataclass(frozen=True, slots=True)
class F1View(WordsView):
    """Adds the number of tokens shared with the best reference, and precision and recall in points."""

    shared: int
    precision: float
    recall: float


def _view(scored: ScoredPrediction, omitted: list[str]) -> F1View:
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


def _repairs(scored: ScoredPrediction) -> Iterator[tuple[str, str]]:
    named = named_answer(scored.prediction)
    if named is not None:
        yield "what follows “answer:” alone", named


def _best_stop(scored: ScoredPrediction) -> int | None:
    """The end of the first word after which F1 is highest; `None` if it is higher nowhere."""
    words = list(_WORD.finditer(scored.prediction))
    texts = "\n".join(scored.better_text(word.group()) for word in words)
    late = [name for name in scored.task.metric.steps if name in _BY_WORD]
    early = [name for name in scored.task.metric.steps if name not in late]
    # The words take the first steps together, one per line, which is faster.
    tokens = [normalize(line, late).split() for line in normalize(texts, early).split("\n")]
    references = (tokens_of(scored, scored.better_text(text)) for text in scored.references)
    f1 = best_of(growing_overlap(tokens, reference) for reference in references)
    best = max(f1, default=0)
    return words[f1.index(best)].end() if best > scored.better.score / 100 + 1e-9 else None


def words_fields(
    scored: ScoredPrediction,
    best: int,
    tokens: tuple[Sequence[str], Sequence[str]],
    marks: tuple[Sequence[bool], Sequence[bool]],
    omitted: list[str],
) -> dict[str, Any]:
    """The fields of a `WordsView`.

    Args:
        best: the index of the reference to show.
        tokens: those of the prediction and of that reference.
        marks: whether each token is shared, at least for those that are listed.
    """
    sides = zip(tokens, marks, ("words of the answer", "words of the reference"), strict=True)
    answer_tokens, reference_tokens = (_listed(*side, omitted) for side in sides)
    scores = enumerate(zip(scored.references, scored.result_by_reference(), strict=True), start=1)
    return {
        "answer": first_characters(scored.prediction, "the answer", omitted),
        "steps": _steps(scored, scored.prediction, "the answer", omitted),
        "reference_steps": _steps(scored, scored.references[best], "the best reference", omitted),
        "best_reference": best,
        "references": tuple(
            ScoredReference(first_characters(text, f"reference {i}", omitted), result.score)
            for i, (text, result) in scores
        ),
        "typography": scored.costly_characters(),
        "lenient_score": scored.better.score,
        "answer_tokens": answer_tokens,
        "reference_tokens": reference_tokens,
    }


def tokens_of(scored: ScoredPrediction, text: str) -> list[str]:
    """The tokens that the scorer compares."""
    return normalize(text, scored.task.metric.steps).split()


def named_answer(text: str) -> str | None:
    """What follows "answer:" or "answer is" on its line, or `None`.

    >>> named_answer("Yes. The answer is: 7 days.")
    '7 days.'
    """
    match = _NAMED.search(text)
    return text[match.end() :].partition("\n")[0].strip() if match else None


def first_sentence(text: str) -> str:
    """The text up to the end of its first sentence or line.

    >>> first_sentence("Entailment. The term is 2.5 years.")
    'Entailment'
    """
    return _SENTENCE_END.split(text.strip(), maxsplit=1)[0]


def _listed(tokens: Sequence[str], marks: Sequence[bool], what: str, omitted: list[str]) -> tuple[Token, ...]:
    shown = first_of(tokens, what, omitted)
    if any(len(token) > TOKEN_LIMIT for token in shown):
        omitted.append(f"only the first {TOKEN_LIMIT} characters of long {what} are shown")
    return tuple(Token(token[:TOKEN_LIMIT], mark) for token, mark in zip(shown, marks, strict=False))


def _steps(scored: ScoredPrediction, text: str, whose: str, omitted: list[str]) -> tuple[Step, ...]:
    text = first_characters(text, f"{whose}, step by step,", omitted, STEPS_LIMIT)
    steps = []
    for name in scored.task.metric.steps:
        removed, replaced = CHANGES[name](text)
        text = NORMALIZATION[name](text)
        gone = first_of(removed, f"pieces of {whose} removed ({name})", omitted, CHANGES_LIMIT)
        new = first_of(replaced, f"pieces of {whose} replaced ({name})", omitted, CHANGES_LIMIT)
        steps.append(Step(name, text, gone, new))
    return tuple(steps)


def _replacements(pieces: Sequence[str], replace: Callable[[str], str]) -> list[tuple[str, str]]:
    return [(piece, replace(piece)) for piece in pieces if piece != replace(piece)]


#: What each step of the normalisation does to a text: the pieces it removes, and its replacements, `(before, after)`.
CHANGES: Mapping[str, Callable[[str], tuple[list[str], list[tuple[str, str]]]]] = {
    "lowercase": lambda text: ([], _replacements(text.split(), str.lower)),
    "punctuation": lambda text: ([character for character in text if character in string.punctuation], []),
    "articles": lambda text: (ARTICLE.findall(text), []),
    "whitespace": lambda text: (re.findall(r"^\s+|\s+$|\s{2,}|[^\S ]", text), []),
    "transliteration": lambda text: ([], _replacements(re.findall(r"[^\x00-\x7f]", text), unidecode)),
}

EXPLAINER = Explainer(view=_view, repairs=_repairs, best_stop=_best_stop, tokens=tokens_of)
