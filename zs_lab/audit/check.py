"""A check: the answers to one task, their scores, and which of them are labelled.

The file `sample.json` of a folder holds it, without a text of the data. It has the scores, so whoever labels does not
open it before the end.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from zs_bench.errors import UnusableInput
from zs_bench.files.writing import write_whole
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.tasks import info
from zs_lab.audit.sampling import Floats, Integers, draw, strata_of
from zs_metric.tasks import Task
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
    documents: tuple[str, ...] | None = field(default=None, repr=False)

    @property
    def strata(self) -> Integers:
        """The stratum of each example."""
        return strata_of(self.scores)

    @property
    def cards(self) -> list[tuple[int, str]]:
        """What is labelled, in order: position and hash of an answer. Equal answers of two systems are one card."""
        random = np.random.default_rng(self.seed)
        return [
            (place, str(answer))
            for place in self.drawn
            for answer in random.permutation(sorted(set(self.answers[place])))
        ]

    @property
    def name(self) -> str:
        """A hash of the answers and of which are drawn."""
        return answer_hash(json.dumps([self.task, self.cards, self.ids]))

    def write(self, folder: Path) -> None:
        """Write `sample.json`."""
        data = {
            "schema": _SCHEMA,
            "version": VERSION,
            "benchmark": self.benchmark,
            "task": self.task,
            "systems": self.systems,
            "seed": self.seed,
            "drawn": [self.ids[place] for place in self.drawn],
            "examples": [
                {"id": id_, "scores": scores, "answers": answers}
                for id_, scores, answers in zip(self.ids, self.scores.tolist(), self.answers, strict=True)
            ],
        }
        write_whole(folder / "sample.json", json.dumps(data, ensure_ascii=False, indent=0) + "\n")


def read_check(folder: Path) -> Check:
    """Return the check of a folder.

    Raises:
        UnusableInput: for a folder without a sample that this version can read.
    """
    path = folder / "sample.json"
    if not path.is_file():
        raise UnusableInput(f"{str(folder)!r} has no sample.json; make one with: zero-scrolls audit draw")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        rows = data["examples"] if data["schema"] == _SCHEMA else ()
        ids = tuple(row["id"] for row in rows)
        places = {id_: place for place, id_ in enumerate(ids)}
        return Check(
            data["benchmark"],
            data["task"],
            tuple(data["systems"]),
            ids,
            np.array([row["scores"] for row in rows], dtype=np.float64).reshape(-1, len(data["systems"])),
            tuple(tuple(row["answers"]) for row in rows),
            tuple(places[id_] for id_ in data["drawn"]),
            data["seed"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UnusableInput(f"{path} is damaged, or of another version; draw the sample again", str(error)) from None


def draw_check(systems: Mapping[str, ScoredFile], task: str | None, size: int, seed: int) -> Check:
    """Draw a sample of the answers of one system, or of two, by name.

    Args:
        task: its name; by default the only one whose answers can be right or wrong.

    Raises:
        UnusableInput: if there is no such task, or too few answers or a too small `size` for the strata.
    """
    scored = scored_tasks(list(systems.values()), task)
    places = [{id_: place for place, id_ in enumerate(one.ids)} for one in scored]
    ids = [id_ for id_ in scored[0].ids if all(id_ in of_system for of_system in places)]
    if not ids:
        raise UnusableInput(f"the two systems have no answer to the same example of {scored[0].task}")
    rows = [[of_system[id_] for of_system in places] for id_ in ids]
    scores = np.array([[_points(one)[place] / 100 for one, place in zip(scored, row, strict=True)] for row in rows])
    answers = tuple(
        tuple(answer_hash(one.predictions[place]) for one, place in zip(scored, row, strict=True)) for row in rows
    )
    names = scored[0].clusters
    documents = None if names is None else tuple(names[row[0]] for row in rows)
    drawn = draw(strata_of(scores), len(scored), documents, size, seed)
    subject = scored[0].task
    return Check(
        subject.benchmark.name, subject.name, tuple(systems), tuple(ids), scores, answers, tuple(drawn), seed, documents
    )


def answer_hash(prediction: str) -> str:
    """Return the hash by which a label names the answer that it is about."""
    return hashlib.sha256(prediction.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def scored_tasks(systems: Sequence[ScoredFile], name: str | None) -> list[ScoredTask]:
    """Return the task to check as scored in each system, by default the only one that can be checked.

    Raises:
        UnusableInput: if it cannot be checked, was not scored, or must be chosen.
    """
    common = {
        task: one.task for task, one in systems[0].scored.items() if all(task in system.scored for system in systems)
    }
    usable = [name for name, task in common.items() if is_right_or_wrong(task)]
    if name is None and len(usable) > 1:
        raise UnusableInput(f"there are answers to several tasks; choose one with --task: {', '.join(usable)}")
    chosen = name or next(iter(usable), None)
    if chosen not in usable:
        if chosen and chosen not in common:
            reason = f"there are no scored answers to {chosen}{' in both systems' if len(systems) > 1 else ''}"
        else:
            reason = f"answers to {chosen or 'these tasks'} are not right or wrong, so they cannot be checked"
        raise UnusableInput(
            f"{reason}; choose one of these with --task: {', '.join(usable)}"
            if usable
            else f"{reason}; give a file with answers to Qasper, NarrativeQA, MuSiQue, QuALITY or ContractNLI"
        )
    return [system.scored[chosen] for system in systems]


def is_right_or_wrong(task: Task) -> bool:
    """Return whether an answer to the task is right or wrong, and not, say, a summary."""
    return info(task).has_query and not info(task).summaries


def _points(scored: ScoredTask) -> list[float]:
    return [example.score for example in scored.result.examples] if scored.result else []
