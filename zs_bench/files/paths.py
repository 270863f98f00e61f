"""The readable files at given paths: a file itself, the files of a folder, the members of a ZIP; and data in memory.

Nothing is extracted to disk, so member names can do no harm; they only name the task and the place. Links to files are
followed (the Hub's own cache consists of them), links to folders are not.
"""

import gzip
import io
import json
import os
import re
import stat
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from zs_bench.errors import UnusableInput
from zs_bench.files import formats, limits
from zs_bench.files.input_files import DAMAGE, InputFile, display_name, reason_of, refused, too_large
from zs_bench.files.json_text import decode
from zs_bench.files.names import named_tasks
from zs_bench.files.zip_directory import check_directory
from zs_bench.problems import Problem, short

#: A path, what a JSON file holds (a dictionary or rows), or several of these.
Inputs = str | Path | Mapping[Any, Any] | Iterable[str | Path | Mapping[Any, Any] | InputFile]
_Opener = Callable[[], AbstractContextManager[IO[bytes]]]
# Endings of reports and pictures, which may lie beside answers.
_NEVER_ANSWERS = frozenset({".html", ".md", ".tex", ".yaml", ".yml", ".png", ".svg", ".pdf"})
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DRIVE = re.compile("[A-Za-z]:")


def as_inputs(inputs: Inputs) -> list[Path | InputFile]:
    """The inputs one by one: a lone path is one, a dictionary is one, and so are dictionaries alone, which are rows.

    Raises `UnusableInput` for data that is not JSON, and for anything else.
    """
    given: list[Any] = [inputs] if isinstance(inputs, str | Path | Mapping) else [*inputs]
    if given and not isinstance(inputs, Mapping) and all(isinstance(each, Mapping) for each in given):
        return [_in_memory("a list", given)]
    if wrong := [each for each in given if not isinstance(each, str | Path | Mapping | InputFile)]:
        raise UnusableInput(f"{short(repr(wrong[0]))} is no path; give paths, dictionaries or rows")
    named = [_in_memory("a dictionary", each) if isinstance(each, Mapping) else each for each in given]
    return [Path(each) if isinstance(each, str) else each for each in named]


def _in_memory(name: str, data: object) -> InputFile:
    try:
        return InputFile.in_memory(name, json.dumps(data).encode())
    except (TypeError, ValueError) as error:
        raise UnusableInput(f"{name} holds what is not JSON ({error}); give texts by id") from error


def open_inputs(inputs: Inputs, names: Iterable[str] | None = None) -> tuple[list[InputFile], list[Problem]]:
    """All files in the paths, and the problems of those that cannot be opened; `names` are those of uploads.

    Raises `UnusableInput` for a path that does not exist, and as `as_inputs`.
    """
    given, is_upload = as_inputs(inputs), names is not None
    sources = [each for each in given if isinstance(each, InputFile)]
    paths = [each for each in given if isinstance(each, Path)]
    if names is None:  # the last part of each path, or the whole path where two end alike
        last = [path.name or str(path) for path in paths]
        names = [str(path) if last.count(name) > 1 else name for path, name in zip(paths, last, strict=True)]
    problems: list[Problem] = []
    total = 0
    for path, name in zip(paths, names, strict=True):
        if not is_upload and (str(path) == "-" or path.is_fifo()):
            sources.append(_piped(path))
            continue
        if not path.exists():
            raise UnusableInput(f"there is no file or folder {short(str(path), 200)!r}; check the path")
        for source in _walk(path, name, is_upload=is_upload):
            if isinstance(source, Problem):
                problems.append(source)
                continue
            total += source.size
            if total > limits.current().total:
                problems.append(refused(source.name, f"more than {limits.size(limits.current().total)} in all"))
                return sources, problems
            sources.append(source)
    return sources, problems


