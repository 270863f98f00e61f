"""A check: the answers to one task, their scores, and which of them are labelled.

The file `sample.json` of a folder holds it, without a text of the data. It has the scores, so whoever labels does not
open it before the end.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from zs_bench.answers import aligned, documents_of
from zs_bench.benchmarks import Task
from zs_bench.errors import UnusableInput
from zs_bench.files.writing import write_whole
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_lab.audit.sampling import Floats, draw, strata_of
from zs_metric.version import VERSION

_SCHEMA = "zero_scrolls_audit/1"


@dataclass(frozen=True, slots=True)
class Check:
    """The answers of one system, or of two, to the examples of a task.

    Attributes:
        systems: their names, one or two.
        ids: the N examples that all of them answered.
        scores: shape (N, systems), 0 to 1.
        answers: by example, the hash of each system's answer.
        drawn: the positions of the examples in the sample, in the order in which they are labelled.
        seed: of the draw.
    """

    benchmark: str
    task: str
    systems: tuple[str, ...]
    ids: tuple[str, ...]
    scores: Floats
    answers: tuple[tuple[str, ...], ...]
    drawn: tuple[int, ...] = ()
    seed: int = 0

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
        step = "give a file with answers to Qasper, NarrativeQA, MuSiQue, QuALITY or ContractNLI"
        raise UnusableInput(f"there are no scored answers that are right or wrong; {step}")
    reason = f"there are no scored answers to {name} that are right or wrong" if name else "there are several tasks"
    raise UnusableInput(f"{reason}; choose one of these with --task: {', '.join(usable)}")


def is_right_or_wrong(task: Task) -> bool:
    """Return whether an answer to the task is right or wrong, and not, say, a summary."""
    return task.has_query and not task.summaries
