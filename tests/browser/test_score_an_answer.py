"""The tab "Score an answer" in a real browser."""

import pytest
from page_actions import choose_answer_task
from playwright.sync_api import expect

from zs_app import words

pytestmark = pytest.mark.browser


def test_a_sample_stands_until_one_types_and_what_is_typed_is_kept_through_other_tasks_and_a_reload(open_page):
    page = open_page(query="&tab=answer&task=space_digest")
    text, reference = (page.locator(f"#answer-{box} textarea") for box in ("text", "reference-1"))
    score, card = page.locator("#answer-card .zs-score"), page.locator("#answer-card")
    expect(reference).to_have_value("60%")
    expect(score).to_have_attribute("data-score", "70.7107")
    expect(page.locator("#answer-sample")).to_be_visible()
    choose_answer_task(page, "NarrativeQA")
    expect(reference).to_have_value("Behind the pendulum of the old clock")
    page.get_by_role("button", name=words.ANSWER_CLEAR).click()
    expect(text).to_be_focused()
    expect(page.locator("#answer-sample")).to_be_hidden()
    text.fill("yes")
    expect(reference).to_have_value("")
    expect(card).to_contain_text(words.ANSWER_NO_REFERENCE)
    reference.fill("no")
    expect(score).to_have_attribute("data-score", "0.0000")
    page.get_by_role("button", name=words.ANSWER_ADD).click()
    page.locator("#answer-reference-2 textarea").fill("yes indeed")
    expect(score).to_have_attribute("data-score", "66.6667")
    page.get_by_role("button", name=words.ANSWER_ADD).click()
    page.locator("#answer-reference-3 textarea").fill("removed")
    page.get_by_role("button", name="Remove reference 3").click()
    page.reload()
    expect(page.locator("#answer-reference-2 textarea")).to_have_value("yes indeed")
    expect(page.locator("#answer-reference-3 textarea")).to_be_hidden()
    expect(page.locator("#answer-task select")).to_have_value("narrative_qa")
    expect(text).to_have_value("yes")
    expect(score).to_have_attribute("data-score", "66.6667")
    choose_answer_task(page, "QuALITY")
    expect(page.locator("#answer-card [role=alert]")).to_contain_text("Reference 1 cannot be read")
    expect(text).to_have_value("yes")
    text.fill("B")
    reference.fill("(B) the letter")
    page.get_by_role("button", name="Remove reference 2").click()
    expect(score).to_have_attribute("data-score", "100.0000")


def test_boxes_are_as_high_as_their_text_and_follow_its_direction(open_page):
    page = open_page(width=390, query="&tab=answer")
    box = page.locator("#answer-text textarea")
    box.fill("several words " * 25)
    narrow = box.bounding_box()["height"]
    page.set_viewport_size({"width": 1280, "height": 900})
    assert box.bounding_box()["height"] < narrow - 20
    box.fill("صباح الخير")
    expect(box).to_have_css("direction", "rtl")
