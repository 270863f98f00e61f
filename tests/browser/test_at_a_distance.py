"""On a slow network, typed text stays, and no score is shown beside a text that it does not belong to."""

import re

import pytest
from page_actions import choose_benchmark, try_first_example
from playwright.sync_api import expect
from slow_network import at_distance, held

from zs_app import words
from zs_bench.dataset.embedded import load_embedded
from zs_metric import score_example

pytestmark = pytest.mark.browser

# Milliseconds; the other tests of the page have none.
LATENCIES = [pytest.param(250, marks=pytest.mark.slow), 600]
KEYS = 30  # milliseconds between two keys


@pytest.fixture(params=LATENCIES)
def page(shared_page, request):
    at_distance(shared_page, 0)
    try_first_example(shared_page)
    at_distance(shared_page, request.param)
    return shared_page


def answer_box(page):
    return page.locator("#try-answer textarea")


def is_scored(page, task, text, index=0, benchmark="zero_scrolls"):
    """Wait until the score of the text is shown and not marked as late."""
    references = load_embedded(task, benchmark=benchmark)[index].references
    score = score_example(task, text, references, benchmark=benchmark).score
    expect(page.locator("#try-card .zs-score")).to_have_attribute("data-score", f"{score:.4f}")
    expect(page.locator("#try-card")).not_to_have_class(re.compile("zs-late"))
    expect(answer_box(page)).to_have_value(text)


def test_an_answer_typed_right_after_a_click_on_a_task_is_scored_for_that_task(page):
    answer_box(page).fill("C")
    for title, task, text in (
        ("MuSiQue", "musique", "Brennick-on-Ansel"),
        ("Qasper", "qasper", "concurrent instructions, mostly"),
    ):
        with held(page):
            page.locator("#try-task").get_by_text(title).click()
            expect(answer_box(page)).to_have_value("")
            answer_box(page).press_sequentially(text, delay=KEYS)
            expect(answer_box(page)).to_have_value(text)
        is_scored(page, task, text)


def test_an_answer_typed_right_after_a_click_on_an_example_is_scored_for_that_example(page):
    answer_box(page).press_sequentially("A", delay=KEYS)
    page.locator("#try-example").get_by_text("The Row Behind").click()
    text = "I would say (B), all things considered"
    answer_box(page).press_sequentially(text, delay=KEYS)
    is_scored(page, "quality", text, index=1)


def test_an_answer_typed_while_the_benchmark_changes_is_kept_and_scored_by_the_other_metric(page):
    answer_box(page).press_sequentially("That Oxtoby", delay=KEYS)
    choose_benchmark(page, "SCROLLS")
    answer_box(page).press("End")
    answer_box(page).press_sequentially(" would be driven", delay=KEYS)
    expect(page.locator("#try-card")).to_contain_text("Exact match")
    is_scored(page, "quality", "That Oxtoby would be driven", benchmark="scrolls")


def test_a_letter_typed_in_the_very_moment_of_the_choice_belongs_to_the_chosen_example(page):
    """Gradio reports the choice in the next frame, which is late on a busy machine."""
    answer_box(page).fill("(A)")
    page.evaluate("""() => {
        const box = document.querySelector("#try-answer textarea");
        document.querySelectorAll("#try-example input")[1].click();
        box.value += "I";
        box.dispatchEvent(new Event("input", { bubbles: true }));
    }""")
    expect(answer_box(page)).to_have_value("I")
    answer_box(page).press("End")
    answer_box(page).press_sequentially(" say (B)", delay=KEYS)
    is_scored(page, "quality", "I say (B)", index=1)
    page.locator("#try-example label").nth(0).click()
    is_scored(page, "quality", "(A)")


def test_clicks_on_many_tasks_in_a_row_end_with_the_last_one(page):
    for title in ("GovReport", "QMSum", "SpaceDigest", "NarrativeQA", "MuSiQue", "NarrativeQA"):
        page.locator("#try-task").get_by_text(title, exact=True).click()
    page.locator("#try-example label").nth(1).click()
    answer_box(page).press_sequentially("the harbour", delay=KEYS)
    is_scored(page, "narrative_qa", "the harbour", index=1)
    example = load_embedded("narrative_qa")[1]
    expect(page.locator("#try-asked h3")).to_have_text(example.query)
    expect(page.locator("#try-sheet")).to_contain_text(example.document.split("\n")[0])
    expect(page.locator("#try-sheet")).not_to_have_class(re.compile("zs-late"))


