"""Options shared by several commands, and the scoring of the files that they name."""

import argparse
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zs_bench.commands import add_benchmark
from zs_bench.commands.outputs import progress
from zs_bench.errors import UnusableInput
from zs_bench.files.formats import file_kinds, suffixes
from zs_metric.scoring import ROUGE_AGGREGATIONS
from zs_metric.tasks import Task, find_task

if TYPE_CHECKING:
    from zs_bench.dataset.inspection import Loaded
    from zs_bench.scoring.scored import ScoredFile

#: The sources of examples, for help.
SOURCES = "embedded, hub, hub:<owner/name>, or the path of a folder or ZIP"
SPLIT = "Split of the source. Default: validation, or the split that is there."


def add_source(command: argparse._ActionsContainer, default: str, what: str = "examples") -> None:
    """Declare `--source` and `--revision`."""
    where = f"Where the {what} come from: {SOURCES}. Default: %(default)s."
    command.add_argument("--source", default=default, help=where)
    add_revision(command)


def add_split(command: argparse._ActionsContainer, default: str) -> None:
    """Declare `--benchmark`, `--source`, `--revision` and `--split`: the examples of one split, for `load_split`."""
    add_benchmark(command)
    add_source(command, default)
    command.add_argument("--split", help=SPLIT)


def load_split(options: argparse.Namespace, task: Task, split: str | None = None) -> "Loaded":
    """The examples of a task at the source that the options name."""
    from zs_bench.dataset.sources import load_examples  # noqa: PLC0415  (for a few commands)

    return load_examples(options.source, task, split or options.split, revision=options.revision, progress=progress())


def add_revision(command: argparse._ActionsContainer) -> None:
    """Declare `--revision`."""
    where = "Branch, tag or commit of the dataset on the Hub. Default: main."
    command.add_argument("--revision", metavar="R", help=where)


def add_json(command: argparse._ActionsContainer) -> None:
    """Declare `--json`."""
    command.add_argument("--json", metavar="OUT", help="Write the findings as JSON; '-' is standard output.")


def add_predictions(
    command: argparse._ActionsContainer, name: str = "predictions", metavar: str = "PREDICTIONS"
) -> None:
    """Declare the files of answers."""
    command.add_argument(name, nargs="+", metavar=metavar, help=f"Answers: {file_kinds('predictions')}.")


def add_references(command: argparse.ArgumentParser) -> None:
    """Declare what answers are scored against."""
    group = command.add_argument_group("references")
    against = f"Score against these references: {file_kinds('references')}."
    source = (
        f"Score against the references of {SOURCES}. With --references, only the inputs come from the source: which "
        "examples share a document, and how long it is."
    )
    hard = "With --benchmark scrolls: the ids of QuALITY's hard questions, which are then scored as quality_hard."
    group.add_argument("--references", nargs="+", metavar="PATH", help=against)
    group.add_argument("--source", help=source)
    group.add_argument("--split", help=SPLIT)
    add_revision(group)
    add_benchmark(group)
    group.add_argument("--hard-ids", metavar="FILE", help=hard)


def add_columns(group: argparse._ActionsContainer) -> None:
    """Declare `--columns`."""
    names = (
        "What the columns of a table, or the fields of rows, are called, such as id=qid,prediction=response; also "
        "task=..., unless the file's name or the ids tell it."
    )
    group.add_argument("--columns", type=_columns, metavar="NAMES", help=names)


def _columns(text: str) -> dict[str, str]:
    columns = dict(pair.split("=", 1) for pair in text.split(",") if "=" in pair)
    if not {"id", "prediction"} <= columns.keys() <= {"id", "prediction", "task"}:
        raise argparse.ArgumentTypeError(f"{text!r} does not name id and prediction; give id=COLUMN,prediction=COLUMN")
    return columns


def add_scoring(command: argparse.ArgumentParser, *, aggregation: bool = True) -> None:
    """Declare what answers are scored against, and how, for `score_named`."""
    add_references(command)
    group = command.add_argument_group("scoring")
    add_columns(group)
    rules = (
        "Change the answers before scoring: cut-at:<stop string>, cut-at-tag, drop-think or strip. Can be given "
        "several times; the rules are applied in this order and named in the report."
    )
    rouge = "Geometric mean of the ROUGE means (corpus, official) or of each answer. Default: %(default)s."
    group.add_argument("--partial", action="store_true", help="Score the ids that have both answer and reference.")
    group.add_argument("--post", action="append", default=[], metavar="RULE", help=rules)
    if aggregation:
        group.add_argument("--rouge-aggregation", choices=ROUGE_AGGREGATIONS, default="corpus", help=rouge)


