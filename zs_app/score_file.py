"""The tab "Score a file": predictions and references in; the report, the losses and every answer out."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from zs_bench.catalog import FACTS
from zs_bench.drawing import file_report
from zs_bench.drawing.cards import notice
from zs_bench.drawing.markup import html
from zs_bench.reports import report
from zs_bench.reports.file_view import ANY, COLUMNS, FileView, Filter, cells, choose, look_at
from zs_bench.reports.score_files import score_files
from zs_bench.reports.scoring import Progress, ScoredFile
from zs_bench.sources.data_sources import SourceUnavailable
from zs_bench.sources.embedded import SAMPLE_PREDICTIONS, load_embedded
from zs_bench.sources.source_references import score_against
from zs_metric.explain import PARTS
from zs_metric.tasks import TASKS

from . import words
from .cards import scored
from .live import live, told

#: Where the references may come from; a visitor never names a path.
SOURCES = {"files": words.FILE_FROM_FILES, "embedded": words.FILE_FROM_EMBEDDED, "hub": words.FILE_FROM_HUB}
SUFFIXES = [".csv", ".json", ".jsonl", ".zip"]


def score(
    predictions: Sequence[str], references: Sequence[str], partial: bool, progress: Progress | None = None
) -> ScoredFile:
    """Score uploaded files, named in messages as the visitor named them."""
    names = ([Path(path).name for path in predictions], [Path(path).name for path in references])
    return score_files(predictions, references, names=names, partial=partial, progress=progress)


def score_with(
    predictions: Sequence[str], references: Sequence[str], source: str, partial: bool, progress: Progress | None = None
) -> ScoredFile:
    """Score uploaded files against uploaded references, or against those of one of `SOURCES`.

    Raises:
        SourceUnavailable: when the Hub cannot give them.
    """
    if source == "files":
        return score(predictions, references, partial, progress)
    where = source if source in SOURCES else "embedded"
    return score_against(predictions, where, partial=partial, progress=progress)[0]


def show(
    predictions: Sequence[str] | None,
    references: Sequence[str] | None,
    source: str,
    partial: bool,
    progress: gr.Progress = gr.Progress(),
) -> list[Any]:
    """Everything the tab shows of a file, and the report that the tab "Results" shows."""
    if not predictions or (source == "files" and not references):
        return _nothing(notice("info", words.FILE_FIRST))
    try:
        result = score_with(
            predictions,
            references or [],
            source,
            partial,
            lambda share, what: progress(share / 2, desc=what or "ledger"),
        )
    except SourceUnavailable as error:
        return _nothing(notice("error", words.SOURCE_UNAVAILABLE_FILE, [str(error)]))
    view = look_at(result, _half(progress, 1))
    told_report = report.as_json(result)
    written = _write(
        {"report.json": json.dumps(told_report, ensure_ascii=False, indent=1), "report.csv": report.as_csv(result)}
    )
    return [
        file_report.problems(result),
        file_report.summary(result),
        file_report.losses(view),
        view,
        _slim(told_report),
        gr.Column(visible=bool(view.rows)),
        *(gr.DownloadButton(value=path, visible=True) for path in written),
    ]


def _half(progress: gr.Progress, which: int) -> Progress:
    """The progress of the first (0) or the second (1) half of the work."""
    return lambda share, what: progress((which + share) / 2, desc=what or words.FILE_LEDGER)


def _nothing(message: Markup) -> list[Any]:
    """The outputs of `show` when there is nothing to show but a message."""
    return [message, "", "", None, None, gr.Column(visible=False), *[gr.skip()] * 2]


def _write(texts: dict[str, str]) -> list[Path]:
    """The texts as files of these names, in a new folder, for downloads."""
    folder = Path(tempfile.mkdtemp(prefix="zs-report-"))
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return [folder / name for name in texts]


def _slim(told_report: dict[str, Any]) -> dict[str, Any]:
    """The report without its examples: what the results tab needs."""
    kept = ("score", "split", "n", "total")
    tasks = {name: {key: task[key] for key in kept} for name, task in told_report["tasks"].items()}
    return {"score": told_report["score"], "tasks": tasks}


def sample() -> list[Any]:
    """The sample predictions and the references of the embedded examples, as files that can be downloaded."""
    folder = Path(tempfile.mkdtemp(prefix="zs-sample-"))
    predictions, references = folder / SAMPLE_PREDICTIONS.name, folder / "references.json"
    shutil.copy(SAMPLE_PREDICTIONS, predictions)
    known = {task: {example.id: list(example.references) for example in load_embedded(task)} for task in TASKS}
    references.write_text(json.dumps(known, ensure_ascii=False, indent=1), encoding="utf-8")
    return [[str(predictions)], [str(references)], "files"]


def find(view: FileView | None, *wanted: Any) -> tuple[list[list[Any]], str, int, Markup]:
    """The rows that pass the filter, how many they are, and the first of them opened."""
    rows = choose(view, Filter(*wanted)) if view else []
    return cells(rows), words.FILE_FOUND.format(len(rows), len(view.rows) if view else 0), 0, open_(view, 0, *wanted)


def open_(view: FileView | None, place: int, *wanted: Any) -> Markup:
    """The answer at that place among those that pass the filter, with its score and why."""
    rows = choose(view, Filter(*wanted)) if view else []
    if not 0 <= place < len(rows):
        return html('<div class="zs-card zs-empty">{}</div>', words.FILE_NONE)
    row = rows[place]
    head = html(
        '<p class="zs-facts"><strong>{}</strong> · {} · {} of {}</p>',
        row.id,
        FACTS[row.task].title,
        place + 1,
        len(rows),
    )
    return head + scored(row.task, row.answer or " ", row.references)


def step(view: FileView | None, place: int, by: int, *wanted: Any) -> tuple[int, Markup]:
    """The next or the previous answer."""
    count = len(choose(view, Filter(*wanted))) if view else 0
    place = min(max(int(place) + by, 0), max(count - 1, 0))
    return place, open_(view, place, *wanted)


def layout(report_state: gr.State) -> None:
    """Build the tab inside the current Blocks; `report_state` gets the report of the file scored last."""
    gr.HTML(f"<p>{words.FILE_LEAD}</p>", elem_classes=["zs-lead", "flush"])
    with gr.Row(equal_height=True):
        files: dict[str, Any] = {"file_count": "multiple", "file_types": SUFFIXES, "height": 150}
        predictions = gr.File(label=words.FILE_PREDICTIONS, elem_id="file-predictions", **files)
        references = gr.File(label=words.FILE_REFERENCES, elem_id="file-references", **files)
    with gr.Row():
        source = gr.Radio(
            [(title, name) for name, title in SOURCES.items()],
            value="files",
            label=words.FILE_FROM,
            elem_id="file-source",
            scale=2,
            min_width=320,
        )
        partial = gr.Checkbox(label=words.FILE_PARTIAL, elem_id="file-partial", scale=1, min_width=320)
    with gr.Row():
        run = gr.Button(words.FILE_SCORE, variant="primary", elem_id="file-score", min_width=120)
        fill = gr.Button(words.FILE_SAMPLE, elem_id="file-sample", min_width=120)
    with gr.Accordion(words.FILE_FORMATS_TITLE, open=False):
        gr.Markdown(words.FILE_FORMATS)
    problems = gr.HTML(elem_id="file-problems", elem_classes="flush")
    empty = html('<div class="zs-card zs-empty">{}</div>', words.FILE_EMPTY)
    summary = gr.HTML(empty, elem_id="file-summary", elem_classes="flush")
    with gr.Row():
        as_json = gr.DownloadButton(words.FILE_JSON, visible=False, elem_id="file-json", size="sm")
        as_csv = gr.DownloadButton(words.FILE_CSV, visible=False, elem_id="file-csv", size="sm")
    lost = gr.HTML(elem_id="file-losses", elem_classes="flush")
    view = gr.State(None, time_to_live=3600)
    with gr.Column(visible=False) as answers:
        _answers(view)
    outputs = [problems, summary, lost, view, report_state, answers, as_json, as_csv]
    wired: dict[str, Any] = {"api_visibility": "private", "show_progress_on": summary, "concurrency_limit": 2}
    given = [predictions, references, source, partial]
    run.click(told(show), given, outputs, **wired)
    fill.click(told(sample), None, [predictions, references, source], api_visibility="private").then(
        told(show), given, outputs, **wired
    )


def _answers(view: gr.State) -> None:
    """Every answer: filters, the table, and the one that is opened."""
    gr.HTML(f"<h3>{words.FILE_ANSWERS}</h3>", elem_classes=["zs-lead", "flush"])
    with gr.Row():
        task_names = [(words.FILE_ANY_TASK, ANY), *((facts.title, name) for name, facts in FACTS.items())]
        task = gr.Dropdown(task_names, value=ANY, label="Task", elem_id="file-task", min_width=150)
        kinds = [(words.FILE_ANY_LOSS, ANY), *((part, part) for part in PARTS)]
        kind = gr.Dropdown(kinds, value=ANY, label=words.FILE_LOST_TO, elem_id="file-loss", min_width=150)
        low = gr.Number(0, label=words.FILE_LOW, minimum=0, maximum=100, elem_id="file-low", min_width=90)
        high = gr.Number(100, label=words.FILE_HIGH, minimum=0, maximum=100, elem_id="file-high", min_width=90)
        text = gr.Textbox(label=words.FILE_TEXT, elem_id="file-text", min_width=180)
    found = gr.Markdown(elem_id="file-found")
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=320):
            table = gr.Dataframe(
                headers=list(COLUMNS),
                datatype=["str", "str", "number", "str", "str", "str"],
                label=words.FILE_TABLE,
                interactive=False,
                max_chars=60,
                max_height=620,
                column_widths=["112px", "150px", "84px", "96px", "130px", "130px"],
                elem_id="file-answers",
            )
        with gr.Column(scale=2, min_width=320):
            with gr.Row():
                back = gr.Button(words.FILE_PREVIOUS, size="sm", elem_id="file-previous", min_width=80)
                on = gr.Button(words.FILE_NEXT, size="sm", elem_id="file-next", min_width=80)
            opened = gr.HTML(elem_id="file-opened", elem_classes="flush")
    place = gr.State(0)
    wanted = [task, kind, low, high, text]
    changes = [view.change, task.input, kind.input, low.change, high.change, text.change]
    gr.on(changes, told(find), [view, *wanted], [table, found, place, opened], **live())
    for button, by in ((back, -1), (on, 1)):
        move = told(lambda v, p, *w, by=by: step(v, p, by, *w))
        button.click(move, [view, place, *wanted], [place, opened], **live())
    table.select(told(pick), [view, *wanted], [place, opened], **live())


def pick(event: gr.SelectData, view: FileView | None, *wanted: Any) -> tuple[int, Markup]:
    """The answer of the row that was clicked, whatever order the table is sorted in."""
    rows = choose(view, Filter(*wanted)) if view else []
    title, key = event.row_value[0], event.row_value[1]
    place = next((i for i, row in enumerate(rows) if row.id[:200] == key and FACTS[row.task].title == title), 0)
    return place, open_(view, place, *wanted)
