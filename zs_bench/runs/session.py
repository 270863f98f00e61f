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

from zs_bench.problems import UnusableInput, short
from zs_bench.runs.asking import Asker, RunStopped, check_server
from zs_bench.runs.batch import read_batches
from zs_bench.runs.folder import RunFolder, unanswered
from zs_bench.runs.journal import Journal, Record, without_secret
from zs_bench.runs.local import LocalModel
from zs_bench.runs.outcomes import OK
from zs_bench.runs.requests import Request, Shard
from zs_bench.runs.settings import Settings
from zs_bench.runs.transport import Patience, Transport
from zs_metric.errors import ZeroScrollsError
from zs_metric.version import VERSION


@dataclass(frozen=True, slots=True)
class Session:
    """How to send the prompts; nothing here changes what is sent.

    Attributes:
        url: the base address of the server; `None` for a model in this process.
        key: `None` for a server that wants none. It is written nowhere.
        concurrency: how many prompts are on their way at a time.
        shard: which part of the prompts is sent; `None` for all.
        again: statuses of prompts that are sent again although they came to an end.
        preflight: whether the longest prompt is tried first, when there is no answer yet.
        local: name or folder of a model that is to be run in this process, instead of a server's.
    """

    url: str | None = None
    key: str | None = field(default=None, repr=False)
    concurrency: int = 4
    patience: Patience = field(default_factory=Patience)
    shard: Shard | None = None
    again: Collection[str] = ()
    preflight: bool = True
    local: str | None = None

    def connect(self) -> Transport | LocalModel:
        """What the prompts are sent to.

        Raises:
            MissingExtra: when its library is not installed.
            UnusableInput: when the address is none, or there is no such model.
        """
        return LocalModel(self.local) if self.local else Transport(self.url or "", self.key)


@dataclass(slots=True)
class Watch:
    """Callbacks that report how the session goes; each may be replaced.

    Attributes:
        begin: how many prompts there are to send, of how many.
    """

    begin: Callable[[int, int], None] = lambda _left, _all: None
    ended: Callable[[Record], None] = lambda _record: None
    say: Callable[[str], None] = lambda _text: None


class Interrupted(ZeroScrollsError):
    """The session was ended from the keyboard."""


def run_session(
    folder: RunFolder, settings: Settings, requests: Sequence[Request], session: Session, watch: Watch
) -> None:
    """Send the prompts of the run that have no answer yet; afterwards the folder has the answers so far.

    Raises:
        RunStopped: when no further prompt can succeed.
        PreflightFailed: when the longest prompt does not get through whole.
        Interrupted: after Ctrl-C.
        UnusableInput: when another process writes to the journal, or the address is none.
        MissingExtra: when the client library is not installed.
    """
    records = folder.records()
    left = unanswered(requests, records, session.again)
    watch.begin(len(left), len(requests))
    if left:
        fresh = not any(record.status == OK for record in records.values())
        with contextlib.closing(folder.journal(session.shard, session.key)) as journal:
            try:
                asyncio.run(_Running(settings, requests, session, watch, journal).send(left, preflight=fresh))
            except (RunStopped, KeyboardInterrupt) as error:
                raise _readable(error, session.key) from None
            finally:
                folder.write_answers()
                folder.write_run()
    else:
        folder.write_answers()


def record_batches(
    folder: RunFolder, settings: Settings, requests: Sequence[Request], paths: Sequence[str | Path], watch: Watch
) -> None:
    """Put the replies in batch files into the run's journal; afterwards the folder has the answers so far.

    Raises:
        UnusableInput: when another process writes to the journal, or no reply is of this run.
    """
    replies = read_batches(paths, requests, settings)
    watch.say(f"{len(replies.records):,} replies of this run in {len(paths)} files.")
    if replies.unreadable:
        watch.say(f"{replies.unreadable:,} lines are no replies and were left out.")
    if replies.unknown:
        first = short(replies.unknown[0])
        watch.say(f"{len(replies.unknown):,} replies are to prompts that are not of this run, first {first}.")
    if not replies.records:
        raise UnusableInput(
            "no reply is to a prompt of this run; are these its files, and --tasks and --source its own?"
        )
    about = {
        "started": _now(),
        "batch": [Path(path).name for path in paths],
        "shard": None,
        "prompts": dict(Counter(request.task.name for request in requests)),
        "zero_scrolls": VERSION,
    }
    with contextlib.closing(folder.journal()) as journal:
        journal.note_session(about)
        for record in replies.records:
            journal.append(record)
    folder.write_answers()
    folder.write_run()


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def _readable(error: BaseException, key: str | None) -> ZeroScrollsError:
    if isinstance(error, RunStopped):
        return RunStopped(without_secret(str(error), key))
    return Interrupted("interrupted")


class _Running:
    def __init__(
        self, settings: Settings, requests: Sequence[Request], session: Session, watch: Watch, journal: Journal
    ) -> None:
        self._settings, self._session, self._watch, self._journal = settings, session, watch, journal
        self._transport = session.connect()
        self._asker = Asker(settings, self._transport.send, session.patience)
        shard = session.shard and f"{session.shard[0]}/{session.shard[1]}"
        self._about: dict[str, Any] = {
            "started": _now(),
            "host": self._transport.host,
            "shard": shard,
            "concurrency": session.concurrency,
            "prompts": dict(Counter(request.task.name for request in requests)),
            "client": self._transport.client,
            "zero_scrolls": VERSION,
            "python": platform.python_version(),
        }

    async def send(self, left: Sequence[Request], *, preflight: bool) -> None:
        """Send these prompts."""
        async with contextlib.aclosing(self._transport):
            self._about["model_entry"] = await self._transport.model_entry(self._settings.model)
            self._journal.note_session(self._about)
            with self._interrupts():
                try:
                    if preflight and self._session.preflight:
                        record = await check_server(self._asker, left)
                        self._watch.say(f"Preflight: {_read(record)}")
                    await self._asker.ask_all(left, self._session.concurrency, self._ended)
                finally:
                    self._note_end()

    def _ended(self, record: Record) -> None:
        self._journal.append(record)
        self._watch.ended(record)

    def _note_end(self) -> None:
        self._about["ended"] = _now()
        self._about["learned"] = self._asker.learned.refused
        self._about["retries"] = self._asker.retries
        self._journal.note_session(self._about)

    @contextlib.contextmanager
    def _interrupts(self) -> Iterator[None]:
        """Ctrl-C once: send nothing more, wait for what is on its way. Twice: end now."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        pressed: list[None] = []

        def interrupt() -> None:
            pressed.append(None)
            self._asker.stop()
            if len(pressed) > 1 and task is not None:
                task.cancel()
            else:
                self._watch.say("Waiting for the prompts on their way; press Ctrl-C again to end now.")

        try:
            loop.add_signal_handler(signal.SIGINT, interrupt)
        except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            yield
            return
        try:
            yield
        except asyncio.CancelledError:
            if not pressed:
                raise
        finally:
            loop.remove_signal_handler(signal.SIGINT)
        if pressed:
            raise KeyboardInterrupt


def _read(record: Record) -> str:
    tokens = record.usage.get("prompt_tokens")
    size = f"{record.characters:,} characters"
    return f"the longest prompt ({size}) was read as {tokens:,} tokens." if tokens else f"{size} were taken."
