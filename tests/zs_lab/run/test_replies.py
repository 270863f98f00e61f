"""What a server's reply means."""

import httpx
import pytest
from model_stand_in import OVERFLOWS

from zs_bench.run_records import Completion
from zs_lab.run.replies import Reply, Retry, StopRun, UnsupportedParameter, decide, not_a_reply, read_completion
from zs_lab.run.transport import _reply


def completion(message, finish_reason="stop", **usage):
    return {"choices": [{"message": message, "finish_reason": finish_reason}], "usage": usage}


def failure(status, message, **more):
    return Reply(status, {"error": {"message": message, **more}})


def failed(why):
    return Completion("failed", error=why)


def without_completion(body):
    return Reply(200, body), Retry(not_a_reply(body))


NOT_SUPPORTED = "max_tokens=5 is not supported: maximum context length is 4"
REACHED = "max_tokens or model output limit was reached"
TOO_LARGE = "max_tokens is too large: 9. This model takes at most 8."  # which is not that it is not supported
USE_ANOTHER = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
KEY_STEP = "put the right key into the environment variable OPENAI_API_KEY, or name another with --key-env"
BROKEN = {"choices": [{"message": {"content": ""}, "finish_reason": "error", "error": {"message": "lost"}}]}


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Reply(None, "no connection"), Retry("no connection")),
        (Reply(503, "<html><style>x</style>busy</html>"), Retry("503 busy")),
        (Reply(503, {"error": {"message": "Loading model"}}, 3.0), Retry("503 Loading model", 3.0, rate_limited=True)),
        (failure(429, "slow"), Retry("429 slow", None, rate_limited=True)),
        *((Reply(status, "busy"), Retry(f"{status} busy")) for status in (408, 409, 425, 500)),
        (Reply(200, "<html>Sign in"), Retry("not a model's reply: Sign in")),
        (Reply(200, ""), Retry("not a model's reply: nothing")),
        (Reply(302, "the server points to /x"), StopRun("302 the server points to /x; check --base-url")),
        *map(
            without_completion,
            (5, {"choices": 5}, {"choices": []}, {"choices": ["a"]}, {"choices": [{"message": 1}]}, BROKEN),
        ),
        (Reply(200, {"error": "the model crashed"}), Retry("502 the model crashed")),
        *((failure(200, "upstream", code=code), Retry("502 upstream")) for code in (None, 399, 600, "x")),
        (failure(200, "wrong", code=400), failed("400 wrong")),
        (failure(401, "no"), StopRun(f"401 no; {KEY_STEP}")),
        (failure(403, "no"), StopRun("403 no; check that the key is one for this model")),
        (failure(404, "no"), StopRun("404 no; check --model, and --base-url, which usually ends in /v1")),
        (failure(429, "pay", code="insufficient_quota"), StopRun("429 pay; check the account")),
        (failure(400, "bad request"), failed("400 bad request")),
        (Reply(400, [{"error": {"message": "bad request"}}]), failed("400 bad request")),
        (Reply(400, {"detail": "bad request"}), failed("400 bad request")),
        (failure(400, "no", code="content_filter"), Completion("refused", error="400 no")),
        (failure(400, NOT_SUPPORTED), Completion("overflow", error=f"400 {NOT_SUPPORTED}")),
        (failure(400, REACHED), Completion("all-reasoning", finish_reason="length", error=f"400 {REACHED}")),
        (failure(400, TOO_LARGE), failed(f"400 {TOO_LARGE}")),
        (failure(400, USE_ANOTHER), UnsupportedParameter("max_tokens", f"400 {USE_ANOTHER}")),
        (failure(422, "unknown field `seed`"), UnsupportedParameter("seed", "422 unknown field `seed`")),
        (failure(400, "deprecated", param="temperature"), UnsupportedParameter("temperature", "400 deprecated")),
    ],
)
def test_an_error_means(reply, outcome):
    decided = decide(reply, {"messages": [], "max_tokens": 5, "temperature": 0, "seed": 1})
    assert (type(decided), decided) == (type(outcome), outcome)