def _walk(path: Path, name: str, *, is_upload: bool) -> Iterator[InputFile | Problem]:
    if not path.is_dir():
        # The folder of `qasper/validation.jsonl` names the task; the folder of an upload does not.
        yield from _file(path, name, PurePosixPath("" if is_upload else path.absolute().parent.name, Path(name).name))
        return
    files: list[Path] = []
    unlisted: list[OSError] = []
    for where, folders, names in os.walk(path, onerror=unlisted.append):
        inner = [Path(where, folder) for folder in folders if not _is_hidden(folder)]
        for link in (folder.relative_to(path).as_posix() for folder in inner if folder.is_symlink()):
            yield refused(f"{name}/{link}", "it is a link to a folder; give that folder itself")
        folders[:] = [folder.name for folder in inner]
        files += [Path(where, file) for file in names if not _is_hidden(file)]
        if len(files) > limits.MAX_MEMBERS:
            yield refused(name, f"more than {limits.MAX_MEMBERS:,} files in the folder")
            return
    for error in unlisted:
        yield refused(name, f"a folder in it cannot be opened ({reason_of(error)})")
    ordered = sorted(files, key=lambda file: (file.parent, file.name))
    by_folder = {where: [*each] for where, each in groupby(ordered, key=lambda file: file.parent)}
    regular = {where: [*map(_on_disk, each)] for where, each in by_folder.items() if all(map(Path.is_file, each))}
    texts = {where: each for where, each in regular.items() if _are_answers(each)}
    for parent, found in texts.items():
        yield from _as_one_file(found, f"{name}/{parent.relative_to(path).as_posix()}".removesuffix("/."))
    for file in sorted(file for file in files if file.parent not in texts):
        inside = file.relative_to(path).as_posix()
        yield from _file(file, f"{name}/{inside}", PurePosixPath(path.absolute().name, inside), is_beside_others=True)


def _on_disk(file: Path) -> InputFile:
    path = PurePosixPath(file.absolute().parent.name, file.name)
    return InputFile(file.name, path, lambda: file.open("rb"), file.stat().st_size)


def _are_answers(files: Sequence[InputFile]) -> bool:
    """Whether a folder holds a text for each answer: its name says a task, and most begin as no file that is read."""
    names = named_tasks(PurePosixPath(files[0].path.parent.name, "x"))
    if len(names) != 1 or {file.path.suffix.lower() for file in files} != {".txt"}:
        return False
    return 2 * sum(_is_read(".txt", file.open) for file in files) < len(files)


def _as_one_file(files: Sequence[InputFile], name: str) -> Iterator[InputFile | Problem]:
    """The texts of a folder as a file of its task, named by their ids, or why one cannot be read."""
    if sum(file.size for file in files) > limits.current().total:
        yield refused(name, f"more than {limits.size(limits.current().total)} in all")
        return
    pairs: list[str] = []  # of JSON, whose reader says which id has two texts
    for file in files:
        said = f"{name}/{file.path.name}"
        if file.size > formats.largest(".txt"):
            yield refused(said, too_large(file.size, formats.largest(".txt")))
            continue
        try:
            with file.open() as stream:
                pairs.append(f"{json.dumps(file.path.stem)}: {json.dumps(decode(limits.read_whole(stream)))}")
        except (*DAMAGE, UnusableInput) as error:
            yield refused(said, error.message if isinstance(error, UnusableInput) else reason_of(error))
    task = files[0].path.parent.name
    yield InputFile.in_memory(f"{task}.json", f"{{{', '.join(pairs)}}}".encode(), display_name(f"{name}/*.txt"))


def _is_hidden(path: str) -> bool:
    """Whether the path is hidden or was made by a file manager."""
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(path).parts)


