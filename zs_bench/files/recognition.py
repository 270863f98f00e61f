"""Which benchmark files of predictions are of, by how they look: its records say how."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import NamedTuple

from zs_bench.benchmarks import BENCHMARKS, DEFAULT, Benchmark
from zs_bench.errors import UnusableInput
from zs_bench.files.input_files import BY_LINES, InputFile
from zs_bench.files.json_text import JsonObject, parse
from zs_bench.files.paths import open_inputs
from zs_metric.errors import ZeroScrollsError

# The most bytes of a first row that are read.
_ROW = 4_000_000


class Recognised(NamedTuple):
    """The benchmark that files are of, the sentence that says so (empty where nothing says it), and others that fit."""

    benchmark: Benchmark
    sentence: str
    others: tuple[Benchmark, ...] = ()


def recognise(inputs: Iterable[object], opened: Iterable[InputFile] | None = None) -> Recognised:
    """Return the benchmark of files and folders that all have its rows and the names of its tasks, else the default.

    `opened` are their files, if the caller has them. What comes through a pipe is of the default.
    """
    given = list(inputs)
    paths = [each.absolute() for each in given if isinstance(each, Path) and (each.is_file() or each.is_dir())]
    sources = (open_inputs(paths)[0] if opened is None else opened) if len(paths) == len(given) else ()
    of_lines = [source for source in sources if source.path.suffix in BY_LINES]
    first: dict[PurePath, frozenset[str]] = {source.path: _first_fields(source) for source in of_lines}
    fitting = [each for each in BENCHMARKS.values() if each.row_fields and first and _fits(each, first)]
    folders = {part for path in (*first, *paths) for part in re.split(r"[\\/]", str(path))}
    named = [each for each in fitting if each.folder_name in folders - {""}]
    fitting = named or sorted(fitting, key=lambda each: bool(each.folder_name))
    if not fitting:
        return Recognised(BENCHMARKS[DEFAULT], "")
    chosen, *others = fitting
    fields = " and ".join(map(repr, sorted(chosen.row_fields)))
    why = f"files named as its tasks, with {fields} in each row"
    if not others:
        return Recognised(chosen, f"Scored as {chosen.title}: {why}. To insist on another, give --benchmark {DEFAULT}.")
    also = " and ".join(each.title for each in others)
    names = " or ".join(each.name for each in others)
    fit = f"These files fit {chosen.title} and {also}"
    return Recognised(chosen, f"{fit}; scored as {chosen.title}. For the other, give --benchmark {names}.", (*others,))


def _fits(benchmark: Benchmark, first: Mapping[PurePath, frozenset[str]]) -> bool:
    names = {path.stem for path in first}
    return names <= benchmark.all_tasks.keys() and all(benchmark.row_fields <= fields for fields in first.values())


def _first_fields(source: InputFile) -> frozenset[str]:
    """The fields of the first row; none where it cannot be read."""
    try:
        with source.opened() as stream:
            row = parse(stream.readline(_ROW).decode("utf-8-sig"))
    except (UnusableInput, ZeroScrollsError, UnicodeDecodeError):
        return frozenset()
    return frozenset(name for name, _ in row) if isinstance(row, JsonObject) else frozenset()
