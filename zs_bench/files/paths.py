"""From paths to files that can be read: a file is itself, a folder its files, a ZIP its members.

Nothing is extracted to disk, so member names can do no harm; they only serve to name the task and the place. Links to
files are followed (the Hub's own cache is made of them), links to folders are not.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from zs_bench.files import formats, limits
from zs_bench.files.archives import members
from zs_bench.files.opened_file import Source, damage, is_hidden, refused, shown, too_large
from zs_bench.problems import Problem, UnusableInput, short


def open_inputs(inputs: Iterable[str | Path], names: Iterable[str] | None = None) -> tuple[list[Source], list[Problem]]:
    """All files in the given paths, and the problems of those that cannot be opened.

    Args:
        names: the names of the paths in messages; by default their own.

    Raises:
        UnusableInput: for a path that does not exist.
    """
    paths = [Path(path) for path in inputs]
    sources: list[Source] = []
    problems: list[Problem] = []
    total = 0
    for path, name in zip(paths, _names(paths) if names is None else names, strict=True):
        if not path.exists():
            raise UnusableInput(f"there is no file or folder {short(str(path), 200)!r}; check the path")
        for found in _walk(path, name, upload=names is not None):
            if isinstance(found, Problem):
                problems.append(found)
                continue
            total += found.size
            if total > limits.current().total:
                problems.append(refused(found.name, f"more than {limits.size(limits.current().total)} in all"))
                return sources, problems
            sources.append(found)
    return sources, problems


def _names(paths: list[Path]) -> list[str]:
    """The last part of each path, or the whole path where two end alike."""
    names = [path.name or str(path) for path in paths]
    return [str(path) if names.count(name) > 1 else name for path, name in zip(paths, names, strict=True)]


def _walk(path: Path, name: str, *, upload: bool) -> Iterator[Source | Problem]:
    if not path.is_dir():
        # The folder of `qasper/validation.jsonl` names the task; the folder of an upload does not.
        yield from _file(path, name, PurePosixPath("" if upload else path.absolute().parent.name, Path(name).name))
        return
    problems: list[Problem] = []
    files = _files_of(path, name, problems)
    yield from problems
    if len(files) > limits.MAX_MEMBERS:
        yield refused(name, f"more than {limits.MAX_MEMBERS:,} files in the folder")
        return
    for file in files:
        inside = file.relative_to(path).as_posix()
        yield from _file(file, f"{name}/{inside}", PurePosixPath(path.absolute().name, inside), given=False)


def _files_of(folder: Path, name: str, problems: list[Problem]) -> list[Path]:
    """The files of the folder, sorted by name, at most a few more than the limit."""
    files: list[Path] = []

    def not_listed(error: OSError) -> None:
        problems.append(refused(name, f"a folder in it cannot be opened ({damage(error)})"))

    for where, folders, names in os.walk(folder, onerror=not_listed):
        inner = [Path(where, inner) for inner in folders if not is_hidden(inner)]
        linked = (link.relative_to(folder).as_posix() for link in inner if link.is_symlink())
        problems += [refused(f"{name}/{link}", "it is a link to a folder; give that folder itself") for link in linked]
        folders[:] = [inner.name for inner in inner]
        files += [Path(where, file) for file in names if not is_hidden(file)]
        if len(files) > limits.MAX_MEMBERS:
            break
    return sorted(files)


def _file(file: Path, name: str, inside: PurePosixPath, *, given: bool = True) -> Iterator[Source | Problem]:
    suffix = inside.suffix.lower()
    if suffix not in formats.suffixes():
        yield formats.not_known(name, given=given)
        return
    try:
        status = file.stat()
    except OSError as error:
        yield refused(name, damage(error))
        return
    largest = formats.largest(suffix)
    if not stat.S_ISREG(status.st_mode):
        yield refused(name, "it is not a file but a device, a pipe or a socket")
    elif status.st_size > largest:
        yield refused(name, too_large(status.st_size, largest))
    elif suffix == ".zip":
        yield from members(file, name, inside)
    else:
        yield Source(shown(name), inside, lambda: file.open("rb"), status.st_size)
