"""What a server's reply means: an answer, a reason to ask again, or the end of this prompt or of the whole run.

Only a completion is an answer. The text of an error never is. Reasoning arrives as `reasoning_content`, `reasoning`,
`thinking` or `reasoning_details`, in parts of the content, or between `<think>` and `</think>` in the answer itself.
Sources of the dialects: OpenAI and Azure (`code`), vLLM, SGLang, llama.cpp (`type`), TGI, Anthropic, Gemini.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zs_bench.problems import short
from zs_bench.run_records.journal import (
    ALL_REASONING,
    AT_LENGTH,
    EMPTY,
    FAILED,
    OK,
    OVERFLOW,
    REFUSED,
    THINK_DROPPED,
    UNCLOSED_THINK,
    Completion,
)


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
class Retry:
    """A temporary failure; `wait` is the pause that the server asks for, in seconds."""

    why: str
    wait: float | None = None
    rate_limited: bool = False


@dataclass(frozen=True, slots=True)
class UnsupportedParameter:
    """The server does not accept this parameter."""

    parameter: str
    why: str


@dataclass(frozen=True, slots=True)
class StopRun:
    """No prompt can succeed: the key, the model's name, the address or the account is wrong."""

    why: str


Outcome = Completion | Retry | UnsupportedParameter | StopRun

_OVERFLOW = (
    r"context[_ ](?:length|window|size|limit)|(?:prompt|input) is too long|`inputs` (?:tokens \+|must have less than)|"
    r"input token count .*exceed|(?:input|prompt) .*(?:longer|exceeds) .*(?:max|model)|token count exceeds|"
    r"exceed_context_size|reduce the length of the (?:messages|prompt|input)"
)
_NEVER = "insufficient_quota|exceeded your current quota|billing"
_UNSUPPORTED = (
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
    404: "check --model, and --base-url, which usually ends in /v1",
}
#: The parameters that are left out or renamed when a server does not accept them.
ADJUSTABLE = ("max_tokens", "max_completion_tokens", "temperature", "seed")


def decide(reply: Reply, sent: Mapping[str, Any]) -> Outcome:
    """Return what the reply to a request with these parameters means.

    >>> decide(Reply(503), {}), decide(Reply(403, {"error": {"message": "Who?"}}), {})
    (Retry(why='503', wait=None, rate_limited=False), StopRun(why='403 Who?; check that the key is one for this model'))
    """
    if reply.status is None:
        return Retry(error_text(None, reply.body))
    if reply.status == 200 and isinstance(reply.body, dict):
        if _first_choice(reply.body):
            return read_completion(reply.body)
        if error := reply.body.get("error"):  # some routers report an error of the model's server like this
            code = as_object(error).get("code")
            if not isinstance(code, int) or not 400 <= code < 600:
                code = 400 if _says(_OVERFLOW, error) else 502
            return _of_error(reply, code, sent)
    if reply.status < 400:
        return Retry(error_text(f"{reply.status} without a completion:", reply.body))
    return _of_error(reply, reply.status, sent)


def _of_error(reply: Reply, status: int, sent: Mapping[str, Any]) -> Outcome:
    why = error_text(status, reply.body)
    parameter = _refused_parameter(reply.body, sent) if status in (400, 422) else None
    if parameter and not _says(_OVERFLOW, reply.body):
        return UnsupportedParameter(parameter, why)
    for codes, pattern, final in _NO_ANSWER:
        if status in codes and _says(pattern, reply.body):
            return Completion(final, finish_reason="length" if final == ALL_REASONING else None, error=why)
    if status in (401, 402, 403, 404) or (status == 429 and _says(_NEVER, reply.body)):
        return StopRun(f"{why}; {_NEXT.get(status, 'check the account')}")
    if status in (408, 409, 425, 429) or status >= 500:
        return Retry(why, reply.retry_after, rate_limited=status == 429 or reply.retry_after is not None)
    return Completion(FAILED, error=why)


def _says(pattern: str, error: Any) -> bool:
    return re.search(pattern, str(error), re.IGNORECASE | re.DOTALL) is not None


