"""The tab "Results" in a real browser."""

import re

import pytest
from file_tab import load_sample
from page_actions import LAYOUT_SHIFT, open_tab, show_only_whole
from playwright.sync_api import expect
from slow_network import held

from zs_app import words
from zs_bench.benchmarks import BENCHMARKS
from zs_bench.reports.html.results_table import published_lines, table

pytestmark = pytest.mark.browser


@pytest.fixture
def results(shared_page):
    """The page with the tab open and its table as it is at first."""
    open_tab(shared_page, "results")
    reset(shared_page)
    return shared_page


def reset(page):
    filters = page.locator("#results-filters > details")
    filters.evaluate("details => { details.open = true; }")
    filters.get_by_role("button", name="Reset").click()
    expect(page.locator("#results-count")).to_have_text("24 of 75 rows")
    filters.evaluate("details => { details.open = false; }")


def lists(page, *names):
    """Wait until the rows begin with these systems."""
    buttons = page.locator("#results-table tr[data-row] th button")
    for place, name in enumerate(names):
        expect(buttons.nth(place)).to_have_text(name)


@pytest.mark.slow
def test_twelve_systems_with_bars_are_in_the_first_window_nothing_moves_and_a_heading_sorts(open_page):
    page = open_page(height=800, query="&tab=results")
    rows = page.locator("#results-table tr[data-row]")
    expect(rows).to_have_count(24)
    expect(rows.nth(11).locator(".zs-average i")).to_be_in_viewport(ratio=1)
    page.wait_for_load_state("networkidle")
    assert page.evaluate(LAYOUT_SHIFT) < 0.05
    assert not page.evaluate(SMALL_TARGETS)
    assert rows.first.bounding_box()["height"] <= 36.5
    expect(rows.filter(has_text="Flan-T5-xxl").first).to_contain_text("zero-shot · 8,192 tokens")
    lists(page, "GPT-4 (v0314)", "Claude (v1.3)")
    expect(rows.first.locator("td").first).to_have_class("num best zs-average")
    head = page.locator("th[data-column=musique]")
    for order, first in (("descending", "Human"), ("ascending", "Naive")):
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", order)
        lists(page, first)
        expect(head.get_by_role("button")).to_be_focused()
    expect(page).to_have_url(re.compile("sort=musique"))
    expect(page.locator("#results-newest")).to_contain_text("all 10 tasks of the test split is of 2023")
    page.get_by_text(words.RESULTS_LENGTHS).click()
    expect(page.locator("#results-lengths svg")).to_be_visible()


@pytest.mark.slow
def test_nothing_moves_however_late_the_fonts_come(open_page, context):
    with held(context, r"[.]woff2"):
        page = open_page(query="&tab=results")
        expect(page.locator("#results-table tr[data-row]")).to_have_count(24)
        page.evaluate(LAYOUT_SHIFT)  # it is drawn
    page.wait_for_load_state("networkidle")
    assert page.evaluate(LAYOUT_SHIFT) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("tab", ["try", "results"])
def test_nothing_moves_where_the_processor_is_slow(context, open_page, monkeypatch, tab):
    new_page = context.new_page

    def slow_page():
        page = new_page()
        show_only_whole(page)
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 12})
        return page

    monkeypatch.setattr(context, "new_page", slow_page)
    page = open_page(query=f"&tab={tab}")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(LAYOUT_SHIFT) < 0.01


SMALL_TARGETS = """() => [...document.querySelectorAll("#results-explorer :is(a, button, input, select)")].filter(
    (target) => target.checkVisibility() && target.getBoundingClientRect().height < 24
).map((target) => target.outerHTML)"""


