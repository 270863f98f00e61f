"""The answer in a completion, apart from the thoughts.

Reasoning arrives as `reasoning_content`, `reasoning`, `thinking` or `reasoning_details`, in parts of the content, or
between `<think>` and `</think>` in the answer itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from zs_bench.runs.outcomes import ALL_REASONING, AT_LENGTH, EMPTY, OK, REFUSED, THINK_DROPPED, UNCLOSED_THINK, Ended


def read_completion(body: Mapping[str, Any]) -> Ended:
    """The answer in a completion, or why it has none.

    >>> read_completion({"choices": [{"message": {"content": "<think>A? No.</think>B"}}]}).answer
    'B'
    """
    choice = body["choices"][0] if isinstance(body["choices"], list) else {}
    message = choice.get("message") or {}
    reason = choice.get("finish_reason")
    text = _content(message) if "message" in choice else choice.get("text") or ""
    answer, thought, flags = split_thoughts(text)
    reasoning = "".join([*_reasoning(message), thought])
    usage = _usage(body.get("usage") or {})
    status = _status(answer, reasoning, reason, message.get("refusal"), usage)
    flags += (AT_LENGTH,) if reason == "length" else ()
    flags += (EMPTY,) if status == OK and not answer.strip() else ()
    return Ended(
        status,
        answer if status == OK else None,
        reasoning or None,
        reason,
        body.get("model"),
        body.get("system_fingerprint"),
        usage,
        flags,
        str(message.get("refusal") or "the server withheld the answer")[:500] if status == REFUSED else None,
    )


def _status(answer: str, reasoning: str, reason: str | None, refusal: Any, usage: Mapping[str, int]) -> str:
    if refusal or reason == "content_filter":
        return REFUSED
    if answer.strip():
        return OK
    thought = reasoning.strip() or usage.get("reasoning_tokens")
    return ALL_REASONING if thought or reason == "length" else OK


def split_thoughts(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Answer, thoughts and flags of a text that may begin with `<think>…</think>`.

    The opening tag may be missing, where the chat template has it. Thoughts that never end leave no answer.

    >>> split_thoughts("<think>A or B?")
    ('', 'A or B?', ('unclosed-think',))
    """
    inner = text.lstrip()
    opened = inner.startswith("<think>")
    thought, closed, rest = inner.removeprefix("<think>").partition("</think>")
    if closed and (opened or "<think>" not in thought):
        return rest, thought, (THINK_DROPPED,)
    return ("", thought, (UNCLOSED_THINK,)) if opened else (text, "", ())


def _content(message: Mapping[str, Any]) -> str:
    """The text of a message, whose content is a text or a list of parts."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if _is_text(part))
    return content if isinstance(content, str) else ""


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in ("text", "output_text", None)


def _reasoning(message: Mapping[str, Any]) -> Iterator[str]:
    """What the fields of reasoning hold; a server that fills two of them means the same text."""
    for name in ("reasoning_content", "reasoning", "thinking"):
        if isinstance(message.get(name), str) and message[name]:
            yield message[name]
            return
    content = message.get("content")
    parts = [*(message.get("reasoning_details") or ()), *(content if isinstance(content, list) else ())]
    for part in parts:
        if isinstance(part, dict) and part.get("type") not in ("text", "output_text"):
            yield str(part.get("text") or part.get("summary") or part.get("thinking") or "")


def _usage(usage: Mapping[str, Any]) -> dict[str, int]:
    """The numbers that matter, under one name each."""
    prompt = usage.get("prompt_tokens_details") or {}
    completion = usage.get("completion_tokens_details") or {}
    found = {
        "prompt_tokens": usage.get("prompt_tokens"),
        "completion_tokens": usage.get("completion_tokens"),
        "cached_tokens": prompt.get("cached_tokens"),
        "reasoning_tokens": completion.get("reasoning_tokens", usage.get("reasoning_tokens")),
    }
    return {name: value for name, value in found.items() if isinstance(value, int)}
