"""The tab "Score a file": from predictions and references to a report, the list of answers, and a comparison.

Its script (`static/file.js`) calls the server functions below. Scoring is a job: it is started, asked for its progress,
and its report is taken, so a lost connection loses nothing.

The list has the answers that pass a filter, and one of them is opened; of a comparison both have both systems.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import anyio
from markupsafe import Markup
from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request

from zs_app import words
from zs_app.component import Text, component, part, render
from zs_app.jobs import DEFINITION, Upload, roles_of, score_upload, score_variants, tasks_of
from zs_app.result_tables import (
    ANY,
    BINS,
    FEW_ROWS,
    ORDERS,
    RIGHT,
    Filter,
    Result,
    StoredAnswer,
    new_result,
    opened,
    result_path,
)
from zs_app.server import jobs
from zs_app.server.jobs import LARGE, Job, in_thread, run_job, unexpected, visitor_of
from zs_app.server.limits import is_explained
from zs_app.server.temporary_files import Gone, is_kept_here
from zs_app.tabs.examples import benchmark_named, source_named, with_own_data
from zs_app.tabs.score_answer import Scored, mean_of_runs, scored
from zs_bench.benchmarks import Benchmark, Task, available, benchmark_of_report
from zs_bench.dataset.hub import fetch
from zs_bench.dataset.rows import EMBEDDED, SAMPLE_PREDICTIONS, load_embedded, sample_predictions
from zs_bench.errors import PromptFormatError, SourceUnavailable, UnusableInput
from zs_bench.files.formats import suffixes
from zs_bench.post_processing import find_rule
from zs_bench.progress import part_of
from zs_bench.reports.html import notice
from zs_bench.scoring.score_files import score_files
from zs_bench.variants import AVERAGE
from zs_metric.errors import ZeroScrollsError

_LONGEST_ID = 22  # the most characters of an id in the list; of a longer one the middle is left out
# The metrics whose explanation shows the answer anyway; that of ROUGE shows the best references too.
_VIEWS_WITH_ANSWER = ("rouge", "accuracy", "exp_similarity")


def answers(query: dict[str, Any]) -> dict[str, Any]:
    """Return the answers that pass a filter, if their list is asked for, and the opened one.

    The query has the `result`, the fields of a `Filter`, `most` rows for a list, and `place` of the opened answer among
    them, or that answer as its task and id: `answer`, as in "qasper/q1".
    """
    if len(json.dumps(query)) > 4_000:
        raise ZeroScrollsError("this is not what the page sends")
    wanted, place = read_filter(query), int(_number(query.get("place"), 0))
    task, _, name = str(query.get("answer") or "").partition("/")
    with opened(query.get("result")) as result:
        place = result.place_of(wanted, task, name) if task else place
        benchmark, page = benchmark_of_report(result.report), result.page
        row, place, count = result.answer(wanted, place)
        reply: dict[str, Any] = {"count": count, "place": place, "answer": f"{row.task}/{row.id}" if row else ""}
        if "most" in query:
            most = max(int(_number(query["most"], FEW_ROWS)), place + 1)
            reply["list"] = _list(result, wanted, most, benchmark, page["names"])
    try:
        opened_row = _opened(row, benchmark, page) if row else {}
        reply["opened"] = render("file_opened.html", row=row or (), place=place, count=count, **opened_row)
    except Exception as error:  # noqa: BLE001  (the list is shown all the same)
        reply["opened"] = notice("error", unexpected(error, _opened))
    return reply


def _list(result: Result, wanted: Filter, most: int, benchmark: Benchmark, names: list[str]) -> Markup:
    """Return the list with the picture of the scores, whose bars have the square root of the count as their height."""
    rows, count, total = result.answers(wanted, most)
    prefixes, counts = result.shared_prefixes(), result.score_counts(wanted)
    return render(
        "file_answers.html",
        rows=[(benchmark.all_tasks[r.task].title, short_id(r.id, prefixes[r.task]), r) for r in rows],
        names=names,
        several=wanted.task == ANY and len(prefixes) > 1,
        order=wanted.order,
        down=ORDERS[wanted.order] if wanted.down is None else wanted.down,
        count=count,
        total=total,
        bars=[
            (low, high, amount, 100 * (amount / max(1, *counts)) ** 0.5, (low, high) == (wanted.low, wanted.high))
            for (low, high), amount in zip(BINS, counts, strict=True)
        ],
    )


def read_filter(query: Mapping[str, Any]) -> Filter:
    texts = {name: str(query.get(name) or ANY) for name in ("task", "lost_to", "verdict", "pattern", "group")}
    order = query.get("order")
    return Filter(
        **texts,
        low=_number(query.get("low"), 0),
        high=_number(query.get("high"), 100),
        text=str(query.get("text") or ""),
        order=order if isinstance(order, str) and order in ORDERS else "score",
        down={"true": True, "false": False}.get(str(query.get("down")).lower()),
    )


def _number(value: object, default: float) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]  # a form sends texts
    except (TypeError, ValueError):
        return default
    return number if abs(number) < 1e9 else default


def short_id(name: str, prefix: str) -> str:
    """Return what tells an id apart from the others of its task, which all begin with `prefix`.

    >>> short_id("space_digest_004", "space_digest_"), short_id("7f3a", ""), short_id("q_", "q_")
    ('004', '7f3a', 'q_')
    >>> short_id("8941e956-4ca5-4d6b-9b5c-0d0b9e5f6d2a", "")
    '8941e956-4c…0d0b9e5f6d2a'
    """
    short = name[len(prefix) :] or name
    return short if len(short) <= _LONGEST_ID else f"{short[:11]}…{short[-12:]}"


def _opened(row: StoredAnswer, benchmark: Benchmark, page: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `file_opened.html` shows of an answer; a mean of several runs has their texts, and no explanation."""
    task, names = benchmark.all_tasks[row.task], page["names"]
    texts = [row.prediction] if len(names) < 2 else [row.prediction, row.second]

    def card(text: str | None, points: float | None, runs: int) -> Scored | None:
        if text is None:
            return None
        return mean_of_runs(task, points or 0.0, runs) if runs else scored(task, text or " ", row.references)

    cards = list(map(card, texts, (row.score, row.second_score), page["runs"]))
    explained = len(texts) == 1 and is_explained(texts[0] or "", row.references)
    return {
        "title": task.title,
        "question": _questions(task).get(row.id),
        "sides": list(zip(names, texts, cards, strict=True)),
        "shows_answer": explained and task.metric.name in _VIEWS_WITH_ANSWER,
        "shows_references": explained and task.metric.by_types,
    }


