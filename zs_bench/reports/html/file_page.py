"""A scored file as the page shows it: the score, one table, the problems with their repairs, and collapsed details."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from zs_bench.files.read_csv import guess_columns
from zs_bench.problems import Problem, counted, lines
from zs_bench.reports.comparison_text import headline as verdict_of
from zs_bench.reports.file_view import FileView
from zs_bench.reports.html import render
from zs_bench.reports.html.file_report import headline, lengths, remark, run_table, task_table
from zs_bench.scoring.pairing import SystemComparison
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import info
from zs_bench.variants.definitions import OFFICIAL
from zs_bench.variants.rescore import AVERAGE
from zs_metric.tasks import BENCHMARKS, Benchmark


class Line(NamedTuple):
    """What was scored: what the two sides are called, the numbers of answers and references, and of repairs made.

    `is_sample`: whether it is the sample of the page. `second`: the file of the system that it is compared with.
    """

    predictions: str
    references: str
    answers: int
    examples: int
    changes: int = 0
    is_sample: bool = False
    second: str = ""


def file_page(
    view: FileView, line: Line, downloads: Sequence[tuple[str, str, str]], match: SystemComparison | None = None
) -> Markup:
    """Return the report above the tasks and answers: what was scored, the score, problems that refuse, downloads.

    Args:
        downloads: of each the title, the address and the name it is saved under.
        match: the comparison with a second system, whose verdict comes first.
    """
    scored, problems = view.scored, _problem_list(view.scored)
    other = next((problem.benchmark for problem in scored.problems if problem.benchmark), None)
    return render(
        "file_page.html",
        line=line,
        other=BENCHMARKS[other] if other else None,
        headline=[] if other else headline(scored, sample=line.is_sample),
        remark=remark(scored, sample=line.is_sample),
        refusal=("Nothing was scored.", "", "") if other else _refusal(scored),
        mapping=_unmapped(scored),
        downloads=downloads if scored.scored else (),
        match=match,
        verdict=verdict_of(match) if match else "",
        **problems,
    )


def _problem_list(scored: ScoredFile) -> dict[str, Any]:
    """Return the values of `file_problems.html`, which is above the answers if `open`, else below.

    A file that cannot be read has no list: the one sentence stands for its score.
    """
    groups = _groups(problem for problem in scored.problems if not problem.benchmark)
    is_scored = bool(scored.scored) and not any(problem.benchmark for problem in scored.problems)
    sentence, button, _ = _refusal(scored)
    if not is_scored:  # said once, above
        groups = [group for group in groups if group["sentence"] != sentence or (group["repair"] and not button)]
        groups = [group for group in groups if group["kind"] != "nothing"]
    refused = sum(group["refuses"] for group in groups)
    repairable = any(group["repair"] for group in groups)
    counts = {"problem": refused, "warning": len(groups) - refused}
    return {
        "groups": groups,
        "problems": " and ".join(counted(count, noun) for noun, count in counts.items() if count > 0),
        "repairable": repairable,
        "is_scored": is_scored,
        "open": bool(groups) and (refused > 0 if is_scored else not button) and _unmapped(scored) is None,
    }


def tasks_page(view: FileView, match: SystemComparison | None = None) -> Markup:
    """Return the table of the tasks, whose rows and groups of answers are filters of the answers."""
    if match:
        return render("comparison_table.html", static=False, match=match)
    return render("file_table.html", static=False, **task_table(view))


def _refusal(scored: ScoredFile) -> tuple[str, str, str]:
    """Return why nothing was scored in the one sentence that helps most, and a button: what it does and its text."""
    errors = [group for group in _groups(scored.problems) if group["refuses"]]
    if not errors:
        return "Nothing was scored.", "", ""
    if errors[0]["kind"] == "nothing" and (heads := [file.name for file in scored.files if file.header]):
        return f"{', '.join(heads)}: a header, and no rows below it.", "", ""
    if differ := next((group for group in errors if group["kind"] == "ids-differ"), None):
        return differ["sentence"], "repair", "Read them as the known IDs"
    if all(group["kind"] == "missing" for group in errors):
        missing = sum(len(task.missing) for task in scored.tasks.values())
        total = sum(task.total for task in scored.tasks.values())
        text = f"Score only the {counted(total - missing, 'answer')}"
        return f"{missing:,} of {total:,} answers are missing.", "partial", text
    return errors[0]["sentence"], "", ""


def _unmapped(scored: ScoredFile) -> dict[str, Any] | None:
    """Return the first table whose columns are not known: its name, its columns, and a guess which holds what."""
    names = {problem.place.file for problem in scored.problems if problem.kind == "columns" and problem.place}
    file = next((file for file in scored.files if file.name in names and file.header), None)
    if file is None:
        return None
    guess = guess_columns(file.header)
    others = [name for name in file.header if name not in guess.values()] or [*file.header]
    return {"file": file.name, "header": file.header, "guess": {"id": others[0], "prediction": others[-1], **guess}}


def file_more(view: FileView, submission: Mapping[str, str] | None) -> Markup:
    """Return the collapsed part below the answers: problems, the run, the submission, lengths, and the signature.

    Args:
        submission: the official file to download, if it can be prepared: `href`, `name` and a `note`.
    """
    scored, validation = view.scored, view.scored.validation
    listed = {(problem.kind, problem.message) for problem in scored.problems}
    others = (problem for problem in validation.problems if (problem.kind, problem.message) not in listed)
    return render(
        "file_more.html",
        scored=scored,
        validation=validation,
        others=_groups(problem for problem in others if not problem.benchmark),
        submission=submission,
        lengths=lengths(view),
        **_problem_list(scored),
        **run_table(scored),
    )


def _groups(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return the problems, equal ones as one group; errors come before warnings."""
    alike: dict[tuple[str | None, str, bool], list[Problem]] = {}
    for problem in problems:
        task = None if problem.kind in ("doubled", "ids-differ", "missing") else problem.task
        message = problem.kind if problem.kind == "missing" else problem.message
        alike.setdefault((task, message, problem.is_error), []).append(problem)
    return sorted(map(_group, alike.values()), key=lambda group: not group["refuses"])


