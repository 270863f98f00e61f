"""What a server's reply means: an answer, a reason to ask again, or the end of this prompt or of the whole run.

Only a completion is an answer. The text of an error never is. Reasoning arrives as `reasoning_content`, `reasoning`,
`thinking` or `reasoning_details`, in parts of the content, or between `<think>` and `</think>` in the answer itself.
Sources of the dialects: OpenAI and Azure (`code`), vLLM, SGLang, llama.cpp (`type`), TGI, Anthropic, Gemini.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from zs_bench import run_records
from zs_bench.problems import short
from zs_bench.run_records import ALL_REASONING, FAILED, OK, OVERFLOW, REFUSED, Completion, is_count


class Reply(NamedTuple):
    """What came back for a request."""

    status: int | None  # of HTTP; `None` when nothing came back (a lost connection, a time-out)
    body: Any = None  # the decoded JSON, else the text
    retry_after: float | None = None  # the pause in seconds that the server asks for, if any
    unreachable: bool = False  # whether no connection could be made


class Retry(NamedTuple):
    """A temporary failure; `wait` is the pause that the server asks for, in seconds."""

    why: str
    wait: float | None = None
    rate_limited: bool = False


class UnsupportedParameter(NamedTuple):
    """The server does not accept this parameter."""

    parameter: str
    why: str


class StopRun(NamedTuple):
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
ADJUSTABLE = ("max_tokens", "max_completion_tokens", "temperature", "seed", "stop")


def decide(reply: Reply, sent: Mapping[str, Any]) -> Outcome:
    """Return what the reply to a request with these parameters means."""
    status = reply.status
    if status is None:
        return Retry(error_text(None, reply.body))
    if status == 200 and isinstance(reply.body, dict):
        if _first_choice(reply.body):
            return read_completion(reply.body)
        if error := reply.body.get("error"):  # some routers report an error of the model's server like this
            code = as_object(error).get("code")
            if not isinstance(code, int) or not 400 <= code < 600:
                code = 400 if _says(_OVERFLOW, error) else 502
            status = code
    if 300 <= status < 400:
        return StopRun(f"{error_text(status, reply.body)}; check --base-url")
    if status < 400:
        return Retry(not_a_reply(reply.body))
    return _of_error(reply, status, sent)


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
        message = re.sub(r"(?is)<(style|script)\b.*?(?:</\1>|\Z)|<[^<>]*>", " ", message)
    parts = (str(part) for part in (status, message) if part is not None)
    return short(" ".join(" ".join(parts).split()), 500)


def not_a_reply(body: Any) -> str:
    """Return that this is no completion, with its first words."""
    return f"not a model's reply: {short(error_text(None, body), 100) or 'nothing'}"


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
    """Return the answer in a completion, or why it has none."""
    choice = _first_choice(body)
    message = as_object(choice.get("message"))
    content, reasoning = _content_and_reasoning(message) if message else (str(choice.get("text") or ""), "")
    answer, thought, flags = split_thoughts(content)
    reasoning += thought
    tokens, refusal = as_object(body.get("usage")), message.get("refusal")
    counts = {
        "prompt_tokens": tokens.get("prompt_tokens"),
        "completion_tokens": tokens.get("completion_tokens"),
        "cached_tokens": as_object(tokens.get("prompt_tokens_details")).get("cached_tokens"),
        "reasoning_tokens": {**tokens, **as_object(tokens.get("completion_tokens_details"))}.get("reasoning_tokens"),
    }
    usage = {name: count for name, count in counts.items() if isinstance(count, int) and is_count(count)}
    reason, model, fingerprint = (
        None if value is None else str(value)
        for value in (choice.get("finish_reason"), body.get("model"), body.get("system_fingerprint"))
    )
    status, error = OK, None
    if refusal or reason == "content_filter":
        status, error = REFUSED, str(refusal or "the server withheld the answer")[:500]
    elif not answer.strip() and (reasoning.strip() or usage.get("reasoning_tokens") or reason == "length"):
        status = ALL_REASONING
    flags += (run_records.AT_LENGTH,) if reason == "length" else ()
    flags += (run_records.EMPTY,) if status == OK and not answer.strip() else ()
    text = answer if status == OK else None
    return Completion(status, text, reasoning or None, reason, model, fingerprint, usage, flags, error)


def _first_choice(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first choice of a completion, empty when it has none or it reports an error."""
    choices = body.get("choices")
    choice = as_object(choices[0] if isinstance(choices, list) and choices else None)
    is_whole = isinstance(choice.get("message"), dict) or isinstance(choice.get("text"), str)
    return choice if is_whole and choice.get("finish_reason") != "error" else {}


def as_object(value: Any) -> Mapping[str, Any]:
    """Return the value if it is an object of JSON, else an empty one."""
    return value if isinstance(value, dict) else {}


def split_thoughts(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Answer, thoughts and flags of a text that may begin with `<think>…</think>`.

    The opening tag may be missing, where the chat template has it. Thoughts that never end leave no answer.
    """
    inner = text.lstrip()
    opened = inner.startswith("<think>")
    thought, closed, rest = inner.removeprefix("<think>").partition("</think>")
    if closed and (opened or "<think>" not in thought):
        return rest, thought, (run_records.THINK_DROPPED,)
    return ("", thought, (run_records.UNCLOSED_THINK,)) if opened else (text, "", ())


def _content_and_reasoning(message: Mapping[str, Any]) -> tuple[str, str]:
    """Return the text of a message, whose content is a text or a list of parts, and its reasoning."""
    details, content = message.get("reasoning_details"), message.get("content")
    thoughts = [part for part in details if isinstance(part, dict)] if isinstance(details, list) else []
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict)]
        answers = [part for part in parts if part.get("type") in ("text", "output_text", None)]
        thoughts += [part for part in parts if part not in answers]
        content = "".join(str(part.get("text") or "") for part in answers)
    # Servers that fill two of these fields put the same text into both.
    fields = (message.get(name) for name in ("reasoning_content", "reasoning", "thinking"))
    reasoning = next((text for text in fields if isinstance(text, str) and text), "")
    if not reasoning:
        texts = (part.get("text") or part.get("summary") or part.get("thinking") or "" for part in thoughts)
        reasoning = "".join(map(str, texts))
    return content if isinstance(content, str) else "", reasoning
