"""The tab "Score a file": from predictions and references to a report, the list of answers, and a comparison.

Its script (`static/file.js`) calls the server functions below. Scoring is a job: it is started, asked for its progress,
and its report is taken, so a lost connection loses nothing.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import anyio
from markupsafe import Markup
from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request

from zs_app import words
from zs_app.component import Text, component, part, render
from zs_app.jobs import DEFINITION, Upload, roles_of, score_upload, score_variants, tasks_of
from zs_app.result_tables import RIGHT, new_result, opened, result_path
from zs_app.server import jobs
from zs_app.server.events import in_thread, visitor_of
from zs_app.server.jobs import Job, run_job
from zs_app.server.temporary_files import Gone, is_kept_here, new_folder
from zs_app.tabs import file_lists
from zs_app.tabs.examples import benchmark_named, source_named, with_own_data
from zs_bench.benchmarks import available, find_benchmark
from zs_bench.dataset.embedded import EMBEDDED, SAMPLE_PREDICTIONS, load_embedded, sample_predictions
from zs_bench.dataset.hub import fetch
from zs_bench.errors import SourceUnavailable
from zs_bench.files.formats import suffixes
from zs_bench.progress import part_of
from zs_bench.scoring.score_files import find_rule, score_files
from zs_bench.variants import AVERAGE
from zs_metric.errors import ZeroScrollsError

# The sources of references; visitors cannot name paths.
_SOURCES = {"files": words.FILE_FROM_FILES, "embedded": words.FILE_FROM_EMBEDDED, "hub": words.FILE_FROM_HUB}
SUFFIXES = list(suffixes())
#: The most prediction (or reference) files at once.
MAX_FILES = 40


class InvalidRequest(ZeroScrollsError):
    """The request names files or a source that cannot be used, or is not one that the page sends."""

    def __init__(self, message: str = "this is not what the page sends") -> None:
        super().__init__(message)


class FileRequest(BaseModel):
    """What the page sends to score files; the fields not described here, and empty `names`, are as in `Upload`.

    Attributes:
        predictions, references, second: paths of uploaded files; `second` are predictions of a second system.
        source: where the references come from, one of `sources()`.
        sample: whether to score the sample instead of `predictions`.
        fill: whether to add empty answers for missing ids.
        post: the rules for predictions, with " + " between them.
        compare: whether to compare with the second system.
    """

    benchmark: str
    predictions: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    source: str = "files"
    sample: bool = False
    partial: bool = False
    repaired: bool = False
    accept: tuple[str, ...] = Field((), max_length=50)
    fill: bool = False
    compare: bool = False
    names: tuple[str, ...] = Field((), max_length=2)
    columns: dict[str, str] = Field({}, max_length=3)
    post: str = Field("", max_length=500)


def upload_of(fields: object) -> Upload:
    """Return the input of the job for the fields of a `FileRequest`.

    Raises:
        InvalidRequest, Gone, UnknownBenchmark: with what to do.
    """
    try:
        asked = FileRequest.model_validate(fields)
    except ValidationError:
        raise InvalidRequest from None
    second = asked.second if asked.compare else ()
    predictions, references = asked.predictions, asked.references if asked.source == "files" else ()
    check_uploaded(second if asked.sample else [*predictions, *references, *second])
    check_files([*predictions, *second], references, asked.source, asked.benchmark)
    benchmark, predictions = _own_benchmark(asked.benchmark, predictions)
    if not asked.sample and not predictions:
        raise InvalidRequest(words.FILE_FIRST)
    if not asked.sample and asked.source == "files" and not references:
        raise InvalidRequest(words.FILE_FIRST_REFERENCES)
    if asked.compare and not second:
        raise InvalidRequest(words.COMPARE_FIRST)
    if asked.sample:
        predictions, references = sample_files(benchmark)
    post = [name for rule in asked.post.split(" + ") if rule.strip() for name, _ in [find_rule(rule.strip())]]
    return Upload(
        predictions,
        references,
        "files" if asked.sample else source_named(asked.source),
        asked.partial and not asked.sample,
        benchmark,
        second=second,
        repaired=asked.repaired,
        accept=asked.accept,
        fill_missing=asked.fill,
        names=asked.names,
        is_sample=asked.sample,
        columns={ours: theirs for ours, theirs in asked.columns.items() if theirs} or None,
        post=post,
    )


def _own_benchmark(benchmark: str, predictions: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the benchmark, or the definition of one's own among the predictions, and the predictions without it."""
    definitions = [path for path in predictions if path.endswith(DEFINITION)]
    if len(definitions) > 1:
        raise InvalidRequest(words.FILE_DEFINITIONS)
    if definitions:
        benchmark = find_benchmark(Path(definitions[0])).definition
    return benchmark, tuple(path for path in predictions if path not in definitions)


