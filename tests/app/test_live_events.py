"""A key typed into "Score an answer" is answered without Gradio's route, as that route would answer it."""

import json

import httpx
import pytest

HTTP = {"timeout": 60, "verify": False}


def typed(app):
    """The number of the event of a key."""
    box = next(block._id for block in app.blocks.values() if getattr(block, "elem_id", None) == "answer-text")
    return next(i for i, fn in app.fns.items() if fn.fn and (box, "change") in fn.targets)


def ask(url, route, **body):
    text = json.dumps({"session_hash": "somebody", **body})
    return httpx.post(
        f"{url}/gradio_api/run/{route}", content=text, headers={"content-type": "application/json"}, **HTTP
    )


@pytest.mark.parametrize(
    "data",
    [
        ["qasper", "yes", "yes indeed", *[""] * 7, "1"],
        ["qasper", "yes " * 9_000, "yes indeed", *[""] * 7, "2"],
        ["book_sum_sort", "<b>1</b>", "1, 2", *[""] * 7, "<i>3</i>"],
        ["no such task", "yes", "yes", *[""] * 7, "1"],
        ["qasper", "\ud800", None, *[""] * 7, "1", "one too many"],
        ["qasper", 1, "yes", *[""] * 7, "1"],
        ["qasper"],
    ],
)
def test_both_ways_answer_alike(app, url, data):
    index = typed(app)
    live, through_gradio = (ask(url, route, fn_index=index, data=data) for route in ("predict", "other"))
    assert live.status_code == through_gradio.status_code
    own, other = live.json(), through_gradio.json()
    assert own.get("data") == other.get("data")
    assert own.get("error") == other.get("error")
    if live.status_code == 200:
        assert own["is_generating"] is other["is_generating"] is False
        assert set(own) < set(other)  # so the first was not answered by Gradio


@pytest.mark.parametrize("call", [{"fn_index": True}, {"fn_index": "3"}, {"fn_index": 10**9}, {}, {"data": None}])
def test_what_is_no_such_event_is_left_to_gradio(app, url, call):
    body = {"fn_index": typed(app), "data": ["qasper"]} | call
    if not call:
        del body["fn_index"]
    live, through_gradio = (ask(url, route, **body) for route in ("predict", "other"))
    assert live.status_code == through_gradio.status_code != 200


def test_other_live_events_are_left_to_gradio(app, url):
    events = [i for i, fn in app.fns.items() if fn.fn and not fn.queue and i != typed(app)]
    assert events
    for index in events:
        live, through_gradio = (ask(url, route, fn_index=index, data=[]) for route in ("predict", "other"))
        assert live.status_code == through_gradio.status_code
        assert set(live.json()) == set(through_gradio.json())
