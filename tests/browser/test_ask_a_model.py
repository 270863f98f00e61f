"""Asking the owner's model on the page, against a local stand-in of its server."""

from itertools import chain
from time import sleep

import pytest
from model_stand_in import StandIn, serving
from packaged_files import ROOT
from page_actions import choose_task
from playwright.sync_api import expect
from started_app import started_app

from zs_app import words
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import load_embedded
from zs_metric import score_example

pytestmark = pytest.mark.browser

ANSWER = "(C) it is, about 60% of it, in the order 1, 2, 3"
KEY = "sk-the-key-of-this-test"


@pytest.mark.slow
def test_the_model_is_asked_on_every_task_and_its_answer_scored_beside_the_visitors(new_context, tmp_path):
    log = tmp_path / "log"
    with serving(StandIn(message=lambda _: {"content": ANSWER})) as model:
        settings = {"ZS_MODEL_URL": model.url, "ZS_MODEL": "m", "ZS_MODEL_KEY_VARIABLE": "A_KEY", "A_KEY": KEY}
        with started_app(ROOT, log, **settings) as url:
            page = new_context(locale="en-US").new_page()
            page.goto(url, wait_until="commit")
            page.locator("[data-option=B]").click()
            ask = page.get_by_role("button", name="Ask m")
            for name, task in TASKS.items():
                choose_task(page, task.title)
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
            begun = b'data: {"choices": [{"delta": {"content": "It"}}]}\n\n'
            model.faults, model.raw = {}, chain([begun], iter(lambda: sleep(0.05) or b": wait\n\n", None))
            ask.click()
            expect(page.locator("#try-ask pre")).to_have_text("It")
            choose_task(page, "Qasper")  # the visitor does not wait for the answer, nor does the next question
            assert model.left.wait(60)
            model.raw = None
            ask.click()
            expect(page.locator("#try-ask pre")).to_have_text(ANSWER)
            assert KEY not in page.content() + log.read_text(encoding="utf-8")


def test_a_visitor_signs_in_chooses_a_model_with_its_provider_and_asks_it_with_an_own_token(new_context, tmp_path):
    with serving(StandIn(message=lambda _: {"content": ANSWER})) as model:
        hub = {"HF_ENDPOINT": model.url.removesuffix("/v1"), "HF_TOKEN": "hf_of_this_machine"}
        settings = {"ZS_MODEL_URL": model.url, "ZS_MODEL": "m", "ZS_MODEL_SIGN_IN": "1", "OPENAI_API_KEY": KEY}
        with started_app(ROOT, tmp_path / "log", **settings, **hub) as url:
            page = new_context().new_page()
            page.goto(url)
            asks, chosen = page.get_by_role("button", name="Ask the model"), page.get_by_label("Model and inference")
            asks.click()
            expect(page.locator("#try-ask [role=alert]")).to_have_text(words.ASK_SIGN_IN)
            page.locator("#try-sign-in").click()
            expect(page.locator("#try-sign-in")).to_contain_text("ada")
            chosen.click()
            expect(page.locator("#try-models option")).to_have_count(2)
            chosen.fill(page.locator("#try-models option").nth(1).get_attribute("value"))
            asks.click()
            expect(page.locator("#try-ask pre")).to_have_text(ANSWER)
    assert [request["model"] for request in model.requests] == ["n:there"]
    assert model.keys == {"Bearer mock-oauth-token-for-local-dev"}  # of Gradio, outside a Space


def test_without_a_model_nothing_asks_for_one(page):
    expect(page.locator("#try-asked")).to_be_visible()
    expect(page.locator("#try-ask")).to_have_count(0)