def _group(problems: list[Problem]) -> dict[str, Any]:
    """Return a group; `repair` is empty when nothing repairs it, `safe` is whether its repair changes no score."""
    first, repairs = problems[0], [problem.repair for problem in problems if problem.repair]
    more = f" ({len(problems):,} in all)" if len(problems) > 1 and first.kind != "ids-differ" else ""
    return {
        "sentence": _sentence(problems),
        "refuses": first.is_error,
        "kind": first.kind,
        "repair": repairs[0].what + more if repairs else "",
        "safe": all(repair.safe for repair in repairs),
    }


def _sentence(problems: Sequence[Problem]) -> str:
    first, tasks = problems[0], {problem.task for problem in problems}
    if first.kind == "missing" and len(tasks) > 1:
        return f"{counted(len(problems), 'answer')} of {len(tasks)} tasks are missing"
    if first.kind == "ids-differ":
        example = (first.detail or "").rpartition(", ")[0]
        return f"{first.message}, such as {example} ({counted(len(tasks), 'task')})"
    if len(problems) == 1 and not first.task and first.place and first.place.row is None:
        message = first.message
        return f"{first.place}: {message[:1].lower() if message[1:2].islower() else message[:1]}{message[1:]}"
    sentence = lines(problems)[0]
    return sentence if first.task and sentence.startswith(first.task) else sentence[:1].upper() + sentence[1:]


def variants_report(rescored: Mapping[str, Any], benchmark: Benchmark) -> Markup:
    """Return the result of `zs_bench.variants.rescore.rescored_file` as a table.

    If numbers were reported, the variants that reproduce them are named above it.
    """
    titles = {AVERAGE: AVERAGE, **{name: info(task).title for name, task in benchmark.all_tasks.items()}}
    return render("variants.html", rescored=rescored, official=OFFICIAL, average=AVERAGE, titles=titles)
