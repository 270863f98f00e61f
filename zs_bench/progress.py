"""Callbacks for progress, called with the share done (0 to 1) and a few words."""

from collections.abc import Callable

Progress = Callable[[float, str], None]


def part_of(progress: Progress | None, done: int, total: int) -> Progress | None:
    """The progress of one of `total` steps, after `done` of them, as a part of the whole."""
    if progress is None:
        return None
    return lambda share, what: progress((done + share) / total, what)
