"""The examples inside the package, written for this project in the benchmark's own row format: at least two per task.

They serve offline and as the first thing to see; a score on them says nothing about a model.

No text is there twice. What SCROLLS has in common with ZeroSCROLLS is made of the rows of ZeroSCROLLS: the same
document, query and references, without instruction and headers, and for QuALITY the option's text in place of its
letter. Rows of its own has only ContractNLI.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from zs_bench.files.source import Source
from zs_bench.problems import UnusableInput
from zs_bench.prompting.scrolls_input import join_input
from zs_bench.sources.rows import Example, read_rows
from zs_metric.tasks import find_benchmark, find_task

#: The split that the embedded examples are; there is no other.
SPLIT = "validation"

_DATA = Path(__file__).parents[1] / "data"

#: The folder of ZeroSCROLLS' embedded rows, `<task>/validation.jsonl` each: also a folder of references.
EMBEDDED = _DATA / "embedded"
#: The folder of the rows that SCROLLS alone has.
EMBEDDED_SCROLLS = _DATA / "embedded_scrolls"

_TITLES = _DATA / "embedded_titles.json"
_OPTION = re.compile(r"^ \(([A-D])\) (.+)$", re.MULTILINE)


def sample_predictions(benchmark: str = "zero_scrolls") -> Path:
    """A prediction file for the embedded examples, in the official form.

    Raises:
        UnknownBenchmark: with the likely name.
    """
    return _DATA / "sample" / f"{find_benchmark(benchmark).name}_predictions.csv"


#: That of ZeroSCROLLS.
SAMPLE_PREDICTIONS = sample_predictions()


def load_embedded(task: str, split: str = SPLIT, *, benchmark: str = "zero_scrolls") -> list[Example]:
    """The embedded examples of the task.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name.
        UnusableInput: for a split that is not embedded, and for QuALITY's hard questions.

    >>> [example.id for example in load_embedded("narrative_qa")]
    ['s4001', 's4002']
    >>> load_embedded("quality", benchmark="scrolls")[1].references
    ['Households are being led to treat the ground beneath them as lastingly their own']
    """
    find_task(task, benchmark=benchmark)
    if split != SPLIT:
        raise UnusableInput(f"the embedded examples have no split {split!r}; take {SPLIT!r}, or another source")
    return list(_read(task, benchmark))


def embedded_file(task: str, *, benchmark: str = "zero_scrolls") -> Source:
    """The rows of the task as a file.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name.
        UnusableInput: for QuALITY's hard questions.
    """
    find_task(task, benchmark=benchmark)
    data, path = _text(task, benchmark).encode(), PurePosixPath(task, f"{SPLIT}.jsonl")
    return Source(str(path), path, lambda: io.BytesIO(data), len(data))


@cache
def embedded_titles(benchmark: str = "zero_scrolls") -> Mapping[str, Mapping[str, str]]:
    """For people: task to id to a title of a few words."""
    titles: dict[str, dict[str, str]] = json.loads(_TITLES.read_text(encoding="utf-8"))
    return {task: titles[task] for task in find_benchmark(benchmark).tasks}


def no_hard_questions(task: str) -> None:
    """Refuse the task of which the data has nothing of its own.

    Raises:
        UnusableInput: for QuALITY's hard questions; says what to give instead.
    """
    if task == "quality_hard":
        raise UnusableInput(
            "the data of quality marks no question as hard; give predictions and references of the hard ids, or a "
            "list of hard ids with --hard-ids"
        )


@cache
def _read(task: str, benchmark: str) -> tuple[Example, ...]:
    return tuple(read_rows(_text(task, benchmark), task, name=f"{task}/{SPLIT}.jsonl", benchmark=benchmark))


def _text(task: str, benchmark: str) -> str:
    """The rows of the task as the text of their file."""
    no_hard_questions(task)
    own = EMBEDDED_SCROLLS / task / f"{SPLIT}.jsonl"
    if benchmark == "scrolls" and not own.exists():
        rows = [row for example in _read(task, "zero_scrolls") for row in _as_scrolls(example)]
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path = own if benchmark == "scrolls" else EMBEDDED / task / f"{SPLIT}.jsonl"
    return path.read_text(encoding="utf-8")


def _as_scrolls(example: Example) -> list[dict[str, str | None]]:
    """The rows of SCROLLS that a row of ZeroSCROLLS would be."""
    text = join_input(example.task, example.document, example.query or None)
    options = dict(_OPTION.findall(example.query)) if example.task == "quality" else {}
    outputs = [options.get(reference, reference) for reference in example.references]
    return [
        {"id": example.id, "pid": pid, "input": text, "output": output}
        for pid, output in zip(example.pids, outputs, strict=True)
    ]
