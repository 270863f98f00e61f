"""The tab "Results" in a real browser."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_published_systems_are_drawn_and_listed(page):
    page.get_by_role("tab", name="Results").click()
    expect(page.locator("#results-chart")).to_contain_text("GPT-4 (v0314)")
    expect(page.locator("#results-chart")).to_contain_text("naive baseline 19.60")
    expect(page.locator("#results-lengths svg")).to_be_visible()
    expect(page.locator("#results-table")).to_contain_text("CoLT5-xl")
    page.locator("#results-task").get_by_text("SpaceDigest", exact=True).click()
    expect(page.locator("#results-chart")).to_contain_text("human 93.30")


def test_a_scored_file_stands_beside_them_with_a_plain_warning(page):
    page.get_by_role("tab", name="Score a file").click()
    page.get_by_role("button", name="Load the sample").click()
    expect(page.locator("#file-summary .zs-total")).to_be_visible()
    page.get_by_role("tab", name="Results").click()
    expect(page.locator("#results-chart")).to_contain_text("your file")
    expect(page.locator("#results-verdict")).to_contain_text("Published numbers are on the test split")
    expect(page.locator("#results-verdict")).to_contain_text("is below always answering 50%")
    expect(page.locator("#results-table")).to_contain_text("your file")
