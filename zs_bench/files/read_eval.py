"""Logs of Inspect in its own form, `.eval`: a ZIP with a JSON file for each sample, packed with Zstandard.

Python reads such a ZIP from 3.14, before that with a package that comes with Inspect. Sizes are checked before anything
is unpacked, and one sample is held at a time.
"""

import io
import sys
import zipfile
from collections.abc import Iterator
from importlib import import_module
from typing import IO

from zs_bench.files import limits
from zs_bench.files.archives import directory
from zs_bench.files.entries import FileFacts, Found
from zs_bench.files.json_text import JsonObject, parse
from zs_bench.files.opened_file import damage, too_large
from zs_bench.files.read_inspect import read_samples
from zs_bench.problems import UnusableInput

#: Bytes of the list of a ZIP's members: some 100 for each.
_MAX_DIRECTORY = 10_000_000
# The record at the end of a ZIP, with the longest comment, and before it those of a large one.
_TAIL = 70_000
# Where the name of the task is; a log that was broken off has the second only.
_HEADERS = ("header.json", "_journal/start.json")


def read_eval(stream: IO[bytes], file: FileFacts) -> Found:
    """The samples of the log as entries.

    Raises:
        UnusableInput: for a log that cannot be read, is too large, or has no samples.
    """
    _can_unpack()
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - _TAIL))
    if directory(stream.read(_TAIL)).size > _MAX_DIRECTORY:
        raise UnusableInput("the log has too many samples")
    with zipfile.ZipFile(stream) as archive:
        infos = {info.filename: info for info in archive.infolist()}
        samples = [info for name, info in infos.items() if name.startswith("samples/") and name.endswith(".json")]
        header = next((infos[name] for name in _HEADERS if name in infos), None)
        if header is None or not samples:
            raise UnusableInput("the ZIP is no log of Inspect with samples")
        unpacked, most = sum(info.file_size for info in samples), limits.current().total
        if unpacked > most:
            raise UnusableInput(f"the log unpacks to {too_large(unpacked, most)}")
        file.record.format = "Inspect log"
        yield from read_samples(_json(archive, header), _each(archive, samples), file)


def _can_unpack() -> None:
    if sys.version_info >= (3, 14):
        return
    try:
        import_module("zipfile_zstd")  # it teaches zipfile to read Zstandard
    except ModuleNotFoundError:
        raise UnusableInput(
            "an .eval log needs the extra 'inspect' (Python 3.11 or newer), which is not installed here; "
            "or write the log as JSON, with: inspect log convert --to json"
        ) from None


def _each(archive: zipfile.ZipFile, samples: list[zipfile.ZipInfo]) -> Iterator[JsonObject]:
    for info in samples:
        yield _json(archive, info)


def _json(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> JsonObject:
    if info.file_size > limits.MAX_WHOLE:
        raise UnusableInput(f"{info.filename} unpacks to {too_large(info.file_size, limits.MAX_WHOLE)}")
    try:
        text = archive.read(info).decode("utf-8")
    except Exception as error:
        raise UnusableInput(f"{info.filename} cannot be read ({damage(error)}); is the log damaged?") from error
    value = parse(text)
    if not isinstance(value, JsonObject):
        raise UnusableInput(f"{info.filename} holds no JSON object; is the log damaged?")
    return value
