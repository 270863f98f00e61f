"""What a server's reply means: an answer, a reason to ask again, or the end of this prompt or of the whole run.

Only a completion is an answer. The text of an error never is. Reasoning arrives as `reasoning_content`, `reasoning`,
`thinking` or `reasoning_details`, in parts of the content, or between `<think>` and `</think>` in the answer itself.
Sources of the dialects: OpenAI and Azure (`code`), vLLM, SGLang, llama.cpp (`type`), TGI, Anthropic, Gemini.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

OK, OVERFLOW, ALL_REASONING, REFUSED, FAILED = "ok", "overflow", "all-reasoning", "refused", "failed"
#: What can become of a prompt. Only `ok` has an answer.
STATUSES = (OK, OVERFLOW, ALL_REASONING, REFUSED, FAILED)
#: The flags of an answer.
AT_LENGTH, THINK_DROPPED, UNCLOSED_THINK, EMPTY = "stopped-at-length", "think-dropped", "unclosed-think", "empty-answer"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for a request.

    Attributes:
        status: of HTTP; `None` when nothing came back (a lost connection, a time-out).
        body: the decoded JSON, else the text.
        retry_after: the pause in seconds that the server asks for, if any.
    """

    status: int | None
    body: Any = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The prompt has ended.

    Attributes:
        status: one of `STATUSES`.
        answer: the text to be scored; `None` for any status but `ok`.
        reasoning: what the model thought, where the server shows it.
        finish_reason, model, fingerprint, usage: as the server reports them; `usage` counts tokens.
    """

    status: str
    answer: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    model: str | None = None
    fingerprint: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class AskAgain:
    """A temporary failure; `wait` is the pause that the server asks for, in seconds."""

    why: str
    wait: float | None = None
    crowded: bool = False


@dataclass(frozen=True, slots=True)
class NotTaken:
    """The server does not accept this parameter."""

    parameter: str
    why: str


@dataclass(frozen=True, slots=True)
class StopRun:
    """No prompt can succeed: the key, the model's name, the address or the account is wrong."""

    why: str


Outcome = Ended | AskAgain | NotTaken | StopRun

_OVERFLOW = (
    r"context[_ ](?:length|window|size)|prompt is too long|`inputs` tokens \+ `max_new_tokens`|"
    r"input token count .*exceed|input .*(?:longer|exceeds) .*(?:maximum|model)|token count exceeds|"
    r"exceed_context_size|reduce the length of the (?:messages|prompt|input)"
)
_NEVER = "insufficient_quota|exceeded your current quota|billing"
_NOT_TAKEN = (
    r"unsupported|not supported|does not support|unrecognized|unknown|not permitted|extra (?:inputs|fields)|"
    r"extra_forbidden|deprecated|not allowed|unexpected"
)
#: By the code of HTTP and the text of the error the status of a prompt that can have no answer.
_NO_ANSWER = (
    ((400, 403, 413, 422, 500), _OVERFLOW, OVERFLOW),
    # OpenAI's o-series, when reasoning takes all tokens.
    ((400, 422), "(?:max_tokens|output limit|max_completion_tokens).*reached", ALL_REASONING),
    ((400, 403, 422), "content[_ ]?(?:filter|policy|management)|moderation|flagged|safety", REFUSED),
    ((429,), "request too large", FAILED),
)
#: What to do about an error after which no prompt can succeed.
_NEXT = {
    401: "put the right key into the environment variable OPENAI_API_KEY, or name another with --key-env",
    403: "check that the key is one for this model",
    404: "check --model and --base-url",
}
#: The parameters that are left out or renamed when a server does not accept them.
ADJUSTABLE = ("max_tokens", "max_completion_tokens", "temperature", "seed")
_TEXT = ("text", "output_text")


