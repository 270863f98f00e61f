"""The long jobs: files to a report, and to everything that the tab "Score a file" shows. They run in `worker.py`'s
processes, so nothing here imports Gradio.
"""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from zs_bench.drawing import file_report
from zs_bench.drawing.html_report import html_report
from zs_bench.files.gather import gather_predictions, gather_references
from zs_bench.files.hard_ids import with_hard_questions
from zs_bench.files.source import Source
from zs_bench.reports import report
from zs_bench.reports.file_view import look_at
from zs_bench.reports.score_files import score_files
from zs_bench.reports.scoring import Progress, ScoredFile, score_predictions
from zs_bench.sources.source_references import score_against


@dataclass(frozen=True, slots=True)
class Looked:
    """A scored file as the page shows it.

    Attributes:
        problems, summary, losses: HTML.
        answers: how many were scored.
        view: the `FileView` of every answer, pickled: the server keeps it, and reads it when it is looked at.
        slim: the report without its examples.
        files: the reports for download.
    """

    problems: str
    summary: str
    losses: str
    answers: int
    view: bytes
    slim: dict[str, Any]
    files: list[Path]


def score(
    predictions: Sequence[str],
    references: Sequence[str],
    source: str,
    partial: bool,
    benchmark: str = "zero_scrolls",
    *,
    progress: Progress | None = None,
) -> ScoredFile:
    """Score uploaded files, named in messages as the visitor named them, against uploaded references (`files`) or
    against those of a source (`embedded`, `hub`).

    Raises:
        SourceUnavailable: when the Hub cannot give them.
    """
    if source != "files":
        return score_against(predictions, source, partial=partial, benchmark=benchmark, progress=progress)[0]
    names = ([Path(path).name for path in predictions], [Path(path).name for path in references])
    options: dict[str, Any] = {"partial": partial, "benchmark": benchmark, "progress": progress}
    return score_files(predictions, references, names=names, **options)


def look(given: tuple[Sequence[str], Sequence[str], str, bool, str], folder: Path, progress: Progress) -> Looked:
    """Score uploaded files (`given`, as for `score`), see where the points went, draw it, and write the reports."""
    result = score(*given, progress=lambda share, what: progress(share / 2, what))
    view = look_at(result, lambda share, what: progress(0.5 + share / 2, what))
    data, name = report.as_json(result), Path(given[0][0]).stem
    texts = {
        "report.json": json.dumps(data, ensure_ascii=False, indent=1),
        "report.csv": report.as_csv(result),
        "report.md": report.as_markdown(result, name),
        "report.tex": report.as_latex(result, name),
        "report.html": html_report(view),
    }
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8", newline="")
    return Looked(
        str(file_report.problems(result)),
        str(file_report.summary(result)),
        str(file_report.losses(view)),
        len(view.rows),
        pickle.dumps(view),
        _slim(data),
        [folder / file for file in texts],
    )


def _slim(data: dict[str, Any]) -> dict[str, Any]:
    """The report without its examples: what the results tab needs."""
    kept = ("score", "split", "n", "total")
    tasks = {name: {key: task[key] for key in kept} for name, task in data["tasks"].items()}
    return {"benchmark": data["benchmark"], "score": data["score"], "tasks": tasks}


def report_on_files(
    predictions: Sequence[str],
    references: Sequence[str],
    partial: bool,
    benchmark: str,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The report of uploaded files."""
    return report.as_json(score(predictions, references, "files", partial, benchmark, progress=progress))


def report_on_objects(
    predictions: Mapping[str, Any],
    references: Mapping[str, Any],
    partial: bool,
    benchmark: str,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The report of JSON objects, read as files with that content would be."""
    found = gather_predictions([_as_file("predictions", predictions)], benchmark=benchmark)
    known = gather_references([_as_file("references", references)], benchmark=benchmark)
    found, known = with_hard_questions(found, known)
    return report.as_json(score_predictions(found, known, partial=partial, progress=progress))


def _as_file(name: str, content: Mapping[str, Any]) -> Source:
    data = json.dumps(content).encode()
    path = PurePosixPath(f"{name}.json")
    return Source(name, path, lambda: nullcontext(io.BytesIO(data)), len(data))
