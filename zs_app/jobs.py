"""The long jobs, which run in worker processes: files in, HTML and written reports out.

Nothing here imports Gradio: a worker holds the scorer and no more. The last argument of a job is its progress.
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
    """What a visitor gave.

    Attributes:
        predictions, references: paths of uploaded files.
        source: where the references are from: `files` for the uploaded ones, else `embedded`, `hub`, or a path
            that the owner set.
        partial: whether to score the ids that both sides have, although some are missing or unknown.
        benchmark: whose tasks they are.
        second: predictions of a second system to compare with, if any.
        tasks, revision: for the Hub, the tasks and the commit whose files the server has downloaded.
        repaired, accept, fill_missing: whether to repair the predictions first, which repairs are accepted besides the
            safe ones, and whether missing answers become empty ones.
        names: what the visitor calls the two systems; empty for the names of their files.
        is_sample: whether it is the sample of this page.
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
    """The tasks whose references an upload needs: those it answers, or all where it answers most of them."""
    progress(0.0, "")
    found = read_predictions(*open_inputs([*upload.predictions, *upload.second]), benchmark=upload.benchmark)
    answered = dict.fromkeys(ALL if task == HARD else task for task in found.tasks)
    return list(answered if _are_few(answered, upload) else find_benchmark(upload.benchmark).tasks)


def _are_few(answered: Collection[str], upload: Upload) -> bool:
    """Whether an upload of these tasks lacks none of the others; one of most tasks may be meant as a submission."""
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
