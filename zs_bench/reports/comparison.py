"""Two or more systems on the same references, each compared with the first: `compare`, and the result as data.

`as_text`, `as_markdown` and `as_latex` write it for people, `as_csv` writes every question with all predictions.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from zs_bench.problems import short
from zs_bench.reports.comparison_text import as_latex, as_markdown, as_text, verdict, warnings
from zs_bench.reports.report import averages, interval_as_json
from zs_bench.reports.tables import Table
from zs_bench.scoring.pairing import Comparison, Outcome, SystemComparison, TaskOutcome, compare_systems
from zs_bench.scoring.scored import ScoredFile
from zs_metric.errors import ZeroScrollsError
from zs_metric.version import VERSION


class Question(NamedTuple):
    """One question with the prediction and score of every system; `None` where a system has none.

    Scores are points. `differences` are the first system's score minus that of each other.
    """

    task: str
    id: str
    references: Sequence[str]
    systems: tuple[str, ...]
    predictions: tuple[str | None, ...]
    scores: tuple[float | None, ...]
    differences: tuple[float | None, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the question as JSON-able data, what belongs to a system under its name."""
        return {
            "task": self.task,
            "id": self.id,
            "references": list(self.references),
            "predictions": dict(zip(self.systems, self.predictions, strict=True)),
            "scores": dict(zip(self.systems, self.scores, strict=True)),
            "differences": dict(zip(self.systems[1:], self.differences, strict=True)),
        }


def questions(comparison: Comparison) -> list[Question]:
    """Return the questions that at least one system was scored on, in the order of the tasks and references."""
    systems = tuple(comparison.systems)
    rows = []
    for name in next(iter(comparison.systems.values())).benchmark.all_tasks:
        answers: list[dict[str, tuple[str, float]]] = []
        references: dict[str, Sequence[str]] = {}
        for system in comparison.systems.values():
            answers.append({})
            task = system.scored.get(name)
            if task and task.result:
                scores = (example.score for example in task.result.examples)
                answers[-1].update(zip(task.ids, zip(task.predictions, scores, strict=True), strict=True))
                references.update(zip(task.ids, task.references, strict=True))
        for id_, texts in references.items():
            pairs = (of_system.get(id_, (None, None)) for of_system in answers)
            predictions, points = zip(*pairs, strict=True)
            first, *others = points
            differences = (None if first is None or other is None else first - other for other in others)
            rows.append(Question(name, id_, texts, systems, predictions, points, tuple(differences)))
    return rows


def as_csv(comparison: Comparison) -> str:
    """Return every question as a row: task, id, references, each system's prediction and score, the differences."""
    first, *others = comparison.systems
    columns = [f"{what}: {name}" for name in comparison.systems for what in ("prediction", "score")]
    head = ["task", "id", "references", *columns, *(f"difference: {first} - {name}" for name in others)]
    rows = []
    for row in questions(comparison):
        answers = chain.from_iterable(zip(row.predictions, row.scores, strict=True))
        rows.append([row.task, row.id, " | ".join(row.references), *answers, *row.differences])
    return Table(head, rows).csv()


__all__ = ["SCHEMA", "Comparison", "as_csv", "as_json", "as_latex", "as_markdown", "as_text", "compare", "questions"]

SCHEMA = "zero-scrolls-comparison/1"


def compare(systems: Mapping[str, ScoredFile], margins: Mapping[str, float] | None = None) -> Comparison:
    """Compare every system with the first.

    Args:
        systems: name to scored file, all on the same references.
        margins: by task, the loss in points up to which a system is as good as the first; "average" is that of the
            average, and of the tasks without one.

    Raises:
        ZeroScrollsError: for fewer than two systems, two of one name, different benchmarks or aggregations of ROUGE.
    """
    named = {short(name, 200): scored for name, scored in systems.items()}
    if len(named) < 2 or len(named) < len(systems):
        raise ZeroScrollsError(f"two or more systems of different names can be compared, not {', '.join(named)}")
    if len({scored.benchmark.name for scored in systems.values()}) > 1:
        raise ZeroScrollsError("the systems are scored on different benchmarks; score them on the same one")
    if len({scored.rouge_aggregation for scored in systems.values()}) > 1:
        raise ZeroScrollsError("the systems are scored by different aggregations of ROUGE; score them by the same one")
    first, *others = named.items()
    return Comparison(named, [compare_systems(first, other, margins) for other in others])


