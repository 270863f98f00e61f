"""The speed of scoring a full-size submission, as ratios measured in one run: `make bench`, or with BASE=<revision>.

A made-up submission of the benchmark's size (4,378 answers with the paper's word counts, four references for SQuALITY)
is compared with plain `rouge-score` computing the same ROUGE types on the same texts (extrapolated from a sample of
pairs), and with the fast engine's own batch call. Each time is the best of five.

The commands are compared with those of BASE, or with the start of Python, by CPU time.

A run of 2,000 prompts of 50 kB is compared with a bare httpx client, both against a server that answers at once.
"""

import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import httpx

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.prompts import Request, Settings
from zs_lab.run.folder import RunFolder
from zs_lab.run.sending import request_body
from zs_lab.run.session import RunProgress, run_session
from zs_lab.run.transport import Transport
from zs_metric import engine, score_benchmark, score_example

# Words of an answer, and references per example, roughly as in the benchmark.
WORDS = {"gov_report": 500, "summ_screen_fd": 110, "qmsum": 70, "squality": 240}
WORDS |= {"qasper": 11, "narrative_qa": 5, "musique": 3}
REFERENCES = {"squality": 4, "qasper": 2, "narrative_qa": 2}
PLAIN_SAMPLE = 40
PROMPTS, PROMPT_SIZE, CONCURRENCY = 2_000, 50_000, 16


def main(base: str = "") -> None:
    """Print the ratios; those of commands to a revision of this repository, if one is given."""
    tasks = made_up_submission(random.Random(0))
    pairs = [
        (reference, prediction)
        for task in TASKS
        if TASKS[task].metric.name == "rouge"
        for prediction, references in zip(*tasks[task], strict=True)
        for reference in references
    ]
    references, predictions = zip(*pairs, strict=True)
    ours = best(lambda: score_benchmark(tasks))
    batch = best(lambda: engine().score_pairs(references, predictions))
    sample = random.Random(1).sample(pairs, PLAIN_SAMPLE)
    plain = best(lambda: engine("rouge-score").score_pairs(*zip(*sample, strict=True))) * len(pairs) / PLAIN_SAMPLE
    answer, long_references = tasks["gov_report"][0][0] * 2, [text * 2 for text in tasks["gov_report"][1][1]]
    single = best(lambda: score_example("gov_report", answer, long_references))
    answers = sum(len(column[0]) for column in tasks.values())
    print(f"engine: {engine().name}; {answers:,} answers, {len(pairs):,} ROUGE pairs")
    print(f"whole submission:                 {ours:8.3f} s")
    print(f"plain rouge-score, ROUGE alone:   {plain:8.3f} s  {plain / ours:7.1f} times ours (wanted: at least 250)")
    print(f"the engine's own batch call:      {batch:8.3f} s  {ours / batch:7.2f} times its time (wanted: at most 3)")
    print(f"one answer of 1,000 words:        {1000 * single:8.3f} ms")
    print(f"peak memory:                      {memory(tasks):8.2f} times the texts")
    compare_commands(base)
    bare, run = request_rates()
    print(f"requests of a bare httpx client:  {bare:8.0f} a second")
    print(f"requests of a run:                {run:8.0f} a second  {run / bare:6.0%} of these (wanted: at least 60 %)")


def made_up_submission(rng: random.Random) -> dict[str, tuple[list[str], list[list[str]]]]:
    """Make up answers and references for all ten tasks, with the benchmark's sizes and lengths."""
    vocabulary = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(8_000)]
    weights = [1 / (rank + 1) for rank in range(len(vocabulary))]

    def text(task: str) -> str:
        if task in WORDS:
            return " ".join(rng.choices(vocabulary, weights, k=max(1, round(WORDS[task] * rng.uniform(0.7, 1.3)))))
        if task == "quality":
            return rng.choice("ABCD")
        if task == "space_digest":
            return f"{rng.randint(0, 100)}%"
        return ", ".join(map(str, rng.sample(range(1, 20), 19)))

    def texts(task: str, count: int) -> list[str]:
        return [text(task) for _ in range(count)]

    sizes = {name: task.size.test or 0 for name, task in TASKS.items()}
    return {
        task: (texts(task, size), [texts(task, REFERENCES.get(task, 1)) for _ in range(size)])
        for task, size in sizes.items()
    }


