"""Validation and repairs in the tab "Score a file": from ten broken files to one that can be submitted."""

import csv
import io
import json

import pytest
from file_tab import give, open_file_tab, press_score
from playwright.sync_api import expect

from zs_app import words
from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS

pytestmark = pytest.mark.browser


@pytest.fixture
def ten_files(tmp_path):
    """The sample as ten JSON files, one with a duplicate id, one with pid, one without some answers, one misspelt."""
    with SAMPLE_PREDICTIONS.open(encoding="utf-8", newline="") as file:
        tasks: dict[str, dict[str, str]] = {}
        for row in csv.DictReader(file):
            tasks.setdefault(row["Task"], {})[row["ID"]] = row["Prediction"]
    tasks["qasper"] = {f"{key}_0": text for key, text in tasks["qasper"].items()}
    tasks["musique"] = {}
    texts = {task: json.dumps(answers) for task, answers in tasks.items()}
    key, answer = next(iter(tasks["quality"].items()))
    texts["quality"] = texts["quality"].replace("{", "{" + f"{json.dumps(key)}: {json.dumps(answer)}, ", 1)
    texts["GovReport"] = texts.pop("gov_report")
    paths = []
    for task, text in texts.items():
        paths.append(tmp_path / f"preds_{task}.json")
        paths[-1].write_text(text, encoding="utf-8")
    return paths


@pytest.mark.slow
def test_ten_broken_files_end_in_a_file_that_lacks_only_what_was_missing_and_can_be_filled(shared_page, ten_files):
    page = shared_page
    open_file_tab(page)
    give(page, "predictions", *ten_files)
    page.locator("#file-source").get_by_text(words.FILE_FROM_EMBEDDED).click()
    press_score(page)
    problems = page.locator("#file-problem-list")
    expect(problems).to_contain_text("qasper")
    expect(problems.get_by_text("Repair:").first).to_be_visible()
    page.get_by_role("button", name="Repair and score again").click()
    expect(page.locator(".zs-file-line")).to_contain_text("repairs")
    expect(page.locator("#per-task [data-task=qasper] td").last).to_have_text("2")
    expect(page.locator("#file-report .zs-total")).to_contain_text("9 of 10 tasks; the ZeroSCROLLS score needs all 10")
    expect(problems).to_contain_text("musique")
    page.locator("#submission summary").click()
    with page.expect_download() as download:
        page.locator("#file-mended").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8"))))
    assert download.value.suggested_filename == "zero_scrolls_predictions.csv"
    assert len(rows) == 18
    problems.get_by_label("filled with an empty answer").check()
    page.get_by_role("button", name="Repair and score again").click()
    expect(page.locator("#file-report .zs-total")).to_contain_text("ZeroSCROLLS score")
    with SAMPLE_PREDICTIONS.open(encoding="utf-8", newline="") as file:
        expected = {(r["Task"], r["ID"]): r["Prediction"] for r in csv.DictReader(file) if r["Task"] != "musique"}
    assert {(r["Task"], r["ID"]): r["Prediction"] for r in rows} == expected
