"""Why this score: what the scorer read, where the points went, what would have scored more. For diagnosis only.

>>> explain("quality", "A good answer is B", ["B"]).losses
{'misread': 100.0}
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..errors import UnreadableReference
from ..results import ExampleResult, finite
from ..tasks import Benchmark, Task, find_task
from ..texts import clean_references, clean_text
from .concordance_index import listed_ids
from .f1 import QUOTED
from .loss_breakdown import (
    CAUSES,
    ExampleLosses,
    Losses,
    Stop,
    TaskLosses,
    best_stop,
    break_down,
    ledger,
    losses_of_task,
)
from .parts import TEXT_LIMIT, Part, first_characters, plain, to_ascii
from .scored import ScoredPrediction, score_predictions

__all__ = ["CAUSES", "ExampleLosses", "Explanation", "Losses", "TaskLosses", "WhatIf", "explain", "losses_of_task"]


# On which side of the prediction's percentage a reference lies: with the distance that is the reference.
_SIDES = ("too high", "too low")


@dataclass(frozen=True, slots=True)
class WhatIf(Part):
    """Another prediction that would have scored more: the change, the text, and the official score in points."""

    change: str
    answer: str
    score: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a prediction has its score. All scores are points, all offsets count characters of the prediction.

    Attributes:
        task: the task.
        prediction: the text, cleaned.
        result: what `score_example` returns: the score, what was read, the reason.
        parsed: what was read, as JSON-able data of bounded size.
        losses: the lost points by cause; they add up to 100 minus the score (`loss_breakdown.py`).
        stop: where stopping would have scored more; `None` for metrics of other than words, or if it would nowhere.
        what_if: other predictions that would have scored more, the best first; they never enter the score.
        view: the details that the metric shows, a dataclass of the metric's module.
        omitted: sentences about what was cut from a huge text or list.
        with_references: whether it quotes the references.
    """

    task: Task
    prediction: str
    result: ExampleResult
    parsed: Any
    losses: Losses
    stop: Stop | None
    what_if: tuple[WhatIf, ...]
    view: Part
    omitted: tuple[str, ...]
    with_references: bool = True

    @property
    def score(self) -> float:
        """The official score in points."""
        return self.result.score

    @property
    def reason(self) -> str | None:
        """What lowered the score or what is odd about it, in a short sentence; `None` if nothing is."""
        return self.result.reason

    @property
    def sentence(self) -> str | None:
        """What of the best reference the prediction holds, in a sentence (F1, ROUGE); it quotes no text."""
        return self.view.sentence(self.losses)

    def as_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON-able data.

        `ledger` is the earlier breakdown: format, typography, length (what stopping at `stop` would win), content.
        """
        length = self.stop.score - self.score - self.losses.get("typography", 0.0) if self.stop else 0.0
        return {
            "task": self.task.name,
            "metric": self.task.metric.name,
            "score": self.score,
            "parsed": plain(self.parsed),
            "reason": self.reason,
            "losses": dict(self.losses),
            "sentence": self.sentence,
            "ledger": ledger(self.losses, length),
            "length_direction": "too long" if self.stop else None,
            "stop": plain(self.stop),
            "what_if": plain(self.what_if),
            "view": {**self.view.as_dict(), "omitted": [*self.omitted]},
        }

    def without_references(self) -> "Explanation":
        """Return the explanation for a published report: it quotes no text, letter, percentage or id of a reference.

        It keeps only the what-ifs that are made from the prediction. The score and the marks on the
        prediction's words stay: which words are shared reveals that much about the reference.
        """
        own = self.prediction, to_ascii(self.prediction)
        keeps_all, quotes_after = self.view.OWN_REPAIRS, self.view.REASON_QUOTES_AFTER
        reason = self.reason.partition(quotes_after)[0] if self.reason and quotes_after else self.reason
        return replace(
            self,
            result=replace(self.result, reason=reason),
            what_if=tuple(
                repair
                for repair in self.what_if
                if keeps_all or (repair.change != QUOTED and any(repair.answer in text for text in own))
            ),
            losses={"wrong percentage" if cause in _SIDES else cause: lost for cause, lost in self.losses.items()},
            view=self.view.without_references(),
            with_references=False,
        )


def explain(
    task: str | Task,
    prediction: str,
    references: str | Iterable[str],
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    result: ExampleResult | None = None,
) -> Explanation:
    """Return why a prediction has its score, in points; arguments and errors are those of `zs_metric.score_example`.

    Args:
        result: the official result, if it is known.

    >>> explain("musique", "“Paris”", "Paris").losses
    {'typography': 100.0}
    >>> [(repair.answer, repair.score) for repair in explain("space_digest", "40", "40%").what_if]
    [('40%', 100.0)]
    """
    the_task, texts = find_task(task, benchmark=benchmark), clean_references(references)
    results = None if result is None else [result]
    try:
        (scored,) = score_predictions(the_task, [clean_text(prediction, "prediction")], [texts], results)
    except UnreadableReference as error:
        raise error.of_example(None) from None
    omitted: list[str] = []
    losses = break_down(scored)
    stop = best_stop(scored) if "words too many" in losses else None
    return Explanation(
        task=the_task,
        prediction=scored.prediction,
        result=scored.result,
        losses=losses,
        stop=stop,
        what_if=_what_if(scored, stop, omitted),
        view=scored.explainer.view(scored, omitted),
        parsed=_parsed(scored.result.parsed, omitted),
        omitted=tuple(omitted),
    )


def _parsed(parsed: Any, omitted: list[str]) -> Any:
    if isinstance(parsed, str):
        return first_characters(parsed, "what was read", omitted)
    return listed_ids(parsed, "ids that were read", omitted) if isinstance(parsed, tuple) else finite(parsed)


def _what_if(scored: ScoredPrediction, stop: Stop | None, omitted: list[str]) -> tuple[WhatIf, ...]:
    if len(scored.prediction) > TEXT_LIMIT:
        omitted.append(f"no repair is tried on a prediction of more than {TEXT_LIMIT:,} characters")
        return ()
    changes = {to_ascii(scored.prediction): "typographic characters written in ASCII"}
    for change, text in scored.explainer.repairs(scored):
        changes.setdefault(text, change)
    if stop:
        changes.setdefault(scored.prediction[: stop.offset].strip(), f"the answer up to “{stop.words}”")
    scores = scored.official_scores(changes)
    tried = (WhatIf(change, text, score) for (text, change), score in zip(changes.items(), scores, strict=True))
    better = (repair for repair in tried if repair.score > scored.result.score)
    return tuple(sorted(better, key=lambda repair: -repair.score))
