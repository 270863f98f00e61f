"""The tab "Score a file" in a real browser."""

import csv
import io
import json

import pytest
from playwright.sync_api import expect

from zs_bench.reports import report
from zs_bench.reports.score_files import score_files
from zs_bench.sources.embedded import EMBEDDED, SAMPLE_PREDICTIONS

pytestmark = pytest.mark.browser


@pytest.fixture
def page(page):
    page.get_by_role("tab", name="Score a file").click()
    return page


def upload(page, which, path):
    page.locator(f"#file-{which} input[type=file]").set_input_files(path)
    expect(page.locator(f"#file-{which}")).to_contain_text(path.stem)


def test_the_sample_gives_ten_tasks_an_average_and_reports_to_download(page):
    expected = report.as_json(score_files([SAMPLE_PREDICTIONS], [EMBEDDED]))
    page.get_by_role("button", name="Load the sample").click()
    expect(page.locator("#file-summary .zs-total")).to_contain_text(f"{expected['score']:.4f}")
    expect(page.locator("#per-task tbody tr")).to_have_count(10)
    expect(page.locator("#file-summary .zs-bar")).to_have_count(10)
    with page.expect_download() as download:
        page.locator("#file-json").click()
    found = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert found["score"] == expected["score"]
    assert {task: part["score"] for task, part in found["tasks"].items()} == {
        task: part["score"] for task, part in expected["tasks"].items()
    }
    with page.expect_download() as download:
        page.locator("#file-csv").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8"))))
    assert len([row for row in rows if row["id"]]) == 20


def test_the_answers_stand_worst_first_and_can_be_filtered_and_opened(page):
    page.get_by_role("button", name="Load the sample").click()
    table, opened = page.locator("#file-answers"), page.locator("#file-opened")
    expect(page.locator("#file-found")).to_contain_text("20 of 20 answers")
    expect(table.get_by_role("gridcell").nth(2)).to_have_text("0")
    page.locator("#file-text textarea, #file-text input").first.fill("8-1-10")
    expect(page.locator("#file-found")).to_contain_text("1 of 20 answers")
    expect(opened).to_contain_text("was read as 8110")
    page.locator("#file-text textarea, #file-text input").first.fill("")
    page.locator("#file-task input").click()
    page.get_by_role("option", name="NarrativeQA").click()
    expect(page.locator("#file-found")).to_contain_text("2 of 20 answers")
    expect(opened).to_contain_text("s4001 · NarrativeQA · 1 of 2")
    page.get_by_role("button", name="Next (j)").click()
    expect(opened).to_contain_text("s4002 · NarrativeQA · 2 of 2")
    table.get_by_role("gridcell").filter(has_text="s4001").click()
    expect(opened).to_contain_text("s4001 · NarrativeQA · 1 of 2")


def test_the_losses_of_every_task_are_drawn_and_told(page):
    page.get_by_role("button", name="Load the sample").click()
    losses = page.locator("#losses .zs-loss")
    expect(losses).to_have_count(10)
    expect(losses.filter(has_text="NarrativeQA")).to_contain_text("typography")
    expect(losses.filter(has_text="BookSumSort")).to_contain_text("format")


def test_a_broken_file_is_told_by_row_and_the_other_input_stays(page, tmp_path):
    broken, references = tmp_path / "broken.csv", tmp_path / "quality.jsonl"
    broken.write_text("Task,ID,Prediction\nquality,a,B\nquality,b,no, quotes here\n", encoding="utf-8")
    references.write_text('{"id": "a", "output": "B"}\n{"id": "b", "output": "C"}\n', encoding="utf-8")
    upload(page, "predictions", broken)
    upload(page, "references", references)
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#file-problems [role=alert]")).to_contain_text("broken.csv, row 3")
    expect(page.locator("#file-predictions")).to_contain_text("broken")
    expect(page.locator("#file-references")).to_contain_text("quality")
    page.get_by_label("Partial").check()
    broken.write_text("Task,ID,Prediction\nquality,a,B\n", encoding="utf-8")
    page.locator("#file-predictions").get_by_label("Clear").click()
    upload(page, "predictions", broken)
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#file-summary")).to_contain_text("partial")
    expect(page.locator("#per-task")).to_contain_text("1 of 2")


def test_scoring_without_files_says_what_is_needed(page):
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#file-problems")).to_contain_text("load the sample")


def test_html_in_ids_and_answers_stays_text(page, tmp_path):
    predictions, references = tmp_path / "preds_qasper.json", tmp_path / "qasper.json"
    key, text = "<img src=x onerror=alert(1)>", "<script>alert(2)</script> ${1+1}"
    predictions.write_text(json.dumps({key: text, "gone<b>": "x"}), encoding="utf-8")
    references.write_text(json.dumps({key: [text]}), encoding="utf-8")
    upload(page, "predictions", predictions)
    upload(page, "references", references)
    page.get_by_label("Partial").check()
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#file-problems")).to_contain_text("gone<b>")
    expect(page.locator("#file-answers")).to_contain_text("<script>alert(2)")
    expect(page.locator("#file-answers img, #file-problems img")).to_have_count(0)


def test_references_can_come_from_the_examples_of_this_page(page, tmp_path):
    predictions = tmp_path / "preds_quality.json"
    predictions.write_text(json.dumps({"s0003_SAMPLE01_1": "C", "s0004_SAMPLE02_1": "B"}), encoding="utf-8")
    upload(page, "predictions", predictions)
    page.locator("#file-source").get_by_text("the examples of this page").click()
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#file-summary .zs-total")).to_contain_text("100.0000")
    expect(page.locator("#file-summary")).to_contain_text("needs all ten tasks")
