"""Labels as JSONL, a row each.

The rows stay readable in git and can be joined by `cat`:

    {"id": "…", "task": "qasper", "answer": "<hash>", "verdict": "right", "annotator": "Ann", "seconds": 7.5,
     "seed": 0, "version": "…"}

The files of a folder are `labels-<annotator>.jsonl`. A later row about the same answer by the same annotator replaces
an earlier one. The verdicts of a model need only `id` and `verdict`, which may be a number from 0 (wrong) to 1 (right).
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zs_bench.errors import UnusableInput
from zs_bench.problems import short
from zs_bench.run_records.journal import read_objects
from zs_lab.audit.sampling import Floats
from zs_metric.version import VERSION

#: The verdicts, and the number of each; not a number for one that is open.
VERDICTS = {"right": 1.0, "wrong": 0.0, "cannot tell": float("nan")}
_CHOICES = ", ".join(map(repr, VERDICTS))
#: What is not a text in a label; each number is at least 0, and less than the next one.
_NUMBERS: dict[str, type | tuple[type, ...]] = {"seconds": (int, float), "seed": int}
_MOST = 1e9


@dataclass(frozen=True, slots=True)
class Label:
    """What an annotator said of an answer: the hash of a prediction, one of `VERDICTS`, and the sample's seed."""

    id: str
    task: str
    answer: str
    verdict: str
    annotator: str
    seconds: float
    seed: int
    version: str = VERSION

    @property
    def card(self) -> tuple[str, str]:
        """The answer: its id and hash."""
        return self.id, self.answer


def label_file(folder: Path, annotator: str) -> Path:
    name = re.sub(r"[^\w-]+", "-", annotator).strip("-")
    return folder / f"labels-{name or 'annotator'}.jsonl"


def read_labels(paths: Iterable[Path]) -> list[Label]:
    """Return the labels in files; raises `UnusableInput` for the first row that is not a label, with its place."""
    return parse_labels(map(_name_and_text, paths))


def parse_labels(files: Iterable[tuple[str, str]]) -> list[Label]:
    """Return the labels in files, each a name and a text; errors are those of `read_labels`."""
    labels: dict[tuple[str, str, str], Label] = {}
    for place, row in _rows(files):
        values: dict[str, Any] = {name: row.get(name) for name in Label.__dataclass_fields__}
        wrong = [name for name, value in values.items() if not _fits(name, value)]
        if wrong:
            what = f"{', '.join(wrong)} cannot be read"
            raise UnusableInput(f"{place}: {what}; give a file that the labelling page wrote")
        label = Label(**values)
        if label.verdict not in VERDICTS:
            raise UnusableInput(f"{place}: the verdict is {short(repr(label.verdict))}; write {_CHOICES}")
        key = (label.annotator, *label.card)
        labels.pop(key, None)  # so that the new one stands at the end
        labels[key] = label
    return list(labels.values())


def _fits(name: str, value: object) -> bool:
    if name not in _NUMBERS:
        return isinstance(value, str)
    return isinstance(value, (int, float)) and isinstance(value, _NUMBERS[name]) and 0 <= value < _MOST


def as_lines(labels: Iterable[Label]) -> str:
    return "".join(json.dumps(asdict(label), ensure_ascii=False) + "\n" for label in labels)


def read_judge(path: Path, ids: Sequence[str]) -> Floats:
    """Return the verdicts of a model on all answers, 0 to 1, in the order of these ids.

    Raises:
        UnusableInput: for a row without a verdict, and for ids without one.
    """
    verdicts: dict[str, float] = {}
    for place, row in _rows([_name_and_text(path)]):
        verdict = row.get("verdict")
        value = {**VERDICTS, "cannot tell": 0.5}.get(verdict) if isinstance(verdict, str) else verdict
        if not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise UnusableInput(f"{place}: the verdict is {short(repr(verdict))}; write {_CHOICES} or 0 to 1")
        verdicts[str(row.get("id"))] = float(value)
    if missing := [id_ for id_ in ids if id_ not in verdicts]:
        raise UnusableInput(
            f"{path.name} has no verdict on {len(missing):,} of {len(ids):,} answers, such as {short(missing[0])}; "
            "the model must judge all of them"
        )
    return np.array([verdicts[id_] for id_ in ids])


def _name_and_text(path: Path) -> tuple[str, str]:
    return path.name, path.read_text(encoding="utf-8-sig", errors="replace")


def _rows(files: Iterable[tuple[str, str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The JSON objects in files, each with its place."""
    for name, text in files:
        for number, line in enumerate(text.split("\n"), start=1):
            for row in read_objects([line.encode("utf-8", "surrogatepass")]):
                if not row:
                    raise UnusableInput(f"{name}, line {number}: this is not a JSON object; mend or delete the line")
                yield f"{name}, line {number}", row
