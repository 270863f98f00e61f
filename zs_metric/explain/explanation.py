"""A scored prediction and what explains its score: what was read, what was lost to what, what would score more.

A metric's module derives its own class. The lenient scoring writes typographic characters in ASCII (`parts.py`), in the
prediction *and* in its references, before the official scorer sees them. It counts only where it is higher, and never
enters the score.
"""

import re
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, TypeVar

from ..errors import UnreadableReference
from ..metrics import NamedMetric
from ..results import ExampleResult, finite
from ..thinking import is_unfinished_thinking
from .loss_breakdown import CAUSES, Losses
from .parts import LIST_LIMIT, QUOTES_REFERENCES, TEXT_LIMIT, HumanReading, Part, plain, to_ascii

#: The most places to stop that are tried.
STOPS_LIMIT = 100
#: The change that leaves out all but the words of a reference.
QUOTED = "the words of a reference alone"
_ORDER = {cause: place for place, cause in enumerate(CAUSES)}.__getitem__
_ROUNDING = 1e-9  # smaller differences are rounding errors
_LAST_WORDS, _LAST_CHARACTERS = 5, 60
# On which side of the prediction's percentage a reference lies: with the distance that is the reference.
_SIDES = dict.fromkeys(("too high", "too low"), "wrong percentage")

T = TypeVar("T")
M = TypeVar("M", bound=HumanReading)


@dataclass(frozen=True, slots=True)
class WhatIf(Part):
    """Another prediction that would have scored more: the change, the text, and the official score in points."""

    change: str
    answer: str
    score: float


@dataclass(frozen=True, slots=True)
class Stop(Part):
    """Where the prediction should have stopped: the number of its characters, and the last words, up to there.

    `score` is the better of the two scores of the prediction up to there, in points.
    """

    offset: int
    words: str
    score: float


@dataclass(frozen=True, slots=True)
class PlainView(Part):
    """The view of a metric without its own: the prediction (`answer`), its references, and by title what `Metric.parts`
    names, in points.
    """

    answer: str
    references: tuple[str, ...] = field(metadata=QUOTES_REFERENCES)
    parts: dict[str, float] = field(default_factory=dict)


