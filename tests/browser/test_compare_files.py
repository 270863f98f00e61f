"""Two systems compared in the tab "Score a file", in a real browser."""

import csv
import json

import pytest
from file_tab import exported, give, is_scored, load_sample, press_score, score_files_in_tab
from playwright.sync_api import expect
from written_files import write

from zs_app import words
from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS

pytestmark = pytest.mark.browser

KNOWN = {"quality": {"a": ["A"], "b": ["B"], "c": ["C"]}, "qasper": {"d": ["yes"]}}
FIRST = {"quality": {"a": "A", "b": "C", "c": "C"}, "qasper": {"d": "yes"}}
SECOND = {"quality": {"a": "B", "b": "B", "c": "C"}, "qasper": {"d": "no"}}


@pytest.fixture
def compared(page, tmp_path):
    """The page with two systems compared, `base.json` and `tuned.json`."""
    score_files_in_tab(page, write(tmp_path / "base.json", FIRST), write(tmp_path / "known.json", KNOWN))
    is_scored(page)
    page.get_by_role("button", name="compare with …").click()
    give(page, "second", write(tmp_path / "tuned.json", SECOND))
    page.locator("#file-compare-run").click()
    expect(page.locator("#comparison")).to_contain_text("base against tuned", timeout=30_000)
    return page


def rows(page):
    return page.locator("#compare-questions tbody tr")


def test_systems_are_called_after_their_files_and_stand_side_by_side_with_the_references(compared):
    expect(compared.locator("#comparison svg")).to_be_visible()
    expect(compared.locator("#comparison-table tbody tr").filter(has_text="QuALITY")).to_contain_text("no difference")
    expect(rows(compared)).to_have_count(4)
    row = rows(compared).filter(has_text="Qasper")
    expect(row.locator("td").nth(0)).to_contain_text("yes")
    expect(row.locator("td").nth(1)).to_contain_text("no")
    expect(row.locator("td").nth(2)).to_have_text("yes")
    expect(row.locator("td").nth(3)).to_contain_text("base better")


@pytest.mark.parametrize(
    ("choice", "ids"),
    [
        ("{first} right, {second} wrong", {"a", "d"}),
        ("{second} right, {first} wrong", {"b"}),
        ("{second} better", {"b"}),
        ("same score", {"c"}),
        ("all", {"a", "b", "c", "d"}),
    ],
)
def test_questions_are_filtered_by_who_was_right(compared, choice, ids):
    named = choice.format(first="base", second="tuned")
    compared.locator("#compare-form").get_by_text(named, exact=True).click()
    expect(rows(compared)).to_have_count(len(ids))
    assert {row.locator("th bdi").inner_text() for row in rows(compared).all()} == ids


def test_names_can_be_changed_and_are_in_every_export(compared):
    compared.get_by_label(words.COMPARE_NAME.format("A")).fill("Baseline")
    compared.get_by_label(words.COMPARE_NAME.format("B")).fill("After tuning")
    compared.locator("#file-compare-run").click()
    expect(compared.locator("#comparison")).to_contain_text("Baseline against After tuning", timeout=30_000)
    expect(rows(compared).first).to_contain_text("Baseline better")
    compared.locator("#file-report .zs-menu summary").click()
    with compared.expect_download() as download:
        compared.get_by_role("link", name="Comparison (JSON)").click()
    data = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert [system["name"] for system in data["systems"]] == ["Baseline", "After tuning"]
    compared.locator("#file-report .zs-menu summary").click()
    with compared.expect_download() as download:
        compared.get_by_role("link", name="Comparison (CSV)").click()
    head = next(csv.reader(download.value.path().read_text(encoding="utf-8").splitlines()))
    assert {"prediction: Baseline", "prediction: After tuning"} <= set(head)


def test_another_first_run_is_compared_with_the_same_second_one(compared, tmp_path):
    compared.locator(".zs-file-line").get_by_role("button", name="change").click()
    give(compared, "predictions", write(tmp_path / "third.json", SECOND))
    press_score(compared)
    expect(compared.locator("#comparison")).to_contain_text("third against tuned", timeout=30_000)
    expect(compared.locator("#compare-form").get_by_text("third better")).to_be_visible()


def test_a_comparison_is_whole_on_a_phone(open_page, tmp_path):
    page = open_page(width=390)
    score_files_in_tab(page, write(tmp_path / "base.json", FIRST), write(tmp_path / "known.json", KNOWN))
    page.get_by_role("button", name="compare with …").click()
    give(page, "second", write(tmp_path / "tuned.json", SECOND))
    page.locator("#file-compare-run").click()
    expect(rows(page)).to_have_count(4, timeout=30_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for cell in page.locator("#compare-questions td").all():
        box = cell.bounding_box()
        assert box["x"] + box["width"] <= 390


def test_the_variant_that_gives_a_reported_number_is_named(page):
    from zs_bench.dataset.embedded import EMBEDDED
    from zs_bench.reports.variants_report import rescored_file
    from zs_bench.scoring.score_files import score_files

    found = rescored_file(score_files([SAMPLE_PREDICTIONS], [EMBEDDED]))["readings"]
    number = f"{found['equal positions']['scores']['book_sum_sort']:.4f}"
    load_sample(page)
    page.get_by_role("button", name="Which scorer made this number?").click()
    page.locator("#readings-task input").click()
    page.locator("[role=option][aria-label=BookSumSort]").click()
    page.locator("#readings-number textarea, #readings-number input").first.fill(number)
    page.get_by_role("button", name="Score with every variant").click()
    expect(page.locator("#file-readings [role=status]")).to_contain_text("equal positions", timeout=20_000)
    expect(page.locator("#readings-table")).to_contain_text("official")


def test_a_reports_export_has_the_name_of_the_run(page, tmp_path):
    score_files_in_tab(page, write(tmp_path / "run-7.json", FIRST), write(tmp_path / "known.json", KNOWN))
    is_scored(page)
    assert "run-7" in exported(page, "html")
    assert page.locator("#file-report [data-export=json]").get_attribute("download") == "run-7-report.json"
