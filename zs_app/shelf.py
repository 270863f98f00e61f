"""Files that were scored, kept for a while: a visitor's session holds a key, the files share one bounded shelf."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, NamedTuple, ParamSpec, TypeVar

from zs_metric.errors import ZeroScrollsError

#: Files kept, characters of all their texts together, and seconds since they were last looked at.
MAX_FILES, MAX_CHARACTERS, MAX_AGE = 64, 400_000_000, 3_600
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Key(str):
    """Stands for a file on the shelf. Only the server makes one: text that a visitor sends is a plain `str`."""

    __slots__ = ()


class FileGone(ZeroScrollsError):
    """A file that is no longer kept."""


class _Kept(NamedTuple):
    thing: Any
    weight: int
    used: float


class Shelf:
    """Things by key; the one unused longest makes room."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()
        self._lock = Lock()

    def put(self, thing: Any, weight: int) -> Key:
        """Keep the thing; the key is new."""
        key = Key(secrets.token_hex(16))
        with self._lock:
            self._kept[key] = _Kept(thing, weight, time.monotonic())
            self._make_room()
        return key

    def get(self, key: Key) -> Any:
        """The thing.

        Raises:
            FileGone: when it is no longer kept.
        """
        with self._lock:
            self._make_room()
            if key not in self._kept:
                raise FileGone("this file was scored a while ago and is no longer kept; score it again")
            kept = self._kept[key] = self._kept.pop(key)._replace(used=time.monotonic())
            return kept.thing

    def tidy(self) -> None:
        """Let go of what has not been looked at for long."""
        with self._lock:
            self._make_room()

    def _make_room(self) -> None:
        oldest = time.monotonic() - MAX_AGE
        weight = sum(kept.weight for kept in self._kept.values())
        for key, kept in list(self._kept.items()):
            if kept.used >= oldest and len(self._kept) <= MAX_FILES and (weight <= MAX_CHARACTERS or key == self._last):
                return
            weight -= self._kept.pop(key).weight

    @property
    def _last(self) -> Key:
        return next(reversed(self._kept))


SHELF = Shelf()


def from_shelf(handler: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """The handler, given the things themselves where a session holds their keys."""

    @wraps(handler)
    def run(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        found = [SHELF.get(value) if isinstance(value, Key) else value for value in arguments]
        return handler(*found, **options)  # type: ignore[arg-type]  # the same number, in the same places

    return run
