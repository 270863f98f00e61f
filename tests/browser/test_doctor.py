"""The id doctor in the tab "Score a file": from ten broken files to the official one, in a real browser."""

import csv
import io
import json

import pytest
from playwright.sync_api import expect

from zs_bench.sources.embedded import SAMPLE_PREDICTIONS

pytestmark = pytest.mark.browser


@pytest.fixture
def ten_files(tmp_path):
    """The sample as ten JSON files, of which one has a doubled id, one uses pid, one lacks answers, one is misspelt."""
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


def test_ten_broken_files_end_in_a_file_that_lacks_only_what_was_missing_and_can_be_filled(page, ten_files):
    page.get_by_role("tab", name="Score a file").click()
    page.locator("#file-predictions input[type=file]").set_input_files(ten_files)
    expect(page.locator("#file-predictions")).to_contain_text("preds_GovReport")
    page.locator("#file-source").get_by_text("the examples of this page").click()
    page.get_by_role("button", name="Score", exact=True).click()
    doctor = page.locator("#doctor")
    expect(doctor).to_contain_text("not ready", timeout=15_000)
    expect(doctor).to_contain_text("GovReport")
    page.get_by_role("button", name="Repair and score again").click()
    expect(doctor).to_contain_text("changes")
    expect(page.locator("#per-task tbody tr").filter(has_text="Qasper")).to_contain_text("2 of 2", timeout=15_000)
    expect(page.locator("#file-summary")).to_contain_text("not scored: musique")
    expect(doctor).to_contain_text("musique")
    with page.expect_download() as download:
        page.locator("#file-mended").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8"))))
    assert download.value.suggested_filename == "zero_scrolls_predictions.csv"
    assert len(rows) == 18
    page.locator("#file-fill").get_by_text("Fill the 2 missing answers").click()
    page.get_by_role("button", name="Repair and score again").click()
    expect(page.locator("#file-summary .zs-total")).to_contain_text("ZeroSCROLLS score", timeout=15_000)
    with SAMPLE_PREDICTIONS.open(encoding="utf-8", newline="") as file:
        expected = {(r["Task"], r["ID"]): r["Prediction"] for r in csv.DictReader(file) if r["Task"] != "musique"}
    assert {(r["Task"], r["ID"]): r["Prediction"] for r in rows} == expected
