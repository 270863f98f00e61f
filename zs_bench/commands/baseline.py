"""`zero-scrolls baseline`: the paper's naive answers as a prediction file, or its human lines."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zs_bench.commands import OK, show_progress, write
from zs_bench.problems import lines
from zs_bench.results.baselines import SEED, as_csv, naive_answers
from zs_bench.results.human_lines import HumanLine, human_line
from zs_bench.results.published import marks
from zs_bench.sources.data_sources import Loaded, load_examples
from zs_bench.sources.embedded import SPLIT
from zs_metric.tasks import TASKS, find_task

if TYPE_CHECKING:
    from zs_bench.commands import Commands

ALL = "all"


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    baseline = commands.add_parser(
        "baseline",
        help="write the paper's naive answers, or compute its human lines",
        description="Write the paper's naive answers as a prediction file, or compute its human lines.",
    )
    baseline.add_argument("task", metavar="TASK", help="a task's name, or 'all'")
    baseline.add_argument("--source", default="embedded", help="of the examples: embedded (default), hub, or a path")
    baseline.add_argument("--split", default=SPLIT, help=f"default: {SPLIT}")
    baseline.add_argument("--revision", help="for the hub: a branch, a tag or a commit")
    baseline.add_argument("--seed", type=int, default=SEED, help=f"of what is drawn at random; default: {SEED}")
    what = baseline.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", metavar="OUT.csv", help="write the naive answers there ('-' for standard output)")
    what.add_argument("--human", action="store_true", help="score each reference against the others of its example")
    baseline.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the naive answers, or print the human lines; what is wrong with the data goes to standard error."""
    tasks = list(TASKS) if options.task == ALL else [find_task(options.task).name]
    loaded = {task: _load(options, task) for task in tasks}
    for line in lines(found for data in loaded.values() for found in data.findings):
        print(line, file=sys.stderr)
    if options.human:
        print(_human(loaded))
        return OK
    answers = {task: naive_answers(task, data.examples, seed=options.seed) for task, data in loaded.items()}
    write(options.out, as_csv(answers))
    if options.out != "-":
        count, of = sum(map(len, answers.values())), "1 task" if len(tasks) == 1 else f"{len(tasks)} tasks"
        where = f"{loaded[tasks[0]].source_label}, {options.split}"
        print(f"{count} naive answers to {of} ({where}) written to {options.out}, seed {options.seed}.")
    return OK


def _load(options: argparse.Namespace, task: str) -> Loaded:
    progress = show_progress if sys.stderr.isatty() else None
    return load_examples(options.source, task, options.split, revision=options.revision, progress=progress)


def _human(loaded: Mapping[str, Loaded]) -> str:
    """The table of the human lines, and what it means. A split unfit to be scored against has none."""
    text = [f"{'task':<15}{'human':>8}{'paper':>7}  examples with several references"]
    for task, data in loaded.items():
        line = human_line(task, [example.references if data.scorable else () for example in data.examples])
        text.append(f"{task:<15}{_cells(line, marks(task)['human'])}")
    return "\n".join(
        [
            *text,
            "",
            "human: each reference in turn scored as an answer against the others of its example.",
            "paper: as published, on the test split; QuALITY, MuSiQue and SpaceDigest by other means.",
        ]
    )


def _cells(line: HumanLine, paper: float | None) -> str:
    score = "-" if line.score is None else f"{line.score:.4f}"
    return f"{score:>8}{'-' if paper is None else f'{paper:.1f}':>7}  {line.n} of {line.total}"
