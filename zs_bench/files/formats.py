"""The formats: from one file to entries of task, id and value, whatever the file looks like.

A reader is one small function in `READERS`; it yields an `Entry` per answer or reference row, and a `Problem` for what
it cannot read, and goes on. What other tools write is recognised by its columns (`zs_bench.files.read_csv.COLUMNS`) or
by the keys of its rows (`zs_bench.files.row_shapes.SHAPES`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Literal

from zs_bench.files import limits
from zs_bench.files.entries import Entry, FileFacts, Found, Nothing, ReadFile, name_split, name_task
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


def read_source(source: Source, role: Role, noted: ReadFile | None = None) -> Found:
    """Every entry of the file.

    A file that cannot be read, or not to its end, gives a `Problem` without a row for it. What kind of file it was
    stands in `noted` afterwards.
    """
    split = name_split(source.path)
    file = FileFacts(source.name, name_task(source.path), split, ROW_KEYS[role], noted or ReadFile(source.name))
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


def read_all(
    sources: Iterable[Source], role: Role, files: list[ReadFile]
) -> Iterator[tuple[Source, Entry | Nothing | Problem]]:
    """What is in all files, one after another, up to the limit; what each of them was is put into `files`."""
    count = 0
    for source in sources:
        file = ReadFile(source.name)
        files.append(file)
        for found in read_source(source, role, file):
            count += 1
            if count > limits.MAX_ENTRIES:
                message = f"more than {limits.MAX_ENTRIES:,} rows in all; what follows was not read"
                yield source, Problem("not-read", message, place=Place(source.name))
                return
            file.rows += isinstance(found, Entry)
            yield source, found