def error_text(status: int | str | None, body: Any) -> str:
    """Return status and message of an error in one line, without the markup of HTML, at most 500 characters.

    >>> error_text(502, "<html><title>Bad Gateway</title></html>")
    '502 Bad Gateway'
    """
    body = body[0] if isinstance(body, list) and len(body) == 1 else body
    error = body.get("error", body) if isinstance(body, dict) else body
    message = error.get("message") or error.get("detail") or error if isinstance(error, dict) else error
    if isinstance(message, str) and re.match(r"\s*<(?:!doctype|html)", message, re.IGNORECASE):
        message = re.sub(r"(?is)<(style|script)\b.*?</\1>|<[^>]*>", " ", message)
    parts = (str(part) for part in (status, message) if part is not None)
    return short(" ".join(" ".join(parts).split()), 500)


def _refused_parameter(body: Any, sent: Mapping[str, Any]) -> str | None:
    """Return the parameter that was sent and not accepted; `None` if the error is about something else."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if not _says(_UNSUPPORTED, error):
        return None
    named = as_object(error).get("param")
    if named in sent and named in ADJUSTABLE:
        return str(named)
    places = [(match.start(), name) for name in ADJUSTABLE if (match := re.search(rf"\b{name}\b", str(error)))]
    return next((name for _, name in sorted(places) if name in sent), None)


def read_completion(body: Mapping[str, Any]) -> Completion:
    """Return the answer in a completion, or why it has none.

    >>> read_completion({"choices": [{"message": {"content": "<think>A? No.</think>B"}}]}).answer
    'B'
    """
    choice = _first_choice(body)
    message = as_object(choice.get("message"))
    reason, refusal = _text(choice.get("finish_reason")), message.get("refusal")
    answer, thought, flags = split_thoughts(_content(message) if message else choice.get("text") or "")
    reasoning, usage = _reasoning(message) + thought, _usage(as_object(body.get("usage")))
    status = OK
    if refusal or reason == "content_filter":
        status = REFUSED
    elif not answer.strip() and (reasoning.strip() or usage.get("reasoning_tokens") or reason == "length"):
        status = ALL_REASONING
    flags += (AT_LENGTH,) if reason == "length" else ()
    flags += (EMPTY,) if status == OK and not answer.strip() else ()
    return Completion(
        status,
        answer if status == OK else None,
        reasoning or None,
        reason,
        _text(body.get("model")),
        _text(body.get("system_fingerprint")),
        usage,
        flags,
        str(refusal or "the server withheld the answer")[:500] if status == REFUSED else None,
    )


def _first_choice(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first choice of a completion, empty when it has none or it reports an error."""
    choices = body.get("choices")
    choice = as_object(choices[0] if isinstance(choices, list) and choices else None)
    whole = isinstance(choice.get("message"), dict) or isinstance(choice.get("text"), str)
    return choice if whole and choice.get("finish_reason") != "error" else {}


def as_object(value: Any) -> Mapping[str, Any]:
    """Return the value if it is an object of JSON, else an empty one."""
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


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


def _parts(value: Any) -> list[dict[str, Any]]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _is_answer(part: Mapping[str, Any]) -> bool:
    return part.get("type") in ("text", "output_text", None)


def _content(message: Mapping[str, Any]) -> str:
    """Return the text of a message, whose content is a text or a list of parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text") or "") for part in _parts(content) if _is_answer(part))


def _reasoning(message: Mapping[str, Any]) -> str:
    """Return the reasoning from the first field that has any; servers that fill two put the same text into both."""
    for name in ("reasoning_content", "reasoning", "thinking"):
        if isinstance(message.get(name), str) and message[name]:
            return str(message[name])
    parts = _parts(message.get("reasoning_details"))
    parts += [part for part in _parts(message.get("content")) if not _is_answer(part)]
    return "".join(str(part.get("text") or part.get("summary") or part.get("thinking") or "") for part in parts)


def _usage(usage: Mapping[str, Any]) -> dict[str, int]:
    """Return the token counts, each under one name."""
    details = as_object(usage.get("completion_tokens_details"))
    counts = {
        "prompt_tokens": usage.get("prompt_tokens"),
        "completion_tokens": usage.get("completion_tokens"),
        "cached_tokens": as_object(usage.get("prompt_tokens_details")).get("cached_tokens"),
        "reasoning_tokens": details.get("reasoning_tokens", usage.get("reasoning_tokens")),
    }
    return {name: value for name, value in counts.items() if isinstance(value, int)}
