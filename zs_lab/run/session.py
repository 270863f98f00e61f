"""One session of a run: send what is missing, keep what comes back, and leave a folder that can be scored."""

import asyncio
import contextlib
import platform
import signal
import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from time import monotonic
from typing import Any

from zs_bench.benchmarks import find_benchmark
from zs_bench.commands import rewritable
from zs_bench.files.paths import open_inputs
from zs_bench.problems import counted
from zs_bench.prompts import Request
from zs_bench.run_records import OK, Record
from zs_bench.scoring.score_files import score_loaded
from zs_bench.scoring.scored import ScoredFile
from zs_bench.validation.from_source import references_from_source
from zs_bench.validation.predictions import read_predictions
from zs_bench.validation.references import References
from zs_lab.run.folder import RunFolder
from zs_lab.run.prompts import Shard
from zs_lab.run.ray_actors import Model, RayActors
from zs_lab.run.sending import PromptSender, RetryPolicy, RunStopped, check_server
from zs_lab.run.transport import without_secret
from zs_metric.version import VERSION


class RunProgress:
    """Writes to standard error how many prompts have ended, how many of them without an answer, and the time left."""

    def __init__(self) -> None:
        self._terminal = rewritable()
        self._start = self._shown = monotonic()
        self._statuses: Counter[str] = Counter()
        self._left = self._tokens = 0
        self._enough = 1

    def say(self, text: str, end: str = "\n") -> None:
        """Write a line; on a terminal it replaces one without a line end."""
        print(f"\r\033[K{text}" if self._terminal else text, end=end, file=sys.stderr, flush=True)

    def begin(self, left: int, whole: int) -> None:
        """Write how many of the `whole` prompts are left to send."""
        self._left, self._start = left, monotonic()
        self._sent = self._start
        before = f"; {whole - left:,} of {whole:,} are done." if left < whole else "."
        self.say(f"{counted(left, 'prompt')} to send{before}")

    def sending(self, at_a_time: int) -> None:
        """Estimate the time left from now on: not before each of the prompts sent at a time has ended twice."""
        self._sent, self._enough = monotonic(), 2 * at_a_time

    def ended(self, record: Record) -> None:
        """Count a prompt; write a line after 30 seconds, rewrite it on a terminal after a fifth of a second."""
        self._statuses[record.status] += 1
        self._tokens += record.usage.get("prompt_tokens", 0)
        now, done = monotonic(), self._statuses.total()
        if now - self._shown < (0.2 if self._terminal else 30) and done < self._left:
            return
        self._shown = now
        lost = [f"{count:,} {status}" for status, count in self._statuses.items() if status != OK]
        parts = [f"{done:,}/{self._left:,} prompts", record.task, *lost, f"{self._tokens:,} tokens read"]
        if done == self._left:
            parts.append(f"took {clock(now - self._start)}")
        elif done >= self._enough:
            parts.append(f"{clock((now - self._sent) / done * (self._left - done))} left")
        self.say(" · ".join(parts), end="" if self._terminal and done < self._left else "\n")


def clock(seconds: float) -> str:
    """Return the time in hours, minutes and seconds.

    >>> clock(59.7), clock(3725)
    ('1:00', '1:02:05')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def run_session(
    folder: RunFolder,
    requests: Sequence[Request],
    connect: Callable[[], Model | RayActors],
    progress: RunProgress,
    *,
    key: str | None = None,
    concurrency: int = 4,
    policy: RetryPolicy | None = None,
    shard: Shard | None = None,
    again: Collection[str] = (),
    preflight: bool = True,
) -> None:
    """Send the prompts of the run, or of the shard, that have no answer yet; then the folder has the answers so far.

    The `key` of the server is never written. Prompts with a status in `again` are sent although they have ended.
    `preflight` is whether the longest prompt is tried first, when there is no answer yet.

    Raises `RunStopped` when no further prompt can succeed, or the longest one does not get through whole,
    `KeyboardInterrupt` after Ctrl-C, and what `folder.journal` and `connect` raise.
    """
    left = folder.unanswered(requests, again)
    progress.begin(len(left), len(requests))
    if not left:
        folder.write_answers()
        return
    with folder.journal(shard, key) as append:
        model = connect()
        sender = PromptSender(
            folder.settings, model.send, policy or RetryPolicy(), lambda text: progress.say(without_secret(text, key))
        )
        about = about_session(requests, shard) | {"host": model.host, "concurrency": max(concurrency, model.workers)}
        about |= {"client": model.client, "python": platform.python_version()}
        preflight &= not any(record.status == OK for record in folder.records().values())
        try:
            asyncio.run(_send(model, sender, left, append, progress, about=about, preflight=preflight))
        except RunStopped as error:
            raise RunStopped(without_secret(str(error), key)) from None
        finally:
            folder.write_answers()
            folder.write_run()
    if sender.stopped.is_set():
        raise KeyboardInterrupt


async def _send(
    model: Model | RayActors,
    sender: PromptSender,
    requests: Sequence[Request],
    append: Callable[[Record | Mapping[str, Any]], None],
    progress: RunProgress,
    *,
    about: Mapping[str, Any],
    preflight: bool,
) -> None:
    def ended(record: Record) -> None:
        append(record)
        progress.ended(record)

    async with contextlib.aclosing(model):
        facts = {**about, "model_entry": await model.model_entry(sender.settings.model)}
        append(facts)
        _stop_at_interrupt(sender, progress)
        try:
            if preflight:
                progress.say("Preflight: the longest prompt is sent, for one token of answer.")
                if result := await check_server(sender, requests):
                    progress.say(f"Preflight: {result}")
            progress.sending(about["concurrency"])
            await sender.send_all(requests, about["concurrency"], ended)
        finally:
            append({**facts, "ended": _now(), "learned": sender.unsupported_parameters, "retries": sender.retries})


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def about_session(requests: Sequence[Request], shard: Shard | None = None) -> dict[str, Any]:
    prompts = dict(Counter(request.task.name for request in requests))
    return {"started": _now(), "shard": shard and str(shard), "prompts": prompts, "zero_scrolls": VERSION}


def _stop_at_interrupt(sender: PromptSender, progress: RunProgress) -> None:
    """Ctrl-C once: send nothing more, wait for pending replies. Twice: end now, as without this."""
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        sender.stopped.set()
        progress.say("Waiting for the replies to prompts already sent; press Ctrl-C again to end now.")

    with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
        loop.add_signal_handler(signal.SIGINT, interrupt)


def score_run(folder: RunFolder, references: References, *, partial: bool = False) -> ScoredFile:
    """Return the score that `zero-scrolls score` gives the folder, from what the run has read already.

    With `partial`, as for one part of a run, only the examples that have an answer count.
    Only tasks without references here, which were run with an earlier command, are read from the source.
    """
    settings, benchmark = folder.settings, find_benchmark(folder.settings.benchmark)
    sources, problems = open_inputs([folder.path / "answers"], [f"{folder.path.name}/answers"])
    predictions = replace(read_predictions(sources, problems, benchmark=benchmark), run=folder.account())
    if earlier := [task for task in predictions.tasks if task not in references.by_task]:
        place = (settings.source, earlier, settings.split, settings.revision)
        more = references_from_source(*place, benchmark=benchmark)
        references.by_task |= more.by_task
        references.problems += more.problems
    return score_loaded(predictions, references, partial=partial)
