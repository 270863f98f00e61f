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


def shown(page, group):
    """The names of the visible rows of a group, from top to bottom."""
    return page.locator(f"#results-table tbody[data-group={group}] tr[data-row]:visible th button").all_inner_texts()


def test_published_systems_are_listed_split_by_split_sorted_by_a_heading_and_drawn(results):
    expect(results.locator("#results-table tr[data-row]")).to_have_count(15)
    results.get_by_role("button", name="Show all 75").click()
    expect(results.locator("#results-table tr[data-row]")).to_have_count(75)
    chart = results.locator("#results-chart figure").first
    expect(chart).to_contain_text("GPT-4 (v0314)")
    expect(chart).to_contain_text("naive baseline 19.6")
    expect(results.locator("#results-lengths svg")).to_have_count(1)
    expect(results.locator("#results-years svg")).to_have_count(1)
    assert results.locator("#results-table .zs-group b:visible").all_inner_texts() == [
        "Test split",
        "Validation split",
        "Split not stated",
    ]
    assert shown(results, "test")[:2] == ["GPT-4 (v0314)", "Claude (v1.3)"]
    expect(results.locator("tr[data-row^=gpt-4-v0314] td").first).to_have_class("num best")
    cell = results.locator("tr[data-row^=qwen3-8b-qttt] td").first
    expect(cell).to_have_text("34.6†")
    expect(cell).to_have_class("num apart")
    head = results.locator("th[data-column=musique]")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(chart).to_contain_text("human 74.8")
    assert shown(results, "test")[:2] == ["Human", "Flan-UL2"]
    expect(head.get_by_role("button")).to_be_focused()
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert shown(results, "validation")[0] == "GPT-3.5-Turbo + SBERT"
    expect(results).to_have_url(re.compile("sort=musique"))


def test_filters_leave_the_rows_that_pass_and_the_address_holds_them(results, open_page):
    results.locator("[data-filter=split]").select_option("validation")
    results.locator("[data-filter=kind]").select_option("reasoning")
    expect(results.locator("#results-count")).to_have_text("3 of 75 rows")
    expect(results).to_have_url(re.compile("split=validation&kind=reasoning"))
    other = open_page(query="&tab=results&split=validation&kind=reasoning&sort=quality")
    expect(other.locator("#results-count")).to_have_text("3 of 75 rows")
    assert shown(other, "validation") == ["Qwen3-8B, thinking", "Qwen3-4B, thinking", "Qwen3-1.7B, thinking"]
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
    expect(results.get_by_label("Source of T0pp").first).to_have_attribute("href", "https://arxiv.org/abs/2305.14196")
    results.get_by_label("Only chosen").check()
    expect(results.locator("#results-count")).to_have_text("2 of 75 rows")
    expect(results.locator("#results-chart .zs-bar")).to_have_count(2)
    assert shown(results, "test") == ["Claude (v1.3)", "T0pp"]
    results.locator("#results-explorer .zs-menu summary").click()
    with results.expect_download() as download:
        results.locator("[data-format=md]").click()
    assert download.value.suggested_filename == "zero_scrolls-results.md"
    text = download.value.path().read_text(encoding="utf-8")
    assert "| T0pp | zero-shot | Test split | 8192 | 2023 | 14.3 | 7.1 |" in text
    assert "GPT-4" not in text
    results.get_by_role("button", name="T0pp").click()
    expect(results.locator(".zs-about:visible").get_by_role("link")).to_have_attribute(
        "href", "https://arxiv.org/abs/2305.14196"
    )


def test_files_scored_here_stay_beside_them_and_a_sample_is_not_ranked(results):
    load_sample(results)
    results.get_by_role("tab", name=words.RESULTS_TAB).click()
    expect(results.locator("#results-verdict")).to_contain_text("Not ranked, because these tasks have fewer examples")
    own = results.locator("#results-table tbody[data-group=own] tr[data-own]")
    expect(own).to_have_count(1)
    expect(results.locator("#results-chart .ours")).to_have_count(0)
    results.reload()
    expect(own).to_have_count(1)
    own.get_by_role("button").click()
    results.get_by_role("button", name="Remove from this table").click()
    expect(own).to_have_count(0)
