"""Options shared by several commands, and the scoring of the files that they name."""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zs_bench.benchmarks import BENCHMARKS, DEFAULT, Task, find_benchmark, find_task
from zs_bench.commands.outputs import progress
from zs_bench.errors import NoReferences, UnusableInput
from zs_bench.files.columns import parse_columns
from zs_bench.files.formats import file_kinds
from zs_bench.files.paths import runs_in, system_names
from zs_bench.post_processing import ALL_RULES, find_rule
from zs_metric.scoring import ROUGE_AGGREGATIONS

if TYPE_CHECKING:
    from zs_bench.dataset.inspection import Loaded
    from zs_bench.scoring.scored import ScoredFile

#: The sources of examples, for help.
SOURCES = "embedded, hub, hub:<owner/name>, or the path of a folder or ZIP"


def _columns(text: str) -> dict[str, str]:
    try:
        return parse_columns(text)
    except UnusableInput as error:
        raise argparse.ArgumentTypeError(str(error)) from None


#: Options of several commands, as argparse takes them.
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "--benchmark": {
        "default": DEFAULT,
        "metavar": "NAME",
        "help": f"The benchmark: {', '.join(BENCHMARKS)}, or the TOML file of your own. Default: %(default)s.",
    },
    "--source": {"help": f"Where the examples come from: {SOURCES}. Default: %(default)s."},
    "--revision": {"metavar": "R", "help": "Branch, tag or commit of the dataset on the Hub. Default: main."},
    "--split": {"help": "Split of the source. Default: validation, or the only split."},
    "--json": {"metavar": "OUT", "help": "Write the findings as JSON; '-' is standard output."},
    "--columns": {
        "type": _columns,
        "metavar": "ROLE=FIELD[,...]",
        "help": "What the columns of a table, or the fields of rows, are called, such as id=qid,prediction=response; "
        "also task=..., unless the file's name or the ids determine it, references=..., and score=... of a recorded "
        "score.",
    },
    "--filter": {
        "metavar": "NAME",
        "help": "Read the answers of this filter of lm-evaluation-harness. Default: the first in the file.",
    },
    "--hard-ids": {
        "metavar": "FILE",
        "help": "With --benchmark scrolls: the ids of QuALITY's hard questions, which are then scored as quality_hard.",
    },
    "--only": {
        "nargs": "+",
        "default": (),
        "metavar": "TASK",
        "help": "Score these tasks and no others; the average is theirs.",
    },
    "--by-order": {
        "action": "store_true",
        "help": "Take rows without IDs in the order of the references, where they are as many.",
    },
    "--documents": {
        "metavar": "FILE",
        "help": "Which examples share a document, for intervals: a file with the columns id and document, or 'none'. "
        "Default: as their inputs or ids say.",
    },
    "--partial": {"action": "store_true", "help": "Score the ids that have both answer and reference."},
    "--post": {
        "action": "append",
        "default": [],
        "metavar": "RULE",
        "help": f"Change the answers before scoring: {ALL_RULES}. Can be given several times; the rules are applied in "
        "this order and named in the report.",
    },
    "--rouge-aggregation": {
        "choices": ROUGE_AGGREGATIONS,
        "default": "corpus",
        "help": "Geometric mean of the ROUGE means (corpus, official) or of each answer. Default: %(default)s.",
    },
}


def add_options(command: argparse._ActionsContainer, *names: str, **changes: Any) -> None:
    """Declare options that several commands share; `changes` override the keyword arguments of `add_argument`."""
    for name in names:
        command.add_argument(name, **{**_OPTIONS[name], **changes})


def add_split(command: argparse._ActionsContainer, source: str) -> None:
    """Declare the options that name the examples of one split, for `load_split`; `source` is the default."""
    add_options(command, "--source", default=source)
    add_options(command, "--split", "--revision", "--benchmark")


def load_split(options: argparse.Namespace, task: Task, split: str | None = None) -> "Loaded":
    from zs_bench.dataset.sources import load_examples

    return load_examples(options.source, task, split or options.split, revision=options.revision, progress=progress())


def add_predictions(
    command: argparse._ActionsContainer, name: str = "predictions", metavar: str = "PREDICTIONS"
) -> None:
    files = f"Answers: {file_kinds('predictions')}; - reads standard input."
    command.add_argument(name, nargs="+", metavar=metavar, help=files)


