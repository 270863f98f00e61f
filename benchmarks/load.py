"""What the app bears (`make load`): 50 visitors who type answers while 5 upload whole submissions, for a minute.

The server is a process of its own, `python app.py` on loopback; the visitors do what the page does, each with a session
and a heartbeat. Printed: the time to the first page, failed requests, how long somebody who types waits for a score,
how long a file takes, and the memory of the server and its processes before, during and after. Status 1 if a request
failed or a score took longer than is promised.
"""

from __future__ import annotations

import asyncio
import contextlib
import csv
import json
import os
import random
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx
from speed import made_up_submission

VISITORS, UPLOADERS, SECONDS = 50, 5, 60
#: Seconds between two keys, and between two answers of a visitor.
KEY, PAUSE = 0.25, 2.0
#: Seconds that a score may take for 95 of 100 keys.
PROMISED = 0.2
STARTS = 3
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


async def visit(url: str, pid: int, files: list[Path]) -> Seen:
    """Everybody at once."""
    seen, limits = Seen(), httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=f"{url}/gradio_api/", timeout=300, limits=limits) as client:
        page = Page((await client.get(f"{url}/config")).json())
        until = time.monotonic() + SECONDS
        typing = [type_answers(client, page, seen, until, random.Random(i)) for i in range(VISITORS)]
        uploading = [upload_files(client, page, seen, until, files) for _ in range(UPLOADERS)]
        everybody = asyncio.gather(*typing, *uploading)
        while not everybody.done():
            seen.peak = max(seen.peak, memory(pid))
            await asyncio.sleep(0.5)
        await everybody
    return seen


@contextlib.contextmanager
def server() -> Iterator[tuple[str, int, float]]:
    """The address and the process id of a new server, and the seconds until it answered."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    root = Path(__file__).parents[1]
    settings = {**os.environ, "GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": str(port)}
    start = time.perf_counter()
    with subprocess.Popen([sys.executable, "app.py"], cwd=root, env=settings, stdout=subprocess.DEVNULL) as process:  # noqa: S603
        try:
            url = f"http://127.0.0.1:{port}"
            wait_for(url, process)
            yield url, process.pid, time.perf_counter() - start
        finally:
            process.terminate()


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Return when the page answers."""
    while process.poll() is None:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(url, timeout=30).status_code == 200:
                return
        time.sleep(0.02)
    raise SystemExit("the app did not start")


def memory(pid: int) -> int:
    """Bytes that the process and its children hold; 0 where the system does not tell."""
    total = 0
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        total += 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
        total += sum(memory(int(child)) for child in children.split())
    return total


def full_size(folder: Path) -> list[Path]:
    """A submission of 4,378 answers, and its references."""
    tasks = made_up_submission(random.Random(0))
    predictions, references = folder / "predictions.csv", folder / "references.json"
    with predictions.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["Task", "ID", "Prediction"])
        rows.writerows([task, str(i), text] for task, (texts, _) in tasks.items() for i, text in enumerate(texts))
    known = {task: {str(i): texts for i, texts in enumerate(lists)} for task, (_, lists) in tasks.items()}
    references.write_text(json.dumps(known), encoding="utf-8")
    return [predictions, references]


def main() -> int:
    """Run it and print the figures."""
    starts = []
    for _ in range(STARTS):
        with server() as (_, _, seconds):
            starts.append(seconds)
    with tempfile.TemporaryDirectory() as folder, server() as (url, pid, _):
        files = full_size(Path(folder))
        before = memory(pid)
        seen = asyncio.run(visit(url, pid, files))
        at_once = memory(pid)
        time.sleep(70)  # the processes that score are let go after a minute
        after = memory(pid)
    half, most = (quantiles(seen.waits, n=100, method="inclusive")[i] for i in (49, 94))
    print(f"{os.cpu_count()} cores; {VISITORS} visitors typing and {UPLOADERS} uploading 4,378 answers for {SECONDS} s")
    print(f"start to first page:  {min(starts):.1f} s (of {', '.join(f'{s:.1f}' for s in starts)})")
    print(f"failed requests:      {len(seen.failed)} of {len(seen.waits) + 4 * len(seen.files):,}")
    slowest = max(seen.waits)
    print(f"a score while typing: {1000 * half:.0f} ms p50, {1000 * most:.0f} ms p95, {1000 * slowest:.0f} ms at most")
    print(f"a full-size file:     {min(seen.files):.1f} to {max(seen.files):.1f} s, {len(seen.files)} of them")
    told = " · ".join(f"{name} {value / 1e6:.0f} MB" for name, value in
                      (("before", before), ("peak", seen.peak), ("at the end", at_once), ("a minute later", after)))  # fmt: skip
    print(f"memory:               {told}")
    for failure in seen.failed[:5]:
        print(f"  {failure}")
    return int(bool(seen.failed) or most > PROMISED)


if __name__ == "__main__":
    sys.exit(main())
