"""The tab "Board" in a real browser: three systems through the page and the API, and a restart of the app."""

import json
import re
from pathlib import Path

import pytest
from axe import check
from gradio_client import Client, handle_file
from playwright.sync_api import expect
from started_app import started_app

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS, load_embedded
from zs_bench.validation.from_source import references_from_source
from zs_lab.board import BoardSettings, create_board, owner, words

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
HOSTILE = "<img src=x onerror=alert(1)> 模型"
RIGHT = {task: {example.id: example.references[0] for example in load_embedded(task)} for task in TASKS}
HALF = {
    task: {key: text if i else "no idea" for i, (key, text) in enumerate(answers.items())}
    for task, answers in RIGHT.items()
}


@pytest.fixture
def board(tmp_path):
    """A board over the embedded references with two submitters: its place and their codes."""
    place = tmp_path / "board.sqlite"
    references = references_from_source("embedded", list(TASKS))
    made = create_board(place, references, settings=BoardSettings(per_day=2, exact=True))
    return place, [owner.invite(made, name)[0] for name in ("Team A", "Team B")]


def written(folder, name, predictions):
    path = folder / name
    path.write_text(json.dumps(predictions), encoding="utf-8")
    return path


def choose(page, file):
    page.locator("#board-predictions input").set_input_files(file)
    expect(page.locator("#board-predictions li")).to_have_text(re.compile(rf"^{re.escape(file.name)} · [\d.]+[KM]?B$"))


def submit(page, code, system, file):
    page.locator("#board-code input").fill(code)
    page.locator("#board-system input").fill(system)
    choose(page, file)
    page.locator("#board-send").click()


def opened(context, url, width=1280, theme="light"):
    page = context.new_page()
    page.set_default_timeout(90_000)  # the machine may be busy, and the app has just begun
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{url}/?tab=board&__theme={theme}")
    return page


@pytest.mark.slow
def test_a_file_is_chosen_and_checked_and_a_refusal_is_a_sentence_with_the_ids_to_download(context, board, tmp_path):
    place, codes = board
    with started_app(ROOT, tmp_path / "log", ZS_BOARD=str(place)) as url:
        page = opened(context, url)
        page.locator("#board-code input").fill(codes[0])
        choose(page, written(tmp_path, "part.json", {"qasper": RIGHT["qasper"]}))
        page.locator("#board-check").click()
        refusal = page.locator("#board-status .zs-error")
        expect(refusal.locator("strong")).to_contain_text(
            "Not accepted: 18 of the 20 predictions that this board asks for"
        )
        with page.expect_download() as ids:
            refusal.get_by_role("link", name=words.IDS).click()
        choose(page, Path(ids.value.path()).rename(tmp_path / "ids.csv"))
        page.locator("#board-check").click()
        expect(page.locator("#board-status")).to_contain_text("20 of 20 predictions are empty")
        page.close()


@pytest.mark.slow
def test_three_systems_through_the_page_and_the_api_are_ranked_and_outlive_a_restart(context, board, tmp_path):
    place, codes = board
    log, settings = tmp_path / "log", {"ZS_BOARD": str(place)}
    expect.set_options(timeout=90_000)
    with started_app(ROOT, log, **settings) as url:
        page = opened(context, url)
        submit(page, codes[0], HOSTILE, written(tmp_path, "part.json", {"qasper": RIGHT["qasper"]}))
        expect(page.locator("#board-status")).to_contain_text("Not accepted")
        choose(page, written(tmp_path, "half.json", HALF))
        page.locator("#board-check").click()
        expect(page.locator("#board-status")).to_contain_text("can be submitted: 20 predictions, 10 tasks")
        page.locator("#board-send").click()
        expect(page.locator("#board-status")).to_contain_text("2 left today")
        page.locator("#board-cancel").click()
        expect(page.locator("#board-status")).to_contain_text("Not submitted")
        page.locator("#board-send").click()
        page.locator("#board-confirm").click()
        expect(page.locator("#board-status")).to_contain_text("Accepted as entry 1")
        expect(page.locator("#board-predictions li")).to_have_count(0)
        expect(page.locator("#board-system input")).to_have_value("")
        expect(page.locator("#board-entries tbody tr")).to_have_count(1)
        expect(page.locator("#board-entries")).to_contain_text(HOSTILE)
        client = Client(url, verbose=False)
        for code, system, file in (
            (codes[1], "the sample", SAMPLE_PREDICTIONS),
            (codes[1], "all right", written(tmp_path, "right.json", RIGHT)),
        ):
            client.predict([handle_file(file)], None, system, "", "", code, api_name="/board_submit")
        client.close()
        page.close()
    with started_app(ROOT, log, **settings) as url:
        page = opened(context, url, 390, "dark")
        rows = page.locator("#board-entries tbody tr")
        expect(rows).to_have_count(3)
        expect(rows.first).to_contain_text("all right")
        expect(rows.first.locator("th")).to_have_text("1")
        expect(page.locator("#board-entries img")).to_have_count(0)
        rows.last.locator("summary").click()
        expect(rows.last.locator("dl")).to_contain_text(HOSTILE)  # not separated from it
        page.get_by_text(words.SUBMIT).click()
        page.locator("#board-code input").fill(codes[0])
        page.locator("#board-look").click()
        expect(page.locator("#board-own tbody tr")).to_have_count(1)
        check(page)
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name=words.WITHDRAW_ENTRY.format(1)).click()
        expect(page.locator("#board-own tbody")).to_contain_text("withdrawn")
        expect(rows).to_have_count(2)
        page.close()
