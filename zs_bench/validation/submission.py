"""The official prediction file, and whether a set of predictions can be submitted.

Source: the format of the official sites, `Task,ID,Prediction` with exactly the test ids of all tasks (SCROLLS uses the
same format). Their check reads it with pandas: `dtype=object, keep_default_na=False, na_values=["!@#$%^&*()"]`.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from zs_bench.benchmarks import Benchmark
from zs_bench.dataset.source import EXAMPLES
from zs_bench.files.entries import Entry, ReadFile
from zs_bench.files.read_tables import OFFICIAL
from zs_bench.problems import Place, Problem, Repair, counted, short
from zs_bench.validation.rules import Context

READY = "ready to submit"


def file_name(benchmark: Benchmark) -> str:
    return f"{benchmark.name}_predictions.csv"


class Count(NamedTuple):
    """Of a task: the ids with a prediction, the known ids, and the ids of the paper's test split; `None` if unknown."""

    answers: int
    ids: int | None
    published: int | None


def as_submission_csv(answers: Iterable[tuple[str, str, str]]) -> str:
    r"""The official file of answers (task, id, text). Every cell is quoted, so that they are read back unchanged.

    >>> as_submission_csv([("space_digest", "182528", "50%")])
    '"Task","ID","Prediction"\n"space_digest","182528","50%"\n'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([OFFICIAL, *answers])
    return out.getvalue()


def check_header(file: ReadFile) -> Problem | None:
    """The problem of a header or delimiter that the official check does not read; writing the file anew repairs it."""
    if file.format != "official CSV" or (file.header, file.delimiter) == (OFFICIAL, ","):
        return None
    header, detail = ",".join(OFFICIAL), short(file.delimiter.join(file.header))
    message, repair = f"The header must be {header} for the official check", f"header written as {header}"
    return Problem("header", message, place=Place(file.name), detail=detail, repair=Repair(repair, safe=True))


def in_order(rows: Iterable[Entry], context: Context) -> list[tuple[str, str, str]]:
    """Usable rows (task, id, text) that CSV can hold (no NUL), in the order of tasks and ids, unknown ids last."""
    tasks = {task: number for number, task in enumerate(context.benchmark.all_tasks)}
    ids = {(task, id_): number for task, task_ids in context.ids.items() for number, id_ in enumerate(task_ids.ids)}
    parts = context.benchmark.parts
    answers = ((row.task, row.id, row.value) for row in rows if row.usable and row.task not in parts)
    writable = (answer for answer in answers if "\0" not in "".join(answer))
    return sorted(writable, key=lambda row: (tasks.get(row[0], len(tasks)), ids.get(row[:2], len(ids))))


def count(context: Context) -> dict[str, Count]:
    """The counts of the tasks that have predictions or known ids."""
    answered = Counter(task for task, id_ in context.last if id_ in context.ids.get(task, (id_,)))
    return {
        name: Count(answered[name], len(context.ids[name].ids) if name in context.ids else None, task.size.test)
        for name, task in context.benchmark.tasks.items()
        if answered[name] or name in context.ids
    }


def verdict(
    problems: Sequence[Problem], counts: Mapping[str, Count], context: Context, files: Sequence[ReadFile] = ()
) -> tuple[bool, str]:
    """Whether the predictions of the files can be submitted, and if not, why.

    Examples of one's own are no test split of a paper: a file that answers all of them is complete for these.
    """
    is_of_paper = any(numbers.published for numbers in counts.values())
    wrong, benchmark = [problem for problem in problems if problem.is_error], context.benchmark
    unread = sum(problem.family == "unreadable" for problem in wrong)
    if not context.last and unread:
        return False, f"not ready: none of the rows could be read ({counted(unread, 'problem')})"
    reasons = [*_faults(wrong, benchmark), *_open_filters(wrong, files)]
    unchecked = [task for task, numbers in counts.items() if numbers.ids is None]
    if unchecked or not counts:
        reasons.append(f"no IDs{f' of {_some_of(unchecked, benchmark)}' if context.ids else ''} were checked")
    elif (why := _not_the_test_split(counts, context)) or not is_of_paper:
        ids, is_whole = context.known_ids.lists[0], len(counts) == len(benchmark.tasks)
        if is_of_paper and is_whole and ids.source.kind != "files":
            reasons.append(why)
        elif not reasons:
            what = f"the task {next(iter(counts))}" if len(counts) == 1 else f"the {len(counts)} tasks"
            named = str(ids) if ids.named_split == EXAMPLES else ids.source.label
            split = f" ({ids.split} split)" if ids.split and ids.named_split == ids.split else ""
            return True, f"complete for {what} of {named}{split}"
    return (False, "not ready: " + "; ".join(reasons)) if reasons else (True, READY)


def _faults(wrong: Sequence[Problem], benchmark: Benchmark) -> Iterator[str]:
    kinds = Counter(problem.kind for problem in wrong)
    absent, lacking = (
        list({problem.task: None for problem in wrong if problem.task and problem.kind == kind})
        for kind in ("missing-task", "missing")
    )
    if absent:
        yield f"no answers for {_some_of(absent, benchmark)}"
    elif kinds["nothing"]:
        yield "no answers were found"
    if lacking:
        number = counted(kinds["missing"], "answer")
        yield f"{number} of {_some_of(lacking, benchmark)} {'is' if kinds['missing'] == 1 else 'are'} missing"
    others = kinds.keys() - {"missing-task", "nothing", "missing", "filters"}
    if listed := ", ".join(f"{kind} ({number:,})" for kind, number in kinds.items() if kind in others):
        yield f"to be repaired: {listed}"


def _open_filters(wrong: Sequence[Problem], files: Sequence[ReadFile]) -> Iterator[str]:
    """What is said of logs that do not say which filter each of their rows is of."""
    logs = {problem.place.file for problem in wrong if problem.kind == "filters" and problem.place}
    if names := list(dict.fromkeys(name for file in files if file.name in logs for name in file.filters)):
        where = next(iter(logs)) if len(logs) == 1 else counted(len(logs), "file")
        options = " or ".join(f"--filter {short(name)}" for name in names)
        yield (
            f"each answer stands in {where} once for each filter, a rule that takes the answer from what the model "
            f"wrote, so say which filter's answers to read: {options}"
        )


def _some_of(tasks: Sequence[str], benchmark: Benchmark) -> str:
    """The names of the tasks, or their number where the names would make a sentence long."""
    return ", ".join(tasks) if len(tasks) <= 3 else f"{len(tasks)} of the {len(benchmark.tasks)} tasks"


def _not_the_test_split(counts: Mapping[str, Count], context: Context) -> str:
    """Why the known ids are not those of the paper's test split; empty if they are."""
    splits = {str(ids.source.named_split) for ids in context.ids.values()} - {"test", "None"}
    if splits == {EXAMPLES}:
        return "these are IDs of examples written for this package; a submission holds the test split"
    if splits:
        return f"these are IDs of the {' and '.join(sorted(splits))} split; a submission holds the test split"
    others = [task for task, numbers in counts.items() if numbers.published not in (None, numbers.ids)]
    tasks = others or [task for task in context.benchmark.tasks if task not in counts]
    return f"the IDs of {_some_of(tasks, context.benchmark)} are not those of the paper's test split" if tasks else ""
