"""A scored answer, and the answers of several systems to the same examples."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from zs_bench.benchmarks import Task
from zs_metric.explain import Explanation, Losses, explanation_of
from zs_metric.means import fmean
from zs_metric.results import ExampleResult


@dataclass(frozen=True)
class Answer:
    """A scored answer to an example of a task, with the example's references.

    `document` is the name of the example's document. It is known for all answers to a task or for none. `run` is the
    name of the run where there are several.
    """

    task: Task
    id: str
    text: str
    references: Sequence[str]
    result: ExampleResult
    document: str | None
    run: str = ""

    @cached_property
    def explanation(self) -> Explanation:
        """Why it has its score, and what it lost to what."""
        return explanation_of(self.task, self.text, self.references, self.result)

    @property
    def losses(self) -> Losses:
        """The points that it lost, by cause."""
        return self.explanation.losses

    @property
    def lost_to(self) -> str:
        """The cause that took most; empty if nothing was lost, and for the mean of several runs."""
        if isinstance(self.result, AveragedResult):
            return ""
        cause = max(self.losses, key=self.losses.__getitem__, default="")
        return cause if self.losses.get(cause, 0) > 0.005 else ""

    def as_dict(self) -> dict[str, Any]:
        """Return the id and the result as JSON-able data, without the text of a summary."""
        data = {"id": self.id, **self.result.as_dict()}
        if self.result.rouge is not None:
            del data["parsed"]
        return data


@dataclass(frozen=True)
class AveragedResult(ExampleResult):
    """The mean of the scores that several runs of a system gave an example; `runs` are their results, in points.

    It has no reading and no reason of its own.
    """

    runs: tuple[ExampleResult, ...] = ()

    @classmethod
    def of(cls, runs: Sequence[ExampleResult]) -> "AveragedResult":
        return cls(fmean(run.score for run in runs), None, runs=tuple(runs))

    @property
    def differs(self) -> bool:
        """Whether the runs score differently."""
        scores = [run.score for run in self.runs]
        return max(scores) - min(scores) > 1e-9

    def points(self, part: str) -> float | None:
        """Return the mean of a part of the score over the runs, in points; `None` without such a part."""
        values = [run.points(part) for run in self.runs]
        known = [value for value in values if value is not None]
        return fmean(known) if known and len(known) == len(values) else None

    def as_dict(self) -> dict[str, Any]:
        """Return the score, and that of each run."""
        return {"score": self.score, "reason": None, "runs": [run.score for run in self.runs]}


def results_of(answer: Answer) -> Sequence[ExampleResult]:
    """Return the result of an answer, or those of its runs."""
    return answer.result.runs if isinstance(answer.result, AveragedResult) else [answer.result]


def aligned(*systems: Iterable[Answer]) -> list[tuple[Answer | None, ...]]:
    """Return for each example that a system answered the answers of all, `None` where one has none.

    The examples of the first system come first, in its order.
    """
    by_example = [{(answer.task.name, answer.id): answer for answer in answers} for answers in systems]
    return [tuple(answers.get(key) for answers in by_example) for key in dict.fromkeys(chain(*by_example))]


def documents_of(answers: Iterable[Answer]) -> list[str] | None:
    """Return the name of each answer's document; `None` if they are unknown."""
    names = [answer.document for answer in answers if answer.document is not None]
    return names or None