@pytest.mark.slow
def test_filters_leave_the_rows_that_pass_and_the_address_holds_them(results, open_page):
    results.locator("[data-filter=split]").select_option("validation")
    results.get_by_text("Filters").click()
    results.get_by_label("Kind").select_option("reasoning")
    expect(results.locator("#results-count")).to_have_text("3 of 75 rows")
    expect(results).to_have_url(re.compile("split=validation&kind=reasoning"))
    other = open_page(query="&tab=results&split=validation&kind=reasoning&sort=quality")
    expect(other.locator("#results-count")).to_have_text("3 of 75 rows")
    lists(other, "Qwen3-8B, thinking", "Qwen3-4B, thinking", "Qwen3-1.7B, thinking")
    other.locator("#results-find").fill("4b")
    lists(other, "Qwen3-4B, thinking")
    open_tab(other, "file")
    expect(other).not_to_have_url(re.compile("split="))
    open_tab(other, "results")
    reset(other)
    other.locator("[data-filter=split]").select_option("all")
    expect(other.locator("#results-table .zs-group bdi")).to_have_text(
        ["Test split", "Validation split", "Split not stated"]
    )
    cell = other.locator("tr[data-row^=qwen3-8b-qttt] td").first
    expect(cell).to_have_text("34.6†")
    expect(cell).to_have_class("num apart zs-average")


def test_two_ticked_rows_are_compared_below_the_second_which_stays_in_its_place_and_exported_alone(results):
    first, second, last = (
        results.get_by_label(f"Compare {name}", exact=True) for name in ("Claude (v1.3)", "Claude", "T0pp")
    )
    first.check()
    expect(results.locator("#results-table tr.chosen")).to_have_count(1)
    before = second.bounding_box()["y"]
    second.check()
    pair = results.locator("#results-pair")
    expect(pair).to_contain_text("Claude minus Claude (v1.3), task by task")
    assert abs(second.bounding_box()["y"] - before) < 2
    second.uncheck()
    expect(pair).to_have_count(0)
    assert abs(second.bounding_box()["y"] - before) < 2
    last.check()
    expect(pair).to_contain_text("T0pp minus Claude (v1.3), task by task")
    expect(pair).to_contain_text("-24.8 14.3 · 39.1")
    expect(pair).to_be_in_viewport(ratio=1)
    results.get_by_text("Filters").click()
    results.get_by_label("Only ticked rows").check()
    expect(results.locator("#results-count")).to_have_text("2 of 75 rows")
    lists(results, "Claude (v1.3)", "T0pp")
    with results.expect_download() as download:
        results.get_by_role("link", name=words.RESULTS_SAVE).click()
    assert download.value.suggested_filename == "zero_scrolls-results.csv"
    text = download.value.path().read_text(encoding="utf-8")
    assert "T0pp,zero-shot,Test split,8192,2023,14.3,7.1" in text
    assert "GPT-4" not in text
    results.get_by_role("button", name="T0pp").click()
    source = results.locator("[data-about]:visible").get_by_role("link")
    expect(source).to_have_attribute("href", "https://arxiv.org/abs/2305.14196")


def test_files_scored_here_stay_beside_them_and_a_sample_is_not_ranked(results, navigate):
    load_sample(results)
    open_tab(results, "results")
    group = results.locator("#results-table tbody[data-group=own]")
    expect(group).to_contain_text("Not ranked, because the examples were written for this package")
    own = group.locator("tr[data-own]")
    expect(own).to_contain_text("the sample")
    for _ in range(2):  # the second time after a refresh
        expect(own).to_have_count(1)
        navigate(results.reload)
    own.get_by_role("button").first.click()
    results.get_by_role("button", name="Remove from this table").click()
    expect(own).to_have_count(0)


@pytest.mark.slow
def test_a_difference_of_two_rows_is_coloured_where_it_is_clear_and_else_is_not(open_page):
    first, second, *_ = published_lines(BENCHMARKS["zero_scrolls"])
    low, high = (
        [cell._replace(points=points, interval=ends) for cell in first.cells]
        for points, ends in ((30.0, (21.0, 39.0)), (60.0, (50.0, 70.0)))
    )
    page = open_page(query="&tab=results")
    for cells, colour in ((high, "rgb(15, 118, 110)"), (low, "rgb(30, 41, 59)")):
        lines = [first._replace(cells=low), second._replace(cells=cells)]
        html = str(table(BENCHMARKS["zero_scrolls"], lines, chosen=lines))
        page.locator("#results-table").evaluate("(part, html) => { part.innerHTML = html; }", html)
        number = page.locator("#results-pair dd > :is(b, span)").first
        expect(number).to_have_css("color", colour, timeout=5_000)
