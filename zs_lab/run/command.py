"""`zero-scrolls run`: send the prompts to a model's server, keep every reply, and score the answers."""

import argparse
import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from zs_bench.commands import INTERRUPTED, OK, REFUSED, describe
from zs_bench.commands.options import count
from zs_bench.commands.outputs import progress, show
from zs_bench.commands.prompt_options import add_prompts, settings_of
from zs_bench.errors import UnusableInput
from zs_bench.problems import short
from zs_bench.prompts.token_counts import WORDS, find_tokenizer
from zs_bench.reports import report
from zs_bench.reports.every_eval_ever import check_model, write_records
from zs_bench.reports.run_text import account_text
from zs_bench.run_records.account import TaskAccount, account
from zs_bench.run_records.completions import ALL_REASONING, FAILED, OVERFLOW
from zs_bench.run_records.completions import REFUSED as NOT_ANSWERED
from zs_bench.run_records.settings import Settings
from zs_lab.run.batch import write_batches
from zs_lab.run.estimate import estimate, estimate_text
from zs_lab.run.folder import RunFolder, unanswered
from zs_lab.run.local import LocalModel
from zs_lab.run.progress import RunProgress
from zs_lab.run.prompts import RunPrompts, Shard, find_shard, load_requests
from zs_lab.run.ray_actors import RayActors
from zs_lab.run.scoring import score_run
from zs_lab.run.sending import PreflightFailed, RunStopped
from zs_lab.run.session import Interrupted, Session, record_batches, run_session
from zs_lab.run.transport import KEY_VARIABLE, Model, RetryPolicy, Transport, address_host, read_key

