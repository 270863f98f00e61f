"""A benchmark of one's own from a TOML file; `docs/own-benchmark.md` has every key.

Only `name` and the metric of each task are required.
"""

import re
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from zs_bench.benchmarks.records import Average, Benchmark, Task, Template
from zs_bench.errors import UnusableInput
from zs_metric.errors import did_you_mean
from zs_metric.f1 import NORMALIZATION
from zs_metric.tasks import METRICS, Metric, with_steps

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_NAME = re.compile(r"[a-z0-9][a-z0-9_]*")
# The most characters of a definition.
_MOST = 200_000
# Names that mean something else.
_TAKEN = ("average", "zero_scrolls", "scrolls")
_KINDS = {str: "a text", int: "a whole number", bool: "true or false", list: "a list of texts", dict: "a table"}
_KEYS: Mapping[str, Mapping[str, type]] = {
    "": {
        **dict.fromkeys(("name", "title", "code", "paper", "repo", "lead"), str),
        "splits": list,
        "fields": dict,
        "tasks": dict,
        "averages": dict,
    },
    "average": {"title": str, "mean_of": list},
    "fields": dict.fromkeys(("id", "prediction", "references", "task", "score", "input"), str),
    "task": {
        **dict.fromkeys(("metric", "title", "short_title", "kind", "domain", "asks", "document_of_id"), str),
        **dict.fromkeys(("averaged", "options", "answerability"), bool),
        "steps": list,
        "choices": list,
        "answer_budget": int,
        "prompt": dict,
    },
    "prompt": dict.fromkeys(("instruction", "context_header", "query_header", "response_header"), str),
}


