"""Jobs that run in worker processes. The last argument of a job is its progress callback.

An upload to "Score a file" is read, checked, scored, explained and compared in one job, which writes its result.

This module does not import Gradio, so that a worker loads only the scorer.
"""

import json
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from zs_app import words
from zs_app.result_tables import Result, opened, write_result
from zs_app.server.workers import preload
from zs_bench.answers import Answer, aligned
from zs_bench.benchmarks import BENCHMARKS, DEFAULT, Benchmark, find_benchmark
from zs_bench.benchmarks.own import content_of, read_benchmark, uploaded_benchmark
from zs_bench.errors import UnusableInput
from zs_bench.files.input_files import InputFile
from zs_bench.files.paths import open_inputs
from zs_bench.files.recognition import recognise
from zs_bench.post_processing import find_rule
from zs_bench.problems import Problem
from zs_bench.progress import Progress, part_of
from zs_bench.reports import comparison as compared
from zs_bench.reports import report
from zs_bench.reports.answers import explained_answers
from zs_bench.reports.html import cut
from zs_bench.reports.html.file_page import (
    GAINED,
    IDENTICAL,
    LOST,
    ReportLine,
    file_more,
    file_page,
    tasks_page,
    variants_report,
)
from zs_bench.reports.html.standalone import comparison_page, html_report
from zs_bench.scoring.compare import Comparison, SystemComparison, by_answers, by_hops, score_groups
from zs_bench.scoring.report_data import Report
from zs_bench.scoring.runs import average_runs
from zs_bench.scoring.score_files import (
    process,
    score_checked,
    score_loaded,
    score_predictions,
    validate_against,
)
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.scoring.swapped import check_swapped, role_of
from zs_bench.validation.field_ids import answered_in
from zs_bench.validation.from_source import references_from_source
from zs_bench.validation.predictions import ReadPredictions, on_same_questions, read_predictions
from zs_bench.validation.references import References, gather_references, with_own_references, without_answers
from zs_bench.validation.submission import as_submission_csv, file_name
from zs_bench.validation.validate import repair
from zs_bench.variants import rescored_file
from zs_metric.errors import ZeroScrollsError
from zs_metric.explain import CAUSES

preload(__name__)  # so that a process of a job begins with what this module imports

#: The ending of the definition of a benchmark of one's own.
DEFINITION = ".toml"
# The most characters of a system's name.
_LONGEST_NAME = 24
_FROM = {"embedded": "the examples of this page", "hub": "the validation split on the Hub"}