def _file(
    file: Path, name: str, inside: PurePosixPath, *, is_beside_others: bool = False
) -> Iterator[InputFile | Problem]:
    inside, open_file = _unpacked(inside, lambda: file.open("rb"))
    suffix = inside.suffix.lower()
    try:
        status = file.stat()
    except OSError as error:
        yield refused(name, reason_of(error))
        return
    if not stat.S_ISREG(status.st_mode):
        yield refused(name, "it is not a file but a device, a pipe or a socket")
    elif is_beside_others and not _is_read(suffix, open_file):
        yield from _left_out(name, suffix)
    elif status.st_size > formats.largest(suffix):
        yield refused(name, too_large(status.st_size, formats.largest(suffix)))
    elif suffix == ".zip":
        yield from _members(file, name, inside)
    else:
        yield InputFile(display_name(name), inside, open_file, status.st_size)


def _members(file: Path, name: str, inside: PurePosixPath) -> Iterator[InputFile | Problem]:
    """The files of the ZIP, or why they cannot be read. Bare split files in `<task>.zip` belong to that task."""
    try:
        with file.open("rb") as stream:
            check_directory(stream)
        archive = zipfile.ZipFile(file)  # its list is read once, and it is closed with the last of its files
        infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
    except (*DAMAGE, ValueError) as error:
        yield refused(name, f"it is not a readable ZIP file ({reason_of(error)}); make it again")
        return
    members = [(info, PurePosixPath(info.filename.replace("\\", "/"))) for info in infos]
    members = [(info, path) for info, path in members if _leads_out(path) or not _is_hidden(str(path))]
    if len(members) > limits.MAX_MEMBERS:
        yield refused(name, f"more than {limits.MAX_MEMBERS:,} files in the ZIP")
        return
    accepted: list[InputFile] = []
    for info, path in members:
        member = f"{name}/{path}"
        path, open_member = _unpacked(path, partial(_open, archive, info))  # noqa: PLW2901
        suffix = path.suffix.lower()
        reasons = {
            "its path leads out of the ZIP; make the ZIP again": _leads_out(path),
            "it is a link; put the file itself into the ZIP": stat.S_ISLNK(info.external_attr >> 16),
            "it is a ZIP within the ZIP; unpack it first": suffix == ".zip",
            "it is encrypted; make the ZIP without a password": bool(info.flag_bits & 1),
            "it is packed in an unusual way; make the ZIP with deflate": info.compress_type not in _PACKED,
            too_large(info.file_size, formats.largest(suffix)): info.file_size > formats.largest(suffix),
            f"it unpacks to {limits.size(info.file_size)}, more than {limits.MAX_RATIO} times its packed size": (
                info.file_size > limits.RATIO_FROM + limits.MAX_RATIO * info.compress_size
            ),
        }
        if why := [reason for reason, holds in reasons.items() if holds]:
            yield refused(member, why[0])
        else:
            placed = inside.with_suffix("") / path if len(path.parts) == 1 else path
            accepted.append(InputFile(member, placed, open_member, info.file_size))
    yield from _read_members(accepted)


def _read_members(members: Sequence[InputFile]) -> Iterator[InputFile | Problem]:
    """The members that are read; a folder with a text for each answer is one file."""
    by_folder = dict[PurePosixPath, list[InputFile]]()
    for member in members:
        by_folder.setdefault(member.path.parent, []).append(member)
    for folder in [folder for folder, found in by_folder.items() if _are_answers(found)]:
        found = by_folder.pop(folder)
        yield from _as_one_file(found, found[0].name.rpartition("/")[0])
    for member in (member for member in members if member.path.parent in by_folder):
        suffix = member.path.suffix.lower()
        if _is_read(suffix, member.open):
            yield replace(member, name=display_name(member.name))
        else:
            yield from _left_out(member.name, suffix)


def _left_out(name: str, suffix: str) -> Iterator[Problem]:
    """The warning about a file among others that is not read; reports and pictures need none."""
    if suffix not in _NEVER_ANSWERS:
        yield refused(name, formats.LONE_TEXT if suffix == ".txt" else formats.NOT_KNOWN, is_error=False)


