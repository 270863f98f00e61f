"""The entries of a board: their scores, the noise with which these are shown, and their order.

**Noise.** Each task of each entry has a random number, normally distributed, that is added to its score before anything
is shown. Its standard deviation is `NOISE` answers times the root of the number of submissions that a submitter has.
So however somebody spends all of them, what they see of one answer is at most one fifth of a standard deviation. The
number follows from a secret of the board, the entry's number, and a hash of its predictions and references. Without the
hash, entries before and after a backup was restored would have the same number and noise. Without the number, two
entries with the same noise would be known to score alike. For ROUGE it is added to each of the three means, since one
answer can move their geometric mean far where one of them is close to 0.

**Nothing else.** Average, ranks and order follow from the shown scores and the numbers of examples.
"""

import hashlib
import hmac
import json
import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist, fmean
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, select

from zs_bench.benchmarks import Benchmark
from zs_bench.files.json_text import written
from zs_bench.files.paths import open_inputs
from zs_bench.problems import counted, lines, short
from zs_bench.scoring.signature import sign
from zs_bench.statistics.intervals import columns, geometric_mean
from zs_bench.validation.known_ids import KnownIds
from zs_bench.validation.predictions import read_predictions
from zs_bench.validation.references import References
from zs_bench.validation.validate import validate
from zs_lab.board.cleaning import MAX_NOTE, clean_details, clean_line, clean_name, clean_run, clean_time
from zs_lab.board.database import ENTRIES, SCORES, SUBMITTERS
from zs_lab.board.records import (
    AVERAGE,
    HIDDEN,
    SEALED,
    SET_ASIDE,
    SHOWN,
    WITHDRAWN,
    BoardEntry,
    BoardError,
    NotAccepted,
)
from zs_metric.scoring import score_texts

MOST_EMPTY = 0.01  # the largest share of empty predictions
NOISE = 5.0  # the standard deviation of the noise for one submission, in answers
# How many times as far the noise moves a geometric mean of three: in SCROLLS' published table 1.04 to 1.39, of its
# naive baseline up to 1.7.
_GEOMETRIC = 1.5
_CLEAR = 1.96  # a difference of this many standard errors is clear (95 %)
_LINES, _WIDTH = 8, 200  # the most lines of a refusal, and the most characters of each
_NAMED = 3  # the most ids in a sentence
Texts = Mapping[str, Mapping[str, str]]
Points = Mapping[str, float]


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
        """A hash that serves to find duplicates: case, spaces and forms of characters do not matter."""
        plain = {task: {id_: _plain(text) for id_, text in by_id.items()} for task, by_id in self.texts.items()}
        return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


class Score(NamedTuple):
    """The exact score of a task, for the owner only: its number of examples and its column means, in points."""

    examples: int
    means: tuple[float, ...]

    @property
    def exact(self) -> float:
        return self.after(0.0)

    def after(self, shift: float) -> float:
        """Return the score after this many points are added to each mean."""
        return geometric_mean([min(max(mean + shift, 0.0), 100.0) for mean in self.means])


Scores = Mapping[str, Score]  # by task


