"""The tab "Try a task" in a real browser."""

import re

import pytest
from page_actions import choose_task, try_first_example, unfold
from playwright.sync_api import expect

from zs_app import words
from zs_bench.dataset.embedded import load_embedded

pytestmark = pytest.mark.browser


@pytest.fixture
def page(shared_page):
    shared_page.set_viewport_size({"width": 1280, "height": 900})
    try_first_example(shared_page)
    return shared_page


def answer_box(page):
    return page.locator("#try-answer textarea")


def is_scored(page, points):
    expect(page.locator("#try-card .zs-score")).to_have_attribute("data-score", f"{points:.4f}")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_stranger_sees_at_once_what_the_page_is_and_a_score_with_its_reason(open_page, width):
    page = open_page(width=width, height=800)
    for place in (".zs-intro", "#try-intro .zs-long .zs-score", "#try-intro .zs-form"):
        expect(page.locator(place)).to_be_in_viewport(ratio=0.9)
    for tab in ("answer", "file"):
        expect(page.locator(f".zs-ways a[data-tab={tab}]")).to_be_in_viewport()
    page.get_by_role("button", name=words.CASE_SHORTEN).click()
    expect(page.locator("#try-intro .zs-short .zs-score")).to_have_text("100.0")
    choose_task(page, "MuSiQue")
    expect(page.locator("#try-intro .zs-form")).to_be_hidden()
    answer_box(page).fill("kept")
    page.locator(".zs-ways a[data-tab=file]").click()
    expect(page.get_by_role("tab", name=words.FILE_TAB)).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name=words.TRY_TAB).click()
    expect(answer_box(page)).to_have_value("kept")


def test_an_answer_is_scored_as_it_is_typed_and_told_right_or_wrong(page):
    for part in ("instruction", "document", "query", "response"):
        expect(page.locator(f"#try-sheet .zs-part.{part}")).to_be_visible()
    answer_box(page).fill("I think it is (C)")
    is_scored(page, 100)
    expect(page.locator("#try-card .zs-verdict")).to_have_text("Right")
    answer_box(page).press("Backspace")
    answer_box(page).fill("A better choice is C")
    is_scored(page, 0)
    expect(page.locator("#try-card .zs-verdict")).to_contain_text("Wrong")
    hidden = [page.locator("#try-references li"), page.locator("#try-card-why .zs-why")]
    for place in hidden:
        expect(place.first).to_be_hidden()
    unfold(page, "reveal")
    unfold(page, "why")
    expect(page.locator("#try-card-why .zs-reason")).to_contain_text("the word “A”")
    answer_box(page).fill("B")  # the explanation stays open as one types
    for place in hidden:
        expect(place.first).to_be_visible()
    choose_task(page, "MuSiQue")
    for place in hidden:
        expect(place.first).not_to_be_visible()


def test_an_option_a_slider_and_cards_write_the_answer_and_follow_what_is_typed(page):
    option = page.get_by_role("button", name="(C) That Oxtoby")
    option.click()
    expect(answer_box(page)).to_have_value("C")
    is_scored(page, 100)
    expect(option).to_have_attribute("aria-pressed", "true")

    choose_task(page, "SpaceDigest")
    slider = page.get_by_role("slider", name=words.SLIDER)
    slider.fill("62")
    expect(answer_box(page)).to_have_value("62%")
    is_scored(page, 100)
    answer_box(page).fill("about 40% of them")
    expect(slider).to_have_value("40")

    choose_task(page, "BookSumSort")
    cards = page.locator(".zs-order li")
    expect(page.get_by_role("button", name=words.ORDER_DOWN.format(1))).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name=words.ORDER_DOWN.format(1)).press("Enter")
    page.get_by_role("button", name=words.ORDER_DOWN.format(1)).press("ArrowDown")
    expect(answer_box(page)).to_have_value("2, 3, 1, 4, 5, 6, 7, 8, 9")
    cards.nth(3).drag_to(cards.nth(0), target_position={"x": 60, "y": 3})
    expect(answer_box(page)).to_have_value("4, 2, 3, 1, 5, 6, 7, 8, 9")
    answer_box(page).fill(load_embedded("book_sum_sort")[0].references[0])
    is_scored(page, 100)
    expect(cards.first).to_have_attribute("data-id", "3")


