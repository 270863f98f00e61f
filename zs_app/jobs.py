"""Jobs that run in worker processes. The last argument of a job is its progress callback.

An upload to "Score a file" is read, checked, scored, explained and compared in one job, which writes its result.

This module does not import Gradio, so that a worker loads only the scorer.
"""

import json
import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from zs_app import words
from zs_app.server.result_tables import kept_scored, write_answers, write_result
from zs_bench.files.opened_file import Source
from zs_bench.files.paths import open_inputs
from zs_bench.progress import Progress, part_of
from zs_bench.reports import comparison as compared
from zs_bench.reports import report
from zs_bench.reports.file_view import AnswerRow, FileView, explain_file
from zs_bench.reports.html import cut
from zs_bench.reports.html.comparison_table import GAINED, IDENTICAL, LOST
from zs_bench.reports.html.file_page import Line, file_more, file_page, tasks_page, variants_report
from zs_bench.reports.html.standalone import comparison_page, html_report
from zs_bench.scoring.pairing import SystemComparison
from zs_bench.scoring.report_data import Report
from zs_bench.scoring.score_files import read_references, score_loaded, score_predictions, validate_against
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import info
from zs_bench.validation.from_source import references_from_source
from zs_bench.validation.predictions import ReadPredictions, read_predictions
from zs_bench.validation.references import ALL, HARD, References, gather_references
from zs_bench.validation.submission import FILE_NAMES, as_submission_csv
from zs_bench.validation.validate import repair
from zs_bench.variants.rescore import rescored_file
from zs_metric.explain import CAUSES
from zs_metric.tasks import find_benchmark

# The most characters of a system's name, and the names that say nothing, of official prediction files.
_LONGEST_NAME, _OFFICIAL_STEMS = 24, {Path(name).stem for name in FILE_NAMES.values()}
_FROM = {"embedded": "the examples of this page", "hub": "the validation split on the Hub"}


@dataclass(frozen=True, slots=True)
class Upload:
    """The input of a job.

    Attributes:
        source: the source of the references: `files` for uploaded ones, else `embedded`, `hub`, or the path of the
            owner's data.
        partial: whether to score only the ids present in both, even if others are missing or unknown.
        second: predictions of a second system to compare with, if any.
        tasks, revision: for the Hub, the tasks and the commit whose files the server has downloaded.
        repaired, accept, fill_missing: whether to repair the predictions first, the accepted repairs besides the safe
            ones, and whether to add empty predictions for missing ids.
        names: names of the two systems, by default those of their files.
        columns: what the columns of tables are called that hold `id`, `prediction` and perhaps `task`.
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
    columns: Mapping[str, str] | None = None


def tasks_of(upload: Upload, progress: Progress) -> list[str]:
    """The tasks whose references an upload needs: those with predictions, or all if these are more than half."""
    progress(0.0, "")
    found = read_predictions(*open_inputs([*upload.predictions, *upload.second]), benchmark=upload.benchmark)
    answered = dict.fromkeys(ALL if task == HARD else task for task in found.tasks)
    tasks = find_benchmark(upload.benchmark).tasks
    # Predictions for more than half of the tasks may be meant as a whole submission.
    return list(answered if 0 < len(answered) <= len(tasks) // 2 else tasks)


def report_on_files(upload: Upload, progress: Progress) -> Report:
    """The report of uploaded files."""
    read = _read(upload.predictions, upload)
    return report.as_json(score_loaded(read, _references(upload), partial=upload.partial, progress=progress))


def report_on_objects(
    predictions: Mapping[str, Any], references: Mapping[str, Any], partial: bool, benchmark: str, progress: Progress
) -> Report:
    """The report of JSON objects, read like files with that content."""
    read = read_predictions([_as_file("predictions", predictions)], benchmark=benchmark)
    known = gather_references([_as_file("references", references)], benchmark=benchmark)
    return report.as_json(score_loaded(read, known, partial=partial, progress=progress))


def score_upload(upload: Upload, result: Path, progress: Progress) -> None:
    """Check, score and explain an upload, compare it with a second system, and write the result to that path."""
    steps = 5 if upload.second else 3
    names = system_names(upload)
    read = [_read(paths, upload) for paths in (upload.predictions, upload.second) if paths]
    known = _references(upload)
    scored = _score(read[0], known, upload, part_of(progress, 0, steps))
    view = explain_file(scored, part_of(progress, 1, steps))
    files = _named(names[0], _reports(view, names[0]), "-report")
    match, others = None, list[AnswerRow]()
    if upload.second:
        second = score_loaded(read[1], known, partial=upload.partial, progress=part_of(progress, 2, steps))
        pair = compared.compare(dict(zip(names, (scored, second), strict=True)))
        others, match = list(explain_file(second, part_of(progress, 3, steps)).rows), pair.comparisons[0]
        files += _named(" vs ".join(names), _comparisons(pair))
    progress((steps - 1) / steps, "writing the reports")
    validation = scored.validation
    downloads = [(title, report_address(result.stem, name), name) for name, title, _ in files]
    contents = {name: text for name, _, text in files}
    submission = None
    if validation.answers and not upload.is_sample:
        name = FILE_NAMES[upload.benchmark]
        contents[name] = as_submission_csv(validation.answers)
        note = (
            f"{len(validation.answers):,} answers in the official format, with every repair that cannot change a score."
        )
        submission = {"href": report_address(result.stem, name), "name": name, "note": note}
    data = {
        "report": str(file_page(view, _line(upload, scored), downloads, match)),
        "tasks": str(tasks_page(view, match)),
        "more": str(file_more(view, submission)),
        "answers": len(view.rows),
        "names": names if match else names[:1],
        "menus": _menus(view, others, names if match else []),
    }
    write_result(result, _slim(report.as_json(scored)), data, downloads=contents, scored=pickle.dumps(scored))
    write_answers(result, view.rows, others, _groups(view, others, match))


def _menus(view: FileView, others: Sequence[AnswerRow], names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the choices of the menus that filter the answers: value to text."""
    rows = [*view.rows, *others]
    tasks = {row.task.name: row.task for row in rows}
    causes = {row.lost_to for row in view.rows}
    return {
        "task": {name: info(task).title for name, task in view.scored.benchmark.all_tasks.items() if name in tasks},
        "lost_to": {cause: cause for cause in CAUSES if cause in causes and not names},
        "verdict": {kind: text.format(*names) for kind, text in words.COMPARE_FILTERS.items() if names},
    }


