"""What answers are scored against: the options that `score`, `compare` and `readings` share, and the score by them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zs_bench.commands import add_benchmark, show_progress
from zs_bench.commands.data import add_revision
from zs_bench.files.hard_ids import read_hard_ids
from zs_bench.files.limits import MAX_BYTES
from zs_bench.problems import UnusableInput, lines
from zs_bench.reports.post_rules import find_rules
from zs_bench.reports.score_files import score_files
from zs_bench.reports.scored import ScoredFile
from zs_bench.sources.data_sources import SOURCES
from zs_bench.sources.source_references import score_against
from zs_metric.errors import ZeroScrollsError
from zs_metric.scoring import ROUGE_AGGREGATIONS


def add_references(command: argparse.ArgumentParser) -> None:
    """Declare the options."""
    against = command.add_mutually_exclusive_group(required=True)
    against.add_argument("--references", nargs="+", metavar="REFERENCES", help="files, a ZIP or a folder")
    against.add_argument("--source", help=f"take the references from there: {SOURCES}")
    command.add_argument("--split", help="of the source; default: validation")
    add_revision(command)
    add_benchmark(command)
    command.add_argument(
        "--hard-ids", metavar="FILE", help="ids of QuALITY's hard questions, for SCROLLS: quality_hard"
    )
    command.add_argument("--partial", action="store_true", help="score the ids present on both sides, and say so")


def add_aggregation(command: argparse.ArgumentParser) -> None:
    """Declare `--rouge-aggregation`."""
    command.add_argument("--rouge-aggregation", choices=ROUGE_AGGREGATIONS, default="corpus", help="default: corpus")


def add_post(command: argparse.ArgumentParser) -> None:
    """Declare `--post`."""
    rules = "cut-at:<stop string>, cut-at-tag, drop-think, strip"
    about = f"change the answers before scoring, and say so; may be given several times, in order: {rules}"
    command.add_argument("--post", action="append", default=[], type=_rule, metavar="RULE", help=about)


def _rule(name: str) -> str:
    try:
        find_rules([name])
    except ZeroScrollsError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name


def score_paths(options: argparse.Namespace, predictions: Sequence[str]) -> ScoredFile:
    """The scores of these files, ZIPs or folders, as the options say."""
    progress = show_progress if sys.stderr.isatty() else None
    if options.hard_ids and options.benchmark != "scrolls":
        raise UnusableInput("--hard-ids goes with --benchmark scrolls")
    same: Any = {
        "benchmark": options.benchmark,
        "hard_ids": read_hard_ids(options.hard_ids) if options.hard_ids else None,
        "partial": options.partial,
        "rouge_aggregation": options.rouge_aggregation,
        "post": getattr(options, "post", ()),
        "progress": progress,
    }
    if options.source is None:
        if options.split or options.revision:
            raise UnusableInput("--split and --revision go with --source; files of references tell their split")
        return score_files(predictions, options.references, **same)
    split = options.split or "validation"
    return score_against(predictions, options.source, split=split, revision=options.revision, **same)[0]


def system_names(paths: Sequence[str]) -> list[str]:
    """A name for each system: the shortest end of its path that no other shares, without the file's suffix if possible.

    Raises:
        UnusableInput: for one path given twice.

    >>> system_names(["runs/a/preds.csv", "runs/b/preds.csv"]), system_names(["v1.2", "two.json"])
    (['a/preds', 'b/preds'], ['v1.2', 'two'])
    """
    wholes = [Path(path).absolute() for path in paths]
    bare = [path.with_suffix("") if path.suffix.lower() in (*MAX_BYTES, ".zip") else path for path in wholes]
    for parts in ([path.parts for path in bare], [path.parts for path in wholes]):
        for length in range(1, max(map(len, parts)) + 1):
            names = ["/".join(part[-length:]) for part in parts]
            if len(set(names)) == len(names):
                return names
    raise UnusableInput(f"a system is there twice in {', '.join(paths)}; name each once")


def tell_problems(scored: ScoredFile, before: str = "") -> None:
    """Print what is wrong with a scored file to standard error, each line with these words before it."""
    for line in lines(scored.problems):
        print(f"{before}{line}", file=sys.stderr)


def check_outputs(*outputs: str | None) -> bool:
    """Whether one of the files to write is standard output (`-`), which then holds nothing else.

    Raises:
        UnusableInput: for one whose folder does not exist, before any work is done.
    """
    for out in filter(None, outputs):
        if out != "-" and not Path(out).absolute().parent.is_dir():
            raise UnusableInput(f"there is no folder for {out!r}; make it first")
    return "-" in outputs
