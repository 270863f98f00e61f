"""Send the prompts of a run, several at a time, and report how each ended.

Before anything is spent, `check_server` sends the longest prompt with one token of answer. It finds a wrong key or
name, a window that is too small, and a server that cuts prompts silently.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from random import uniform
from typing import Any

from zs_bench.problems import short
from zs_bench.prompts import Request, Settings
from zs_bench.run_records import CHARACTERS_PER_TOKEN, FAILED, OVERFLOW, Completion, Record
from zs_lab.run.replies import Reply, Retry, StopRun, UnsupportedParameter, decide
from zs_metric.errors import ZeroScrollsError

FAILED_IN_A_ROW = 10  # how many prompts may fail one after another before the server is given up
_SILENCE = 10.0  # seconds between two lines on prompts that are sent again
_LENGTHS = {"max_tokens", "max_completion_tokens"}


class RunStopped(ZeroScrollsError):
    """No further prompt can succeed, or the longest one does not get through whole; the message is the reason."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """When a prompt is sent again, and when it is given up; times are in seconds."""

    attempts: int = 8  # the most per prompt when the server fails or does not reply
    rate_limited: int = 60  # the most when the server asks for a pause (429, or any Retry-After)
    first_wait: float = 1.0  # waits double from one attempt to the next, less a random part
    longest_wait: float = 60.0
    timeout: float | None = None  # of a reply; `None` for a time that grows with the prompt and the answer

    def wait(self, attempt: int, requested: float | None = None) -> float:
        """Return the wait after that attempt (from 1); one that the server asks for is spread upwards."""
        if requested is not None:
            return requested + uniform(0, min(1.0, self.first_wait))  # noqa: S311  (no secret)
        longest = min(self.longest_wait, self.first_wait * 2.0 ** (attempt - 1))
        return longest * uniform(0.5, 1.0)  # noqa: S311

    def reply_timeout(self, request: Request, attempt: int = 1) -> float:
        """Return how long to wait for a reply, longer at each attempt.

        A minute, and time to read the prompt at 100 tokens a second (four characters each) and to write the answer at
        5: a slow machine without a GPU. So with short prompts a dead connection holds a worker for minutes only.
        """
        if self.timeout is not None:
            return self.timeout
        return (60 + len(request.text) / 400 + request.answer_tokens / 5) * min(attempt, 4)


class PromptSender:
    """Sends prompts until each has ended; once `stopped` is set, only pending replies are waited for.

    `send` sends the body of a request with a time limit in seconds; `say` is called with why a prompt is sent again,
    and when, not more often than every ten seconds.
    """

    def __init__(
        self,
        settings: Settings,
        send: Callable[[Mapping[str, Any], float], Awaitable[Reply]],
        policy: RetryPolicy,
        say: Callable[[str], None],
    ) -> None:
        self.unsupported_parameters: dict[str, str] = {}  # by name, the message of the server that rejects it
        self.retries = 0
        self.stopped = asyncio.Event()
        self.settings, self._send, self._policy, self._say = settings, send, policy, say
        self._reached = False  # whether the server has replied yet
        self._silent_until = 0.0
        self._closed_until = 0.0  # nothing is sent before, if the server asked for a pause

    async def send_all(self, requests: Iterable[Request], concurrency: int, ended: Callable[[Record], None]) -> None:
        """Send the requests in their order, `concurrency` at a time; `ended` is called for each that has ended.

        Raises `RunStopped` when no further prompt can succeed. Pending requests are cancelled.
        """
        left, failed_in_a_row = iter(requests), 0

        async def work() -> None:
            nonlocal failed_in_a_row
            for request in left:
                record = await self.send(request)
                if record is None:
                    return
                ended(record)
                failed_in_a_row = failed_in_a_row + 1 if record.status == FAILED else 0
                if failed_in_a_row >= FAILED_IN_A_ROW:
                    why = f"{FAILED_IN_A_ROW} prompts failed one after another, the last with: {record.error}"
                    raise RunStopped(why)

        workers = [asyncio.ensure_future(work()) for _ in range(concurrency)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def send(self, request: Request, *, tokens: int | None = None) -> Record | None:
        """Send one prompt until it has ended; returns `None` if it did not, because `stopped` is set.

        Raises `RunStopped` when no prompt can succeed.
        """
        start, attempt, failures, rate_limited, not_before = time.monotonic(), 0, 0, 0, 0.0
        while await self._may_send(not_before):
            attempt += 1
            sent = request_body(request, self.settings, self.unsupported_parameters, tokens=tokens)
            reply = await self._send(sent, self._policy.reply_timeout(request, failures + 1))
            outcome = decide(reply, sent)
            self._reached |= reply.status is not None
            if reply.unreachable and not self._reached:
                outcome = StopRun(f"{reply.body}; start the server, or check --base-url")
            if isinstance(outcome, StopRun):
                raise RunStopped(outcome.why)
            if isinstance(outcome, UnsupportedParameter):
                other_length = _LENGTHS - {outcome.parameter} if outcome.parameter in _LENGTHS else set()
                if self.unsupported_parameters.keys().isdisjoint(other_length):
                    # Requests pending when the first refusal arrives are refused for the same reason, and sent again.
                    self.unsupported_parameters.setdefault(outcome.parameter, outcome.why)
                    continue
                outcome = Completion(FAILED, error=outcome.why)  # without any length a request could go on for ever
            if isinstance(outcome, Retry):
                failures, rate_limited = failures + (not outcome.rate_limited), rate_limited + outcome.rate_limited
                if failures < self._policy.attempts and rate_limited < self._policy.rate_limited:
                    not_before = self._wait_until(outcome, max(failures, rate_limited))
                    continue
                outcome = Completion(FAILED, error=f"{outcome.why} (asked {attempt} times)")
            return record_of(request, outcome, attempt, time.monotonic() - start)
        return None

    def _wait_until(self, failure: Retry, attempt: int) -> float:
        """Return when to send the prompt again, and say why."""
        self.retries += 1
        now, wait = time.monotonic(), self._policy.wait(attempt, failure.wait)
        if failure.wait is not None:  # everyone waits
            self._closed_until = max(self._closed_until, now + wait)
        if now >= self._silent_until:
            self._silent_until = now + _SILENCE
            self._say(f"Trying again in {wait:,.0f} s: {failure.why}")
        return now + wait

    async def _may_send(self, not_before: float) -> bool:
        """Wait for that time and the end of a pause; returns whether to send: not once `stopped` is set."""
        while (wait := max(self._closed_until, not_before) - time.monotonic()) > 0 and not self.stopped.is_set():
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.stopped.wait(), wait)
        return not self.stopped.is_set()


def request_body(
    request: Request, settings: Settings, refused: Collection[str] = (), *, tokens: int | None = None
) -> dict[str, Any]:
    """Return the body of the request without the parameters in `refused`; `tokens` replaces how many to generate."""
    wanted = {
        "model": settings.model,
        "messages": request.messages,
        "max_completion_tokens" if "max_tokens" in refused else "max_tokens": tokens or request.answer_tokens,
        "temperature": settings.temperature,
        "seed": settings.seed,
        # A stop would also end the reasoning before an answer.
        "stop": (None if settings.thinking_budget else list(request.task.stop)) or None,
    }
    return {name: value for name, value in wanted.items() if value is not None and name not in refused}


def record_of(request: Request, completion: Completion, attempts: int, seconds: float) -> Record:
    """Return the journal's record of a prompt that ended now."""
    return Record(
        task=request.task.name,
        id=request.id,
        prompt=request.digest,
        characters=len(request.text),
        kept=request.kept,
        seconds=round(seconds, 3),
        attempts=attempts,
        time=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        **asdict(completion),
    )


