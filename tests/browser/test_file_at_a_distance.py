"""The tab "Score a file" on a slow or interrupted network."""

import asyncio
import re
import threading

import pytest
from file_tab import is_scored, load_sample, open_file_tab, press_score, score_files_in_tab
from playwright.sync_api import expect
from slow_network import at_distance, held
from wire import Wire
from written_files import write

from zs_app import words
from zs_app.tabs import score_file
from zs_app.tabs.file_inputs import MAX_FILES

pytestmark = pytest.mark.browser

KNOWN = {"qasper": {"a": ["yes"], "b": ["no"]}, "quality": {"c": ["A"]}}


def choose(page, which, *paths):
    """Choose files as soon as the box accepts them, without waiting for the upload."""
    page.locator(f"#file-{which} input[type=file]").set_input_files(list(paths))


@pytest.fixture
def hold(monkeypatch):
    """Jobs of files do not begin before `hold.set()`."""
    event, score = threading.Event(), score_file._score

    async def held(*arguments):
        while not event.is_set():
            await asyncio.sleep(0.05)
        return await score(*arguments)

    monkeypatch.setattr(score_file, "_score", held)
    yield event
    event.set()


@pytest.fixture
def file_page(shared_page):
    """The page with the tab open and a server that is near."""
    at_distance(shared_page, 0)
    open_file_tab(shared_page)
    shared_page.locator("#file-source").get_by_text(words.FILE_FROM_FILES).click()
    shared_page.evaluate("document.querySelector('#file-form').reset()")
    return shared_page


@pytest.mark.parametrize("latency", [pytest.param(250, marks=pytest.mark.slow), 600])
def test_the_last_chosen_files_are_scored(file_page, tmp_path, latency):
    page = file_page
    at_distance(page, latency)
    line = page.locator(".zs-file-line")
    page.get_by_role("button", name=words.FILE_SAMPLE).click()
    choose(page, "predictions", write(tmp_path / "broken.csv", "Task,ID,Prediction\nquality,c,no, quotes here\n"))
    choose(page, "references", write(tmp_path / "known.json", KNOWN))
    expect(page.locator("html")).to_have_attribute("data-file-report", "outdated")
    expect(page.locator("#file-inputs")).to_be_visible()
    press_score(page)
    expect(line).to_contain_text("broken.csv")
    line.get_by_role("button", name="change").click()
    choose(page, "predictions", write(tmp_path / "mended.csv", 'Task,ID,Prediction\nquality,c,"A"\n'))
    press_score(page)
    expect(page.locator("#file-score")).to_have_attribute("data-progress", re.compile("Uploading|Scoring"))
    expect(line).to_contain_text("mended.csv · 1 prediction")
    is_scored(page)
    line.get_by_role("button", name="change").click()
    choose(page, "predictions", write(tmp_path / "first.json", {"quality": {"c": "B"}}))
    choose(page, "predictions", write(tmp_path / "second.json", {"qasper": {"a": "yes", "b": "no"}}))
    press_score(page)
    expect(line).to_contain_text("second.json · 2 predictions")
    is_scored(page)
    expect(page.locator("#file-found")).to_contain_text("2 of 2 answers")


@pytest.mark.slow
def test_a_job_goes_on_while_another_tab_is_open(file_page, hold):
    page = file_page
    at_distance(page, 600)
    page.get_by_role("button", name=words.FILE_SAMPLE).click()
    expect(page.locator("#file-score")).to_have_attribute("data-progress", re.compile("Scoring"))
    page.get_by_role("tab", name=words.TRY_TAB).click()
    page.locator("#try-answer textarea").press_sequentially("C", delay=30)
    page.get_by_role("tab", name=words.RESULTS_TAB).click()
    hold.set()
    expect(page.locator("#results-table tr[data-own]").first).to_be_visible()
    page.get_by_role("tab", name=words.TRY_TAB).click()
    expect(page.locator("#try-answer textarea")).to_have_value("C")
    open_file_tab(page)
    is_scored(page)
    expect(page.locator("#file-opened")).to_contain_text("1 of 20")


@pytest.mark.slow
def test_inputs_unfolded_during_a_job_stay_unfolded_when_the_report_arrives(file_page, hold):
    page = file_page
    hold.set()
    load_sample(page)
    expect(page.locator("#file-inputs")).to_be_hidden()
    page.locator("[data-file=change]").click()
    hold.clear()
    press_score(page)
    expect(page.locator("html")).to_have_attribute("data-file-job", "running")
    page.locator("[data-file=change]").click()
    hold.set()
    is_scored(page)
    expect(page.locator("#file-inputs")).to_be_visible()
    press_score(page)
    is_scored(page)
    expect(page.locator("#file-inputs")).to_be_hidden()