def add_references(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("references")
    against = f"Score against these references: {file_kinds('references')}."
    source = (
        f"Score against the references of {SOURCES}. With --references, only the inputs come from the source: which "
        "examples share a document, and how long it is."
    )
    group.add_argument("--references", nargs="+", action="extend", metavar="PATH", help=against)
    add_options(group, "--source", help=source)
    add_options(group, "--split", "--revision", "--hard-ids")
    add_recognised(group)


def add_recognised(command: argparse._ActionsContainer) -> None:
    """Declare the benchmark of answers, which `choose_benchmark` recognises from their files unless it is given."""
    names = f"The benchmark: {', '.join(BENCHMARKS)}, or the TOML file of your own."
    add_options(command, "--benchmark", default=None, help=f"{names} Default: as the files look, else {DEFAULT}.")


def choose_benchmark(options: argparse.Namespace) -> None:
    """Set the benchmark that is not given to that which the files of answers are of, and say so."""
    from zs_bench.files.recognition import recognise

    names = ("predictions", "systems", "files")
    given: Any = next((getattr(options, name) for name in names if getattr(options, name, None)), [])
    benchmark, sentence, _ = recognise([Path(given)] if isinstance(given, str) else map(Path, given))
    options.benchmark = benchmark.name
    if sentence:
        print(sentence, file=sys.stderr)


def add_scoring(command: argparse.ArgumentParser, *, aggregation: bool = True) -> None:
    """Declare what answers are scored against, and how, for `score_named`."""
    add_references(command)
    group = command.add_argument_group("scoring")
    add_options(group, "--columns", "--filter", "--by-order", "--documents", "--only", "--partial", "--post")
    add_options(group, *["--rouge-aggregation"] * aggregation)


def count(text: str, least: int = 1) -> int:
    """The value of an option that takes a whole number from `least`."""
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least}")
    return int(text)


def read_thresholds(option: str, texts: Iterable[str], benchmark: str, *others: str) -> list[tuple[str, float]]:
    """The task, "average" or one of `others`, and the points, of each of `35`, `average=35` or `qasper=20`."""
    thresholds = []
    for text in texts:
        task, _, points = text.rpartition("=")
        try:
            number = float(points)
        except ValueError:
            number = -1
        if not 0 <= number <= 100:
            raise UnusableInput(f"{option} {text!r} is not a number of points from 0 to 100; give 35 or qasper=20")
        name = task or "average"
        if name not in ("average", *others):
            name = find_task(task, benchmark=benchmark).name
        thresholds.append((name, number))
    return thresholds


def score_named(options: argparse.Namespace, systems: Mapping[str, Sequence[str]]) -> "dict[str, ScoredFile]":
    """Score several systems, name to paths, against the same references, which are read once.

    The name is empty for the only system of a command. With `--runs` each path is a run of its system.
    """
    from zs_bench.scoring.score_files import score_runs, score_systems

    if options.hard_ids and not find_benchmark(options.benchmark).parts:
        have = " or ".join(name for name, benchmark in BENCHMARKS.items() if benchmark.parts)
        raise UnusableInput(f"--hard-ids goes with --benchmark {have}")
    if options.source is None and (options.split or options.revision):
        raise UnusableInput("--split and --revision go with --source; files of references name their split")
    for rule in options.post:
        find_rule(rule)  # before anything is read
    if "only" in options:
        options.only = [find_task(task, benchmark=options.benchmark).name for task in options.only]
    names = "source split revision benchmark columns documents by_order only partial rouge_aggregation post"
    scoring = {name: getattr(options, name) for name in names.split() if name in options}
    if options.filter:
        scoring["columns"] = {**(options.columns or {}), "filter": options.filter}
    if options.hard_ids:
        from zs_bench.validation.from_source import read_hard_ids

        scoring["hard_ids"] = read_hard_ids(options.hard_ids)
    try:
        if getattr(options, "runs", False):
            return score_runs(systems, options.references, progress=progress(), **scoring)
        return score_systems(systems, options.references, progress=progress(), **scoring)
    except NoReferences:
        raise UnusableInput("give what the answers are scored against: --references PATH or --source SOURCE") from None


def add_systems(command: argparse.ArgumentParser) -> None:
    """Declare the systems and `--name`, for `named_systems`."""
    add_predictions(command, "systems", "SYSTEM")
    names = "Name of a system; give it once for each, in their order. Default: the parts of the paths that differ."
    command.add_argument("--name", action="append", metavar="NAME", help=names)


def named_systems(options: argparse.Namespace) -> dict[str, list[str]]:
    """The systems of the options, name to path, with `--runs` to the paths of its runs.

    Raises `UnusableInput` for another number of names, and for a folder without runs.
    """
    try:
        names, number = options.name or system_names(options.systems), len(options.systems)
    except UnusableInput as error:
        raise UnusableInput(f"{error.message}, or each with a --name") from None
    if len(names) != number or len(set(names)) != number:
        raise UnusableInput(f"there are {number} systems; give as many different names, a --name for each, in order")
    runs = getattr(options, "runs", False)
    return {name: runs_in(path) if runs else [path] for name, path in zip(names, options.systems, strict=True)}