class Rule(NamedTuple):
    """What may be shown now: nothing (`sealed`), or scores with the noise for this many submissions; 0 is none.

    `averaged` are the `tasks` of the average; `twice` are those that share answers, such as `quality` and
    `quality_hard`, so that an answer is in two scores.
    """

    sealed: bool
    submissions: int
    key: str
    tasks: tuple[str, ...]
    averaged: tuple[str, ...]
    twice: frozenset[str]

    def noise(self, task: str, score: Score) -> float:
        """Return the standard deviation of the noise in each mean, in points."""
        return 100 / score.examples * NOISE * math.sqrt(self.submissions * (2 if task in self.twice else 1))

    def shown(self, drawn_from: str, scores: Scores) -> Points:
        """Return what is shown of an entry's scores, to 0.1, with the noise that is drawn from this text."""
        return {
            task: round(score.after(self.noise(task, score) * _draw(self.key, f"{drawn_from} {task}")), 1)
            for task, score in scores.items()
        }

    def with_average(self, points: Points) -> Points:
        """Return the points with their plain mean over the tasks of the average, if all are there."""
        if not {*self.averaged} <= points.keys():
            return points
        return {**points, AVERAGE: math.fsum(points[task] for task in self.averaged) / len(self.averaged)}

    def exact(self, scores: Scores) -> Points:
        """Return the exact scores, with their average: for the owner."""
        return self.with_average({task: score.exact for task, score in scores.items()})

    def margins(self, scores: Scores) -> Points:
        """Return by task, and for the average, the difference from which two shown scores are clearly different.

        That is 1.96 standard errors: those of both noises, and for the choice of the examples the largest that a mean
        of scores from 0 to 100 can have, twice.
        """
        margins = {task: _CLEAR * math.sqrt(2 * self._variance(task, score)) for task, score in scores.items()}
        if {*self.averaged} <= margins.keys():
            margins[AVERAGE] = math.hypot(*(margins[task] for task in self.averaged)) / len(self.averaged)
        return margins

    def _variance(self, task: str, score: Score) -> float:
        noise = self.noise(task, score) * (_GEOMETRIC if len(score.means) > 1 else 1)
        return noise**2 + 50**2 / score.examples


def packed(scores: Scores) -> str:
    """Return the scores as the table of scores has them."""
    return json.dumps({task: [score.examples, *score.means] for task, score in scores.items()})


def unpacked(points: str) -> Scores:
    """Return the scores that were packed; none where they are damaged."""
    try:
        scores = {task: Score(examples, tuple(means)) for task, (examples, *means) in json.loads(points).items()}
        is_whole = all(
            score.examples > 0 and score.means and all(map(math.isfinite, score.means)) for score in scores.values()
        )
    except (ValueError, TypeError, AttributeError):
        return {}
    return scores if is_whole else {}


def ids_to_answer(references: References, benchmark: Benchmark) -> KnownIds:
    """Return the ids that a board asks for: all that a check of predictions gets of its references."""
    return references.known_ids(benchmark).without_references()


def read_submission(
    paths: Iterable[str | Path], asked: KnownIds, names: Iterable[str] | None = None, *, single_tasks: bool = False
) -> Submission:
    """Return the predictions in these files, checked by the rules of `verify`; messages call the files by `names`.

    Rows are matched by their ids alone, so that no reply depends on a reference.
    """
    read = read_predictions(*open_inputs(paths, names), benchmark=asked.benchmark).without_references()
    ids_of = {task: [*ids] for each in asked.lists for task, ids in each.ids.items()}
    ids_of = {task: ids_of[task] for task in asked.benchmark.all_tasks if task in ids_of}
    hard = {id_ for part in asked.benchmark.parts for id_ in ids_of.get(part, ())}
    validation = validate(read.with_hard_questions(hard) if hard else read, asked, whole=not single_tasks, safe=False)
    found = validation.predictions
    texts = {task: dict(found[task]) for task in ids_of if found.get(task)}
    errors = [problem for problem in validation.of_scores if problem.is_error]
    said = [short(line, _WIDTH) for line in lines(errors, most=len(errors))]
    if any(problem.kind == "missing-task" for problem in validation.problems):
        absent = [task for task in ids_of if task not in texts]
        said.append(f"No predictions for {counted(len(absent), 'task')}: {', '.join(absent)}")
    if said:
        rest = [f"… and {len(said) - _LINES:,} more lines"] if len(said) > _LINES else []
        tasks = [task for task in ids_of if task in texts or not (single_tasks and texts)]
        ids = [(task, id_) for task in tasks for id_ in ids_of[task]]
        about = _about_ids([written(entry.id) for entry in read.rows], texts, ids, said[0])
        raise NotAccepted("\n".join([about, *said[:_LINES], *rest]))
    is_empty = [not text.strip() for by_id in texts.values() for text in by_id.values()]
    if sum(is_empty) > MOST_EMPTY * len(is_empty):
        raise NotAccepted(
            f"{sum(is_empty):,} of {len(is_empty):,} predictions are empty, and at most {MOST_EMPTY:.0%} may be; "
            "submit predictions for all examples"
        )
    return Submission(texts, clean_run(read.run.settings) if read.run else {})