def best(run: Callable[[], object], runs: int = 5) -> float:
    """Return the time of the shortest of some runs, in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def memory(tasks: dict[str, tuple[list[str], list[list[str]]]]) -> float:
    """Return Python's peak memory while scoring, as a multiple of the bytes of the texts."""
    columns = (texts for answers, references in tasks.values() for texts in [answers, *references])
    size = sum(len(text) for texts in columns for text in texts)
    tracemalloc.start()
    score_benchmark(tasks)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / size


def compare_commands(base: str) -> None:
    """Print the CPU time of commands, and its ratio to that of the same command in the revision `base`."""
    with tempfile.TemporaryDirectory() as folder:
        cache = f"{folder}/cache"
        old, names = Path(folder, "base"), ("one", "two", "references")
        made = {name: made_up_submission(random.Random(seed)) for seed, name in enumerate(("one", "two"))}
        for name in names:
            columns = {task: made.get(name, made["one"])[task][name == "references"] for task in TASKS}
            texts = {task: {f"{task}_{i}": text for i, text in enumerate(column)} for task, column in columns.items()}
            Path(folder, f"{name}.json").write_text(json.dumps(texts), encoding="utf-8")
        if base:
            subprocess.run(["git", "archive", "-o", f"{folder}/base.tar", base], check=True)  # noqa: S603, S607
            shutil.unpack_archive(f"{folder}/base.tar", old)
        before = "zs_start" if old.joinpath("zs_start").is_dir() else "zs_bench"  # which has the command there
        one, two, references = (f"{folder}/{name}.json" for name in names)
        commands = {
            "score --help": ["score", "--help"],
            "demo, 29 answers": ["demo"],
            "score, 4,378 answers": ["score", one, "--references", references],
            "compare, 4,378 answers": ["compare", one, two, "--references", references],
        }
        start = cpu_time(["-c", "pass"], Path.cwd(), cache)
        for name, arguments in commands.items():
            here = cpu_time(["-m", "zs_start", *arguments], Path.cwd(), cache)
            other, what = (
                (cpu_time(["-m", before, *arguments], old, cache), base) if base else (start, "an empty program")
            )
            print(f"{name + ':':34}{1000 * here:8.0f} ms {here / other:7.2f} times the CPU time of {what}")


def cpu_time(arguments: list[str], folder: Path, cache: str) -> float:
    """Return the least CPU time of five runs of Python in a folder, in seconds; `cache` is for its compiled modules."""

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    times = []
    for _ in range(5):
        start = used()
        environment = {
            **os.environ,
            "PYTHONPATH": str(folder),
            "PYTHONPYCACHEPREFIX": cache,
            "PYTHONDONTWRITEBYTECODE": "",
        }
        subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, check=True)  # noqa: S603
        times.append(used() - start)
    return min(times)


def request_rates() -> tuple[float, float]:
    """Return the prompts a second of a bare httpx client that sends the same bodies, and of a run with its journal."""
    text = "word " * (PROMPT_SIZE // 5)
    task, settings = TASKS["qasper"], Settings("m")
    requests = [
        Request(task, str(i), json.dumps([{"role": "user", "content": f"{i} {text}"}]).encode("ascii"), str(i), 128)
        for i in range(PROMPTS)
    ]
    bodies = [request_body(request, settings) for request in requests]

    def run(url: str) -> None:
        connect, options = partial(Transport, url, None), {"concurrency": CONCURRENCY, "preflight": False}
        with tempfile.TemporaryDirectory() as folder:
            run_session(RunFolder(folder, settings), requests, connect, RunProgress(), **options)

    async def bare(url: str) -> None:
        left = iter(bodies)

        async def work(client: httpx.AsyncClient) -> None:
            for body in left:
                (await client.post(f"{url}/chat/completions", json=body)).json()

        async with httpx.AsyncClient() as client:
            await asyncio.gather(*(work(client) for _ in range(CONCURRENCY)))

    parent, child = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_answer_at_once, args=(child,))
    server.start()
    try:
        url = f"http://127.0.0.1:{parent.recv()}/v1"
        return PROMPTS / best(lambda: asyncio.run(bare(url)), 3), PROMPTS / best(lambda: run(url), 3)
    finally:
        server.kill()


def _answer_at_once(port: Connection) -> None:
    """Serve one answer for every request, until killed."""
    body = b'{"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 12500}}'
    reply = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):  # until the client disconnects
            while True:
                size = re.search(rb"(?i)content-length: (\d+)", await reader.readuntil(b"\r\n\r\n"))
                await reader.readexactly(int(size[1]) if size else 0)
                writer.write(reply)

    async def serve() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", limit=2**20)
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


if __name__ == "__main__":
    main(*sys.argv[1:])
