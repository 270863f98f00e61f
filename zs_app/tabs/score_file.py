"""The tab "Score a file": from predictions and references to a report, the list of answers, and a comparison.

Its script (`static/file.js`) calls the server functions below. Scoring is a job: it is started, asked for its progress,
and its report is taken, so a lost connection loses nothing.
"""

from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.requests import Request

from zs_app import words
from zs_app.component import Text, component
from zs_app.jobs import DEFINITION, Upload, roles_of, score_upload, score_variants
from zs_app.rendering import part, render
from zs_app.result_tables import RIGHT, new_result, opened, result_path
from zs_app.server import jobs
from zs_app.server.events import in_thread, visitor_of
from zs_app.tabs import file_lists
from zs_app.tabs.file_inputs import (
    MAX_FILES,
    SUFFIXES,
    InvalidRequest,
    check_uploaded,
    sources,
    upload_of,
    with_data,
)
from zs_bench.benchmarks import available
from zs_bench.dataset.embedded import EMBEDDED, SAMPLE_PREDICTIONS
from zs_bench.errors import SourceUnavailable
from zs_bench.scoring.score_files import score_files
from zs_bench.variants import AVERAGE


async def start_scoring(asked: dict[str, Any], request: Request) -> dict[str, str]:
    """Start the job of a `FileRequest` and return its id."""
    upload = upload_of(asked)
    return {"job": jobs.start(lambda job: _score(upload, job), visitor_of(request))}


async def _score(upload: Upload, job: jobs.Job) -> dict[str, str]:
    try:
        upload = await with_data(upload, job)
    except SourceUnavailable as error:
        raise InvalidRequest(f"{words.SOURCE_UNAVAILABLE_FILE} {error}") from None
    new = new_result()
    size = sum(Path(path).stat().st_size for path in [*upload.predictions, *upload.references, *upload.second])
    await jobs.run_job(score_upload, upload, new, job=job, size=size)
    return {"result": new.stem}


async def start_variants(result: str, task: str, number: Text, request: Request) -> dict[str, str]:
    """Start scoring a file with every variant of the metrics; `number` is a published one, or empty."""
    result_path(result)
    reported: dict[str, float | str] | None = {task: number.strip()} if number.strip() else None

    async def work(job: jobs.Job) -> dict[str, str]:
        return {"html": await jobs.run_job(score_variants, result, reported, job=job)}

    return {"job": jobs.start(work, visitor_of(request))}


async def roles(paths: list[str], benchmark: str) -> dict[str, list[str]]:
    """Return what each uploaded file holds: "predictions", "references", or the "definition" of a benchmark."""
    check_uploaded(paths)
    if len(paths) > 2 * MAX_FILES:
        raise InvalidRequest(f"{len(paths):,} files, more than {2 * MAX_FILES}; put them into one ZIP")
    size = sum(Path(path).stat().st_size for path in paths)
    return {"roles": await jobs.run_job(roles_of, paths, benchmark, size=size)}


async def progress(job_id: str) -> dict[str, Any]:
    """Return how far a job is; one that is done has `made` the report of a file, or the variants as `html`."""
    told = await jobs.progress(job_id)
    result = told.get("made", {}).get("result")
    return {**told, "made": await in_thread(report, result=result)} if result else told


def report(result: str) -> dict[str, Any]:
    """Return the parts of the page for a result, also after the page was loaded again."""
    with opened(result) as kept:
        page = kept.page
    return {**page, "result": result, "filters": part("filters", page["menus"], RIGHT)}


def _example() -> Markup:
    """Return the scores of the sample, which stand where those of a file will."""
    scored = score_files([SAMPLE_PREDICTIONS], [EMBEDDED])
    return render("file_example.html", tasks=list(scored.scored.values()))


def layout() -> None:
    """Build the tab inside the current Blocks."""
    titles = {name: task.title for row in available().values() for name, task in row.all_tasks.items()}
    shell = render(
        "file_tab.html",
        suffixes=",".join([*SUFFIXES, DEFINITION]),
        sources=sources(),
        formats=[line.strip("| ").split(" | ") for line in words.FILE_FORMATS.splitlines()],
        variants={AVERAGE: "the average", **titles},
        example=_example(),
    )
    calls = (roles, start_scoring, start_variants, progress, report, file_lists.answers)
    component("file", shell, *calls)
