"""`zero-scrolls baseline`: the papers' naive answers as a prediction file, or the human scores."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence

from zs_bench.baselines import SEED, human_score, learn, naive_answers
from zs_bench.benchmarks import Task, find_benchmark, find_task
from zs_bench.commands import describe
from zs_bench.commands.options import add_split, load_split
from zs_bench.commands.outputs import check_outputs, progress, show, write
from zs_bench.dataset.inspection import OF_SCORES, Loaded
from zs_bench.dataset.sources import TaskData, open_tasks
from zs_bench.errors import TaskNotInSource
from zs_bench.problems import counted, lines
from zs_bench.published import marks
from zs_bench.reports.tables import Table
from zs_bench.validation.submission import as_submission_csv


def declare(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Write the answers of the papers' naive baselines as a prediction file, or score each human reference against "
        "the others of its example. The baselines of SCROLLS are learnt from a training split.",
        {
            "zero-scrolls baseline all --out naive.csv": "Naive answers to the examples in the package.",
            "zero-scrolls baseline qasper --source hub --out naive.csv": "Naive answers to a task's validation split.",
            "zero-scrolls baseline all --human": "Human scores beside the paper's.",
            "zero-scrolls baseline all --benchmark scrolls --source hub --out naive.csv": "Naive answers in SCROLLS.",
        },
        usage="zero-scrolls baseline TASK (--out OUT.csv | --human) [options]",
    )
    command.add_argument("task", metavar="TASK", help="Name of a task, or 'all'.")
    what = command.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", metavar="OUT.csv", help="Write the naive answers to this file; '-' is standard output.")
    what.add_argument("--human", action="store_true", help="Print the human scores.")
    add_split(command, "embedded")
    command.add_argument("--train", metavar="SPLIT", help="SCROLLS: the split to learn from. Default: train.")
    command.add_argument("--seed", type=int, default=SEED, help="Seed of random answers. Default: %(default)s.")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    check_outputs(options.out)
    benchmark = find_benchmark(options.benchmark)
    tasks = list(benchmark.tasks.values()) if options.task == "all" else [find_task(options.task, benchmark=benchmark)]
    loaded = list(_loaded(options, tasks))
    skipped = OF_SCORES if options.out else frozenset()
    for line in lines(finding for data in loaded for finding in data.findings if finding.kind not in skipped):
        print(line, file=sys.stderr)
    if options.human:
        show(_human(loaded))
        return
    answers = {}
    for data in loaded:
        if "train" in benchmark.splits:
            heuristic = learn(data.task, load_split(options, data.task, options.train or "train").examples)
            answers[data.task.name] = {example.id: heuristic(example) for example in data.examples}
        else:
            answers[data.task.name] = naive_answers(data.task, data.examples, seed=options.seed)
    rows = ((task, id_, text) for task, texts in answers.items() for id_, text in texts.items())
    write(options.out, as_submission_csv(rows))
    if options.out != "-":
        number = counted(sum(map(len, answers.values())), "naive answer")
        where = f"{loaded[0].source.label}, {loaded[0].split}"
        print(f"{number} for {counted(len(loaded), 'task')} ({where}) written to {options.out}, seed {options.seed}.")
        printed = [f"{data.task} {points:.1f}" for data in loaded if (points := marks(data.task)["naive"]) is not None]
        print(f"The paper's naive baseline on the test split: {', '.join(printed)}.")


def _loaded(options: argparse.Namespace, tasks: Sequence[Task]) -> Iterator[Loaded]:
    """The examples of the tasks; of several, those that the source has."""
    missing: list[str] = []
    for task, data in open_tasks(options.source, tasks, revision=options.revision, progress=progress()):
        if isinstance(data, TaskData):
            yield data.load(options.split)
            continue
        missing.append(task.name)
        if not isinstance(data, TaskNotInSource) or len(missing) == len(tasks):
            raise data
    if missing:
        print(f"Not in {options.source}: {', '.join(missing)}.", file=sys.stderr)


def _human(loaded: Iterable[Loaded]) -> str:
    """The table of the human scores, and what it means. A split that cannot be scored against has none."""
    rows = []
    for data in loaded:
        human = human_score(data.task, [example.references if data.scorable else () for example in data.examples])
        paper = marks(data.task).get("human")
        score = "-" if human.score is None else f"{human.score:.4f}"
        printed = "-" if paper is None else f"{paper:.1f}"
        rows.append((data.task.name, score, printed, f"{human.n} of {human.total}"))
    table = Table(("task", "human", "paper", "examples with several references"), rows, right=(1, 2))
    return (
        f"{table.text()}\n\nhuman: each reference in turn scored as an answer against the others of its example.\n"
        "paper: as published, on the test split; QuALITY, MuSiQue and SpaceDigest by other means."
    )
