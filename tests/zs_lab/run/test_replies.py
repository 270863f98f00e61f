"""What a server's reply means."""

from typing import Any

from model_stand_in import OVERFLOWS

from zs_bench.run_records.journal import Completion
from zs_lab.run.replies import Reply, Retry, StopRun, UnsupportedParameter, decide, read_completion


def completion(message: dict[str, Any], finish_reason: str = "stop", **usage: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": finish_reason}], "usage": usage}


def test_an_overflow_is_recognised_in_every_dialect_and_its_text_is_no_answer() -> None:
    for status, body in OVERFLOWS.values():
        completion = decide(Reply(status, body), {"max_tokens": 5})
        assert isinstance(completion, Completion)
        assert (completion.status, completion.answer) == ("overflow", None)
        assert completion.error


def test_an_error_means() -> None:
    cases: list[tuple[Reply, object]] = [
        (Reply(None, "no connection"), Retry("no connection")),
        (Reply(503, "<html>busy</html>"), Retry("503 busy")),
        (Reply(503, {"error": {"message": "Loading model"}}, 3.0), Retry("503 Loading model", 3.0, rate_limited=True)),
        (Reply(429, {"error": {"message": "slow"}}), Retry("429 slow", None, rate_limited=True)),
        (Reply(200, "<html>Sign in"), Retry("200 without a completion: Sign in")),
        (Reply(200, {"choices": []}), Retry("200 without a completion: {'choices': []}")),
        (Reply(200, {"choices": ["a"]}), Retry("200 without a completion: {'choices': ['a']}")),
        (
            Reply(200, {"choices": [{"message": "a"}]}),
            Retry("200 without a completion: {'choices': [{'message': 'a'}]}"),
        ),
        (Reply(200, {"error": "the model crashed"}), Retry("502 the model crashed")),
        (Reply(200, {"error": {"message": "upstream"}}), Retry("502 upstream")),
        (Reply(403, {"error": {"message": "no"}}), StopRun("403 no; check that the key is one for this model")),
        (
            Reply(404, {"error": {"message": "no model"}}),
            StopRun("404 no model; check --model, and --base-url, which usually ends in /v1"),
        ),
        (
            Reply(429, {"error": {"message": "pay", "code": "insufficient_quota"}}),
            StopRun("429 pay; check the account"),
        ),
        (Reply(400, {"error": {"message": "bad request"}}), Completion("failed", error="400 bad request")),
        (Reply(400, [{"error": {"message": "bad request"}}]), Completion("failed", error="400 bad request")),
        (Reply(409, "busy"), Retry("409 busy")),
        (Reply(400, {"error": {"message": "no", "code": "content_filter"}}), Completion("refused", error="400 no")),
        (
            Reply(400, {"error": {"message": "max_tokens=5 is not supported: maximum context length is 4"}}),
            Completion("overflow", error="400 max_tokens=5 is not supported: maximum context length is 4"),
        ),
        (
            Reply(400, {"error": {"message": "max_tokens or model output limit was reached"}}),
            Completion("all-reasoning", None, None, "length", error="400 max_tokens or model output limit was reached"),
        ),
        # a number of tokens that is too large is not a parameter that is not supported
        (
            Reply(400, {"error": {"message": "max_tokens is too large: 9. This model takes at most 8."}}),
            Completion("failed", error="400 max_tokens is too large: 9. This model takes at most 8."),
        ),
    ]
    for reply, outcome in cases:
        assert decide(reply, {"max_tokens": 5}) == outcome


def test_a_parameter_that_the_server_does_not_take_is_learned() -> None:
    sent = {"max_tokens": 5, "temperature": 0, "seed": 1}
    for message, parameter in (
        (
            "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
            0,
        ),
        ("Unsupported value: 'temperature' does not support 0 with this model.", 1),
        ("[{'type': 'extra_forbidden', 'loc': ('body', 'seed')}]", 2),
        ("unknown field `seed`", 2),
    ):
        for status in (400, 422):
            outcome = decide(Reply(status, {"error": {"message": message}}), sent)
            assert outcome == UnsupportedParameter(list(sent)[parameter], f"{status} {message}")


def test_an_answer_and_its_thoughts_are_kept_apart() -> None:
    cases: list[tuple[dict[str, Any], str, str | None, str | None, tuple[str, ...]]] = [
        ({"content": "B"}, "ok", "B", None, ()),
        ({"content": "B", "reasoning_content": "why"}, "ok", "B", "why", ()),
        ({"content": "B", "reasoning": "why"}, "ok", "B", "why", ()),
        ({"content": "B", "reasoning": "why", "reasoning_content": "why"}, "ok", "B", "why", ()),
        ({"content": "B", "thinking": "why"}, "ok", "B", "why", ()),
        ({"content": "B", "reasoning_details": [{"type": "reasoning.text", "text": "why"}]}, "ok", "B", "why", ()),
        ({"content": [{"type": "thinking", "thinking": "why"}, {"type": "text", "text": "B"}]}, "ok", "B", "why", ()),
        ({"content": "<think>why</think>B"}, "ok", "B", "why", ("think-dropped",)),
        ({"content": "why</think>B"}, "ok", "B", "why", ("think-dropped",)),
        ({"content": "A <think> is a tag </think>"}, "ok", "A <think> is a tag </think>", None, ()),
        ({"content": "<think>why"}, "all-reasoning", None, "why", ("unclosed-think",)),
        ({"content": None, "reasoning_content": "why"}, "all-reasoning", None, "why", ()),
        ({"content": "", "reasoning": "why"}, "all-reasoning", None, "why", ()),
        ({"content": ""}, "ok", "", None, ("empty-answer",)),
        ({"content": None, "refusal": "I cannot."}, "refused", None, None, ()),
    ]
    for message, *expected in cases:
        read = read_completion(completion(message))
        assert [read.status, read.answer, read.reasoning, read.flags] == expected


def test_the_reason_for_the_end_and_the_tokens_are_read_wherever_the_server_puts_them() -> None:
    assert read_completion({"choices": [{"text": "B"}]}) == Completion("ok", "B")
    hidden = completion({"content": ""}, completion_tokens_details={"reasoning_tokens": 128})
    for body in (completion({"content": ""}, "length"), hidden):
        assert read_completion(body).status == "all-reasoning"
    read = read_completion(completion({"content": "It is"}, "length"))
    assert (read.status, read.answer, read.flags) == ("ok", "It is", ("stopped-at-length",))
    assert read_completion(completion({"content": "The story"}, "content_filter")).answer is None
    counts = completion(
        {"content": "B"}, prompt_tokens=9, completion_tokens=2, prompt_tokens_details={"cached_tokens": 8}
    )
    assert read_completion(counts).usage == {"prompt_tokens": 9, "completion_tokens": 2, "cached_tokens": 8}
    broken = {"choices": [{"message": {"content": ""}, "finish_reason": "error", "error": {"message": "lost"}}]}
    assert isinstance(decide(Reply(200, broken), {}), Retry)


def test_details_that_a_server_gives_in_a_form_of_its_own_cost_no_answer() -> None:
    body = completion({"content": "B", "reasoning_details": 5}, prompt_tokens=9, prompt_tokens_details=[1])
    read = decide(Reply(200, {**body, "model": 7, "system_fingerprint": {"a": 1}}), {})
    assert isinstance(read, Completion)
    assert (read.answer, read.usage, read.model, read.fingerprint) == ("B", {"prompt_tokens": 9}, "7", "{'a': 1}")
    assert decide(Reply(200, {**body, "usage": [1]}), {}).answer == "B"  # type: ignore[union-attr]