@dataclass
class Explanation:
    """Why a prediction has its score. All scores are points, all offsets count characters of the prediction.

    Attributes:
        result: what the metric returns.
        better: the lenient result if its score is higher, else the official one.
        losses: the lost points by cause, in the order of `CAUSES`; they add up to 100 minus the score.
        omitted: sentences about what was cut from a huge text or list in the what-ifs, the view and `parsed`.
        with_references: whether it quotes the references.
    """

    #: The form that the prompt asks for, in words; `None` for a metric of free text.
    form: ClassVar[str | None] = None
    #: After this text the reason quotes the references; for a metric whose what-ifs are made from the prediction alone.
    reason_quotes_after: ClassVar[str | None] = None
    #: The pieces of a prediction after any of which it might have stopped.
    pieces: ClassVar[re.Pattern[str] | None] = None

    task: NamedMetric
    prediction: str
    references: Sequence[str]
    result: ExampleResult
    better: ExampleResult = field(init=False)
    losses: Losses = field(init=False)
    omitted: list[str] = field(default_factory=list, compare=False, repr=False)
    with_references: bool = True
    _scores: dict[str, float] = field(default_factory=dict, compare=False, repr=False)

    # What a metric's class overrides. As it is here, it serves a metric without a class.

    def details(self) -> Part:
        """Return the view: the details that the metric shows."""
        references = (self.shown(text, f"reference {i}") for i, text in enumerate(self.references, 1))
        points = {title: self.result.points(part) for part, title in self.task.metric.parts.items()}
        parts = {title: value for title, value in points.items() if value is not None}
        return PlainView(self.shown(self.prediction, "the answer"), tuple(references), parts)

    def repairs(self) -> Iterable[tuple[str, str]]:
        """Return other predictions to try, as pairs of the change and the text."""
        return ()

    def cause(self) -> str | None:
        """Return the cause that takes the whole loss (`loss_breakdown.py`), or `None`."""
        return None

    def split(self, lost: float) -> Losses:
        """Return the points that are lost in the better of the two scorings, by cause."""
        return {"not explained": lost}

    def best(self) -> int:
        """Return the index of the reference to compare with."""
        return self.result.best_reference or 0

    @property
    def in_format(self) -> bool | None:
        """Whether the prediction could be read, has the `form` and is nothing else; `None` if there is no form."""
        return None

    @property
    def parsed(self) -> Any:
        """What was read, as JSON-able data of bounded size."""
        parsed = self.result.parsed
        return self.shown(parsed, "what was read") if isinstance(parsed, str) else finite(parsed)

    @cached_property
    def sentence(self) -> str | None:
        """What of the best reference the prediction holds, in a sentence (F1, ROUGE); it quotes no text."""
        return None

    # What is the same for all metrics.

    def __post_init__(self) -> None:
        self.better = self._better_result()
        lost, left = 100 - self.score, 100 - self.better.score
        if is_unfinished_thinking(self.prediction):
            losses = {"unfinished thinking": lost}
        elif len(self.prediction) <= TEXT_LIMIT and lost and (cause := self.cause()):
            losses = {cause: lost}
        elif self.result.parsed is None:
            losses = {"nothing read": lost}
        elif len(self.prediction) > TEXT_LIMIT:
            losses = {"not explained": lost}
        else:
            losses = {"typography": lost - left, **self.split(left)}
        self.losses = {cause: losses[cause] for cause in sorted(losses, key=_ORDER) if losses[cause] > _ROUNDING}

    def _better_result(self) -> ExampleResult:
        texts = self.prediction, *self.references
        if self.result.parsed is None or self.score >= 100 or all(map(str.isascii, texts)):
            return self.result
        prediction, *references = map(to_ascii, texts)
        try:
            (lenient,) = self.task.metric.score_all([prediction], [references])
        except UnreadableReference:  # in ASCII
            return self.result
        return lenient if lenient.score > self.score else self.result

    @property
    def score(self) -> float:
        """The official score in points."""
        return self.result.score

    @property
    def reason(self) -> str | None:
        """What lowered the score or what is odd about it, in a short sentence; `None` if nothing is."""
        return self.result.reason

    @property
    def is_lenient(self) -> bool:
        """Whether typographic characters cost points."""
        return self.better.score > self.score

    @cached_property
    def stop(self) -> Stop | None:
        """Where stopping, after one of the first `STOPS_LIMIT` pieces, would have scored most; `None` if not more."""
        if not self.pieces or not self.better.score or "words too many" not in self.losses:
            return None
        ends = islice(self.pieces.finditer(self.prediction.rstrip()), STOPS_LIMIT)
        texts = [self.prediction[: match.end()] for match in ends]
        if self.is_lenient:
            in_ascii = list(map(to_ascii, texts)), [list(map(to_ascii, self.references))] * len(texts)
            scores = [result.score for result in self.task.metric.score_all(*in_ascii)]
        else:
            scores = self.official_scores(texts)
        score = max(scores)
        text = texts[scores.index(score)]
        cut = "… " if len(text.split()) > _LAST_WORDS else ""
        words = cut + " ".join(text[-_LAST_CHARACTERS:].split()[-_LAST_WORDS:])
        return Stop(len(text), words, score) if score > self.better.score + _ROUNDING else None

    @cached_property
    def what_if(self) -> tuple[WhatIf, ...]:
        """Other predictions that would have scored more, the best first; they never enter the score."""
        if len(self.prediction) > TEXT_LIMIT:
            self.note(f"no repair is tried on a prediction of more than {TEXT_LIMIT:,} characters")
            return ()
        changes = {to_ascii(self.prediction): "typographic characters written in ASCII"}
        for change, text in self.repairs():
            changes.setdefault(text, change)
        if self.stop:
            changes.setdefault(self.prediction[: self.stop.offset].strip(), f"the answer up to “{self.stop.words}”")
        rows = zip(changes.items(), self.official_scores(changes), strict=True)
        better = [WhatIf(change, text, score) for (text, change), score in rows if score > self.score]
        return tuple(sorted(better, key=lambda what_if: -what_if.score))

    @cached_property
    def view(self) -> Part:
        """The details that the metric shows, a dataclass of the metric's module."""
        return self.details()

    def as_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON-able data."""
        return {
            "task": self.task.name,
            "metric": self.task.metric.name,
            "score": self.score,
            "parsed": plain(self.parsed),
            "reason": self.reason,
            "losses": dict(self.losses),
            "sentence": self.sentence,
            "stop": plain(self.stop),
            "what_if": plain(self.what_if),
            "view": {**self.view.as_dict(), "omitted": [*self.omitted]},
        }

    def without_references(self) -> "Explanation":
        """Return the explanation for a published report: it quotes no text, letter, percentage or id of a reference.

        The score and the marks on the prediction's words stay: they reveal which words a reference has.
        """
        reason, what_ifs = self.reason, self.what_if
        if not self.reason_quotes_after:
            own = self.prediction, to_ascii(self.prediction)
            made = (what_if for what_if in what_ifs if what_if.change != QUOTED)
            what_ifs = tuple(what_if for what_if in made if any(what_if.answer in text for text in own))
        elif reason:
            reason = reason.partition(self.reason_quotes_after)[0]
        published = copy(self)
        published.stop, published.sentence = self.stop, self.sentence
        published.references, published.with_references = (), False
        published.result, published.better = replace(self.result, reason=reason), replace(self.better, reason=reason)
        published.losses = {_SIDES.get(cause, cause): lost for cause, lost in self.losses.items()}
        published.what_if, published.view = what_ifs, self.view.without_references()
        return published

    # What the metrics' classes use.

    def better_text(self, text: str) -> str:
        """Return the text as scored for the better result."""
        return to_ascii(text) if self.is_lenient else text

    def official_scores(self, predictions: Iterable[str]) -> list[float]:
        """Return the official scores of other predictions, in points; each is scored once."""
        listed, scores = list(predictions), self._scores
        scores.setdefault(self.prediction, self.score)
        new = [text for text in dict.fromkeys(listed) if text not in scores]
        if new:
            results = self.task.metric.score_all(new, [self.references] * len(new))
            scores.update((text, result.score) for text, result in zip(new, results, strict=True))
        return [scores[text] for text in listed]

    def with_score(self, meant: M | None) -> M | None:
        """Return what was meant, with the official score of its `answer`."""
        return meant and replace(meant, score=self.official_scores([meant.answer])[0])

    def result_by_reference(self) -> list[ExampleResult]:
        """Return the official result against each reference alone."""
        if len(self.references) == 1:
            return [self.result]
        predictions = [self.prediction] * len(self.references)
        return self.task.metric.score_all(predictions, [[text] for text in self.references])

    def note(self, omitted: str) -> None:
        """Add a sentence about what is omitted, once."""
        if omitted not in self.omitted:
            self.omitted.append(omitted)

    def shown(self, text: str, what: str) -> str:
        """Return the text, cut at `TEXT_LIMIT`."""
        if len(text) > TEXT_LIMIT:
            self.note(f"only the first {TEXT_LIMIT:,} of {len(text):,} characters of {what} are shown")
        return text[:TEXT_LIMIT]

    def listed(self, items: Sequence[T], what: str, limit: int = LIST_LIMIT) -> tuple[T, ...]:
        """Return the items, cut at the limit."""
        if len(items) > limit:
            self.note(f"only the first {limit:,} of {len(items):,} {what} are listed")
        return tuple(items[:limit])
