"""One session of a run: send what is missing, keep what comes back, and leave a folder that can be scored."""

import asyncio
import contextlib
import platform
import signal
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any

from zs_bench.files.paths import open_inputs
from zs_bench.requests import Request
from zs_bench.run_records.journal import OK, Record
from zs_bench.run_records.settings import Settings
from zs_bench.scoring.score_files import score_loaded
from zs_bench.scoring.scored import ScoredFile
from zs_bench.validation.from_source import references_from_source
from zs_bench.validation.predictions import read_predictions
from zs_bench.validation.references import References
from zs_lab.run.folder import RunFolder
from zs_lab.run.progress import RunProgress
from zs_lab.run.prompts import Shard
from zs_lab.run.sending import PromptSender, RetryPolicy, RunStopped, check_server
from zs_lab.run.transport import Model, without_secret
from zs_metric.tasks import find_benchmark
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


def run_session(
    folder: RunFolder, settings: Settings, requests: Sequence[Request], session: Session, progress: RunProgress
) -> None:
    """Send the prompts of the run that have no answer yet; afterwards the folder has the answers so far.

    Raises:
        RunStopped: when no further prompt can succeed, or the longest one does not get through whole.
        KeyboardInterrupt: after Ctrl-C.
        UnusableInput, MissingExtra: what `folder.journal` and `session.connect` raise.
    """
    left = folder.unanswered(requests, session.again)
    progress.begin(len(left), len(requests))
    if not left:
        folder.write_answers()
        return
    fresh = not any(record.status == OK for record in folder.records().values())
    about = about_session(requests, session.shard)
    with contextlib.closing(folder.journal(session.shard, session.key)) as journal:
        model = session.connect()
        sender = PromptSender(
            settings, model.send, session.retry_policy, lambda text: progress.say(without_secret(text, session.key))
        )
        concurrency = max(session.concurrency, model.workers)
        about |= {"host": model.host, "concurrency": concurrency, "client": model.client}

        def ended(record: Record) -> None:
            journal.append(record)
            progress.ended(record)

        async def send() -> None:
            async with contextlib.aclosing(model):
                entry = await model.model_entry(settings.model)
                facts = {**about, "python": platform.python_version(), "model_entry": entry}
                journal.append(facts)
                with _interrupts(sender, progress):
                    try:
                        if fresh and session.preflight:
                            progress.say("Preflight: the longest prompt is sent, for one token of answer.")
                            if result := await check_server(sender, left):
                                progress.say(f"Preflight: {result}")
                        await sender.send_all(left, concurrency, ended)
                    finally:
                        outcome = {"learned": sender.unsupported_parameters, "retries": sender.retries}
                        journal.append({**facts, "ended": _now(), **outcome})

        try:
            asyncio.run(send())
        except RunStopped as error:
            raise RunStopped(without_secret(str(error), session.key)) from None
        finally:
            folder.write_answers()
            folder.write_run()


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def about_session(requests: Sequence[Request], shard: Shard | None = None) -> dict[str, Any]:
    """Return what every session has in the journal."""
    prompts = dict(Counter(request.task.name for request in requests))
    return {"started": _now(), "shard": shard and str(shard), "prompts": prompts, "zero_scrolls": VERSION}


@contextlib.contextmanager
def _interrupts(sender: PromptSender, progress: RunProgress) -> Iterator[None]:
    """Ctrl-C once: send nothing more, wait for pending replies. Twice: end now."""
    loop, task, stopped = asyncio.get_running_loop(), asyncio.current_task(), sender.stopped

    def interrupt() -> None:
        if stopped.is_set() and task is not None:
            task.cancel()
        else:
            stopped.set()
            progress.say("Waiting for the replies to prompts already sent; press Ctrl-C again to end now.")

    try:
        loop.add_signal_handler(signal.SIGINT, interrupt)
    except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
        yield
        return
    try:
        yield
    except asyncio.CancelledError:
        if not stopped.is_set():
            raise
    finally:
        loop.remove_signal_handler(signal.SIGINT)
    if stopped.is_set():
        raise KeyboardInterrupt


def score_run(folder: RunFolder, settings: Settings, references: References) -> ScoredFile:
    """Return the score that `zero-scrolls score` gives the folder, from what the run has read already.

    Only tasks without references here, which were run with an earlier command, are read from the source.
    """
    benchmark = find_benchmark(settings.benchmark)
    sources, problems = open_inputs([folder.path / "answers"], [f"{folder.path.name}/answers"])
    predictions = replace(read_predictions(sources, problems, benchmark=benchmark), run=folder.account())
    if earlier := [task for task in predictions.tasks if task not in references.tasks]:
        place = (settings.source, earlier, settings.split, settings.revision)
        more = references_from_source(*place, benchmark=benchmark)
        references = replace(
            references,
            tasks=references.tasks | more.tasks,
            problems=references.problems + more.problems,
            unlabelled=references.unlabelled | more.unlabelled,
            documents=references.documents | more.documents,
        )
    return score_loaded(predictions, references)
