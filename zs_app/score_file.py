"""The tab "Score a file": predictions and references in, the report out."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from zs_bench import report
from zs_bench.embedded import SAMPLE_PREDICTIONS, load_embedded
from zs_bench.score_files import score_files
from zs_bench.scoring import Progress, ScoredFile
from zs_metric.tasks import TASKS

from . import file_report, words
from .cards import notice
from .live import told

SUFFIXES = [".csv", ".json", ".jsonl", ".zip"]


def score(
    predictions: Sequence[str], references: Sequence[str], partial: bool, progress: Progress | None = None
) -> ScoredFile:
    """Score uploaded files, named in messages as the visitor named them."""
    names = ([Path(path).name for path in predictions], [Path(path).name for path in references])
    return score_files(predictions, references, names=names, partial=partial, progress=progress)


def show(
    predictions: Sequence[str] | None,
    references: Sequence[str] | None,
    partial: bool,
    progress: gr.Progress = gr.Progress(),
) -> list[Any]:
    """Everything the tab shows: problems, summary, table of answers, the two downloads."""
    if not predictions or not references:
        return [
            notice("info", words.FILE_FIRST),
            "",
            gr.Dataframe(visible=False),
            *[gr.DownloadButton(visible=False)] * 2,
        ]
    scored = score(predictions, references, partial, lambda share, task: progress(share, desc=task or "done"))
    folder = Path(tempfile.mkdtemp(prefix="zs-report-"))
    written = {
        "report.json": json.dumps(report.as_json(scored), ensure_ascii=False, indent=1),
        "report.csv": report.as_csv(scored),
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    rows = file_report.answers(scored)
    return [
        file_report.problems(scored),
        file_report.summary(scored),
        gr.Dataframe(rows, visible=bool(rows)),
        *(gr.DownloadButton(value=folder / name, visible=True) for name in written),
    ]


def sample() -> list[list[str]]:
    """The sample predictions and the references of the embedded examples, as files that can be downloaded."""
    folder = Path(tempfile.mkdtemp(prefix="zs-sample-"))
    predictions, references = folder / SAMPLE_PREDICTIONS.name, folder / "references.json"
    shutil.copy(SAMPLE_PREDICTIONS, predictions)
    known = {task: {example.id: example.references for example in load_embedded(task)} for task in TASKS}
    references.write_text(json.dumps(known, ensure_ascii=False, indent=1), encoding="utf-8")
    return [[str(predictions)], [str(references)]]


def layout() -> None:
    """Build the tab inside the current Blocks."""
    gr.HTML(f"<p>{words.FILE_LEAD}</p>", elem_classes=["zs-lead", "flush"])
    with gr.Row(equal_height=True):
        files = {"file_count": "multiple", "file_types": SUFFIXES, "height": 150}
        predictions = gr.File(label=words.FILE_PREDICTIONS, elem_id="file-predictions", **files)
        references = gr.File(label=words.FILE_REFERENCES, elem_id="file-references", **files)
    with gr.Row():
        run = gr.Button(words.FILE_SCORE, variant="primary", elem_id="file-score", min_width=120)
        fill = gr.Button(words.FILE_SAMPLE, elem_id="file-sample", min_width=120)
        partial = gr.Checkbox(label=words.FILE_PARTIAL, elem_id="file-partial", container=False, min_width=280)
    with gr.Accordion("File formats", open=False):
        gr.Markdown(words.FILE_FORMATS)
    problems = gr.HTML(elem_id="file-problems", elem_classes="flush")
    summary = gr.HTML(
        f'<div class="zs-card zs-empty">{words.FILE_EMPTY}</div>', elem_id="file-summary", elem_classes="flush"
    )
    with gr.Row():
        as_json = gr.DownloadButton("Report (JSON)", visible=False, elem_id="file-json", size="sm")
        as_csv = gr.DownloadButton("Scores (CSV)", visible=False, elem_id="file-csv", size="sm")
    answers = gr.Dataframe(
        headers=list(file_report.ANSWER_COLUMNS),
        datatype=["str", "str", "number", "str", "str", "str"],
        label="Every answer, worst first",
        show_search="search",
        interactive=False,
        visible=False,
        max_chars=80,
        max_height=520,
        column_widths=["11%", "17%", "8%", "15%", "22%", "27%"],
        elem_id="file-answers",
    )
    outputs = [problems, summary, answers, as_json, as_csv]
    run.click(
        show,
        [predictions, references, partial],
        outputs,
        api_visibility="private",
        show_progress_on=summary,
        concurrency_limit=2,
    )
    fill.click(told(sample), None, [predictions, references], api_visibility="private").then(
        show,
        [predictions, references, partial],
        outputs,
        api_visibility="private",
        show_progress_on=summary,
        concurrency_limit=2,
    )