async def check_server(sender: PromptSender, requests: Sequence[Request]) -> str | None:
    """Send the longest prompt, and return a sentence about the reply; `None` if the run was stopped before it came.

    Raises `RunStopped` when it overflows, fails, or was read in part only, or no prompt can succeed.
    """
    longest = max(requests, key=lambda request: len(request.packed))
    record = await sender.send(longest, tokens=1)
    if record is None:
        return None
    tokens, size, wrong = record.usage.get("prompt_tokens"), f"{record.characters:,} characters", None
    mend = "give the server a larger window, trim with --budget"
    if record.status == OVERFLOW:
        wrong = f"does not fit into the model's window ({record.error})"
    elif record.status == FAILED:
        wrong, mend = f"got no answer ({record.error})", "check the server and its log, trim with --budget"
    elif tokens and record.characters / tokens > CHARACTERS_PER_TOKEN:
        wrong = f"was cut by the server, which read only {tokens:,} tokens of it, without an error"
    if wrong:
        raise RunStopped(
            f"nothing was run: the longest prompt ({longest.task} {short(longest.id)}, {size}) {wrong}; {mend}, "
            "or send everything as it is with --skip-preflight"
        )
    return f"the longest prompt ({size}) was read as {tokens:,} tokens." if tokens else f"{size} were accepted."
