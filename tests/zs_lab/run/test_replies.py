"""What a server's reply means."""

import pytest
from model_stand_in import OVERFLOWS

from zs_bench.run_records.journal import Completion
from zs_lab.run.replies import Reply, Retry, StopRun, UnsupportedParameter, decide, read_completion


def completion(message, finish_reason="stop", **usage):
    return {"choices": [{"message": message, "finish_reason": finish_reason}], "usage": usage}


def failure(status, message, **more):
    return Reply(status, {"error": {"message": message, **more}})


@pytest.mark.parametrize(("status", "body"), OVERFLOWS.values(), ids=OVERFLOWS)
def test_an_overflow_is_recognised_in_every_dialect_and_its_text_is_no_answer(status, body):
    outcome = decide(Reply(status, body), {"max_tokens": 5})
    assert isinstance(outcome, Completion)
    assert (outcome.status, outcome.answer, bool(outcome.error)) == ("overflow", None, True)


NOT_SUPPORTED = "max_tokens=5 is not supported: maximum context length is 4"
REACHED = "max_tokens or model output limit was reached"
TOO_LARGE = "max_tokens is too large: 9. This model takes at most 8."  # which is not that it is not supported


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Reply(None, "no connection"), Retry("no connection")),
        (Reply(503, "<html>busy</html>"), Retry("503 busy")),
        (Reply(503, {"error": {"message": "Loading model"}}, 3.0), Retry("503 Loading model", 3.0, rate_limited=True)),
        (failure(429, "slow"), Retry("429 slow", None, rate_limited=True)),
        (Reply(409, "busy"), Retry("409 busy")),
        (Reply(200, "<html>Sign in"), Retry("200 without a completion: Sign in")),
        (Reply(200, {"choices": []}), Retry("200 without a completion: {'choices': []}")),
        (Reply(200, {"choices": ["a"]}), Retry("200 without a completion: {'choices': ['a']}")),
        (Reply(200, {"choices": [{"message": 1}]}), Retry("200 without a completion: {'choices': [{'message': 1}]}")),
        (Reply(200, {"error": "the model crashed"}), Retry("502 the model crashed")),
        (failure(200, "upstream"), Retry("502 upstream")),
        (failure(200, "wrong", code=400), Completion("failed", error="400 wrong")),
        (failure(403, "no"), StopRun("403 no; check that the key is one for this model")),
        (failure(404, "no"), StopRun("404 no; check --model, and --base-url, which usually ends in /v1")),
        (failure(429, "pay", code="insufficient_quota"), StopRun("429 pay; check the account")),
        (failure(400, "bad request"), Completion("failed", error="400 bad request")),
        (Reply(400, [{"error": {"message": "bad request"}}]), Completion("failed", error="400 bad request")),
        (failure(400, "no", code="content_filter"), Completion("refused", error="400 no")),
        (failure(400, NOT_SUPPORTED), Completion("overflow", error=f"400 {NOT_SUPPORTED}")),
        (failure(400, REACHED), Completion("all-reasoning", finish_reason="length", error=f"400 {REACHED}")),
        (failure(400, TOO_LARGE), Completion("failed", error=f"400 {TOO_LARGE}")),
    ],
)
def test_an_error_means(reply, outcome):
    assert decide(reply, {"max_tokens": 5}) == outcome


def test_a_parameter_that_the_server_does_not_take_is_learned():
    for message, parameter in (
        ("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.", "max_tokens"),
        ("Unsupported value: 'temperature' does not support 0 with this model.", "temperature"),
        ("[{'type': 'extra_forbidden', 'loc': ('body', 'seed')}]", "seed"),
        ("unknown field `seed`", "seed"),
    ):
        for status in (400, 422):
            outcome = decide(failure(status, message), {"max_tokens": 5, "temperature": 0, "seed": 1})
            assert outcome == UnsupportedParameter(parameter, f"{status} {message}")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": "B"}, ("ok", "B", None, ())),
        ({"content": "B", "reasoning_content": "why"}, ("ok", "B", "why", ())),
        ({"content": "B", "reasoning": "why", "reasoning_content": "why"}, ("ok", "B", "why", ())),
        ({"content": "B", "thinking": "why"}, ("ok", "B", "why", ())),
        ({"content": "B", "reasoning_details": [{"type": "reasoning.text", "text": "why"}]}, ("ok", "B", "why", ())),
        ({"content": [{"type": "thinking", "thinking": "why"}, {"type": "text", "text": "B"}]}, ("ok", "B", "why", ())),
        ({"content": [{"type": "output_text", "text": "B"}]}, ("ok", "B", None, ())),
        ({"content": [{"text": "B"}], "reasoning_details": [{"text": "why"}]}, ("ok", "B", "why", ())),
        ({"content": "<think>why</think>B"}, ("ok", "B", "why", ("think-dropped",))),
        ({"content": "why</think>B"}, ("ok", "B", "why", ("think-dropped",))),
        ({"content": "A <think> is a tag </think>"}, ("ok", "A <think> is a tag </think>", None, ())),
        ({"content": "<think>why"}, ("all-reasoning", None, "why", ("unclosed-think",))),
        ({"content": None, "reasoning_content": "why"}, ("all-reasoning", None, "why", ())),
        ({"content": "", "reasoning": "why"}, ("all-reasoning", None, "why", ())),
        ({"content": ""}, ("ok", "", None, ("empty-answer",))),
        ({"content": None, "refusal": "I cannot."}, ("refused", None, None, ())),
    ],
)
def test_an_answer_and_its_thoughts_are_kept_apart(message, expected):
    read = read_completion(completion(message))
    assert (read.status, read.answer, read.reasoning, read.flags) == expected


def test_the_reason_for_the_end_and_the_tokens_are_read_wherever_the_server_puts_them():
    assert read_completion({"choices": [{"text": "B"}]}) == Completion("ok", "B")
    hidden = completion({"content": ""}, completion_tokens_details={"reasoning_tokens": 128})
    for body in (completion({"content": ""}, "length"), hidden):
        assert read_completion(body).status == "all-reasoning"
    read = read_completion(completion({"content": "It is"}, "length"))
    assert (read.status, read.answer, read.flags) == ("ok", "It is", ("stopped-at-length",))
    assert read_completion(completion({"content": "The story"}, "content_filter")).answer is None
    cached = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 8}}
    read = read_completion(completion({"content": "B"}, **cached))
    assert read.usage == {"prompt_tokens": 9, "completion_tokens": 2, "cached_tokens": 8}
    broken = {"choices": [{"message": {"content": ""}, "finish_reason": "error", "error": {"message": "lost"}}]}
    assert isinstance(decide(Reply(200, broken), {}), Retry)


def test_details_that_a_server_gives_in_a_form_of_its_own_cost_no_answer():
    body = completion({"content": "B", "reasoning_details": 5}, prompt_tokens=9, prompt_tokens_details=[1])
    read = read_completion({**body, "model": 7, "system_fingerprint": {"a": 1}})
    assert (read.answer, read.usage, read.model, read.fingerprint) == ("B", {"prompt_tokens": 9}, "7", "{'a': 1}")
    assert read_completion({**body, "usage": [1]}).answer == "B"
