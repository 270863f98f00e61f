"""The endpoints for programs: stable names, typed, apart from the layout of the page."""

from __future__ import annotations

from typing import Any

import gradio as gr

from zs_bench.reports import report
from zs_bench.sources.embedded import load_embedded
from zs_metric.scoring import score_example
from zs_metric.tasks import find_task

from . import score_file
from .live import told
from .prompt_panel import find_example


def score_answer(task: str, prediction: str, references: list[str]) -> dict[str, Any]:
    """Score one answer against its references, by the metric of the task.

    Args:
        task: One of gov_report, summ_screen_fd, qmsum, squality, qasper, narrative_qa, quality, musique, space_digest,
            book_sum_sort.
        prediction: The model's answer, verbatim.
        references: One or several reference answers; the best counts.
    """
    return {"task": task, "metric": find_task(task).metric, **score_example(task, prediction, references).as_dict()}


def get_example(task: str, index: int) -> dict[str, Any]:
    """An embedded example of a task: its prompt, its parts and its references, in the benchmark's row format.

    Args:
        task: The task's name, such as qasper.
        index: Which example, counted from 0.
    """
    example = find_example("embedded", task, index)
    return {"task": task, "index": index, "count": len(load_embedded(task)), **example.as_dict()}


def score_file_endpoint(predictions: list[str], references: list[str], partial: bool = False) -> dict[str, Any]:
    """Score prediction files against reference files: the report that the command line writes with --json."""
    return report.as_json(score_file.score(predictions or [], references or [], partial))


def layout() -> None:
    """Declare the endpoints inside the current Blocks."""
    gr.api(told(score_answer), api_name="score_answer", concurrency_limit=None)
    gr.api(told(get_example), api_name="get_example", concurrency_limit=None)
    # Files come only through File components: a bare gr.api would let a caller name any path of the server.
    with gr.Column(visible=False):
        predictions = gr.File(file_count="multiple", file_types=score_file.SUFFIXES, label="predictions")
        references = gr.File(file_count="multiple", file_types=score_file.SUFFIXES, label="references")
        partial = gr.Checkbox(value=False, label="partial")
        out, run = gr.JSON(), gr.Button("score_file")
    run.click(
        told(score_file_endpoint), [predictions, references, partial], out, api_name="score_file", concurrency_limit=2
    )
