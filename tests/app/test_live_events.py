"""Live events bypass Gradio's route, with the same responses."""

import json

import gradio as gr
import httpx
import pytest
from requests_to_app import HTTP


def typed(app, name="answer-text"):
    """The number of the change event of that field."""
    box = next(block._id for block in app.blocks.values() if getattr(block, "elem_id", None) == name)
    return next(i for i, fn in app.fns.items() if fn.fn and (box, "change") in fn.targets)


def ask(url, route, **body):
    text = json.dumps({"session_hash": "somebody", **body})
    return httpx.post(
        f"{url}/gradio_api/run/{route}", content=text, headers={"content-type": "application/json"}, **HTTP
    )


NO_REFERENCES = [""] * 7
QUERY = '{"result": "no such result", "list": true}'


@pytest.mark.parametrize(
    ("field", "data"),
    [
        ("answer-text", ["qasper", "yes", "yes indeed", *NO_REFERENCES, "1"]),
        ("answer-text", ["qasper", "yes " * 9_000, "yes indeed", *NO_REFERENCES, "2"]),
        ("answer-text", ["book_sum_sort", "<b>1</b>", "1, 2", *NO_REFERENCES, "<i>3</i>"]),
        ("answer-text", ["no such task", "yes", "yes", *NO_REFERENCES, "1"]),
        ("answer-text", ["qasper", "\ud800", None, *NO_REFERENCES, "1", "one too many"]),
        ("answer-text", ["qasper", 1, "yes", *NO_REFERENCES, "1"]),
        ("answer-text", ["qasper"]),
        ("try-answer", ["embedded quality 0", "B", "1"]),
        ("try-answer", ["embedded gov_report 0", "the agency " * 2_000, "<b>2</b>"]),
        ("try-answer", ["no such example", "B", "1"]),
        ("try-answer", ["embedded qasper 9999", "B", None]),
        ("try-answer", ["embedded qasper 0"]),
        ("benchmark", ["scrolls", "", "zero_scrolls"]),
        ("benchmark", ["scrolls", "", "scrolls"]),
        ("file-query", [QUERY]),
        ("compare-query", [QUERY]),
    ],
)
def test_both_routes_give_the_same_response(app, url, field, data):
    index = typed(app, field)
    live, through_gradio = (ask(url, route, fn_index=index, data=data) for route in ("predict", "other"))
    assert live.status_code == through_gradio.status_code
    own, other = live.json(), through_gradio.json()
    for value in other.get("data", []):
        if isinstance(value, dict):  # an output that stays as it is: Gradio adds a property without a meaning
            value.pop("props")
    assert own.get("data") == other.get("data")
    assert own.get("error") == other.get("error")
    if live.status_code == 200:
        assert own["is_generating"] is other["is_generating"] is False
        assert set(own) < set(other)  # so the first was not answered by Gradio


@pytest.mark.parametrize("call", [{"fn_index": True}, {"fn_index": "3"}, {"fn_index": 10**9}, {}, {"data": None}])
def test_other_requests_are_left_to_gradio(app, url, call):
    body = {"fn_index": typed(app), "data": ["qasper"]} | call
    if not call:
        del body["fn_index"]
    live, through_gradio = (ask(url, route, **body) for route in ("predict", "other"))
    assert live.status_code == through_gradio.status_code != 200


def test_events_with_other_outputs_are_left_to_gradio(app, url):
    html = {gr.HTML}
    events = [i for i, fn in app.fns.items() if fn.fn and not fn.queue and {type(one) for one in fn.outputs} != html]
    assert events
    for index in events:
        live, through_gradio = (ask(url, route, fn_index=index, data=[]) for route in ("predict", "other"))
        assert live.status_code == through_gradio.status_code
        assert set(live.json()) == set(through_gradio.json())
