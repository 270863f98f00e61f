"""What can come of a request: a reply of the server, and what it means for the prompt."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

OK, OVERFLOW, ALL_REASONING, REFUSED, FAILED = "ok", "overflow", "all-reasoning", "refused", "failed"
#: What can become of a prompt. Only `ok` has an answer.
STATUSES = (OK, OVERFLOW, ALL_REASONING, REFUSED, FAILED)
#: What is worth knowing about an answer.
AT_LENGTH, THINK_DROPPED, UNCLOSED_THINK, EMPTY = "stopped-at-length", "think-dropped", "unclosed-think", "empty-answer"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for a request.

    Attributes:
        status: of HTTP; `None` when nothing came back (a lost connection, a time-out).
        body: the decoded JSON, else the text.
        retry_after: seconds, where the server says.
    """

    status: int | None
    body: Any = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The prompt is done with.

    Attributes:
        status: one of `STATUSES`.
        answer: `None` for any status but `ok`.
        reasoning: what the model thought, where the server shows it.
        finish_reason, model, fingerprint, usage: as the server says.
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
    """Something passing; `wait` is how long the server wants to be left alone, in seconds."""

    why: str
    wait: float | None = None
    crowded: bool = False


@dataclass(frozen=True, slots=True)
class NotTaken:
    """The server does not take this parameter."""

    parameter: str
    why: str


@dataclass(frozen=True, slots=True)
class StopRun:
    """No prompt can succeed: the key, the model's name, the address or the account is wrong."""

    why: str


Outcome = Ended | AskAgain | NotTaken | StopRun
