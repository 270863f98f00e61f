"""The loss breakdown of real model answers adds up, for each answer and each task."""

from functools import cache
from html import unescape

import pytest
from real_answers import REAL, WITHOUT

from zs_bench.reports.file_view import FileView, explain_file
from zs_bench.reports.html.standalone import html_report
from zs_bench.scoring.score_files import score_files
from zs_metric import TASKS

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        not (REAL / "expected.json").is_file(),
        reason=WITHOUT,
    ),
]


@cache
def view(system: str) -> FileView:
    return explain_file(score_files(sorted((REAL / f"system_{system}").glob("*.json")), [REAL / "references"]))


@pytest.mark.parametrize("system", ["one", "two"])
def test_the_parts_of_every_answer_bring_its_score_to_100(system: str) -> None:
    assert len(view(system).rows) > 500
    for row in view(system).rows:
        assert row.result.score + sum(row.losses.as_dict().values()) == pytest.approx(100)
        assert min(row.losses.as_dict().values()) >= 0


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("system", ["one", "two"])
def test_the_parts_of_every_task_bring_its_mean_to_100_and_its_mean_to_the_score(system: str, task: str) -> None:
    losses = view(system).losses[task]
    assert losses.score + sum(losses.mean.as_dict().values()) == pytest.approx(100)
    assert losses.score + losses.aggregation == pytest.approx(view(system).scored.tasks[task].score)
    assert losses.mean.length_up_to <= losses.mean.content


def test_the_summaries_of_government_reports_may_be_too_short_and_the_answers_about_papers_are_too_long() -> None:
    reports, papers = view("one").losses["gov_report"].mean, view("one").losses["qasper"].mean
    assert (round(reports.length, 1), round(reports.length_up_to, 1)) == (0.2, 20.9)
    assert (round(papers.length, 1), round(papers.length_up_to, 1)) == (3.4, 0.1)


def test_the_report_of_real_answers_quotes_no_reference() -> None:
    page = unescape(html_report(view("one")))
    assert len(page) < 1_000_000
    texts = [(row, text) for row in view("one").rows for text in row.references if len(text) > 40 and " " in text]
    written = [(row, text) for row, text in texts if row.task.metric.name in ("rouge", "f1", "accuracy")]
    assert len(written) > 200
    assert not [row.id for row, text in written if text[:40] in page and text[:40] not in row.answer]
