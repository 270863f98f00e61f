"""The tab "Score a file" in a real browser."""

import csv
import io
import json
import re

import pytest
from file_tab import exported, give, is_scored, load_sample, open_file_tab, press_score
from page_actions import choose_benchmark
from playwright.sync_api import expect
from written_files import write

from zs_app import words
from zs_bench.dataset.embedded import EMBEDDED, SAMPLE_PREDICTIONS
from zs_bench.reports import report
from zs_bench.scoring.score_files import score_files

pytestmark = pytest.mark.browser

KNOWN = {"qasper": {"a": ["yes"], "b": ["no"]}, "quality": {"c": ["A"]}}


@pytest.fixture
def page(shared_page):
    """The page with the tab open, its settings and filters as they are at first; files and report may be there."""
    if shared_page.locator("#benchmark").input_value() != "zero_scrolls":
        choose_benchmark(shared_page, "ZeroSCROLLS")
    open_file_tab(shared_page)
    shared_page.get_by_label(words.FILE_PARTIAL).uncheck()
    shared_page.locator("#file-source").get_by_text(words.FILE_FROM_FILES).click()
    shared_page.evaluate("document.querySelector('#file-form').reset()")
    return shared_page


def test_scoring_without_files_says_what_is_needed(page, tmp_path):
    """This test comes first, on a page where no file was chosen."""
    press_score(page)
    expect(page.locator("#file-status")).to_have_text(words.FILE_FIRST)
    give(page, "predictions", write(tmp_path / "p.json", {"qasper": {"a": "yes"}}))
    press_score(page)
    expect(page.locator("#file-status")).to_have_text(words.FILE_FIRST_REFERENCES)
    page.locator("#file-predictions").get_by_role("button", name="Clear").click()
    expect(page.locator("#file-predictions li")).to_have_count(0)


def test_the_sample_gives_ten_tasks_an_average_and_reports_to_download(page):
    expected = report.as_json(score_files([SAMPLE_PREDICTIONS], [EMBEDDED]))
    load_sample(page)
    is_scored(page, expected["score"])
    expect(page.locator("#per-task tbody tr .zs-rowbar b")).to_have_count(10)
    found = json.loads(exported(page, "json"))
    assert found["score"] == expected["score"]
    rows = list(csv.DictReader(io.StringIO(exported(page, "csv"))))
    assert len([row for row in rows if row["level"] == "answer"]) == 20


def test_ones_own_files_replace_the_sample_and_fold_into_a_line(page, tmp_path):
    load_sample(page)
    page.get_by_role("button", name="change").click()
    give(page, "predictions", write(tmp_path / "mine.json", {"qasper": {"a": "yes", "b": "perhaps"}}))
    give(page, "references", write(tmp_path / "known.json", KNOWN))
    expect(page.locator("#file-tab")).to_have_attribute("data-report", "outdated")
    page.get_by_role("button", name=words.FILE_AGAIN, exact=True).click()
    is_scored(page)
    line = page.locator(".zs-file-line")
    expect(line).to_contain_text(re.compile(r"mine.json · 2 predictions\s+against\s+known.json · 2 references"))
    expect(page.locator("#file-inputs")).to_be_hidden()
    expect(page.locator("#file-report .zs-total")).to_be_in_viewport()
    expect(page.locator("#per-task [data-task]")).to_have_count(1)
    expect(page.locator("#file-found")).to_contain_text("2 of 2 answers")
    line.get_by_role("button", name="change").click()
    expect(page.locator("#file-inputs")).to_be_visible()


def test_tables_are_filtered_and_sorted_and_an_answer_is_opened(page):
    load_sample(page)
    found, opened, answers = page.locator("#file-found"), page.locator("#file-opened"), page.locator("#file-answers")
    page.locator("#per-task").get_by_role("button", name="NarrativeQA").click()
    expect(found).to_contain_text("2 of 20 answers")
    expect(opened).to_contain_text(re.compile(r"s400\d.* · NarrativeQA · 1 of 2"))
    page.locator("#per-task").get_by_role("button", name="NarrativeQA").click()
    expect(found).to_contain_text("20 of 20 answers")
    for first in ("Qasper", "NarrativeQA"):
        page.locator("#per-task thead").get_by_role("button", name="Score").click()
        expect(page.locator("#per-task tbody th").first).to_have_text(first)
    expect(answers.locator("th[aria-sort=ascending]")).to_have_text("Score")
    answers.locator("thead").get_by_role("button", name="Score").click()
    expect(answers.locator("tbody .num").first).to_have_text("100.0")
    expect(opened.locator(".zs-score").first).to_have_attribute("data-score", "100.0000")
    row = answers.locator("tbody tr").nth(7)
    tops = [row.locator(cell).bounding_box()["y"] for cell in ("th", "td.num", ".zs-one-line")]
    assert tops[0] + 20 < tops[2] > tops[1] + 20  # the prediction has a line of its own
    row.click()
    expect(opened).to_contain_text("8 of 20")
    page.keyboard.press("j")
    expect(opened).to_contain_text("9 of 20")
    expect(answers.locator("tr[aria-selected=true]")).to_have_attribute("data-place", "8")
    page.locator("#file-form [name=text]").fill("8-1-10")
    expect(found).to_contain_text("1 of 20 answers")
    expect(opened).to_contain_text("not in the list: 8110")
    page.locator("#file-form [name=text]").fill("s4002")
    expect(opened.locator(".zs-asked")).to_contain_text("?")
    expect(opened.get_by_text(re.compile("^Reference"))).not_to_have_count(0)


@pytest.mark.slow
def test_the_last_report_survives_a_refresh_and_a_message_says_when_it_is_deleted(page):
    load_sample(page)
    score = page.locator("#file-report .zs-score").get_attribute("data-score")
    for _ in range(2):
        page.reload()
        is_scored(page, float(score))
        expect(page.locator("#file-found")).to_contain_text("20 of 20 answers")
    page.evaluate("""() => {
        const kept = JSON.parse(sessionStorage.getItem("zs file"));
        sessionStorage.setItem("zs file", JSON.stringify({...kept, report: {...kept.report, result: "0".repeat(64)}}));
    }""")
    page.reload()
    expect(page.locator("#file-status")).to_contain_text("no longer kept")
    expect(page.locator("#file-inputs")).to_be_visible()