def _groups(
    view: FileView, others: Sequence[AnswerRow], match: SystemComparison | None
) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield the groups of answers that the page can filter by: task, name and ids."""
    for name, task in view.scored.scored.items():
        yield from ((name, pattern.name, pattern.ids) for pattern in task.patterns)
    texts = {(row.task.name, row.id): row.answer for row in others}
    for name, outcome in match.tasks.items() if match else ():
        yield from ((name, LOST, outcome.lost), (name, GAINED, outcome.gained))
        same = (row.id for row in view.rows if row.task.name == name and texts.get((name, row.id)) == row.answer)
        yield name, IDENTICAL, same


def score_variants(result: Path, reported: dict[str, float | str] | None, progress: Progress) -> str:
    """The scores of a file with every variant of the metrics, as HTML."""
    progress(0.0, "")
    scored = pickle.loads(kept_scored(result))  # noqa: S301  (only the server writes results)
    return str(variants_report(rescored_file(scored, reported), scored.benchmark))


def system_names(upload: Upload) -> list[str]:
    """Return the names of the two systems, of at most 24 characters: as given, else of their files.

    Names that are equal, such as that of every official prediction file, get letters.

    >>> system_names(Upload(["a/p.csv"], [], "files", False, "scrolls", second=["b/p.csv"]))
    ['p (A)', 'p (B)']
    >>> system_names(Upload(["a/p.csv"], [], "files", False, "scrolls", second=["b/q.csv"], names=("", "new")))
    ['p', 'new']
    >>> system_names(Upload([], [], "files", False, "scrolls", second=["b/q.csv"], names=("p", "new"), is_sample=True))
    ['sample', 'new']
    """
    chosen = [*upload.names, "", ""]
    if upload.is_sample:
        chosen[0] = "sample"
    files = [_file_name(upload.predictions), _file_name(upload.second)]
    names = [cut(name.strip() or file, _LONGEST_NAME) for name, file in zip(chosen, files, strict=False)]
    if names[0] != names[1]:
        return names
    base = "run" if names[0] in _OFFICIAL_STEMS else cut(names[0], _LONGEST_NAME - 4)
    return [f"{base} (A)", f"{base} (B)"]


def _file_name(paths: Sequence[str]) -> str:
    return Path(paths[0]).stem if len(paths) == 1 else f"{len(paths)} files"


def _score(read: ReadPredictions, known: References, upload: Upload, progress: Progress | None) -> ScoredFile:
    if not upload.repaired:
        return score_loaded(read, known, partial=upload.partial, progress=progress)
    mended = repair(validate_against(read, known), upload.accept, fill_missing=upload.fill_missing)
    return score_predictions(mended, known, partial=upload.partial, progress=progress)


def _read(paths: Sequence[str], upload: Upload) -> ReadPredictions:
    sources, problems = open_inputs(paths, [Path(path).name for path in paths])
    return read_predictions(sources, problems, benchmark=upload.benchmark, columns=upload.columns)


def _references(upload: Upload) -> References:
    """The references of an upload, in its files or from their source."""
    if upload.source == "files":
        names = [Path(path).name for path in upload.references]
        return read_references(upload.references, names, benchmark=upload.benchmark)
    # All tasks, since a repair may recognise a misspelt task.
    tasks = upload.tasks or list(find_benchmark(upload.benchmark).tasks)
    return references_from_source(upload.source, tasks, revision=upload.revision, benchmark=upload.benchmark)


def _as_file(name: str, content: Mapping[str, Any]) -> Source:
    return Source.in_memory(f"{name}.json", json.dumps(content).encode(), name)


def _files(paths: Sequence[str], what: str) -> str:
    return Path(paths[0]).name if len(paths) == 1 else f"{len(paths)} {what}"


def _line(upload: Upload, scored: ScoredFile) -> Line:
    name = _files(upload.predictions, "files of predictions")
    known = _FROM.get(upload.source) or Path(upload.source).name
    if upload.is_sample:
        name, known = "the sample", _FROM["embedded"]
    elif upload.source == "files":
        known = _files(upload.references, "reference files")
    answers = sum(file.rows for file in scored.files)
    examples = sum(task.total for task in scored.tasks.values())
    second = _files(upload.second, "files of predictions")
    return Line(name, known, answers, examples, len(scored.validation.changes), upload.is_sample, second)


def _reports(view: FileView, name: str) -> list[tuple[str, str, str]]:
    """The reports of a file: suffix, title and text of each."""
    scored = view.scored
    data = json.dumps(report.as_json(scored), ensure_ascii=False, indent=1)
    return [
        ("html", "Report to share (HTML)", html_report(view, name=name)),
        ("json", "Report (JSON)", data),
        ("csv", "Scores (CSV)", report.as_csv(scored)),
        ("md", "Tables (Markdown)", report.as_markdown(scored, name)),
        ("tex", "Table (LaTeX)", report.as_latex(scored, name)),
    ]


def _comparisons(pair: compared.Comparison) -> list[tuple[str, str, str]]:
    """The reports of a comparison: suffix, title and text of each."""
    data = json.dumps(compared.as_json(pair, with_questions=True), ensure_ascii=False, indent=1)
    return [
        ("html", "Comparison (HTML)", comparison_page(pair)),
        ("json", "Comparison (JSON)", data),
        ("csv", "Comparison (CSV)", compared.as_csv(pair)),
        ("md", "Comparison (Markdown)", compared.as_markdown(pair)),
        ("tex", "Comparison (LaTeX)", compared.as_latex(pair)),
    ]


def report_address(result: str, name: str) -> str:
    """Return the address of a report to download, relative to the page; see `server/routes.py`."""
    return f"reports/{result}/{quote(name)}"


def _named(name: str, reports: Sequence[tuple[str, str, str]], more: str = "") -> list[tuple[str, str, str]]:
    """Return the file name, title and text of each report."""
    safe = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.") or "report"
    return [(f"{safe}{more}.{end}", title, text) for end, title, text in reports]


def _slim(data: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("score", "split", "n", "total", "interval")
    tasks = {name: {key: task[key] for key in kept} for name, task in data["tasks"].items()}
    return {key: data[key] for key in ("benchmark", "score", "interval", "rouge_aggregation", "files")} | {
        "tasks": tasks
    }