def test_places_of_the_answer_and_the_reference_are_shown_in_the_document(page):
    choose_task(page, "Qasper")
    expect(page.locator("#try-facts")).to_contain_text("science")
    document = load_embedded("qasper")[0].document.split()
    answer_box(page).fill(" ".join(document[900:920]))
    marked = "[...CSS.highlights.get('zs-place') ?? []].map(String).join()"
    page.locator("#try-card-where [role=img]").click(position={"x": 100, "y": 10})
    page.locator("#try-card-where").get_by_role("button", name=words.TRY_NEXT_PLACE).click()
    page.wait_for_function(f"text => text.includes({marked}) && {marked}", arg=" ".join(document[900:920]))
    scrolled = "document.querySelector('#try-sheet .zs-sheet').scrollTop"
    assert page.evaluate(scrolled) > 200
    unfold(page, "reveal")
    page.get_by_role("button", name=words.TRY_QUOTED).first.click()
    page.wait_for_function(f"{marked}.toLowerCase() === 'concurrent instructions'")
    choose_task(page, "MuSiQue")  # whose document is read from its top
    expect(page.locator("#try-facts")).to_contain_text("Multi-hop")
    page.wait_for_function(f"{scrolled} === 0")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_question_and_the_box_are_in_view_together_and_nothing_is_cut(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    for title in ("GovReport", "QMSum", "QuALITY"):
        choose_task(page, title)
        expect(page.locator("#try-asked")).not_to_have_class(re.compile("zs-late"))
        page.evaluate("scrollTo(0, 0)")
        if width < 720:
            page.locator("#try-asked").evaluate("asked => asked.scrollIntoView()")
        for place in ("#try-asked h3", "#try-answer textarea"):
            expect(page.locator(place)).to_be_in_viewport(ratio=0.9)
    answer_box(page).fill("B")
    unfold(page, "why")
    unfold(page, "reveal")
    assert page.locator("#try-side").evaluate("side => side.scrollHeight <= side.clientHeight + 1")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width > 720:
        return
    page.get_by_role("link", name=words.TRY_TO_DOCUMENT).click()
    expect(page.locator("#try-sheet h4").first).to_be_in_viewport()
    page.get_by_role("link", name=words.TRY_TO_ANSWER).click()
    expect(answer_box(page)).to_be_in_viewport()
    menu = page.locator("#benchmark").bounding_box()
    assert page.get_by_role("button", name=words.COPY_LINK).bounding_box()["x"] > menu["x"] + menu["width"]
    cut = "tabs => tabs.filter(tab => tab.scrollWidth > tab.clientWidth).map(tab => tab.innerText)"
    assert page.get_by_role("tab").evaluate_all(cut) == []


def test_the_prompt_is_shown_in_another_form_trimmed_and_copied(page):
    """This test comes last on the shared page, since it changes the prompt's format and budget."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    unfold(page, "prompt")
    page.locator("#try-variant").get_by_text("chat models").click()
    expect(page.locator("#try-sheet .zs-part.instruction")).to_contain_text("Do not provide any explanation.")
    expect(page.locator("#try-sheet .zs-part.response")).to_have_count(0)
    page.locator("#try-budget").fill("640")
    expect(page.locator("#try-sheet .zs-part.separator")).to_contain_text("[The rest of the story is omitted]")
    expect(page.locator("#try-length")).to_contain_text("of its characters")
    page.locator("#try-copy").click()
    expect(page.locator("#try-copy")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("You are provided a story")
    assert "... [The rest of the story is omitted]\n\nQuestion and Possible Answers:" in copied
    choose_task(page, "BookSumSort")
    expect(page.locator("#try-sheet")).to_contain_text("Summary 1")
    page.get_by_role("slider", name=words.PROMPT_BUDGET_SLIDER).fill("256")
    expect(page.locator("#try-length")).to_contain_text("Cut to")