#: What to do about prompts without an answer.
_NEXT = {
    FAILED: "{again} them again",
    OVERFLOW: f"give the server a larger window and add --again {OVERFLOW}, or trim with --budget in a new folder",
    ALL_REASONING: f"give --thinking-budget and a new folder; --again {ALL_REASONING} sends them as they were",
    NOT_ANSWERED: f"--again {NOT_ANSWERED} sends them again",
}
#: The statuses of prompts that are sent again only with `--again`.
_LOST = (OVERFLOW, ALL_REASONING, NOT_ANSWERED)
#: What may be given instead of an option.
_INSTEAD = {"base_url": ", --local for a model in this process"}


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command."""
    describe(
        command,
        "Send the prompts of the benchmark to a model behind any OpenAI-compatible server (vLLM, SGLang, llama.cpp, "
        "Ollama, TGI or a hosted one) or to a Hugging Face model in this process, keep every reply in a folder, and "
        "score the answers. Run it again with the same settings to send only what is missing.",
        {
            "zero-scrolls run --base-url http://127.0.0.1:8000/v1 --model NAME --source hub --out run/": "The "
            "validation split of all tasks.",
            "zero-scrolls run --dry-run --source hub --tasks qasper quality --price-in 2 --price-out 8": "What it "
            "would cost; nothing is sent.",
            "zero-scrolls run --base-url URL --model NAME --budget 8192 --out run/": "Documents trimmed to the window.",
            "zero-scrolls run --local FOLDER --source hub --out run/": "A Hugging Face model in this process.",
            "zero-scrolls score run/ --source hub": "Score it again.",
        },
        usage="zero-scrolls run (--base-url URL --model NAME | --local MODEL) --out DIR [options]",
        status="A prompt has no answer yet, or never will; the table says how many and why.",
    )
    server = command.add_argument_group("model")
    server.add_argument("--base-url", metavar="URL", help="Address of the server, usually ending in /v1.")
    server.add_argument("--model", metavar="NAME", help="The model's name, as the server calls it.")
    server.add_argument(
        "--local",
        metavar="MODEL",
        help="Run this Hugging Face model, a folder or a name on the Hub, in this process; one prompt at a time.",
    )
    server.add_argument(
        "--key-env",
        default=KEY_VARIABLE,
        metavar="VARIABLE",
        help="Environment variable that holds the key, if the server needs one. Default: %(default)s.",
    )
    server.add_argument(
        "--concurrency",
        type=count,
        default=4,
        metavar="N",
        help="Requests in flight at a time. Default: %(default)s.",
    )
    server.add_argument(
        "--timeout", type=count, metavar="SECONDS", help="Longest wait for a reply. Default: by the prompt's length."
    )
    prompts = command.add_argument_group("prompts")
    prompts.add_argument("--tasks", nargs="+", default=[], metavar="TASK", help="Names of tasks. Default: all.")
    add_prompts(prompts)
    _declare_answers(command.add_argument_group("answers"))
    group = command.add_argument_group("run")
    group.add_argument("--out", metavar="DIR", help="Folder of the run; one that exists is continued.")
    group.add_argument(
        "--shard",
        metavar="I/N",
        help="Send only part I of N; all parts may share a folder. 'auto' finds the part in a SLURM array, 'auto/N' in "
        "an indexed Kubernetes job.",
    )
    group.add_argument(
        "--again",
        nargs="+",
        default=[],
        choices=_LOST,
        metavar="STATUS",
        help=f"Also send again prompts that ended with {OVERFLOW}, {ALL_REASONING} or {NOT_ANSWERED}.",
    )
    group.add_argument(
        "--write-batch", metavar="DIR", help="Send nothing; write what is missing as OpenAI batch files to this folder."
    )
    group.add_argument("--read-batch", nargs="+", metavar="FILE", help="Send nothing; read the replies in these files.")
    group.add_argument("--skip-preflight", action="store_true", help="Do not try the longest prompt first.")
    group.add_argument("--dry-run", action="store_true", help="Print prompts, tokens and price by task; send nothing.")
    group.add_argument("--window", type=count, metavar="N", help="With --dry-run: count prompts over N tokens.")
    group.add_argument("--price-in", type=float, metavar="P", help="With --dry-run: price of a million prompt tokens.")
    group.add_argument("--price-out", type=float, metavar="P", help="With --dry-run: price of a million answer tokens.")
    group.add_argument(
        "--eee",
        metavar="DIR",
        help="Add the records of Every Eval Ever to this folder. The model's name has to be developer/model.",
    )
    _declare_ray(command.add_argument_group("Ray cluster"))
    command.set_defaults(run=run)


def _declare_ray(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--engine", choices=("ray",), help="Send the requests from actors of a Ray cluster.")
    group.add_argument("--ray-address", metavar="ADDRESS", help="Address, or auto. Default: a cluster is started here.")
    group.add_argument(
        "--actors", type=count, metavar="N", help="Number of actors. Default: one for each GPU, else for each machine."
    )
    group.add_argument(
        "--gpus-per-actor",
        type=partial(count, least=0),
        metavar="N",
        help="GPUs of an actor. Default: 1 with --local, else 0.",
    )


def _declare_answers(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--answer-budget",
        type=count,
        metavar="N",
        help="Tokens of an answer. Default: the paper's number for each task; 1024 in SCROLLS.",
    )
    group.add_argument(
        "--thinking-budget",
        type=partial(count, least=0),
        default=0,
        metavar="N",
        help="Extra tokens that a reasoning model may spend before its answer. Default: %(default)s.",
    )
    group.add_argument(
        "--temperature", type=float, default=0.0, metavar="T", help="Temperature of sampling. Default: %(default)s."
    )
    group.add_argument("--seed", type=int, metavar="N", help="Seed of sampling, if the server accepts one.")


def run(options: argparse.Namespace) -> int:
    """Send what is missing, and print how the prompts ended and the score."""
    settings = settings_of(options, model=options.local or options.model or "")
    if not options.dry_run:
        _check(options)
    if options.eee:
        check_model(settings.model)
    find_tokenizer(options.tokenizer)
    shard, shown = None, RunProgress()
    if options.shard:
        shard = find_shard(options.shard, os.environ)
        shown.say(f"Part {shard} of the run.")
    elif hint := _hint_at_shards(os.environ):
        shown.say(hint)
    prompts = load_requests(
        replace(settings, split=options.split or ""), options.tasks, shard=shard, progress=progress()
    )
    if options.dry_run:
        return _print_estimate(options, prompts)
    read = prompts.references.about
    settings = replace(settings, split=read["split"] or settings.split, revision=read["revision"] or settings.revision)
    folder = RunFolder(options.out, settings)
    if prompts.absent:
        shown.say(f"{settings.source} has no examples of {', '.join(prompts.absent)}.")
    if options.write_batch:
        left = unanswered(prompts.requests, folder.records(), options.again)
        paths = write_batches(left, settings, options.write_batch)
        show("\n".join(f"Written: {path}" for path in paths) or "No prompt is left to send; nothing was written.")
        return OK
    status = OK
    try:
        if options.read_batch:
            record_batches(folder, settings, prompts.requests, options.read_batch, shown)
        else:
            run_session(folder, settings, prompts.requests, _session(options, shard), shown)
    except (RunStopped, PreflightFailed) as error:
        shown.say(f"zero-scrolls: stopped: {error}")
        status = REFUSED
    except Interrupted:
        status = INTERRUPTED
    tasks = _print_results(folder, settings, prompts, options.eee)
    if all(task.answered == task.prompts for task in tasks.values()):
        return status
    again = "--write-batch with a new folder writes" if options.read_batch else "the same command sends"
    _say_what_is_missing(folder, prompts, shown, again)
    return status or REFUSED


def _check(options: argparse.Namespace) -> None:
    by_file = options.write_batch or options.read_batch
    if options.local and (by_file or options.base_url or options.model):
        raise UnusableInput("--local runs that model here; leave out --base-url, --model and the batch files")
    if options.write_batch and options.read_batch:
        raise UnusableInput("--write-batch and --read-batch are two steps; give one of them")
    ray_options = (options.ray_address, options.actors, options.gpus_per_actor)
    if not options.engine and any(value is not None for value in ray_options):
        raise UnusableInput("--ray-address, --actors and --gpus-per-actor are for a Ray cluster; add --engine ray")
    needed = [] if options.local else ["model"] if by_file else ["base_url", "model"]
    for name in (*needed, "out"):
        if not getattr(options, name):
            raise UnusableInput(f"--{name.replace('_', '-')} is missing; give it{_INSTEAD.get(name, '')}, or --dry-run")
    if options.base_url and not by_file:
        address_host(options.base_url)


def _session(options: argparse.Namespace, shard: Shard | None) -> Session:
    key = None if options.local else read_key(options.key_env)
    connect: Callable[[], Model] = partial(Transport, options.base_url, key)
    if options.local:
        connect = partial(LocalModel, options.local)
    if options.engine == "ray":
        gpus = int(bool(options.local)) if options.gpus_per_actor is None else options.gpus_per_actor
        connect = partial(RayActors, connect, address=options.ray_address, count=options.actors, gpus=gpus)
    return Session(
        connect,
        key,
        1 if options.local else options.concurrency,
        RetryPolicy(timeout=options.timeout),
        shard,
        options.again,
        preflight=not options.skip_preflight,
    )


def _print_estimate(options: argparse.Namespace, prompts: RunPrompts) -> int:
    tokenizer = find_tokenizer(options.tokenizer)
    tasks = estimate(prompts.requests, tokenizer, options.window)
    prices = (options.price_in or 0.0, options.price_out or 0.0)
    show(estimate_text(tasks, prices if any(prices) else None, exact=tokenizer.name != WORDS.name))
    return OK


def _print_results(
    folder: RunFolder, settings: Settings, prompts: RunPrompts, eee: str | None
) -> dict[str, TaskAccount]:
    """Print how the prompts ended, and the score; write records of it; return the account of each task."""
    wanted = {request.key for request in prompts.requests}
    records = [record for key, record in folder.records().items() if key in wanted]
    tasks = account(records, dict(Counter(task for task, _ in wanted)))
    if any(task.answered for task in tasks.values()):
        scored = score_run(folder, settings, prompts.references)
        show(report.as_text(scored))
        if eee:
            write_records(scored, Path(eee), settings.model)
    else:
        show(account_text(tasks))
    return tasks


def _say_what_is_missing(folder: RunFolder, prompts: RunPrompts, shown: RunProgress, again: str) -> None:
    """Say why prompts have no answer, with one of each kind, and what to do."""
    by_key = folder.records()
    records = [by_key[request.key] for request in prompts.requests if request.key in by_key]
    for status, mend in _NEXT.items():
        if lost := [record for record in records if record.status == status]:
            last = lost[-1]
            why = f": {short(last.error, 200)}" if last.error else ""
            what = f"{len(lost):,} {status} (such as {last.task} {short(last.id)}{why})"
            shown.say(f"{what}; {mend.format(again=again)}.")
    rest = f"; {again} what was not asked yet" if len(records) < len(prompts.requests) else ""
    shown.say(f"All replies are kept in {folder.path}{rest}.")


def _hint_at_shards(environment: Mapping[str, str]) -> str | None:
    """Return what to say in a job that could be a part of the run, but need not be one."""
    try:
        shard = find_shard("auto", environment)
    except UnusableInput:
        return None
    if shard.total == 1:
        return None
    return f"All prompts are sent, though this job is {shard} of its array; --shard auto sends a part in each."
