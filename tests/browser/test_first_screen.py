"""The first screen, and the first minutes of a curious visitor and of one with an answer, without a dead end."""

import re

import pytest
from page_actions import choose_answer_task, choose_task, example_choices, unfold
from playwright.sync_api import expect
from slow_network import held

from zs_app import words
from zs_bench.dataset.embedded import load_embedded
from zs_bench.tasks import info
from zs_metric import TASKS

pytestmark = pytest.mark.browser


def score(page):
    return page.locator("#try-card .zs-score")


def test_before_gradio_has_arrived_a_case_is_seen_an_answer_is_scored_and_a_tab_can_be_chosen(context, url):
    page = context.new_page()
    with held(page, "/assets/.*[.]js"):  # Gradio's scripts, which take the most round trips
        page.goto(f"{url}/?__theme=dark", wait_until="commit")
        expect(page.locator("#try-intro .zs-long .zs-score")).to_be_visible()
        expect(page.locator("body")).to_have_class(re.compile("dark"))
        early = page.locator("#zs-early select")
        early.select_option("scrolls")
        expect(page.locator("#try-task label")).to_have_count(7)
        early.select_option("zero_scrolls")
        page.locator("[data-option=C]").click()
        expect(score(page)).to_have_text("100.0")
        choose_task(page, "NarrativeQA")
        page.locator("#try-answer textarea").fill("roof tar")
        page.get_by_role("link", name=words.ANSWER_TAB).click()
        expect(page.get_by_text(words.LOADING)).to_be_visible()
    expect(page.get_by_role("tab", name=words.ANSWER_TAB)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tab", name=words.ANSWER_TAB)).to_be_focused()  # where the early link was
    page.get_by_role("tab", name=words.TRY_TAB).click()
    expect(page.locator("#try-answer textarea")).to_have_value("roof tar")  # and what was typed is there
    expect(page.locator("#zs-early")).to_have_count(0)
    page.close()


def test_the_page_carries_its_examples_so_that_a_task_is_chosen_without_the_server(page):
    page.wait_for_function("performance.getEntriesByType('resource').some(one => /examples.json/.test(one.name))")
    expect(page.locator("#zs-try")).to_be_visible()
    with held(page):
        for name, task in TASKS.items():
            choose_task(page, info(task).title)
            document = load_embedded(name)[0].document.split("\n")[0][:40]
            expect(page.locator("#try-sheet")).to_contain_text(document, timeout=2_000)


def test_a_curious_visitor_tries_tasks_by_hand_is_told_right_from_wrong_and_sees_where_it_stands(open_page):
    page = open_page(width=1280, height=800)
    page.evaluate("sessionStorage.clear()")
    page.get_by_role("button", name=words.CASE_SHORTEN).click()
    page.locator("[data-option=B]").click()
    expect(page.locator("#try-card .zs-verdict")).to_have_text(words.VERDICTS["accuracy"][1])
    page.locator("[data-option=C]").click()
    expect(page.locator("#try-card .zs-verdict")).to_have_text("Right")

    choose_task(page, "BookSumSort")  # solved by keyboard alone
    order = [int(number) for number in load_embedded("book_sum_sort")[0].references[0].split(",")]
    at = list(range(1, len(order) + 1))
    for place, number in enumerate(order):
        page.get_by_role("button", name=words.ORDER_UP.format(number)).focus()
        for _ in range(at.index(number) - place):
            page.keyboard.press("ArrowUp")
        at.insert(place, at.pop(at.index(number)))
    expect(score(page)).to_have_text("100.0")

    choose_task(page, "Qasper")
    page.get_by_role("button", name=words.TRY_SAMPLE).click()
    expect(score(page)).to_have_text("36.4")
    unfold(page, "reveal")  # which marks the evidence
    marked = "[...CSS.highlights.get('zs-place') ?? []].map(String).join().toLowerCase()"
    page.wait_for_function(f"{marked} === 'concurrent instructions'")
    for _ in range(2):  # the second time after a refresh
        expect(page.locator("#try-progress")).to_contain_text("2 of 10")  # the sample answer is not the visitor's
        expect(page.locator("#try-task label", has_text="BookSumSort")).to_have_attribute("data-best", "100.0")
        page.reload()


def test_summaries_are_ordered_by_a_finger(browser, url):
    with browser.new_context(has_touch=True, viewport={"width": 390, "height": 844}, locale="en-US") as context:
        page = context.new_page()
        page.goto(f"{url}/?tab=try&task=book_sum_sort", wait_until="commit")
        grips = page.locator(".zs-order b")
        expect(grips).to_have_count(9)
        page.locator("#zs-try .zs-order").scroll_into_view_if_needed()
        start, end = grips.nth(2).bounding_box(), grips.nth(0).bounding_box()
        touch = context.new_cdp_session(page)
        for kind, box, y in (
            ("touchStart", start, 8),
            ("touchMove", end, 12),
            ("touchMove", end, 3),
            ("touchEnd", None, 0),
        ):
            points = [{"x": box["x"] + 5, "y": box["y"] + y}] if box else []
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        expect(page.locator("#try-answer textarea")).to_have_value("3, 1, 2, 4, 5, 6, 7, 8, 9")


def test_a_file_dropped_on_try_a_task_opens_score_a_file(page):
    expect(page.get_by_role("tab", name=words.FILE_TAB)).to_be_visible()
    page.locator("#try-side").evaluate(
        """place => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(["id,prediction\\n"], "run-7.csv"));
            const drag = (type) => place.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true }));
            drag("dragover");
            drag("drop");
        }"""
    )
    expect(page.get_by_role("tab", name=words.FILE_TAB)).to_have_attribute("aria-selected", "true")
    expect(page.locator("#file-predictions")).to_contain_text("run-7.csv")


def test_a_pasted_answer_is_scored_against_pasted_references_and_explained(open_page):
    page = open_page(width=390, height=844)
    page.locator(".zs-ways a[data-tab=answer]").click()
    choose_answer_task(page, "NarrativeQA")
    page.locator("#answer-text textarea").fill("With roofing tar, I think")
    page.locator("#answer-reference-1 textarea").fill("Roofing tar")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "57.1429")
    expect(page.locator("#answer-card")).to_contain_text("words too many")
    page.get_by_role("button", name=words.ANSWER_ADD).click()
    page.locator("#answer-reference-2 textarea").fill("with roofing tar I think")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "100.0000")
    page.get_by_role("tab", name=words.TRY_TAB).click()
    expect(example_choices(page).first).to_be_visible()
