"""The tab "Score an answer" in a real browser."""

import pytest
from page_actions import choose_answer_task
from playwright.sync_api import expect

from zs_app import words

pytestmark = pytest.mark.browser


@pytest.fixture
def page(shared_page):
    """The page with the tab open, with Qasper chosen and one reference, both texts empty."""
    shared_page.get_by_role("tab", name=words.ANSWER_TAB).click()
    choose_answer_task(shared_page, "Qasper")
    while shared_page.locator("#answer-reference-2 textarea").is_visible():
        shared_page.get_by_role("button", name="Remove reference 2").click()
    for box in ("text", "reference-1"):
        shared_page.locator(f"#answer-{box} textarea").fill("")
    return shared_page


def test_the_tab_starts_with_a_sample_of_the_task_that_typing_replaces(shared_page):
    """This test comes first, on a page where nothing was typed."""
    page = shared_page
    page.get_by_role("tab", name=words.ANSWER_TAB).click()
    expect(page.locator("#answer-card .zs-score")).to_be_visible()
    page.get_by_role("button", name=words.ANSWER_CLEAR).click()
    expect(page.locator("#answer-text textarea")).to_be_focused()
    expect(page.locator("#answer-sample")).to_be_hidden()
    for box, text in zip(("text", "reference-1"), words.ANSWER_SAMPLES["f1"], strict=True):
        expect(page.locator(f"#answer-{box} textarea")).to_have_value("")
        page.locator(f"#answer-{box} textarea").fill(text)
    expect(page.locator("#answer-sample")).to_be_visible()
    page.get_by_role("button", name=words.ANSWER_ADD).click()
    choose_answer_task(page, "SpaceDigest")
    expect(page.locator("#answer-reference-1 textarea")).to_have_value("60%")
    expect(page.locator("#answer-reference-2 textarea")).to_be_visible()  # added before the task was chosen
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "70.7107")
    page.locator("#answer-text textarea").fill("about 62%")
    choose_answer_task(page, "BookSumSort")
    expect(page.locator("#answer-text textarea")).to_have_value("about 62%")
    expect(page.locator("#answer-reference-1 textarea")).to_have_value("60%")


def test_an_answer_is_scored_against_the_best_of_several_references(page):
    page.locator("#answer-text textarea").fill("yes")
    expect(page.locator("#answer-card")).to_contain_text(words.ANSWER_NO_REFERENCE)
    page.locator("#answer-reference-1 textarea").fill("no")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "0.0000")
    page.get_by_role("button", name="Add a reference").click()
    page.locator("#answer-reference-2 textarea").fill("yes indeed")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "66.6667")


def test_another_task_scores_the_same_texts_by_its_own_metric(page):
    page.locator("#answer-text textarea").fill("about 55%")
    page.locator("#answer-reference-1 textarea").fill("60%")
    choose_answer_task(page, "SpaceDigest")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "70.7107")


def test_a_reference_that_cannot_be_read_is_named_and_nothing_typed_is_lost(page):
    page.locator("#answer-text textarea").fill("B")
    page.locator("#answer-reference-1 textarea").fill("no letter")
    choose_answer_task(page, "QuALITY")
    expect(page.locator("#answer-card [role=alert]")).to_contain_text("Reference 1 cannot be read")
    expect(page.locator("#answer-text textarea")).to_have_value("B")
    page.locator("#answer-reference-1 textarea").fill("(B) the letter")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "100.0000")


def test_typed_texts_survive_a_reload(page):
    page.locator("#answer-text textarea").fill("yes")
    page.locator("#answer-reference-1 textarea").fill("no")
    page.get_by_role("button", name=words.ANSWER_ADD).click()
    page.locator("#answer-reference-2 textarea").fill("yes indeed")
    page.get_by_role("button", name=words.ANSWER_ADD).click()
    page.locator("#answer-reference-3 textarea").fill("removed")
    page.get_by_role("button", name="Remove reference 3").click()
    choose_answer_task(page, "NarrativeQA")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "66.6667")
    page.reload()
    expect(page.locator("#answer-reference-2 textarea")).to_have_value("yes indeed")
    expect(page.locator("#answer-reference-3 textarea")).to_be_hidden()
    expect(page.locator("#answer-task select")).to_have_value("narrative_qa")
    expect(page.locator("#answer-text textarea")).to_have_value("yes")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "66.6667")


def test_a_box_is_as_high_as_its_text_also_after_the_window_is_widened(page):
    box = page.locator("#answer-text textarea")
    page.set_viewport_size({"width": 390, "height": 900})
    box.fill("several words " * 25)
    narrow = box.bounding_box()["height"]
    page.set_viewport_size({"width": 1280, "height": 900})
    assert box.bounding_box()["height"] < narrow - 20


def test_right_to_left_text_is_shown_right_to_left(page):
    page.locator("#answer-text textarea").fill("صباح الخير")
    page.locator("#answer-reference-1 textarea").fill("صباح النور")
    expect(page.locator("#answer-card .zs-score")).to_be_visible()
    assert page.locator("#answer-text textarea").evaluate("box => getComputedStyle(box).direction") == "rtl"
