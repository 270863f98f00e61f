"""The official prediction file, and whether what there is can be submitted.

Source: the official sites' form, `Task,ID,Prediction`, every test id of all tasks and no other (SCROLLS takes the same
form for its seven); the check reads it with pandas, `dtype=object, keep_default_na=False, na_values=["!@#$%^&*()"]`.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from zs_bench.doctor.diagnosis import Count, Finding, SubmittedAnswer
from zs_bench.doctor.known_ids import TaskIds
from zs_bench.doctor.rules import Row
from zs_bench.files.read_csv import OFFICIAL
from zs_bench.reports.report_text import COUNTS
from zs_metric.tasks import BENCHMARKS, Benchmark

#: What the official sites call it.
FILE_NAMES: Mapping[str, str] = {name: f"{name}_predictions.csv" for name in BENCHMARKS}
READY = "ready to submit"


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


def in_order(rows: Iterable[Row], ids: Mapping[str, TaskIds], benchmark: Benchmark) -> list[SubmittedAnswer]:
    """The rows that are answers, in the order of the tasks and of their ids; those that are of none last.

    What has a NUL character is left out: a CSV file cannot hold it.
    """
    tasks = {task: number for number, task in enumerate(benchmark.all_tasks)}
    keys = {(task, key): number for task, known in ids.items() for number, key in enumerate(known.ids)}
    last = len(keys)
    answers = (SubmittedAnswer(row.task, row.id, row.value) for row in rows if row.usable)
    written = (answer for answer in answers if not any("\0" in cell for cell in answer))
    return sorted(written, key=lambda one: (tasks.get(one.task, len(tasks)), keys.get((one.task, one.id), last)))


def verdict(
    findings: Sequence[Finding], counts: Mapping[str, Count], ids: Iterable[TaskIds], benchmark: Benchmark
) -> tuple[bool, str]:
    """Whether these answers can be submitted, and if not, why."""
    reasons = [*_wrong(findings), *_not_the_test_split(counts, {one.source.split for one in ids}, benchmark)]
    return (False, "not ready: " + "; ".join(reasons)) if reasons else (True, READY)


def _wrong(findings: Sequence[Finding]) -> list[str]:
    wrong = [one.problem for one in findings if one.problem.refuses]
    tasks = [one.task for one in wrong if one.kind == "missing-task"]
    missing = Counter(one.task for one in wrong if one.kind == "missing")
    others = Counter(one.kind for one in wrong if one.kind not in {"missing", "missing-task"})
    return [
        *([f"{', '.join(map(str, tasks))} {'is' if len(tasks) == 1 else 'are'} not there"] if tasks else []),
        *(f"{number:,} of {task} {'is' if number == 1 else 'are'} missing" for task, number in missing.items()),
        *([f"to be repaired: {', '.join(f'{kind} ({n:,})' for kind, n in others.items())}"] if others else []),
    ]


def _not_the_test_split(counts: Mapping[str, Count], splits: set[str | None], benchmark: Benchmark) -> list[str]:
    unchecked = [task for task in benchmark.tasks if task not in counts or counts[task].ids is None]
    if unchecked:
        of = "" if len(unchecked) == len(benchmark.tasks) else f" of {', '.join(unchecked)}"
        return [f"no ids{of} were checked; a submission holds all {COUNTS[len(benchmark.tasks)]} tasks"]
    if splits - {"test", None}:
        return [
            f"these are ids of the {' and '.join(sorted(map(str, splits)))} split; a submission holds the test split"
        ]
    return [
        f"{task} has {one.ids:,} ids where the paper's test split has {one.published:,}"
        for task, one in counts.items()
        if one.ids != one.published
    ]
