"""What the page's script modules call: values are checked, a fault is a sentence, and nothing fails unexpectedly."""

from functools import partial

import httpx
import pytest
from requests_to_app import HTTP, call_function

EXAMPLE = {
    "source": "embedded",
    "task": "quality",
    "example": 0,
    "variant": "chat",
    "budget": 640,
    "tokenizer": "words",
}
GOOD = {
    "score": {"task": "qasper", "answer": "yes", "references": ["no", "", "yes indeed"]},
    "try_answer": {"source": "embedded", "task": "quality", "example": 0, "answer": "B"},
    "example": EXAMPLE,
    "prompt": EXAMPLE,
}
WRONG = [None, "x", 1, -1, 10**9, 1.5, True, [], ["x"], {}, {"path": "/etc/passwd"}, "\ud800", "hub", "no such task"]


@pytest.fixture
def call(url):
    """Call a server function of the page, see `call_function`."""
    return partial(call_function, url)


def test_an_answer_is_scored_and_an_example_shown(call):
    assert 'data-score="66.6667"' in call("score", GOOD["score"])["html"]
    assert 'data-score="0.0000"' in call("try_answer", GOOD["try_answer"])["card"]
    shown = call("example", EXAMPLE)
    assert "Do not provide any explanation." in shown["prompt"]
    assert shown["sample"]
    assert call("prompt", EXAMPLE)["text"].startswith("You are provided a story")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"task": "qasperr"}, "did you mean 'qasper'?"),
        ({"answer": 1}, "answer: Input should be a valid string"),
        ({"references": "no"}, "references: Input should be a valid list"),
        ({"references": ["no", None]}, "references.1: Input should be a valid string"),
        ({"more": 1}, "more: Unexpected keyword argument"),
    ],
)
def test_a_wrong_value_is_named_in_a_sentence(call, wrong, said):
    assert said in call("score", GOOD["score"] | wrong)["error"]


@pytest.mark.parametrize("name", GOOD)
def test_no_value_makes_a_server_function_fail_unexpectedly(call, caplog, name):
    for wrong in WRONG:
        call(name, wrong)
        for field in GOOD[name]:
            call(name, GOOD[name] | {field: wrong})
    assert "ERROR" not in [record.levelname for record in caplog.records]


def test_a_file_that_defines_a_benchmark_is_uploaded_beside_the_predictions_and_scores_them(call, url):
    contents = {
        "own.toml": b'name = "own"\ntitle = "Our facts"\n[tasks.who]\nmetric = "f1"\n',
        "a.json": b'{"who": {"1": "Ada"}}',
        "b.json": b'{"who": {"1": ["Ada"]}}',
    }
    uploads = [("files", file) for file in contents.items()]
    paths = httpx.post(f"{url}/gradio_api/upload", files=uploads, **HTTP).json()
    roles = call("roles", {"paths": paths, "benchmark": "zero_scrolls"})["roles"]
    assert roles == ["definition", "predictions", "references"]
    asked = {"benchmark": "zero_scrolls", "source": "files", "predictions": paths[:2], "references": paths[2:]}
    job = call("start_scoring", {"asked": asked})["job"]
    while (now := call("progress", {"job_id": job}, "roles"))["state"] in ("waiting", "running"):
        pass
    assert (now["state"], now["made"]["answers"]) == ("done", 1)
    assert all(said in now["made"]["report"] for said in ("Our facts", "100.0")), now["made"]["report"]
