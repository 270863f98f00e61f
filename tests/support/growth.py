"""How the time of a function grows with the size of its input, so that a test needs no limit in seconds."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_TIMES = 4  # by how much each input is larger than the one before
_MOST = 2.5 * _TIMES  # by how much its time may be: more than that of linear growth, less than that of quadratic
_TOO_SHORT = 0.03  # seconds of processor time up to which nothing is measured


def grows_faster_than_linearly(function: Callable[[Any], object], input_of: Callable[[int], Any], size: int) -> bool:
    """Whether the function takes much more than four times as long for one input as for a fourth of it.

    The sizes grow up to `size`, so that the answer does not take as long as what grows too fast. Processor time of this
    process, the least of up to three runs; errors of the function are its end.
    """
    before = _Timed(function, input_of(size // _TIMES**5))
    for power in range(4, -1, -1):
        now = _Timed(function, input_of(size // _TIMES**power))
        if not any(now.run() <= max(_MOST * before.run(), _TOO_SHORT) for _ in range(3)):
            return True
        before = now
    return False


class _Timed:
    def __init__(self, function: Callable[[Any], object], value: Any) -> None:
        self._function, self._value, self._least = function, value, float("inf")

    def run(self) -> float:
        """Run the function once more, and return the least time of all runs."""
        began = time.process_time()
        with suppress(Exception):
            self._function(self._value)
        self._least = min(self._least, time.process_time() - began)
        return self._least
