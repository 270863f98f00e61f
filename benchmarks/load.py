"""Load test of the app (`make load`): 50 visitors type answers while 5 upload whole submissions, for a minute.

The server is a separate process, `python app.py` on loopback; the visitors send what the page sends, each with a
session and a heartbeat. It prints the time to the first page, failed requests, the latency of a score while typing, the
time per file, and the memory of the server and its processes before, during and after. The exit status is 1 if a
request failed or a limit was exceeded.
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

import httpx
from speed import made_up_submission
from visitors import visit

VISITORS, UPLOADERS, SECONDS = 50, 5, float(os.environ.get("ZS_LOAD_SECONDS", "60"))
#: Limits on two cores: the 95th percentile of a key's latency and the time to the first page in seconds, and the growth
#: of memory in bytes.
PROMISED, FIRST_PAGE, GROWTH = 0.1, 4.0, 100_000_000
#: Seconds until idle processes have ended, and the number of timed starts.
GONE, STARTS = 70, 3


@contextlib.contextmanager
def server() -> Iterator[tuple[str, int, float]]:
    """A new server: its address, process id, and seconds until the first page."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    root = Path(__file__).parents[1]
    settings = {**os.environ, "GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": str(port)}
    start = time.perf_counter()
    with subprocess.Popen([sys.executable, "app.py"], cwd=root, env=settings, stdout=subprocess.DEVNULL) as process:
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
    """Bytes used by the process and its children; 0 without /proc."""
    total = 0
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        total += sum(1024 * int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        for thread in Path(f"/proc/{pid}/task").glob("*/children"):
            total += sum(memory(int(child)) for child in thread.read_text(encoding="ascii").split())
    return total


def full_size(folder: Path) -> list[Path]:
    """Files of a submission of 4,378 answers and of its references."""
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
    """Run the load test and print the figures."""
    starts = []
    for _ in range(STARTS):
        with server() as (_, _, seconds):
            starts.append(seconds)
    with tempfile.TemporaryDirectory() as folder, server() as (url, pid, _):
        files = full_size(Path(folder))
        before = memory(pid)
        people = {"visitors": VISITORS, "uploaders": UPLOADERS, "seconds": SECONDS}
        seen = asyncio.run(visit(url, **people, files=files, look=lambda: memory(pid)))
        at_once = memory(pid)
        time.sleep(GONE)
        after = memory(pid)
    half, most = (quantiles(seen.waits, n=100, method="inclusive")[i] for i in (49, 94))
    print(
        f"{os.cpu_count()} cores; {VISITORS} visitors typing and {UPLOADERS} uploading 4,378 answers for {SECONDS:g} s"
    )
    print(f"start to first page:  {min(starts):.1f} s (of {', '.join(f'{s:.1f}' for s in starts)})")
    print(f"failed requests:      {len(seen.failed)} of {len(seen.waits) + 4 * len(seen.files):,}")
    slowest = max(seen.waits)
    print(f"a score while typing: {1000 * half:.0f} ms p50, {1000 * most:.0f} ms p95, {1000 * slowest:.0f} ms at most")
    print(f"a full-size file:     {min(seen.files):.1f} to {max(seen.files):.1f} s, {len(seen.files)} of them")
    held = {"before": before, "at the peak": seen.peak, "at the end": at_once, "a minute later": after}
    print("memory:               " + ", ".join(f"{size / 1e6:.0f} MB {when}" for when, size in held.items()))
    for failure in seen.failed[:5]:
        print(f"  {failure}")
    return int(bool(seen.failed) or most > PROMISED or min(starts) > FIRST_PAGE or after - before > GROWTH)


if __name__ == "__main__":
    sys.exit(main())
