"""The options of `zero-scrolls run`, and what they ask for."""

import argparse
from dataclasses import fields

from zs_bench.commands.options import add_prompts, count
from zs_bench.commands.parser import describe
from zs_bench.runs.replies import ALL_REASONING, OVERFLOW
from zs_bench.runs.replies import REFUSED as NOT_ANSWERED
from zs_bench.runs.requests import Settings, Shard
from zs_bench.runs.session import Session
from zs_bench.runs.transport import KEY_VARIABLE, Patience, read_key


def declare_options(command: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
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
        help="Environment variable that holds the key, if the server wants one. Default: %(default)s.",
    )
    server.add_argument(
        "--concurrency",
        type=count,
        default=4,
        metavar="N",
        help="Prompts on their way at a time. Default: %(default)s.",
    )
    server.add_argument(
        "--timeout", type=float, metavar="SECONDS", help="Longest wait for a reply. Default: by the prompt's length."
    )
    prompts = command.add_argument_group("prompts")
    prompts.add_argument("--tasks", nargs="+", default=[], metavar="TASK", help="Names of tasks. Default: all.")
    add_prompts(prompts)
    _declare_answers(command.add_argument_group("answers"))
    group = command.add_argument_group("run")
    group.add_argument("--out", metavar="DIR", help="Folder of the run; one that exists is continued.")
    group.add_argument(
        "--shard", type=_shard, metavar="I/N", help="Send only part I of N; all parts may share a folder."
    )
    group.add_argument(
        "--again",
        nargs="+",
        default=[],
        choices=(OVERFLOW, ALL_REASONING, NOT_ANSWERED),
        metavar="STATUS",
        help=f"Also send prompts again that ended with {OVERFLOW}, {ALL_REASONING} or {NOT_ANSWERED}.",
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


def _declare_answers(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--answer-budget",
        type=count,
        metavar="N",
        help="Tokens of an answer. Default: the paper's number for each task; 1024 in SCROLLS.",
    )
    group.add_argument(
        "--thinking-budget",
        type=int,
        default=0,
        metavar="N",
        help="Tokens that a reasoning model may spend before its answer, besides these. Default: %(default)s.",
    )
    group.add_argument(
        "--temperature", type=float, default=0.0, metavar="T", help="Temperature of sampling. Default: %(default)s."
    )
    group.add_argument("--seed", type=int, metavar="N", help="Seed of sampling, where the server takes one.")


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings that the options name."""
    given = {one.name: getattr(options, one.name) for one in fields(Settings)}
    return Settings(**given | {"model": options.local or options.model or ""})


def session_of(options: argparse.Namespace) -> Session:
    """How the options say the prompts are to be sent."""
    return Session(
        options.base_url,
        None if options.local else read_key(options.key_env),
        1 if options.local else options.concurrency,
        Patience(timeout=options.timeout),
        options.shard,
        options.again,
        preflight=not options.skip_preflight,
        local=options.local,
    )


def _shard(text: str) -> Shard:
    number, _, of = text.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a part of the run; write part 1 of 4 as 1/4")
    return int(number), int(of)
