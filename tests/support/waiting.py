"""Waiting for an event of another process."""

import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


def until(condition: Callable[[], Value]) -> Value:
    """Wait, as long as a busy machine may need, until `condition` returns something true; return what it returned."""
    deadline = time.monotonic() + 60
    while not (value := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return value
