"""The part "Which scorer made this number?" of "Score a file": the file under all variants of the metrics."""

from __future__ import annotations

import gradio as gr
from markupsafe import Markup

from zs_app import words
from zs_app.server.events import LONG, handler, run_for
from zs_app.server.result_cache import result_folder
from zs_app.tabs.task_menu import EVERY_TASK
from zs_app.upload_job import score_variants
from zs_bench.reports.html.environment import notice
from zs_bench.variants.rescore import AVERAGE


async def show(result: str | None, task: str, number: str | None, request: gr.Request) -> Markup:
    """The scores under all variants, and the variants that give the number."""
    if not result:
        return notice("info", words.READINGS_FIRST)
    reported: dict[str, float | str] | None = {str(task): number.strip()} if number and number.strip() else None
    found = await run_for(request, score_variants, result_folder(result), reported)
    return Markup(found)  # noqa: S704  (HTML of our own, every text escaped)


def layout(result: gr.Textbox) -> None:
    """Build it inside the current Blocks; `result` holds the id of the file scored last."""
    with gr.Accordion(words.READINGS_TITLE, open=False, elem_id="file-readings-box"):
        gr.HTML(f"<p>{words.READINGS_LEAD}</p>", elem_classes=["zs-lead", "flush"])
        with gr.Row():
            names = [("the average", AVERAGE), *EVERY_TASK.items()]
            task = gr.Dropdown(names, value=AVERAGE, label=words.READINGS_WHOSE, elem_id="readings-task")
            number = gr.Textbox(label=words.READINGS_NUMBER, elem_id="readings-number")
            run = gr.Button(words.READINGS_RUN, elem_id="readings-run")
        found = gr.HTML(elem_id="file-readings", elem_classes="flush")
    run.click(handler(show), [result, task, number], found, api_visibility="private", **LONG)
