"""Two systems compared in the tab "Score a file", in a real browser."""

import csv

import pytest
from playwright.sync_api import expect

from zs_bench.sources.embedded import SAMPLE_PREDICTIONS

pytestmark = pytest.mark.browser


def test_a_second_system_is_held_against_the_first(page, tmp_path):
    with SAMPLE_PREDICTIONS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    better = tmp_path / "better.csv"
    with better.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["Task", "ID", "Prediction"])
        writer.writeheader()
        changed = {"s0004_SAMPLE02_1": "B"}
        writer.writerows({**row, "Prediction": changed.get(row["ID"], row["Prediction"])} for row in rows)
    page.get_by_role("tab", name="Score a file").click()
    page.get_by_role("button", name="Load the sample").click()
    expect(page.locator("#file-summary .zs-total")).to_be_visible()
    page.get_by_role("button", name="Compare with a second system").click()
    page.locator("#file-second input[type=file]").set_input_files(better)
    expect(page.locator("#file-second")).to_contain_text("better")
    page.get_by_role("button", name="Score", exact=True).click()
    duel = page.locator("#duel")
    expect(duel).to_contain_text("zero_scrolls_predictions against better", timeout=15_000)
    expect(duel.locator("svg")).to_be_visible()
    expect(duel.locator("#duel-table tbody tr").filter(has_text="QuALITY").last).to_contain_text("-50.00")
    duel.get_by_text("Where they differ most").click()
    expect(duel).to_contain_text("s0004_SAMPLE02_1")


def test_the_reading_that_gives_a_reported_number_is_named(page):
    from zs_bench.readings.reading_report import read_again
    from zs_bench.reports.score_files import score_files
    from zs_bench.sources.embedded import EMBEDDED

    found = read_again(score_files([SAMPLE_PREDICTIONS], [EMBEDDED]))["readings"]
    number = f"{found['equal positions']['scores']['book_sum_sort']:.4f}"
    page.get_by_role("tab", name="Score a file").click()
    page.get_by_role("button", name="Load the sample").click()
    expect(page.locator("#file-summary .zs-total")).to_be_visible()
    page.get_by_role("button", name="Which scorer made this number?").click()
    page.locator("#readings-task input").click()
    page.get_by_role("option", name="BookSumSort").click()
    page.locator("#readings-number textarea, #readings-number input").first.fill(number)
    page.get_by_role("button", name="Score under all readings").click()
    expect(page.locator("#file-readings [role=status]")).to_contain_text("equal positions", timeout=20_000)
    expect(page.locator("#readings-table")).to_contain_text("official")
