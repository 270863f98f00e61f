"""The tab "Score a file" in a real browser."""

import csv
import io
import json
import re
import shutil
from pathlib import Path

import pytest
from file_tab import exported, give, is_scored, load_sample, open_file_tab, press_score, score_files_in_tab
from page_actions import choose_benchmark
from playwright.sync_api import expect
from run_folders import eventful_run
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
    if "ZeroSCROLLS" not in shared_page.locator("#benchmark input").input_value():
        choose_benchmark(shared_page, "ZeroSCROLLS")
    open_file_tab(shared_page)
    shared_page.get_by_label(words.FILE_PARTIAL).uncheck()
    shared_page.locator("#file-source").get_by_text(words.FILE_FROM_FILES).click()
    shared_page.evaluate("document.querySelector('#file-form').reset()")
    return shared_page


def test_scoring_without_files_says_what_is_needed(page, tmp_path):
    """This test comes first, on a page where no file was chosen."""
    press_score(page)
    expect(page.locator("#file-status")).to_contain_text(words.FILE_FIRST)
    give(page, "predictions", write(tmp_path / "p.json", {"qasper": {"a": "yes"}}))
    press_score(page)
    expect(page.locator("#file-status")).to_contain_text(words.FILE_FIRST_REFERENCES)


def test_the_sample_gives_ten_tasks_an_average_and_reports_to_download(page):
    expected = report.as_json(score_files([SAMPLE_PREDICTIONS], [EMBEDDED]))
    load_sample(page)
    is_scored(page, expected["score"])
    expect(page.locator("#per-task tbody tr")).to_have_count(10)
    expect(page.locator("#per-task .zs-rowbar b")).to_have_count(10)
    found = json.loads(exported(page, "json"))
    assert found["score"] == expected["score"]
    assert {task: part["score"] for task, part in found["tasks"].items()} == {
        task: part["score"] for task, part in expected["tasks"].items()
    }
    rows = list(csv.DictReader(io.StringIO(exported(page, "csv"))))
    assert len([row for row in rows if row["level"] == "answer"]) == 20


def test_the_report_says_what_was_scored_and_the_inputs_fold_into_that_line(page, tmp_path):
    predictions = write(tmp_path / "run-7.json", {"qasper": {"a": "yes", "b": "perhaps"}})
    score_files_in_tab(page, predictions, write(tmp_path / "known.json", KNOWN))
    is_scored(page)
    line = page.locator(".zs-file-line")
    expect(line).to_contain_text(re.compile(r"run-7.json · 2 predictions\s+against\s+known.json · 2 references"))
    expect(page.locator("#file-inputs")).to_be_hidden()
    expect(page.locator("#file-report .zs-total")).to_be_in_viewport()
    line.get_by_role("button", name="change").click()
    expect(page.locator("#file-inputs")).to_be_visible()


def test_an_error_covers_no_control_of_the_report_and_goes_when_the_next_job_starts(page, tmp_path):
    known = write(tmp_path / "known.json", KNOWN)
    score_files_in_tab(page, write(tmp_path / "p.json", {"qasper": {"a": "yes", "b": "no"}}), known)
    is_scored(page)
    page.locator("#file-variants-box button.label-wrap").click()
    page.locator("#variants-number textarea, #variants-number input").first.fill("thirty")
    page.locator("#variants-run").click()
    error = page.locator(".toast-body.error")
    expect(error).to_be_visible()
    page.locator("#file-report .zs-file").evaluate("report => report.scrollIntoView({ block: 'start' })")
    controls = page.locator("#file-report :is([data-file=change], .zs-menu summary)")
    expect(controls).to_have_count(2)
    covers = """control => {
        const { x, y, width, height } = control.getBoundingClientRect();
        return !control.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }"""
    assert [one.evaluate(covers) for one in controls.all()] == [False, False]
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = page.locator("footer button").last.bounding_box()
    assert last["y"] + last["height"] <= error.bounding_box()["y"]
    controls.first.click()
    press_score(page)
    expect(error).to_have_count(0)
    is_scored(page)
    page.locator("#file-variants-box button.label-wrap").click()


def test_ones_own_files_replace_the_sample(page, tmp_path):
    """Once both were scored together."""
    load_sample(page)
    page.get_by_role("button", name="change").click()
    give(page, "predictions", write(tmp_path / "mine.json", {"qasper": {"a": "yes", "b": "perhaps"}}))
    give(page, "references", write(tmp_path / "known.json", KNOWN))
    expect(page.locator("html")).to_have_attribute("data-file-report", "outdated")
    press_score(page)
    is_scored(page)
    expect(page.locator(".zs-file-line")).to_contain_text("mine.json · 2 predictions")
    expect(page.locator("#per-task [data-task]")).to_have_count(1)
    expect(page.locator("#file-found")).to_contain_text("2 of 2 answers")