@pytest.mark.parametrize(("status", "body"), OVERFLOWS.values(), ids=OVERFLOWS)
def test_an_overflow_is_recognised_in_every_dialect_and_its_text_is_no_answer(status, body):
    outcome = decide(Reply(status, body), {"max_tokens": 5})
    assert (type(outcome), outcome.status, outcome.answer, bool(outcome.error)) == (Completion, "overflow", None, True)


PARTS = [{"type": "thinking", "thinking": "why"}, {"type": "text", "text": "B"}, "?"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": "B"}, ("ok", "B", None, ())),
        *(({"content": "B", name: "why"}, ("ok", "B", "why", ())) for name in ("reasoning", "thinking")),
        ({"content": "B", "reasoning": "why", "reasoning_content": "why"}, ("ok", "B", "why", ())),
        ({"content": "B", "reasoning": 5, "thinking": "why"}, ("ok", "B", "why", ())),
        ({"content": "B", "reasoning_details": [{"summary": "w"}, {"text": "hy"}]}, ("ok", "B", "why", ())),
        ({"content": PARTS}, ("ok", "B", "why", ())),
        ({"content": [{"text": "B"}, {"type": "output_text", "text": "C"}]}, ("ok", "BC", None, ())),
        ({"content": " <think>why</think>B"}, ("ok", "B", "why", ("think-dropped",))),
        ({"content": "why</think>B"}, ("ok", "B", "why", ("think-dropped",))),
        ({"content": "A <think> is a tag </think>"}, ("ok", "A <think> is a tag </think>", None, ())),
        ({"content": "<think>why"}, ("all-reasoning", None, "why", ("unclosed-think",))),
        ({"content": None, "reasoning_content": "why"}, ("all-reasoning", None, "why", ())),
        ({"content": " "}, ("ok", " ", None, ("empty-answer",))),
        ({"content": None, "refusal": "I cannot."}, ("refused", None, None, ())),
    ],
)
def test_an_answer_and_its_thoughts_are_kept_apart(message, expected):
    read = decide(Reply(200, completion(message)), {})
    assert (read.status, read.answer, read.reasoning, read.flags) == expected


def test_the_reason_for_the_end_and_the_tokens_are_read_wherever_the_server_puts_them():
    assert read_completion({"choices": [{"text": "B"}]}) == Completion("ok", "B")
    hidden = completion({"content": ""}, completion_tokens_details={"reasoning_tokens": 128})
    for body in (completion({"content": ""}, "length"), hidden, completion({"content": ""}, reasoning_tokens=1)):
        assert read_completion(body).status == "all-reasoning"
    read = read_completion(completion({"content": "It is"}, "length"))
    assert (read.status, read.answer, read.finish_reason, read.flags) == (
        "ok",
        "It is",
        "length",
        ("stopped-at-length",),
    )
    withheld = read_completion(completion({"content": "The story"}, "content_filter"))
    assert (withheld.status, withheld.answer, withheld.error) == ("refused", None, "the server withheld the answer")
    assert read_completion(completion({"refusal": "I cannot."})).error == "I cannot."
    cached = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 8}}
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "cached_tokens": 8}
    assert read_completion(completion({"content": "B"}, **cached)).usage == usage


def test_details_that_a_server_gives_in_a_form_of_its_own_cost_no_answer():
    body = completion({"content": "B", "reasoning_details": 5}, prompt_tokens=9, prompt_tokens_details=[1])
    read = read_completion({**body, "model": 7, "system_fingerprint": {"a": 1}})
    assert (read.answer, read.usage, read.model, read.fingerprint) == ("B", {"prompt_tokens": 9}, "7", "{'a': 1}")
    assert read_completion({**body, "usage": [1]}).answer == "B"
    assert read_completion({**body, "usage": {"prompt_tokens": -5, "completion_tokens": 10**30}}).usage == {}


def test_the_body_and_the_pause_that_the_server_asks_for_are_read():
    both = {"retry-after-ms": "1500", "retry-after": "9"}
    for headers, pause in (({"retry-after": "20"}, 20.0), ({"retry-after": "1.2.3"}, None), (both, 1.5)):
        assert _reply(httpx.Response(429, headers=headers), b'{"a": 1}') == Reply(429, {"a": 1}, pause)
    assert _reply(httpx.Response(502), b"x" * 3_000).body == "x" * 2_000
