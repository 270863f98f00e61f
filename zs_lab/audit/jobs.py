"""The work of "Check a sample by hand" on the page, in a process of its own; nothing here imports Gradio."""

import os
from collections.abc import Callable, Sequence
from typing import Any

from zs_app.jobs import kept_systems
from zs_app.result_tables import opened
from zs_bench.scoring.scored import ScoredFile
from zs_lab.audit.cards import labelling_page, load_inputs
from zs_lab.audit.check import draw_check, parse_labels, scored_tasks
from zs_lab.audit.report import report_on


def drawn_page(result: str, task: str, size: int, _: Callable[[float, str], None]) -> dict[str, Any]:
    """Return the page to label a sample of a scored file with, and `without`: how many answers have no question."""
    name, scored = _scored(result)
    [answers] = scored_tasks([scored], task)
    source = scored.source
    if source and source.kind == "hub":
        sources, revision = [f"hub:{source.repo}"], source.commit
    else:
        sources, revision = ["embedded", *filter(None, [os.environ.get("ZS_DATA")])], None
    check = draw_check([name], [answers], size, seed=0)
    examples = load_inputs(sources, answers.task, check.ids, answers.split, revision)
    without = sum(check.ids[place] not in examples for place, _ in check.cards)
    return {"html": labelling_page(check, [answers], examples), "without": without}


def report_text(result: str, files: Sequence[tuple[str, str]], _: Callable[[float, str], None]) -> dict[str, str]:
    """Return the report of labels, files by name and text, on a scored file."""
    name, scored = _scored(result)
    labels = parse_labels(files)
    task, seed = (labels[0].task, labels[0].seed) if labels else (None, 0)
    # The sample's size is not known here: labels of any answer count.
    check = draw_check([name], scored_tasks([scored], task), 1_000_000, seed)
    return {"text": report_on(check, labels).text}


def _scored(result: str) -> tuple[str, ScoredFile]:
    with opened(result) as kept:
        scored, *_ = kept_systems(kept)
    return scored.files[0].name if scored.files else "your file", scored
