"""How far a run is, on standard error."""

import sys
import time
from collections import Counter

from zs_bench.commands import rewritable
from zs_bench.problems import counted
from zs_bench.run_records.journal import OK, Record


class RunProgress:
    """Writes to standard error how many prompts have ended, how many of them without an answer, and the time left."""

    def __init__(self) -> None:
        self._terminal = rewritable()
        self._start = self._shown = time.monotonic()
        self._statuses: Counter[str] = Counter()
        self._left = self._tokens = 0

    def say(self, text: str, end: str = "\n") -> None:
        """Write a line; on a terminal it replaces one without a line end."""
        print(f"\r\033[K{text}" if self._terminal else text, end=end, file=sys.stderr, flush=True)

    def begin(self, left: int, whole: int) -> None:
        """Write how many of the `whole` prompts are left to send."""
        self._left, self._start = left, time.monotonic()
        before = f"; {whole - left:,} of {whole:,} are done." if left < whole else "."
        self.say(f"{counted(left, 'prompt')} to send{before}")

    def ended(self, record: Record) -> None:
        """Count a prompt; write a line after 30 seconds, rewrite it on a terminal after a fifth of a second."""
        self._statuses[record.status] += 1
        self._tokens += record.usage.get("prompt_tokens", 0)
        now, done = time.monotonic(), self._statuses.total()
        if now - self._shown < (0.2 if self._terminal else 30) and done < self._left:
            return
        self._shown = now
        lost = [f"{count:,} {status}" for status, count in self._statuses.items() if status != OK]
        parts = [f"{done:,}/{self._left:,} prompts", record.task, *lost, f"{self._tokens:,} tokens read"]
        seconds = now - self._start
        rest = f"{clock(seconds / done * (self._left - done))} left" if done < self._left else f"took {clock(seconds)}"
        self.say(" · ".join([*parts, rest]), end="" if self._terminal and done < self._left else "\n")


def clock(seconds: float) -> str:
    """Return the time in hours, minutes and seconds.

    >>> clock(59.7), clock(3725)
    ('1:00', '1:02:05')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
