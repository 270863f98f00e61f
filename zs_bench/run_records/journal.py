"""The journal of a run, as it is read: a JSONL file, one line for each prompt that has ended.

The last value of a line is a checksum of what stands before it; older journals have none. A line with another checksum
is damaged. An incomplete line, as a crash leaves it, is skipped, and so is one that is no record: a journal may come
from anybody.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any
from zlib import crc32

OK, OVERFLOW, ALL_REASONING, REFUSED, FAILED = "ok", "overflow", "all-reasoning", "refused", "failed"
#: Final statuses of a prompt; only `ok` has an answer.
STATUSES = (OK, OVERFLOW, ALL_REASONING, REFUSED, FAILED)
#: The flags of an answer.
AT_LENGTH, THINK_DROPPED, UNCLOSED_THINK, EMPTY = "stopped-at-length", "think-dropped", "unclosed-think", "empty-answer"


@dataclass(frozen=True, slots=True)
class Completion:
    """How a prompt ended; `answer` is `None` for any status but `ok`, and `usage` counts tokens as the server does."""

    status: str
    answer: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    model: str | None = None
    fingerprint: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Completion):
    """How a prompt ended, and what was sent.

    Attributes:
        prompt, characters: the hash and the length of what was sent.
        kept: share of the document that trimming left, 0 to 1.
        seconds: from the first attempt to the end.
        time: when it ended, in ISO 8601.
    """

    task: str
    id: str
    prompt: str
    characters: int = 0
    kept: float = 1.0
    seconds: float = 0.0
    attempts: int = 0
    time: str | None = None

    @property
    def key(self) -> tuple[str, str]:
        return self.task, self.id


_NUMBERS, _COUNTS = {"kept", "seconds"}, {"characters", "attempts"}
_SIMPLE = {column.name for column in fields(Record)} - {"flags", "usage"}


_CHECKSUM = re.compile(rb',"crc32":"([0-9a-f]{8})"}\s*$')


def with_checksum(line: str) -> str:
    """Return a line, an object of JSON in ASCII, with its checksum.

    >>> with_checksum('{"a":1}')
    '{"a":1,"crc32":"a702fc6e"}'
    """
    return f'{line[:-1]},"crc32":"{crc32(line[:-1].encode("ascii")):08x}"}}'


def read_journal(lines: Iterable[bytes]) -> Iterator[Record | Mapping[str, Any] | bytes]:
    """Yield the records of a journal and the facts of its sessions, in its order, and the lines that are damaged.

    A line without a checksum is damaged after one that has it. Other lines are skipped.
    """
    has_checksums = False
    for line in lines:
        checksum = _CHECKSUM.search(line)
        if crc32(line[: checksum.start()]) != int(checksum[1], 16) if checksum else has_checksums:
            yield line
            continue
        has_checksums |= checksum is not None
        yield from _read_line(line)


def _read_line(line: bytes) -> Iterator[Record | Mapping[str, Any]]:
    for data in read_objects([line]):
        if isinstance(session := data.get("session"), dict):
            yield session
            continue
        flags, usage = data.get("flags") or [], data.get("usage") or {}
        values = {name: data[name] for name in _SIMPLE if data.get(name) is not None}
        if (
            values.keys() >= {"task", "id", "prompt", "status"}
            and all(_fits(name, value) for name, value in values.items())
            and values["status"] in STATUSES
            and isinstance(flags, list)
            and isinstance(usage, dict)
        ):
            counts = {name: count for name, count in usage.items() if is_count(count)}
            yield Record(**values, flags=tuple(map(str, flags)), usage=counts)


def _fits(name: str, value: object) -> bool:
    if name in _COUNTS:
        return is_count(value)
    return isinstance(value, int | float if name in _NUMBERS else str)


def is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < 2**53


def read_objects(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the JSON object of each line that is not blank, empty for a line that holds none."""
    for line in filter(bytes.strip, lines):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        yield data if isinstance(data, dict) else {}