@lru_cache(64)
def _questions(task: Task) -> dict[str, str]:
    """Return the questions of the embedded examples, by their ids."""
    texts = {}
    with suppress(UnusableInput):  # there are none
        for example in load_embedded(task):
            with suppress(PromptFormatError):
                texts[example.id] = example.query.strip()
    return texts


# The sources of references; visitors cannot name paths.
_SOURCES = {"files": words.FILE_FROM_FILES, "embedded": words.FILE_FROM_EMBEDDED, "hub": words.FILE_FROM_HUB}
SUFFIXES = list(suffixes())
_DOWNLOADS = anyio.CapacityLimiter(4)  # at a time
_FILLED = {"missing", "missing-task"}  # the kinds of problems that empty answers repair
MAX_FILES = 40  # the most prediction (or reference) files at once


class InvalidRequest(ZeroScrollsError):
    """The request names files or a source that cannot be used, or is not one that the page sends."""

    def __init__(self, message: str = "this is not what the page sends") -> None:
        super().__init__(message)


class FileRequest(BaseModel):
    """What the page sends to score files; the fields not described here, and empty `names`, are as in `Upload`."""

    benchmark: str
    predictions: tuple[str, ...] = ()  # paths of uploaded files, as are the next two
    references: tuple[str, ...] = ()
    second: tuple[str, ...] = ()  # predictions of a second system
    source: str = "files"  # where the references come from, one of `sources()`
    sample: bool = False  # whether to score the sample instead of `predictions`
    partial: bool = False
    repaired: bool = False
    accept: tuple[str, ...] = Field((), max_length=50)
    compare: bool = False  # whether to compare with the second system
    names: tuple[str, ...] = Field((), max_length=2)
    columns: dict[str, str] = Field({}, max_length=4)
    insisted: bool = False
    runs: bool = False
    post: str = Field("", max_length=500)  # the rules for predictions, with " + " between them


def upload_of(fields: object) -> Upload:
    """Return the input of the job for the fields of a `FileRequest`; `InvalidRequest`, `Gone` and `UnknownBenchmark`
    say what to do.
    """
    try:
        asked = FileRequest.model_validate(fields)
    except ValidationError:
        raise InvalidRequest from None
    second = asked.second if asked.compare else ()
    predictions, references = asked.predictions, asked.references if asked.source == "files" else ()
    check_files([*predictions, *second], references, asked.source, asked.benchmark)
    check_uploaded(second if asked.sample else [*predictions, *references, *second])
    definition, predictions = ("", ()) if asked.sample else own_definition(predictions)
    if definition and asked.source != "files":
        raise InvalidRequest(words.FILE_OWN_REFERENCES)
    if not asked.sample and not predictions:
        raise InvalidRequest(words.FILE_FIRST)
    if asked.compare and not second:
        raise InvalidRequest(words.COMPARE_FIRST)
    if asked.sample:
        predictions = (str(sample_predictions(asked.benchmark)),)
    post = [name for rule in asked.post.split(" + ") if rule.strip() for name, _ in [find_rule(rule.strip())]]
    return Upload(
        predictions,
        references,
        "embedded" if asked.sample else source_named(asked.source),
        asked.partial and not asked.sample,
        asked.benchmark,
        second=second,
        repaired=asked.repaired,
        accept=[kind for kind in asked.accept if kind not in _FILLED],
        fill_missing=not _FILLED.isdisjoint(asked.accept),
        insisted=asked.insisted,
        runs=asked.runs and max(len(predictions), len(second)) > 1,
        names=asked.names,
        is_sample=asked.sample,
        columns={ours: theirs for ours, theirs in asked.columns.items() if theirs} or None,
        post=post,
        definition=definition,
    )