def _about_ids(read: Sequence[str | None], texts: Texts, ids: Sequence[tuple[str, str]], problem: str) -> str:
    """Return a sentence about the ids that were read and those, with their tasks, that are asked for."""
    missing = [f"{task} {short(id_)}" for task, id_ in ids if id_ not in texts.get(task, ())]
    count, names = f"the {counted(len(ids), 'prediction')} that this board asks for", ", ".join(missing[:_NAMED])
    some = f", such as {names}" if len(missing) > _NAMED else f": {names}"
    if not read:
        return f"No predictions were read ({problem}); this board asks for {len(ids):,}{some}."
    if not any(read):
        rows = "The row has" if len(read) == 1 else f"All {len(read):,} rows have"
        return (
            f"{rows} no ID, and a board matches predictions by ID alone: give each row one of the {len(ids):,}{some}."
        )
    if {*read}.isdisjoint(id_ for _, id_ in ids):
        own = counted(len(read), "ID") + (f" (such as {short(read[0])})" if read[0] else "")
        return f"None of your {own} is one of the {len(ids):,} that this board asks for{some}."
    if missing:
        return f"{len(missing):,} of {count} {'is' if len(missing) == 1 else 'are'} missing or unusable{some}."
    return f"All {count.removeprefix('the ')} are there, but: {problem}"


def score(texts: Texts, references: References, benchmark: Benchmark) -> tuple[Scores, str]:
    """Return the scores of kept predictions, and their signature; predictions without references are left out.

    Raises `NotAccepted` for a task whose predictions do not cover the references, and when no task is left.
    """
    scores, splits = dict[str, Score](), dict[str, str | None]()
    for name in (name for name in references.by_task if name in texts):
        ((split, by_id),) = references.by_task[name].items()
        missing = sum(id_ not in texts[name] for id_ in by_id)
        if missing:
            raise NotAccepted(f"{missing:,} of {len(by_id):,} predictions of {name} are missing")
        task, splits[name] = benchmark.all_tasks[name], split
        references_of_each = [each.texts for each in by_id.values()]
        answers_of_each = [texts[name][id_] for id_ in by_id]
        values = columns(score_texts(task.metric, answers_of_each, references_of_each).examples)
        scores[name] = Score(len(by_id), tuple(map(fmean, values)))
    if not scores:
        raise NotAccepted("no prediction is for a task of the references")
    data = references.hash_of(splits, benchmark=benchmark)
    answers = sum(len(references.of(name, split)) for name, split in splits.items())
    source = next(iter(splits.values())) if len(set(splits.values())) == 1 else None
    return scores, str(sign(benchmark, tuple(splits), data, (answers, answers), source=source))


def _plain(text: str) -> str:
    return "".join(filter(str.isprintable, "".join(unicodedata.normalize("NFKC", text).casefold().split())))


