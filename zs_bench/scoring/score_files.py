"""Scoring of files: each is opened, read, checked and scored once."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from zs_bench.files.paths import open_inputs
from zs_bench.progress import Progress, part_of
from zs_bench.scoring.post_rules import find_rules, process
from zs_bench.scoring.score_predictions import score_predictions
from zs_bench.scoring.scored import PostProcessed, ScoredFile
from zs_bench.validation.from_source import references_from_source
from zs_bench.validation.predictions import ReadPredictions, read_predictions
from zs_bench.validation.references import ALL, HARD, References, gather_references
from zs_bench.validation.validate import validate
from zs_metric.tasks import Benchmark, find_benchmark

Paths = Iterable[str | Path]


def score_files(
    predictions: Paths,
    references: Paths,
    *,
    names: tuple[Iterable[str], Iterable[str]] | None = None,
    benchmark: str | Benchmark = "zero_scrolls",
    hard_ids: Iterable[str] | None = None,
    **options: Any,
) -> ScoredFile:
    """Score prediction files against reference files, given as paths of files, ZIPs or folders.

    Args:
        names: the names of the files in messages (predictions, references), by default their own.
        hard_ids: the ids of QuALITY's hard questions in SCROLLS, which are then scored as a task.
        options: `post`, `partial`, `rouge_aggregation` and `progress`, as for `score_read`.

    Raises:
        UnknownRule, UnknownBenchmark: for a rule or benchmark that does not exist.
        UnusableInput: for a path that does not exist. All other problems are in the result.
    """
    names_of_predictions, names_of_references = names or (None, None)
    of, opened = find_benchmark(benchmark), open_inputs(predictions, names_of_predictions)
    known = read_references(references, names_of_references, benchmark=of, hard_ids=hard_ids)
    return score_read(read_predictions(*opened, benchmark=of), known, **options)


def score_against(predictions: Paths, source: str | Path, **options: Any) -> ScoredFile:
    """Score prediction files against a split of a source; `options` and errors are those of `score_systems`."""
    return score_systems({"": predictions}, source=source, **options)[""]


def score_systems(
    systems: Mapping[str, Paths],
    references: Paths | None = None,
    *,
    source: str | Path | None = None,
    split: str = "validation",
    revision: str | None = None,
    benchmark: str | Benchmark = "zero_scrolls",
    hard_ids: Iterable[str] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> dict[str, ScoredFile]:
    """Score several systems against the same references, which are read and hashed once.

    Args:
        references: reference files; `None` to load the references from a source.
        source, split, revision: see `references_from_source`; only the tasks that have predictions are loaded.
        benchmark, hard_ids, options: as for `score_files`.
        progress: called while the data is loaded and then while it is scored.

    Raises:
        As `score_files` and `references_from_source`.
    """
    of = find_benchmark(benchmark)
    read = {name: read_predictions(*open_inputs(paths), benchmark=of) for name, paths in systems.items()}
    if references is not None:
        known = read_references(references, benchmark=of, hard_ids=hard_ids)
    else:
        tasks = dict.fromkeys(ALL if task == HARD else task for one in read.values() for task in one.tasks)
        where: Any = {"split": split, "revision": revision, "benchmark": of, "progress": progress}
        known = references_from_source(source or "embedded", tasks, **where)
        known = known if hard_ids is None else known.with_hard_questions(hard_ids)
    return {
        name: score_read(one, known, progress=part_of(progress, done, len(read)), **options)
        for done, (name, one) in enumerate(read.items())
    }


def read_references(
    paths: Paths,
    names: Iterable[str] | None = None,
    *,
    benchmark: str | Benchmark = "zero_scrolls",
    hard_ids: Iterable[str] | None = None,
) -> References:
    """The references in files, to score any number of prediction files against.

    Raises:
        UnusableInput: for a path that does not exist.
    """
    known = gather_references(*open_inputs(paths, names), benchmark=benchmark)
    return known if hard_ids is None else known.with_hard_questions(hard_ids)


def score_read(
    read: ReadPredictions,
    references: References,
    *,
    post: Iterable[str] = (),
    partial: bool = False,
    rouge_aggregation: str = "corpus",
    progress: Progress | None = None,
) -> ScoredFile:
    """Check predictions against the ids of the references, and score them.

    Args:
        read: from `read_predictions`.
        references: from `read_references` or a source.
        post: the names of post-processing rules (`zs_bench.scoring.post_rules`).
        partial: score the ids with both prediction and reference, although others are missing or unknown.
        rouge_aggregation: see `zs_metric.score_task`.
        progress: called before every task, and with 1 at the end.
    """
    rules = find_rules(post)
    hard = {id_ for by_id in references.tasks.get(HARD, {}).values() for id_ in by_id}
    validation = validate(
        read.with_hard_questions(hard) if hard else read, references.known(read.benchmark), whole=None
    )
    options: Any = {"partial": partial, "rouge_aggregation": rouge_aggregation}
    if not rules:
        scored = score_predictions(validation, references, progress=progress, **options)
    else:
        before = score_predictions(validation, references, progress=part_of(progress, 0, 2), **options)
        processed, changed = process(validation, rules)
        after = score_predictions(processed, references, progress=part_of(progress, 1, 2), **options)
        effect = PostProcessed({name: task.score for name, task in before.tasks.items()}, changed)
        scored = replace(after, post=tuple(rule.name for rule in rules), processed=effect)
    if progress:
        progress(1.0, "")
    return scored
