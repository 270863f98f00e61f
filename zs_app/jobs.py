"""Jobs that run in worker processes. The last argument of a job is its progress.

This module does not import Gradio, so that a worker loads only the scorer.
"""

import io
import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from zs_bench.files.opened_file import Source
from zs_bench.files.paths import open_inputs
from zs_bench.progress import Progress
from zs_bench.reports import report
from zs_bench.scoring.score_files import read_references, score_read
from zs_bench.validation.from_source import references_from_source
from zs_bench.validation.predictions import ReadPredictions, read_predictions
from zs_bench.validation.references import ALL, HARD, References, gather_references
from zs_metric.tasks import find_benchmark


@dataclass(frozen=True, slots=True)
class Upload:
    """The input of a job.

    Attributes:
        source: the source of the references: `files` for uploaded ones, else `embedded`, `hub`, or the path of the
            owner's data.
        partial: whether to score the ids with both prediction and reference, although others are missing or unknown.
        second: predictions of a second system to compare with, if any.
        tasks, revision: for the Hub, the tasks and the commit whose files the server has downloaded.
        repaired, accept, fill_missing: whether to repair the predictions first, the accepted repairs besides the safe
            ones, and whether to fill missing predictions with empty ones.
        names: names of the two systems, by default those of their files.
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
    """The tasks whose references an upload needs: those with predictions, or all if these are more than half."""
    progress(0.0, "")
    found = read_predictions(*open_inputs([*upload.predictions, *upload.second]), benchmark=upload.benchmark)
    answered = dict.fromkeys(ALL if task == HARD else task for task in found.tasks)
    tasks = find_benchmark(upload.benchmark).tasks
    # Predictions for more than half of the tasks may be meant as a whole submission.
    return list(answered if 0 < len(answered) <= len(tasks) // 2 else tasks)


def report_on_files(upload: Upload, progress: Progress) -> dict[str, Any]:
    """The report of uploaded files."""
    read = read_files(upload.predictions, upload)
    return report.as_json(score_read(read, references_of(upload), partial=upload.partial, progress=progress))


def report_on_objects(
    predictions: Mapping[str, Any], references: Mapping[str, Any], partial: bool, benchmark: str, progress: Progress
) -> dict[str, Any]:
    """The report of JSON objects, read as files with that content would be."""
    read = read_predictions([_as_file("predictions", predictions)], benchmark=benchmark)
    known = gather_references([_as_file("references", references)], benchmark=benchmark)
    return report.as_json(score_read(read, known, partial=partial, progress=progress))


def read_files(paths: Sequence[str], upload: Upload) -> ReadPredictions:
    """The predictions in files of an upload."""
    return read_predictions(*open_inputs(paths, [Path(path).name for path in paths]), benchmark=upload.benchmark)


def references_of(upload: Upload) -> References:
    """The references of an upload, in its files or from their source."""
    if upload.source == "files":
        names = [Path(path).name for path in upload.references]
        return read_references(upload.references, names, benchmark=upload.benchmark)
    # All tasks, since a repair may recognise a misspelt task.
    tasks = upload.tasks or list(find_benchmark(upload.benchmark).tasks)
    return references_from_source(upload.source, tasks, revision=upload.revision, benchmark=upload.benchmark)


def _as_file(name: str, content: Mapping[str, Any]) -> Source:
    data = json.dumps(content).encode()
    path = PurePosixPath(f"{name}.json")
    return Source(name, path, lambda: nullcontext(io.BytesIO(data)), len(data))
