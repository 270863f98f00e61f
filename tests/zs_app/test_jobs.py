"""The jobs that run in processes of their own."""

import asyncio

import worker_jobs

from zs_app import jobs
from zs_app.jobs import Upload
from zs_app.server.jobs import run_job
from zs_app.server.workers import stop_workers
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS


def test_no_job_imports_gradio(tmp_path):
    """It would take each job some seconds and 140 MB."""
    path = str(SAMPLE_PREDICTIONS)
    upload = Upload([path], [], "embedded", False, "zero_scrolls", second=[path])
    for job, *arguments in (
        (jobs.tasks_of, upload),
        (jobs.report_on_files, Upload([path], [path], "files", True, "zero_scrolls")),
        (jobs.report_on_objects, {"quality": {"a": "B"}}, {"quality": {"a": ["B"]}}, False, "zero_scrolls"),
        (jobs.score_upload, upload, tmp_path / "result"),
        (jobs.score_variants, tmp_path / "result", {"qasper": 50.0}),
    ):
        assert asyncio.run(run_job(worker_jobs.imported_by, job, *arguments)) == [], job.__name__
    stop_workers()
