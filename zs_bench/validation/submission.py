"""The official prediction file, and whether what there is can be submitted.

Source: the official sites' form, `Task,ID,Prediction`, every test id of all tasks and no other (SCROLLS takes the same
form for its seven); the check reads it with pandas, `dtype=object, keep_default_na=False, na_values=["!@#$%^&*()"]`.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from zs_bench.files.entries import ReadFile
from zs_bench.files.read_csv import OFFICIAL
from zs_bench.problems import Place, Problem, Repair, short
from zs_bench.tasks import info
from zs_bench.validation.known_ids import TaskIds
from zs_bench.validation.rules import Context, Row
from zs_metric.tasks import BENCHMARKS, Benchmark

#: What the official sites call it, by benchmark.
FILE_NAMES: Mapping[str, str] = {name: f"{name}_predictions.csv" for name in BENCHMARKS}
READY = "ready to submit"
_MARK = b"\xef\xbb\xbf"


class SubmittedAnswer(NamedTuple):
    """A row of the submission."""

    task: str
    id: str
    text: str


class Count(NamedTuple):
    """A task in numbers.

    Attributes:
        answers: how many different ids are answered, of the known ids where they are known.
        ids: how many there are; `None` where they are not known.
        published: how many the paper's test split has, where that is known.
    """

    answers: int
    ids: int | None
    published: int | None


def as_submission_csv(answers: Iterable[SubmittedAnswer | tuple[str, str, str]]) -> str:
    r"""The official file. Every cell is in quotes, so that whatever is in an answer is read back as it is.

    >>> as_submission_csv([("space_digest", "182528", "50%")])
    '"Task","ID","Prediction"\n"space_digest","182528","50%"\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(OFFICIAL)
    writer.writerows(answers)
    return out.getvalue()


def check_file(file: ReadFile) -> list[Problem]:
    """What is wrong with a file as such: its byte order mark, its line ends, its header. Writing it anew repairs it."""
    if file.format is None:
        return []
    found, official = [], file.format == "official CSV"
    if file.head.startswith(_MARK):
        found.append(_of_file("bom", "Byte order mark (harmless)", "byte order mark removed", file))
    if official and file.head.endswith(b"\r\n"):
        found.append(_of_file("crlf", "Windows line endings (harmless)", "line endings normalised", file))
    if official and file.header != OFFICIAL:
        header = ",".join(OFFICIAL)
        message = f"The header must be {header} for the official check"
        found.append(_of_file("header", message, f"header written as {header}", file, ",".join(file.header)))
    return found


def _of_file(kind: str, message: str, what: str, file: ReadFile, header: str | None = None) -> Problem:
    detail = None if header is None else short(header)
    repair = Repair(what, safe=True)
    return Problem(kind, message, place=Place(file.file), refuses=header is not None, detail=detail, repair=repair)


def in_order(rows: Iterable[Row], context: Context) -> list[SubmittedAnswer]:
    """The complete rows in the order of the tasks and of their ids; unknown ones last.

    What has a NUL character is left out: a CSV file cannot hold it.
    """
    tasks = {task: number for number, task in enumerate(context.benchmark.all_tasks)}
    keys = {(task, key): number for task, known in context.ids.items() for number, key in enumerate(known.ids)}
    last = len(keys)
    answers = (SubmittedAnswer(row.task, row.id, row.value) for row in rows if row.usable and not row.extra)
    writable = (answer for answer in answers if "\0" not in "".join(answer))
    return sorted(writable, key=lambda one: (tasks.get(one.task, len(tasks)), keys.get((one.task, one.id), last)))


def count(rows: Iterable[Row], context: Context) -> dict[str, Count]:
    """The tasks in numbers: those that are answered and those whose ids are known."""
    answered: dict[str, set[str]] = {}
    for row in rows:
        if row.usable and row.id in context.ids.get(row.task, (row.id,)):
            answered.setdefault(row.task, set()).add(row.id)
    return {
        name: Count(
            len(answered.get(name, ())), len(context.ids[name]) if name in context.ids else None, info(task).size.test
        )
        for name, task in context.benchmark.tasks.items()
        if name in answered or name in context.ids
    }


def verdict(problems: Sequence[Problem], counts: Mapping[str, Count], context: Context) -> tuple[bool, str]:
    """Whether these answers can be submitted, and if not, why."""
    ids: Mapping[str, TaskIds] = context.ids
    splits = {one.source.split for one in ids.values()}
    reasons = [*_wrong(problems), *_not_the_test_split(counts, splits, context.benchmark)]
    return (False, "not ready: " + "; ".join(reasons)) if reasons else (True, READY)


def _wrong(problems: Sequence[Problem]) -> list[str]:
    wrong = [problem for problem in problems if problem.refuses]
    tasks = [one.task for one in wrong if one.kind == "missing-task"]
    missing = Counter(one.task for one in wrong if one.kind == "missing")
    others = Counter(one.kind for one in wrong if one.kind not in {"missing", "missing-task"})
    return [
        *([f"no answers for {', '.join(map(str, tasks))}"] if tasks else []),
        *(f"{number:,} of {task} {'is' if number == 1 else 'are'} missing" for task, number in missing.items()),
        *([f"to be repaired: {', '.join(f'{kind} ({n:,})' for kind, n in others.items())}"] if others else []),
    ]


def _not_the_test_split(counts: Mapping[str, Count], splits: set[str | None], benchmark: Benchmark) -> list[str]:
    unchecked = [task for task in benchmark.tasks if task not in counts or counts[task].ids is None]
    if unchecked:
        of = "" if len(unchecked) == len(benchmark.tasks) else f" of {', '.join(unchecked)}"
        return [f"no IDs{of} were checked; a submission holds all {len(benchmark.tasks)} tasks"]
    if splits - {"test", None}:
        return [
            f"these are IDs of the {' and '.join(sorted(map(str, splits)))} split; a submission holds the test split"
        ]
    return [
        f"{task} has {one.ids:,} IDs where the paper's test split has {one.published:,}"
        for task, one in counts.items()
        if one.published is not None and one.ids != one.published
    ]
