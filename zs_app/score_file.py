"""The tab "Score a file": predictions and references in; the report, the losses and every answer out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from zs_bench.drawing.cards import notice
from zs_bench.drawing.markup import html
from zs_bench.sources.data_sources import SourceUnavailable
from zs_bench.sources.embedded import load_embedded, sample_predictions
from zs_metric.errors import ZeroScrollsError
from zs_metric.tasks import find_benchmark

from . import duel_job, file_answers, file_doctor, file_readings, jobs, words
from .leftovers import new_folder
from .live import LONG, told
from .shelf import SHELF
from .which import FIRST
from .worker import run_in_worker

#: Where the references may come from; a visitor never names a path.
SOURCES = {"files": words.FILE_FROM_FILES, "embedded": words.FILE_FROM_EMBEDDED, "hub": words.FILE_FROM_HUB}
SUFFIXES = [".csv", ".json", ".jsonl", ".zip"]
#: Files of one side that are taken at once.
MAX_FILES = 40


class NoSuchSource(ZeroScrollsError):
    """A source of references that does not exist."""


class TooManyFiles(ZeroScrollsError):
    """More files than are taken at once."""


def show(
    predictions: Sequence[str] | None,
    references: Sequence[str] | None,
    source: str,
    partial: bool,
    benchmark: str = FIRST,
    before: str | None = None,
    progress: gr.Progress = gr.Progress(),
) -> list[Any]:
    """Everything the tab shows of a file, and the report that the tab "Results" shows.

    The file that it showed `before`, by its key, is kept no longer.
    """
    if not predictions or (source == "files" and not references):
        return _nothing(notice("info", words.FILE_FIRST))
    check_files(predictions, references or [], source, benchmark)
    given = ((predictions, references or [], source, partial, benchmark), new_folder())

    def tell(share: float, what: str) -> None:
        progress(share, desc=what or words.FILE_LEDGER)

    try:
        # The Hub's own client watches over its downloads; what it needs stays in this process.
        found = jobs.look(*given, tell) if source == "hub" else run_in_worker(jobs.look, *given, progress=tell)
    except SourceUnavailable as error:
        return _nothing(notice("error", words.SOURCE_UNAVAILABLE_FILE, [str(error)]))
    SHELF.drop(before)
    return [
        Markup(found.problems),  # noqa: S704  (HTML of our own, every text in it escaped)
        Markup(found.summary),  # noqa: S704
        Markup(found.losses),  # noqa: S704
        SHELF.put(found.view),
        found.slim,
        gr.Column(visible=bool(found.answers)),
        *(gr.DownloadButton(value=path, visible=True) for path in found.files),
    ]


def show_duel(
    second: Sequence[str] | None,
    predictions: Sequence[str] | None,
    references: Sequence[str] | None,
    source: str,
    partial: bool,
    benchmark: str = FIRST,
    progress: gr.Progress = gr.Progress(),
) -> Markup:
    """The first system against the second, where there is one."""
    if not second or not predictions or (source == "files" and not references):
        return Markup("")
    check_files([*predictions, *second], references or [], source, benchmark)

    def tell(share: float, what: str) -> None:
        progress(share, desc=what or words.DUEL_TITLE)

    given = ([predictions, second], (references or [], source, partial, benchmark))
    found = duel_job.duel(*given, tell) if source == "hub" else run_in_worker(duel_job.duel, *given, progress=tell)
    return Markup(found)  # noqa: S704  (HTML of our own, every text in it escaped)


def check_files(predictions: Sequence[str], references: Sequence[str], source: str, benchmark: str) -> None:
    """Refuse too many files, and a source or benchmark that is none.

    Raises:
        NoSuchSource, UnknownBenchmark, TooManyFiles: with what there is.
    """
    find_benchmark(benchmark)
    if source not in SOURCES:
        raise NoSuchSource(f"no source {source!r:.60}; it is {', '.join(SOURCES)}")
    most = max(len(predictions), len(references))
    if most > MAX_FILES:
        raise TooManyFiles(f"{most:,} files, more than {MAX_FILES}; put them into one ZIP, or use the command line")


def _nothing(message: Markup) -> list[Any]:
    """The outputs of `show` when there is nothing to show but a message."""
    return [message, "", "", None, None, gr.Column(visible=False), *[gr.skip()] * len(words.FILE_DOWNLOADS)]


def sample(benchmark: str) -> list[Any]:
    """The sample predictions and the references of the embedded examples, as files that can be downloaded."""
    folder, known = new_folder(), {}
    predictions, references = folder / sample_predictions(benchmark).name, folder / "references.json"
    shutil.copy(sample_predictions(benchmark), predictions)
    for task in find_benchmark(benchmark).tasks:
        known[task] = {one.id: list(one.references) for one in load_embedded(task, benchmark=benchmark)}
    references.write_text(json.dumps(known, ensure_ascii=False, indent=1), encoding="utf-8")
    return [[str(predictions)], [str(references)], "files"]


def layout(report_state: gr.State, benchmark: gr.Radio) -> None:
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
    with gr.Accordion(words.DUEL_TITLE, open=False, elem_id="file-second-box"):
        second = gr.File(label=words.DUEL_SECOND, elem_id="file-second", **files)
    with gr.Row():
        run = gr.Button(words.FILE_SCORE, variant="primary", elem_id="file-score", min_width=120)
        fill = gr.Button(words.FILE_SAMPLE, elem_id="file-sample", min_width=120)
    with gr.Accordion(words.FILE_FORMATS_TITLE, open=False):
        gr.Markdown(words.FILE_FORMATS)
    problems = gr.HTML(elem_id="file-problems", elem_classes="flush")
    empty = html('<div class="zs-card zs-empty">{}</div>', words.FILE_EMPTY)
    examined, mend, wishes, mended = file_doctor.layout()
    summary = gr.HTML(empty, elem_id="file-summary", elem_classes="flush")
    with gr.Row():
        downloads = [
            gr.DownloadButton(title, visible=False, elem_id=f"file-{name}", size="sm", min_width=120)
            for name, title in words.FILE_DOWNLOADS.items()
        ]
    against = gr.HTML(elem_id="file-duel", elem_classes="flush")
    lost = gr.HTML(elem_id="file-losses", elem_classes="flush")
    view = gr.State(None, time_to_live=3600)
    with gr.Column(visible=False) as answers:
        file_readings.layout(view)
        file_answers.layout(view)
    outputs = [problems, summary, lost, view, report_state, answers, *downloads]
    wired: dict[str, Any] = {"api_visibility": "private", "show_progress_on": summary, **LONG}
    given = [predictions, references, source, partial, benchmark]
    looked_at = [predictions, references, source, benchmark]
    shown = run.click(told(show), [*given, view], outputs, **wired)
    shown.then(told(file_doctor.examine), looked_at, examined, **wired)
    shown.then(told(show_duel), [second, *given], against, **wired)
    mend.click(told(file_doctor.mend), [*looked_at, *wishes], [examined[0], examined[-1], mended], **wired).then(
        told(show), [mended, *given[1:], view], outputs, **wired
    )
    fill.click(told(sample), benchmark, [predictions, references, source], api_visibility="private").then(
        told(show), [*given, view], outputs, **wired
    ).then(told(file_doctor.examine), looked_at, examined, **wired)
