"""`zero-scrolls publish-kit`: a folder to upload to the Hub as a dataset with labels, and as a Benchmark.

The rows of a task are texts of other people. They are written only where the licence of their source is named, by the
one who checked it; for the other tasks the card says how everybody makes the same rows from the original data.
"""

import argparse
import shutil
from collections.abc import Mapping
from pathlib import Path

from zs_bench.benchmarks import Benchmark, find_benchmark, find_task
from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import add_options
from zs_bench.commands.outputs import progress
from zs_bench.dataset.rows import configurations, write_parquet
from zs_bench.dataset.sources import TaskData, open_tasks
from zs_bench.errors import UnusableInput
from zs_bench.files.writing import write_whole
from zs_bench.problems import counted
from zs_bench.published import AVERAGE
from zs_bench.reports.tables import Table
from zs_metric.errors import ZeroScrollsError
from zs_metric.version import VERSION

ALL = "all"  # the configuration of the average: the examples of all tasks


def declare(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Write a folder to upload as a dataset: for each task whose licence you have checked and named, its labelled "
        "split as Parquet, with the references of an id in a list; a card with the licences; and eval.yaml, by which "
        "the Hub takes a dataset for a Benchmark. For the other tasks, the card says how to make their rows.",
        {
            "zero-scrolls publish-kit kit/ --licence qasper=cc-by-4.0": "From the Hub's data, with the rows of a task.",
            "zero-scrolls publish-kit kit/ --source data/ --benchmark scrolls": "From a folder, for SCROLLS.",
        },
        status="The data of a task could not be read, or has no labels.",
    )
    command.add_argument("folder", metavar="DIR", help="Folder to write to; new, or empty.")
    about = "A task whose licence allows publishing its rows, and the licence. Can be given several times."
    command.add_argument("--licence", action="append", default=[], type=_licence, metavar="TASK=NAME", help=about)
    add_options(command, "--source", default="hub")
    add_options(command, "--revision", "--benchmark")
    command.add_argument("--split", default="validation", help="The labelled split. Default: %(default)s.")
    command.set_defaults(run=run)


def _licence(text: str) -> tuple[str, str]:
    task, _, name = text.partition("=")
    if not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r} names no licence; give TASK=NAME, such as qasper=cc-by-4.0")
    return task, name.strip()


def run(options: argparse.Namespace) -> int:
    benchmark, folder = find_benchmark(options.benchmark), Path(options.folder)
    licences = {find_task(task, benchmark=benchmark).name: name for task, name in options.licence}
    if not licences:
        raise UnusableInput("there are no rows to publish, since no licence is named; give --licence TASK=NAME")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UnusableInput(f"{options.folder!r} is not empty; give a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    labels, failed = dict[str, str](), dict[str, str]()
    asked = [task for name, task in benchmark.tasks.items() if name in licences]
    for task, data in open_tasks(options.source, asked, revision=options.revision, progress=progress()):
        try:
            if not isinstance(data, TaskData):
                raise data
            loaded = data.load(options.split)
        except ZeroScrollsError as error:
            failed[task.name] = str(error)
            continue
        if unfit := [finding.message for finding in loaded.findings if finding.is_error]:
            failed[task.name] = unfit[0]
        else:
            write_parquet(loaded.examples, folder / task.name / f"{options.split}.parquet")
            labels[task.name] = loaded.source.label
    if failed:
        for path in folder.iterdir():
            shutil.rmtree(path)
        why = "; ".join(f"{name}: {reason}" for name, reason in failed.items())
        print(f"Nothing was written, since a task has no rows: {why}")
        return REFUSED
    write_whole(folder / "README.md", _card(benchmark, folder, licences, labels, options.split))
    write_whole(folder / "eval.yaml", _eval_yaml(benchmark, labels, options.split))
    print(f"{folder} has the rows of {counted(len(labels), 'task')}, README.md and eval.yaml.")
    without = [name for name in benchmark.tasks if name not in licences]
    if without:
        print(f"Without rows, since no licence is named: {', '.join(without)}. Check each, then: --licence TASK=NAME")
    print(f"\nUpload it:  hf upload OWNER/{benchmark.name} {options.folder} . --repo-type dataset")
    print("The Hub shows a leaderboard for datasets on its list of Benchmarks: ask there to be put on it.")
    print(f"Scores for it:  zero-scrolls score … --eval-results scores.yaml --dataset OWNER/{benchmark.name}")
    return OK


def _card(
    benchmark: Benchmark, folder: Path, licences: Mapping[str, str], labels: Mapping[str, str], split: str
) -> str:
    names = list(dict.fromkeys(licences[name] for name in labels))
    configs = configurations(folder)
    if configs:
        configs += [f"- config_name: {ALL}", "  data_files:", f"  - split: {split}", f'    path: "*/{split}.parquet"']
    front = "\n".join([f"license: {names[0] if len(names) == 1 else 'other'}", *configs])
    rows = []
    for name, task in benchmark.tasks.items():
        licence, label = licences.get(name, "check"), labels.get(name, "not here")
        rows.append((name, task.title, licence, label))
    load = f'datasets.load_dataset("OWNER/{benchmark.name}", "{next(iter(labels), "")}", split="{split}")'
    example = f"```python\n{load}\n```\n\n" if labels else ""
    others = " ".join(name for name in benchmark.tasks if name not in labels)
    make = f"""The rows of the other tasks are not here, since their licence was not checked. This makes them:

```sh
pip install ".[hub,evaluate]"   # in a copy of zero-scrolls
zero-scrolls data {others} --benchmark {benchmark.name} --split {split} --parquet labelled/
```

"""
    return f"""---
pretty_name: {benchmark.title}, labelled
language: en
{front}
---

# {benchmark.title}, labelled

The {split} split of {benchmark.title}: a row for each id, its references in a list.
Written by zero-scrolls {VERSION} from the benchmark's data, `{benchmark.repo}`.

{Table(("task", "source", "licence of the source", "rows from"), rows).markdown()}

{example}{make if others else ""}\
Score answers with the released evaluator's numbers:

```sh
zero-scrolls score predictions.csv --benchmark {benchmark.name} --source hub
```
"""


def _eval_yaml(benchmark: Benchmark, labels: Mapping[str, str], split: str) -> str:
    """Return what the Hub asks of a Benchmark: a task for each of ours whose rows are there, and the average of all."""
    average = [(AVERAGE, ALL)] if len(labels) == len(benchmark.tasks) else []
    description = f"{len(benchmark.tasks)} tasks over long texts; scored as the released evaluator does, 0 to 100."
    lines = [f"name: {benchmark.title}", f"description: {description}", "evaluation_framework: zero-scrolls", "tasks:"]
    for name, config in [*((name, name) for name in labels), *average]:
        lines += [f"- id: {name}", f"  config: {config}", f"  split: {split}"]
    return "\n".join([*lines, ""])