@dataclass(frozen=True, slots=True)
class Upload:
    """The input of a job.

    Attributes:
        source: the source of the references: `files`, `embedded`, `hub`, or the path of the owner's data.
        benchmark: its name, or the definition of one's own.
        definition: the path of a visitor's file with the definition, which only a job reads (`read_definition`).
        second: predictions of a second system to compare with, if any.
        tasks, revision: for the Hub, the tasks and the commit whose files the server has downloaded.
        accept: the accepted repairs besides the safe ones, if the predictions are `repaired`.
        fill_missing: whether that adds empty predictions for missing ids.
        names: names of the two systems, by default those of their files.
        columns: what the columns are called that hold `id`, `prediction`, and perhaps `task` and `references`.
        post: the rules that are applied to the predictions before scoring.
        insisted: whether the files are scored as the benchmark whatever they look like.
        runs: whether each file of a system's predictions is a run of it, and the means of the runs are its scores; a
            system of one file is one run.
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
    post: Sequence[str] = ()
    definition: str = ""
    insisted: bool = False
    runs: bool = False


def recognised(upload: Upload) -> tuple[Upload, Sequence[Benchmark]]:
    """Return the upload as one of the benchmark that its files are of, and the other benchmarks that it may be of.

    The others are none where the benchmark was chosen.
    """
    others: Sequence[Benchmark] = ()
    if upload.benchmark == DEFAULT and upload.source == "files" and not upload.insisted:
        found = recognise([*map(Path, upload.predictions), *map(Path, upload.second)])
        others = [*found.others, BENCHMARKS[DEFAULT]] if found.sentence else ()
        upload = replace(upload, benchmark=found.benchmark.name)
    return upload, others


def read_definition(upload: Upload) -> Upload:
    """Return the upload with the definition in the file of a benchmark of the visitor's own as its benchmark.

    Raises `UnusableInput` for what is none, and for one that names what the server would have to read.
    """
    if not upload.definition:
        return upload
    return replace(upload, benchmark=read_benchmark(Path(upload.definition), uploaded=True).key, definition="")


def tasks_of(upload: Upload, progress: Progress) -> list[str]:
    """Return the tasks whose references an upload needs: those with predictions, or all if these are more than half."""
    progress(0.0, "")
    read = read_predictions(*open_inputs([*upload.predictions, *upload.second]), benchmark=upload.benchmark)
    tasks = read.benchmark.tasks
    # Predictions for more than half of the tasks may be meant as a whole submission.
    return list(read.tasks if 0 < len(read.tasks) <= len(tasks) // 2 else tasks)


def roles_of(paths: Sequence[str], benchmark: str, progress: Progress) -> list[str]:
    """Return what each uploaded file holds: "predictions", "references", or the "definition" of a benchmark."""
    progress(0.0, "")
    own = benchmark
    for path in (path for path in paths if path.endswith(DEFINITION)):
        with suppress(ZeroScrollsError):  # what is wrong with it is said when the files are scored
            own = read_benchmark(Path(path), uploaded=True).key
    return ["definition" if path.endswith(DEFINITION) else role_of(Path(path), own) for path in paths]


def report_on_files(upload: Upload, progress: Progress) -> Report:
    """Return the report of uploaded files; a warning says which benchmark they look like, if none was chosen."""
    upload, may_be = recognised(read_definition(upload))
    read = _read_runs(upload.predictions, upload)
    scored = _score_runs(upload.predictions, read, _references(upload, read), upload, progress)
    if may_be:
        others = " or ".join(repr(each.name) for each in may_be if each.name != DEFAULT)
        message = f"Scored as {scored.benchmark.title}, by how the files look"
        said = Problem("recognised", message + (f"; for the other, give benchmark {others}" if others else ""))
        scored = replace(scored, problems=[*scored.problems, replace(said, is_error=False)])
    return report.as_json(scored)


def report_on_objects(
    predictions: Mapping[str, Any],
    references: Mapping[str, Any],
    partial: bool,
    benchmark: str,
    definition: str,
    columns: Mapping[str, str] | None,
    other_runs: Sequence[Mapping[str, Any]],
    progress: Progress,
) -> Report:
    """Return the report of JSON objects, read like files with that content; with `other_runs` of the means over all.

    The text of a `definition` is that of a benchmark of the visitor's own, which then counts.
    """
    if definition:
        try:
            benchmark = uploaded_benchmark(definition).key
        except UnusableInput as error:
            raise UnusableInput(f"definition, {error}") from None
    names = [f"run {number}" for number, _ in enumerate(other_runs, start=2)]
    all_runs = {"run 1" if names else "predictions": predictions, **dict(zip(names, other_runs, strict=True))}
    given = [_as_file("references", references)]
    gathered = gather_references(given, benchmark=benchmark, columns=without_answers(columns))
    runs = {}
    for done, (name, content) in enumerate(all_runs.items()):
        read = read_predictions([_as_file(name, content)], benchmark=benchmark, columns=columns, references=given)
        part = part_of(progress, done, len(all_runs))
        runs[name] = score_loaded(read, gathered, partial=partial, progress=part)
    return report.as_json(average_runs(runs, partial=partial))


def score_upload(upload: Upload, result: Path, progress: Progress) -> None:
    """Check and score an upload, compare it with a second system, and write the result to that path."""
    upload = read_definition(upload)
    upload, may_be = recognised(upload)
    steps, names = 5 if upload.second else 3, system_names(upload)
    read = [*_read_runs(upload.predictions, upload), *_read_runs(upload.second, upload)]
    if upload.source == "files" and not upload.references:
        read = on_same_questions(read)
    references, first = _references(upload, read), part_of(progress, 0, steps)
    own, other = _split(read, len(upload.second) if upload.runs else bool(upload.second))
    systems = [_score_runs(upload.predictions, own, references, upload, first)]
    scored, rows = systems[0], _rows(systems[0], part_of(progress, 1, steps), alone=not upload.second)
    match, others = None, list[Answer]()
    if upload.second:
        as_given = replace(upload, repaired=False, references=())  # which are the first system's to be taken for others
        second = _score_runs(upload.second, other, references, as_given, part_of(progress, 2, steps))
        match = compared.compare(dict(zip(names, (scored, second), strict=True))).comparisons[0]
        others = _rows(second, part_of(progress, 3, steps), alone=False)
        systems.append(second)
    progress((steps - 1) / steps, "writing the report")
    names, submission, corrected = names[: len(systems)], None, scored.validation.answers
    if corrected and not (upload.is_sample or scored.runs):
        name = file_name(scored.benchmark)
        note = f"{len(corrected):,} answers in the official format, with every repair that cannot change a score."
        submission = {"href": _address(result, name), "name": name, "note": note}
    downloads = [(title, _address(result, name), name) for name, (title, _) in _exports(names).items()]
    answers, undone = aligned(rows, others), {} if match else _undone(scored, references)
    page = {
        "report": str(
            file_page(systems, _line(upload), downloads, match, undone, may_be=may_be, runs=_runs_in(upload, read))
        ),
        "tasks": str(tasks_page(scored, match)),
        "more": str(file_more(scored, submission)),
        "answers": len(rows),
        "names": names,
        "runs": [len(system.runs) for system in systems] if match else [0],
        "menus": _menus(scored, [row for pair in answers for row in pair if row], names),
    }
    groups = () if scored.runs and not match else _groups(scored, match)  # these are of the answers of one run
    short = _in_short(scored) | ({"files": [{"file": "the sample"}]} if upload.is_sample else {})
    write_result(result, short, page, pickle.dumps(systems), answers=answers, patterns=groups)


def _read_runs(paths: Sequence[str], upload: Upload) -> list[ReadPredictions]:
    """Return the predictions of each run of a system, whose files are one run unless each is one; none of no files."""
    each = [[path] for path in paths] if upload.runs else [paths]
    return [_read(run, upload) for run in each if run]


def _split(read: Sequence[ReadPredictions], last: int) -> tuple[Sequence[ReadPredictions], Sequence[ReadPredictions]]:
    """Return the runs of the first system, and the last ones, which are of the second."""
    return read[: len(read) - last], read[len(read) - last :]


def _score_runs(
    paths: Sequence[str],
    read: Sequence[ReadPredictions],
    references: References,
    upload: Upload,
    progress: Progress | None,
) -> ScoredFile:
    """Return the scores of a system with files at these paths, the mean of its runs if there are several.

    A run has the name of its file, or its number where these are equal.
    """
    if len(read) == 1:
        return _score(read[0], references, replace(upload, predictions=paths), progress)
    names = [Path(path).stem for path in paths]
    names = names if len({*names}) == len(names) else [f"run {number}" for number, _ in enumerate(names, start=1)]
    runs = {}
    for done, (name, each) in enumerate(zip(names, read, strict=True)):
        alone = replace(upload, predictions=[paths[done]])
        runs[name] = _score(each, references, alone, part_of(progress, done, len(read)))
    return average_runs(runs, partial=upload.partial)


def _rows(scored: ScoredFile, progress: Progress | None, *, alone: bool) -> list[Answer]:
    """Return the answers with what they lost, worst first.

    Of several runs these are the answers of each, with the run behind their ids, or where they are not `alone` but
    beside those of another system the averaged ones.
    """
    if not scored.runs:
        return explained_answers(scored, progress)
    if alone:
        return [replace(row, id=f"{row.id} · {row.run}") for row in explained_answers(scored, progress)]
    return sorted((row for task in scored.scored.values() for row in task.answers), key=lambda row: row.result.score)


def _runs_in(upload: Upload, read: Sequence[ReadPredictions]) -> int:
    """Return the number of the files of a system if they answer the same ids, so that they may be runs; else 0.

    Of two systems it is that of the first one with such files.
    """
    for system in () if upload.runs else read:
        ids: dict[str | None, set[tuple[object, object]]] = {}
        for row in system.rows:
            ids.setdefault(row.place.file, set()).add((row.task, row.id))
        of_files = [*ids.values()]
        if len(of_files) > 1 and all(each == of_files[0] for each in of_files):
            return len(of_files)
    return 0


def _score(read: ReadPredictions, references: References, upload: Upload, progress: Progress | None) -> ScoredFile:
    if not upload.repaired:
        scored = score_loaded(read, references, partial=upload.partial, post=upload.post, progress=progress)
        if upload.source != "files" or not upload.references:
            return scored
        answers, sources = ([*map(Path, paths)] for paths in (upload.predictions, upload.references))
        return check_swapped(scored, answers, sources, score_loaded, upload.columns)
    repaired = repair(validate_against(read, references), upload.accept, fill_missing=upload.fill_missing)
    return score_checked(repaired, references, partial=upload.partial, post=upload.post, progress=progress)


def _undone(scored: ScoredFile, references: References) -> dict[str, dict[str, float]]:
    """Return, by the rules that undo patterns, the higher scores that they would give tasks, by their titles."""
    undone: dict[str, dict[str, float]] = {}
    for name, task in scored.scored.items():
        for rules in dict.fromkeys(tuple(pattern.post) for pattern in task.patterns if pattern.post):
            processed, _ = process(scored.validation.only([name]), [find_rule(rule) for rule in rules])
            score = score_predictions(processed, references, partial=scored.partial).tasks[name].score
            if (score or 0.0) > (task.score or 0.0):
                undone.setdefault(" + ".join([*scored.post, *rules]), {})[task.task.title] = score or 0.0
    return undone


def _in_short(scored: ScoredFile) -> dict[str, Any]:
    """Return what other tabs show of a scored file: a report without answers (`report.as_json`).

    The definition of one's own benchmark is in it as its tables, which the server reads without parsing TOML.
    """
    return {
        **report.averages(scored),
        "benchmark": scored.benchmark.name,
        "definition": content_of(scored.benchmark.definition) if scored.benchmark.definition else "",
        "rouge_aggregation": scored.rouge_aggregation,
        "files": [file.as_dict() for file in scored.files],
        "tasks": {
            name: {
                "score": task.score,
                "split": task.split,
                "n": task.answered,
                "total": task.total,
                "interval": report.interval_as_json(task.interval),
            }
            for name, task in scored.tasks.items()
        },
    }


def _menus(scored: ScoredFile, rows: Sequence[Answer], names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the choices of the menus that filter the answers: value to text; `names` of the systems."""
    tasks, causes = {row.task.name for row in rows}, {row.lost_to for row in rows}
    return {
        "task": {name: task.title for name, task in scored.benchmark.all_tasks.items() if name in tasks},
        "lost_to": {cause: cause for cause in CAUSES if cause in causes and len(names) == 1},
        "verdict": {kind: text.format(*names) for kind, text in words.COMPARE_FILTERS.items() if len(names) > 1},
        "group": {
            f"{name}.{group}": f"{task.task.title}, {group}: {row.score:.1f}"
            for name, task in scored.scored.items()
            for group, row in score_groups(task, _grouped(task), scored.rouge_aggregation).items()
            if not scored.runs
        },
    }


