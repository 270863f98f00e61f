"""The jobs that run in processes of their own."""

import ast
import asyncio
from pathlib import Path

import pytest
import worker_jobs

import zs_app
from zs_app import jobs
from zs_app.jobs import Upload
from zs_app.server.workers import run_job, stop_workers
from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS


def given_to_the_runner():
    """The names of the functions that the app gives to `run_job`."""
    sources = [path.read_text(encoding="utf-8") for path in Path(zs_app.__path__[0]).rglob("*.py")]
    calls = [node for text in sources for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return {ast.unparse(call.args[0]) for call in calls if ast.unparse(call.func) == "run_job"} - {"job", "no_job"}


@pytest.fixture(autouse=True)
def no_worker_stays():
    yield
    stop_workers()


def test_no_job_imports_gradio(tmp_path):
    """It would take each job some seconds and 140 MB."""
    path = str(SAMPLE_PREDICTIONS)
    upload = Upload([path], [], "embedded", False, "zero_scrolls", second=[path])
    given = Upload([path], [path], "files", True, "zero_scrolls")
    calls = [
        (jobs.tasks_of, upload),
        (jobs.report_on_files, given),
        (jobs.report_on_objects, {"quality": {"a": "B"}}, {"quality": {"a": ["B"]}}, False, "zero_scrolls"),
        (jobs.score_upload, upload, tmp_path / "result"),
        (jobs.score_variants, tmp_path / "result", {"qasper": 50.0}),
    ]
    assert {job.__name__ for job, *_ in calls} == given_to_the_runner()
    for job, *arguments in calls:
        assert asyncio.run(run_job(worker_jobs.imported_by, job, *arguments)) == [], job.__name__
