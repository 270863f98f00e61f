"""The visitors of `load.py`: what the page does when somebody types an answer or uploads files, without the page."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

#: Seconds between two keys, and between two answers of a visitor.
KEY, PAUSE = 0.25, 2.0
ANSWERS = [
    ("qasper", "They use a bidirectional LSTM with attention", "a bidirectional LSTM with attention over words"),
    ("quality", "I think the answer is (C)", "C"),
    ("space_digest", "About 55% of the reviews are positive", "60%"),
    ("book_sum_sort", "3, 1, 2, 5, 4, 6, 8, 7", "1, 2, 3, 4, 5, 6, 7, 8"),
    ("gov_report", "The report finds that costs rose and that oversight was weak", "Costs rose; oversight was weak."),
]


@dataclass
class Seen:
    """What the visitors saw."""

    waits: list[float] = field(default_factory=list)
    files: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    peak: int = 0


class Page:
    """What the page knows of its events: their numbers."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._ids = {c["props"].get("elem_id"): c["id"] for c in config["components"]}
        self._events = config["dependencies"]

    def event(self, elem_id: str, name: str) -> dict[str, Any]:
        """The first event of that name of that component."""
        target = [self._ids[elem_id], name]
        return next(event for event in self._events if target in map(list, event["targets"]) and event["backend_fn"])


async def type_answers(client: httpx.AsyncClient, page: Page, seen: Seen, until: float, rng: random.Random) -> None:
    """A visitor of "Score an answer"."""
    event, session = page.event("answer-text", "change"), secrets.token_hex(6)
    empty = [""] * (len(event["inputs"]) - 3)
    async with heartbeat(client, session):
        await asyncio.sleep(rng.uniform(0, PAUSE))
        while time.monotonic() < until:
            task, answer, reference = rng.choice(ANSWERS)
            for length in range(1, len(answer) + 1):
                body = {"data": [task, answer[:length], reference, *empty], "fn_index": event["id"]}
                start = time.perf_counter()
                await asked(client, seen, body | {"session_hash": session})
                seen.waits.append(time.perf_counter() - start)
                if time.monotonic() > until:
                    return
                await asyncio.sleep(max(0.0, KEY - (time.perf_counter() - start)))
            await asyncio.sleep(PAUSE)


async def asked(client: httpx.AsyncClient, seen: Seen, body: dict[str, Any]) -> None:
    """One key."""
    try:
        answer = await client.post("run/predict", json=body)
        if answer.status_code != 200 or "zs-" not in str(answer.json()["data"][0]):
            seen.failed.append(f"typing: {answer.status_code} {answer.text[:200]}")
    except httpx.HTTPError as error:
        seen.failed.append(f"typing: {error!r}")


async def upload_files(client: httpx.AsyncClient, page: Page, seen: Seen, until: float, files: list[Path]) -> None:
    """A visitor of "Score a file", again and again."""
    event, session = page.event("file-score", "click"), secrets.token_hex(6)
    async with heartbeat(client, session):
        while time.monotonic() < until:
            start = time.perf_counter()
            try:
                given = [[await uploaded(client, file)] for file in files]
                data = [*given, *_defaults(len(event["inputs"]) - len(given))]
                await scored(client, {"data": data, "fn_index": event["id"], "session_hash": session})
            except (httpx.HTTPError, ValueError) as error:
                seen.failed.append(f"file: {error!r}")
            seen.files.append(time.perf_counter() - start)


def _defaults(count: int) -> list[Any]:
    """The other fields of the form: where the references are from, and whether a part is to be scored."""
    return ["files", False, *[None] * count][:count]


async def uploaded(client: httpx.AsyncClient, file: Path) -> dict[str, Any]:
    """The file as Gradio takes it."""
    answer = await client.post("upload", files={"files": (file.name, file.read_bytes())})
    return {"path": answer.raise_for_status().json()[0], "meta": {"_type": "gradio.FileData"}}


async def scored(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    """Wait in the queue like the page does, until the file is scored."""
    event = (await client.post("queue/join", json=body)).raise_for_status().json()["event_id"]
    async with client.stream("GET", "queue/data", params={"session_hash": body["session_hash"]}) as lines:
        async for line in lines.aiter_lines():
            message = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
            if message.get("msg") == "process_completed" and message["event_id"] == event:
                if not message["success"] or "zs-total" not in str(message["output"]):
                    raise ValueError(str(message)[:300])
                return
    raise ValueError("the queue was closed")


@contextlib.asynccontextmanager
async def heartbeat(client: httpx.AsyncClient, session: str) -> AsyncIterator[None]:
    """The connection that tells Gradio that the visitor is still there."""
    async with client.stream("GET", f"heartbeat/{session}"):
        yield


async def visit(
    url: str, *, visitors: int, uploaders: int, seconds: float, files: list[Path], look: Callable[[], int]
) -> Seen:
    """Everybody at once; `look` tells what the server holds."""
    seen, limits = Seen(), httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=f"{url}/gradio_api/", timeout=300, limits=limits) as client:
        page = Page((await client.get(f"{url}/config")).json())
        until = time.monotonic() + seconds
        typing = [type_answers(client, page, seen, until, random.Random(i)) for i in range(visitors)]
        uploading = [upload_files(client, page, seen, until, files) for _ in range(uploaders)]
        everybody = asyncio.gather(*typing, *uploading)
        while not everybody.done():
            seen.peak = max(seen.peak, look())
            await asyncio.sleep(0.5)
        await everybody
    return seen
