"""The tab "Results" in a real browser."""

import re

import pytest
from file_tab import load_sample
from playwright.sync_api import expect

from zs_app import words

pytestmark = pytest.mark.browser


@pytest.fixture
def results(shared_page):
    """The page with the tab open and its table as it is at first."""
    shared_page.get_by_role("tab", name=words.RESULTS_TAB).click()
    shared_page.get_by_role("button", name="Reset").click()
    expect(shared_page.locator("#results-chart figure")).to_have_count(2)
    return shared_page


def lists(page, group, *names):
    """Wait until the rows of a group begin with these systems."""
    buttons = page.locator(f"#results-table tbody[data-group={group}] tr[data-row] th button")
    for place, name in enumerate(names):
        expect(buttons.nth(place)).to_have_text(name)


def test_published_systems_are_listed_split_by_split_sorted_by_a_heading_and_drawn(results):
    expect(results.locator("#results-table tr[data-row]")).to_have_count(15)
    results.get_by_role("button", name="Show all 75").click()
    expect(results.locator("#results-table tr[data-row]")).to_have_count(75)
    chart = results.locator("#results-chart figure").first
    expect(chart).to_contain_text(re.compile("GPT-4 .v0314.*naive baseline 19.6", re.DOTALL))
    expect(results.locator("#results-lengths svg")).to_have_count(1)
    expect(results.locator("#results-years svg")).to_have_count(1)
    splits = ["Test split", "Validation split", "Split not stated"]
    expect(results.locator("#results-table .zs-group b:visible")).to_have_text(splits)
    lists(results, "test", "GPT-4 (v0314)", "Claude (v1.3)")
    expect(results.locator("tr[data-row^=gpt-4-v0314] td").first).to_have_class("num best")
    cell = results.locator("tr[data-row^=qwen3-8b-qttt] td").first
    expect(cell).to_have_text("34.6†")
    expect(cell).to_have_class("num apart")
    head = results.locator("th[data-column=musique]")
    for order, group, first in (("descending", "test", "Human"), ("ascending", "validation", "GPT-3.5-Turbo + SBERT")):
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", order)
        lists(results, group, first)
        expect(head.get_by_role("button")).to_be_focused()
    expect(chart).to_contain_text("human 74.8")
    expect(results).to_have_url(re.compile("sort=musique"))


def test_filters_leave_the_rows_that_pass_and_the_address_holds_them(results, open_page):
    results.locator("[data-filter=split]").select_option("validation")
    results.locator("[data-filter=kind]").select_option("reasoning")
    expect(results.locator("#results-count")).to_have_text("3 of 75 rows")
    expect(results).to_have_url(re.compile("split=validation&kind=reasoning"))
    other = open_page(query="&tab=results&split=validation&kind=reasoning&sort=quality")
    expect(other.locator("#results-count")).to_have_text("3 of 75 rows")
    lists(other, "validation", "Qwen3-8B, thinking", "Qwen3-4B, thinking", "Qwen3-1.7B, thinking")
    other.get_by_role("tab", name="Score a file").click()
    expect(other).not_to_have_url(re.compile("split="))
    other.get_by_role("tab", name=words.RESULTS_TAB).click()
    other.get_by_role("button", name="Reset").click()
    expect(other.locator("#results-count")).to_have_text("75 of 75 rows")


def test_chosen_rows_are_shown_and_exported_alone_and_a_row_opens_to_its_source(results):
    results.get_by_role("button", name="Show all 75").click()
    for name in ("Compare Claude (v1.3)", "Compare T0pp"):
        results.get_by_label(name, exact=True).check()
    pair = results.locator("#results-pair")
    expect(pair).to_contain_text("Claude (v1.3) against T0pp, task by task")
    expect(pair.locator("tbody tr").first).to_contain_text("39.1")
    results.get_by_label("Only chosen").check()
    expect(results.locator("#results-count")).to_have_text("2 of 75 rows")
    expect(results.locator("#results-chart .zs-bar")).to_have_count(2)
    lists(results, "test", "Claude (v1.3)", "T0pp")
    results.locator("#results-explorer .zs-menu summary").click()
    with results.expect_download() as download:
        results.locator("[data-format=md]").click()
    assert download.value.suggested_filename == "zero_scrolls-results.md"
    text = download.value.path().read_text(encoding="utf-8")
    assert "| T0pp | zero-shot | Test split | 8192 | 2023 | 14.3 | 7.1 |" in text
    assert "GPT-4" not in text
    results.get_by_role("button", name="T0pp").click()
    source = results.locator(".zs-about:visible").get_by_role("link")
    expect(source).to_have_attribute("href", "https://arxiv.org/abs/2305.14196")


def test_files_scored_here_stay_beside_them_and_a_sample_is_not_ranked(results, navigate):
    load_sample(results)
    results.get_by_role("tab", name=words.RESULTS_TAB).click()
    expect(results.locator("#results-verdict")).to_contain_text("Not ranked, because these tasks have fewer examples")
    own = results.locator("#results-table tbody[data-group=own] tr[data-own]")
    for _ in range(2):  # the second time after a refresh
        expect(own).to_have_count(1)
        expect(results.locator("#results-chart .ours")).to_have_count(0)
        navigate(results.reload)
    own.get_by_role("button").click()
    results.get_by_role("button", name="Remove from this table").click()
    expect(own).to_have_count(0)