def _is_read(suffix: str, open_file: _Opener) -> bool:
    """Whether a file among others is read: by its ending, or where that says nothing by how it begins."""
    if suffix not in formats.OPEN:
        return suffix == ".zip" or suffix in formats.FORMATS
    try:
        with open_file() as stream:
            return formats.begins_well(suffix, stream.readline(10_000))
    except (*DAMAGE, UnusableInput):
        return False


def _piped(path: Path) -> InputFile:
    """What comes through standard input (`-`) or a pipe."""
    name, opened = ("standard input", sys.stdin.buffer) if str(path) == "-" else (str(path), path.open("rb"))
    with opened as stream:
        return InputFile.in_memory("-", limits.read_whole(stream), name)


def _unpacked(path: PurePosixPath, open_file: _Opener) -> tuple[PurePosixPath, _Opener]:
    """The path without .gz, and how its content is opened."""
    if path.suffix.lower() != ".gz":
        return path, open_file

    @contextmanager
    def opened() -> Iterator[IO[bytes]]:
        with open_file() as packed, _Gunzipped(fileobj=packed, mode="rb") as stream:
            yield cast(IO[bytes], stream)

    return path.with_suffix(""), opened


class _Gunzipped(gzip.GzipFile):
    """The unpacked bytes, as many as a file read line by line may have."""

    def _within_limits(self, data: bytes) -> bytes:
        if self.tell() > limits.current().by_lines:
            raise UnusableInput(f"it unpacks to more than {limits.size(limits.current().by_lines)}")
        return data

    def read(self, size: int | None = -1) -> bytes:
        return self._within_limits(super().read(size))

    def read1(self, size: int = -1) -> bytes:
        return self._within_limits(super().read1(size))

    def readline(self, size: int | None = -1) -> bytes:
        return self._within_limits(super().readline(size))


def _leads_out(path: PurePosixPath) -> bool:
    return path.is_absolute() or ".." in path.parts or _DRIVE.match(str(path)) is not None


@contextmanager
def _open(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[IO[bytes]]:
    """The member's unpacked bytes, which are never more than the ZIP states."""
    with (
        archive.open(info) as stream,
        io.BufferedReader(cast(io.RawIOBase, stream), buffer_size=1 << 20) as buffered,
    ):
        yield buffered


def system_names(paths: Sequence[str]) -> list[str]:
    """A name for each system: the shortest end of its path that is unique, without words that all share at the end.

    `a_preds.csv` and `b_preds.csv` are `a` and `b`.
    """
    wholes = [Path(path).absolute() for path in paths]
    bare = [path.with_suffix("") if path.suffix.lower() in formats.suffixes() else path for path in wholes]
    for forms in (bare, wholes):
        for length in range(1, max(len(path.parts) for path in forms) + 1):
            names = ["/".join(path.parts[-length:]) for path in forms]
            if len(set(names)) < len(names):
                continue
            words = [re.split(r"(?=[/_-])", name) for name in names]
            while len(names) > 1 and min(map(len, words)) > 1 and len({parts[-1] for parts in words}) == 1:
                words = [parts[:-1] for parts in words]
            without = ["".join(parts) for parts in words]
            return without if all(without) else names
    raise UnusableInput(f"the same path is given twice: {', '.join(paths)}; give each once")


def runs_in(path: str) -> list[str]:
    """The runs of a system at this path: the folders and files of answers in a folder; anything else is one run.

    Raises `UnusableInput` for a folder without any.
    """
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    inside = [each for each in sorted(folder.iterdir()) if not _is_hidden(each.name)]
    runs = [str(each) for each in inside if each.is_dir() or _may_hold_answers(each)]
    if not runs:
        raise UnusableInput(f"there are no files of answers in {short(path, 200)!r}, and no folders; give its runs")
    return runs


def _may_hold_answers(file: Path) -> bool:
    name, open_file = _unpacked(PurePosixPath(file.name), lambda: file.open("rb"))
    return _is_read(name.suffix.lower(), open_file)
