"""A scored file as the page shows it: the score, one table, the problems with their repairs, and collapsed details."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from zs_bench.benchmarks import BENCHMARKS, Benchmark
from zs_bench.files.columns import guess_columns
from zs_bench.problems import Problem, counted, lines
from zs_bench.reports.comparison import headline as verdict_of
from zs_bench.reports.html import difference_axis, render
from zs_bench.reports.html.standalone import figures, lengths, remark, run_table, task_table
from zs_bench.reports.runs import systems_in_words
from zs_bench.scoring.compare import SystemComparison
from zs_bench.scoring.scored import ScoredFile
from zs_bench.variants import AVERAGE, OFFICIAL

#: The names of the groups of answers that changed from one system to the other, or did not, as filters of the page.
LOST, GAINED, IDENTICAL = "lost", "gained", "identical"
# The problems of all ids of a task, of which one repair mends all.
_ALL_IDS = ("ids-differ", "shifted")


class ReportLine(NamedTuple):
    """The names of the files, `second` of those compared with."""

    predictions: str
    references: str
    second: str = ""


class ProblemGroup(NamedTuple):
    """Equal problems. `repair` is empty when nothing repairs them, `safe` is whether their repair changes no score."""

    kind: str
    sentence: str
    refuses: bool
    repair: str
    safe: bool


class Refusal(NamedTuple):
    """Why nothing was scored, and a button: what it does, its text, and the kind of repair that it accepts."""

    sentence: str
    does: str = ""
    button: str = ""
    accept: str = ""


def file_page(
    systems: Sequence[ScoredFile],
    line: ReportLine,
    downloads: Sequence[tuple[str, str, str]],
    match: SystemComparison | None = None,
    undone: Mapping[str, Mapping[str, float]] | None = None,
    *,
    may_be: Sequence[Benchmark] = (),
    runs: int = 0,
) -> Markup:
    """Return the report above the tasks and answers: what was scored, the score, problems that refuse, downloads.

    There are two `systems` where they are compared, as the `match`; the verdict comes first. A download is a title, an
    address and the name it is saved under. `undone` has by post-processing rules the scores that they would give tasks,
    by their titles. `may_be` are other benchmarks where that of the files was recognised; `runs` is the number of files
    that answer the same ids.
    """
    scored = systems[0]
    other = next((problem.benchmark for problem in scored.problems if problem.benchmark), None)
    return render(
        "file_page.html",
        line=line,
        scored=scored,
        other=BENCHMARKS[other] if other else "",
        figures=[] if other else figures(scored),
        remark=remark(scored),
        refusal=Refusal("Nothing was scored.") if other else _refusal(scored),
        mapping=_unmapped(scored),
        downloads=downloads if scored.scored else (),
        match=match or "",
        undone=undone or {},
        may_be=may_be,
        runs=runs,
        verdict=verdict_of(match) if match else "",
        of_runs=systems_in_words(dict(zip((match.first, match.second), systems, strict=True))) if match else [],
        **_problem_list(scored),
        **run_table(scored),
    )


def tasks_page(scored: ScoredFile, match: SystemComparison | None = None) -> Markup:
    """Return the table of the tasks, whose rows and groups of answers are filters of the answers."""
    if match:
        return render("comparison_table.html", static=False, match=match, axis_of=difference_axis)
    return render("file_table.html", static=False, **task_table(scored))


def file_more(scored: ScoredFile, submission: Mapping[str, str] | None) -> Markup:
    """Return the collapsed part below the answers; `submission` has `href`, `name` and `note` of the official file."""
    listed = {(row.kind, row.message) for row in scored.problems}
    others = (row for row in scored.validation.problems if not row.benchmark and (row.kind, row.message) not in listed)
    return render(
        "file_more.html",
        scored=scored,
        validation=scored.validation,
        others=_groups(others, scored.benchmark),
        submission=submission or {},
        lengths=lengths(scored),
    )


def variants_report(rescored: Mapping[str, Any], benchmark: Benchmark) -> Markup:
    """Return the result of `rescored_file` as a table below the variants that reproduce reported numbers."""
    titles = {AVERAGE: AVERAGE, **benchmark.titles}
    return render("variants.html", rescored=rescored, official=OFFICIAL, average=AVERAGE, titles=titles)


def _problem_list(scored: ScoredFile) -> dict[str, Any]:
    """Return the values of `file_problems.html`, which is above the answers if `open`, else below."""
    groups = _groups((problem for problem in scored.problems if not problem.benchmark), scored.benchmark)
    is_scored = bool(scored.scored) and not any(problem.benchmark for problem in scored.problems)
    sentence, button, *_ = _refusal(scored)
    if not is_scored:  # said once, above
        said = [group for group in groups if group.sentence == sentence and (button or not group.repair)]
        groups = [group for group in groups if group not in said and group.kind != "nothing"]
    refused = sum(group.refuses for group in groups)
    counts = {"problem": refused, "warning": len(groups) - refused}
    return {
        "groups": groups,
        "problems": " and ".join(counted(count, noun) for noun, count in counts.items() if count > 0),
        "is_scored": is_scored,
        "open": bool(groups) and (refused > 0 if is_scored else not button) and not _unmapped(scored).get("asks"),
    }


def _refusal(scored: ScoredFile) -> Refusal:
    """Return why nothing was scored in the one sentence that helps most."""
    groups = _groups(scored.problems, scored.benchmark)
    errors = [group for group in groups if group.refuses] or [group for group in groups if group.kind == "task-by-ids"]
    if not errors:
        return Refusal("Nothing was scored.")
    if errors[0].kind == "nothing" and (heads := [file.name for file in scored.files if file.header]):
        return Refusal(f"{', '.join(heads)}: a header, and no rows below it.")
    if differ := next((group for group in errors if group.kind in _ALL_IDS), None):
        accept = "" if differ.safe else differ.kind
        return Refusal(differ.sentence, "repair", f"Read them {differ.repair.removeprefix('all IDs read ')}", accept)
    if all(group.kind == "missing" for group in errors):
        missing = sum(len(task.missing) for task in scored.tasks.values())
        total = sum(task.total for task in scored.tasks.values())
        text = f"Score only the {counted(total - missing, 'answer')}"
        return Refusal(f"{missing:,} of {total:,} answers are missing.", "partial", text)
    if errors[0].kind in ("task-name", "task-by-ids"):
        return Refusal(errors[0].sentence, "repair", f"Read it {errors[0].repair.removeprefix('read ')}")
    return Refusal(errors[0].sentence)


def _unmapped(scored: ScoredFile) -> dict[str, Any]:
    """Return the first file whose columns are not known: its name, its columns, and a guess which holds what.

    `roles` are what its columns may hold, name to title; `asks` is whether nothing is scored without it. Files of
    unknown columns come before those of doubtful ones.
    """
    for kind, files in (
        ("columns", scored.files),
        ("reference-columns", scored.references.files),
        ("unread-columns", scored.files),
    ):
        names = {problem.place.file for problem in scored.problems if problem.kind == kind and problem.place}
        file = next((file for file in files if file.name in names and file.header), None)
        if file is not None:
            text = "references" if kind == "reference-columns" else "prediction"
            guess = guess_columns(file.header)
            others = [name for name in file.header if name not in guess.values()] or [*file.header]
            guess = {"id": others[0], text: others[-1], **guess}
            first = list(zip(file.header, file.first, strict=False))
            roles = {"id": "ID", text: "References" if text == "references" else "Answer", "task": "Task"}
            asks = kind != "unread-columns"
            table = {"file": file.name, "header": file.header, "first": first}
            return {**table, "guess": guess, "roles": roles, "asks": asks}
    return {}


def _groups(problems: Iterable[Problem], benchmark: Benchmark) -> list[ProblemGroup]:
    """Return the problems, equal ones as one group; errors come before warnings."""
    alike: dict[tuple[str | None, str, bool], list[Problem]] = {}
    for problem in problems:
        task = None if problem.repair or problem.kind in ("doubled", "missing", *_ALL_IDS) else problem.task
        message = f"{problem.kind} {problem.repair and problem.repair.what}" if task is None else problem.message
        alike.setdefault((task, message, problem.is_error), []).append(problem)
    groups = []
    for group in alike.values():
        first, repairs = group[0], [problem.repair for problem in group if problem.repair]
        more = f" ({len(group):,} in all)" if len(group) > 1 and first.kind not in _ALL_IDS else ""
        repair, safe = repairs[0].what + more if repairs else "", all(repair.safe for repair in repairs)
        groups.append(ProblemGroup(first.kind, _sentence(group, benchmark), first.is_error, repair, safe))
    return sorted(groups, key=lambda group: not group.refuses)


def _sentence(problems: Sequence[Problem], benchmark: Benchmark) -> str:
    """Return what is wrong in a sentence, with the titles of the page for tasks."""
    first, tasks = problems[0], {problem.task for problem in problems}
    if first.kind == "missing" and len(tasks) > 1:
        return f"{counted(len(problems), 'answer')} of {len(tasks)} tasks are missing"
    if first.kind in _ALL_IDS:
        example = (first.detail or "").rpartition(", ")[0]
        return f"{first.message}, such as {example} ({counted(len(tasks), 'task')})"
    if first.kind == "task-name":
        name, _, answers = (first.detail or "").rpartition(", ")
        return f"The task {name} is misspelt: it should be {first.task} ({first.place}; {answers})"
    if len(problems) == 1 and not first.task and first.place and first.place.row is None:
        message = first.message
        return f"{first.place}: {message[:1].lower() if message[1:2].islower() else message[:1]}{message[1:]}"
    sentences = lines(problems, titles=benchmark.titles)
    more = f" ({len(problems):,} such in {counted(len(tasks), 'task')})" if len(sentences) > 1 else ""
    sentence = sentences[0] + more
    if first.task and sentence.startswith(benchmark.titles.get(first.task, first.task)):
        return sentence
    return sentence[:1].upper() + sentence[1:]
