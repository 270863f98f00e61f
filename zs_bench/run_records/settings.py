"""The settings of a run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides which prompts are sent, to which model, and how it is to answer: equal for all sessions of a run.

    Attributes:
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
