"""One session of a run: send what is missing, keep what comes back, and leave a folder that can be scored."""

import asyncio
import contextlib
import platform
import signal
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from zs_bench.errors import UnusableInput
from zs_bench.problems import short
from zs_bench.requests import Request
from zs_bench.run_records.completions import OK
from zs_bench.run_records.journal import Record
from zs_bench.run_records.settings import Settings
from zs_lab.run.batch import read_batches
from zs_lab.run.folder import RunFolder, unanswered
from zs_lab.run.journal import Journal, without_secret
from zs_lab.run.progress import RunProgress
from zs_lab.run.prompts import Shard
from zs_lab.run.sending import PromptSender, RunStopped, check_server
from zs_lab.run.transport import Model, RetryPolicy
from zs_metric.errors import ZeroScrollsError
from zs_metric.version import VERSION


@dataclass(frozen=True, slots=True)
class Session:
    """How to send the prompts; nothing here changes what is sent.

    Attributes:
        connect: makes the connection to the model.
        key: that of the server, which is never written.
        concurrency: how many requests are in flight at a time.
        shard: which part of the prompts is sent; `None` for all.
        again: statuses of prompts that are sent again although they have ended.
        preflight: whether the longest prompt is tried first, when there is no answer yet.
    """

    connect: Callable[[], Model]
    key: str | None = field(default=None, repr=False)
    concurrency: int = 4
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
    shard: Shard | None = None
    again: Collection[str] = ()
    preflight: bool = True


class Interrupted(ZeroScrollsError):
    """The session was ended from the keyboard."""


def run_session(
    folder: RunFolder, settings: Settings, requests: Sequence[Request], session: Session, progress: RunProgress
) -> None:
    """Send the prompts of the run that have no answer yet; afterwards the folder has the answers so far.

    Raises:
        RunStopped: when no further prompt can succeed.
        PreflightFailed: when the longest prompt does not get through whole.
        Interrupted: after Ctrl-C.
        UnusableInput: when another process writes to the journal, or the address is not valid.
        MissingExtra: when the client library is not installed.
    """
    records = folder.records()
    left = unanswered(requests, records, session.again)
    progress.begin(len(left), len(requests))
    if not left:
        folder.write_answers()
        return
    fresh = not any(record.status == OK for record in records.values())
    about = _about(requests, session.shard and str(session.shard))
    with contextlib.closing(folder.journal(session.shard, session.key)) as journal:
        running = _Running(settings, session, progress, journal, about)
        try:
            asyncio.run(running.send(left, preflight=fresh and session.preflight))
        except RunStopped as error:
            raise RunStopped(without_secret(str(error), session.key)) from None
        except KeyboardInterrupt:
            raise Interrupted from None
        finally:
            folder.write_answers()
            folder.write_run()


def record_batches(
    folder: RunFolder,
    settings: Settings,
    requests: Sequence[Request],
    paths: Sequence[str | Path],
    progress: RunProgress,
) -> None:
    """Put the replies in batch files into the run's journal; afterwards the folder has the answers so far.

    Raises:
        UnusableInput: when another process writes to the journal, or no reply is of this run.
    """
    replies = read_batches(paths, requests, settings)
    progress.say(f"Replies of this run: {len(replies.records):,}.")
    if replies.unreadable:
        progress.say(f"Lines that are not replies and were left out: {replies.unreadable:,}.")
    if replies.unknown:
        first = short(replies.unknown[0])
        progress.say(f"Replies to prompts that are not of this run: {len(replies.unknown):,}, first {first}.")
    if not replies.records:
        raise UnusableInput(
            "no reply is to a prompt of this run; check the files, and give the --tasks and --source of the run"
        )
    with contextlib.closing(folder.journal()) as journal:
        journal.note_session({**_about(requests), "batch": [Path(path).name for path in paths]})
        for record in replies.records:
            journal.append(record)
    folder.write_answers()
    folder.write_run()


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def _about(requests: Sequence[Request], shard: str | None = None) -> dict[str, Any]:
    """Return what every session has in the journal."""
    prompts = dict(Counter(request.task.name for request in requests))
    return {"started": _now(), "shard": shard, "prompts": prompts, "zero_scrolls": VERSION}


class _Running:
    def __init__(
        self, settings: Settings, session: Session, progress: RunProgress, journal: Journal, about: dict[str, Any]
    ) -> None:
        self._progress, self._journal = progress, journal
        self._name, self._model = settings.model, session.connect()
        self._sender = PromptSender(settings, self._model.send, session.retry_policy, progress.say)
        versions = {"client": self._model.client, "python": platform.python_version()}
        self._concurrency = max(session.concurrency, self._model.workers)
        self._about = {**about, "host": self._model.host, "concurrency": self._concurrency, **versions}

    async def send(self, left: Sequence[Request], *, preflight: bool) -> None:
        """Send these prompts."""
        async with contextlib.aclosing(self._model):
            self._about["model_entry"] = await self._model.model_entry(self._name)
            self._journal.note_session(self._about)
            with self._interrupts():
                try:
                    if preflight:
                        self._progress.say("Preflight: the longest prompt is sent, for one token of answer.")
                        if said := await check_server(self._sender, left):
                            self._progress.say(f"Preflight: {said}")
                    await self._sender.send_all(left, self._concurrency, self._ended)
                finally:
                    outcome = {"learned": self._sender.unsupported_parameters, "retries": self._sender.retries}
                    self._journal.note_session({**self._about, "ended": _now(), **outcome})

    def _ended(self, record: Record) -> None:
        self._journal.append(record)
        self._progress.ended(record)

    @contextlib.contextmanager
    def _interrupts(self) -> Iterator[None]:
        """Ctrl-C once: send nothing more, wait for pending replies. Twice: end now."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def interrupt() -> None:
            if self._sender.stopped.is_set() and task is not None:
                task.cancel()
            else:
                self._sender.stopped.set()
                self._progress.say("Waiting for the replies to prompts already sent; press Ctrl-C again to end now.")

        try:
            loop.add_signal_handler(signal.SIGINT, interrupt)
        except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            yield
            return
        try:
            yield
        except asyncio.CancelledError:
            if not self._sender.stopped.is_set():
                raise
        finally:
            loop.remove_signal_handler(signal.SIGINT)
        if self._sender.stopped.is_set():
            raise KeyboardInterrupt
