"""The Hub as a source in the app: the real client, pointed at a stand-in on loopback."""

from pathlib import Path
from threading import Event

import pytest
from benchmark_zips import rows_of, without_references, zipped
from file_tab import give, open_file_tab, press_score
from hub_client import only_a_stand_in
from page_actions import choose_task, unfold
from playwright.sync_api import expect
from written_files import write

from zs_app import words
from zs_app.tabs import examples, try_task
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.errors import SourceUnavailable

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def hub(monkeypatch):
    """A stand-in with good data for every task but quality, whose validation split has no references.

    Its client shares its cache with the processes of jobs.
    """
    from huggingface_hub import constants

    files = {f"{task}.zip": zipped(task) for task in TASKS}
    files["quality.zip"] = zipped("quality", validation=without_references(rows_of("quality")))
    with only_a_stand_in(Path(constants.HF_HUB_CACHE), monkeypatch) as stand_in:
        stand_in.repo("datasets", "tau/zero_scrolls").commit(files)
        examples.from_hub.cache.clear()
        yield stand_in
    examples.from_hub.cache.clear()


def score_against_the_hub(page, tmp_path):
    answers = {"3hop1__s101_s102_s103": "Brennick-on-Ansel", "2hop__s201_s202": "unanswerable"}
    open_file_tab(page)
    give(page, "predictions", write(tmp_path / "preds_musique.json", answers))
    page.locator("#file-source").get_by_text("the Hub").click()
    press_score(page)


def test_examples_of_the_hub_are_shown_and_scored_and_a_file_needs_no_references(page, hub, tmp_path):
    unfold(page, "prompt")
    page.locator("#try-source").get_by_text("the Hub").click()
    expect(page.locator("#try-sheet [role=status]")).to_contain_text("reference")  # a defect of the data
    page.locator("[data-option=C]").click()
    expect(page.locator("#try-card")).to_contain_text("no reference to score against")
    choose_task(page, "MuSiQue")
    expect(page.locator("#try-facts")).to_contain_text("Hub, tau/zero_scrolls at ")
    expect(page.locator("#try-example")).to_contain_text("3hop1__s101_s102_s103")
    page.locator("#try-answer textarea").fill("Brennick-on-Ansel")
    expect(page.locator("#try-card .zs-score")).to_have_attribute("data-score", "100.0000")
    score_against_the_hub(page, tmp_path)
    expect(page.locator("#per-task [data-task=musique]")).to_contain_text("100.0")


def test_an_answer_is_scored_when_its_question_is_there_however_long_the_hub_takes(page, monkeypatch):
    there, in_time = Event(), []

    def from_hub(task):
        in_time.append(there.is_set())
        assert there.wait(60)
        return examples.loaded("embedded", task)

    monkeypatch.setattr(examples, "from_hub", from_hub)
    choose_task(page, "MuSiQue")
    unfold(page, "prompt")
    page.locator("#try-source").get_by_text("the Hub").click()
    page.locator("#try-answer textarea").fill("Brennick")
    expect(page.locator("#try-card")).to_have_attribute("aria-busy", "true")
    there.set()
    expect(page.locator("#try-card .zs-score")).to_be_visible()
    assert in_time.count(False) == 1  # the question alone


def test_a_hub_that_does_not_answer_is_reported_with_a_way_back_and_the_upload_stays(page, tmp_path, monkeypatch):
    def loaded(source, task):
        if source == "hub":
            raise SourceUnavailable("the Hub cannot be reached")
        return examples.loaded(source, task)

    with only_a_stand_in(tmp_path / "cache", monkeypatch) as stand_in:
        stand_in.close()
        monkeypatch.setattr(try_task, "loaded", loaded)
        unfold(page, "prompt")
        page.locator("#try-source").get_by_text("the Hub").click()
        expect(page.locator("#try-sheet [role=alert]")).to_have_text(words.SOURCE_UNAVAILABLE)
        expect(page.locator("#try-side")).to_be_hidden()  # there is nothing to answer
        page.get_by_role("button", name=words.SOURCE_BACK).click()
        expect(page.locator("#try-side")).to_be_visible()
        score_against_the_hub(page, tmp_path)
        expect(page.locator("#file-status")).to_contain_text("Could not load these references")
        expect(page.locator("#file-files")).to_contain_text("preds_musique")