def read_benchmark(path: Path) -> Benchmark:
    """Return the benchmark that a file defines; raises `UnusableInput` with its line, table and key."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(_MOST + 1)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UnusableInput(f"{path} cannot be read ({reason}); give a TOML file that defines a benchmark") from None
    if len(text) > _MOST:
        raise UnusableInput(f"{path.name} has more than {_MOST:,} characters; give a file that defines a benchmark")
    try:
        return benchmark_of(text)
    except UnusableInput as error:
        raise UnusableInput(f"{path.name}, {error}") from None


@lru_cache(64)
def benchmark_of(definition: str) -> Benchmark:
    """Return the benchmark of a definition, one object per process; raises `UnusableInput` with line, table and key."""
    try:
        content = tomllib.loads(definition)
    except tomllib.TOMLDecodeError as error:
        raise UnusableInput(f"it is not TOML: {error}") from None
    read = _Reader(definition)
    top = read.table(content, (), _KEYS[""], required=("name", "tasks"))
    name, tasks = top["name"], top.pop("tasks")
    read.check_name(name, ("name",), f"is {name!r}")
    if not tasks:
        raise read.error(("tasks",), "is empty", "add a table such as [tasks.who] with a metric")
    rows = tuple(read.task(task, columns) for task, columns in tasks.items())
    if not any(row.averaged for row in rows):
        raise read.error(("tasks",), "has no task of the average", "leave averaged out of one")
    title = top.pop("title", name)
    top["fields"] = read.table(top.get("fields", {}), ("fields",), _KEYS["fields"])
    top["averages"] = read.averages(top.get("averages", {}), tasks)
    del top["name"]
    return Benchmark(name, title, f"{name}_score", rows=rows, definition=definition, **top)


class _Reader:
    """Reads the tables of a definition, and finds the line of what is wrong."""

    def __init__(self, definition: str) -> None:
        self._lines = definition.splitlines()

    def task(self, name: str, columns: object) -> Task:
        place = "tasks", name
        self.check_name(name, place, "cannot name a task")
        table = self.table(columns, place, _KEYS["task"], required=("metric",))
        metric = self._metric(place, table.pop("metric"), table.pop("steps", None))
        if (pattern := table.get("document_of_id")) is not None:
            try:
                groups = re.compile(pattern).groups
            except re.error as error:
                raise self.error((*place, "document_of_id"), f"is no regular expression ({error})", "mend it") from None
            if groups != 1:
                raise self.error((*place, "document_of_id"), f"has {groups} groups", "put the document's name in one")
        prompt = table.pop("prompt", None)
        if prompt is not None:
            texts = self.table(prompt, (*place, "prompt"), _KEYS["prompt"], required=("instruction", "context_header"))
            table["template"] = Template(**{"query_header": None, "response_header": "Answer:", **texts})
        return Task(name, metric, **table)

    def averages(self, tables: Mapping[str, object], tasks: Iterable[str]) -> dict[str, Average]:
        """The averages by name; each is of tasks, and of averages that stand before it."""
        averages: dict[str, Average] = {}
        for name, columns in tables.items():
            place, names = ("averages", name), [*tasks, *averages]
            self.check_name(name, place, "cannot name an average")
            if name in names:
                raise self.error(place, "has the name of a task", "take another")
            table = self.table(columns, place, _KEYS["average"], required=("mean_of",))
            for member in table["mean_of"]:
                if member not in names:
                    raise self.error((*place, "mean_of"), f"has {member!r}", _one_of(member, names))
            if not table["mean_of"]:
                raise self.error((*place, "mean_of"), "is empty", f"name some of {', '.join(names)}")
            averages[name] = Average(table.get("title", name), table["mean_of"])
        return averages

    def check_name(self, name: str, place: tuple[str, ...], wrong: str) -> None:
        """Raise the error of a name that is none, or that means something else."""
        if not _NAME.fullmatch(name) or name in _TAKEN:
            raise self.error(place, wrong, "take another, of lowercase letters, digits and _")

    def _metric(self, place: tuple[str, ...], name: str, steps: tuple[str, ...] | None) -> Metric:
        if name not in METRICS:
            raise self.error((*place, "metric"), f"is {name!r}", _one_of(name, METRICS))
        if steps is None:
            return METRICS[name]
        if not METRICS[name].steps:
            raise self.error((*place, "steps"), f"is for metrics of words, and not for {name}", "leave it out")
        for step in steps:
            if step not in NORMALIZATION:
                raise self.error((*place, "steps"), f"has {step!r}", _one_of(step, NORMALIZATION))
        return with_steps(METRICS[name], [step for step in NORMALIZATION if step in steps])

    def table(
        self, table: object, place: tuple[str, ...], kinds: Mapping[str, type], required: Iterable[str] = ()
    ) -> dict[str, Any]:
        """The keys and values of a table, checked; lists become tuples."""
        if not isinstance(table, dict):
            raise self.error(place, "is no table", f"write [{'.'.join(place)}]")
        for key, value in table.items():
            if key not in kinds:
                raise self.error((*place, key), "is no key of this table", _one_of(key, kinds))
            if type(value) is not kinds[key] or (type(value) is list and not all(type(each) is str for each in value)):
                raise self.error((*place, key), f"is {value!r:.60}", f"give {_KINDS[kinds[key]]}")
        for key in required:
            if key not in table:
                raise self.error(place, f"has no {key!r}", f"add {key}")
        return {key: tuple(value) if type(value) is list else value for key, value in table.items()}

    def error(self, place: tuple[str, ...], wrong: str, step: str) -> UnusableInput:
        return UnusableInput(f"line {self._line(place)}: {'.'.join(place) or 'the file'} {wrong}; {step}")

    def _line(self, place: tuple[str, ...]) -> int:
        """The line of the key, or of the header of its table, as far as they are found."""
        table, found, best, depth = tuple[str, ...](), tuple[str, ...](), 1, -1
        for number, line in enumerate(self._lines, 1):
            if header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line):
                table = _parts(header[1])
                found = table
            elif key := re.match(r"\s*([^=#\[]+?)\s*=", line):
                found = (*table, *_parts(key[1]))
            else:
                continue
            shared = len(found) if found == place[: len(found)] else -1
            if shared > depth:
                best, depth = number, shared
        return best


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in name.split("."))


def _one_of(name: str, names: Iterable[str]) -> str:
    listed = list(names)
    return did_you_mean(name, listed) or f"it may be {', '.join(listed)}"
