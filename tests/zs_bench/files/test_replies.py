"""Replies of servers in batches and rows: the answer, why it ended, and why there is none."""

import pytest
from report_schema import validated
from written_files import entries, read, score

from zs_bench.problems import lines
from zs_bench.reports.report import as_json, as_text

REFERENCES = {"quality": {"7": "A", "8": "B"}}
TOO_LONG = {"code": "context_length_exceeded", "message": "This model's maximum context length is 8192 tokens."}


def batch_reply(name, text, finish_reason="stop"):
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish_reason}
    return {"custom_id": name, "response": {"status_code": 200, "body": {"choices": [choice]}}, "error": None}


def inspect_sample(id_, completion, stop_reason="stop"):
    choice = {"message": {"role": "assistant", "content": completion}, "stop_reason": stop_reason}
    return {"id": id_, "epoch": 1, "output": {"choices": [choice], "completion": completion}}


def responses(name, text, status="completed", **more):
    """A reply to `/v1/responses`, with reasoning before the message."""
    message = {"type": "message", "content": [{"type": "output_text", "text": text}]}
    body = {"status": status, "output": [{"type": "reasoning", "summary": []}, message], **more}
    return {"custom_id": name, "response": {"status_code": 200, "body": body}, "error": None}


def anthropic(name, text, stop_reason="end_turn"):
    content = [{"type": "thinking", "thinking": "A?"}, {"type": "text", "text": text}]
    message = {"role": "assistant", "content": content, "stop_reason": stop_reason}
    return {"custom_id": name, "result": {"type": "succeeded", "message": message}}


def gemini(name, text, reason="STOP"):
    parts = [{"text": "A?", "thought": True}, {"text": text}]
    return {"key": name, "response": {"candidates": [{"content": {"parts": parts}, "finishReason": reason}]}}


def completion(name, text, reason="stop"):
    body = {"choices": [{"text": text, "index": 0, "finish_reason": reason}]}
    return {"custom_id": name, "response": {"status_code": 200, "body": body}}


CUT = {"reason": "max_output_tokens"}
#: A reply that is whole, and one that ended at the limit of tokens, in every batch.
BATCHES = (
    (batch_reply("7", "A"), batch_reply("8", "B", finish_reason="length")),
    (completion("7", "A"), completion("8", "B", "length")),
    (responses("7", "A"), responses("8", "B", "incomplete", incomplete_details=CUT)),
    (anthropic("7", "A"), anthropic("8", "B", "max_tokens")),
    (gemini("7", "A"), gemini("8", "B", "MAX_TOKENS")),
)
#: Rows of which the answer ended at the limit of tokens.
ROWS = (
    {"finish_reason": "length"},
    {"finishReason": "MAX_TOKENS"},
    {"Finish_Reason": " Length"},
    {"stop_reason": "max_tokens"},
    {"done_reason": "length"},
    {"finish_reasons": ["length"]},
    {"outputs": [{"text": "B", "finish_reason": "length", "stop_reason": None}]},
    {"raw": {"choices": [{"index": 1, "finish_reason": "stop"}, {"index": 0, "finish_reason": "length"}]}},
    {"meta": {"response": {"usage": {"n": 1}, "stop_reason": "max_tokens"}}},
)
NOT_CUT = ({}, {"finish_reason": "stop"}, {"finish_reason": None}, {"length": "length"}, {"stop_reason": 128009})


@pytest.mark.parametrize("rows", BATCHES)
def test_every_batch_has_its_answers_and_those_that_end_at_the_limit(rows):
    assert entries("quality.jsonl", [*rows]) == [("quality", "7", "A"), ("quality", "8", "B")]
    assert [entry.stop for entry in read("quality.jsonl", [*rows])] == ["", "length"]


@pytest.mark.parametrize("stop", ROWS)
def test_rows_of_any_shape_say_that_their_answer_ended_at_the_limit(tmp_path, stop):
    rows = [{"id": "7", "prediction": "A", "finish_reason": "stop"}, {"id": "8", "prediction": "A", **stop}]
    scored = score(tmp_path, {"quality.jsonl": rows}, REFERENCES)
    assert lines(scored.problems) == [
        "quality: 1 of 2 answers ends at the limit of tokens; it scores 0.0, the others 100.0"
    ]
    assert scored.refused == {}