def decide(reply: Reply, sent: Mapping[str, Any]) -> Outcome:
    """What the reply to a request with these parameters means.

    >>> decide(Reply(503), {}), decide(Reply(404, {"error": {"message": "Who?"}}), {})
    (AskAgain(why='503', wait=None, crowded=False), StopRun(why='404 Who?; check --model and --base-url'))
    """
    if reply.status is None:
        return AskAgain(error_text(None, reply.body))
    if reply.status == 200 and isinstance(reply.body, dict):
        if reply.body.get("choices"):
            return read_completion(reply.body)
        error = reply.body.get("error")
        if isinstance(error, dict):  # some routers report an error of the model's server like this
            code = error.get("code")
            if not isinstance(code, int) or not 400 <= code < 600:
                code = 400 if _says(_OVERFLOW, error) else 502
            return _of_error(reply, code, sent)
    if reply.status < 400:
        return AskAgain(f"{reply.status} without a completion")
    return _of_error(reply, reply.status, sent)


def _of_error(reply: Reply, status: int, sent: Mapping[str, Any]) -> Outcome:
    why = error_text(status, reply.body)
    parameter = _refused_parameter(reply.body, sent) if status in (400, 422) else None
    if parameter and not _says(_OVERFLOW, reply.body):
        return NotTaken(parameter, why)
    for codes, pattern, ended in _NO_ANSWER:
        if status in codes and _says(pattern, reply.body):
            return Ended(ended, finish_reason="length" if ended == ALL_REASONING else None, error=why)
    if status in (401, 402, 403, 404) or (status == 429 and _says(_NEVER, reply.body)):
        return StopRun(f"{why}; {_NEXT.get(status, 'check the account')}")
    if status in (408, 409, 425, 429) or status >= 500:
        return AskAgain(why, reply.retry_after, crowded=status == 429 or reply.retry_after is not None)
    return Ended(FAILED, error=why)


def _says(pattern: str, error: Any) -> bool:
    return re.search(pattern, str(error), re.IGNORECASE | re.DOTALL) is not None


def error_text(status: int | None, body: Any) -> str:
    """Status and message of an error, at most 500 characters."""
    error = body.get("error", body) if isinstance(body, dict) else body
    message = error.get("message") or error.get("detail") or error if isinstance(error, dict) else error
    return " ".join(str(part) for part in (status, message) if part not in (None, ""))[:500]


def _refused_parameter(body: Any, sent: Mapping[str, Any]) -> str | None:
    """The parameter that was sent and not accepted; `None` if the error is about something else."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if not _says(_NOT_TAKEN, error):
        return None
    named = error.get("param") if isinstance(error, dict) else None
    if named in sent and named in ADJUSTABLE:
        return str(named)
    found = [(match.start(), name) for name in ADJUSTABLE if (match := re.search(rf"\b{name}\b", str(error)))]
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
    reasoning = _reasoning(message) + thought
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
    thought = reasoning.strip() or usage.get("reasoning_tokens") or reason == "length"
    return ALL_REASONING if thought and not answer.strip() else OK


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
        parts = [part for part in content if isinstance(part, dict)]
        return "".join(str(part.get("text") or "") for part in parts if part.get("type") in (*_TEXT, None))
    return content if isinstance(content, str) else ""


def _reasoning(message: Mapping[str, Any]) -> str:
    """The reasoning, from the first field that has any: servers that fill two fields put the same text into both."""
    for name in ("reasoning_content", "reasoning", "thinking"):
        if isinstance(message.get(name), str) and message[name]:
            return str(message[name])
    content = message.get("content")
    parts = [*(message.get("reasoning_details") or ()), *(content if isinstance(content, list) else ())]
    thoughts = [part for part in parts if isinstance(part, dict) and part.get("type") not in _TEXT]
    return "".join(str(part.get("text") or part.get("summary") or part.get("thinking") or "") for part in thoughts)


def _usage(usage: Mapping[str, Any]) -> dict[str, int]:
    """The token counts, each under one name."""
    thought = (usage.get("completion_tokens_details") or {}).get("reasoning_tokens", usage.get("reasoning_tokens"))
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens")
    counts = {name: usage.get(name) for name in ("prompt_tokens", "completion_tokens")}
    found = {**counts, "cached_tokens": cached, "reasoning_tokens": thought}
    return {name: value for name, value in found.items() if isinstance(value, int)}