def test_a_mended_file_replaces_the_broken_one(page, tmp_path):
    """Once both were read, and the broken one was refused again."""
    broken = write(tmp_path / "broken.csv", "Task,ID,Prediction\nquality,c,no, quotes here\n")
    score_files_in_tab(page, broken, write(tmp_path / "known.json", KNOWN))
    expect(page.locator("#file-problem-list")).to_contain_text("broken.csv, line 2")
    expect(page.locator("#file-report .zs-total")).to_contain_text("No score yet: 0 of 10 tasks")
    page.get_by_role("button", name="change").click()
    give(page, "predictions", write(tmp_path / "mended.csv", 'Task,ID,Prediction\nquality,c,"A"\n'))
    expect(page.locator("#file-predictions")).not_to_contain_text("broken")
    press_score(page)
    expect(page.locator("#per-task [data-task=quality]")).to_contain_text("100.0")
    expect(page.locator(".zs-file-line")).to_contain_text("mended.csv · 1 prediction")
    expect(page.locator("#file-report")).not_to_contain_text("broken")


def test_a_report_is_out_of_date_while_other_files_or_settings_are_chosen(page, tmp_path):
    score_files_in_tab(
        page, write(tmp_path / "p.json", {"qasper": {"a": "yes"}}), write(tmp_path / "known.json", KNOWN)
    )
    is_scored(page)
    page.get_by_role("button", name="change").click()
    root = page.locator("html")
    expect(root).to_have_attribute("data-file-report", "current")
    page.get_by_label(words.FILE_PARTIAL).check()
    expect(root).to_have_attribute("data-file-report", "outdated")
    expect(page.get_by_text(words.FILE_OUTDATED)).to_be_visible()
    page.get_by_role("button", name=words.FILE_AGAIN, exact=True).click()
    expect(page.locator("#file-report .zs-total")).to_contain_text("Mean of these: 100.0")
    is_scored(page)
    expect(page.get_by_text(words.FILE_OUTDATED)).to_be_hidden()
    choose_benchmark(page, "SCROLLS")
    expect(root).to_have_attribute("data-file-report", "outdated")


def test_a_refusal_has_no_big_number_and_lists_all_tasks(page, tmp_path):
    known = {**KNOWN, "qasper": {"a": ["yes"], "b": ["no"], "z": ["x"]}}
    answers = {"qasper": {"a": "yes"}, "quality": {"c": "A"}}
    score_files_in_tab(page, write(tmp_path / "p.json", answers), write(tmp_path / "known.json", known))
    total = page.locator("#file-report .zs-total")
    expect(total).to_contain_text("No score yet: 1 of 10 tasks")
    expect(page.locator("#file-report .zs-score")).to_have_count(0)
    expect(page.locator("#per-task tbody tr")).to_have_count(10)
    expect(page.locator("#per-task tbody tr").filter(has_text="Qasper")).to_contain_text("not scored")
    expect(page.locator("#file-problem-list")).to_contain_text("2 of 3 answers are missing")


def test_a_row_of_the_table_filters_the_answers(page):
    load_sample(page)
    expect(page.locator("#file-found")).to_contain_text("20 of 20 answers")
    page.locator("#per-task").get_by_role("button", name="NarrativeQA").click()
    expect(page.locator("#file-found")).to_contain_text("2 of 20 answers")
    expect(page.locator("#file-form [name=task]")).to_have_value("narrative_qa")
    expect(page.locator("#file-opened")).to_contain_text("s4001 · NarrativeQA · 1 of 2")
    page.locator("#per-task").get_by_role("button", name="NarrativeQA").click()
    expect(page.locator("#file-found")).to_contain_text("20 of 20 answers")


def test_the_tables_are_sorted_by_a_click_on_their_heads(page):
    load_sample(page)
    names = page.locator("#per-task tbody th")
    expect(names.first).to_have_text("GovReport")
    page.locator("#per-task thead").get_by_role("button", name="Score").click()
    expect(page.locator("#per-task th[aria-sort=descending]")).to_have_text("Score")
    expect(names.first).to_have_text("Qasper")
    page.locator("#per-task thead").get_by_role("button", name="Score").click()
    expect(names.first).to_have_text("NarrativeQA")
    answers = page.locator("#file-answers")
    expect(answers.locator("th[aria-sort=ascending]")).to_have_text("Score")
    answers.locator("thead").get_by_role("button", name="Score").click()
    expect(answers.locator("th[aria-sort=descending]")).to_have_text("Score")
    expect(answers.locator("tbody .num").first).to_have_text("100.0")
    expect(page.locator("#file-opened .zs-score").first).to_have_attribute("data-score", "100.0000")


