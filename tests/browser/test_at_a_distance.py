"""On a slow network, typed text stays, and no score is shown beside a text that it does not belong to."""

import re

import pytest
from page_actions import (
    KEYS,
    choose_task,
    example_choices,
    try_first_example,
)
from playwright.sync_api import expect
from slow_network import at_distance, held

from zs_app import words
from zs_bench.dataset.embedded import load_embedded
from zs_metric import score_example

pytestmark = pytest.mark.browser


@pytest.fixture
def page(shared_page):
    at_distance(shared_page, 0)
    try_first_example(shared_page)
    at_distance(shared_page, 600)
    return shared_page


def answer_box(page):
    return page.locator("#try-answer textarea")


def write(page, text):
    answer_box(page).press("End")
    answer_box(page).press_sequentially(text, delay=KEYS)


def is_scored(page, task, text, index=0):
    """Wait until the score of the text is shown and not marked as late."""
    references = load_embedded(task)[index].references
    score = score_example(task, text, references).score
    expect(page.locator("#try-card .zs-score")).to_have_attribute("data-score", f"{score:.4f}")
    expect(page.locator("#try-card")).not_to_have_class(re.compile("zs-late"))
    expect(answer_box(page)).to_have_value(text)


def test_what_is_typed_right_after_a_choice_is_scored_for_what_was_chosen(page):
    answer_box(page).fill("C")
    choices = [
        (lambda: choose_task(page, "MuSiQue"), "musique", 0, "Brennick-on-Ansel"),
        (lambda: choose_task(page, "Qasper"), "qasper", 0, "concurrent instructions, mostly"),
        (lambda: choose_task(page, "QuALITY"), "quality", 0, "C"),  # typed there before
        (lambda: example_choices(page).nth(1).click(), "quality", 1, "I would say (B), all things considered"),
    ]
    for choose, task, index, text in choices:
        with held(page):
            choose()
            expect(answer_box(page)).to_have_value("C" if text == "C" else "")
            if text != "C":
                write(page, text)
        is_scored(page, task, text, index)


def test_the_sample_answer_is_that_of_the_task_that_was_clicked_just_before_unless_one_types(page):
    choose_task(page, "NarrativeQA")
    page.get_by_role("button", name=words.TRY_SAMPLE).click()
    expect(answer_box(page)).not_to_have_value("")
    is_scored(page, "narrative_qa", answer_box(page).input_value())
    choose_task(page, "MuSiQue")
    page.get_by_role("button", name=words.TRY_SAMPLE).click()
    write(page, " mine")
    text = answer_box(page).input_value()
    assert text.endswith(" mine")
    is_scored(page, "musique", text)  # by then the sample answer has arrived


def test_a_score_is_marked_as_late_until_it_belongs_to_the_text(page):
    answer_box(page).fill("A")
    is_scored(page, "quality", "A")
    with held(page):
        write(page, " or (C)")
        expect(page.locator("#try-card")).to_have_class(re.compile("zs-late"))
        expect(page.locator("#try-card")).to_have_attribute("aria-busy", "true")
    is_scored(page, "quality", "A or (C)")
    with held(page):
        example_choices(page).nth(1).click()
        expect(page.locator("#try-card .zs-score")).to_have_count(0)
        expect(page.locator("#try-asked h3")).to_contain_text("most serious danger to Anstrey")  # the page carries it
        expect(page.locator("#try-asked")).not_to_have_class(re.compile("zs-late"))
        expect(answer_box(page)).to_have_value("")


def test_a_lost_connection_is_said_at_the_place_and_what_was_typed_is_scored_when_it_is_back(page):
    page.route("**/zs/call/**", lambda route: route.fulfill(body="the page of a proxy"))
    write(page, "It is (C)")
    expect(page.locator("#try-side .zs-lost")).to_be_visible()
    page.unroute("**/zs/call/**")
    is_scored(page, "quality", "It is (C)")
    expect(page.locator("#try-side .zs-lost")).to_be_hidden()
