"""Options shared by several commands."""

import argparse
from collections.abc import Iterable

from zs_bench.dataset.embedded import SPLIT
from zs_bench.dataset.sources import SOURCES
from zs_bench.prompts.token_counts import WORDS
from zs_bench.prompts.variants import VARIANTS
from zs_bench.scoring.post_rules import find_rules
from zs_metric.errors import ZeroScrollsError
from zs_metric.scoring import ROUGE_AGGREGATIONS
from zs_metric.tasks import BENCHMARKS

#: What a path of predictions or references may be.
FILES = "CSV, JSON or JSONL files, a ZIP, or a folder"


def add_benchmark(command: argparse._ActionsContainer) -> None:
    """Declare `--benchmark`."""
    command.add_argument(
        "--benchmark",
        choices=tuple(BENCHMARKS),
        default=next(iter(BENCHMARKS)),
        metavar="NAME",
        help=f"The benchmark: {' or '.join(BENCHMARKS)}. Default: %(default)s.",
    )


def add_source(command: argparse._ActionsContainer, default: str, what: str = "examples") -> None:
    """Declare `--source` and `--revision`."""
    command.add_argument(
        "--source", default=default, help=f"Where the {what} come from: {SOURCES}. Default: %(default)s."
    )
    add_revision(command)


def add_revision(command: argparse._ActionsContainer) -> None:
    """Declare `--revision`."""
    command.add_argument(
        "--revision", metavar="R", help="Branch, tag or commit of the dataset on the Hub. Default: main."
    )


def add_json(command: argparse._ActionsContainer, what: str) -> None:
    """Declare `--json`."""
    command.add_argument("--json", metavar="OUT", help=f"Write {what} as JSON; '-' is standard output.")


def add_references(command: argparse.ArgumentParser) -> None:
    """Declare what answers are scored against."""
    group = command.add_argument_group("references")
    against = group.add_mutually_exclusive_group(required=True)
    against.add_argument("--references", nargs="+", metavar="PATH", help=f"Score against these references: {FILES}.")
    against.add_argument("--source", help=f"Score against the references of {SOURCES}.")
    group.add_argument("--split", help="Split of the source. Default: validation.")
    add_revision(group)
    add_benchmark(group)
    group.add_argument(
        "--hard-ids",
        metavar="FILE",
        help="With --benchmark scrolls: the ids of QuALITY's hard questions, which are then scored as quality_hard.",
    )


def add_scoring(command: argparse.ArgumentParser, *, aggregation: bool = True) -> None:
    """Declare how answers are scored."""
    group = command.add_argument_group("scoring")
    group.add_argument("--partial", action="store_true", help="Score the ids that have both answer and reference.")
    group.add_argument(
        "--post",
        action="append",
        default=[],
        type=_rule,
        metavar="RULE",
        help="Change the answers before scoring: cut-at:<stop string>, cut-at-tag, drop-think or strip. Can be given "
        "several times; the rules are applied in this order and named in the report.",
    )
    if aggregation:
        group.add_argument(
            "--rouge-aggregation",
            choices=ROUGE_AGGREGATIONS,
            default="corpus",
            help="Geometric mean of the ROUGE means (corpus, official) or of each answer. Default: %(default)s.",
        )


def add_prompts(
    group: argparse._ActionsContainer, source: str = "embedded", variants: Iterable[str] = tuple(VARIANTS)
) -> None:
    """Declare which prompts are sent, in which form and length."""
    add_benchmark(group)
    add_source(group, source)
    group.add_argument("--split", default=SPLIT, help="Split of the source. Default: %(default)s.")
    group.add_argument(
        "--variant", choices=tuple(variants), default="canonical", help="Form of the prompts. Default: %(default)s."
    )
    group.add_argument(
        "--budget", type=count, metavar="N", help="Trim documents so that prompt and answer take N tokens."
    )
    group.add_argument(
        "--tokenizer",
        default=WORDS.name,
        metavar="NAME",
        help="What counts tokens: words, tiktoken:<encoding or model> or hf:<name or path>. Default: %(default)s.",
    )


def count(text: str) -> int:
    """The whole number, from 1, that an option names."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def _rule(name: str) -> str:
    try:
        find_rules([name])
    except ZeroScrollsError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name
