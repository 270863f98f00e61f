"""The page is accessible: with a screen reader, by keyboard alone, on a phone, without motion."""

import pytest
from axe import check_both_themes
from file_tab import load_sample
from page_actions import choose_task, chosen, open_tab, unfold
from playwright.sync_api import expect

from zs_app import words

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TABS = (words.TRY_TAB, words.ANSWER_TAB, words.FILE_TAB, words.RESULTS_TAB, words.API_TAB)


def try_a_task(page):
    choose_task(page, "BookSumSort")
    page.get_by_role("button", name=words.TRY_SAMPLE).click()
    expect(page.locator("#try-card .zs-score")).to_be_visible()
    for part in ("prompt", "reveal", "why"):
        unfold(page, part)


def score_an_answer(page):
    open_tab(page, "answer")
    page.locator("#answer-text textarea").fill("She hid them in the clock, “behind” it.")
    page.locator("#answer-reference-1 textarea").fill("Behind the clock")
    expect(page.locator("#answer-card .zs-score")).to_be_visible()


def results(page):
    load_sample(page)
    expect(page.locator("#file-opened")).to_contain_text("1 of 20")
    open_tab(page, "results")
    expect(page.locator("#results-table tr[data-own]")).to_be_visible()


@pytest.mark.parametrize("fill", [try_a_task, score_an_answer, results], ids=lambda fill: fill.__name__)
def test_axe_finds_only_faults_of_gradio_in_light_and_dark(page, fill):
    fill(page)
    check_both_themes(page)
    if fill is results:  # two tabs at once: the second needs the first
        for role, name in (("tab", words.FILE_TAB), ("button", words.FILE_ALL_ANSWERS)):
            page.get_by_role(role, name=name).click()
            check_both_themes(page)


def tab_to(page, selector, most=150):
    """Press Tab until the focus is on what the selector matches, or inside it."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => Boolean(document.activeElement.closest(s))", selector):
            assert page.evaluate("() => document.activeElement.matches(':focus-visible')")
            return
    raise AssertionError(f"{selector} cannot be reached by keyboard")


def wait_for_scripts(page):
    """Wait until each tab has its script."""
    page.locator("#tabs #try-side").wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    expect(page.locator("[inert]")).to_have_count(0)


def reach_tab(page, title):
    wait_for_scripts(page)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    tab_to(page, "[role=tablist]")
    for _ in TABS:
        if page.evaluate("document.activeElement.innerText") == title:
            expect(page.get_by_role("tab", name=title)).to_have_attribute("aria-selected", "true")
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"the tab {title!r} cannot be reached by keyboard")


def test_a_task_is_tried_by_keyboard_alone(page):
    tab_to(page, "#try-task")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(chosen(page, "task")).to_contain_text("BookSumSort")
    tab_to(page, ".zs-order [data-step='1']")
    page.keyboard.press("Enter")
    expect(page.locator("#try-answer textarea")).to_have_value("2, 1, 3, 4, 5, 6, 7, 8, 9")
    expect(page.locator("#try-card .zs-score")).to_be_visible()
    tab_to(page, "#try-answer")
    page.keyboard.press("Control+a")
    page.keyboard.type("3, 7, 5, 9, 1, 8, 4, 2, 6")
    expect(page.locator("#try-card .zs-score")).to_have_attribute("data-score", "100.0000")
    tab_to(page, "#try-fill")
    page.keyboard.press("Enter")
    tab_to(page, "#try-reveal")
    page.keyboard.press("Enter")
    expect(page.locator("#try-references li").first).to_be_visible()


def test_an_answer_a_file_and_the_results_are_reached_by_keyboard_alone(page):
    reach_tab(page, words.ANSWER_TAB)
    tab_to(page, "#answer-task")
    page.keyboard.type("Space")
    expect(page.locator("#answer-task select")).to_have_value("space_digest")
    tab_to(page, "#answer-text")
    page.keyboard.type("about 55%")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "70.7107")
    tab_to(page, "#answer-add")
    page.keyboard.press("Enter")
    expect(page.locator("#answer-reference-2 textarea")).to_be_focused()
    reach_tab(page, words.FILE_TAB)
    tab_to(page, "#file-sample")
    page.keyboard.press("Enter")
    expect(page.locator("#file-opened")).to_contain_text("1 of 20")
    tab_to(page, "#per-task th button")
    page.keyboard.press("Enter")
    tab_to(page, "#file-next")
    page.keyboard.press("Enter")
    expect(page.locator("#file-opened")).to_contain_text("2 of 2")
    reach_tab(page, words.RESULTS_TAB)
    expect(page.locator("#results-table tr[data-row]").first).to_be_visible()
    tab_to(page, "th[data-column=qasper]")
    page.keyboard.press("Enter")
    expect(page.locator("th[data-column=qasper]")).to_have_attribute("aria-sort", "descending")
    tab_to(page, "#results-table tr[data-row]")


def test_the_links_come_after_the_tabs_and_on_a_phone_in_one_menu(open_page):
    page = open_page(width=390)
    after = "() => Boolean(tabs.compareDocumentPosition(links) & Node.DOCUMENT_POSITION_FOLLOWING)"
    assert page.evaluate(after)
    expect(page.get_by_role("link", name="Paper")).to_be_hidden()
    page.get_by_role("button", name=words.LINKS_TITLE).click()
    expect(page.get_by_role("link", name="Paper").first).to_be_visible()


def test_on_a_phone_no_tab_is_wider_than_the_screen(open_page):
    page = open_page(width=390, height=844, dark=True)
    for fill in (try_a_task, score_an_answer, results):
        fill(page)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, fill.__name__
        if fill is try_a_task:
            box = chosen(page, "task").bounding_box()  # the last one of the strip
            assert 0 <= box["x"] <= 390 - box["width"]
    expect(page.locator("#results-table thead th:visible")).to_have_text(["System", "Average", "GovReport"])
    page.get_by_label("Column beside the average").select_option("qasper")
    expect(page.locator("#results-table thead th:visible")).to_have_text(["System", "Average", "Qasper"])
    page.locator("#results-table tr[data-row]").first.get_by_role("button").click()
    expect(page.locator(".zs-about:visible")).to_contain_text("BookSumSort")
    assert all(page.get_by_role("tab", name=title).is_visible() for title in TABS)


def test_a_group_of_choices_is_one_tab_stop_and_the_content_is_one_key_away(page):
    """From the top: skip link, benchmark, links, tabs, tasks, question."""
    wait_for_scripts(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name=words.SKIP)).to_be_focused()
    stops = 1
    while not page.evaluate("Boolean(document.activeElement.closest('#try-side'))"):
        page.keyboard.press("Tab")
        stops += 1
    assert stops <= 10
    page.goto(page.url)
    wait_for_scripts(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    where = page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
    assert page.evaluate("Boolean(document.activeElement.closest('[role=tabpanel]'))"), where
