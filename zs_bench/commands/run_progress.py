"""The progress of a run: one line that is rewritten on a terminal, a line every half minute in a log."""

import sys
import time
from collections import Counter

from zs_bench.runs.journal import Record
from zs_bench.runs.outcomes import OK
from zs_bench.runs.session import Watch

_IN_A_LOG, _ON_A_TERMINAL = 30.0, 0.2


class RunProgress:
    """Writes to standard error how many prompts came to an end, what became of them, and how long the rest takes."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._start = self._shown = time.monotonic()
        self._statuses: Counter[str] = Counter()
        self._left = self._all = self._tokens = 0

    @property
    def watch(self) -> Watch:
        """The functions that a session calls."""
        return Watch(self._begin, self._ended, self.say)

    def say(self, text: str) -> None:
        """Write a line of its own."""
        print(f"{self._clear}{text}", file=sys.stderr, flush=True)

    @property
    def _clear(self) -> str:
        return "\r\033[K" if self._terminal else ""

    def _begin(self, left: int, whole: int) -> None:
        self._left, self._all, self._start = left, whole, time.monotonic()
        done = whole - left
        self.say(f"{left:,} prompts to send" + (f", {done:,} of {whole:,} came to an end before." if done else "."))

    def _ended(self, record: Record) -> None:
        self._statuses[record.status] += 1
        self._tokens += record.usage.get("prompt_tokens", 0)
        now, done = time.monotonic(), sum(self._statuses.values())
        every = _ON_A_TERMINAL if self._terminal else _IN_A_LOG
        if now - self._shown >= every or done == self._left:
            self._shown = now
            line = self._line(record.task, done, now - self._start)
            print(f"{self._clear}{line}", end="" if self._terminal else "\n", file=sys.stderr, flush=True)
        if self._terminal and done == self._left:
            print(file=sys.stderr)

    def _line(self, task: str, done: int, seconds: float) -> str:
        lost = [f"{count:,} {status}" for status, count in self._statuses.items() if status != OK]
        rest = seconds / done * (self._left - done)
        parts = [f"{done:,}/{self._left:,} prompts", task, *lost, f"{self._tokens:,} tokens read"]
        return " · ".join([*parts, f"{clock(rest)} left" if done < self._left else f"took {clock(seconds)}"])


def clock(seconds: float) -> str:
    """The time in hours, minutes and seconds.

    >>> clock(59.7), clock(3725)
    ('1:00', '1:02:05')
    """
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