def _draw(key: str, text: str) -> float:
    """Return a normally distributed number that follows from the key and the text."""
    digest = hmac.new(key.encode(), text.encode(), "sha256").digest()
    return NormalDist().inv_cdf((int.from_bytes(digest[:6], "big") + 0.5) / 2**48)


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry as it is kept: private.

    `entry` has its public details, without state and scores. `off` is `WITHDRAWN` or `HIDDEN`, or `SET_ASIDE` if the
    database is damaged. `scores` are empty if they are damaged, or for the reason `set_aside`. `predictions` is a hash
    that finds duplicates, `drawn_from` (`State.drawn_from`) one for the noise, empty for entries before version 4.
    """

    entry: BoardEntry
    submitter: int
    off: str | None
    scores: Scores
    signature: str
    references: int
    predictions: str
    set_aside: str | None
    drawn_from: str = ""

    @property
    def noise(self) -> str:
        """The text that the noise is drawn from."""
        return " ".join(filter(None, [str(self.entry.id), self.drawn_from, str(self.references)]))

    @property
    def state(self) -> str:
        """The state, apart from what the rule hides."""
        return self.off or (SHOWN if self.scores else SET_ASIDE)


def read_kept(connection: Connection, submitter: int | None = None) -> list[Kept]:
    """Return all entries in the order of their submission, or those of a submitter, cleaned like what is submitted."""
    rows = (
        select(ENTRIES, SUBMITTERS.c.name.label("by"), SCORES)
        .join_from(ENTRIES, SUBMITTERS)
        .outerjoin(SCORES, SCORES.c.entry == ENTRIES.c.id)
        .order_by(ENTRIES.c.id)
    )
    rows = rows if submitter is None else rows.where(ENTRIES.c.submitter == submitter)
    return [_kept(row) for row in connection.execute(rows)]


def _kept(row: Row[Any]) -> Kept:
    off = WITHDRAWN if row.withdrawn else HIDDEN if row.hidden else None
    try:
        entry = BoardEntry(
            id=row.id,
            submitter=clean_name(row.by, "the submitter"),
            **clean_details(row.system, row.link, row.note),
            submitted=clean_time(row.submitted),
            run=clean_run(json.loads(row.run)),
            remark=clean_line(row.remark, "the remark", MAX_NOTE) or None,
            baseline=bool(row.baseline),
        )
    except (BoardError, ValueError, TypeError, AttributeError, RecursionError):
        remark = "This entry is damaged in the database."
        entry, off = BoardEntry(row.id, "?", "?", None, None, "", remark=remark), SET_ASIDE
    scores = {} if row.set_aside else unpacked(row.points)
    about = (row.signature or "", row.reference_set or 0, row.predictions_hash, row.set_aside, row.drawn_from or "")
    return Kept(entry, row.submitter, off, scores, *about)


def described(kept: Kept, rule: Rule) -> BoardEntry:
    """Return the entry as everybody may see it now."""
    if kept.state != SHOWN or rule.sealed:
        return replace(kept.entry, state=SEALED if kept.state == SHOWN else kept.state)
    points = rule.with_average(rule.shown(kept.noise, kept.scores))
    return replace(
        kept.entry,
        state=SHOWN,
        average=round(points[AVERAGE], 1) if AVERAGE in points else None,
        tasks={task: points.get(task) for task in rule.tasks},
        # The hash would confirm a right guess of all references, and those of a small board can be guessed.
        signature=re.sub(r"\|data:[^|]*", f"|data:board-{kept.references}", kept.signature),
    )


def listed(entries: Iterable[Kept], rule: Rule) -> tuple[list[BoardEntry], Points]:
    """Return the best entry of each system with its ranks, the best first, and the margins of clear differences."""
    scores, best = dict[str, Any](), dict[tuple[int, str], BoardEntry]()
    for kept in entries:
        entry, system = described(kept, rule), (kept.submitter, kept.entry.system)
        if entry.state == SHOWN:
            scores |= kept.scores
            if system not in best or _average(entry) >= _average(best[system]):
                best[system] = entry
    margins = rule.margins({task: scores[task] for task in rule.tasks if task in scores})
    competing = {entry.id: {**entry.tasks, AVERAGE: entry.average} for entry in best.values() if not entry.baseline}
    points = {
        name: {entry: shown for entry, scores in competing.items() if (shown := scores[name]) is not None}
        for name in margins
    }
    ranks = {name: _ranks(points[name], margin) for name, margin in margins.items()}
    averages = points.get(AVERAGE, {}).items()
    near = {
        entry: tuple(other for other, its in averages if other != entry and abs(its - shown) <= margins[AVERAGE])
        for entry, shown in averages
    }
    ranked = [
        replace(
            entry,
            rank=ranks.get(AVERAGE, {}).get(entry.id),
            not_separated_from=near.get(entry.id, ()),
            task_ranks={task: ranks[task][entry.id] for task in rule.tasks if entry.id in ranks.get(task, {})},
        )
        for entry in best.values()
    ]
    return sorted(ranked, key=lambda entry: (-_average(entry), entry.rank or 0, entry.id)), margins


def _average(entry: BoardEntry) -> float:
    return -math.inf if entry.average is None else entry.average


def _ranks(points: Mapping[int, float], margin: float) -> dict[int, int]:
    """Return by entry 1 plus the number of entries that are better by more than the margin."""
    ordered = sorted(points.values())
    return {entry: 1 + len(ordered) - bisect_right(ordered, shown + margin) for entry, shown in points.items()}
