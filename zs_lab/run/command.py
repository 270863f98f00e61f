"""`zero-scrolls run`: send the prompts to a model's server, keep every reply, and score the answers."""

import argparse
import os
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from zs_bench.commands import INTERRUPTED, OK, REFUSED, describe
from zs_bench.commands.options import count
from zs_bench.commands.outputs import progress, show
from zs_bench.commands.prompt import add_prompts, settings_of, without_chat
from zs_bench.errors import UnusableInput
from zs_bench.problems import counted, short
from zs_bench.reports import report
from zs_bench.reports.every_eval_ever import check_model, write_records
from zs_bench.reports.run_text import account_text
from zs_bench.run_records import ALL_REASONING, FAILED, OVERFLOW, account
from zs_bench.run_records import REFUSED as NOT_ANSWERED
from zs_bench.token_counts import find_tokenizer
from zs_lab.run.batch import record_batches, write_batches
from zs_lab.run.folder import RunFolder, shard_totals
from zs_lab.run.local import LocalModel
from zs_lab.run.prompts import RunPrompts, Shard, estimate_text, find_shard, load_requests
from zs_lab.run.ray_actors import Model, RayActors
from zs_lab.run.sending import RetryPolicy, RunStopped
from zs_lab.run.session import RunProgress, run_session, score_run
from zs_lab.run.transport import KEY_VARIABLE, Transport, address_host, read_key

#: What to do about prompts without an answer.
_NEXT = {
    FAILED: "{again} them again",
    OVERFLOW: f"give the server a larger window and add --again {OVERFLOW}, or trim with --budget in a new folder",
    ALL_REASONING: f"give --thinking-budget and a new folder; --again {ALL_REASONING} sends them as they were",
    NOT_ANSWERED: f"--again {NOT_ANSWERED} sends them again",
}
#: The statuses of prompts that are sent again only with `--again`.
_LOST = (OVERFLOW, ALL_REASONING, NOT_ANSWERED)
_count_or_0 = partial(count, least=0)


def declare(command: argparse.ArgumentParser) -> None:
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
    model = command.add_argument_group("model")
    model.add_argument("--base-url", metavar="URL", help="Address of the server, usually ending in /v1.")
    model.add_argument("--model", metavar="NAME", help="The model's name, as the server calls it.")
    local = "Run this Hugging Face model, a folder or a name on the Hub, in this process."
    model.add_argument("--local", metavar="MODEL", help=local)
    key = "Environment variable that holds the key, if the server needs one. Default: %(default)s."
    model.add_argument("--key-env", default=KEY_VARIABLE, metavar="VARIABLE", help=key)
    in_flight = "Requests in flight at a time; with --local, prompts in a batch. Default: %(default)s."
    model.add_argument("--concurrency", type=count, default=4, metavar="N", help=in_flight)
    timeout = "Longest wait for a reply. Default: by the prompt's length."
    model.add_argument("--timeout", type=count, metavar="SECONDS", help=timeout)
    prompts = command.add_argument_group("prompts")
    prompts.add_argument(
        "--tasks", nargs="+", action="extend", default=[], metavar="TASK", help="Names of tasks. Default: all."
    )
    add_prompts(prompts)
    answers = command.add_argument_group("answers")
    budget = "Tokens of an answer. Default: the paper's number for each task; 1024 in SCROLLS."
    answers.add_argument("--answer-budget", type=count, metavar="N", help=budget)
    thinking = "Extra tokens that a reasoning model may spend before its answer. Default: %(default)s."
    answers.add_argument("--thinking-budget", type=_count_or_0, default=0, metavar="N", help=thinking)
    temperature = "Temperature of sampling. Default: %(default)s."
    answers.add_argument("--temperature", type=float, default=0.0, metavar="T", help=temperature)
    answers.add_argument("--seed", type=int, metavar="N", help="Seed of sampling, if the server accepts one.")
    _declare_run(command.add_argument_group("run"))
    ray = command.add_argument_group("Ray cluster")
    ray.add_argument("--engine", choices=("ray",), help="Send the requests from actors of a Ray cluster.")
    ray.add_argument("--ray-address", metavar="ADDRESS", help="Address, or auto. Default: a cluster is started here.")
    actors = "Number of actors. Default: one for each GPU, else for each machine."
    ray.add_argument("--actors", type=count, metavar="N", help=actors)
    gpus = "GPUs of an actor. Default: 1 with --local where the cluster has any, else 0."
    ray.add_argument("--gpus-per-actor", type=_count_or_0, metavar="N", help=gpus)
    command.set_defaults(run=run)


