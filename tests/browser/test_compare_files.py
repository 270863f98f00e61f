"""Two systems compared in the tab "Score a file", in a real browser."""

import csv
import json
import re

import pytest
from file_tab import give, is_scored, load_sample, score_files_in_tab
from playwright.sync_api import expect
from written_files import write

from zs_app import words
from zs_bench.dataset.embedded import EMBEDDED, SAMPLE_PREDICTIONS
from zs_bench.scoring.score_files import score_files
from zs_bench.variants.rescore import rescored_file

pytestmark = pytest.mark.browser

KNOWN = {"quality": {"a": ["A"], "b": ["B"], "c": ["C"]}, "qasper": {"d": ["yes"]}}
FIRST = {"quality": {"a": "A", "b": "C", "c": "C"}, "qasper": {"d": "yes"}}
SECOND = {"quality": {"a": "B", "b": "B", "c": "C"}, "qasper": {"d": "no"}}


@pytest.fixture(scope="module")
def compared(shared_page, tmp_path_factory):
    """The page with two systems compared, `base.json` and `tuned.json`; a test that compares others comes last."""
    folder = tmp_path_factory.mktemp("compared")
    score_files_in_tab(shared_page, write(folder / "base.json", FIRST), write(folder / "known.json", KNOWN))
    is_scored(shared_page)
    compare(shared_page, write(folder / "tuned.json", SECOND))
    return shared_page


def compare(page, second):
    page.get_by_role("button", name="compare with …").click()
    give(page, "second", second)
    page.locator("#file-compare-run").click()
    is_compared(page)


def is_compared(page):
    expect(page.locator("#file-report .zs-verdict")).to_be_visible()
    is_scored(page)


def rows(page):
    return page.locator("#file-answers tbody tr")


def shown(page, ids):
    """Wait until the list has just these ids."""
    expect(rows(page)).to_have_count(len(ids))
    expect(page.locator("#file-answers")).not_to_have_class(re.compile("zs-late"))
    return {row.locator("th bdi").inner_text() for row in rows(page).all()} == ids


def test_the_comparison_stands_where_the_report_stood_with_both_answers_side_by_side(compared):
    expect(compared.locator("#file-report .zs-verdict")).to_contain_text("base leads by")
    expect(compared.locator("#file-report .zs-total")).to_contain_text(
        re.compile("83.3.* base.*33.3.* tuned", re.DOTALL)
    )
    expect(compared.locator("#per-task [data-task]")).to_have_count(2)
    assert shown(compared, {"a", "b", "c", "d"})
    compared.locator("#file-answers tbody tr", has_text="Qasper").click()
    for name, text in (("base", "yes"), ("tuned", "no"), ("Reference", "yes")):
        expect(compared.locator("#file-opened h4", has_text=name).locator("+ p")).to_have_text(text)
    for choice, ids in {
        "base right, tuned wrong": {"a", "d"},
        "tuned better": {"b"},
        "same score": {"c"},
        "any verdict": {"a", "b", "c", "d"},
    }.items():
        compared.locator("#file-form [name=verdict]").select_option(label=choice)
        assert shown(compared, ids)


def test_what_changed_is_a_filter_and_an_answer_is_opened_again_both_held_by_the_address(compared):
    compared.locator("#per-task [data-task=quality]").get_by_role("button", name="1 right → wrong").click()
    assert shown(compared, {"a"})
    assert "pattern=quality.lost" in compared.url
    compared.reload()
    chip = compared.locator("#file-chip").get_by_role("button", name="QuALITY: 1 right → wrong")
    expect(chip).to_be_visible()
    assert shown(compared, {"a"})
    chip.click()
    assert shown(compared, {"a", "b", "c", "d"})
    rows(compared).first.click()
    compared.keyboard.press("ArrowDown")
    compared.keyboard.press("ArrowDown")
    expect(compared.locator("#file-opened")).to_contain_text("3 of 4")
    assert "answer=quality%2Fc" in compared.url
    compared.reload()
    expect(compared.locator("#file-opened")).to_contain_text("c · QuALITY · 3 of 4")
    expect(compared.locator("#file-report .zs-verdict")).to_contain_text("base leads by")


