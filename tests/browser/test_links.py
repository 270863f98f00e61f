"""Links to a state of the app, and the keys that walk through a file."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def selected(page):
    return page.get_by_role("tab", selected=True)


def test_a_link_opens_a_tab(open_page):
    page = open_page(query="&tab=results")
    expect(selected(page)).to_have_text("Results")
    expect(page.locator("#results-chart")).to_contain_text("GPT-4")


def test_a_link_opens_an_example(open_page):
    page = open_page(query="&tab=try&task=musique&example=1")
    expect(page.locator("#try-task input:checked")).to_have_value("musique")
    expect(page.locator("#try-facts")).to_contain_text("Multi-hop")
    expect(page.locator("#try-example label.selected")).to_have_count(1)
    expect(page.locator("#try-example label").nth(1)).to_have_class(re.compile("selected"))
    page.get_by_role("button", name="Use the sample answer").click()
    expect(page.locator("#try-card .zs-score")).to_be_visible()


def test_a_link_opens_a_task_to_score_an_answer_of(open_page):
    page = open_page(query="&tab=answer&task=space_digest")
    expect(selected(page)).to_have_text("Score an answer")
    page.locator("#answer-text textarea").fill("about 55%")
    page.locator("#answer-reference-1 textarea").fill("60%")
    expect(page.locator("#answer-card .zs-score")).to_have_text("70.7107")


def test_a_wrong_link_opens_the_page_as_it_is(open_page):
    page = open_page(query="&tab=nowhere&task=%3Cscript%3E&example=-1")
    expect(selected(page)).to_have_text("Try a task")
    expect(page.locator("#try-task input:checked")).to_have_value("quality")


def test_j_and_k_walk_through_the_answers_unless_somebody_types(page):
    page.get_by_role("tab", name="Score a file").click()
    page.keyboard.press("j")  # nothing to walk through yet
    page.get_by_role("button", name="Load the sample").click()
    opened = page.locator("#file-opened")
    expect(opened).to_contain_text("1 of 20")
    page.keyboard.press("j")
    expect(opened).to_contain_text("2 of 20")
    page.keyboard.press("j")
    expect(opened).to_contain_text("3 of 20")
    page.keyboard.press("k")
    expect(opened).to_contain_text("2 of 20")
    page.keyboard.press("Control+j")
    search = page.locator("#file-text textarea, #file-text input").first
    search.press_sequentially("jj")
    expect(page.locator("#file-found")).to_contain_text("0 of 20 answers")
    search.fill("")
    expect(opened).to_contain_text("1 of 20")
