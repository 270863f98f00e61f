"""The part "Ask a model" of the page: its stream, its limits, and that the key stays on the server."""

import asyncio
import json
import threading

import httpx
import pytest
from model_stand_in import StandIn, serving
from starlette.applications import Starlette

from zs_lab.run import ask_page

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


def asked(question=QUESTION, **headers):
    async def send():
        transport = httpx.ASGITransport(app=Starlette(routes=ask_page.ROUTES))
        async with httpx.AsyncClient(transport=transport, base_url="http://page") as client:
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
    assert asked(**{"sec-fetch-site": "cross-site"}).status_code == 403
    for wrong in ({}, {**QUESTION, "example": 99}, {**QUESTION, "task": 1}, {**QUESTION, "variant": "x"}, []):
        assert asked(wrong).status_code == 400
    assert not model.requests
    assert not ask_page._asked


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
