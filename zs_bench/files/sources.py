"""From a path to named byte strings: a file is itself, a folder its files, a ZIP its members, read in memory.

Nothing is extracted to disk, so member names can do no harm; they only serve to name the task and the place.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..problems import Place, Problem, UnusableInput
from . import limits


@dataclass(frozen=True, slots=True)
class Source:
    """A file as bytes.

    Attributes:
        name: as the user knows it, for messages: `answers.zip/qasper.json`.
        path: its path inside the input, for recognising task and split: `qasper.json`, `qasper/validation.jsonl`.
    """

    name: str
    path: PurePosixPath
    read: Callable[[], bytes]
    size: int


def open_inputs(inputs: Iterable[str | Path], names: Iterable[str] | None = None) -> tuple[list[Source], list[Problem]]:
    """All files that the paths stand for, with what could not be opened as problems.

    Args:
        inputs: paths of files or folders.
        names: what to call them in messages, when that is not their own name (uploads).

    Raises:
        UnusableInput: for a path that does not exist.
    """
    paths = [Path(path) for path in inputs]
    sources: list[Source] = []
    problems: list[Problem] = []
    total = 0
    for path, name in zip(paths, names or [path.name or str(path) for path in paths], strict=True):
        if not path.exists():
            raise UnusableInput(f"there is no file or folder {str(path)!r}; check the path")
        for found in _walk(path, name):
            if isinstance(found, Problem):
                problems.append(found)
                continue
            total += found.size
            if total > limits.MAX_TOTAL_BYTES:
                problems.append(_refused(found.name, f"more than {limits.size(limits.MAX_TOTAL_BYTES)} in all"))
                return sources, problems
            sources.append(found)
    return sources, problems


def _walk(path: Path, name: str) -> Iterator[Source | Problem]:
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file() and not _is_hidden(file.relative_to(path)))
        if len(files) > limits.MAX_MEMBERS:
            yield _refused(name, f"{len(files)} files in the folder, more than {limits.MAX_MEMBERS}")
            return
        for file in files:
            inside = file.relative_to(path)
            yield from _file(file, f"{name}/{inside.as_posix()}", PurePosixPath(inside.as_posix()))
    else:
        yield from _file(path, name, PurePosixPath(name))


def _file(file: Path, name: str, inside: PurePosixPath) -> Iterator[Source | Problem]:
    count = file.stat().st_size
    if count > limits.MAX_FILE_BYTES:
        yield _refused(name, f"{limits.size(count)}, more than {limits.size(limits.MAX_FILE_BYTES)}")
    elif inside.suffix.lower() == ".zip":
        yield from _members(file.read_bytes(), name, inside)
    else:
        yield Source(name, inside, file.read_bytes, count)


def _members(data: bytes, name: str, inside: PurePosixPath) -> Iterator[Source | Problem]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = [info for info in archive.infolist() if not info.is_dir() and not _is_hidden(info.filename)]
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError) as error:
        yield _refused(name, f"not a readable ZIP file ({error})")
        return
    if len(members) > limits.MAX_MEMBERS:
        yield _refused(name, f"{len(members)} files in the ZIP, more than {limits.MAX_MEMBERS}")
        return
    for info in members:
        member = f"{name}/{info.filename}"
        if info.file_size > limits.MAX_FILE_BYTES:
            yield _refused(member, f"{limits.size(info.file_size)}, more than {limits.size(limits.MAX_FILE_BYTES)}")
        elif info.file_size > limits.MAX_RATIO * max(info.compress_size, 1_000):
            yield _refused(member, f"it unpacks to more than {limits.MAX_RATIO} times its size")
        elif info.flag_bits & 1:
            yield _refused(member, "it is encrypted")
        else:
            path = PurePosixPath(info.filename)
            # The Hub's <task>.zip may hold bare split files; the archive's name then tells the task.
            path = inside.with_suffix("") / path if len(path.parts) == 1 else path
            yield Source(member, path, _member_reader(archive, info, member), info.file_size)


def _member_reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            with archive.open(info) as stream:
                # One byte more than announced is enough to see that the announcement was false.
                data = stream.read(info.file_size + 1)
        except Exception as error:  # zipfile raises many kinds for a damaged member, zlib.error among them
            raise UnusableInput(f"{name} cannot be unpacked ({error}); make the ZIP anew") from error
        if len(data) > info.file_size:
            raise UnusableInput(f"{name} is larger than the ZIP says; make the ZIP anew")
        return data

    return read


def _is_hidden(path: str | Path) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(str(path)).parts)


def _refused(name: str, why: str) -> Problem:
    return Problem("not-read", f"the file was not read: {why}", place=Place(name))
