"""The endpoints for programs: stable names, typed, apart from the layout of the page."""

from __future__ import annotations

from typing import Any

import gradio as gr

from zs_bench import report
from zs_bench.dissect import dissect
from zs_bench.embedded import load_embedded
from zs_metric.scoring import score_example
from zs_metric.tasks import find_task

from . import score_file, try_task
from .live import told


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
    example = try_task.find_example(task, index)
    parts = dissect(task, example)
    return {
        "task": task,
        "index": index,
        "count": len(load_embedded(task)),
        "id": example.id,
        "pids": list(example.pids),
        "input": example.input,
        "references": list(example.references),
        **parts.indices._asdict(),
        "truncation_seperator": example.truncation_seperator,
        "inner_docs_start_indices": example.inner_docs_start_indices and list(example.inner_docs_start_indices),
        "instruction": parts.instruction,
        "document": parts.document,
        "query": parts.query,
        "response_header": parts.response_header,
    }


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
