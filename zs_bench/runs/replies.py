"""What a server's reply means: an answer, a reason to ask again, or the end of this prompt or of the whole run.

Only a completion is an answer. The text of an error never is.

Sources of the dialects: OpenAI and Azure (`code`), vLLM, SGLang, llama.cpp (`type`), TGI, Anthropic, Gemini.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from zs_bench.runs.completions import read_completion
from zs_bench.runs.outcomes import (
    ALL_REASONING,
    FAILED,
    OVERFLOW,
    REFUSED,
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
