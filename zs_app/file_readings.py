"""Which scorer made this number: the scored file under all known readings, in "Score a file"."""

from __future__ import annotations

import gradio as gr
from markupsafe import Markup

from zs_bench.catalog import FACTS
from zs_bench.drawing.cards import notice
from zs_bench.drawing.readings_report import readings_report
from zs_bench.readings.reading_report import read_again
from zs_bench.readings.readings import AVERAGE
from zs_bench.reports.file_view import FileView
from zs_bench.reports.scored import ScoredFile
from zs_bench.reports.scoring import Progress

from . import words
from .live import LONG, told
from .shelf import from_shelf
from .worker import run_in_worker


def job(scored: ScoredFile, reported: dict[str, float | str] | None, progress: Progress) -> str:
    """The long job: the file under all readings, as HTML."""
    progress(0.0, "")
    return str(readings_report(read_again(scored, reported)))


def show(view: FileView | None, task: str, number: str | None) -> Markup:
    """The file under all readings, and which of them gives the number."""
    if view is None or not view.rows:
        return notice("info", words.READINGS_FIRST)
    reported: dict[str, float | str] | None = {task: number.strip()} if number and number.strip() else None
    return Markup(run_in_worker(job, view.scored, reported))  # noqa: S704  (HTML of our own, every text escaped)


def layout(view: gr.State) -> None:
    """Build it inside the current Blocks; `view` holds the file scored last."""
    with gr.Accordion(words.READINGS_TITLE, open=False, elem_id="file-readings-box"):
        gr.HTML(f"<p>{words.READINGS_LEAD}</p>", elem_classes=["zs-lead", "flush"])
        with gr.Row():
            names = [("the average", AVERAGE), *((facts.title, name) for name, facts in FACTS.items())]
            task = gr.Dropdown(names, value=AVERAGE, label=words.READINGS_WHOSE, elem_id="readings-task")
            number = gr.Textbox(label=words.READINGS_NUMBER, elem_id="readings-number")
            run = gr.Button(words.READINGS_RUN, elem_id="readings-run")
        found = gr.HTML(elem_id="file-readings", elem_classes="flush")
    run.click(told(from_shelf(show)), [view, task, number], found, api_visibility="private", **LONG)
