"""Files that were scored, kept for a while: a visitor's session holds a key, the files share one bounded shelf.

They are kept pickled, as the process that scored them sent them: read only when somebody looks at them, a file costs
the server no time when it is done, and its collector of garbage has nothing to go through.
"""

from __future__ import annotations

import pickle
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, NamedTuple, ParamSpec, TypeVar

from zs_metric.errors import ZeroScrollsError

#: Files kept, bytes of all of them together, and seconds since they were last looked at.
MAX_FILES, MAX_BYTES, MAX_AGE = 64, 400_000_000, 3_600
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Key(str):
    """Stands for a file on the shelf. Only the server makes one: text that a visitor sends is a plain `str`."""

    __slots__ = ()


class FileGone(ZeroScrollsError):
    """A file that is no longer kept."""


class _Kept(NamedTuple):
    pickled: bytes
    used: float


class Shelf:
    """Pickled things by key; the one unused longest makes room."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()
        self._lock = Lock()

    def put(self, pickled: bytes) -> Key:
        """Keep the thing; the key is new."""
        key = Key(secrets.token_hex(16))
        with self._lock:
            self._kept[key] = _Kept(pickled, time.monotonic())
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
        # Only a process of the server's own makes one.
        return pickle.loads(kept.pickled)  # noqa: S301

    def drop(self, key: object) -> None:
        """Let go of the thing of that key, if there is one."""
        with self._lock:
            if isinstance(key, Key):
                self._kept.pop(key, None)

    def tidy(self) -> None:
        """Let go of what has not been looked at for long."""
        with self._lock:
            self._make_room()

    def _make_room(self) -> None:
        oldest = time.monotonic() - MAX_AGE
        size = sum(len(kept.pickled) for kept in self._kept.values())
        for key, kept in list(self._kept.items()):
            if kept.used >= oldest and len(self._kept) <= MAX_FILES and (size <= MAX_BYTES or key == self._last):
                return
            size -= len(self._kept.pop(key).pickled)

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