def test_tables_and_logs_say_it_too_and_what_ended_otherwise_is_not_counted(tmp_path):
    table = "id,prediction,finish_reason\n7,A,length\n8,A,length\n"
    (line,) = lines(score(tmp_path / "a", {"quality.csv": table}, REFERENCES).problems)
    assert line == "quality: 2 of 2 answers end at the limit of tokens; those score 50.0"
    log = {"eval": {"task": "qasper"}, "samples": [inspect_sample("7", "a", "max_tokens"), inspect_sample("8", "b")]}
    assert [entry.stop for entry in read("log.json", log)] == ["length", ""]
    for more in NOT_CUT:
        assert [entry.stop for entry in read("a.jsonl", [{"id": "7", "prediction": "A", **more}])] == [""], more


def test_the_json_has_the_scores_of_those_that_ended_at_the_limit_or_by_a_filter_and_of_the_others(tmp_path):
    rows = [
        {"id": "7", "prediction": "A", "finish_reason": "length"},
        {"id": "8", "prediction": "A", "finish_reason": "content_filter"},
    ]
    scored = score(tmp_path, {"quality.jsonl": rows}, REFERENCES)
    assert validated(as_json(scored))["tasks"]["quality"]["stopped"] == {
        "length": {"score": 100, "n": 1},
        "filter": {"score": 0, "n": 1},
        "others": {"score": None, "n": 0},
    }
    assert "1 of 2 answers ends by a filter; it scores 0.0" in as_text(scored)


def test_a_failed_request_says_its_reason_and_one_that_was_sent_again_has_its_answer(tmp_path):
    refused = {"custom_id": "7", "response": {"status_code": 400, "body": {"error": TOO_LONG}}, "error": None}
    expired = {"custom_id": "7", "result": {"type": "expired"}}
    blocked = {"key": "7", "response": {"promptFeedback": {"blockReason": "SAFETY"}}}
    withheld = "(a filter withheld the answer)"
    declined = batch_reply("7", "x")
    declined["response"]["body"]["choices"][0]["message"] = {"content": None, "refusal": "I can't."}
    for number, (row, whole, reason) in enumerate((
        (refused, batch_reply("8", "B"), "(context_length_exceeded)"),
        ({"custom_id": "7", "response": None, "error": TOO_LONG}, batch_reply("8", "B"), "(context_length_exceeded)"),
        (expired, anthropic("8", "B"), "(expired)"),
        (blocked, gemini("8", "B"), "(blocked)"),
        ({"key": "7", "error": {"code": 429, "message": "Slow down"}}, gemini("8", "B"), "(429)"),
        (batch_reply("7", "x", finish_reason="content_filter"), batch_reply("8", "B"), withheld),
        (declined, batch_reply("8", "B"), "(refused)"),
        (batch_reply("7", None, "length"), batch_reply("8", "B"), "(the reply has no text, and ended at the limit"),
        (responses("7", None), responses("8", "B"), "(the reply has no text)"),
        ({"_id": "7", "error": "timed out"}, {"_id": "8", "pred": "B", "answers": ["B"]}, "(timed out)"),
        ({"id": "7", "prediction": None, "error": {"code": "x"}}, {"id": "8", "prediction": "B"}, "(x)"),
    )):  # fmt: skip
        folder = tmp_path / str(number)
        scored = score(folder, {"quality.jsonl": [whole, row]}, REFERENCES)
        (line,) = lines(scored.problems)
        assert line.startswith(f"quality: The request has no answer {reason}"), line
        assert "Send it again, or write an empty text" in line
    files = {"output.jsonl": [batch_reply("8", "B")], "errors.jsonl": [refused], "retry.jsonl": [batch_reply("7", "A")]}
    named = {f"quality/{name}": rows for name, rows in files.items()}
    scored = score(tmp_path / "again", named, REFERENCES)
    assert scored.tasks["quality"].score == 100
    line, *_ = lines(scored.problems)
    assert line.startswith("quality: Requests without an answer; other rows of these IDs have it, and are read")


def test_of_several_choices_that_of_the_lowest_index_is_read_and_they_are_counted(tmp_path):
    rows = [batch_reply("7", "B"), batch_reply("8", "B")]
    rows[0]["response"]["body"]["choices"].insert(0, {"index": 1, "message": {"content": "C"}, "finish_reason": "stop"})
    scored = score(tmp_path, {"quality.jsonl": rows}, {"quality": {"7": "B", "8": "B"}})
    assert scored.tasks["quality"].score == 100
    assert "1 row with several choices; that of the lowest index is read" in lines(scored.problems)[0]
