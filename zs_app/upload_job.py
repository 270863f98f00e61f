"""The job of the tab "Score a file": an upload is opened, read, checked, scored, explained and compared once.

The report of the page is stored as HTML, the predictions as database tables, and the downloads as files.
"""

import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from zs_app.jobs import Upload, read_files, references_of
from zs_app.server.result_tables import write_tables
from zs_app.server.temporary_files import write_result
from zs_bench.progress import Progress, part_of
from zs_bench.reports import comparison as compared
from zs_bench.reports import report
from zs_bench.reports.comparison import Question, questions
from zs_bench.reports.file_view import FileView, explain_file
from zs_bench.reports.html.file_page import Download, Line, file_more, file_page, variants_report
from zs_bench.reports.html.standalone import comparison_page, comparison_report, html_report
from zs_bench.scoring.post_rules import score_processed
from zs_bench.scoring.score_files import score_read
from zs_bench.scoring.scored import ScoredFile
from zs_bench.validation import FILE_NAMES, as_submission_csv, repair, validate
from zs_bench.validation.predictions import ReadPredictions
from zs_bench.validation.references import References
from zs_bench.variants.rescore import rescored_file

_SCORED = "scored.pickle"
_FROM = {
    "embedded": "the examples of this page",
    "hub": "the validation split on the Hub",
}
#: The reports by the ends of their names, with their titles.
EXPORTS: Mapping[str, str] = {
    "html": "Report to share (HTML)",
    "json": "Report (JSON)",
    "csv": "Scores (CSV)",
    "md": "Tables (Markdown)",
    "tex": "Table (LaTeX)",
}
_FORMATS = {"html": "HTML", "json": "JSON", "csv": "CSV", "md": "Markdown", "tex": "LaTeX"}


def score_upload(upload: Upload, public: Path, private: Path, progress: Progress) -> None:
    """Check, score and explain an upload, and compare it with a second system.

    Args:
        progress: called with the share done and a few words.
    """
    steps = 5 if upload.second else 3
    names = system_names(upload)
    read = [read_files(paths, upload) for paths in (upload.predictions, upload.second) if paths]
    known = references_of(upload)
    scored = _score(read[0], known, upload, part_of(progress, 0, steps))
    view = explain_file(scored, part_of(progress, 1, steps))
    shown, rows, views = "", list[Question](), [view, view]
    downloads = _write_reports(public, view, names[0])
    if upload.second:
        second = score_read(read[1], known, partial=upload.partial, progress=part_of(progress, 2, steps))
        pair = compared.compare(dict(zip(names, (scored, second), strict=True)))
        views[1] = explain_file(second, part_of(progress, 3, steps))
        shown, rows = str(comparison_report(pair, most=0, losses=[one.losses for one in views])), questions(pair)
        downloads += _write_comparison(public, pair, names)
    progress((steps - 1) / steps, "writing the reports")
    validation = scored.validation
    if validation is None:
        raise RuntimeError("a scored file without its validation")
    submission = _write_submission(public, scored, upload)
    data = {
        "report": str(file_page(view, _line(upload, scored), downloads, validation.changes)),
        "more": str(file_more(view, validation, submission)),
        "comparison": shown,
        "answers": len(view.rows),
        "questions": len(rows),
        "names": names if upload.second else names[:1],
    }
    write_tables(private, view.rows, rows, [one.rows for one in views])
    write_result(private, _slim(report.as_json(scored)), data)
    (private / _SCORED).write_bytes(pickle.dumps(scored))


def score_variants(private: Path, reported: dict[str, float | str] | None, progress: Progress) -> str:
    """A scored file under all variants of the metrics, as HTML."""
    progress(0.0, "")
    # Safe: only the server writes to this folder.
    scored = pickle.loads((private / _SCORED).read_bytes())  # noqa: S301
    return str(variants_report(rescored_file(scored, reported), scored.of))