def _grouped(task: ScoredTask) -> dict[str, str]:
    """Return the group of each id, by its hops or the kind of its answer."""
    return by_hops(task) or by_answers(task)


def _groups(scored: ScoredFile, match: SystemComparison | None) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield the groups of answers that the page can filter by: task, name and ids."""
    for name, task in scored.scored.items():
        yield from ((name, pattern.name, pattern.ids) for pattern in task.patterns)
        yield from ((name, group, [id_]) for id_, group in _grouped(task).items())
    for name, outcome in match.tasks.items() if match else ():
        yield from ((name, LOST, outcome.lost), (name, GAINED, outcome.gained))
        yield name, IDENTICAL, [first.id for first, second, _ in outcome.examples if first.text == second.text]


def _exports(names: Sequence[str]) -> dict[str, tuple[str, Callable[[list[ScoredFile]], str]]]:
    """Return the title of each report to download, by the name of its file, and what writes it for scored files."""

    def pair(systems: list[ScoredFile]) -> Comparison:
        return compared.compare(dict(zip(names, systems, strict=True)))

    def questions(systems: list[ScoredFile]) -> str:
        return _as_text(compared.as_json(pair(systems)))

    file, versus = (re.sub(r"[^\w.-]", "-", name).strip("-.") or "report" for name in (names[0], " vs ".join(names)))
    exports: dict[str, tuple[str, Callable[[list[ScoredFile]], str]]] = {
        f"{file}-report.html": ("Report to share (HTML)", lambda all_: html_report(all_[0], name=names[0])),
        f"{file}-report.json": ("Report (JSON)", lambda all_: _as_text(report.as_json(all_[0]))),
        f"{file}-report.csv": ("Scores (CSV)", lambda all_: report.as_csv(all_[0])),
        f"{file}-report.md": ("Tables (Markdown)", lambda all_: report.as_markdown(all_[0], names[0])),
        f"{file}-report.tex": ("Table (LaTeX)", lambda all_: report.as_latex(all_[0], names[0])),
    }
    if len(names) > 1:
        exports |= {
            f"{versus}.html": ("Comparison (HTML)", lambda all_: comparison_page(pair(all_))),
            f"{versus}.json": ("Comparison (JSON)", questions),
            f"{versus}.csv": ("Comparison (CSV)", lambda all_: compared.as_csv(pair(all_))),
            f"{versus}.md": ("Comparison (Markdown)", lambda all_: compared.as_markdown(pair(all_))),
            f"{versus}.tex": ("Comparison (LaTeX)", lambda all_: compared.as_latex(pair(all_))),
        }
    return exports


def export(result: str, name: str, progress: Progress) -> str | None:
    """Return a report of a result to download, or the file to submit; `None` for another name."""
    progress(0.0, "")
    with opened(result) as kept:
        systems, exports = kept_systems(kept), _exports(kept.page["names"])
    if name == file_name(systems[0].benchmark):
        return as_submission_csv(systems[0].validation.answers)
    return exports[name][1](systems) if name in exports else None


def kept_systems(result: Result) -> list[ScoredFile]:
    """Return the scored file of a result and, if it is a comparison, the second one."""
    return list(pickle.loads(result.part("systems")))  # noqa: S301  (only the server writes results)


def _as_text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)


def _address(result: Path, name: str) -> str:
    """Return the address of a report to download, relative to the page; see `routes.py`."""
    return f"reports/{result.stem}/{quote(name)}"


def score_variants(result: str, reported: dict[str, float | str] | None, progress: Progress) -> str:
    """Return the scores of a file with every variant of the metrics, as HTML."""
    progress(0.0, "")
    with opened(result) as kept:
        scored, *_ = kept_systems(kept)
    if scored.runs:
        raise UnusableInput(words.VARIANTS_OF_RUNS)
    return str(variants_report(rescored_file(scored, reported), scored.benchmark))


def system_names(upload: Upload) -> list[str]:
    """Return the names of the two systems, of at most 24 characters: as given, else of their files.

    >>> system_names(Upload(["a/p.csv"], [], "files", False, "scrolls", second=["b/p.csv"]))
    ['p (A)', 'p (B)']
    >>> system_names(Upload(["a/p.csv"], [], "files", False, "scrolls", second=["b/q.csv"], names=("", "new")))
    ['p', 'new']
    >>> official = "zero_scrolls_predictions.csv"
    >>> system_names(Upload([f"a/{official}"], [], "files", False, "scrolls", second=[f"b/{official}"]))
    ['run (A)', 'run (B)']
    """
    files = [
        Path(paths[0]).stem if len(paths) == 1 else f"{len(paths)} files"
        for paths in (upload.predictions, upload.second)
    ]
    chosen = ["sample", *upload.names[1:], ""] if upload.is_sample else [*upload.names, "", ""]
    names = [cut(name.strip() or file, _LONGEST_NAME) for name, file in zip(chosen, files, strict=False)]
    if names[0] != names[1]:
        return names
    official = {Path(file_name(each)).stem for each in BENCHMARKS.values()}  # which say nothing of the system
    base = "run" if names[0] in official else cut(names[0], _LONGEST_NAME - 4)
    return [f"{base} ({letter})" for letter in "AB"]


def _read(paths: Sequence[str], upload: Upload) -> ReadPredictions:
    references = _sources(upload.references)[0] if upload.source == "files" else []
    return read_predictions(*_sources(paths), benchmark=upload.benchmark, columns=upload.columns, references=references)


def _sources(paths: Sequence[str]) -> tuple[list[InputFile], list[Problem]]:
    return open_inputs(paths, [Path(path).name for path in paths])


def _references(upload: Upload, read: Sequence[ReadPredictions]) -> References:
    """Return the references of an upload for these predictions: in its files, from their source, or beside the answers.

    Raises `UnusableInput` if there are none.
    """
    if upload.source == "files" and not upload.references:
        names = [Path(path).name for path in (*upload.predictions, *upload.second)] if upload.runs else []
        own = with_own_references(References(), read, alone=True, names=names or system_names(upload))
        if not own.by_task:
            raise UnusableInput(words.FILE_FIRST_REFERENCES)
        return own
    if upload.source == "files":
        gathered = gather_references(
            *_sources(upload.references),
            benchmark=upload.benchmark,
            columns=without_answers(upload.columns),
            answered=answered_in(read),
        )
        return with_own_references(gathered, read)
    # All tasks, since a repair may recognise a misspelt task.
    tasks = upload.tasks or list(find_benchmark(upload.benchmark).tasks)
    return references_from_source(upload.source, tasks, revision=upload.revision, benchmark=upload.benchmark)


def _as_file(name: str, content: Mapping[str, Any]) -> InputFile:
    return InputFile.in_memory(f"{name}.json", json.dumps(content).encode(), name)


def _line(upload: Upload) -> ReportLine:
    predictions, second, references = (
        Path(paths[0]).name if len(paths) == 1 else f"{len(paths)} {what}"
        for paths, what in (
            (upload.predictions, "files of predictions"),
            (upload.second, "files of predictions"),
            (upload.references, "reference files"),
        )
    )
    if upload.is_sample:
        predictions, references = "the sample", _FROM["embedded"]
    elif upload.source == "files" and not upload.references:
        references = "the references beside the answers"
    elif upload.source != "files":
        references = _FROM.get(upload.source) or Path(upload.source).name
    if second == predictions:
        predictions, second = f"{predictions} (A)", f"{second} (B)"
    return ReportLine(predictions, references, second)
