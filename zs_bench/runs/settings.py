"""The settings of a run: what must be equal for two sessions to belong to the same run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from zs_bench.problems import short


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides which prompts are sent, to which model, and how it is to answer.

    Attributes:
        benchmark, source, split, variant: as `zero-scrolls prompt` takes them.
        revision: the commit of the source that was read; `None` for a source without commits.
        budget: tokens of prompt and answer together, to which documents are trimmed; `None` for no trimming.
        answer_budget: tokens of an answer; `None` for the paper's number for each task.
        thinking_budget: tokens that a reasoning model may spend before its answer.
        temperature, seed: as sent to the server; `None` leaves them out.
    """

    model: str
    benchmark: str = "zero_scrolls"
    source: str = "embedded"
    split: str = "validation"
    variant: str = "canonical"
    revision: str | None = None
    budget: int | None = None
    tokenizer: str = "words"
    answer_budget: int | None = None
    thinking_budget: int = 0
    temperature: float | None = 0.0
    seed: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The settings as JSON-able data."""
        return asdict(self)


def differences(there: Mapping[str, Any], here: Settings) -> list[str]:
    """Where the settings of a folder differ from these, a phrase each.

    >>> differences({**Settings("m").as_dict(), "budget": 4096}, Settings("m"))
    ['budget: 4096 there, none here']
    """
    names = [field.name for field in fields(Settings)]
    mine = here.as_dict()
    return [
        f"{name}: {_shown(there.get(name))} there, {_shown(mine[name])} here"
        for name in names
        if there.get(name) != mine[name]
    ]


def _shown(value: object) -> str:
    return "none" if value is None else short(str(value))
