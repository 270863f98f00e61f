"""`zero-scrolls data`: download the benchmark's data, check it, and store it or its ids."""

import argparse
import sys
from importlib import import_module
from pathlib import Path

from zs_bench.benchmarks import find_benchmark, find_task
from zs_bench.commands import OK, REFUSED, describe
from zs_bench.commands.options import add_options
from zs_bench.commands.outputs import as_json, check_outputs, progress, show, write
from zs_bench.dataset.rows import configurations, write_parquet
from zs_bench.dataset.sources import TaskData, open_tasks
from zs_bench.errors import SourceUnavailable, TaskNotInSource, UnusableInput, from_extra
from zs_bench.files.writing import whole_file, write_whole
from zs_bench.reports.validation import DataReport


def declare(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Download the benchmark's data, check it, and store it or the lists of its ids. Findings are "
        "printed and leave the exit status 0: data that cannot be scored against can still be read.",
        {
            "zero-scrolls data qasper": "Download and check all splits of a task.",
            "zero-scrolls data --split validation --to data/": "Store a split of every task, for --references data/.",
            "zero-scrolls data --split test --ids test_ids.json": "Store the ids, for checks without a network.",
        },
        usage="zero-scrolls data [TASK...] [options]",
        status="Something could not be downloaded or read.",
    )
    parquet = "Store a row for each id as Parquet, for datasets.load_dataset(DIR, TASK)."
    command.add_argument("tasks", nargs="*", metavar="TASK", help="Names of tasks. Default: all of the benchmark.")
    add_options(command, "--source", default="hub")
    add_options(command, "--revision", "--benchmark", "--json")
    command.add_argument("--split", nargs="+", action="extend", metavar="SPLIT", help="Splits to read. Default: all.")
    command.add_argument("--to", metavar="DIR", help="Store the rows in this folder, as <task>/<split>.jsonl.")
    command.add_argument("--parquet", metavar="DIR", help=parquet)
    command.add_argument("--ids", metavar="OUT", help="Write the ids of one split as JSON, for 'verify --ids'.")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    silent = check_outputs(options.ids, options.json)
    if options.parquet:
        with from_extra("parquet"):
            import_module("pyarrow")  # before anything is downloaded
    for folder in filter(None, (options.to, options.parquet)):
        Path(folder).mkdir(parents=True, exist_ok=True)
    benchmark = find_benchmark(options.benchmark)
    tasks = [find_task(task, benchmark=benchmark) for task in options.tasks] or list(benchmark.tasks.values())
    report = DataReport()
    for task, data in open_tasks(options.source, tasks, revision=options.revision, progress=progress()):
        if isinstance(data, TaskData):
            _load(data, options, report)
        else:
            reasons = report.absent if isinstance(data, TaskNotInSource) else report.failed
            reasons[task.name] = str(data)
    if options.tasks or not report.splits:
        report.failed |= report.absent
    if options.parquet and (lines := configurations(Path(options.parquet))):
        card = ["---", *lines, "---", "", "Written by zero-scrolls: a row for each id, its references in a list.", ""]
        write_whole(Path(options.parquet, "README.md"), "\n".join(card))
    if options.ids:
        write(options.ids, as_json(report.ids_as_json()))
    if options.json:
        write(options.json, as_json(report.as_json()))
    if not silent:
        show(report.as_text())
    for reason in dict.fromkeys(report.failed.values()):
        what = ", ".join(name for name in report.failed if report.failed[name] == reason)
        print(f"zero-scrolls: {what}: {reason}", file=sys.stderr)
    return REFUSED if report.failed else OK


def _load(data: TaskData, options: argparse.Namespace, report: DataReport) -> None:
    for split in options.split or data.files:
        try:
            loaded = data.load(split)
            report.add(loaded)
        except (SourceUnavailable, UnusableInput) as error:
            report.failed[f"{data.task}, {split}"] = str(error)
            continue
        if options.to:
            path = Path(options.to, data.task.name, f"{split}.jsonl")
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as copy:  # it may replace the file that is read
                copy.writelines(data.files[split].blocks())
        if options.parquet:
            write_parquet(loaded.examples, Path(options.parquet, data.task.name, f"{split}.parquet"))
