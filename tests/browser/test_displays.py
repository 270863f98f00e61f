"""Narrow windows, a system's own colours, paper, dark scroll bars, and what a screen reader announces."""

import io
import re

import pytest
from file_tab import compare, load_sample
from page_actions import open_tab
from PIL import Image
from playwright.sync_api import expect

from zs_app import words
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS

pytestmark = pytest.mark.browser

TABS = (words.TRY_TAB, words.ANSWER_TAB, words.FILE_TAB, words.RESULTS_TAB, words.API_TAB)
# What reaches beyond the right edge of the window and cannot be scrolled.
CUT = """() => [...document.querySelectorAll("main *")].filter((part) => {
  if (part.getBoundingClientRect().right <= innerWidth + 1) return false;
  const boxes = [];
  for (let box = part; box; box = box.parentElement) boxes.push(box);
  return !boxes.some((box) => /auto|scroll/.test(getComputedStyle(box).overflowX));
}).map((part) => part.outerHTML.slice(0, 100))"""
# What has nothing but a background, by where it is; it must differ from what is around it.
DRAWN = {
    words.TRY_TAB: ["#try-card-why .bar b"],
    words.FILE_TAB: [".zs-picture b", "#file-opened .bar b", "#file-opened .zs-ledger li i"],
    words.RESULTS_TAB: ["#results-table .zs-average i"],
}
CHOSEN = {
    words.TRY_TAB: ["[role=tab]", "#try-task label", "#try-source label", "[data-option]"],
    words.FILE_TAB: ["[role=tab]", "#file-answers tbody tr"],
    words.RESULTS_TAB: ["[role=tab]", "#results-table tr[data-row]"],
}


def fill(page):
    """Have something to see in each tab."""
    page.get_by_role("tab", name=words.TRY_TAB).click()
    page.locator("[data-option=C]").click()
    page.locator("#try-why:not([open]) > summary").click()
    load_sample(page)
    page.get_by_role("button", name=words.FILE_ALL_ANSWERS).click()
    expect(page.locator("#file-opened")).to_contain_text("1 of 20")
    open_tab(page, "results")
    page.locator("#results-table tr[data-own] input").check()  # the row that comes last
    expect(page.locator("#results-table tr.chosen")).to_have_count(1)


@pytest.mark.parametrize("width", [320, pytest.param(360, marks=pytest.mark.slow)])
def test_nothing_is_cut_where_the_window_is_narrow(open_page, width):
    page = open_page(width=width, height=640)
    for tab in TABS:
        page.get_by_role("tab", name=tab).click()
        expect(page.locator("[inert]")).to_have_count(0)
        assert page.evaluate(CUT) == [], tab
    fill(page)
    for tab in TABS:
        page.get_by_role("tab", name=tab).click()
        assert page.evaluate(CUT) == [], tab


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
def test_bars_dots_and_what_is_chosen_are_seen_where_the_system_replaces_all_colours(open_page, dark):
    page = open_page(dark=dark)
    page.emulate_media(forced_colors="active", color_scheme="dark" if dark else "light")
    fill(page)
    for tab, drawn in DRAWN.items():
        page.get_by_role("tab", name=tab).click()
        for selector in drawn:
            part = page.locator(selector).first
            part.scroll_into_view_if_needed()
            box = part.bounding_box()
            around = {"x": box["x"] - 4, "y": box["y"] - 4, "width": box["width"] + 8, "height": box["height"] + 8}
            image = Image.open(io.BytesIO(page.screenshot(clip=around))).convert("RGB")
            assert image.getpixel((image.width // 2, image.height // 2)) != image.getpixel((1, 1)), selector
        for selector in CHOSEN[tab]:
            outlines = "parts => parts.map(part => getComputedStyle(part).outlineStyle)"
            styles = page.locator(selector).evaluate_all(outlines)
            assert styles.count("solid") == 1, (selector, styles)


@pytest.mark.slow
def test_on_paper_bars_and_dots_are_drawn_the_results_have_all_columns_and_nothing_is_to_click(open_page):
    page = open_page(width=718, height=1000)  # A4 with the browser's margins
    fill(page)
    page.emulate_media(media="print")
    for tab, drawn in DRAWN.items():
        page.locator(f"[role=tab]:text-is('{tab}')").dispatch_event("click")
        for selector in drawn:
            expect(page.locator(selector).first).to_have_css("print-color-adjust", "exact")
        if tab == words.RESULTS_TAB:
            table = page.locator("#results-table table")
            expect(table.locator("thead th")).to_have_count(14)
            assert table.evaluate("table => table.getBoundingClientRect().right") <= 718
        for selector in (".zs-skip", ".zs-button", ".zs-link", "[role=tab]", "input[type=search]", "[type=file]"):
            expect(page.locator(f"{selector} >> visible=true")).to_have_count(0)
    page.emulate_media(media="screen")
    open_tab(page, "file")
    page.get_by_role("button", name="← Tasks").click()
    compare(page, SAMPLE_PREDICTIONS)
    page.emulate_media(media="print")
    assert page.evaluate(CUT) == []


@pytest.mark.slow
def test_a_screen_reader_is_told_each_score_by_a_region_that_was_there_before(open_page):
    page = open_page()
    region = page.locator("#zs-spoken[role=status]").element_handle()
    said = page.locator("#zs-spoken")
    page.locator("[data-option=B]").click()
    expect(said).to_have_text(re.compile(r"^0\.0\s+Wrong Accuracy · read as B"))
    open_tab(page, "answer")
    page.locator("#answer-text textarea").fill("the old clock")
    expect(said).to_have_text(re.compile("2 of the 5 words"))
    assert region.text_content() == said.text_content()


@pytest.mark.slow
@pytest.mark.parametrize(("dark", "scheme"), [(False, "normal"), (True, "dark")])
def test_scroll_bars_are_as_dark_as_the_page(open_page, dark, scheme):
    expect(open_page(dark=dark).locator("html")).to_have_css("color-scheme", scheme)
