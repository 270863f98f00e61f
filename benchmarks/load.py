"""Load test of the app (`make load`): 50 visitors type answers while 5 score whole submissions, for a minute.

The server is a separate process, `python app.py` on loopback; the visitors call the functions that the page calls. It
prints the time to the first page, failed requests, the latency of a score while typing, the time per file, and the
memory of the server and its processes before, during and after. The exit status is 1 if a request failed or a limit was
exceeded.
"""

import asyncio
import contextlib
import csv
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx
from speed import made_up_submission

VISITORS, UPLOADERS, SECONDS = 50, 5, float(os.environ.get("ZS_LOAD_SECONDS", "60"))
#: Limits on two cores: the 95th percentile of a key's latency and the time to the first page in seconds, and the growth
#: of memory in bytes.
PROMISED, FIRST_PAGE, GROWTH = 0.1, 4.0, 100_000_000
#: Seconds until idle processes have ended, and the number of timed starts.
GONE, STARTS = 70, 3
#: Seconds between two keys, drawn so that visitors do not type in step, and between two answers of a visitor.
KEY, PAUSE = (0.1, 0.4), 2.0
ANSWERS = [
    ("qasper", "They use a bidirectional LSTM with attention", "a bidirectional LSTM with attention over words"),
    ("quality", "I think the answer is (C)", "C"),
    ("space_digest", "About 55% of the reviews are positive", "60%"),
    ("book_sum_sort", "3, 1, 2, 5, 4, 6, 8, 7", "1, 2, 3, 4, 5, 6, 7, 8"),
    ("gov_report", "The report finds that costs rose and that oversight was weak", "Costs rose; oversight was weak."),
]


class Visit:
    """The visitors of one server until a moment, and what they measured: seconds per key and per file, and failures."""

    def __init__(self, client: httpx.AsyncClient, components: dict[str, int]) -> None:
        self.client, self.components, self.until = client, components, time.monotonic() + SECONDS
        self.waits, self.files, self.failures = list[float](), list[float](), list[str]()

    async def call(self, component: str, function: str, **data: Any) -> dict[str, Any]:
        """Call a server function as the page does; return its reply, or `{}` after a failure."""
        body = {"data": data, "component_id": self.components[component], "fn_name": function, "session_hash": "load"}
        try:
            answer = await self.client.post("/gradio_api/component_server/", json=body)
            reply: dict[str, Any] = answer.raise_for_status().json()
        except httpx.HTTPError as error:
            reply = {"error": repr(error)}
        if "error" in reply:
            self.failures.append(f"{function}: {reply['error']}")
            return {}
        return reply

    async def type_answers(self, rng: random.Random) -> None:
        """Type in "Score an answer", key by key."""
        await asyncio.sleep(rng.uniform(0, PAUSE))
        while time.monotonic() < self.until:
            task, answer, reference = rng.choice(ANSWERS)
            for length in range(1, len(answer) + 1):
                start = time.perf_counter()
                await self.call("zs-answer", "score", task=task, answer=answer[:length], references=[reference])
                self.waits.append(time.perf_counter() - start)
                await asyncio.sleep(max(0.0, rng.uniform(*KEY) - self.waits[-1]))
            await asyncio.sleep(PAUSE)

    async def score_files(self, files: tuple[Path, Path]) -> None:
        """Score files in "Score a file", one upload after another."""
        while time.monotonic() < self.until:
            start, paths = time.perf_counter(), []
            for file in files:
                content = await asyncio.to_thread(file.read_bytes)
                answer = await self.client.post("/gradio_api/upload", files={"files": (file.name, content)})
                paths += answer.raise_for_status().json()
            asked = {"benchmark": "zero_scrolls", "predictions": paths[:1], "references": paths[1:]}
            job = await self.call("zs-file", "start_scoring", asked=asked)
            state: dict[str, Any] = {"state": "waiting"}
            while job and state.get("state") in ("waiting", "running"):
                state = await self.call("zs-file", "progress", job_id=job["job"])
            if state.get("state") == "done":
                await self.call("zs-file", "outcome", job_id=job["job"])
            elif state:
                self.failures.append(f"file: {state}")
            self.files.append(time.perf_counter() - start)