def test_an_opened_answer_has_its_question_its_reference_and_the_reason_beside_it(page):
    load_sample(page)
    search = page.locator("#file-form [name=text]")
    search.fill("8-1-10")
    opened = page.locator("#file-opened")
    expect(page.locator("#file-found")).to_contain_text("1 of 20 answers")
    expect(opened).to_contain_text("was read as 8110")
    search.fill("s4002")
    expect(opened).to_contain_text("s4002 · NarrativeQA · 1 of 1")
    expect(opened.locator(".zs-asked")).to_contain_text("?")
    expect(opened.get_by_text("Prediction", exact=True)).to_be_visible()
    expect(opened.get_by_text(re.compile("^Reference"))).not_to_have_count(0)
    search.fill("")
    expect(opened).to_contain_text("1 of 20")
    page.get_by_role("button", name="Next (j)").click()
    expect(opened).to_contain_text("2 of 20")
    page.locator("#file-answers tbody tr").nth(7).click()
    expect(opened).to_contain_text("8 of 20")
    expect(page.locator("#file-answers tr[aria-selected=true]")).to_have_attribute("data-place", "7")


def test_html_in_ids_and_answers_stays_text(page, tmp_path):
    predictions, references = tmp_path / "preds_qasper.json", tmp_path / "qasper.json"
    key, text = "<img src=x onerror=alert(1)>", "<script>alert(2)</script> ${1+1}"
    predictions.write_text(json.dumps({key: text, "gone<b>": "x"}), encoding="utf-8")
    references.write_text(json.dumps({key: [text]}), encoding="utf-8")
    open_file_tab(page)
    page.get_by_label(words.FILE_PARTIAL).check()
    score_files_in_tab(page, predictions, references)
    expect(page.locator("#file-report")).to_contain_text("gone<b>", use_inner_text=False)
    expect(page.locator("#file-answers")).to_contain_text("<script>alert(2)")
    expect(page.locator("#file-opened")).to_contain_text("<img src=x")
    expect(page.locator("#file-answers img, #file-report img, #file-opened img")).to_have_count(0)


def test_references_can_come_from_the_examples_of_this_page(page, tmp_path):
    open_file_tab(page)
    answers = {"s0003_SAMPLE01_1": "C", "s0004_SAMPLE02_1": "B"}
    give(page, "predictions", write(tmp_path / "preds_quality.json", answers))
    page.locator("#file-source").get_by_text(words.FILE_FROM_EMBEDDED).click()
    press_score(page)
    expect(page.locator("#per-task [data-task=quality]")).to_contain_text("100.0")
    expect(page.locator("#file-report .zs-total")).to_contain_text("needs all 10 tasks")


@pytest.mark.slow
def test_the_last_report_survives_a_refresh_and_a_message_says_when_it_is_deleted(page, tmp_path):
    load_sample(page)
    score = page.locator("#file-report .zs-score").get_attribute("data-score")
    page.reload()
    is_scored(page, float(score))
    expect(page.locator("#file-found")).to_contain_text("20 of 20 answers")
    page.evaluate("""() => {
        const kept = JSON.parse(sessionStorage.getItem("zs file"));
        sessionStorage.setItem("zs file", JSON.stringify({...kept, result: "0".repeat(64), files: ["run-7.csv"]}));
    }""")
    page.reload()
    expect(page.locator("#file-status")).to_contain_text("The report of run-7.csv is no longer kept")
    expect(page.locator("#file-inputs")).to_be_visible()


@pytest.mark.slow
def test_a_zipped_run_folder_shows_the_status_of_its_prompts(page, tmp_path):
    folder = eventful_run(tmp_path / "run")
    page.set_viewport_size({"width": 390, "height": 900})
    give(page, "predictions", Path(shutil.make_archive(str(folder), "zip", folder)))
    page.locator("#file-source").get_by_text(words.FILE_FROM_EMBEDDED).click()
    page.get_by_label(words.FILE_PARTIAL).check()
    press_score(page)
    is_scored(page)
    account = page.locator("#file-run")
    expect(account.locator("summary")).to_have_text(
        "Run of a-model: 2 of 4 prompts answered, 1 cut by the server, 1 trimmed before"
    )
    row = account.locator("tbody tr").first
    expect(row).to_be_visible()
    expect(row).to_contain_text("1 (50% kept)")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
