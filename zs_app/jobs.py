"""Jobs that run in worker processes. The last argument of a job is its progress.

This module does not import Gradio, so that a worker loads only the scorer.
"""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from zs_bench.files.opened_file import Source
from zs_bench.files.paths import open_inputs
from zs_bench.progress import Progress
from zs_bench.reports import report
from zs_bench.scoring.score_files import score_against, score_files, score_read
from zs_bench.scoring.scored import ScoredFile
from zs_bench.validation.predictions import read_predictions
from zs_bench.validation.references import ALL, HARD, gather_references
from zs_metric.tasks import find_benchmark


@dataclass(frozen=True, slots=True)
class Upload:
    """The input of a job.

    Attributes:
        predictions, references: paths of uploaded files.
        source: the source of the references: `files` for uploaded ones, else `embedded`, `hub`, or the path of the
            owner's data.
        partial: whether to score the ids with both prediction and reference, although others are missing or unknown.
        benchmark: the name of the benchmark.
        second: predictions of a second system to compare with, if any.
        tasks, revision: for the Hub, the tasks and the commit whose files the server has downloaded.
        repaired, accept, fill_missing: whether to repair the predictions first, the accepted repairs besides the safe
            ones, and whether to fill missing predictions with empty ones.
        names: names of the two systems, by default those of their files.
        is_sample: whether it is the sample of the page.
    """

    predictions: Sequence[str]
    references: Sequence[str]
    source: str
    partial: bool
    benchmark: str
    second: Sequence[str] = ()
    tasks: Sequence[str] | None = None
    revision: str | None = None
    repaired: bool = False
    accept: Sequence[str] = ()
    fill_missing: bool = False
    names: Sequence[str] = ()
    is_sample: bool = False


def tasks_of(upload: Upload, progress: Progress) -> list[str]:
    """The tasks whose references an upload needs: those with predictions, or all if these are most tasks."""
    progress(0.0, "")
    found = read_predictions(*open_inputs([*upload.predictions, *upload.second]), benchmark=upload.benchmark)
    answered = dict.fromkeys(ALL if task == HARD else task for task in found.tasks)
    return list(answered if _are_few(answered, upload) else find_benchmark(upload.benchmark).tasks)


def _are_few(answered: Collection[str], upload: Upload) -> bool:
    """Whether these are at most half of the tasks; predictions for more may be meant as a whole submission."""
    return 0 < len(answered) <= len(find_benchmark(upload.benchmark).tasks) // 2


def report_on_files(upload: Upload, progress: Progress) -> dict[str, Any]:
    """The report of uploaded files."""
    return report.as_json(_score(upload, upload.predictions, progress))


def report_on_objects(
    predictions: Mapping[str, Any], references: Mapping[str, Any], partial: bool, benchmark: str, progress: Progress
) -> dict[str, Any]:
    """The report of JSON objects, read as files with that content would be."""
    read = read_predictions([_as_file("predictions", predictions)], benchmark=benchmark)
    known = gather_references([_as_file("references", references)], benchmark=benchmark)
    return report.as_json(score_read(read, known, partial=partial, progress=progress))


def _score(upload: Upload, files: Sequence[str], progress: Progress | None) -> ScoredFile:
    names = [Path(path).name for path in files]
    options: dict[str, Any] = {"partial": upload.partial, "benchmark": upload.benchmark, "progress": progress}
    if upload.source != "files":
        return score_against(files, upload.source, names=names, revision=upload.revision, **options)
    known = [Path(path).name for path in upload.references]
    return score_files(files, upload.references, names=(names, known), **options)


def _as_file(name: str, content: Mapping[str, Any]) -> Source:
    data = json.dumps(content).encode()
    path = PurePosixPath(f"{name}.json")
    return Source(name, path, lambda: nullcontext(io.BytesIO(data)), len(data))