async def visit(url: str, pid: int, files: tuple[Path, Path]) -> tuple[Visit, int]:
    """Run all visitors at once; return what they measured and the peak of the server's memory."""
    async with httpx.AsyncClient(base_url=url, limits=httpx.Limits(max_connections=None), timeout=300) as client:
        components = (await client.get("/config")).json()["components"]
        seen, peak = Visit(client, {str(row["props"].get("elem_id")): row["id"] for row in components}), 0
        typing = [seen.type_answers(random.Random(i)) for i in range(VISITORS)]
        everybody = asyncio.gather(*typing, *(seen.score_files(files) for _ in range(UPLOADERS)))
        while not everybody.done():
            peak = max(peak, memory(pid))
            await asyncio.sleep(0.5)
        await everybody
    return seen, peak


@contextlib.contextmanager
def server() -> Iterator[tuple[str, int, float]]:
    """Start a server; yield its address, process id, and seconds until the first page."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {**os.environ, "GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": str(port)}
    root, start, url = Path(__file__).parents[1], time.perf_counter(), f"http://127.0.0.1:{port}"
    with subprocess.Popen([sys.executable, "app.py"], cwd=root, env=settings, stdout=subprocess.DEVNULL) as process:
        try:
            status = 0
            while status != 200:
                if process.poll() is not None:
                    raise SystemExit("the app did not start")
                time.sleep(0.02)
                with contextlib.suppress(httpx.HTTPError):
                    status = httpx.get(url, timeout=30).status_code
            yield url, process.pid, time.perf_counter() - start
        finally:
            process.terminate()


def memory(pid: int) -> int:
    """Return the bytes used by the process and its children; 0 without /proc."""
    total = 0
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        total += sum(1024 * int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        for thread in Path(f"/proc/{pid}/task").glob("*/children"):
            total += sum(memory(int(child)) for child in thread.read_text(encoding="ascii").split())
    return total


def full_size(folder: Path) -> tuple[Path, Path]:
    """Write the files of a submission of 4,378 answers and of its references."""
    tasks = made_up_submission(random.Random(0))
    predictions, references = folder / "predictions.csv", folder / "references.json"
    with predictions.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["Task", "ID", "Prediction"])
        rows.writerows([task, str(i), text] for task, (texts, _) in tasks.items() for i, text in enumerate(texts))
    by_id = {task: {str(i): texts for i, texts in enumerate(lists)} for task, (_, lists) in tasks.items()}
    references.write_text(json.dumps(by_id), encoding="utf-8")
    return predictions, references


def main() -> int:
    """Run the load test and print the figures."""
    starts = []
    for _ in range(STARTS):
        with server() as (_, _, seconds):
            starts.append(seconds)
    with tempfile.TemporaryDirectory() as folder, server() as (url, pid, _):
        sizes = {"before": memory(pid)}
        seen, sizes["at the peak"] = asyncio.run(visit(url, pid, full_size(Path(folder))))
        sizes["at the end"] = memory(pid)
        time.sleep(GONE)
        sizes["a minute later"] = memory(pid)
    percentiles = quantiles(seen.waits, n=100, method="inclusive")
    slowest = percentiles[94]
    print(f"{os.cpu_count()} cores; {VISITORS} visitors typing and {UPLOADERS} scoring 4,378 answers for {SECONDS:g} s")
    print(f"start to first page:  {min(starts):.1f} s, the shortest of {STARTS}")
    print(f"failed requests:      {len(seen.failures)}; {len(seen.waits):,} keys were typed")
    print(f"a score while typing: {1000 * percentiles[49]:.0f} ms p50, {1000 * slowest:.0f} ms p95")
    print(f"a full-size file:     {min(seen.files):.1f} to {max(seen.files):.1f} s, {len(seen.files)} of them")
    print("memory:               " + ", ".join(f"{size / 1e6:.0f} MB {when}" for when, size in sizes.items()))
    for failure in seen.failures[:5]:
        print(f"  {failure}")
    growth = sizes["a minute later"] - sizes["before"]
    return int(bool(seen.failures) or slowest > PROMISED or min(starts) > FIRST_PAGE or growth > GROWTH)


if __name__ == "__main__":
    sys.exit(main())
