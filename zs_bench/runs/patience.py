"""How long to wait: for a reply, and before the same prompt is sent again."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from zs_bench.runs.requests import Request


@dataclass(frozen=True, slots=True)
class Patience:
    """When to give up.

    Attributes:
        attempts: how often a prompt is sent at most, when the server fails or is silent.
        crowded: how often at most, when the server asks to come back later (429, or any Retry-After).
        first_wait, longest_wait: seconds; waits double from one attempt to the next, less a random part.
        timeout: seconds for a reply; `None` for a time that grows with the prompt and the answer.
        random: of the waits.
    """

    attempts: int = 8
    crowded: int = 60
    first_wait: float = 1.0
    longest_wait: float = 60.0
    timeout: float | None = None
    random: random.Random = field(default_factory=random.Random)

    def wait(self, attempt: int, asked: float | None = None) -> float:
        """Seconds to wait after that attempt (from 1): what the server asks for, else an exponential wait with jitter.

        A wait that the server asks for is also spread, upwards, so that not all come back at once.
        """
        if asked is not None:
            return max(asked, 0.0) + self.random.uniform(0, min(1.0, self.first_wait))
        longest = min(self.longest_wait, self.first_wait * 2.0 ** min(attempt - 1, 30))
        return float(longest * self.random.uniform(0.5, 1.0))

    def spent(self, failures: int, crowded: int) -> bool:
        """Whether a prompt has been tried often enough."""
        return failures >= self.attempts or crowded >= self.crowded

    def reply_timeout(self, request: Request, attempt: int = 1) -> float:
        """Seconds to wait for a reply, longer at each attempt.

        A minute, and time to read the prompt at 100 tokens a second (four characters each) and to write the answer at
        5: a slow machine without a GPU. A dead line to a short prompt so holds a worker for a minute or two only.
        """
        if self.timeout is not None:
            return self.timeout
        return (60 + len(request.text) / 400 + request.answer_tokens / 5) * min(attempt, 4)
