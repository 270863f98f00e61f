"""The loss breakdown of real model answers adds up, for each answer and each task."""

from functools import cache
from html import unescape

import pytest
from labelled_patterns import count, label_sets, too_low
from real_answers import REAL, WITHOUT

from zs_bench.reports.answers import explained_answers
from zs_bench.reports.html.standalone import html_report
from zs_bench.reports.report import largest_patterns
from zs_bench.scoring.score_files import score_files

pytestmark = [pytest.mark.real, pytest.mark.skipif(not (REAL / "expected.json").is_file(), reason=WITHOUT)]


@cache
def scored(system):
    return score_files(sorted((REAL / f"system_{system}").glob("*.json")), [REAL / "references"])


@pytest.mark.parametrize("system", ["one", "two"])
def test_the_parts_of_every_answer_and_task_bring_its_score_to_100(system):
    rows = explained_answers(scored(system))
    assert len(rows) > 500
    for row in rows:
        assert row.result.score + sum(row.losses.values()) == pytest.approx(100)
        assert min(row.losses.values(), default=0) >= 0
    for task in scored(system).tasks.values():
        assert task.losses.score + sum(task.losses.mean.values()) == pytest.approx(100)
        assert task.losses.score + task.losses.aggregation == pytest.approx(task.score)


def test_the_summaries_of_government_reports_lack_words_and_the_answers_about_papers_have_too_many():
    reports, papers = (scored("one").tasks[name].losses.mean for name in ("gov_report", "qasper"))
    assert reports["words missing"] > 2 * reports["words too many"]
    assert papers["words too many"] > 25
    assert "not explained" not in reports | papers


def test_the_patterns_are_those_found_by_hand_and_little_else_is_called_by_their_names():
    first, second, third = largest_patterns(scored("one").scored.values())[:3]
    of = "of the 44 SpaceDigest answers that lost points"
    assert first.sentence == f"8 {of} are not read as meant: 11.1 points for what is meant."
    assert (second.name, second.count, second.estimated) == ("reference_and_more", 5, False)
    assert (third.name, third.count) == ("false_unanswerable", 17)
    assert sum(len(answers.texts) for answers, _ in label_sets()) >= 200
    counts = count()
    assert sum(pattern.labelled for pattern in counts.values()) > 150
    assert too_low(counts) == []


def test_the_report_of_real_answers_quotes_no_reference():
    page, rows = unescape(html_report(scored("one"))), explained_answers(scored("one"))
    assert len(page) < 1_000_000
    texts = [(row, text) for row in rows for text in row.references if len(text) > 40 and " " in text]
    written = [(row, text) for row, text in texts if row.task.metric.name in ("rouge", "f1", "accuracy")]
    assert len(written) > 200
    assert not [row.id for row, text in written if text[:40] in page and text[:40] not in row.answer]