def test_moving_the_budget_while_typing_leaves_the_answer_alone(page):
    prompt = page.get_by_role("button", name=words.PROMPT_TITLE)
    prompt.click()
    budget = page.locator("#try-budget input[type=number]")
    budget.click()  # waits for the next frame: Gradio sets a field's first value again when it has just appeared
    budget.fill("800")
    budget.press("Enter")
    answer_box(page).press_sequentially("(C) it is", delay=KEYS)
    is_scored(page, "quality", "(C) it is")
    expect(page.locator("#try-length")).to_contain_text("Cut to")
    prompt.click()


def test_the_sample_answer_is_that_of_the_task_that_was_clicked_just_before(page):
    page.locator("#try-task").get_by_text("NarrativeQA", exact=True).click()
    page.get_by_role("button", name=words.TRY_SAMPLE).click()
    expect(answer_box(page)).not_to_have_value("")
    is_scored(page, "narrative_qa", answer_box(page).input_value())


def test_a_text_typed_while_the_sample_answer_loads_stays(page):
    page.locator("#try-task").get_by_text("NarrativeQA", exact=True).click()
    page.get_by_role("button", name=words.TRY_SAMPLE).click()
    answer_box(page).press("End")
    answer_box(page).press_sequentially(" mine", delay=KEYS)
    text = answer_box(page).input_value()
    assert text.endswith(" mine")
    is_scored(page, "narrative_qa", text)  # by then the sample answer has arrived


def test_references_typed_while_boxes_are_added_and_removed_stay_in_their_boxes(page):
    page.get_by_role("tab", name=words.ANSWER_TAB).click()
    page.locator("#answer-text textarea").click()
    page.locator("#answer-text textarea").fill("yes")
    page.locator("#answer-reference-1 textarea").press("Control+a")
    page.locator("#answer-reference-1 textarea").press_sequentially("no", delay=KEYS)
    page.get_by_role("button", name=words.ANSWER_ADD).click()
    page.locator("#answer-reference-2 textarea").press_sequentially("maybe", delay=KEYS)
    page.get_by_role("button", name=words.ANSWER_ADD).click()
    page.locator("#answer-reference-3 textarea").press_sequentially("yes indeed", delay=KEYS)
    page.get_by_role("button", name="Remove reference 2").click()
    expect(page.locator("#answer-reference-1 textarea")).to_have_value("no")
    expect(page.locator("#answer-reference-2 textarea")).to_have_value("yes indeed")
    expect(page.locator("#answer-reference-3 textarea")).to_be_hidden()
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "66.6667")
    expect(page.locator("#answer-card")).not_to_have_class(re.compile("zs-late"))
    page.get_by_role("button", name="Remove reference 2").click()  # the next test has this page, too
    expect(page.locator("#answer-reference-2 textarea")).to_be_hidden()


def test_a_score_is_marked_as_late_until_it_belongs_to_the_text(page):
    answer_box(page).fill("A")
    is_scored(page, "quality", "A")
    with held(page):
        answer_box(page).press_sequentially(" or (C)", delay=KEYS)
        expect(page.locator("#try-card")).to_have_class(re.compile("zs-late"))
        expect(page.locator("#try-card")).to_have_attribute("aria-busy", "true")
    is_scored(page, "quality", "A or (C)")
    with held(page):
        page.locator("#try-task").get_by_text("MuSiQue").click()
        expect(page.locator("#try-card .zs-score")).to_be_hidden()
        expect(page.locator("#try-sheet .zs-sheet")).to_be_hidden()
    expect(page.locator("#try-asked h3")).to_contain_text("premiere of The Salt Ledger")
    expect(page.locator("#try-asked")).not_to_have_class(re.compile("zs-late"))
