"""A prediction scored officially and leniently as to typography, and what each metric adds to explain it.

The lenient scoring writes typographic characters in ASCII (`parts.py`), in the prediction *and* in its references,
before the official scorer sees them. It counts only where it is higher, and never enters the score.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from ..errors import UnreadableReference
from ..results import ExampleResult
from ..tasks import Task
from .parts import QUOTES_REFERENCES, M, Part, ascii_form, first_characters, to_ascii, typographic

#: The most different typographic characters that are listed.
CHARACTERS_LIMIT = 40


@dataclass(frozen=True, slots=True)
class ScoredPrediction:
    """A prediction with its official result, and with its lenient result if the score of that is higher."""

    task: Task
    prediction: str
    references: Sequence[str]
    result: ExampleResult
    lenient: ExampleResult | None
    _scores: dict[str, float] = field(default_factory=dict, repr=False)

    @property
    def explainer(self) -> "Explainer":
        """The explainer of the task's metric."""
        return explainer_of(self.task.metric.name)

    @property
    def better(self) -> ExampleResult:
        """The lenient result if its score is higher, else the official one."""
        return self.lenient or self.result

    def better_text(self, text: str) -> str:
        """Return the text as scored for the better result."""
        return to_ascii(text) if self.lenient else text

    def better_scores(self, predictions: Sequence[str]) -> list[float]:
        """Return the scores of other predictions, in points, leniently if that is how the better result was scored."""
        if self.lenient is None:
            return self.official_scores(predictions)
        references = [list(map(to_ascii, self.references))] * len(predictions)
        return [result.score for result in self.task.metric.score_all(list(map(to_ascii, predictions)), references)]

    def official_scores(self, predictions: Iterable[str]) -> list[float]:
        """Return the official scores of other predictions, in points; each is scored once."""
        listed = list(predictions)
        scores = self._scores
        scores.setdefault(self.prediction, self.result.score)
        new = [text for text in dict.fromkeys(listed) if text not in scores]
        if new:
            results = self.task.metric.score_all(new, [self.references] * len(new))
            scores.update((text, result.score) for text, result in zip(new, results, strict=True))
        return [scores[text] for text in listed]

    def with_score(self, meant: M) -> M:
        """Return what was meant, with the official score of its `answer`."""
        return replace(meant, score=self.official_scores([meant.answer])[0])

    def result_by_reference(self) -> list[ExampleResult]:
        """Return the official result against each reference alone."""
        if len(self.references) == 1:
            return [self.result]
        return self.task.metric.score_all(
            [self.prediction] * len(self.references), [[text] for text in self.references]
        )

    def typographic_characters(self) -> "tuple[TypographicCharacter, ...]":
        """Return the typographic characters of both sides, if writing them in ASCII scores more."""
        if self.lenient is None:
            return ()
        in_answer, in_references = typographic(self.prediction), typographic("".join(self.references))
        return tuple(
            TypographicCharacter(
                character=character,
                name=unicodedata.name(character, f"U+{ord(character):04X}").lower(),
                ascii=ascii_form(character),
                in_answer=in_answer[character],
                in_references=in_references[character],
            )
            for character in [*dict.fromkeys([*in_answer, *in_references])][:CHARACTERS_LIMIT]
        )


@dataclass(frozen=True, slots=True)
class TypographicCharacter(Part):
    """A typographic character: its Unicode name in lowercase, its ASCII form, and how often it occurs on each side."""

    character: str
    name: str
    ascii: str
    in_answer: int
    in_references: int

    @property
    def only_in_references(self) -> bool:
        """Whether the prediction does not contain it."""
        return not self.in_answer


def score_predictions(
    task: Task,
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    results: Sequence[ExampleResult] | None = None,
) -> list[ScoredPrediction]:
    """Score a task's predictions, cleaned texts, officially and leniently.

    Args:
        results: the official results, if they are known already.

    Raises:
        UnreadableReference: with the position.
    """
    if results is None:
        results = task.metric.score_all(predictions, references)
    lenient = _lenient_results(task, predictions, references, results)
    rows = enumerate(zip(predictions, references, results, strict=True))
    return [ScoredPrediction(task, *row, lenient.get(i)) for i, row in rows]


def _lenient_results(
    task: Task, predictions: Sequence[str], references: Sequence[Sequence[str]], results: Sequence[ExampleResult]
) -> dict[int, ExampleResult]:
    """Return the lenient results with a higher score than the official ones, by position."""
    changed = {}
    for i, result in enumerate(results):
        if result.parsed is not None and result.score < 100:
            texts = to_ascii(predictions[i]), list(map(to_ascii, references[i]))
            if texts != (predictions[i], list(references[i])):
                changed[i] = texts
    lenient = _score_readable(task, list(changed.values()))
    return {i: new for i, new in zip(changed, lenient, strict=True) if new and new.score > results[i].score}


def _score_readable(task: Task, pairs: Sequence[tuple[str, list[str]]]) -> Iterable[ExampleResult | None]:
    """Return the results of the pairs, in one call; `None` where a reference has become unreadable in ASCII."""
    if not pairs:
        return []
    try:
        return task.metric.score_all(*zip(*pairs, strict=True))
    except UnreadableReference:
        return [None] if len(pairs) == 1 else [result for pair in pairs for result in _score_readable(task, [pair])]


@dataclass(frozen=True, slots=True)
class PlainView(Part):
    """The view of a metric without its own: the prediction (`answer`) and its references."""

    answer: str
    references: tuple[str, ...] = field(metadata=QUOTES_REFERENCES)


def plain_view(scored: ScoredPrediction, omitted: list[str]) -> Part:
    """Return the prediction and its references."""
    references = (first_characters(text, f"reference {i}", omitted) for i, text in enumerate(scored.references, 1))
    return PlainView(first_characters(scored.prediction, "the answer", omitted), tuple(references))


@dataclass(frozen=True, slots=True)
class Explainer:
    """How the predictions of one metric are explained. The defaults serve a metric without its own module.

    Attributes:
        view: makes the metric's view; sentences about what it leaves out are added to the list.
        repairs: other predictions to try, as pairs of the change and the text.
        cause: the cause that takes the whole loss of a prediction, `None` if there is none (`loss_breakdown.py`).
        split: splits the points that are lost in the better of the two scorings into causes.
        form: the form that the prompt asks for, in words; `None` for a metric of free text.
        stops: the offsets at which a prediction might have stopped.
    """

    view: Callable[[ScoredPrediction, list[str]], Part] = plain_view
    repairs: Callable[[ScoredPrediction], Iterable[tuple[str, str]]] = lambda _: ()
    cause: Callable[[ScoredPrediction], str | None] = lambda _: None
    split: Callable[[ScoredPrediction, float], Mapping[str, float]] = lambda _, lost: {"not explained": lost}
    form: str | None = None
    is_in_form: Callable[[str], bool] = lambda _: True
    stops: Callable[[str], list[int]] = lambda _: []


@cache
def explainer_of(metric: str) -> Explainer:
    """Return the `EXPLAINER` of the module named after the metric; the defaults if there is none."""
    name = f"{__package__}.{metric}"
    explainer: Explainer = import_module(name).EXPLAINER if find_spec(name) else Explainer()
    return explainer