@pytest.mark.slow
def test_the_answers_shown_match_the_last_filter(file_page):
    page = file_page
    load_sample(page)
    found, search = page.locator("#file-found"), page.locator("#file-form [name=text]")
    expect(found).to_contain_text("20 of 20 answers")
    expect(page.locator("#file-opened")).to_contain_text("1 of 20")
    at_distance(page, 600)
    with held(page):
        search.press_sequentially("s4002", delay=30)
        expect(page.locator("#file-answers")).to_have_class(re.compile("zs-late"))
    search.fill("")
    found.click()
    for _ in range(3):
        page.keyboard.press("j")
    expect(page.locator("#file-opened")).to_contain_text("4 of 20")
    expect(found).to_contain_text("20 of 20 answers")
    expect(page.locator("#file-answers")).not_to_have_class(re.compile("zs-late"))
    page.locator("#file-form [name=task]").select_option("qasper")
    page.locator("#file-form [name=task]").select_option("quality")
    page.locator("#file-form [name=lost_to]").select_option("format")
    page.locator("#file-form [name=lost_to]").select_option("any")
    expect(found).to_contain_text("2 of 20 answers")
    expect(page.locator("#file-answers")).not_to_have_class(re.compile("zs-late"))
    expect(page.locator("#file-answers tbody td:first-child")).to_have_text(["QuALITY", "QuALITY"])
    page.get_by_role("tab", name=words.RESULTS_TAB).click()
    expect(page.locator("#results-table tr[data-own]").first).to_be_visible()
    rows = page.locator("[data-count]").inner_text()
    with held(page):
        page.locator("[data-filter=split]").select_option("validation")
        expect(page.locator("[data-count]")).not_to_have_text(rows)
        page.locator("th[data-column=musique] button").click()
        expect(page.locator("th[data-column=musique]")).to_have_attribute("aria-sort", "descending")


@pytest.mark.slow
def test_a_connection_lost_during_a_job_is_reported_and_loses_nothing(open_page, app, hold, tmp_path):
    wire = Wire(app.server_port)
    page = open_page(wire=wire)
    hold.set()
    load_sample(page)
    page.get_by_role("button", name="change").click()
    choose(page, "predictions", write(tmp_path / "mine.json", {"qasper": {"a": "yes", "b": "no"}}))
    choose(page, "references", write(tmp_path / "known.json", KNOWN))
    page.get_by_label(words.FILE_PARTIAL).check()
    hold.clear()
    press_score(page)
    expect(page.locator("#file-score")).to_have_attribute("data-progress", re.compile("Scoring"))
    page.evaluate("window.isOld = true")
    wire.cut()
    expect(page.get_by_text("Connection to the server was lost")).to_be_visible()
    hold.set()
    wire.mend()
    page.wait_for_function("!window.isOld && window.zs")  # Gradio loads the page again
    expect(page.locator("#file-lost")).to_contain_text("The connection was lost")
    expect(page.locator("#file-predictions")).to_contain_text("mine")
    expect(page.locator("#file-references")).to_contain_text("known")
    expect(page.get_by_label(words.FILE_PARTIAL)).to_be_checked()
    expect(page.locator("#file-report .zs-score")).to_be_visible()  # of the sample, which is out of date
    expect(page.locator("html")).to_have_attribute("data-file-report", "outdated")
    press_score(page)
    expect(page.locator(".zs-file-line")).to_contain_text("mine.json · 2 predictions")
    is_scored(page)
    expect(page.locator("#file-lost")).to_be_hidden()


@pytest.mark.slow
def test_a_refresh_keeps_texts_files_report_and_address_and_back_still_works(page, tmp_path):
    page.locator("#try-task").get_by_text("MuSiQue").click()
    page.locator("#try-answer textarea").fill("Brennick")
    page.get_by_role("tab", name=words.ANSWER_TAB).click()
    page.locator("#answer-text textarea").click()
    page.locator("#answer-text textarea").fill("perhaps")
    score_files_in_tab(
        page, write(tmp_path / "mine.json", {"qasper": {"a": "yes", "b": "no"}}), write(tmp_path / "known.json", KNOWN)
    )
    is_scored(page)
    at_distance(page, 600)
    page.reload(wait_until="commit")
    is_scored(page)
    expect(page.locator(".zs-file-line")).to_contain_text("mine.json · 2 predictions")
    expect(page.locator("#file-found")).to_contain_text("2 of 2 answers")
    page.get_by_role("button", name="change").click()
    expect(page.locator("#file-predictions")).to_contain_text("mine")
    page.go_back()
    expect(page.locator("#answer-text textarea")).to_have_value("perhaps")
    page.go_back()
    expect(page.locator("#try-task input:checked")).to_have_value("musique")
    expect(page.locator("#try-answer textarea")).to_have_value("Brennick")
    page.wait_for_url("**task=musique**")


@pytest.mark.slow
def test_the_button_works_again_after_a_failed_job(file_page, tmp_path):
    page = file_page
    choose(page, "predictions", *(write(tmp_path / f"{i}.json", {"quality": {"c": "A"}}) for i in range(MAX_FILES + 1)))
    choose(page, "references", write(tmp_path / "known.json", KNOWN))
    press_score(page)
    expect(page.get_by_text(f"{MAX_FILES + 1} files, more than {MAX_FILES}")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-file-job", "none")
    choose(page, "predictions", write(tmp_path / "one.json", {"quality": {"c": "A"}}))
    press_score(page)
    expect(page.locator("#per-task [data-task=quality]")).to_contain_text("100.0")
