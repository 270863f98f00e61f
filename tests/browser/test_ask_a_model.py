"""Asking the owner's model on the page, against a local stand-in of its server."""

import pytest
from model_stand_in import StandIn, serving
from packaged_files import ROOT
from page_actions import choose_task
from playwright.sync_api import expect
from started_app import started_app

from zs_bench.dataset.embedded import load_embedded
from zs_bench.tasks import info
from zs_metric import TASKS, score_example

pytestmark = pytest.mark.browser

ANSWER = "(C) it is, about 60% of it, in the order 1, 2, 3"
KEY = "sk-the-key-of-this-test"


def test_the_model_is_asked_on_every_task_and_its_answer_scored_beside_the_visitors(browser, tmp_path):
    log = tmp_path / "log"
    with serving(StandIn(message=lambda _: {"content": ANSWER})) as model:
        settings = {"ZS_MODEL_URL": model.url, "ZS_MODEL": "m", "ZS_MODEL_KEY_VARIABLE": "A_KEY", "A_KEY": KEY}
        with started_app(ROOT, log, **settings) as url, browser.new_context(locale="en-US") as context:
            page = context.new_page()
            page.goto(url, wait_until="commit")
            page.locator("[data-option=B]").click()
            ask = page.get_by_role("button", name="Ask m")
            for name, task in TASKS.items():
                choose_task(page, info(task).title)
                expect(page.locator("#try-ask pre")).to_be_empty()
                ask.click()
                expect(page.locator("#try-ask pre")).to_have_text(ANSWER)
                score = score_example(name, ANSWER, load_embedded(name)[0].references).score
                expect(page.locator("#try-ask .zs-score")).to_have_attribute("data-score", f"{score:.4f}")
                expect(page.locator("#try-ask [data-notes]")).to_contain_text("The whole prompt")
            choose_task(page, "QuALITY")
            expect(page.locator("#try-answer textarea")).to_have_value("B")
            model.faults = {"500": 1.0}
            ask.click()
            expect(page.locator("#try-ask [role=alert]")).to_contain_text("gave no answer")
            expect(ask).to_be_enabled()
            assert KEY not in page.content() + log.read_text(encoding="utf-8")


def test_without_a_model_nothing_asks_for_one(page):
    expect(page.locator("#try-answer")).to_be_visible()
    expect(page.locator("#try-ask")).to_have_count(0)
