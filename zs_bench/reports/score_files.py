"""From paths to scores: open, read, gather, join, score."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from zs_bench.files.gather import gather_predictions, gather_references
from zs_bench.files.hard_ids import with_hard_questions
from zs_bench.files.sources import open_inputs
from zs_bench.reports.postprocessing import score_processed
from zs_bench.reports.scoring import Progress, ScoredFile


def score_files(
    predictions: Iterable[str | Path],
    references: Iterable[str | Path],
    *,
    names: tuple[Iterable[str], Iterable[str]] | None = None,
    partial: bool = False,
    rouge_aggregation: str = "corpus",
    post: Iterable[str] = (),
    benchmark: str = "zero_scrolls",
    hard_ids: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> ScoredFile:
    """Score prediction files against reference files, given as paths of files, ZIPs or folders.

    Args:
        predictions: files, ZIPs, folders.
        references: likewise.
        names: what to call the files in messages (predictions, references), when not by their own names.
        partial: see `score_predictions`.
        rouge_aggregation: likewise.
        post: the names of rules that change the answers before (`zs_bench.reports.post_rules`).
        benchmark: whose tasks the answers are to.
        hard_ids: of QuALITY's hard questions in SCROLLS, which are then a task as well.
        progress: as for `score_predictions`.

    Raises:
        UnknownRule, UnknownBenchmark: for a rule or benchmark that does not exist.
        UnusableInput: for a path that does not exist. Everything else that is wrong is in the result's problems.
    """
    names_of_predictions, names_of_references = names or (None, None)
    found = gather_predictions(*open_inputs(predictions, names_of_predictions), benchmark=benchmark)
    known = gather_references(*open_inputs(references, names_of_references), benchmark=benchmark)
    found, known = with_hard_questions(found, known, hard_ids)
    options = {"partial": partial, "rouge_aggregation": rouge_aggregation}
    scored = score_processed(found, known, post, progress=progress, **options)
    if progress:
        progress(1.0, "")
    return scored
