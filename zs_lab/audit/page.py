"""Checking a sample by hand on the page: the page to label with as a download, and the report of its labels.

Nothing is kept on the server: the labels are read against the scored file, which is kept for an hour after its last use
and can be scored again.
"""

from typing import Any

from starlette.requests import Request

from zs_app.component import component
from zs_app.result_tables import opened, result_path
from zs_app.server import jobs
from zs_bench.benchmarks import benchmark_of_report, find_task
from zs_bench.reports.html import environment
from zs_lab.audit.check import is_right_or_wrong
from zs_lab.audit.jobs import drawn_page, report_text


def audit_tasks(result: str) -> dict[str, Any]:
    """Return the tasks of a scored file whose answers are right or wrong: name to title."""
    with opened(result) as kept:
        report = kept.report
    scored = [name for name, task in report["tasks"].items() if task["score"] is not None]
    tasks = [find_task(name, benchmark=benchmark_of_report(report)) for name in scored]
    return {"tasks": {task.name: task.title for task in tasks if is_right_or_wrong(task)}}


async def start_drawing(result: str, task: str, size: int, request: Request) -> dict[str, str]:
    """Start drawing a sample and return the job's id; it makes the page to label with."""
    result_path(result)
    return jobs.start_process(request, drawn_page, result, task, size)


async def start_report(result: str, labels: list[list[str]], request: Request) -> dict[str, str]:
    """Start the report of labels, pairs of a file's name and text, and return the job's id."""
    result_path(result)
    files = [(name, text) for name, text in labels]
    return jobs.start_process(request, report_text, result, files, size=sum(len(text) for _, text in files))


def layout() -> None:
    html = environment("zs_lab.audit").get_template("audit.html").render()
    component("audit", html, audit_tasks, start_drawing, start_report, jobs.progress)