def system_names(upload: Upload) -> list[str]:
    """The names of the two systems: as given, else those of their files, with letters if they are equal.

    >>> system_names(Upload(["a/p.csv"], [], "files", False, "scrolls", second=["b/p.csv"]))
    ['p (A)', 'p (B)']
    >>> system_names(Upload(["a/p.csv"], [], "files", False, "scrolls", second=["b/q.csv"], names=("", "new")))
    ['p', 'new']
    """
    given = [*upload.names, "", ""]
    if upload.is_sample:
        given = ["sample", ""]
    names = [
        (given[place].strip() or _common_name(files))[:60]
        for place, files in enumerate((upload.predictions, upload.second))
    ]
    return names if names[0] != names[1] else [f"{name} ({letter})" for name, letter in zip(names, "AB", strict=True)]


def _common_name(files: Sequence[str]) -> str:
    return Path(files[0]).stem if len(files) == 1 else f"{len(files)} files"


def _score(read: ReadPredictions, known: References, upload: Upload, progress: Progress | None) -> ScoredFile:
    if not upload.repaired:
        return score_read(read, known, partial=upload.partial, progress=progress)
    found = validate(read, known.known(read.benchmark), whole=None)
    mended = repair(found, upload.accept, fill_missing=upload.fill_missing)
    scored = score_processed(mended, known, partial=upload.partial, progress=progress)
    return replace(scored, validation=mended)


def _line(upload: Upload, scored: ScoredFile) -> Line:
    references = len(upload.references)
    known = _FROM.get(upload.source) or Path(upload.source).name
    if upload.source == "files":
        known = Path(upload.references[0]).name if references == 1 else f"{references} reference files"
    files = [Path(path).name for path in upload.predictions]
    name = "the sample" if upload.is_sample else files[0] if len(files) == 1 else f"{len(files)} files of predictions"
    return Line(
        name,
        "the examples of this page" if upload.is_sample else known,
        sum(file.rows for file in scored.files),
        sum(task.total for task in scored.tasks.values()),
        len(scored.validation.changes) if scored.validation else 0,
    )


def _write_reports(folder: Path, view: FileView, name: str) -> list[Download]:
    scored = view.scored
    texts = {
        "html": html_report(view, name=name),
        "json": json.dumps(report.as_json(scored), ensure_ascii=False, indent=1),
        "csv": report.as_csv(scored),
        "md": report.as_markdown(scored, name),
        "tex": report.as_latex(scored, name),
    }
    return [_write(folder, f"{_file_name(name)}-report.{end}", texts[end], title) for end, title in EXPORTS.items()]


def _write_comparison(folder: Path, pair: compared.Comparison, names: Sequence[str]) -> list[Download]:
    name = _file_name(" vs ".join(names))
    texts = {
        "html": comparison_page(pair),
        "json": json.dumps(compared.as_json(pair, with_questions=True), ensure_ascii=False, indent=1),
        "csv": compared.as_csv(pair),
        "md": compared.as_markdown(pair),
        "tex": compared.as_latex(pair),
    }
    return [_write(folder, f"{name}.{end}", text, f"Comparison ({_FORMATS[end]})") for end, text in texts.items()]


def _write_submission(folder: Path, scored: ScoredFile, upload: Upload) -> dict[str, str] | None:
    """The official prediction file with all safe repairs made; `None` for the sample."""
    if upload.is_sample or not scored.validation or not scored.validation.answers:
        return None
    name = FILE_NAMES[upload.benchmark]
    link = _write(folder, name, as_submission_csv(scored.validation.answers), "")
    count = len(scored.validation.answers)
    note = f"{count:,} answers in the official form, with every repair that cannot change a score."
    return {"href": link.href, "name": name, "note": note}


def _write(folder: Path, name: str, text: str, title: str) -> Download:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return Download(title, f"gradio_api/file={quote(str(path))}", name)


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.") or "report"


def _slim(data: dict[str, Any]) -> dict[str, Any]:
    kept = ("score", "split", "n", "total", "interval")
    tasks = {name: {key: task[key] for key in kept} for name, task in data["tasks"].items()}
    shown = ("benchmark", "score", "interval", "rouge_aggregation", "files")
    return {**{key: data[key] for key in shown}, "tasks": tasks}
