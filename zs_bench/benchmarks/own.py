"""A benchmark of one's own from a TOML file; `docs/own-benchmark.md` has every key.

Only `name` and the metric of each task are required.
"""

import re
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any

from zs_bench.benchmarks.expressions import LENGTH, MOST_WAYS, SIMPLER, ways
from zs_bench.benchmarks.packaged import BENCHMARKS, METRICS_OF_CHOICES
from zs_bench.benchmarks.records import Average, Benchmark, Task, Template
from zs_bench.errors import UnusableInput
from zs_bench.problems import short
from zs_metric.errors import did_you_mean
from zs_metric.f1 import NORMALIZATION
from zs_metric.metrics import METRICS, Metric, with_steps

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,99}")
# The most characters of a definition; of one text in it, outside of prompts; and of regular expressions: of one, and of
# all together, since one character of them can take a hundredth of a second to compile.
_MOST, _MOST_OF_TEXT, _MOST_OF_PATTERN, _MOST_OF_PATTERNS = 200_000, 2_000, 200, 4_000
# The most dots of one line, since the time that `tomllib` takes for a key grows with the square of its parts.
_MOST_DOTS = 200
# The most entries of a table or list: tasks, averages, texts.
_MOST_ENTRIES = 200
# Where a prompt that is too long may be cut.
_CUTS = ("end", "middle")
# The fields of every row, and those that metrics and `length_bins` read.
_FIELDS, _ASKED = ("id", "prediction", "references", "task", "score", "input"), ("all_classes", "length")
# Names that mean something else.
_TAKEN = ("average", *BENCHMARKS)
_KINDS = {str: "a text", int: "a whole number", bool: "true or false", list: "a list of texts", dict: "a table"}
_KEYS: Mapping[str, Mapping[str, type]] = {
    "": {
        **dict.fromkeys(("name", "title", "code", "paper", "repo", "lead"), str),
        "splits": list,
        "fields": dict,
        "tasks": dict,
        "averages": dict,
        "headline": list,
        "length_bins": dict,
    },
    "average": {"title": str, "short_title": str, "mean_of": list, "hidden": bool},
    "fields": dict.fromkeys((*_FIELDS, *_ASKED), str),
    "task": {
        **dict.fromkeys(("metric", "title", "short_title", "kind", "domain", "asks", "document_of_id"), str),
        **dict.fromkeys(("averaged", "options", "answerability"), bool),
        "steps": list,
        "choices": list,
        "answer_budget": int,
        "prompt": dict,
    },
    "prompt": {
        **dict.fromkeys(("instruction", "context_header", "query_header", "response_header", "text", "cut"), str),
        "stop": list,
        "chat": bool,
    },
}

#: The keys whose values are read from elsewhere, by the commands and where the server's owner names the file.
READS = ("repo",)


