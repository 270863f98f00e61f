"""A check: the answers to one task, their scores, and which of them are labelled.

The file `sample.json` of a folder holds it, without a text of the data. It has the scores, so whoever labels does not
open it before the end.

Labels are JSONL, a row each. The rows stay readable in git and can be joined by `cat`:

    {"id": "…", "task": "qasper", "answer": "<hash>", "verdict": "right", "annotator": "Ann", "seconds": 7.5,
     "seed": 0, "version": "…"}

The files of a folder are `labels-<annotator>.jsonl`. A later row about the same answer by the same annotator replaces
an earlier one. The verdicts of a model need only `id` and `verdict`, which may be a number from 0 (wrong) to 1 (right).
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from zs_bench.answers import aligned, documents_of
from zs_bench.benchmarks import Task
from zs_bench.errors import UnusableInput
from zs_bench.files.formats import read_plain
from zs_bench.files.input_files import InputFile
from zs_bench.files.writing import write_whole
from zs_bench.problems import short
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_lab.audit.sampling import Floats, draw, strata_of
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
    """Return the verdicts of a model on all answers, 0 to 1, in the order of these ids; raises `UnusableInput` for a
    row without a verdict, and for ids without one.
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
    """The JSON objects in files, a line each whatever the name, with their places."""
    for name, text in files:
        source = InputFile.in_memory("rows.jsonl", text.encode("utf-8", "surrogatepass"), name)
        yield from ((str(place), row) for place, row in read_plain(source))


_SCHEMA = "zero_scrolls_audit/1"


@dataclass(frozen=True, slots=True)
class Check:
    """The answers of one system, or of two, to the examples of a task."""

    benchmark: str
    task: str
    systems: tuple[str, ...]
    ids: tuple[str, ...]  # of the N examples that all systems answered
    scores: Floats  # shape (N, systems), 0 to 1
    answers: tuple[tuple[str, ...], ...]  # by example, the hash of each system's answer
    drawn: tuple[int, ...] = ()  # the positions of the sample's examples, in the order in which they are labelled
    seed: int = 0  # of the draw

    @property
    def cards(self) -> list[tuple[int, str]]:
        """What is labelled, in order: position and hash of an answer. Equal answers of two systems are one card."""
        random = np.random.default_rng(self.seed)
        return [
            (place, str(answer))
            for place in self.drawn
            for answer in random.permutation(sorted(set(self.answers[place])))
        ]

    def write(self, folder: Path) -> None:
        examples = zip(self.ids, self.scores.tolist(), self.answers, strict=True)
        data = {
            "schema": _SCHEMA,
            "version": VERSION,
            "benchmark": self.benchmark,
            "task": self.task,
            "systems": self.systems,
            "seed": self.seed,
            "drawn": [self.ids[place] for place in self.drawn],
            "examples": [{"id": id_, "scores": scores, "answers": answers} for id_, scores, answers in examples],
        }
        write_whole(folder / "sample.json", json.dumps(data, ensure_ascii=False, indent=0) + "\n")


def read_check(folder: Path) -> Check:
    """Return the check of a folder; raises `UnusableInput` without a sample that this version can read."""
    path = folder / "sample.json"
    if not path.is_file():
        raise UnusableInput(f"{str(folder)!r} has no sample.json; make one with: zero-scrolls audit draw")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        rows = data["examples"] if data["schema"] == _SCHEMA else ()
        ids = tuple(row["id"] for row in rows)
        check = Check(
            data["benchmark"],
            data["task"],
            tuple(data["systems"]),
            ids,
            np.array([row["scores"] for row in rows], dtype=np.float64).reshape(-1, len(data["systems"])),
            tuple(tuple(row["answers"]) for row in rows),
            tuple(map({id_: place for place, id_ in enumerate(ids)}.__getitem__, data["drawn"])),
            data["seed"],
        )
        why = "" if _is_whole(check) else "a value in it is none that was written"
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        why = str(error) or type(error).__name__
    if why:
        raise UnusableInput(f"{path} is damaged, or of another version; draw the sample again", why)
    return check


def _is_whole(check: Check) -> bool:
    """Return whether the texts of a check are texts, and its numbers in range."""
    texts = [check.benchmark, check.task, *check.systems, *check.ids, *chain(*check.answers)]
    return (
        all(isinstance(text, str) for text in texts)
        and {*map(len, check.answers)} == {len(check.systems)}
        and type(check.seed) is int
        and check.seed >= 0
        and bool(((check.scores >= 0) & (check.scores <= 1)).all())
    )


def draw_check(systems: Sequence[str], scored: Sequence[ScoredTask], size: int, seed: int) -> Check:
    """Draw a sample of the answers to a task of one system, or of two.

    Raises `UnusableInput` for systems without a common example, or a `size` too small for the strata.
    """
    task, rows = scored[0].task, aligned(*(each.answers for each in scored))
    both = [answers for row in rows if len(answers := [answer for answer in row if answer]) == len(row)]
    if not both:
        raise UnusableInput(f"the two systems have no answer to the same example of {task}")
    scores = np.array([[answer.result.score / 100 for answer in answers] for answers in both])
    hashes = tuple(tuple(answer_hash(answer.text) for answer in answers) for answers in both)
    firsts = [answers[0] for answers in both]
    drawn = draw(strata_of(scores), len(scored), documents_of(firsts), size, seed)
    ids = tuple(answer.id for answer in firsts)
    return Check(task.benchmark.key, task.name, tuple(systems), ids, scores, hashes, tuple(drawn), seed)


def answer_hash(prediction: str) -> str:
    """Return the hash by which a label names the answer that it is about."""
    return hashlib.sha256(prediction.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def scored_tasks(systems: Sequence[ScoredFile], name: str | None) -> list[ScoredTask]:
    """Return the task to check as scored in each system, by default the only one that can be checked.

    Raises `UnusableInput` if it cannot be checked, was not scored, or must be chosen.
    """
    shared = [task for task in systems[0].scored if all(task in system.scored for system in systems)]
    usable = [task for task in shared if is_right_or_wrong(systems[0].scored[task].task)]
    if name is None and len(usable) == 1:
        [name] = usable
    if name in usable:
        return [system.scored[name] for system in systems]
    if not usable:
        tasks = [task.title for task in systems[0].benchmark.all_tasks.values() if is_right_or_wrong(task)]
        step = f"a check by hand is for answers that are: to {', '.join(tasks) or 'no task of this benchmark'}"
        raise UnusableInput(f"there are no scored answers that are right or wrong; {step}")
    reason = "there are several tasks"
    if name:
        reason = f"{name} was not scored" if name not in shared else f"answers to {name} are not right or wrong"
        reason += ", and a check by hand is for answers that are"
    raise UnusableInput(f"{reason}; choose one of these with --task: {', '.join(usable)}")


def is_right_or_wrong(task: Task) -> bool:
    """Return whether an answer to the task is right or wrong, and not, say, a summary."""
    return task.has_query and not task.summaries
