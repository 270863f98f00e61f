"""Logs of Inspect: an answer for each sample of the first epoch. These are the JSON ones; `read_eval` unpacks `.eval`.

A sample that stopped for its length in the model's window or for a filter holds the text of an error where the answer
would be; neither is that an answer nor is anything of a sample that ended with an error.
"""

from collections.abc import Iterable
from typing import Any

from zs_bench.files.entries import Entry, FileFacts, Found, known_task, spelt_otherwise
from zs_bench.files.json_text import JsonObject, kind, written
from zs_bench.problems import Place, Problem

#: Why a completion is no answer of the model.
_NO_ANSWER = frozenset({"model_length", "content_filter"})


def is_inspect_log(value: JsonObject) -> bool:
    """Whether the value is a log of Inspect."""
    log = dict(value)
    return isinstance(log.get("eval"), JsonObject) and isinstance(log.get("samples"), list)


def read_inspect_log(value: JsonObject, file: FileFacts) -> Found:
    """The samples of the log as entries; the value of one that has no answer is null."""
    return read_samples(value, dict(value)["samples"], file)


def read_samples(header: JsonObject, samples: Iterable[Any], file: FileFacts) -> Found:
    """The samples of a log as entries.

    Args:
        header: what the log says of itself, with the task's name under `eval`.
        samples: one after another, in any order.
        file: the log.
    """
    about = dict(header).get("eval")
    task = _task(dict(about).get("task") if isinstance(about, JsonObject) else None, file)
    place, others = Place(file.name), 0
    for item in samples:
        if not isinstance(item, JsonObject):
            yield file.unreadable(f"a sample is {kind(item)}, not an object", None, task)
            continue
        sample = dict(item)
        if written(sample.get("epoch")) in (None, "1"):
            yield Entry(task, sample.get("id"), _answer(sample), place, file.split)
        else:
            others += 1
    if others:
        message = "the log holds several epochs; the answers of the first are read"
        yield Problem("filters", message, known_task(task), place=place, refuses=False)


def _task(name: Any, file: FileFacts) -> str:
    """The task: the last part of the log's own name for it, else what the file's name says."""
    last = name.rpartition("/")[2] if isinstance(name, str) else ""
    return known_task(last) or spelt_otherwise(last) or (last if last.startswith("scrolls_") else file.task)


def _answer(sample: dict[str, Any]) -> Any:
    output = dict(sample["output"]) if isinstance(sample.get("output"), JsonObject) else {}
    choices = output.get("choices")
    choice = dict(choices[0]) if isinstance(choices, list) and choices and isinstance(choices[0], JsonObject) else {}
    failed = sample.get("error") is not None or output.get("error") is not None
    return None if failed or choice.get("stop_reason") in _NO_ANSWER else output.get("completion")
