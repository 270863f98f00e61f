"""A look at the server before anything is spent: the longest prompt, with one token of answer.

It finds a wrong key or name, a window that is too small, and a server that cuts prompts silently.
"""

from __future__ import annotations

from collections.abc import Sequence

from zs_bench.problems import short
from zs_bench.runs.account import CHARACTERS_PER_TOKEN
from zs_bench.runs.asking import Asker
from zs_bench.runs.journal import Record
from zs_bench.runs.outcomes import FAILED, OVERFLOW
from zs_bench.runs.requests import Request
from zs_metric.errors import ZeroScrollsError


class PreflightFailed(ZeroScrollsError):
    """The longest prompt did not get through whole; says what to do."""


async def check_server(asker: Asker, requests: Sequence[Request]) -> Record:
    """Send the longest prompt and check what the server says of it.

    Raises:
        PreflightFailed: when it overflows, fails, or was read in part only.
        RunStopped: when no prompt can succeed.
    """
    longest = max(requests, key=lambda request: len(request.text))
    record = await asker.ask(longest, tokens=1)
    wrong = _wrong(record)
    if wrong:
        name = f"{longest.task} {short(longest.id)}, {record.characters:,} characters"
        raise PreflightFailed(
            f"nothing was run: the longest prompt ({name}) {wrong}; give the server a larger window, trim with "
            "--budget, or send everything as it is with --skip-preflight"
        )
    return record


def _wrong(record: Record) -> str | None:
    if record.status == OVERFLOW:
        return f"does not fit into the model's window ({record.error})"
    if record.status == FAILED:
        return f"got no reply ({record.error})"
    tokens = record.usage.get("prompt_tokens")
    if tokens and record.characters / tokens > CHARACTERS_PER_TOKEN:
        return f"was cut by the server, which read {tokens:,} tokens of it and did not say so"
    return None