def test_verdict_list_and_both_answers_are_in_view_and_a_phone_has_three_screens(compared):
    compared.set_viewport_size({"width": 1280, "height": 800})
    compared.locator("#file-report").scroll_into_view_if_needed()
    for part in (
        "#file-report .zs-verdict",
        "#per-task [data-task=quality] .zs-difference",
        "#file-answers tbody tr >> nth=0",
        "#file-opened h4",
    ):
        expect(compared.locator(part).first).to_be_in_viewport()
    compared.set_viewport_size({"width": 390, "height": 844})
    steps = (("#per-task [data-file=task]", "#file-answers"), ("#file-answers tbody tr", "#file-opened"))
    assert compared.locator("#per-task thead th", has_text="tuned").bounding_box()["width"] > 20
    for control, screen in (
        *steps,
        ("[data-screen=list].zs-back", "#file-answers"),
        ("[data-screen=tasks].zs-button", "#per-task"),
    ):
        compared.locator(control).first.click()
        expect(compared.locator(screen)).to_be_visible()
        hidden = {"#per-task", "#file-answers", "#file-opened"} - {screen}
        assert not any(compared.locator(other).is_visible() for other in hidden)
        size = compared.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size[0] <= 390, screen
        assert size[1] <= 2 * 844, screen
    compared.set_viewport_size({"width": 1280, "height": 900})


def test_names_can_be_changed_and_are_in_every_export_until_the_comparison_is_stopped(compared):
    compared.get_by_role("button", name="compare with …").click()
    compared.get_by_label(words.COMPARE_NAME.format("A")).fill("Baseline")
    compared.get_by_label(words.COMPARE_NAME.format("B")).fill("After tuning")
    compared.locator("#file-compare-run").click()
    expect(compared.locator("#file-report .zs-verdict")).to_contain_text("Baseline leads by")
    is_compared(compared)
    for form, names in {
        "json": lambda text: [system["name"] for system in json.loads(text)["systems"]],
        "csv": lambda text: [
            head[12:] for head in next(csv.reader(text.splitlines())) if head.startswith("prediction: ")
        ],
    }.items():
        compared.locator("#file-report .zs-menu summary").click()
        with compared.expect_download() as download:
            compared.get_by_role("link", name=f"Comparison ({form.upper()})").click()
        assert names(download.value.path().read_text(encoding="utf-8").strip()) == ["Baseline", "After tuning"]
    compared.get_by_role("button", name="stop comparing").click()
    expect(compared.locator("#file-report .zs-verdict")).to_have_count(0)
    is_scored(compared)


@pytest.mark.slow
def test_a_comparison_keeps_the_repairs_of_the_report(page, tmp_path):
    repeated = write(tmp_path / "p.csv", "Task,ID,Prediction\nqasper,d,no\nqasper,d,yes\n")
    score_files_in_tab(page, repeated, write(tmp_path / "known.json", {"qasper": KNOWN["qasper"]}))
    page.get_by_label("the later answer is kept").check()
    page.get_by_role("button", name="Repair and score again").click()
    task = page.locator("#per-task [data-task=qasper]")
    expect(task).to_contain_text("100.0")
    compare(page, write(tmp_path / "q.json", {"qasper": SECOND["qasper"]}))
    expect(task).to_contain_text(re.compile(r"100\.0.*0\.0.*\+100\.0", re.DOTALL))


@pytest.mark.slow
def test_the_variant_that_gives_a_reported_number_is_named(page):
    scores = rescored_file(score_files([SAMPLE_PREDICTIONS], [EMBEDDED]))["readings"]["equal positions"]["scores"]
    load_sample(page)
    page.locator("#file-variants-box summary").click()
    page.locator("#variants-task").select_option(label="BookSumSort")
    page.locator("#variants-number").fill("thirty")
    page.locator("#variants-run").click()
    expect(page.locator("#file-variants")).to_contain_text("thirty")  # which is not a number
    page.locator("#variants-number").fill(f"{scores['book_sum_sort']:.4f}")
    page.locator("#variants-number").press("Enter")
    expect(page.locator("#file-variants [role=status]")).to_contain_text("equal positions")
    expect(page.locator("#variants-table")).to_contain_text("official")
