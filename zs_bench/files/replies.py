"""Replies of models' servers, as batches and home-made rows keep them: the answer, why it ended, why there is none.

| batch | answer | why it ended | why there is none |
|---|---|---|---|
| OpenAI, `/v1/chat/completions`, `/v1/completions` | `content` or `text` of the choice of lowest index | `finish_reason` | `error`, `refusal` |
| OpenAI, `/v1/responses` | the texts of `output` | `incomplete_details` | `error`, `refusal` |
| Anthropic | the texts of `content` | `stop_reason` | `error`, or the `type` of the result |
| Gemini | the texts of the first candidate, without thoughts | `finishReason` | `error`, `blockReason` |

Why an answer ended is looked for in the fields of these names of any row, also inside its objects.
"""  # noqa: E501  (a table)

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from zs_bench.files.json_text import JsonNumber, JsonObject, fields, first, written

#: The fields that say why an answer ended, in lowercase without `_`.
_STOP_FIELDS = frozenset({"finishreason", "finishreasons", "stopreason", "stopreasons", "donereason"})
#: What stands in them, in lowercase, and what it means: the limit of tokens, or a filter.
LENGTH, FILTER = "length", "filter"
_STOPS = dict.fromkeys(("length", "max_tokens", "max_output_tokens", "max_completion_tokens", "max_new_tokens"), LENGTH)
_STOPS |= dict.fromkeys(("content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii"), FILTER)
# How deep fields are looked for in a row.
_DEEPEST = 5


class BatchReply(NamedTuple):
    """A reply: its id as written, and the answer, or in `failed` why there is none."""

    id: Any
    answer: str | None
    failed: str = ""


def stop_of(row: Mapping[str, Any]) -> str:
    """Return `LENGTH` or `FILTER` where a row says that its answer ended so; else nothing.

    >>> stop_of({"id": "7", "output": JsonObject([("stop_reason", "max_tokens")])}), stop_of({"finish_reason": "stop"})
    ('length', '')
    """
    return next((stop for value in _stop_values(row, _DEEPEST) if (stop := _STOPS.get(value.strip().lower(), ""))), "")


def _stop_values(row: Mapping[str, Any], deepest: int) -> Iterator[str]:
    """Yield the values of the fields that say why an answer ended, the outermost first."""
    for name, value in row.items():
        if is_stop_field(name):
            yield from filter(None, map(written, value if type(value) is list else [value]))
        elif name == "incomplete_details":
            yield written(fields(value).get("reason")) or ""
    for value in row.values() if deepest else ():
        yield from _stop_values(chosen(value), deepest - 1)


def is_stop_field(name: str) -> bool:
    """Return whether a field or column of this name says why an answer ended."""
    return name.replace("_", "").strip().lower() in _STOP_FIELDS


def chosen(values: object) -> dict[str, Any]:
    """Return the fields of an object, or of the object of lowest `index` in a list: the first one without any."""
    if type(values) is not list:
        return fields(values)
    objects = [fields(value) for value in values if isinstance(value, JsonObject)]
    return min(objects, key=_index, default={})


def _index(choice: Mapping[str, Any]) -> int:
    text = written(choice.get("index")) or ""
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def failure_of(row: Mapping[str, Any]) -> str:
    """Return why a row has no answer: the code and message of its error in one line; nothing if it has none.

    >>> failure_of({"error": JsonObject([("code", "rate_limit"), ("message", "Slow down.")])})
    'rate_limit: Slow down.'
    """
    error = row.get("error")
    while isinstance(inner := fields(error).get("error"), JsonObject):
        error = inner
    if not isinstance(error, JsonObject):
        return written(error) or ""
    names = fields(error)
    code = next((text for name in ("code", "type", "status") if (text := written(names.get(name)))), "")
    return ": ".join(filter(None, (code, written(names.get("message")) or "")))


def read_batch_reply(row: Mapping[str, Any]) -> BatchReply | None:
    """Return the reply in a row of a batch's results; `None` for any other row."""
    reply = None if "prediction" in row else _read(row)
    if reply and reply.failed == _NO_TEXT and stop_of(row) == LENGTH:
        return reply._replace(failed=f"{_NO_TEXT}, and ended at the limit of tokens")
    return reply


def _read(row: Mapping[str, Any]) -> BatchReply | None:
    if "custom_id" in row and isinstance(row.get("result"), JsonObject):
        return BatchReply(row["custom_id"], *_of_anthropic(fields(row["result"])))
    response, name = fields(row.get("response")), row.get("custom_id", row.get("key"))
    if "key" in row and not {"candidates", "promptFeedback"} & response.keys() and not _is_failed(row):
        return None
    if "key" in row or (name is not None and "candidates" in response):
        return BatchReply(name, *_of_gemini(response, row))
    return BatchReply(name, *_of_openai(response, row)) if "custom_id" in row and "response" in row else None


def _is_failed(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("error"), JsonObject) and "response" not in row


def _of_openai(response: Mapping[str, Any], row: Mapping[str, Any]) -> tuple[str | None, str]:
    status, body = response.get("status_code"), fields(response.get("body"))
    choice = chosen(body.get("choices"))
    message = fields(choice.get("message"))
    if failed := failure_of(row) or failure_of(body):
        return None, failed
    if isinstance(status, JsonNumber) and status.text != "200":
        return None, f"status {status.text}"
    if stop_of(body) == FILTER:
        return None, "a filter withheld the answer"
    outputs = body.get("output")
    messages = [fields(part) for part in outputs] if type(outputs) is list else []
    answer = text_of(message.get("content") if message else choice.get("text"))
    if messages:
        parts = [text_of(part.get("content")) for part in messages if part.get("type") == "message"]
        texts = [text for text in parts if text is not None]
        answer = "".join(texts) if texts else None
    refusal = written(message.get("refusal")) or written(first(chosen(outputs).get("content")).get("refusal"))
    return answer, "" if answer is not None else f"refused: {refusal}" if refusal else _NO_TEXT


_NO_TEXT = "the reply has no text"


def _of_anthropic(result: Mapping[str, Any]) -> tuple[str | None, str]:
    if result.get("type") != "succeeded":
        return None, failure_of(result) or written(result.get("type")) or _NO_TEXT
    message = fields(result.get("message"))
    if message.get("stop_reason") == "refusal":
        return None, "the model refused"
    answer = text_of(message.get("content"))
    return answer, "" if answer is not None else _NO_TEXT


def _of_gemini(response: Mapping[str, Any], row: Mapping[str, Any]) -> tuple[str | None, str]:
    if failed := failure_of(row):
        return None, failed
    candidate = chosen(response.get("candidates"))
    blocked = written(fields(response.get("promptFeedback")).get("blockReason"))
    answer = text_of(fields(candidate.get("content")).get("parts"))
    if answer is not None and stop_of(candidate) != FILTER:
        return answer, ""
    return None, f"blocked: {blocked}" if blocked else "a filter withheld the answer" if candidate else _NO_TEXT


def text_of(content: object) -> str | None:
    """Return the text of a message: itself, or that of its parts, without thoughts; `None` if it has none."""
    if type(content) is not list:
        return content if isinstance(content, str) else None
    parts = [fields(part) for part in content]
    texts = [part["text"] for part in parts if isinstance(part.get("text"), str) and part.get("thought") is not True]
    return "".join(texts) if texts else None


def choices_in(row: Mapping[str, Any]) -> int:
    """Return how many answers a row of a batch holds."""
    response = fields(row.get("response"))
    values = fields(response.get("body")).get("choices") or response.get("candidates")
    return len(values) if type(values) is list else 0
