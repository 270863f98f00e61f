"""Options shared by several commands, and the scoring of the files that they name."""

import argparse
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from zs_bench.commands import add_benchmark
from zs_bench.commands.outputs import progress
from zs_bench.errors import UnusableInput
from zs_bench.files.formats import file_kinds, suffixes
from zs_metric.errors import ZeroScrollsError
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
    command: argparse._ActionsContainer, name: str = "predictions", metavar: str = "PREDICTIONS", what: str = "Answers"
) -> None:
    """Declare the files of answers."""
    command.add_argument(name, nargs="+", metavar=metavar, help=f"{what}: {file_kinds('predictions')}.")


def add_references(command: argparse.ArgumentParser) -> None:
    """Declare what answers are scored against."""
    group = command.add_argument_group("references")
    kinds = file_kinds("references")
    group.add_argument("--references", nargs="+", metavar="PATH", help=f"Score against these references: {kinds}.")
    group.add_argument(
        "--source",
        help=f"Score against the references of {SOURCES}. With --references, only the inputs come from the source: "
        "which examples share a document, and how long it is.",
    )
    group.add_argument("--split", help=SPLIT)
    add_revision(group)
    add_benchmark(group)
    group.add_argument(
        "--hard-ids",
        metavar="FILE",
        help="With --benchmark scrolls: the ids of QuALITY's hard questions, which are then scored as quality_hard.",
    )


def add_columns(group: argparse._ActionsContainer) -> None:
    """Declare `--columns`."""
    group.add_argument(
        "--columns",
        type=_columns,
        metavar="NAMES",
        help="What the columns of a table, or the fields of rows, are called, such as id=qid,prediction=response; also "
        "task=..., unless the file's name or the ids tell it.",
    )


def _columns(text: str) -> dict[str, str]:
    columns = dict(pair.split("=", 1) for pair in text.split(",") if "=" in pair)
    if not {"id", "prediction"} <= columns.keys() <= {"id", "prediction", "task"}:
        raise argparse.ArgumentTypeError(f"{text!r} does not name id and prediction; give id=COLUMN,prediction=COLUMN")
    return columns


def add_scoring(command: argparse.ArgumentParser, *, aggregation: bool = True) -> None:
    """Declare what answers are scored against, and how."""
    add_references(command)
    group = command.add_argument_group("scoring")
    add_columns(group)
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


def count(text: str, least: int = 1) -> int:
    """The value of an option that takes a whole number from `least`."""
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least}")
    return int(text)


def at_least_0(text: str) -> int:
    """The value of an option that takes a whole number, also 0."""
    return count(text, 0)


def _rule(name: str) -> str:
    from zs_bench.scoring.post_rules import find_rule  # noqa: PLC0415  (for this option alone)

    try:
        find_rule(name)
    except ZeroScrollsError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name


def add_thresholds(group: argparse._ActionsContainer, name: str, what: str) -> None:
    """Declare an option that takes points for a task or for the average, several times."""
    metavar, several = "[TASK=]POINTS", "Can be given several times."
    group.add_argument(
        name,
        action="append",
        default=[],
        type=_threshold,
        metavar=metavar,
        help=f"End with exit status 1 {what} {several}",
    )


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
    if options.hard_ids and options.benchmark != "scrolls":
        raise UnusableInput("--hard-ids goes with --benchmark scrolls")
    if options.source is None and not options.references:
        raise UnusableInput("give what the answers are scored against: --references PATH or --source SOURCE")
    if options.source is None and (options.split or options.revision):
        raise UnusableInput("--split and --revision go with --source; files of references name their split")
    from zs_bench.scoring.score_files import score_systems  # noqa: PLC0415  (for the commands that score)

    hard_ids = None
    if options.hard_ids:
        from zs_bench.validation.from_source import read_hard_ids  # noqa: PLC0415  (for this option alone)

        hard_ids = read_hard_ids(options.hard_ids)
    names = ("source", "split", "revision", "benchmark", "columns", "partial", "rouge_aggregation", "post")
    scoring = {name: getattr(options, name) for name in names if name in options}
    return score_systems(systems, options.references, hard_ids=hard_ids, progress=progress(), **scoring)


def named_systems(options: argparse.Namespace, least: int = 1) -> dict[str, list[str]]:
    """The given systems, name to path; raises `UnusableInput` for too few of them, or another number of names."""
    count = len(options.systems)
    if count < least:
        raise UnusableInput("a comparison needs two systems or more; give another file or folder")
    names = options.name or system_names(options.systems)
    if len(names) != count or len(set(names)) != count:
        raise UnusableInput(f"there are {count} systems; give as many different names, a --name for each, in order")
    return {name: [path] for name, path in zip(names, options.systems, strict=True)}


def add_systems(command: argparse.ArgumentParser) -> None:
    """Declare the systems and `--name`."""
    add_predictions(command, "systems", "SYSTEM", "Answers of one system")
    names = "give it once for each, in their order. Default: the parts of the paths that differ."
    command.add_argument("--name", action="append", metavar="NAME", help=f"Name of a system; {names}")


def system_names(paths: Sequence[str]) -> list[str]:
    """A name for each system: the shortest end of its path that is unique, without words that all share at the end."""
    wholes = [Path(path).absolute() for path in paths]
    bare = [path.with_suffix("") if path.suffix.lower() in suffixes() else path for path in wholes]
    for parts in ([path.parts for path in bare], [path.parts for path in wholes]):
        for length in range(1, max(map(len, parts)) + 1):
            names = ["/".join(part[-length:]) for part in parts]
            if len(set(names)) == len(names):
                return _without_common_end(names)
    raise UnusableInput(f"the same system is given twice in {', '.join(paths)}; give each once")


def _without_common_end(names: list[str]) -> list[str]:
    """The names without the words at their end that all share: `a_preds` and `b_preds` are `a` and `b`."""
    from_the_end = zip(*(name[::-1] for name in names), strict=False)
    shared = "".join(letters[0] for letters in takewhile(lambda letters: len(set(letters)) == 1, from_the_end))[::-1]
    words = re.search(r"[/_-].*", shared)
    if len(names) == 1 or not words:
        return names
    without = [name.removesuffix(words[0]) for name in names]
    return without if all(without) else names
