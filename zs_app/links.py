"""Links to a benchmark, tab, task or example, kept by the browser in the page's address.

`?tab=try&task=musique&example=1`, `?tab=answer&task=quality`, `?tab=results`; with `benchmark=scrolls` in one, the
tasks are those of SCROLLS. The scripts in `scripts/` do this, from menus that are written into the page here, so that
a click takes effect at once however far away the server is.
"""

import json
from pathlib import Path
from typing import Any

import gradio as gr

from zs_app import words
from zs_app.server.board import board_place
from zs_app.tabs import score_answer, try_task
from zs_app.tabs.examples import sources, task_of, tasks, value_of
from zs_bench.dataset.embedded import embedded_titles
from zs_metric.tasks import BENCHMARKS

_NAMES = "state answer controls tables file_job file_lists file results_chart results"
_SCRIPTS = [Path(__file__).parent / "scripts" / f"{name}.js" for name in _NAMES.split()]


def layout(
    page: gr.Blocks, benchmark: gr.Dropdown, tabs: gr.Tabs, tried: try_task.Parts, answered: score_answer.Parts
) -> None:
    """Wire the links inside the current Blocks.

    Args:
        tabs: all tabs, whose ids are their names in an address.
    """
    # In the order of `controls` in state.js.
    outputs = [benchmark, tabs, *tried, answered.task]
    free: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    moved = {"benchmark": benchmark, "task": tried.task, "source": tried.source, "example": tried.example}
    for name, control in {**moved, "answerTask": answered.task}.items():
        control.input(None, control, outputs, js=f"(value) => zs.move({{ {name}: value }})", **free)
    for tab in tabs.children:
        tab.select(None, None, outputs, js=f"() => zs.select('{tab.id}')", **free)
    back = gr.Button("Back", visible="hidden", elem_id="back")
    back.click(None, None, outputs, js="() => zs.arrive()", **free)
    page.load(None, None, outputs, js="() => zs.arrive()", **free).then(
        None, None, answered.boxes, js="() => zs.restoreAnswer()", **free
    )


def head() -> str:
    """The scripts and the menus, for the head of the page."""
    data = f"window.zsMenus = {_script(menus())}; window.zsSamples = {_script(samples())};"
    data += f" window.zsTabs = {_script(tabs())}; window.zsSources = {_script(list(sources()))};"
    return f"<script>{data}\n{''.join(path.read_text(encoding='utf-8') for path in _SCRIPTS)}</script>"


def tabs() -> list[str]:
    """The tabs by their names in an address."""
    return ["try", "answer", "file", "results", *(["board"] if board_place() else []), "api"]


def menus() -> dict[str, Any]:
    """What each benchmark has to choose from."""
    return {name: {"tasks": [_task(title, value) for title, value in tasks(name)]} for name in BENCHMARKS}


def _task(title: str, value: str) -> dict[str, Any]:
    task = task_of(value)
    return {
        "value": value,
        "title": title,
        "scored": f"{title} · {task.metric.title}",
        "examples": list(embedded_titles(task.benchmark)[task.name].values()),
    }


def samples() -> dict[str, list[str]]:
    """By a menu's value: the answer and the reference that "Score an answer" begins with."""
    each = [task for benchmark in BENCHMARKS.values() for task in benchmark.tasks.values()]
    return {value_of(task): words.ANSWER_SAMPLES.get(task.metric.name, ["", ""]) for task in each}


def _script(data: object) -> str:
    return json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
