"""The id doctor in "Score a file", above the report: what is wrong with the upload, and one click to repair it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from zs_bench.doctor import OFFERED
from zs_bench.sources.data_sources import SourceUnavailable
from zs_metric.tasks import find_benchmark

from . import doctor_job, words
from .leftovers import new_folder
from .worker import run_in_worker


def examine(
    predictions: Sequence[str] | None,
    references: Sequence[str] | None,
    source: str,
    benchmark: str,
    progress: gr.Progress = gr.Progress(),
) -> list[Any]:
    """The diagnosis of an upload, and what can be done about it."""
    if not predictions or (source == "files" and not references):
        return ["", gr.Column(visible=False), *[gr.skip()] * 2, gr.DownloadButton(visible=False)]
    find_benchmark(benchmark)
    try:
        found = _run(doctor_job.look, source, (predictions, references or [], source, benchmark), progress=progress)
    except SourceUnavailable:  # the report beside it says so
        return ["", gr.Column(visible=False), *[gr.skip()] * 2, gr.DownloadButton(visible=False)]
    kinds = [(f"{OFFERED.get(kind, kind)} ({n:,})", kind) for kind, n in found.offers.items() if kind not in _FILLED]
    return [
        Markup(found.report),  # noqa: S704  (HTML of our own, every text in it escaped)
        gr.Column(visible=found.repairable),
        gr.CheckboxGroup(choices=kinds, value=[], visible=bool(kinds)),
        gr.Checkbox(label=words.DOCTOR_FILL.format(found.missing), value=False, visible=found.missing > 0),
        gr.DownloadButton(visible=False),
    ]


#: Kinds that one box of their own stands for.
_FILLED = ("missing", "missing-task")


def mend(
    predictions: Sequence[str] | None,
    references: Sequence[str] | None,
    source: str,
    benchmark: str,
    accept: Sequence[str],
    fill_missing: bool,
    progress: gr.Progress = gr.Progress(),
) -> list[Any]:
    """The repaired file: what was changed, the download, and its path for scoring it."""
    if not predictions:
        return [gr.skip()] * 3
    find_benchmark(benchmark)
    given, wishes = (predictions, references or [], source, benchmark), (list(accept), fill_missing, new_folder())
    report, path = _run(doctor_job.mend, source, given, *wishes, progress=progress)
    return [Markup(report), gr.DownloadButton(value=path, visible=True), [str(path)]]  # noqa: S704  (as above)


def _run(job: Callable[..., Any], source: str, *arguments: Any, progress: gr.Progress) -> Any:
    """The job's result; what asks the Hub stays in this process, where its client watches over its downloads."""

    def tell(share: float, what: str) -> None:
        progress(share, desc=what or words.DOCTOR_TITLE)

    return job(*arguments, tell) if source == "hub" else run_in_worker(job, *arguments, progress=tell)


def layout() -> tuple[list[Any], gr.Button, list[Any], gr.State]:
    """Build it inside the current Blocks.

    Returns:
        The outputs of `examine`; the button; the inputs of `mend` after the files and the source, and, for its third
        output, the state that holds the repaired file.
    """
    report = gr.HTML(elem_id="file-doctor", elem_classes="flush")
    with gr.Column(visible=False, elem_id="file-mend-box") as box:
        accept = gr.CheckboxGroup([], label=words.DOCTOR_ACCEPT, elem_id="file-accept")
        fill = gr.Checkbox(label=words.DOCTOR_FILL, elem_id="file-fill")
        with gr.Row():
            button = gr.Button(words.DOCTOR_MEND, size="sm", elem_id="file-mend", min_width=160)
            download = gr.DownloadButton(words.DOCTOR_DOWNLOAD, visible=False, size="sm", elem_id="file-mended")
    return [report, box, accept, fill, download], button, [accept, fill], gr.State(None)