def read_benchmark(path: Path, *, uploaded: bool = False) -> Benchmark:
    """Return the benchmark that a file defines; raises `UnusableInput` with its line, table and key.

    Args:
        path: of the file.
        uploaded: whether a visitor sent it, so that what would make the server read something else is refused.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(_MOST + 1)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        name = path.name if uploaded else path  # without the server's folders
        raise UnusableInput(f"{name} cannot be read ({reason}); give a TOML file that defines a benchmark") from None
    if len(text) > _MOST:
        raise UnusableInput(f"{path.name} has more than {_MOST:,} characters; give a file that defines a benchmark")
    try:
        return uploaded_benchmark(text) if uploaded else benchmark_of(text)
    except UnusableInput as error:
        raise UnusableInput(f"{path.name}, {error}") from None


def uploaded_benchmark(definition: str) -> Benchmark:
    """Return the benchmark of a definition that a visitor sent; raises as `benchmark_of`, and for what `READS`."""
    if len(definition) > _MOST:
        raise UnusableInput(f"it has more than {_MOST:,} characters; give the definition of a benchmark")
    benchmark = benchmark_of(definition)
    if key := next((key for key in READS if getattr(benchmark, key)), None):
        step = "leave the line out, and give the references"
        raise _Reader(definition).error((key,), "would be read by the server, with its own rights", step)
    return benchmark


@lru_cache(64)
def benchmark_of(definition: str) -> Benchmark:
    """Return the benchmark of a definition, one object per process; raises `UnusableInput` with line, table and key."""
    content, read = content_of(definition), _Reader(definition)
    benchmark = read.benchmark(content, definition)
    patterns = {task.name: task.document_of_id for task in benchmark.rows if task.document_of_id is not None}
    if (length := sum(map(len, patterns.values()))) > _MOST_OF_PATTERNS:
        step = f"give {_MOST_OF_PATTERNS:,} at most"
        raise read.error(("tasks",), f"has {length:,} characters of document_of_id together", step)
    for name, pattern in patterns.items():
        read.check_pattern(("tasks", name, "document_of_id"), pattern)
    return benchmark


def content_of(definition: str) -> dict[str, Any]:
    """Return the tables of a definition; raises `UnusableInput` for what is no TOML, or too nested."""
    for number, line in enumerate(definition.split("\n"), 1):
        if line.count(".") > _MOST_DOTS:
            step = 'break its text into several lines, between """ and """'
            raise UnusableInput(f"line {number}: it has more than {_MOST_DOTS} dots; {step}")
    try:
        return tomllib.loads(definition)
    except RecursionError:
        raise UnusableInput("it is not TOML: its tables or lists are nested too deeply; nest them less") from None
    except ValueError as error:  # also a number of thousands of digits
        place = re.search(r"at line (\d+)", str(error))
        line = definition.split("\n")[int(place[1]) - 1] if place else ""
        step = "; write a text that has \\ between single quotes, '…'" if "\\" in line else ""
        raise UnusableInput(f"it is not TOML: {error}{step}") from None


def benchmark_of_content(content: dict[str, Any]) -> Benchmark:
    """Return the benchmark of a definition's tables, in time linear in their size: no regular expression is compiled.

    It is for the server, which shows what a job has scored; it has no `definition`.
    """
    return _Reader("").benchmark(content, "")


class _Reader:
    """Reads the tables of a definition, and finds the line of what is wrong."""

    def __init__(self, definition: str) -> None:
        self._lines = definition.split("\n")

    def benchmark(self, content: dict[str, Any], definition: str) -> Benchmark:
        top = self.table(content, (), _KEYS[""], required=("name", "tasks"))
        name, tasks = top["name"], top.pop("tasks")
        self.check_name(name, ("name",), f"is {short(name)!r}")
        if not tasks:
            raise self.error(("tasks",), "is empty", "add a table such as [tasks.who] with a metric")
        rows = tuple(self.task(task, columns) for task, columns in tasks.items())
        if not any(row.averaged for row in rows):
            raise self.error(("tasks",), "has no task of the average", "leave averaged out of one")
        title = top.pop("title", name)
        top["fields"] = self.table(top.get("fields", {}), ("fields",), _KEYS["fields"])
        top["averages"] = self.averages(top.get("averages", {}), tasks)
        for average in top.get("headline", ()):
            if average not in top["averages"]:
                raise self.error(("headline",), f"has {average!r:.60}", _one_of(average, top["averages"]))
        top["length_bins"] = self.length_bins(top.get("length_bins", {}))
        del top["name"]
        benchmark = Benchmark(name, title, f"{name}_score", rows=rows, definition=definition, **top)
        if unread := next((key for key in _ASKED if key in top["fields"] and key not in benchmark.asked()), None):
            step = "add [length_bins]" if unread == "length" else 'give a task the metric "classification"'
            raise self.error(("fields", unread), "is read by nothing here", f"{step}, or leave it out")
        return benchmark

    def task(self, name: str, columns: object) -> Task:
        place = "tasks", name
        self.check_name(name, place, "cannot name a task")
        table = self.table(columns, place, _KEYS["task"], required=("metric",))
        metric = self._metric(place, table.pop("metric"), table.pop("steps", None), table.get("choices", ()))
        prompt = table.pop("prompt", None)
        if prompt is not None:
            table |= self.prompt(prompt, (*place, "prompt"))
        return Task(name, metric, **table)

    def prompt(self, prompt: object, place: tuple[str, ...]) -> dict[str, Any]:
        """The columns of a task that its table of the prompt gives: one text with places, or the four of a template."""
        one = isinstance(prompt, dict) and "text" in prompt
        table = self.table(prompt, place, _KEYS["prompt"], required=() if one else ("instruction", "context_header"))
        columns: dict[str, Any] = {key: table.pop(key) for key in ("cut", "stop", "chat") if key in table}
        if columns.get("cut", "end") not in _CUTS:
            raise self.error((*place, "cut"), f"is {columns['cut']!r:.60}", _one_of(columns["cut"], _CUTS))
        if "" in columns.get("stop", ()):
            raise self.error((*place, "stop"), "has an empty text", "leave it out")
        if not one:
            return {"template": Template(**{"query_header": None, "response_header": "Answer:", **table}), **columns}
        text = table.pop("text")
        if table:
            raise self.error((*place, next(iter(table))), "stands beside the one text", "write it into the text")
        if text.count("{context}") != 1 or text.count("{input}") > 1:
            step = "put {context} into it once, for the long text, and {input} at most once, for the question"
            raise self.error((*place, "text"), "has not the places of a prompt", step)
        return {"prompt": text, **columns}

    def check_pattern(self, place: tuple[str, ...], pattern: str) -> None:
        """Raise the error of a text that is no regular expression with one group."""
        if "\b" in pattern:
            step = "write the expression between single quotes, '…'"
            raise self.error(place, "has a backspace, which \\b is between double quotes", step)
        try:
            groups = re.compile(pattern).groups
        except (re.error, OverflowError, RecursionError) as error:
            raise self.error(place, f"is no regular expression ({error})", "mend it") from None
        if groups != 1:
            raise self.error(place, f"has {groups} groups", "put the document's name in one")
        if ways(pattern, LENGTH) > MOST_WAYS:
            wrong = f"may match an id of {LENGTH} characters in more than {MOST_WAYS:,} ways, which takes too long"
            raise self.error(place, wrong, SIMPLER)

    def averages(self, tables: Mapping[str, object], tasks: Iterable[str]) -> dict[str, Average]:
        """The averages by name; each is of tasks, and of averages that stand before it."""
        averages, names = dict[str, Average](), dict.fromkeys(tasks)
        for name, columns in tables.items():
            place = "averages", name
            self.check_name(name, place, "cannot name an average")
            if name in names:
                raise self.error(place, "has the name of a task", "take another")
            table = self.table(columns, place, _KEYS["average"], required=("mean_of",))
            for member in table["mean_of"]:
                if member not in names:
                    raise self.error((*place, "mean_of"), f"has {member!r:.60}", _one_of(member, names))
            if not table["mean_of"]:
                raise self.error((*place, "mean_of"), "is empty", f"name some of {', '.join(names)}")
            averages[name] = Average(**{"title": name, **table})
            names[name] = None
        return averages

    def length_bins(self, bins: Mapping[str, object]) -> dict[str, float]:
        """The groups of `study --by length`, each with the length that is too long for it, in rising order."""
        limits: dict[str, float] = {}
        for name, limit in bins.items():
            if (
                not isinstance(limit, int | float)
                or isinstance(limit, bool)
                or not limit > max(limits.values(), default=0)
            ):
                step = "give a number that is greater than that of the group before it, or inf"
                raise self.error(("length_bins", name), f"is {limit!r:.60}", step)
            limits[name] = limit
        if limits and isfinite(max(limits.values())):
            raise self.error(("length_bins",), "has no group for the longest rows", "write inf for the last one")
        return limits

    def check_name(self, name: str, place: tuple[str, ...], wrong: str) -> None:
        """Raise the error of a name that is none, or that means something else."""
        if name in _TAKEN:
            raise self.error(place, wrong, f"take another, since {', '.join(_TAKEN)} mean something else")
        if not _NAME.fullmatch(name):
            raise self.error(place, wrong, "take another, of lowercase letters, digits and _")

    def _metric(
        self, place: tuple[str, ...], name: str, steps: tuple[str, ...] | None, choices: tuple[str, ...]
    ) -> Metric:
        if name not in (names := (*METRICS, *METRICS_OF_CHOICES)):
            raise self.error((*place, "metric"), f"is {name!r:.60}", _one_of(name, names))
        metric = METRICS.get(name) or METRICS_OF_CHOICES[name](choices)
        if steps is None:
            return metric
        if not metric.steps:
            raise self.error((*place, "steps"), f"is for metrics of words, and not for {name}", "leave it out")
        for step in steps:
            if step not in NORMALIZATION:
                raise self.error((*place, "steps"), f"has {step!r:.60}", _one_of(step, NORMALIZATION))
        return with_steps(metric, [step for step in NORMALIZATION if step in steps])

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
            self._check_size((*place, key), value)
        for key in required:
            if key not in table:
                raise self.error(place, f"has no {key!r}", f"add {key}")
        return {key: tuple(value) if type(value) is list else value for key, value in table.items()}

    def _check_size(self, place: tuple[str, ...], value: object) -> None:
        if isinstance(value, list | dict) and len(value) > _MOST_ENTRIES:
            raise self.error(place, f"has {len(value):,} entries", f"give {_MOST_ENTRIES} at most")
        most = _MOST_OF_PATTERN if place[-1] == "document_of_id" else _MOST if "prompt" in place else _MOST_OF_TEXT
        texts = value if isinstance(value, list) else [value]
        if longest := max((len(text) for text in texts if isinstance(text, str) and len(text) > most), default=0):
            raise self.error(place, f"has {longest:,} characters", f"give {most:,} at most")

    def error(self, place: tuple[str, ...], wrong: str, step: str) -> UnusableInput:
        return UnusableInput(f"line {self._line(place)}: {'.'.join(map(short, place)) or 'the file'} {wrong}; {step}")

    def _line(self, place: tuple[str, ...]) -> int:
        """The line of the key, or of the header of its table, as far as they are found."""
        table, found, best, depth = tuple[str, ...](), tuple[str, ...](), 1, -1
        for number, line in enumerate(self._lines, 1):
            text = line.strip()
            if text.startswith("["):
                table = found = _parts(text.lstrip("[").partition("]")[0])
            else:
                key, equals, _ = text.partition("=")
                if not equals or "#" in key or "[" in key:
                    continue
                found = (*table, *_parts(key))
            shared = len(found) if found == place[: len(found)] else -1
            if shared > depth:
                best, depth = number, shared
        return best


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in name.split("."))


def _one_of(name: str, names: Iterable[str]) -> str:
    listed = list(names)
    return did_you_mean(name, listed) or f"it may be {', '.join(listed)}"