def as_json(comparison: Comparison, *, with_questions: bool = False) -> dict[str, Any]:
    """Return the comparison as JSON-able data; scores and differences are points, unrounded.

    Keys: `schema`, `version`, `systems` (each with `name`, `score`, `mean_of_tasks`, `interval` and `signature`, as in
    its report) and `matches`. Each match has the names `first` and `second`, `tasks`, `mean` (`None` when no task was
    compared), `not_compared` (task to reason), `without_document` (the name of the run that was asked without the
    document, where the other one is of the same model with it), and sentences: `signatures_differ`, `settings_differ`
    and `warnings`.

    Each of `tasks`, and `mean`, has `scores` (on the examples compared), `difference` (first minus second), `interval`
    of it, `p_value` (`None` without an interval), `exact` and `rounds` (false and 0: nothing is enumerated or drawn),
    `wins`, `ties`, `losses` (`None` for the mean), `separated`, `more_examples` and its range
    `more_examples_range` (`None` where it is decided or unknown, and for no upper end), `verdict` (a sentence), `kind`
    (`better`, `as good`, `worse` or `undecided`: the second system compared with the first) and `margin`; a task also
    `p_holm`, `n`, `total`, `only_first`, `only_second`, `lost` and `gained` (ids), `identical` and `examples`, each
    with `id`, `scores` and `difference`, the best for the first system first.

    Args:
        with_questions: adds `questions`, each as `Question.as_dict` returns it.
    """
    systems = ((name, scored, scored.signature()) for name, scored in comparison.systems.items())
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "systems": [
            {"name": name, **averages(scored), "signature": signature and str(signature)}
            for name, scored, signature in systems
        ],
        "matches": [_match(match) for match in comparison.comparisons],
    }
    if with_questions:
        data["questions"] = [question.as_dict() for question in questions(comparison)]
    return data


def _match(match: SystemComparison) -> dict[str, Any]:
    return {
        "first": match.first,
        "second": match.second,
        "tasks": {name: _task(outcome, match) for name, outcome in match.tasks.items()},
        "mean": None if match.mean is None else _outcome(match.mean, match),
        "not_compared": dict(match.not_compared),
        "without_document": match.without_document,
        "signatures_differ": list(match.differ),
        "settings_differ": list(match.settings),
        "warnings": warnings(match),
    }


def _outcome(outcome: Outcome, match: SystemComparison) -> dict[str, Any]:
    paired, needed = outcome.comparison, outcome.needed
    of_task = isinstance(outcome, TaskOutcome)
    return {
        "scores": list(outcome.scores),
        "difference": paired.difference,
        "interval": interval_as_json(paired.interval),
        "p_value": paired.p_value,
        "exact": False,
        "rounds": 0,
        **{name: getattr(paired, name) if of_task else None for name in ("wins", "ties", "losses")},
        "separated": paired.separated(),
        "more_examples": needed and needed.about,
        "more_examples_range": needed and [needed.least, needed.most],
        "verdict": verdict(outcome, match.first, match.second),
        "kind": outcome.kind,
        "margin": outcome.margin,
    }


def _task(outcome: TaskOutcome, match: SystemComparison) -> dict[str, Any]:
    rows = [{"id": row.id, "scores": [row.first, row.second], "difference": row.difference} for row in outcome.examples]
    names = ("total", "only_first", "only_second", "lost", "gained", "identical")
    more = {"n": len(rows), **{name: getattr(outcome, name) for name in names}, "examples": rows}
    return _outcome(outcome, match) | {"p_holm": match.corrected[outcome.task.name]} | more
