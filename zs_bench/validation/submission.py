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
    problems, official = [], file.format == "official CSV"
    if file.head.startswith(_MARK):
        problems.append(_of_file("bom", "Byte order mark (harmless)", "byte order mark removed", file))
    if official and file.head.endswith(b"\r\n"):
        problems.append(_of_file("crlf", "Windows line endings (harmless)", "line endings normalised", file))
    if official and (file.header, file.delimiter) != (OFFICIAL, ","):
        header = ",".join(OFFICIAL)
        message = f"The header must be {header} for the official check"
        problems.append(
            _of_file("header", message, f"header written as {header}", file, file.delimiter.join(file.header))
        )
    return problems


def _of_file(kind: str, message: str, what: str, file: ReadFile, header: str | None = None) -> Problem:
    detail = None if header is None else short(header)
    repair = Repair(what, safe=True)
    return Problem(kind, message, place=Place(file.name), is_error=header is not None, detail=detail, repair=repair)


def in_order(rows: Iterable[Row], context: Context) -> list[SubmissionRow]:
    """The usable rows in the order of the tasks and their ids, unknown ids last.

    Rows with a NUL character are left out, since a CSV file cannot hold it.
    """
    tasks = {task: number for number, task in enumerate(context.benchmark.all_tasks)}
    ids = {(task, id_): number for task, task_ids in context.ids.items() for number, id_ in enumerate(task_ids.ids)}
    last = len(ids)
    answers = (SubmissionRow(row.task, row.id, row.value) for row in rows if row.usable and not row.is_hard_copy)
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
    """Whether the predictions can be submitted, and if not, why.

    Examples of one's own are no test split of the paper: a file that answers all of them is complete for these.
    """
    wrong = [problem for problem in problems if problem.is_error]
    tasks = [one.task for one in wrong if one.task and one.kind == "missing-task"]
    missing = Counter(one.task for one in wrong if one.kind == "missing")
    others = Counter(one.kind for one in wrong if one.kind not in {"missing", "missing-task", "nothing"})
    unread = sum(problem.reported_kind == "unreadable" for problem in wrong)
    if not context.last and unread:
        return False, f"not ready: none of the rows could be read ({counted(unread, 'problem')})"
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
    unchecked = [task for task, one in counts.items() if one.ids is None]
    if unchecked or not counts:
        reasons.append(f"no IDs{f' of {_some_of(unchecked, context.benchmark)}' if context.ids else ''} were checked")
    elif other := _not_the_test_split(counts, context):
        lists = context.known.lists
        if len(counts) == len(context.benchmark.tasks) and lists[0].is_benchmark:
            reasons.append(other)
        elif not reasons:
            what = f"the task {next(iter(counts))}" if len(counts) == 1 else f"the {len(counts)} tasks"
            split = f" ({lists[0].split} split)" if lists[0].split else ""
            return True, f"complete for {what} of {lists[0].source}{split}"
    return (False, "not ready: " + "; ".join(reasons)) if reasons else (True, READY)


def _some_of(tasks: Sequence[str], benchmark: Benchmark) -> str:
    """The names of the tasks, or their number where the names would make a sentence long."""
    if len(tasks) == len(benchmark.tasks):
        return f"any of the {len(tasks)} tasks"
    return ", ".join(tasks) if len(tasks) <= _MOST_NAMED else f"{len(tasks)} of the {len(benchmark.tasks)} tasks"


def _not_the_test_split(counts: Mapping[str, Count], context: Context) -> str:
    """Why the known ids are not those of the paper's test split; empty if they are."""
    splits = {ids.source.split for ids in context.ids.values()}
    if splits - {"test", None}:
        names = " and ".join(sorted(map(str, splits)))
        return f"these are IDs of the {names} split; a submission holds the test split"
    sizes = [
        f"{task} has {one.ids:,} IDs where the paper's test split has {one.published:,}"
        for task, one in counts.items()
        if one.published is not None and one.ids != one.published
    ]
    if len(sizes) > _MOST_NAMED:
        total = len(context.benchmark.tasks)
        return f"{len(sizes)} of the {total} tasks have fewer or more IDs than the paper's test split"
    lacking = len(context.benchmark.tasks) - len(counts)
    return "; ".join(sizes) or (f"{lacking} tasks were not checked" if lacking else "")
