"""`zero-scrolls run`: send the prompts to a model's server, keep every reply, and score the answers."""

import argparse
import sys
import time
from collections import Counter
from dataclasses import replace
from typing import Any

from zs_bench.commands import INTERRUPTED, OK, REFUSED
from zs_bench.commands.outputs import progress, show
from zs_bench.commands.run_options import declare_options, session_of, settings_of
from zs_bench.problems import UnusableInput, counted
from zs_bench.prompts.token_counts import WORDS, find_tokenizer
from zs_bench.reports import report
from zs_bench.reports.run_text import account_text, estimate_text
from zs_bench.runs import replies
from zs_bench.runs.account import TaskAccount, account
from zs_bench.runs.asking import PreflightFailed, RunStopped
from zs_bench.runs.batch import write_batches
from zs_bench.runs.estimate import estimate
from zs_bench.runs.folder import RunFolder, unanswered
from zs_bench.runs.journal import Record
from zs_bench.runs.requests import RunPrompts, Settings, load_requests
from zs_bench.runs.session import Interrupted, Watch, record_batches, run_session
from zs_bench.runs.transport import host
from zs_bench.scoring.score_files import score_against

# The least seconds between two lines of progress: one is rewritten on a terminal.
_IN_A_LOG, _ON_A_TERMINAL = 30.0, 0.2


class RunProgress:
    """Writes to standard error how many prompts came to an end, what became of them, and how long the rest takes."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._start = self._shown = time.monotonic()
        self._statuses: Counter[str] = Counter()
        self._left = self._all = self._tokens = 0

    @property
    def watch(self) -> Watch:
        """The functions that a session calls."""
        return Watch(self._begin, self._ended, self.say)

    def say(self, text: str) -> None:
        """Write a line of its own."""
        print(f"{self._clear}{text}", file=sys.stderr, flush=True)

    @property
    def _clear(self) -> str:
        return "\r\033[K" if self._terminal else ""

    def _begin(self, left: int, whole: int) -> None:
        self._left, self._all, self._start = left, whole, time.monotonic()
        done = whole - left
        self.say(
            f"{counted(left, 'prompt')} to send" + (f", {done:,} of {whole:,} came to an end before." if done else ".")
        )

    def _ended(self, record: Record) -> None:
        self._statuses[record.status] += 1
        self._tokens += record.usage.get("prompt_tokens", 0)
        now, done = time.monotonic(), sum(self._statuses.values())
        every = _ON_A_TERMINAL if self._terminal else _IN_A_LOG
        if now - self._shown >= every or done == self._left:
            self._shown = now
            line = self._line(record.task, done, now - self._start)
            print(f"{self._clear}{line}", end="" if self._terminal else "\n", file=sys.stderr, flush=True)
        if self._terminal and done == self._left:
            print(file=sys.stderr)

    def _line(self, task: str, done: int, seconds: float) -> str:
        lost = [f"{count:,} {status}" for status, count in self._statuses.items() if status != replies.OK]
        rest = seconds / done * (self._left - done)
        parts = [f"{done:,}/{self._left:,} prompts", task, *lost, f"{self._tokens:,} tokens read"]
        return " · ".join([*parts, f"{clock(rest)} left" if done < self._left else f"took {clock(seconds)}"])


def clock(seconds: float) -> str:
    """The time in hours, minutes and seconds.

    >>> clock(59.7), clock(3725)
    ('1:00', '1:02:05')
    """
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


#: The statuses of prompts that are not sent again by themselves.
_LOST = (replies.OVERFLOW, replies.ALL_REASONING, replies.REFUSED)
#: What may be given instead of an option.
_OR = {"base_url": ", --local for a model in this process"}


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command."""
    declare_options(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Send what is missing, print what became of it, and the score."""
    settings = settings_of(options)
    if not options.dry_run:
        _check(options)
    find_tokenizer(options.tokenizer)
    prompts = load_requests(settings, options.tasks, shard=options.shard, progress=progress())
    if options.dry_run:
        return _print_estimate(options, prompts)
    settings = replace(settings, revision=prompts.revision)
    folder = RunFolder(options.out, settings)
    shown = RunProgress()
    if prompts.absent:
        shown.say(f"{settings.source} has no examples of {', '.join(prompts.absent)}.")
    if options.write_batch:
        return _write_batch(options, folder, settings, prompts)
    status = OK
    try:
        if options.read_batch:
            record_batches(folder, settings, prompts.requests, options.read_batch, shown.watch)
        else:
            run_session(folder, settings, prompts.requests, session_of(options), shown.watch)
    except (RunStopped, PreflightFailed) as error:
        shown.say(f"zero-scrolls: stopped: {error}")
        status = REFUSED
    except Interrupted:
        status = INTERRUPTED
    tasks = _print_results(folder, settings, prompts)
    complete = all(one.answered == one.prompts for one in tasks.values())
    if status != OK or not complete:
        lost = [name for name in _LOST if any(one.statuses.get(name) for one in tasks.values())]
        only = f", prompts that ended without an answer only with --again {' '.join(lost)}" if lost else ""
        shown.say(f"What has an answer is kept in {folder.path}; the same command sends what is missing{only}.")
    return status or (OK if complete else REFUSED)


def _check(options: argparse.Namespace) -> None:
    by_file = options.write_batch or options.read_batch
    if options.local and (by_file or options.base_url or options.model):
        raise UnusableInput("--local runs that model here; leave --base-url, --model and the batch files away")
    needed = [] if options.local else ["model"] if by_file else ["base_url", "model"]
    for name in (*needed, "out"):
        if not getattr(options, name):
            raise UnusableInput(f"--{name.replace('_', '-')} is missing; give it{_OR.get(name, '')}, or --dry-run")
    if options.base_url and not by_file:
        host(options.base_url)


def _write_batch(options: argparse.Namespace, folder: RunFolder, settings: Settings, prompts: RunPrompts) -> int:
    left = unanswered(prompts.requests, folder.records(), options.again)
    paths = write_batches(left, settings, options.write_batch)
    show("\n".join(f"Written: {path}" for path in paths) or "Every prompt has come to an end; nothing was written.")
    return OK


def _print_estimate(options: argparse.Namespace, prompts: RunPrompts) -> int:
    tokenizer = find_tokenizer(options.tokenizer)
    found = estimate(prompts.requests, tokenizer, options.window)
    prices = (options.price_in or 0.0, options.price_out or 0.0)
    show(estimate_text(found, prices if any(prices) else None, exact=tokenizer.name != WORDS.name))
    return OK


def _print_results(folder: RunFolder, settings: Settings, prompts: RunPrompts) -> dict[str, TaskAccount]:
    """Print what became of the prompts, and the score; returns the account of each task."""
    wanted = {request.key for request in prompts.requests}
    records = {key: record for key, record in folder.records().items() if key in wanted}
    tasks = account(records.values(), dict(Counter(task for task, _ in wanted)))
    where: Any = {"split": settings.split, "revision": settings.revision, "benchmark": settings.benchmark}
    if any(one.answered for one in tasks.values()):
        show(report.as_text(score_against([folder.path], settings.source, **where)))
    else:
        show(account_text(tasks))
    return tasks
