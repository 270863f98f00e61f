"""What a server's reply means: an answer, a reason to ask again, or the end of this prompt or of the whole run.

Only a completion is an answer. The text of an error never is. Reasoning arrives as `reasoning_content`, `reasoning`,
`thinking` or `reasoning_details`, in parts of the content, or between `<think>` and `</think>` in the answer itself.

Sources of the dialects: OpenAI and Azure (`code`), vLLM, SGLang, llama.cpp (`type`), TGI, Anthropic, Gemini.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from zs_bench.runs.outcomes import (
    ALL_REASONING,
    AT_LENGTH,
    EMPTY,
    FAILED,
    OK,
    OVERFLOW,
    REFUSED,
    THINK_DROPPED,
    UNCLOSED_THINK,
    AskAgain,
    Ended,
    NotTaken,
    Outcome,
    Reply,
    StopRun,
)

_OVERFLOW = re.compile(
    r"context[_ ](?:length|window|size)|prompt is too long|`inputs` tokens \+ `max_new_tokens`|"
    r"input token count .*exceed|input .*(?:longer|exceeds) .*(?:maximum|model)|token count exceeds|"
    r"exceed_context_size|reduce the length of the (?:messages|prompt|input)",
    re.IGNORECASE | re.DOTALL,
)
_FILTERED = re.compile(r"content[_ ]?(?:filter|policy|management)|moderation|flagged|safety", re.IGNORECASE)
_NEVER = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.IGNORECASE)
_NOT_TAKEN = re.compile(
    r"unsupported|not supported|does not support|unrecognized|unknown|not permitted|extra (?:inputs|fields)|"
    r"extra_forbidden|deprecated|not allowed|unexpected",
    re.IGNORECASE,
)
_TOO_FEW = re.compile(r"(?:max_tokens|output limit|max_completion_tokens).*(?:was )?reached", re.IGNORECASE | re.DOTALL)
#: What to do about an error after which no prompt can succeed.
_NEXT = {
    401: "put the right key into the environment variable OPENAI_API_KEY, or name another with --key-env",
    403: "check that the key is one for this model",
    404: "check --model and --base-url",
}
#: What may be left out of a request, or be called otherwise, when a server does not take it.
ADJUSTABLE = ("max_tokens", "max_completion_tokens", "temperature", "seed")


def decide(reply: Reply, sent: Mapping[str, Any]) -> Outcome:
    """What the reply to a request with these parameters means.

    >>> decide(Reply(503), {}), decide(Reply(404, {"error": {"message": "Who?"}}), {})
    (AskAgain(why='503', wait=None, crowded=False), StopRun(why='404 Who?; check --model and --base-url'))
    """
    if reply.status is None:
        return AskAgain(error_text(reply))
    if reply.status == 200 and isinstance(reply.body, dict):
        if reply.body.get("choices"):
            return read_completion(reply.body)
        if isinstance(reply.body.get("error"), dict):  # some routers report an error of the model's server like this
            return decide(Reply(_code_inside(reply.body["error"]), reply.body, reply.retry_after), sent)
    if reply.status < 400:
        return AskAgain(f"{reply.status} without a completion")
    return _of_error(reply, reply.status, sent)


def _of_error(reply: Reply, status: int, sent: Mapping[str, Any]) -> Outcome:
    why, everything = error_text(reply), str(reply.body)
    parameter = _refused_parameter(reply.body, sent) if status in (400, 422) else None
    if parameter and not _OVERFLOW.search(everything):
        return NotTaken(parameter, why)
    if ended := _end_of_prompt(status, everything):
        return Ended(ended, finish_reason="length" if ended == ALL_REASONING else None, error=why)
    if status in (401, 402, 403, 404) or (status == 429 and _NEVER.search(everything)):
        return StopRun(f"{why}; {_NEXT.get(status, 'check the account')}")
    if status in (408, 409, 425, 429) or status >= 500:
        return AskAgain(why, reply.retry_after, crowded=status == 429 or reply.retry_after is not None)
    return Ended(FAILED, error=why)


def _end_of_prompt(status: int, text: str) -> str | None:
    """The status of a prompt that can have no answer, by the text of the error; `None` when that does not say."""
    if status in (400, 403, 413, 422, 500) and _OVERFLOW.search(text):
        return OVERFLOW
    if status in (400, 422) and _TOO_FEW.search(text):  # the o-series, when its thoughts take all tokens
        return ALL_REASONING
    if status in (400, 403, 422) and _FILTERED.search(text):
        return REFUSED
    return FAILED if status == 429 and "request too large" in text.lower() else None


def _code_inside(error: Mapping[str, Any]) -> int:
    code = error.get("code")
    return code if isinstance(code, int) and 400 <= code < 600 else 400 if _OVERFLOW.search(str(error)) else 502


def error_text(reply: Reply) -> str:
    """Status and message of an error, at most 500 characters."""
    body = reply.body
    error = body.get("error", body) if isinstance(body, dict) else body
    message = error.get("message") or error.get("detail") or error if isinstance(error, dict) else error
    return " ".join(str(part) for part in (reply.status, message) if part not in (None, ""))[:500]


def _refused_parameter(body: Any, sent: Mapping[str, Any]) -> str | None:
    """The parameter that was sent and is not taken, `None` when the error is about something else."""
    error = body.get("error", body) if isinstance(body, dict) else body
    text = str(error)
    if not _NOT_TAKEN.search(text):
        return None
    named = error.get("param") if isinstance(error, dict) else None
    if named in sent and named in ADJUSTABLE:
        return str(named)
    found = [(match.start(), name) for name in ADJUSTABLE if (match := re.search(rf"\b{name}\b", text))]
    return next((name for _, name in sorted(found) if name in sent), None)


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
