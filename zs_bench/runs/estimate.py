"""What a run would cost: prompts and tokens by task, prompts over the window, and the price."""

from collections.abc import Iterable
from dataclasses import dataclass

from zs_bench.prompts.token_counts import WORDS, Tokenizer
from zs_bench.runs.requests import Request

#: Tokens of a word, where words are counted: the paper's 45.5 million words are about 60 million tokens.
TOKENS_PER_WORD = 4 / 3


@dataclass(frozen=True, slots=True)
class TaskEstimate:
    """The prompts of a task before they are sent.

    Attributes:
        tokens, longest: of all prompts, and of the longest.
        answer_tokens: that may be generated at most.
        over_window: how many prompts do not fit into the window; `None` where none was given.
    """

    task: str
    prompts: int
    documents: int
    tokens: int
    longest: int
    answer_tokens: int
    over_window: int | None = None

    def price(self, price_in: float, price_out: float) -> float:
        """The price at most, from prices per million tokens.

        >>> TaskEstimate("qasper", 1, 1, 500_000, 500_000, 1_000).price(2.0, 8.0)
        1.008
        """
        return (self.tokens * price_in + self.answer_tokens * price_out) / 1e6


def estimate(
    requests: Iterable[Request], tokenizer: Tokenizer = WORDS, window: int | None = None
) -> list[TaskEstimate]:
    """The estimates by task, in the order of the requests."""
    tasks: dict[str, list[Request]] = {}
    for request in requests:
        tasks.setdefault(request.task.name, []).append(request)
    return [_of_task(task, group, tokenizer, window) for task, group in tasks.items()]


def _of_task(task: str, requests: list[Request], tokenizer: Tokenizer, window: int | None) -> TaskEstimate:
    tokens = [count_tokens(request, tokenizer) for request in requests]
    over = (size + request.answer_tokens > (window or 0) for size, request in zip(tokens, requests, strict=True))
    return TaskEstimate(
        task,
        len(requests),
        len({request.document for request in requests}),
        sum(tokens),
        max(tokens),
        sum(request.answer_tokens for request in requests),
        None if window is None else sum(over),
    )


def count_tokens(request: Request, tokenizer: Tokenizer) -> int:
    """The tokens of the prompt; four thirds of its words where the tokenizer counts words."""
    count = tokenizer.count(request.text)
    return round(count * TOKENS_PER_WORD) if tokenizer.name == WORDS.name else count
