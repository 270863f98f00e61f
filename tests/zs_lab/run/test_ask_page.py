"""The part "Ask a model" of the page: its stream, its limits, and that the key stays on the server."""

import asyncio
import itertools
import json
import os
import threading

import httpx
import pytest
from model_stand_in import StandIn, serving
from starlette.applications import Starlette

from zs_app import words
from zs_bench.prompts import ANSWER_TOKENS
from zs_lab.run import ask_page
from zs_lab.run.transport import CHARACTERS, Transport

KEY = "sk-the-key-of-this-test"
QUESTION = {"source": "embedded", "task": "quality", "example": 0, "variant": "canonical"}


@pytest.fixture
def model(monkeypatch):
    """A server that answers "(C) it is"; the settings name it, and no question has been asked."""
    with serving(StandIn(message=lambda _: {"content": "<think>A?</think>(C) it is"})) as stand_in:
        settings = {"ZS_MODEL_URL": stand_in.url, "ZS_MODEL": "m", "ZS_MODEL_KEY_VARIABLE": "A_KEY", "A_KEY": KEY}
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        ask_page._asked.clear()
        yield stand_in


def browser():
    transport = httpx.ASGITransport(app=Starlette(routes=ask_page.ROUTES))
    return httpx.AsyncClient(transport=transport, base_url="http://page")


def asked(question=QUESTION, **headers):
    async def send():
        async with browser() as client:
            return await client.post("/zs/ask", json=question, headers=headers)

    return asyncio.run(send())


def events(reply):
    return [json.loads(event.removeprefix("data: ")) for event in reply.text.split("\n\n") if event]


def test_the_answer_streams_and_the_prompt_is_trimmed_to_the_owners_limit(model, monkeypatch):
    monkeypatch.setenv("ZS_MODEL_WORDS", "500")
    notes, *texts, last = events(asked())
    assert "Cut to" in notes["notes"]
    assert [event["text"] for event in texts] == ["<think>A?</think>(C) ", "it ", "is "]
    assert last == {"answer": "(C) it is"}
    (body,) = model.requests
    assert len(body["messages"][0]["content"].split()) <= 500
    assert model.keys == {f"Bearer {KEY}"}


def test_a_visitor_and_all_visitors_may_ask_so_often_in_a_day(model, monkeypatch):
    for variable, whose in (("ZS_MODEL_PER_VISITOR", "You have"), ("ZS_MODEL_PER_DAY", "The visitors")):
        ask_page._asked.clear()
        monkeypatch.setenv(variable, "2")
        assert [asked().status_code for _ in range(3)] == [200, 200, 400]
        assert whose in asked().json()["error"]
        monkeypatch.delenv(variable)
    assert len(model.requests) == 4


def test_a_question_of_another_site_or_about_nothing_is_rejected_and_not_counted(model):
    sites = [{"sec-fetch-site": site} for site in ("cross-site", "same-site")]
    for headers in (*sites, {"content-type": "text/plain"}, {"sec-fetch-site": "none", "origin": "http://other"}):
        assert asked(**headers).status_code == 403
    for wrong in ({}, {**QUESTION, "example": 99}, {**QUESTION, "task": 1}, {**QUESTION, "variant": "x"}, []):
        assert asked(wrong).status_code == 400
    assert not model.requests
    assert not ask_page._asked


def event(text):
    return b"data: " + json.dumps({"choices": [{"delta": {"content": text}}]}).encode() + b"\n\n"


@pytest.mark.parametrize(
    "parts",
    [[b"z" * 60_000], [b": z\n" * 15_000], [event("z" * 6_000)], [event("")] * 10, [b"data: {}" + b" " * 60_000]],
)
def test_what_a_server_sends_without_end_is_cut_off_and_that_is_said(model, parts):
    model.raw = itertools.cycle(parts)
    notes, *_, cut, last = events(asked())
    assert (words.ASK_CUT in notes["notes"], words.ASK_CUT in cut["notes"]) == (False, True)
    assert set(last["answer"]) <= {"z"}
    assert len(last["answer"]) <= CHARACTERS * ANSWER_TOKENS
    assert model.sent < 10_000_000


