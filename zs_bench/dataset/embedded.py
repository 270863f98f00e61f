"""The examples in the package, written for this project in the benchmark's row format, at least two per task.

They work offline and are the page's first examples; a score on them says nothing about a model. The rows of SCROLLS are
derived from those of ZeroSCROLLS: the same document, query and references, without instruction and headers, and for
QuALITY with the text of the option instead of its letter. Only ContractNLI has rows of its own.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from zs_bench.dataset.rows import Example, read_rows
from zs_bench.errors import UnusableInput
from zs_bench.files.opened_file import Source
from zs_bench.inputs import compose
from zs_bench.tasks import info
from zs_metric.tasks import SCROLLS, ZERO_SCROLLS, Benchmark, Task, find_benchmark, find_task

#: The only split that the embedded examples have.
SPLIT = "validation"

_DATA = Path(__file__).parents[1] / "data"
#: The folder of ZeroSCROLLS' embedded rows, `<task>/validation.jsonl` each: also a folder of references.
EMBEDDED = _DATA / "embedded"
_FOLDERS: Mapping[Benchmark, Path] = {ZERO_SCROLLS: EMBEDDED, SCROLLS: _DATA / "embedded_scrolls"}
_OPTION = re.compile(r"^ \(([A-D])\) (.+)$", re.MULTILINE)


def sample_predictions(benchmark: str | Benchmark = "zero_scrolls") -> Path:
    """The sample predictions for the embedded examples, in the official format."""
    return _DATA / "sample" / f"{find_benchmark(benchmark).name}_predictions.csv"


#: The prediction file of ZeroSCROLLS.
SAMPLE_PREDICTIONS = sample_predictions()


def load_embedded(task: str | Task, *, benchmark: str | Benchmark = "zero_scrolls") -> list[Example]:
    """The embedded examples of a task; raises `UnusableInput` for one without (QuALITY's hard questions).

    >>> [example.id for example in load_embedded("narrative_qa")]
    ['s4001', 's4002']
    >>> load_embedded("quality", benchmark="scrolls")[1].references
    ['Households are being led to treat the ground beneath them as lastingly their own']
    """
    return list(_read(find_task(task, benchmark=benchmark)))


def embedded_file(task: Task) -> Source:
    """The rows of the task as a file; raises `UnusableInput` for a task without examples."""
    return Source.in_memory(f"{task.name}/{SPLIT}.jsonl", _text(task).encode())


@cache
def embedded_titles(benchmark: str | Benchmark = "zero_scrolls") -> Mapping[str, Mapping[str, str]]:
    """Short titles of the examples: task to id to title."""
    titles: dict[str, dict[str, str]] = json.loads((_DATA / "embedded_titles.json").read_text(encoding="utf-8"))
    return {task: titles.get(task, {}) for task in find_benchmark(benchmark).tasks}


def require_data(task: Task) -> None:
    """Raise `UnusableInput`, with what to do instead, for a task that no dataset has examples of."""
    if (why := info(task).no_data) is not None:
        raise UnusableInput(why)


@cache
def _read(task: Task) -> tuple[Example, ...]:
    return tuple(read_rows(_text(task), task, name=f"{task}/{SPLIT}.jsonl"))


def _text(task: Task) -> str:
    require_data(task)
    path = _FOLDERS[task.benchmark] / task.name / f"{SPLIT}.jsonl"
    if path.exists():
        return path.read_text(encoding="utf-8")
    if task.benchmark != SCROLLS or task.name not in ZERO_SCROLLS.tasks:
        raise UnusableInput(f"no examples of {task} are embedded; take another source")
    lines = []
    for example in _read(ZERO_SCROLLS.tasks[task.name]):
        text, _ = compose(task, example.document, example.query or None)
        options = dict(_OPTION.findall(example.query)) if info(task).options else {}
        for pid, reference in zip(example.pids, example.references, strict=True):
            row = {"id": example.id, "pid": pid, "input": text, "output": options.get(reference, reference)}
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines)
