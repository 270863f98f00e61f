"""From prediction files to the scores that a board keeps, and when one score is clearly better than another.

**Rounding.** A score is rounded to a step that its examples can tell: 50 points divided by the root of their number
(the largest standard error that scores from 0 to 100 can have), to the nearest of 0.1, 0.2, 0.5, 1, 2, 5, … points; 2
points for 500 examples. The step must not follow from the predictions, since it would then tell how one of them scores.
Which of the two neighbouring steps is taken is drawn: a number between minus and plus half a step is added once, before
anything is decided or shown. It follows from a secret of the board and the task's predictions alone, so that the same
predictions always have the same one. An answer that moves a mean of n examples by 100 / n points then changes the
rounded score with a probability of 100 / n divided by the step: 1 in 10 for 500 examples, 1 in 5 for 100. It can move a
geometric mean (ROUGE) further where one of the three means is close to 0.

**Clearly better.** A difference is clear when it is larger than 1.96 times (more for few examples) its standard error,
paired over examples, or over documents where examples share one, with that of the two roundings. Each unit counts by
its influence on the score, as in the intervals of `zs_bench.statistics`. A number is kept for each unit, so thousands
of systems are compared with one product of matrices.
"""

import hashlib
import hmac
import json
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zs_bench.benchmarks import Benchmark
from zs_bench.files.paths import open_inputs
from zs_bench.problems import counted, lines, short
from zs_bench.scoring.score_files import validate_against
from zs_bench.scoring.signature import Signature, of_this_installation, reference_hash
from zs_bench.statistics.columns import EQUAL, clusters, columns, score_of
from zs_bench.statistics.intervals import effects
from zs_bench.validation.predictions import read_predictions
from zs_bench.validation.references import References
from zs_lab.board import AVERAGE, NotAccepted
from zs_lab.board.cleaning import clean_run
from zs_metric.scoring import score_task

#: The largest share of empty predictions.
MOST_EMPTY = 0.01
# A difference of this many standard errors is clear, for many examples.
_CLEAR = 1.96
_STEPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
# The most lines of a refusal, and the most characters of each.
_LINES, _WIDTH = 8, 200
Texts = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Submission:
    """Accepted predictions by task and id, and the public settings of their run."""

    texts: Texts
    run: Mapping[str, Any]

    def __str__(self) -> str:
        count = counted(sum(map(len, self.texts.values())), "prediction")
        return f"{count}, {counted(len(self.texts), 'task')}"

    @property
    def hash(self) -> str:
        """The hash of all predictions; case, spaces and forms of characters do not matter."""
        hashes = "".join(_hash(task, self.texts[task]) for task in sorted(self.texts))
        return hashlib.sha256(hashes.encode()).hexdigest()


class Score(NamedTuple):
    """The score of a task, or an average, in points.

    `exact` is for the owner only, `drawn` has the secret part of the rounding, and `step` is what it is rounded to.
    `effects` are how much each unit moves the score: the squares add up to its variance. `variance` is the rounding's.
    """

    exact: float
    drawn: float
    step: float
    effects: npt.NDArray[np.float32]
    variance: float

    @property
    def shown(self) -> float:
        """The score as it is shown."""
        return round(min(100.0, max(0.0, round(self.drawn / self.step) * self.step)), 1)


#: By task, and as `AVERAGE` that of the averaged tasks where it has them all.
Scores = Mapping[str, Score]


def packed(scores: Scores) -> dict[str, Any]:
    """Return the columns of the table of scores."""
    tasks = {name: score for name, score in scores.items() if name != AVERAGE}
    points = {name: [score.exact, score.drawn, score.step, len(score.effects)] for name, score in tasks.items()}
    return {"points": json.dumps(points), "effects": b"".join(score.effects.tobytes() for score in tasks.values())}


def unpacked(points: str, effects: bytes, averaged: Sequence[str]) -> Scores:
    """Return the scores in these columns of the table of scores; none where they are damaged."""
    scores, place = dict[str, Score](), 0
    try:
        values = np.frombuffer(effects, dtype=np.float32)
        for name, (exact, drawn, step, units) in json.loads(points).items():
            if not all(map(math.isfinite, (exact, drawn, step))) or step <= 0 or place + units > len(values):
                return {}
            scores[name] = Score(exact, drawn, step, values[place : place + units], step**2 / 12)
            place += units
    except (ValueError, TypeError, AttributeError):
        return {}
    return with_average(scores, averaged)


def with_average(scores: Scores, averaged: Sequence[str]) -> Scores:
    """Return the scores with the plain mean of these tasks, if all are there."""
    if not set(averaged) <= set(scores):
        return scores
    parts, count = [scores[name] for name in averaged], len(averaged)
    average = Score(
        exact=math.fsum(part.exact for part in parts) / count,
        drawn=math.fsum(part.drawn for part in parts) / count,
        step=_nearest(math.sqrt(sum(part.step**2 for part in parts)) / count),
        effects=(np.concatenate([part.effects for part in parts]) / count).astype(np.float32),
        variance=sum(part.variance for part in parts) / count**2,
    )
    return {**scores, AVERAGE: average}