def own_definition(predictions: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the file that defines a benchmark of one's own, "" if there is none, and the predictions without it."""
    definitions = [path for path in predictions if path.endswith(DEFINITION)]
    if len(definitions) > 1:
        raise InvalidRequest(words.FILE_DEFINITIONS)
    return next(iter(definitions), ""), tuple(path for path in predictions if path not in definitions)


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


async def with_data(upload: Upload, job: Job) -> Upload:
    """Return the upload, after the download of the Hub's files that it needs.

    They are downloaded in this process, which has the client for the Hub, and read by the job.
    """
    if upload.source != "hub":
        return upload
    repo, file = benchmark_named(upload.benchmark).repo, benchmark_named(upload.benchmark).hub_file
    if not repo:
        raise InvalidRequest(words.FILE_NO_REPO)
    tasks = await run_job(tasks_of, upload, job=job, size=size_of(upload))

    def download() -> str | None:
        """Download the files of the tasks into the cache, all of one commit, which is returned."""
        commit = None
        for done, task in enumerate(tasks):
            progress = part_of(job.report, done, len(tasks))
            try:
                commit = fetch(file.format(task=task), repo=repo, revision=commit, progress=progress).commit
            except SourceUnavailable as error:  # a file that cannot be loaded is a problem of its task alone
                if not error.of_one_file:
                    raise
        return commit

    revision = await anyio.to_thread.run_sync(download, limiter=_DOWNLOADS, abandon_on_cancel=True)
    return replace(upload, tasks=tasks, revision=revision)


def size_of(upload: Upload) -> int:
    """Return the bytes of an upload; one with the references of a whole dataset is a large job."""
    files = [*upload.predictions, *upload.references, *upload.second]
    more = 0 if upload.source in ("files", "embedded") else LARGE
    return more + sum(Path(path).stat().st_size for path in files)


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
    await run_job(score_upload, upload, new, job=job, size=size_of(upload))
    return {"result": new.stem}


async def start_variants(result: str, task: str, number: Text, request: Request) -> dict[str, str]:
    """Start scoring a file with every variant of the metrics; `number` is a published one, or empty."""
    size = result_path(result).stat().st_size
    reported: dict[str, float | str] | None = {task: number.strip()} if number.strip() else None

    async def work(job: Job) -> dict[str, str]:
        return {"html": await run_job(score_variants, result, reported, job=job, size=size)}

    return {"job": jobs.start(work, visitor_of(request))}


async def roles(paths: list[str], benchmark: str, request: Request) -> dict[str, list[str]]:
    """Return what each uploaded file holds: "predictions", "references", or the "definition" of a benchmark."""
    benchmark_named(benchmark)
    if len(paths) > 2 * MAX_FILES:
        raise InvalidRequest(f"{len(paths):,} files, more than {2 * MAX_FILES}; put them into one ZIP")
    check_uploaded(paths)
    size = sum(Path(path).stat().st_size for path in paths)
    job = Job(f"files of {visitor_of(request)}")  # does not wait for what the visitor scores
    return {"roles": await run_job(roles_of, paths, benchmark, job=job, size=size)}


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


def layout() -> None:
    titles = {name: task.title for row in available().values() for name, task in row.all_tasks.items()}
    sample = score_files([SAMPLE_PREDICTIONS], [EMBEDDED])
    averages = [sample.result.score] if sample.result and sample.result.score is not None else []
    shell = render(
        "file_tab.html",
        suffixes=",".join([*SUFFIXES, DEFINITION]),
        sources=sources(),
        formats=[line.strip("| ").split(" | ") for line in words.FILE_FORMATS.splitlines()],
        variants={AVERAGE: "the average", **titles},
        example=render("file_example.html", tasks=list(sample.scored.values()), averages=averages),
    )
    calls = (roles, start_scoring, start_variants, progress, report, answers)
    component("file", shell, *calls)