def check_uploaded(paths: Sequence[str]) -> None:
    """Raise `Gone` unless these are paths of uploads that are still kept; those of before a restart are not."""
    if gone := [path for path in paths if not (is_kept_here(path) and Path(path).is_file())]:
        raise Gone(words.FILE_NOT_KEPT.format(", ".join(Path(path).name for path in gone[:3])), gone)


def sources() -> dict[str, str]:
    """Return the sources of references: name to title."""
    return with_own_data(_SOURCES)


def check_files(predictions: Sequence[str], references: Sequence[str], source: str, benchmark: str) -> None:
    """Raise `InvalidRequest` for too many files or another source, and `UnknownBenchmark` for another benchmark."""
    benchmark_named(benchmark)
    if source not in sources():
        raise InvalidRequest(f"no source {source!r:.60}; choose {' or '.join(sources())}")
    most = max(len(predictions), len(references))
    if most > MAX_FILES:
        raise InvalidRequest(f"{most:,} files, more than {MAX_FILES}; put them into one ZIP, or use the command line")


def sample_files(benchmark: str) -> tuple[tuple[str], tuple[str]]:
    """Return the sample predictions and the references of the embedded examples, as files."""
    path, tasks = new_folder() / "references.json", find_benchmark(benchmark).tasks
    references = {name: {row.id: list(row.references) for row in load_embedded(task)} for name, task in tasks.items()}
    path.write_text(json.dumps(references, ensure_ascii=False, indent=1), encoding="utf-8")
    return (str(sample_predictions(benchmark)),), (str(path),)


async def with_data(upload: Upload, job: Job) -> Upload:
    """Return the upload, after the download of the Hub's files that it needs.

    They are downloaded in this process, which has the client for the Hub, and read by the job.
    """
    if upload.source != "hub":
        return upload
    tasks, repo = await run_job(tasks_of, upload, job=job), find_benchmark(upload.benchmark).repo

    def download() -> str | None:
        """Download the files of the tasks into the cache, all of one commit, which is returned."""
        commit = None
        for done, task in enumerate(tasks):
            progress = part_of(job.report, done, len(tasks))
            try:
                commit = fetch(f"{task}.zip", repo=repo, revision=commit, progress=progress).commit
            except SourceUnavailable as error:  # a file that cannot be loaded is a problem of its task alone
                if not error.of_one_file:
                    raise
        return commit

    revision = await anyio.to_thread.run_sync(download, limiter=_downloads(), abandon_on_cancel=True)
    return replace(upload, tasks=tasks, revision=revision)


@cache
def _downloads() -> anyio.CapacityLimiter:
    """Return the limit of concurrent downloads."""
    return anyio.CapacityLimiter(4)


async def start_scoring(asked: dict[str, Any], request: Request) -> dict[str, str]:
    """Start the job of a `FileRequest` and return its id."""
    upload = upload_of(asked)
    return {"job": jobs.start(lambda job: _score(upload, job), visitor_of(request))}


async def _score(upload: Upload, job: Job) -> dict[str, str]:
    try:
        upload = await with_data(upload, job)
    except SourceUnavailable as error:
        raise InvalidRequest(f"{words.SOURCE_UNAVAILABLE_FILE} {error}") from None
    new = new_result()
    size = sum(Path(path).stat().st_size for path in [*upload.predictions, *upload.references, *upload.second])
    await run_job(score_upload, upload, new, job=job, size=size)
    return {"result": new.stem}


async def start_variants(result: str, task: str, number: Text, request: Request) -> dict[str, str]:
    """Start scoring a file with every variant of the metrics; `number` is a published one, or empty."""
    result_path(result)
    reported: dict[str, float | str] | None = {task: number.strip()} if number.strip() else None

    async def work(job: Job) -> dict[str, str]:
        return {"html": await run_job(score_variants, result, reported, job=job)}

    return {"job": jobs.start(work, visitor_of(request))}


async def roles(paths: list[str], benchmark: str) -> dict[str, list[str]]:
    """Return what each uploaded file holds: "predictions", "references", or the "definition" of a benchmark."""
    check_uploaded(paths)
    if len(paths) > 2 * MAX_FILES:
        raise InvalidRequest(f"{len(paths):,} files, more than {2 * MAX_FILES}; put them into one ZIP")
    size = sum(Path(path).stat().st_size for path in paths)
    return {"roles": await run_job(roles_of, paths, benchmark, size=size)}


async def progress(job_id: str) -> dict[str, Any]:
    """Return how far a job is; one that is done has `made` the report of a file, or the variants as `html`."""
    reply = await jobs.progress(job_id)
    result = reply.get("made", {}).get("result")
    return {**reply, "made": await in_thread(report, result=result)} if result else reply


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
