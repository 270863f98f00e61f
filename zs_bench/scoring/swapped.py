"""Which files are predictions and which are references, and those in each other's place."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from zs_bench.benchmarks import DEFAULT, Benchmark
from zs_bench.files.json_text import JsonObject, fields
from zs_bench.files.paths import Inputs, as_inputs, open_inputs
from zs_bench.problems import Problem, short
from zs_bench.scoring.equal_texts import are_references
from zs_bench.scoring.scored import ScoredFile
from zs_bench.validation.predictions import read_predictions
from zs_bench.validation.references import gather_references
from zs_bench.validation.validate import Validation

_WORDS = {
    "predictions": frozenset(["pred", "preds", "prediction", "predictions", "answers", "outputs", "generated"]),
    "references": frozenset(["ref", "refs", "reference", "references", "gold", "targets", "labels"]),
}


def check_swapped(
    scored: ScoredFile,
    predictions: Inputs,
    references: Inputs,
    score: Callable[..., ScoredFile],
    columns: Mapping[str, str] | None = None,
) -> ScoredFile:
    """The scored file; if its predictions and references are in each other's place, with this as its only problem.

    Names such as `preds_qasper.json` decide first. Without them, the answers must not be readable as answers, even
    after repair, or the references not as references. It is tried with `score`: the other way round every answer must
    have a reference, and the answers must not be references once more, as where both files hold these.
    """
    inputs, number = [*as_inputs(predictions), *as_inputs(references)], len(as_inputs(predictions))
    paths = [each for each in inputs if isinstance(each, Path) and (each.is_file() or each.is_dir())]
    if len(paths) < len(inputs):
        return scored  # what came through a pipe cannot be read again
    names = (_says(paths[:number]), _says(paths[number:]))
    are_named_wrong = names[0] == "references" or names[1] == "predictions"
    if scored.scored and names != ("references", "predictions"):
        return scored
    if not are_named_wrong and (any(names) or not _are_no_answers(scored.validation)):
        return scored
    wrong = {problem.kind for problem in scored.problems if problem.is_error}
    if wrong and wrong <= {"missing", "missing-task"}:
        return scored  # they fit as they are
    read = read_predictions(*open_inputs(references), benchmark=scored.benchmark, columns=columns)
    against = gather_references(*open_inputs(predictions), benchmark=scored.benchmark, columns=columns)
    other = score(read, against, partial=True)
    fit = other.scored and not other.refused and not any(task.unknown for task in other.tasks.values())
    if not fit or any(are_references(task) for task in other.scored.values()):
        return scored
    message = (
        f"The two files look swapped: the answers are in {short(paths[number].name)}, the references in "
        f"{short(paths[0].name)}. Give them the other way round"
    )
    problem = Problem("swapped", message)
    validation = replace(scored.validation, problems=[problem], ready=False)
    return replace(scored, tasks={}, result=None, interval=None, problems=[problem], validation=validation)


def role_of(path: Path, benchmark: str | Benchmark = DEFAULT) -> str:
    """Return what a file holds, "predictions" or "references": by the words of its name, else by its content.

    Lists of texts are references, a text for an id is a prediction.
    """
    if said := _says([path]):
        return said
    rows = read_predictions(*open_inputs([path]), benchmark=benchmark).rows
    # A task of an unknown benchmark is read as a row that holds an object.
    values = [fields(row.value).values() if isinstance(row.value, JsonObject) else [row.value] for row in rows]
    if 2 * sum(type(value) is list for each in values for value in each) > sum(map(len, values)):
        return "references"
    if rows or not gather_references(*open_inputs([path]), benchmark=benchmark).by_task:
        return "predictions"
    return "references"


def _says(paths: Sequence[Path]) -> str | None:
    """What all these files or folders hold, by the words of their names."""
    words = [set(re.split(r"[\W_]+", path.name.lower())) for path in paths]
    said = [role for role, of_role in _WORDS.items() if words and not any(map(of_role.isdisjoint, words))]
    return said[0] if len(said) == 1 else None


def _are_no_answers(validation: Validation) -> bool:
    """Whether the files hold no answers, or their references are none."""
    lists = (problem.kind == "not-a-text" and problem.repair is None for problem in validation.problems)
    return any(lists) or not validation.answers or not validation.known_ids.lists
