"""The official prediction file, and whether a set of predictions can be submitted.

Source: the format of the official sites, `Task,ID,Prediction` with exactly the test ids of all tasks (SCROLLS uses the
same format). Their check reads it with pandas: `dtype=object, keep_default_na=False, na_values=["!@#$%^&*()"]`.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from zs_bench.files.entries import ReadFile
from zs_bench.files.read_csv import OFFICIAL
from zs_bench.problems import Place, Problem, Repair, counted, short
from zs_bench.tasks import info
from zs_bench.validation.rules import Context, Row
from zs_metric.tasks import BENCHMARKS, Benchmark

#: The official name of the file, by benchmark.
FILE_NAMES: Mapping[str, str] = {name: f"{name}_predictions.csv" for name in BENCHMARKS}
READY = "ready to submit"
#: Of more tasks than this the verdict gives the number, not the names.
_MOST_NAMED = 3
_MARK = b"\xef\xbb\xbf"


class SubmissionRow(NamedTuple):
    """A row of the submission."""

    task: str
    id: str
    text: str


class Count(NamedTuple):
    """The counts of a task.

    Attributes:
        answers: the number of ids with a prediction; of known ids only, if the ids are known.
        ids: the number of known ids; `None` if they are not known.
        published: the number of ids in the paper's test split; `None` if unknown.
    """

    answers: int
    ids: int | None
    published: int | None


def as_submission_csv(answers: Iterable[SubmissionRow | tuple[str, str, str]]) -> str:
    r"""The official file. Every cell is quoted, so that predictions are read back unchanged.

    >>> as_submission_csv([("space_digest", "182528", "50%")])
    '"Task","ID","Prediction"\n"space_digest","182528","50%"\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(OFFICIAL)
    writer.writerows(answers)
    return out.getvalue()


def check_file(file: ReadFile) -> list[Problem]:
    """Problems of a whole file: byte order mark, line endings, header. Writing the file again repairs them."""
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
    return Problem(kind, message, place=Place(file.name), refuses=header is not None, detail=detail, repair=repair)


def in_order(rows: Iterable[Row], context: Context) -> list[SubmissionRow]:
    """The usable rows in the order of the tasks and their ids, unknown ids last.

    Rows with a NUL character are left out, since a CSV file cannot hold it.
    """
    tasks = {task: number for number, task in enumerate(context.benchmark.all_tasks)}
    ids = {(task, id_): number for task, known in context.ids.items() for number, id_ in enumerate(known.ids)}
    last = len(ids)
    answers = (SubmissionRow(row.task, row.id, row.value) for row in rows if row.usable and not row.extra)
    writable = (answer for answer in answers if "\0" not in "".join(answer))
    return sorted(writable, key=lambda one: (tasks.get(one.task, len(tasks)), ids.get((one.task, one.id), last)))


def count(context: Context) -> dict[str, Count]:
    """The counts of the tasks that have predictions or known ids."""
    answered = Counter(task for task, id_ in context.last if id_ in context.ids.get(task, (id_,)))
    return {
        name: Count(answered[name], len(context.ids[name].ids) if name in context.ids else None, info(task).size.test)
        for name, task in context.benchmark.tasks.items()
        if answered[name] or name in context.ids
    }


def verdict(problems: Sequence[Problem], counts: Mapping[str, Count], context: Context) -> tuple[bool, str]:
    """Whether the predictions can be submitted, and if not, why."""
    wrong = [problem for problem in problems if problem.refuses]
    tasks = [one.task for one in wrong if one.task and one.kind == "missing-task"]
    missing = Counter(one.task for one in wrong if one.kind == "missing")
    others = Counter(one.kind for one in wrong if one.kind not in {"missing", "missing-task", "nothing"})
    reasons = [f"no answers for {_some_of(tasks, context.benchmark)}"] if tasks else []
    if not tasks and any(one.kind == "nothing" for one in wrong):
        reasons.append("no answers were found")
    if len(missing) > _MOST_NAMED:
        reasons.append(f"{missing.total():,} answers of {len(missing)} tasks are missing")
    else:
        reasons += [
            f"{counted(n, 'answer')} of {task} {'is' if n == 1 else 'are'} missing" for task, n in missing.items()
        ]
    if others:
        reasons.append(f"to be repaired: {', '.join(f'{kind} ({n:,})' for kind, n in others.items())}")
    reasons += _not_the_test_split(counts, {ids.source.split for ids in context.ids.values()}, context.benchmark)
    return (False, "not ready: " + "; ".join(reasons)) if reasons else (True, READY)


def _some_of(tasks: Sequence[str], benchmark: Benchmark) -> str:
    """The names of the tasks, or their number where the names would make a sentence long."""
    if len(tasks) == len(benchmark.tasks):
        return f"any of the {len(tasks)} tasks"
    return ", ".join(tasks) if len(tasks) <= _MOST_NAMED else f"{len(tasks)} of the {len(benchmark.tasks)} tasks"


def _not_the_test_split(counts: Mapping[str, Count], splits: set[str | None], benchmark: Benchmark) -> list[str]:
    unchecked = [task for task in benchmark.tasks if task not in counts or counts[task].ids is None]
    if unchecked:
        of = "" if len(unchecked) == len(benchmark.tasks) else f" of {_some_of(unchecked, benchmark)}"
        lacking = f"; a submission holds all {len(benchmark.tasks)} tasks" if len(counts) < len(benchmark.tasks) else ""
        return [f"no IDs{of} were checked{lacking}"]
    if splits - {"test", None}:
        found = " and ".join(sorted(map(str, splits)))
        return [f"these are IDs of the {found} split; a submission holds the test split"]
    other = [
        f"{task} has {one.ids:,} IDs where the paper's test split has {one.published:,}"
        for task, one in counts.items()
        if one.published is not None and one.ids != one.published
    ]
    if len(other) > _MOST_NAMED:
        return [f"{len(other)} of the {len(benchmark.tasks)} tasks have fewer or more IDs than the paper's test split"]
    return other
