"""The tab "Score a file" on a slow or interrupted network."""

import asyncio
import re
import threading

import pytest
from file_tab import choose, is_scored, load_sample, open_file_tab, press_score, score_files_in_tab
from playwright.sync_api import expect
from slow_network import at_distance
from wire import Wire
from written_files import write

from zs_app import words
from zs_app.tabs import score_file
from zs_bench.dataset.embedded import load_embedded

pytestmark = pytest.mark.browser

KNOWN = {"qasper": {"a": ["yes"], "b": ["no"]}, "quality": {"c": ["A"]}}


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
    return shared_page


def test_the_last_chosen_files_are_scored(file_page, tmp_path):
    page = file_page
    at_distance(page, 600)
    line = page.locator(".zs-file-line")
    page.locator("#file-sample").click()
    choose(page, "predictions", write(tmp_path / "broken.csv", "Task,ID,Prediction\nquality,c,no, quotes here\n"))
    choose(page, "references", write(tmp_path / "known.json", KNOWN))
    expect(page.locator("#file-tab")).to_have_attribute("data-report", "outdated")  # the sample's
    expect(page.locator("#file-inputs")).to_be_visible()
    press_score(page)
    expect(line).to_contain_text("broken.csv")
    line.get_by_role("button", name="change").click()
    choose(page, "predictions", write(tmp_path / "first.json", {"quality": {"c": "B"}}))
    choose(page, "predictions", write(tmp_path / "second.json", {"qasper": {"a": "yes", "b": "no"}}))
    press_score(page)
    expect(page.locator("#file-progress")).to_contain_text(re.compile("Uploading|Scoring"))
    expect(line).to_contain_text("second.json · 2 predictions")
    is_scored(page)
    expect(page.locator("#file-found")).to_contain_text("2 of 2 answers")


def test_the_answers_shown_match_the_last_filter(file_page):
    page = file_page
    load_sample(page)
    found, search = page.locator("#file-found"), page.locator("#file-form [name=text]")
    expect(found).to_contain_text("20 of 20 answers")
    at_distance(page, 600)
    search.press_sequentially("s4002", delay=30)
    search.fill("")
    found.click()
    for _ in range(3):
        page.keyboard.press("j")
    expect(page.locator("#file-opened")).to_contain_text("4 of 20")
    expect(found).to_contain_text("20 of 20 answers")
    page.locator("#file-form [name=task]").select_option("qasper")
    page.locator("#file-form [name=task]").select_option("quality")
    expect(found).to_contain_text("2 of 20 answers")
    shown = page.locator("#file-answers tbody th button")
    assert {button.get_attribute("title") for button in shown.all()} == {row.id for row in load_embedded("quality")}
    expect(page.locator("#file-answers")).not_to_have_class(re.compile("zs-late"))


@pytest.mark.slow
def test_a_connection_lost_during_a_job_is_reported_and_loses_nothing(open_page, app, hold, tmp_path):
    wire = Wire(app.server_port)
    page = open_page(wire=wire)
    score_files_in_tab(
        page, write(tmp_path / "mine.json", {"qasper": {"a": "yes", "b": "no"}}), write(tmp_path / "known.json", KNOWN)
    )
    expect(page.locator("#file-progress")).to_contain_text("Scoring")
    wire.cut()
    expect(page.locator("#file-status")).to_contain_text("The connection is lost. The job goes on")
    expect(page.locator("#file-predictions")).to_contain_text("mine")
    hold.set()
    wire.mend()
    expect(page.locator(".zs-file-line")).to_contain_text("mine.json · 2 predictions")
    is_scored(page)
    expect(page.locator("#file-status")).to_be_hidden()


@pytest.mark.slow
def test_a_refresh_during_a_job_keeps_files_and_settings_and_shows_its_report(page, hold, tmp_path):
    open_file_tab(page)
    page.get_by_label(words.FILE_PARTIAL).check()
    score_files_in_tab(page, write(tmp_path / "mine.json", {"qasper": {"a": "yes"}}), write(tmp_path / "k.json", KNOWN))
    expect(page.locator("#file-progress")).to_contain_text("Scoring")
    at_distance(page, 600)
    page.reload(wait_until="commit")
    expect(page.locator("#file-predictions")).to_contain_text("mine")
    expect(page.get_by_label(words.FILE_PARTIAL)).to_be_checked()
    hold.set()
    is_scored(page)
    expect(page.locator(".zs-file-line")).to_contain_text("mine.json · 1 prediction")