def _declare_run(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--out", metavar="DIR", help="Folder of the run; one that exists is continued.")
    shard = (
        "Send only part I of N; all parts may share a folder. 'auto' finds the part in a SLURM array, 'auto/N' in an "
        "indexed Kubernetes job."
    )
    group.add_argument("--shard", metavar="I/N", help=shard)
    again = f"Also send again prompts that ended with {OVERFLOW}, {ALL_REASONING} or {NOT_ANSWERED}."
    group.add_argument("--again", nargs="+", action="extend", default=[], choices=_LOST, metavar="STATUS", help=again)
    write = "Send nothing; write what is missing as OpenAI batch files to this folder."
    group.add_argument("--write-batch", metavar="DIR", help=write)
    group.add_argument(
        "--read-batch",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="Send nothing; read the replies in these files.",
    )
    group.add_argument("--skip-preflight", action="store_true", help="Do not try the longest prompt first.")
    group.add_argument("--dry-run", action="store_true", help="Print prompts, tokens and price by task; send nothing.")
    group.add_argument("--window", type=count, metavar="N", help="With --dry-run: count prompts over N tokens.")
    group.add_argument("--price-in", type=float, metavar="P", help="With --dry-run: price of a million prompt tokens.")
    group.add_argument("--price-out", type=float, metavar="P", help="With --dry-run: price of a million answer tokens.")
    eee = "Add the records of Every Eval Ever to this folder. The model's name has to be developer/model."
    group.add_argument("--eee", metavar="DIR", help=eee)


def run(options: argparse.Namespace) -> int:
    """Send what is missing, and print how the prompts ended and the score."""
    settings = settings_of(options, model=options.local or options.model or "")
    if not options.dry_run:
        _check(options)
    if options.eee:
        check_model(settings.model)
    tokenizer, shown = find_tokenizer(options.tokenizer), RunProgress()
    shard = _shard(options, shown)
    whole = replace(settings, split=options.split or "")
    prompts = load_requests(whole, options.tasks, shard=shard, progress=progress())
    if options.dry_run:
        prices = (options.price_in or 0.0, options.price_out or 0.0)
        show(estimate_text(prompts.requests, tokenizer, options.window, prices if any(prices) else None))
        return OK
    if read := prompts.references.source:
        settings = replace(settings, split=read.split or settings.split, revision=read.commit or settings.revision)
    folder = RunFolder(options.out, settings)
    if prompts.absent:
        shown.say(f"{settings.source} has no examples of {', '.join(prompts.absent)}.")
    if note := without_chat(dict.fromkeys(request.task for request in prompts.requests)):
        shown.say(f"{note}; here they are sent as a chat's messages, which a published score may not be.")
    if damaged := folder.damaged(prompts.requests):
        names = ", ".join(f"{request.task.name} {short(request.id)}" for request in damaged)
        shown.say(f"Damaged in the journal, so to be sent again: {counted(len(damaged), 'answer')} ({names}).")
    if options.write_batch:
        paths = write_batches(folder.unanswered(prompts.requests, options.again), settings, options.write_batch)
        show("\n".join(f"Written: {path}" for path in paths) or "No prompt is left to send; nothing was written.")
        return OK
    status = OK
    try:
        if options.read_batch:
            record_batches(folder, prompts.requests, options.read_batch, shown)
        else:
            _send(folder, prompts, options, shard, shown)
    except RunStopped as error:
        shown.say(f"zero-scrolls: stopped: {error}")
        status = REFUSED
    except KeyboardInterrupt:
        status = INTERRUPTED
    missing = _print_results(folder, prompts, options, shown, shard)
    return status or missing


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
            instead = ", --local for a model in this process" if name == "base_url" else ""
            raise UnusableInput(f"--{name.replace('_', '-')} is missing; give it{instead}, or --dry-run")
    if options.base_url and not by_file:
        address_host(options.base_url)


def _shard(options: argparse.Namespace, shown: RunProgress) -> Shard | None:
    """Return the part that is sent and say it, or say that this job could be a part but is not."""
    if options.shard:
        shard = find_shard(options.shard, os.environ, shard_totals(options.out))
        shown.say(f"Part {shard} of the run.")
        return shard
    with suppress(UnusableInput):
        if (part := find_shard("auto", os.environ)).total > 1:
            could = f"this job is {part} of its array; --shard auto sends a part in each."
            shown.say(f"All prompts are sent, though {could}")
    return None


def _send(
    folder: RunFolder, prompts: RunPrompts, options: argparse.Namespace, shard: Shard | None, shown: RunProgress
) -> None:
    key = None if options.local else read_key(options.key_env)
    model: Callable[[], Model] = partial(Transport, options.base_url, key)
    if options.local:
        model = partial(LocalModel, options.local)
    connect: Callable[[], Model | RayActors] = model
    if options.engine == "ray":
        gpus = 0 if options.gpus_per_actor is None and not options.local else options.gpus_per_actor
        connect = partial(RayActors, model, address=options.ray_address, count=options.actors, gpus=gpus)
    run_session(
        folder,
        prompts.requests,
        connect,
        shown,
        key=key,
        concurrency=options.concurrency,
        policy=RetryPolicy(timeout=options.timeout),
        shard=shard,
        again=options.again,
        preflight=not options.skip_preflight,
    )


def _print_results(
    folder: RunFolder, prompts: RunPrompts, options: argparse.Namespace, shown: RunProgress, shard: Shard | None
) -> int:
    """Print how the prompts ended and the score; say why prompts have no answer, one of each kind, and what to do."""
    by_key = folder.records()
    records = [by_key[request.key] for request in prompts.requests if request.key in by_key]
    tasks = account(records, Counter(request.task.name for request in prompts.requests))
    if any(task.answered for task in tasks.values()):
        scored = score_run(folder, prompts.references, partial=shard is not None)
        show(report.as_text(scored))
        if options.eee:
            write_records(scored, Path(options.eee), folder.settings.model)
    else:
        show(account_text(tasks))
    if shard:
        shown.say(
            f"Part {shard} of the run: the scores are of the answers in {folder.path} so far. The other parts are sent "
            f"with --shard I/{shard.total}; the same command without --shard then scores them all."
        )
    if all(task.answered == task.prompts for task in tasks.values()):
        return OK
    again = "--write-batch with a new folder writes" if options.read_batch else "the same command sends"
    for status, mend in _NEXT.items():
        if lost := [record for record in records if record.status == status]:
            last = lost[-1]
            why = f": {short(last.error, 200)}" if last.error else ""
            what = f"{len(lost):,} {status} (such as {last.task} {short(last.id)}{why})"
            shown.say(f"{what}; {mend.format(again=again)}.")
    rest = f"; {again} what was not asked yet" if len(records) < len(prompts.requests) else ""
    shown.say(f"All replies are kept in {folder.path}{rest}." if records else "No reply was received.")
    return REFUSED
