"""The tab "Score an answer" in a real browser."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def page(page):
    page.get_by_role("tab", name="Score an answer").click()
    return page


def choose(page, task):
    page.locator("#answer-task input").click()
    page.get_by_role("option", name=re.compile(f"^{task} ")).click()


def test_an_answer_is_scored_against_the_best_of_several_references(page):
    page.locator("#answer-text textarea").fill("yes")
    expect(page.locator("#answer-card")).to_contain_text("Give a reference")
    page.locator("#answer-reference-1 textarea").fill("no")
    expect(page.locator("#answer-card .zs-score")).to_have_text("0.0000")
    page.get_by_role("button", name="Add a reference").click()
    page.locator("#answer-reference-2 textarea").fill("yes indeed")
    expect(page.locator("#answer-card .zs-score")).to_have_text("66.6667")


def test_another_task_scores_the_same_texts_by_its_own_metric(page):
    page.locator("#answer-text textarea").fill("about 55%")
    page.locator("#answer-reference-1 textarea").fill("60%")
    choose(page, "SpaceDigest")
    expect(page.locator("#answer-card .zs-score")).to_have_text("70.7107")


def test_a_reference_that_cannot_be_read_is_named_and_nothing_typed_is_lost(page):
    page.locator("#answer-text textarea").fill("B")
    page.locator("#answer-reference-1 textarea").fill("no letter")
    choose(page, "QuALITY")
    expect(page.locator("#answer-card [role=alert]")).to_contain_text("references[0] cannot be read")
    expect(page.locator("#answer-text textarea")).to_have_value("B")
    page.locator("#answer-reference-1 textarea").fill("(B) the letter")
    expect(page.locator("#answer-card .zs-score")).to_have_text("100.0000")
