"""Logs of Inspect, in JSON or as `.eval`: an answer for each sample of the first epoch; as references, its target.

A sample that exceeded the model's window or was stopped by a filter has an error's text in place of an answer. It is
unanswered, as is a sample that ended with an error.

An `.eval` log is a ZIP with a JSON file for each sample, packed with Zstandard. Python reads it from 3.14, before that
with a package that comes with Inspect. Sizes are checked before unpacking, and one sample is held at a time.
"""

import sys
import zipfile
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import IO, Any

from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_bench.files.columns import recorded_score
from zs_bench.files.entries import Entry, Found, ReadFile, canonical_task, known_task
from zs_bench.files.json_text import JsonObject, fields, first, kind, parse, written
from zs_bench.files.opened_file import check_directory, reason_of, too_large
from zs_bench.problems import Place, Problem

# The stop reasons whose completion is not an answer.
_NO_ANSWER = frozenset({"model_length", "content_filter"})
# Where the name of the task is; an interrupted log has the second only.
_HEADERS = ("header.json", "_journal/start.json")


def read_samples(header: Mapping[str, Any], samples: Iterable[Any], file: ReadFile) -> Found:
    """The samples of a log, in any order, as entries; the value of one that has no answer is null."""
    name = fields(header.get("eval")).get("task")
    last = name.rpartition("/")[2] if isinstance(name, str) else ""
    task = canonical_task(last, file.benchmark) or (last if last.startswith("scrolls_") else None)
    place, has_epochs = Place(file.name), False
    for item in samples:
        if not isinstance(item, JsonObject):
            yield file.unreadable(f"a sample is {kind(item)}, not an object", None, task or file.task)
            continue
        sample, output = fields(item), fields(fields(item).get("output"))
        if written(sample.get("epoch")) not in (None, "1"):
            has_epochs = True
            continue
        if file.text == "references":
            yield Entry(task, sample.get("id"), sample.get("target"), place, file.split)
            continue
        failed = sample.get("error") is not None or output.get("error") is not None
        withheld = first(output.get("choices")).get("stop_reason") in _NO_ANSWER
        answer = None if failed or withheld else output.get("completion")
        scores = fields(sample.get("scores"))
        recorded = recorded_score(scores, file.columns.get("score", ""), scores)
        yield Entry(task, sample.get("id"), answer, place, file.split, recorded=recorded)
    if has_epochs:
        message = "the log holds several epochs; the answers of the first are read"
        yield Problem("filters", message, known_task(task or file.task, file.benchmark), place=place, is_error=False)


def read_eval(stream: IO[bytes], file: ReadFile) -> Found:
    """The samples of the log as entries."""
    if sys.version_info < (3, 14):
        try:
            import_module("zipfile_zstd")  # adds Zstandard to zipfile
        except ModuleNotFoundError:
            raise UnusableInput(
                "an .eval log needs zipfile_zstd; install it with: pip install zipfile-zstd; or write the log as JSON, "
                "with: inspect log convert --to json"
            ) from None
    check_directory(stream)
    with zipfile.ZipFile(stream) as archive:
        infos = {info.filename: info for info in archive.infolist()}
        samples = [info for name, info in infos.items() if name.startswith("samples/") and name.endswith(".json")]
        header = next((infos[name] for name in _HEADERS if name in infos), None)
        if header is None or not samples:
            raise UnusableInput("the ZIP is not an Inspect log with samples")
        unpacked, most = sum(info.file_size for info in samples), limits.current().total
        if unpacked > most:
            raise UnusableInput(f"the log unpacks to {too_large(unpacked, most)}")
        file.format = "Inspect log"
        yield from read_samples(fields(_json(archive, header)), (_json(archive, sample) for sample in samples), file)


def _json(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> JsonObject:
    if info.file_size > limits.current().whole:
        raise UnusableInput(f"{info.filename} unpacks to {too_large(info.file_size, limits.current().whole)}")
    try:
        text = archive.read(info).decode("utf-8")
    except Exception as error:
        raise UnusableInput(f"{info.filename} cannot be read ({reason_of(error)}); is the log damaged?") from error
    value = parse(text)
    if not isinstance(value, JsonObject):
        raise UnusableInput(f"{info.filename} holds no JSON object; is the log damaged?")
    return value
