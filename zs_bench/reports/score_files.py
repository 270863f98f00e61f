"""From paths to scores: open, read, gather, join, score."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from zs_bench.files.gather import gather_predictions, gather_references
from zs_bench.files.sources import open_inputs
from zs_bench.reports.scoring import Progress, ScoredFile, score_predictions


def score_files(
    predictions: Iterable[str | Path],
    references: Iterable[str | Path],
    *,
    names: tuple[Iterable[str], Iterable[str]] | None = None,
    partial: bool = False,
    rouge_aggregation: str = "corpus",
    progress: Progress | None = None,
) -> ScoredFile:
    """Score prediction files against reference files, given as paths of files, ZIPs or folders.

    Args:
        predictions: files, ZIPs, folders.
        references: likewise.
        names: what to call the files in messages (predictions, references), when not by their own names.
        partial: see `score_predictions`.
        rouge_aggregation: likewise.
        progress: likewise.

    Raises:
        UnusableInput: for a path that does not exist. Everything else that is wrong is in the result's problems.
    """
    names_of_predictions, names_of_references = names or (None, None)
    found = gather_predictions(*open_inputs(predictions, names_of_predictions))
    known = gather_references(*open_inputs(references, names_of_references))
    scored = score_predictions(found, known, partial=partial, rouge_aggregation=rouge_aggregation, progress=progress)
    if progress:
        progress(1.0, "")
    return scored
