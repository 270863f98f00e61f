"""A scored answer, and the answers of several systems to the same examples."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from zs_bench.benchmarks import Task
from zs_metric.explain import Losses
from zs_metric.results import ExampleResult


@dataclass(frozen=True)
class Answer:
    """A scored answer to an example of a task, with the example's references.

    `document` is the name of the example's document. It is known for all answers to a task or for none.
    """

    task: Task
    id: str
    text: str
    references: Sequence[str]
    result: ExampleResult
    document: str | None

    def as_dict(self) -> dict[str, Any]:
        """Return the id and the result as JSON-able data, without the text of a summary."""
        data = {"id": self.id, **self.result.as_dict()}
        if self.result.rouge is not None:
            del data["parsed"]
        return data


@dataclass(frozen=True)
class ExplainedAnswer(Answer):
    """An answer with the points that it lost, by cause."""

    losses: Losses

    @cached_property
    def lost_to(self) -> str:
        """The cause that took most; empty if nothing was lost."""
        cause = max(self.losses, key=self.losses.__getitem__, default="")
        return cause if self.losses.get(cause, 0) > 0.005 else ""


SomeAnswer = TypeVar("SomeAnswer", bound=Answer)


def aligned(*systems: Iterable[SomeAnswer]) -> list[tuple[SomeAnswer | None, ...]]:
    """Return for each example that a system answered the answers of all, `None` where one has none.

    The examples of the first system come first, in its order.
    """
    by_example = [{(answer.task.name, answer.id): answer for answer in answers} for answers in systems]
    return [tuple(answers.get(key) for answers in by_example) for key in dict.fromkeys(chain(*by_example))]


def documents_of(answers: Iterable[Answer]) -> list[str] | None:
    """Return the name of each answer's document; `None` if they are unknown."""
    names = [answer.document for answer in answers if answer.document is not None]
    return names or None
