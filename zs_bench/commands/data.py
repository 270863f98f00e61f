"""`zero-scrolls data`: fetch the benchmark's data, inspect it, and store it or its ids.

Exit status: 1 when something could not be fetched or read; what inspection finds is printed and leaves it 0, since much
can be done with data that nothing may be scored against.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zs_bench.commands import OK, REFUSED, add_benchmark, show_progress, write
from zs_bench.drawing.data_page import data_page
from zs_bench.files.source import Source
from zs_bench.problems import UnusableInput
from zs_bench.sources.data_files import NothingOfTask
from zs_bench.sources.data_report import DataReport
from zs_bench.sources.data_sources import SOURCES, SourceUnavailable, TaskData, open_task
from zs_bench.sources.source_references import part_of
from zs_metric.tasks import find_benchmark, find_task

if TYPE_CHECKING:
    from zs_bench.commands import Commands


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    data = commands.add_parser(
        "data",
        help="fetch and inspect the benchmark's data",
        description="Fetch the benchmark's data, inspect it, and store it or the lists of its ids.",
    )
    data.add_argument("tasks", nargs="*", metavar="TASK", help="tasks' names; default: all that there are")
    add_benchmark(data)
    add_source(data, "hub")
    data.add_argument("--split", nargs="+", metavar="SPLIT", help="default: all that there are")
    data.add_argument("--to", metavar="DIR", help="store the rows there, as <task>/<split>.jsonl")
    data.add_argument("--ids", metavar="OUT", help="write the ids of one split as JSON, for checks without a network")
    data.add_argument("--json", metavar="OUT", help="write what was found as JSON ('-' for standard output)")
    data.add_argument("--html", metavar="OUT", help="write lengths and spreads, task by task, as one HTML page")
    data.set_defaults(run=run)


def add_source(command: argparse.ArgumentParser, default: str) -> None:
    """Declare `--source` and `--revision`."""
    command.add_argument("--source", default=default, help=f"{SOURCES}; default: {default}")
    add_revision(command)


def add_revision(command: argparse.ArgumentParser) -> None:
    """Declare `--revision`."""
    what = "of the Hub's repo: a branch, a tag or a commit; default: main"
    command.add_argument("--revision", metavar="R", help=what)


def run(options: argparse.Namespace) -> int:
    """Fetch, print what was found, store what was asked for."""
    benchmark = find_benchmark(options.benchmark)
    tasks = [find_task(task, benchmark=benchmark.name).name for task in options.tasks] or list(benchmark.tasks)
    report = _fetch(options, tasks)
    if options.tasks or not report.splits:
        report.failed |= report.absent
    if options.ids:
        write(options.ids, json.dumps(report.ids_as_json(), ensure_ascii=False, indent=1) + "\n")
    if options.json:
        write(options.json, json.dumps(report.as_json(), ensure_ascii=False, indent=1) + "\n")
    if options.html:
        write(options.html, data_page(report))
    if "-" not in (options.ids, options.json, options.html):
        print(report.as_text())
    for reason in dict.fromkeys(report.failed.values()):
        what = ", ".join(name for name in report.failed if report.failed[name] == reason)
        print(f"zero-scrolls: {what}: {reason}", file=sys.stderr)
    return REFUSED if report.failed else OK


def _fetch(options: argparse.Namespace, tasks: Sequence[str]) -> DataReport:
    report = DataReport()
    progress = show_progress if sys.stderr.isatty() else None
    for done, task in enumerate(tasks):
        revision = report.revision or options.revision  # all at the commit that the first was read at
        about = {"benchmark": options.benchmark, "progress": part_of(progress, done, len(tasks))}
        try:
            _load(open_task(options.source, task, revision=revision, **about), options, report)
        except NothingOfTask as error:
            report.absent[task] = str(error)
        except (SourceUnavailable, UnusableInput) as error:
            report.failed[task] = str(error)
            if isinstance(error, SourceUnavailable) and not error.of_one_file:
                break
    return report


def _load(data: TaskData, options: argparse.Namespace, report: DataReport) -> None:
    for split in options.split or data.files:
        try:
            report.add(data.load(split))
        except (SourceUnavailable, UnusableInput) as error:
            report.failed[f"{data.task}, {split}"] = str(error)
            continue
        if options.to:
            _store(data.files[split], Path(options.to, data.task, f"{split}.jsonl"))


def _store(source: Source, path: Path) -> None:
    """Copy the rows as they are. The copy gets its name when it is whole; it may be the file that is read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    with source.opened() as rows, part.open("wb") as copy:
        shutil.copyfileobj(rows, copy)
    part.replace(path)
