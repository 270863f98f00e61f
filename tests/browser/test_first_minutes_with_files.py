"""The first minutes of a stranger with files, as paths without a dead end, in a real browser."""

import csv
import io

import pytest
from file_tab import give, is_scored, open_file_tab, press_score
from playwright.sync_api import expect
from written_files import write

from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS

pytestmark = pytest.mark.browser

with SAMPLE_PREDICTIONS.open(encoding="utf-8", newline="") as _file:
    SAMPLE = list(csv.DictReader(_file))


def table(head, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return text.getvalue()


def score_against_this_page(page, path):
    open_file_tab(page)
    give(page, "predictions", path)
    page.locator("#file-source").get_by_text("the examples of this page").click()
    press_score(page)


def test_one_tasks_file_has_its_score_as_the_headline_whatever_the_file_is_called(page, tmp_path):
    rows = {row["ID"]: row["Prediction"] for row in SAMPLE if row["Task"] == "qasper"}
    score_against_this_page(page, write(tmp_path / "outputs.json", rows))
    is_scored(page)
    expect(page.locator("#file-report .zs-total .zs-score")).to_have_count(1)
    expect(page.locator("#file-report .zs-total")).to_contain_text("Qasper")
    expect(page.locator("#file-report .zs-total")).to_contain_text("the ZeroSCROLLS score needs all 10")
    expect(page.locator("#file-answers tbody tr")).to_have_count(len(rows))


def test_ten_tasks_whose_ids_are_shifted_are_one_sentence_and_one_click(page, tmp_path):
    rows = [(row["Task"], f"run7-{row['ID']}", row["Prediction"]) for row in SAMPLE]
    score_against_this_page(page, write(tmp_path / "shifted.csv", table(("Task", "ID", "Prediction"), rows)))
    expect(page.locator("#file-report .zs-refusal")).to_contain_text("all in the same way")
    page.get_by_role("button", name="Read them as the known IDs").click()
    expect(page.locator("#file-report .zs-total")).to_contain_text("ZeroSCROLLS score")
    expect(page.locator("#per-task [data-task]")).to_have_count(10)


def test_a_table_with_its_own_headers_is_mapped_and_one_of_ids_and_predictions_needs_no_task(page, tmp_path):
    rows = [(row["Task"], row["ID"], row["Prediction"]) for row in SAMPLE]
    own = write(tmp_path / "own.csv", table(("dataset", "example", "model_output"), rows))
    score_against_this_page(page, own)
    expect(page.locator("#file-mapping [name=prediction]")).to_have_value("model_output")
    page.get_by_role("button", name="Use these columns").click()
    expect(page.locator("#file-report .zs-total")).to_contain_text("ZeroSCROLLS score")
    plain = write(tmp_path / "plain.csv", table(("id", "prediction"), [row[1:] for row in rows]))
    score_against_this_page(page, plain)
    expect(page.locator(".zs-file-line")).to_contain_text("plain.csv")
    expect(page.locator("#file-report .zs-total")).to_contain_text("ZeroSCROLLS score")


def test_two_systems_are_compared_and_the_link_opens_the_same_answer_elsewhere(page, open_page, tmp_path):
    changed = [(row["Task"], row["ID"], "A" if row["Task"] == "quality" else row["Prediction"]) for row in SAMPLE]
    score_against_this_page(page, SAMPLE_PREDICTIONS)
    is_scored(page)
    page.get_by_role("button", name="compare with …").click()
    give(page, "second", write(tmp_path / SAMPLE_PREDICTIONS.name, table(("Task", "ID", "Prediction"), changed)))
    page.locator("#file-compare-run").click()
    expect(page.locator("#file-report .zs-verdict")).to_be_visible()
    heads = page.locator("#per-task thead bdi").all_inner_texts()
    assert len(set(heads)) == 2
    assert max(map(len, heads)) <= 24
    page.locator("#file-answers tbody tr").nth(2).click()
    opened = page.locator("#file-opened")
    expect(opened).to_contain_text("3 of 20")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    expect(page.locator("#file-status")).to_contain_text("while it is kept")
    link = page.evaluate("navigator.clipboard.readText()")
    other = open_page(query=f"&{link.partition('?')[2].partition('&')[2]}")
    expect(other.locator("#file-report .zs-verdict")).to_have_text(
        page.locator("#file-report .zs-verdict").inner_text()
    )
    expect(other.locator("#file-opened")).to_contain_text("3 of 20")
    assert "report=" not in other.url


def test_a_lost_link_says_what_to_ask_for(open_page):
    page = open_page(query=f"&tab=file&report={'0' * 64}")
    expect(page.locator("#file-status")).to_contain_text("no longer kept. Ask for the exported one")
    expect(page.locator("#file-inputs")).to_be_visible()
