"""The formats: from one file to entries of task, id and value, whatever the file looks like.

A reader is one small function in `READERS`; it yields an `Entry` per answer or reference row, and a `Problem` for what
it cannot read, and goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import IO, Literal

from zs_bench.files.entries import FileFacts, Found, name_split, name_task
from zs_bench.files.read_csv import read_csv
from zs_bench.files.read_json import read_json, read_jsonl
from zs_bench.files.source import Source
from zs_bench.problems import Place, Problem, UnusableInput

#: What a file is read for.
Role = Literal["predictions", "references"]

#: The keys under which a JSONL row may hold its text: never an answer where references are wanted.
ROW_KEYS: Mapping[Role, tuple[str, ...]] = {"predictions": ("prediction",), "references": ("output", "references")}

Reader = Callable[[IO[bytes], FileFacts], Found]
READERS: Mapping[str, Reader] = {".csv": read_csv, ".json": read_json, ".jsonl": read_jsonl}


def read_source(source: Source, role: Role) -> Found:
    """Every entry of the file.

    A file that cannot be read, or not to its end, gives a `Problem` without a row for it.
    """
    file = FileFacts(source.name, name_task(source.path), name_split(source.path), ROW_KEYS[role])
    suffix = source.path.suffix.lower()
    if (suffix, role) == (".csv", "references"):
        message = "the file was not read: a CSV file holds predictions; give references as JSON or JSONL"
        yield Problem("not-read", message, place=Place(source.name), refuses=False)
        return
    try:
        with source.opened() as stream:
            yield from READERS[suffix](stream, file)
    except UnusableInput as error:
        yield file.unreadable(error.message, None, file.task, detail=error.detail)