def test_a_list_of_models_without_end_is_none(model):
    model.raw = itertools.cycle([b"z" * 60_000])
    assert asyncio.run(Transport(os.environ["ZS_MODEL_URL"], None).models()) == []
    assert 0 < model.sent < 50_000_000


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'data: {"choices": 5}\n\n', 'not a model\'s reply: {"choices": 5}'),
        (b"<html><title>Sign in</title></html>", "not a model's reply: Sign in"),
        (b"", "not a model's reply: nothing"),
        (b"data: {\n\n", "not a model's reply: {"),
        (b"data: [DONE]\n\n", "not a model's reply"),
    ],
)
def test_what_is_no_reply_of_a_model_is_an_error_with_its_first_words(model, caplog, content, said):
    model.raw = [content]
    assert events(asked())[-1] == {"error": words.ASK_LATER}
    assert said in caplog.text


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_and_the_log_says_where_it_pointed(model, caplog, status):
    model.raw, model.status, model.head = (), status, {"location": "/internal"}
    assert events(asked())[-1] == {"error": words.ASK_LATER}
    assert f"{status} the server points to /internal, which is not followed" in caplog.text


def test_the_key_is_taken_out_of_an_answer_also_where_two_parts_share_it(model):
    model.raw = [
        event(part) for part in ("It is ", KEY, ", ", KEY[:5], KEY[5:10], KEY[10:], "!", KEY[:9], "x", KEY[:3])
    ]
    *_, last = replies = events(asked())
    assert last == {"answer": f"It is [key], [key]!{KEY[:9]}x{KEY[:3]}"}
    assert "".join(reply.get("text", "") for reply in replies) == last["answer"]


def test_a_visitor_has_one_running_question_and_a_silent_model_a_short_wait(model, monkeypatch):
    """Comments in a stream are no first part."""
    said = threading.Event()

    def silence():
        while not said.wait(0.05):
            yield b": wait\n\n"
        yield event("yes")

    async def both():
        async with browser() as client:
            first = asyncio.ensure_future(client.post("/zs/ask", json=QUESTION))
            while not model.sent:
                await asyncio.sleep(0.01)
            second = await client.post("/zs/ask", json=QUESTION)
            said.set()
            return second, await first

    model.raw = silence()
    second, first = asyncio.run(both())
    assert (second.status_code, second.json()) == (400, {"error": words.ASK_RUNNING})
    assert events(first)[-1] == {"answer": "yes"}
    said.clear()
    model.raw = silence()
    monkeypatch.setattr(ask_page, "FIRST", 0.1)
    assert events(asked())[-1] == {"error": words.ASK_SLOW}
    said.set()


def test_an_error_of_the_server_is_said_without_the_key(model, monkeypatch, caplog):
    def error():
        return events(asked())[-1]["error"]

    monkeypatch.setattr(ask_page, "TIMEOUT", 20.0)
    model.faults = {"401": 1.0}
    errors = [error()]
    model.faults = {}
    monkeypatch.setattr(model, "message", lambda _: {"content": "half", "error": {"message": "the model crashed"}})
    errors.append(error())
    monkeypatch.setenv("ZS_MODEL_URL", "http://127.0.0.1:9/v1")
    errors.append(error())
    assert all("no answer" in shown for shown in errors)
    assert all(reason in caplog.text for reason in ("401", "the model crashed", "127.0.0.1:9 gave no answer"))
    monkeypatch.setenv("ZS_MODEL_URL", model.url)
    monkeypatch.setattr(ask_page, "TIMEOUT", 0.2)
    model.replies = threading.Semaphore(0)
    assert "longer than" in (late := error())
    assert KEY not in "".join([*errors, late, caplog.text])
