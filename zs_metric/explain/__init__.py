"""Why this score: what the scorer read, where the points went, what would have scored more. For diagnosis only.

>>> explain("quality", "A good answer is B", ["B"]).losses.format
100.0
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..errors import UnreadableReference
from ..results import ExampleResult
from ..tasks import Benchmark, Task, find_task
from ..texts import clean_references, clean_text
from .concordance_index import listed_ids
from .exp_similarity import finite
from .loss_breakdown import PARTS, ExampleLosses, Losses, TaskLosses, break_down, losses_of_task
from .parts import TEXT_LIMIT, Part, first_characters, plain, to_ascii
from .scored import ScoredPrediction, score_predictions

__all__ = ["PARTS", "ExampleLosses", "Explanation", "Losses", "TaskLosses", "WhatIf", "explain", "losses_of_task"]


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
        losses: the lost points by cause.
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

    def as_dict(self) -> dict[str, Any]:
        """The explanation as JSON-able data.

        `ledger` holds the four parts of the losses, which add up to 100 minus the score; `length_up_to` is an upper
        bound within its `content`; `stop` says where the prediction should have stopped if it lost points to `length`.
        """
        return {
            "task": self.task.name,
            "metric": self.task.metric.name,
            "score": self.score,
            "parsed": plain(self.parsed),
            "reason": self.reason,
            "ledger": self.losses.as_dict(),
            "length_direction": self.losses.direction,
            "length_up_to": self.losses.length_up_to,
            "stop": plain(self.losses.stop),
            "what_if": plain(self.what_if),
            "view": {**self.view.as_dict(), "omitted": [*self.omitted]},
        }

    def without_references(self) -> "Explanation":
        """The explanation for a report that is published: it quotes no text, letter, percentage or id of a reference.

        It keeps only the what-ifs that are made from the prediction. The score and the marks on the
        prediction's words stay: which words are shared reveals that much about the reference.
        """
        own = self.prediction, to_ascii(self.prediction)
        keeps_all, quotes_after = self.view.OWN_REPAIRS, self.view.REASON_QUOTES_AFTER
        reason = self.reason.partition(quotes_after)[0] if self.reason and quotes_after else self.reason
        return replace(
            self,
            result=replace(self.result, reason=reason),
            what_if=tuple(one for one in self.what_if if keeps_all or any(one.answer in text for text in own)),
            view=self.view.without_references(),
            with_references=False,
        )


def explain(
    task: str | Task, prediction: str, references: str | Iterable[str], *, benchmark: str | Benchmark = "zero_scrolls"
) -> Explanation:
    """Why a prediction has its score, in points; arguments and errors are those of `zs_metric.score_example`.

    >>> explain("musique", "“Paris”", "Paris").losses.as_dict()
    {'format': 0.0, 'typography': 100.0, 'length': 0.0, 'content': 0.0}
    >>> [(one.answer, one.score) for one in explain("space_digest", "40", "40%").what_if]
    [('40%', 100.0)]
    """
    the_task, texts = find_task(task, benchmark=benchmark), clean_references(references)
    try:
        (scored,) = score_predictions(the_task, [clean_text(prediction, "prediction")], [texts])
    except UnreadableReference as error:
        raise error.of_example(None) from None
    omitted: list[str] = []
    losses = break_down(scored)
    return Explanation(
        task=the_task,
        prediction=scored.prediction,
        result=scored.result,
        losses=losses,
        what_if=_what_if(scored, losses, omitted),
        view=scored.explainer.view(scored, omitted),
        parsed=_parsed(scored.result.parsed, omitted),
        omitted=tuple(omitted),
    )


def _parsed(parsed: Any, omitted: list[str]) -> Any:
    if isinstance(parsed, str):
        return first_characters(parsed, "what was read", omitted)
    return listed_ids(parsed, "ids that were read", omitted) if isinstance(parsed, tuple) else finite(parsed)


def _what_if(scored: ScoredPrediction, losses: Losses, omitted: list[str]) -> tuple[WhatIf, ...]:
    if len(scored.prediction) > TEXT_LIMIT:
        omitted.append(f"no repair is tried on an answer of more than {TEXT_LIMIT:,} characters")
        return ()
    changes = {to_ascii(scored.prediction): "typographic characters written in ASCII"}
    for change, text in scored.explainer.repairs(scored):
        changes.setdefault(text, change)
    if losses.stop:
        text = scored.prediction[: losses.stop.offset].strip()
        changes.setdefault(text, f"if it stopped after “{losses.stop.words}”")
    scores = scored.official_scores(changes)
    found = (WhatIf(change, text, score) for (text, change), score in zip(changes.items(), scores, strict=True))
    return tuple(sorted((one for one in found if one.score > scored.result.score), key=lambda one: -one.score))
