"""Links to a state of the app: `?tab=try&task=musique&example=1`, `?tab=answer&task=quality`, `?tab=results`.

`benchmark=scrolls` in one means the tasks of SCROLLS.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gradio as gr

from zs_metric.tasks import BENCHMARKS

from . import results, score_answer, try_task
from .example_answers import references
from .live import live, told
from .prompt_panel import WHOLE, loaded
from .which import FIRST, Which, same_task, tasks, which

TABS = ("try", "answer", "file", "results")


def layout(page: gr.Blocks, parts: list[Any], results_parts: tuple[list[Any], list[Any]]) -> None:
    """Have the page open what its address names.

    Args:
        page: inside whose layout this is.
        parts: the switch of the benchmark, the tabs, the task of "Score an answer", and `LinkedParts`.
        results_parts: the inputs and outputs of `results.switch`.
    """

    def switch_results(benchmark: str, task: str, report: results.Report) -> list[Any]:
        """The tab "Results" shows the first benchmark, unless the address named another."""
        if benchmark == FIRST:
            return [gr.skip()] * len(results_parts[1])
        return results.switch(benchmark, task, report)

    page.load(told(_open), None, parts, **live()).then(told(switch_results), *results_parts, **live())


def _open(request: gr.Request) -> list[Any]:
    return open_link(request.query_params)


def open_link(query: Mapping[str, str]) -> list[Any]:
    """The benchmark, the tab, the task of "Score an answer", and the parts of "Try a task" that the address names.

    What it does not name, or names wrongly, stays as it is.
    """
    tab, name, benchmark = query.get("tab"), query.get("task"), query.get("benchmark", FIRST)
    tab = tab if tab in TABS else None
    benchmark = benchmark if benchmark in BENCHMARKS else FIRST
    named = str(Which(name, benchmark)) if name and name in BENCHMARKS[benchmark].tasks else None
    # Where the benchmark is another one, its tasks are what there is, whatever tab is open.
    tried = named if tab in (None, "try") else None
    answered = named if tab == "answer" else None
    if benchmark != FIRST:
        tried = tried or same_task(try_task.FIRST_TASK, benchmark)
        answered = answered or same_task(score_answer.FIRST_TASK, benchmark)
    return [
        benchmark if benchmark != FIRST else gr.skip(),
        gr.Tabs(selected=tab) if tab else gr.skip(),
        gr.Dropdown(score_answer.choices(benchmark), value=answered) if answered else gr.skip(),
        *(_example(tried, query.get("example")) if tried else [gr.skip()] * _PARTS),
    ]


_PARTS = len(try_task.LinkedParts._fields)


def _example(task: str, number: str | None) -> list[Any]:
    """The parts of "Try a task" for that example, counted from 0; the first one where there is none of that number."""
    count = len(loaded("embedded", task).examples)
    wanted = int(number) if number and len(number) < 4 and number.isascii() and number.isdigit() else 0
    index = wanted if wanted < count else 0
    return [
        gr.Radio(tasks(which(task).benchmark), value=task),
        gr.Radio(try_task.choices("embedded", task), value=index),
        try_task.facts("embedded", task),
        references("embedded", task, index),
        try_task.show("embedded", task, index, "canonical", WHOLE, "words"),
        gr.Radio(visible=which(task).benchmark == FIRST),
    ]
