"""`verify`: what is wrong with predictions, checked against the ids of references, lists or a source."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from zs_bench.benchmarks import DEFAULT, Benchmark, find_benchmark, find_task
from zs_bench.files import limits
from zs_bench.files.paths import Inputs, open_inputs
from zs_bench.progress import Progress
from zs_bench.validation.field_ids import answered_in
from zs_bench.validation.known_ids import KnownIds
from zs_bench.validation.predictions import read_predictions
from zs_bench.validation.references import gather_references, without_answers
from zs_bench.validation.validate import Validation, validate


def verify(
    predictions: Inputs,
    references: Inputs | None = None,
    *,
    ids: Iterable[str | Path] = (),
    source: str | Path | None = None,
    split: str | None = None,
    revision: str | None = None,
    tasks: Iterable[str] = (),
    benchmark: str | Benchmark = DEFAULT,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Validation:
    """Find everything that is wrong with predictions: paths, dictionaries `{task: {id: text}}` or rows.

    Args:
        references: likewise, with the ids to check against; or name `ids` (see `ids_of_lists`) or a `source` (see
            `ids_of_source`). Without any, only what needs no ids is checked.
        split: of the references or the source.
        tasks: those whose ids are checked; by default all.
        columns: see `read_predictions`.

    `ready` and `verdict` of the result say whether the predictions can be submitted.
    """
    benchmark, names = find_benchmark(benchmark), [find_task(task, benchmark=benchmark).name for task in tasks]
    with limits.using(limits.COMMANDS):
        given = None if references is None else open_inputs(references)
        sources, problems = open_inputs(predictions)
        beside = given[0] if given else []
        read = read_predictions(sources, problems, benchmark=benchmark, columns=columns, references=beside)
        known_ids = KnownIds(benchmark=benchmark)
        if given is not None:
            against = gather_references(
                *given,
                benchmark=benchmark,
                columns=without_answers(columns),
                answered=answered_in([read]),
            )
            problems = [problem for problem in against.problems if problem.is_error]
            known_ids = replace(against.known_ids(benchmark, split), problems=problems)
        elif ids or source is not None:
            from zs_bench.validation.from_source import ids_of_lists, ids_of_source  # noqa: PLC0415  (sources of data)

            if source is not None:
                wanted = names or None
                known_ids = ids_of_source(source, split, revision, tasks=wanted, benchmark=benchmark, progress=progress)
            else:
                known_ids = ids_of_lists([*ids], benchmark=benchmark)
        known_ids = known_ids.only(names) if names else known_ids
        return validate(read, known_ids)
