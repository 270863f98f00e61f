"""The loss ledger of real model answers adds up, answer by answer and task by task, and tells what the README says."""

import os
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from zs_bench.drawing.html_report import html_report
from zs_bench.reports.file_view import FileView, look_at
from zs_bench.reports.score_files import score_files
from zs_metric import TASKS

ROOT = Path(__file__).parents[2]
REAL = Path(os.environ.get("ZS_REAL") or ROOT.parent / "shared" / "real")

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        not (REAL / "expected.json").is_file(),
        reason="no real answers: not part of the project; set ZS_REAL to their folder (the one with expected.json)",
    ),
]


@cache
def view(system: str) -> FileView:
    return look_at(score_files(sorted((REAL / f"system_{system}").glob("*.json")), [REAL / "references"]))


@pytest.mark.parametrize("system", ["one", "two"])
def test_the_parts_of_every_answer_bring_its_score_to_100(system: str) -> None:
    assert len(view(system).rows) > 500
    for row in view(system).rows:
        assert row.result.score + sum(row.ledger.values()) == pytest.approx(100)
        assert min(row.ledger.values()) >= 0


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("system", ["one", "two"])
def test_the_parts_of_every_task_bring_its_mean_to_100_and_its_mean_to_the_score(system: str, task: str) -> None:
    ledger = view(system).ledgers[task]
    assert ledger["score"] + sum(ledger["ledger"].values()) == pytest.approx(100)
    assert ledger["score"] + ledger["aggregation"] == pytest.approx(view(system).scored.tasks[task].score)
    directions = ledger["length_by_direction"]
    assert sum(directions.values()) == pytest.approx(ledger["ledger"]["length"])


def test_the_summaries_of_government_reports_are_too_short_and_the_answers_about_papers_too_long() -> None:
    reports, papers = view("one").ledgers["gov_report"], view("one").ledgers["qasper"]
    assert round(reports["ledger"]["length"], 1) == 21.9
    assert round(reports["length_by_direction"]["too short"], 1) == 21.6
    assert round(papers["ledger"]["length"], 1) == 10.9
    assert round(papers["length_by_direction"]["too long"], 1) == 9.9


def test_the_report_of_real_answers_quotes_no_reference() -> None:
    page = unescape(html_report(view("one")))
    assert len(page) < 1_000_000
    texts = [(row, text) for row in view("one").rows for text in row.references if len(text) > 40 and " " in text]
    written = [(row, text) for row, text in texts if TASKS[row.task].metric in ("rouge", "f1", "accuracy")]
    assert len(written) > 200
    assert not [row.id for row, text in written if text[:40] in page and text[:40] not in row.answer]