def clearly_better(scores: Sequence[Score]) -> npt.NDArray[np.bool_]:
    """Return for each score (rows) whether it is clearly better than each other (columns), over the same units."""
    drawn, variance = (
        np.array([getattr(score, name) for score in scores], np.float32) for name in ("drawn", "variance")
    )
    moved = np.stack([score.effects for score in scores])
    own = np.einsum("ij,ij->i", moved, moved) + variance
    freedom = max(1, moved.shape[1] - 1)
    limit = np.float32(_CLEAR + (_CLEAR**3 + _CLEAR) / (4 * freedom))  # of Student's t, by its expansion
    error = limit * np.sqrt(np.maximum(own[:, None] + own - 2 * moved @ moved.T, 0))
    clear: npt.NDArray[np.bool_] = drawn[:, None] - drawn > np.maximum(error, EQUAL)
    return clear


def is_new(score: Score, last: Score | None) -> bool:
    """Return whether the score is clearly better than the last one shown, or than 0."""
    if last is None or len(last.effects) != len(score.effects):  # a damaged one may have another number of units
        last = Score(0.0, 0.0, 1.0, np.zeros_like(score.effects), 0.0)
    return bool(clearly_better([score, last])[0, 1])


def read_submission(
    paths: Iterable[str | Path],
    references: References,
    benchmark: Benchmark,
    names: Iterable[str] | None = None,
    *,
    single_tasks: bool = False,
) -> Submission:
    """Return the predictions in these files, checked by the rules of `verify`; messages call the files by `names`."""
    read = read_predictions(*open_inputs(paths, names), benchmark=benchmark)
    validation = validate_against(read, references, whole=not single_tasks)
    texts = {
        task: {id_: prediction.text for id_, prediction in validation.predictions[task].items()}
        for task in references.tasks
        if validation.predictions.get(task)
    }
    said = lines((problem for problem in validation.of_scores if problem.is_error), most=_LINES)
    if any(problem.kind == "missing-task" for problem in validation.problems):
        absent = [task for task in references.tasks if task not in texts]
        said.append(f"No predictions for {counted(len(absent), 'task')}: {', '.join(absent)}")
    if said:
        raise NotAccepted("\n".join(short(line, _WIDTH) for line in said))
    is_empty = [not text.strip() for by_id in texts.values() for text in by_id.values()]
    if sum(is_empty) > MOST_EMPTY * len(is_empty):
        raise NotAccepted(
            f"{sum(is_empty):,} of {len(is_empty):,} predictions are empty, and at most {MOST_EMPTY:.0%} may be; "
            "submit predictions for all examples"
        )
    return Submission(texts, clean_run(read.run.settings) if read.run else {})


def score(
    texts: Texts, references: References, benchmark: Benchmark, *, key: str, averaged: Sequence[str]
) -> tuple[Scores, str]:
    """Return the scores of kept predictions, and their signature; predictions without references are left out.

    Raises:
        NotAccepted: for a task whose predictions do not cover the references, and when no task is left.
    """
    scores, splits = dict[str, Score](), dict[str, str | None]()
    for name in (name for name in references.tasks if name in texts):
        ((split, by_id),) = references.tasks[name].items()
        missing = sum(id_ not in texts[name] for id_ in by_id)
        if missing:
            raise NotAccepted(f"{missing:,} of {len(by_id):,} predictions of {name} are missing")
        task, splits[name] = benchmark.all_tasks[name], split
        values = columns(score_task(task, [texts[name][id_] for id_ in by_id], list(by_id.values())))
        exact, step = score_of(values), _nearest(50 / math.sqrt(len(by_id)))
        drawn = exact + step * _draw(key, _hash(name, texts[name]))
        shared = clusters(task, list(by_id), [references.documents.get((name, split, id_)) for id_ in by_id])
        alone = len(set(shared or [])) < 2  # a single document is not a sample of documents
        moved = effects(values, None if alone else shared) if len(values) > 1 else np.array([exact])
        scores[name] = Score(exact, drawn, step, moved.astype(np.float32), step**2 / 12)
    if not scores:
        raise NotAccepted("no prediction is for a task of the references")
    return with_average(scores, averaged), _signature(splits, references, benchmark)


def _signature(splits: Mapping[str, str | None], references: References, benchmark: Benchmark) -> str:
    rest_on = tuple(splits.items())
    by_task = {name: references.tasks[name][split] for name, split in rest_on}
    if rest_on not in references.hashes:
        references.hashes[rest_on] = reference_hash(by_task, benchmark=benchmark.name)
    data, answers = references.hashes[rest_on], sum(map(len, by_task.values()))
    source = rest_on[0][1] if len(set(splits.values())) == 1 else None
    return str(Signature(tuple(by_task), data, answers, 0, source=source, **of_this_installation(benchmark)))


def _hash(task: str, texts: Mapping[str, str]) -> str:
    """Return the hash of a task's predictions; case, spaces and forms of characters do not matter."""
    plain = {id_: "".join(unicodedata.normalize("NFKC", text).casefold().split()) for id_, text in texts.items()}
    visible = {id_: "".join(filter(str.isprintable, text)) for id_, text in plain.items()}
    return hashlib.sha256(json.dumps([task, visible], sort_keys=True).encode()).hexdigest()


def _draw(key: str, text: str) -> float:
    """Return a number from -0.5 to 0.5 that follows from the key and the text."""
    digest = hmac.new(key.encode(), text.encode(), "sha256").digest()
    return int.from_bytes(digest[:8], "big") / 2**64 - 0.5


def _nearest(value: float) -> float:
    """Return the nearest of 0.1, 0.2, 0.5, 1, 2, …, 50, by ratio."""
    return min(_STEPS, key=lambda step: abs(math.log(max(value, 1e-9) / step)))
