"""`zero-scrolls build`: fresh examples of a task from one's own texts, as a folder that can be named as a source."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import fields
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from zs_bench.benchmarks import find_task
from zs_bench.commands import OK, describe
from zs_bench.commands.options import count
from zs_bench.commands.outputs import check_outputs
from zs_bench.files.writing import write_whole
from zs_bench.problems import counted
from zs_lab.build.book_sum_sort import SummaryOptions, build_book_sum_sort
from zs_lab.build.musique import QuestionOptions, build_musique
from zs_lab.build.reading import read_records
from zs_lab.build.samples import EmptySample, NewSample, tell_tales_page, write_sample
from zs_lab.build.space_digest import ReviewOptions, build_space_digest

# The task's name on the command line: the class of its options, and the function that builds it.
_BUILDERS: dict[str, tuple[type, Callable[..., NewSample]]] = {
    "space-digest": (ReviewOptions, build_space_digest),
    "book-sum-sort": (SummaryOptions, build_book_sum_sort),
    "musique": (QuestionOptions, build_musique),
}


def declare(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Build fresh examples of a task from your own texts, the way the ZeroSCROLLS paper built its own: "
        "texts that are newer than a model are an honest test of it.",
        {
            "zero-scrolls build space-digest reviews.csv --out fresh/": "Columns place, rating and text.",
            "zero-scrolls build book-sum-sort books/ --out fresh/ --mask --accept": "A folder of texts for each book.",
            "zero-scrolls build musique records.jsonl --out fresh/ --since 2026-01-01": "Records of the full release.",
            "zero-scrolls prompt space_digest --source fresh/": "The prompts of the new examples.",
        },
        usage="zero-scrolls build TASK FILE --out DIR [options]",
    )
    command.add_argument("task", metavar="TASK", choices=tuple(_BUILDERS), help=f"One of {', '.join(_BUILDERS)}.")
    source = "CSV, TSV, JSON, JSONL or Parquet, or a folder of such files or of texts."
    command.add_argument("source", metavar="FILE", help=source)
    command.add_argument("--out", required=True, metavar="DIR", help="Folder to write <task>/<split>.jsonl to.")
    command.add_argument("--split", type=_name, default="validation", help="Name of the split. Default: %(default)s.")
    command.add_argument("--seed", type=int, default=0, help="Random seed. Default: %(default)s.")
    command.add_argument("--since", type=_day, metavar="DATE", help="Leave out texts older than this day (YYYY-MM-DD).")
    command.add_argument("--private", metavar="OUT.json", help="Write the references to this file, not to the rows.")
    mask = "With --accept: replace words that tell an order, drop sentences with a rating."
    command.add_argument("--mask", action="store_true", help=mask)
    command.add_argument("--accept", action="store_true", help="Keep texts with such passages: you have reviewed them.")
    command.add_argument("--day", metavar="COLUMN", help="Column of the date. Default: date.")
    for task, (kind, _) in _BUILDERS.items():
        group = command.add_argument_group(task)
        for row in fields(kind):
            about = row.metadata.get("help")
            if about and row.default is False:
                group.add_argument(f"--{row.name}", action="store_true", help=about)
            elif about:
                read: Any = str if isinstance(row.default, str) else partial(count, least=row.metadata["least"])
                metavar = "N" if read is not str else "LOW-HIGH" if row.name == "scale" else "COLUMN"
                about = f"{about} Default: {row.default}."
                group.add_argument(f"--{row.name}", type=read, metavar=metavar, help=about)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read the records, build the sample, write its folder, and print its README."""
    if options.private:
        Path(options.private).absolute().parent.mkdir(parents=True, exist_ok=True)
    check_outputs(options.private)
    kind, build = _BUILDERS[options.task]
    chosen = {row.name: value for row in fields(kind) if (value := getattr(options, row.name)) is not None}
    records, origins = read_records(options.source)
    try:
        sample = build(records, kind(**chosen), options.seed)
    except EmptySample as error:
        if error.hits:
            task = find_task(options.task.replace("-", "_"))
            public, private = Path(options.out, task.name), Path(options.private or "").parent / f"{task}-private"
            page = (private if options.private else public) / "tell_tales.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            write_whole(page, tell_tales_page(task, error.hits))
            print(f"Written: {page}", file=sys.stderr)
        raise
    settings: dict[str, Any] = {name: value for name, value in chosen.items() if value is not False}
    if days := [day for example in sample.examples for day in example.days]:
        settings["dates of the records used"] = f"{min(days)} to {max(days)}"
    today = date.today()  # noqa: DTZ011  (the day on the user's calendar)
    about: dict[str, Any] = {"seed": options.seed, "day": today, "split": options.split, "settings": settings}
    files = write_sample(sample, options.out, origins, references=options.private, **about)
    print(files[0].read_text(encoding="utf-8"))
    print("\n".join(f"Written: {file}" for file in files))
    if sample.hits and not options.accept:
        texts = len({hit.owner for hit in sample.hits})
        print(
            f"{counted(len(sample.hits), 'passage')} in {counted(texts, 'text')} may give an answer away; "
            f"{'--mask changes nothing yet: ' if options.mask else ''}"
            "these texts were left out. Read tell_tales.html, then add --accept to keep them."
        )
    return OK


def _name(text: str) -> str:
    if Path(text).name != text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a name of a split; write one such as validation")
    return text


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date; write it as 2026-01-31") from None