def count(text: str, least: int = 1) -> int:
    """The value of an option that takes a whole number from `least`."""
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least}")
    return int(text)


def add_thresholds(group: argparse._ActionsContainer, name: str, what: str) -> None:
    """Declare an option that takes points for a task or for the average, several times."""
    does = f"End with exit status 1 {what} Can be given several times."
    group.add_argument(name, action="append", default=[], type=_threshold, metavar="[TASK=]POINTS", help=does)


def _threshold(text: str) -> tuple[str, float]:
    """The name and the points of `35`, `average=35` or `qasper=20`."""
    task, _, points = text.rpartition("=")
    try:
        number = float(points)
    except ValueError:
        number = -1
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of points from 0 to 100; give 35 or qasper=20")
    return task or "average", number


def named_tasks(thresholds: Sequence[tuple[str, float]], benchmark: str) -> list[tuple[str, float]]:
    """The thresholds with the names of their tasks checked."""
    return [
        (name if name == "average" else find_task(name, benchmark=benchmark).name, points)
        for name, points in thresholds
    ]


def score_named(options: argparse.Namespace, systems: Mapping[str, Sequence[str]]) -> "dict[str, ScoredFile]":
    """Score several systems, name to paths, against the same references, which are read once.

    The name is empty for the only system of a command.
    """
    from zs_bench.scoring.post_rules import find_rule  # noqa: PLC0415  (for the commands that score)
    from zs_bench.scoring.score_files import score_systems  # noqa: PLC0415

    if options.hard_ids and options.benchmark != "scrolls":
        raise UnusableInput("--hard-ids goes with --benchmark scrolls")
    if options.source is None and not options.references:
        raise UnusableInput("give what the answers are scored against: --references PATH or --source SOURCE")
    if options.source is None and (options.split or options.revision):
        raise UnusableInput("--split and --revision go with --source; files of references name their split")
    for rule in options.post:
        find_rule(rule)  # before anything is read
    hard_ids = None
    if options.hard_ids:
        from zs_bench.validation.from_source import read_hard_ids  # noqa: PLC0415  (the sources of data)

        hard_ids = read_hard_ids(options.hard_ids)
    names = ("source", "split", "revision", "benchmark", "columns", "partial", "rouge_aggregation", "post")
    scoring = {name: getattr(options, name) for name in names if name in options}
    return score_systems(systems, options.references, hard_ids=hard_ids, progress=progress(), **scoring)


def add_systems(command: argparse.ArgumentParser) -> None:
    """Declare the systems and `--name`, for `named_systems`."""
    add_predictions(command, "systems", "SYSTEM")
    names = "Name of a system; give it once for each, in their order. Default: the parts of the paths that differ."
    command.add_argument("--name", action="append", metavar="NAME", help=names)


def named_systems(options: argparse.Namespace) -> dict[str, list[str]]:
    """The systems of the options, name to path; raises `UnusableInput` for another number of names."""
    names, number = options.name or system_names(options.systems), len(options.systems)
    if len(names) != number or len(set(names)) != number:
        raise UnusableInput(f"there are {number} systems; give as many different names, a --name for each, in order")
    return {name: [path] for name, path in zip(names, options.systems, strict=True)}


def system_names(paths: Sequence[str]) -> list[str]:
    """A name for each system: the shortest end of its path that is unique, without words that all share at the end.

    `a_preds.csv` and `b_preds.csv` are `a` and `b`.
    """
    wholes = [Path(path).absolute() for path in paths]
    bare = [path.with_suffix("") if path.suffix.lower() in suffixes() else path for path in wholes]
    for forms in (bare, wholes):
        for length in range(1, max(len(path.parts) for path in forms) + 1):
            names = ["/".join(path.parts[-length:]) for path in forms]
            if len(set(names)) < len(names):
                continue
            words = [re.split(r"(?=[/_-])", name) for name in names]
            while len(names) > 1 and min(map(len, words)) > 1 and len({parts[-1] for parts in words}) == 1:
                words = [parts[:-1] for parts in words]
            without = ["".join(parts) for parts in words]
            return without if all(without) else names
    raise UnusableInput(f"the same system is given twice in {', '.join(paths)}; give each once")
