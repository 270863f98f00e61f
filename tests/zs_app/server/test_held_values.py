"""Large values of calls are kept outside Gradio, and only until the call is made."""

import asyncio
import json
from types import SimpleNamespace

import pytest
from cachetools import TTLCache

from zs_app.server import held_values
from zs_app.server.held_values import LARGE, NotHeld, hold, hold_reply, take, with_replies
from zs_app.server.jobs import VisitorError, endpoint

TEXT = "a" * LARGE


@pytest.mark.parametrize("value", [TEXT, [TEXT], ["a"], {"a": TEXT}, {}, []])
def test_a_large_value_is_named_and_can_be_taken_once(value):
    name = hold(value, LARGE)
    assert len(name) < 100
    assert take(name) == value
    assert not held_values._held
    with pytest.raises(NotHeld, match="make the call again"):
        take(name)


@pytest.mark.parametrize(
    ("value", "size"), [("a", LARGE), (["a"], LARGE - 1), ({"a": "b"}, 9), (True, LARGE), (None, LARGE)]
)
def test_other_values_stay_as_they_are(value, size):
    assert hold(value, size) is value
    assert take(value) is value
    assert not held_values._held


def test_an_endpoint_takes_the_values_of_its_call_and_says_when_they_were_dropped(monkeypatch):
    def length(text: str) -> int:
        """Length."""
        return len(text)

    request = SimpleNamespace(url=SimpleNamespace(path="/gradio_api/run/length"))
    assert asyncio.run(endpoint(length)(hold(TEXT, LARGE), request)) == LARGE
    monkeypatch.setattr(held_values, "_held", TTLCache(LARGE + 9, 600, getsizeof=len))
    first, second = hold(TEXT, LARGE), hold(TEXT, LARGE)
    with pytest.raises(VisitorError, match="the server has dropped the values of this call"):
        asyncio.run(endpoint(length)(first, request))
    assert asyncio.run(endpoint(length)(second, request)) == LARGE


def test_a_large_reply_is_a_file_until_it_is_sent_and_a_small_one_is_not(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    reply = {"é": TEXT, "nothing": None}
    assert hold_reply({"a": 1}) == {"a": 1}
    for written in (json.dumps, lambda data: json.dumps(data, separators=(",", ":"))):
        part = written(["x", hold_reply(reply)]).encode()
        assert (len(part) < 100, len([*tmp_path.iterdir()])) == (True, 1)
        assert json.loads(with_replies(part)) == ["x", reply]
        assert not [*tmp_path.iterdir()]
        assert json.loads(with_replies(part))[1] == {"error": held_values.GONE}  # it is sent once
    quoted = json.dumps([json.dumps({"zero-scrolls-reply-" + 32 * "0": None})]).encode()
    assert with_replies(quoted) == quoted
