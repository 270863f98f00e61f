"""The tab "Board": the leaderboard, a form to submit to it, a submitter's own entries; and its endpoints."""

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import anyio
import gradio as gr
from markupsafe import Markup
from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request

from zs_app.component import Text, component
from zs_app.server import jobs
from zs_app.server.events import LONG, endpoint, visitor_of
from zs_app.server.job_queue import Caller
from zs_app.server.workers import run_job
from zs_app.tabs.file_inputs import MAX_FILES, SUFFIXES, InvalidRequest, TooManyFiles, check_uploaded
from zs_bench.problems import counted
from zs_bench.reports.html import Column, environment, notice
from zs_bench.tasks import info
from zs_lab.board import AVERAGE, NO_CHANGE, SEALED, SHOWN, Allowance, Entry, NotAccepted, words
from zs_lab.board.board import readable
from zs_lab.board.cleaning import clean_details, now
from zs_lab.board.serving import (
    Upload,
    check_upload,
    in_space,
    opened,
    submit_upload,
    submitter,
    usable_board,
)
from zs_metric.errors import ZeroScrollsError

TAB, TITLE, ENDPOINTS, DATA = "board", words.TITLE, words.ENDPOINTS, words.DATA
#: Whether visitors sign in, for the app's middleware.
signs_in = in_space
#: The schema of the endpoints' results.
SCHEMA = "zero-scrolls-board/1"
#: Responses to submissions are delayed to a multiple of these seconds, so that their timing tells nothing about the
#: references.
STEP = 2.0
_TEMPLATES = environment("zs_lab.board")
_TEMPLATES.globals["words"] = words
_STYLE = Path(__file__).with_name("board.css")


def _render(template: str, **values: object) -> Markup:
    return Markup(_TEMPLATES.get_template(template).render(values))  # noqa: S704  (escaped)


async def in_process(job: Callable[..., Any], code: object, profile: Any, upload: Upload, caller: Caller) -> Any:
    """Return the result of a job with the files of a submitter.

    Raises:
        UnknownCode, NotAccepted, LimitReached: see `Board.submit`.
    """
    began = time.monotonic()
    if not upload.predictions:
        raise NotAccepted(words.FILES_FIRST)
    if len(upload.predictions) > MAX_FILES:
        raise TooManyFiles(f"{len(upload.predictions):,} files, more than {MAX_FILES}; put them into one ZIP")
    who = await anyio.to_thread.run_sync(submitter, code, profile)
    size = sum(Path(path).stat().st_size for path in upload.predictions)
    try:
        return await run_job(job, os.environ["ZS_BOARD"], who, upload, caller=caller, size=size)
    finally:
        await asyncio.sleep(STEP - (time.monotonic() - began) % STEP)


def head() -> Markup:
    """Return what the board is about, until when it takes submissions, and what its owner has announced."""
    with usable_board() as board:
        settings, phase = board.settings, board.phase(board.settings)
        sizes = [f"{info(task).title} ({counted(board.sizes[name], 'example')})" for name, task in board.tasks.items()]
        announced = [(readable(when), text) for when, text in board.announcements()]
        tasks = words.TASKS.format(", ".join(sizes), board.benchmark.title)
    lines = [tasks, words.LEAD.format(per_day=settings.per_day, in_all=settings.in_all)]
    if settings.opens and now() < settings.opens:
        lines.append(words.OPENS.format(readable(settings.opens)))
    if settings.closes:
        ended = now() >= settings.closes
        dates = [(words.CLOSED if ended else words.OPEN_UNTIL).format(readable(settings.closes))]
        dates += [words.SEALED] if phase.sealed else []
        dates += [words.EXACT if ended else words.EXACT_LATER] if settings.exact_at_end else []
        lines.append(" ".join(dates))
    return _render("board_head.html", about=settings, lines=lines, announced=announced)


def show(by: str = AVERAGE) -> Markup:
    """Return the current leaderboard, ranked by the average or by a task."""
    with usable_board() as board:
        listed, tasks, settings = board.entries(), board.tasks, board.settings
        titles = {AVERAGE: board.average_title} | {task: info(row).title for task, row in tasks.items()}
        sealed = board.phase(settings).sealed
    by = by if by in tasks else AVERAGE
    if by != AVERAGE:
        listed.sort(key=lambda one: (one.tasks.get(by) is None, -(one.tasks.get(by) or 0), one.task_ranks.get(by, 0)))
    columns = [Column("Rank"), Column("System"), *(Column(title, "num") for title in titles.values())]
    systems = {entry.id: entry.system for entry in listed}
    rows = [
        (entry, _rank(entry, by), [_cell(entry, name) for name in titles], [systems[n] for n in near])
        for entry in listed
        for near in [[n for n in entry.not_separated_from if n in systems]]
    ]
    repeats = any(entry.repeated for entry in listed)
    empty = words.SEALED_EMPTY if sealed else words.EMPTY
    return _render("board.html", title=settings.title, columns=columns, entries=rows, repeats=repeats, empty=empty)


def _rank(entry: Entry, by: str) -> str:
    """Return the rank; by the average the range of ranks, to that of the last of the systems not separated from it."""
    if by != AVERAGE:
        return str(entry.task_ranks.get(by, "–"))
    near = len(entry.not_separated_from)
    return "–" if entry.rank is None else f"{entry.rank}–{entry.rank + near}" if near else str(entry.rank)


def _cell(entry: Entry, name: str) -> tuple[str, int | None]:
    """Return a score as it is shown, and the earlier entry that it is repeated from."""
    points = entry.average if name == AVERAGE else entry.tasks.get(name)
    if points is None:
        return "–", None
    return f"{points:.{0 if entry.rounded_to.get(name, 1.0) >= 1 else 1}f}", entry.repeated.get(name)


def received(entry: Entry, left: Allowance) -> Markup:
    """Return what became of a submission."""
    if entry.state != SHOWN:
        said = words.SEALED_KEPT if entry.state == SEALED else words.NO_CHANGE
        return notice("info", said.format(entry=entry.id), [words.LEFT.format(left.today, left.in_all)])
    with usable_board() as board:
        listed, tasks, title = board.entries(), board.tasks, board.average_title
    entry = next((one for one in listed if one.id == entry.id), entry)
    rank, near = "", len(entry.not_separated_from)
    if entry.rank is not None:
        count = sum(one.rank is not None for one in listed)
        rank = (words.RANK_OF if near else words.RANK).format(rank=entry.rank, count=count, near=near)
    shown = {"entry": entry.id, "average": title, "points": _cell(entry, AVERAGE)[0], "rank": rank}
    said = words.ACCEPTED_NO_AVERAGE if entry.average is None else words.ACCEPTED
    scores = ", ".join(f"{info(task).title} {_cell(entry, name)[0]}" for name, task in tasks.items())
    return notice("info", said.format(**shown), [scores, words.LEFT.format(left.today, left.in_all)])


async def start(
    act: str, upload: dict[str, Any], code: Text, request: Request, profile: gr.OAuthProfile | None
) -> dict[str, str]:
    """Start a job and return its id.

    Args:
        act: what it does: `check` the files, check them and `ask` whether to submit them, or `submit` them.
        upload: the fields of an `Upload`, with paths of uploaded files.
    """
    try:
        parsed = TypeAdapter(Upload).validate_python(upload)
    except ValidationError:
        raise InvalidRequest from None
    check_uploaded([*parsed.predictions, *([parsed.run] if parsed.run else [])])
    return {"job": jobs.start(lambda job: _answer(act, parsed, code, profile, job), visitor_of(request))}


async def _answer(act: str, upload: Upload, code: str, profile: Any, job: jobs.Job) -> dict[str, Any]:
    """Return what a job says; `ask` is whether to ask for a confirmation, `accepted` whether there is a new entry."""
    job.report(0, words.SCORING if act == "submit" else words.READING)
    try:
        if act == "submit":
            entry, left = await in_process(submit_upload, code, profile, upload, job)
            return {"html": received(entry, left), "accepted": True}
        system = str(clean_details(upload.system, upload.link, upload.note)["system"]) if act == "ask" else ""
        read, left = await in_process(check_upload, code, profile, replace(upload, system=system), job)
    except ZeroScrollsError as error:
        return {"html": notice("error", words.REFUSED, str(error).splitlines())}
    if act == "check":
        return {"html": notice("info", words.CHECKED.format(read), [words.LEFT.format(left.today, left.in_all)])}
    question = words.ASK.format(read=read, system=system)
    return {"html": notice("warning", question, [words.ASK_LEFT.format(left.today, left.in_all)]), "ask": True}


def outcome(job_id: str) -> dict[str, Any]:
    """Return what a job that is done has said."""
    made: dict[str, Any] = jobs.result(job_id)
    return made


def leaderboard(by: Text) -> dict[str, str]:
    """Return what the board is about, and the leaderboard, ranked by the average or by a task."""
    return {"head": head(), "table": show(by)}


def own_entries(code: Text, profile: gr.OAuthProfile | None, withdraw: int | None = None) -> dict[str, str]:
    """Return the submitter's entries, after the withdrawal of one of them."""
    with usable_board() as board:
        who = submitter(code, profile)
        if withdraw is not None:
            board.withdraw(who, withdraw)
        own, left, title = board.history(who), board.allowance(who), board.average_title
    rows = [(entry, _cell(entry, AVERAGE)[0], entry.state in (SHOWN, NO_CHANGE, SEALED)) for entry in own]
    remaining = words.LEFT.format(left.today, left.in_all)
    return {"html": _render("board_own.html", entries=rows, average=title, left=remaining)}


def board_entries() -> dict[str, Any]:
    """The leaderboard, the best entry first.

    Returns:
        A JSON object with title, benchmark, average_title, tasks, opens, closes, announcements and entries
    """
    with usable_board() as board:
        settings = board.settings
        about = {"title": settings.title, "benchmark": board.benchmark.name, "average_title": board.average_title}
        about |= {name: getattr(settings, name) for name in ("description", "rules", "contact", "data")}
        dates = {"opens": settings.opens or None, "closes": settings.closes or None}
        announced = [{"time": when, "text": text} for when, text in board.announcements()]
        listed = [entry.as_dict() for entry in board.entries()]
        more = {"tasks": list(board.tasks), "announcements": announced, "entries": listed}
        return {"schema": SCHEMA, **about, **dates, **more}


def board_history(code: str = "", profile: gr.OAuthProfile | None = None) -> dict[str, Any]:
    """Your own entries, the newest first, and how many submissions you have left.

    Args:
        code: Your submission code.
        profile: Who signed in, which Gradio fills in.

    Returns:
        A JSON object with entries and left
    """
    with usable_board() as board:
        who = submitter(code, profile)
        own, left = board.history(who), board.allowance(who)
    return {"schema": SCHEMA, "entries": [entry.as_dict() for entry in own], "left": asdict(left)}


def board_withdraw(entry: int, code: str = "", profile: gr.OAuthProfile | None = None) -> dict[str, Any]:
    """Take one of your own entries off the board; it still counts for the limits.

    Args:
        entry: Its number.
        code: Your submission code.
        profile: Who signed in, which Gradio fills in.

    Returns:
        A JSON object with entry
    """
    with usable_board() as board:
        return {"schema": SCHEMA, "entry": board.withdraw(submitter(code, profile), entry).as_dict()}


async def board_submit(
    predictions: list[str] | None,
    run: str | None = None,
    system: str = "",
    link: str = "",
    note: str = "",
    code: str = "",
    request: gr.Request = None,
    profile: gr.OAuthProfile | None = None,
) -> dict[str, Any]:
    """Submit files of predictions under the name of a system; returns the stored entry."""
    entry, left = await in_process(
        submit_upload, code, profile, Upload(predictions or [], run, system, link, note), Caller(visitor_of(request))
    )
    return {"schema": SCHEMA, "entry": entry.as_dict(), "left": asdict(left)}


async def board_check(
    predictions: list[str] | None,
    code: str = "",
    request: gr.Request = None,
    profile: gr.OAuthProfile | None = None,
) -> dict[str, Any]:
    """Check files of predictions without submitting them; returns what was read, and how many submissions are left."""
    caller = Caller(visitor_of(request))
    read, left = await in_process(check_upload, code, profile, Upload(predictions or []), caller)
    return {"schema": SCHEMA, "read": read, "left": asdict(left)}


def layout() -> None:
    """Build the tab inside the current Blocks."""
    board = opened(os.environ["ZS_BOARD"])
    choices = {AVERAGE: board.average_title} | {name: info(task).title for name, task in board.tasks.items()}
    html = _render(
        "board_tab.html",
        style=_STYLE.read_text(encoding="utf-8"),
        head=head(),
        choices=choices,
        table=show(),
        is_empty=not board.entries(),
        with_code=not in_space(),
        suffixes=",".join(SUFFIXES),
    )
    component("board", html, leaderboard, start, jobs.progress, outcome, own_entries)
    if in_space():
        gr.LoginButton(size="md", icon=None, elem_id="board-sign-in")
    _endpoints()


def _endpoints() -> None:
    for function in (board_entries, board_history, board_withdraw):
        gr.api(endpoint(function), api_name=function.__name__, queue=False, concurrency_limit=None)
    # Files come only through File components, see `zs_app.api`.
    with gr.Column(visible=False):
        predictions = gr.File(file_count="multiple", file_types=SUFFIXES, label="predictions")
        run_file = gr.File(file_types=[".json"], label="run")
        texts = [gr.Textbox(label=name) for name in ("system", "link", "note", "code")]
        out, sends, checks = gr.JSON(), gr.Button("board_submit"), gr.Button("board_check")
    sends.click(endpoint(board_submit), [predictions, run_file, *texts], out, api_name="board_submit", **LONG)
    checks.click(endpoint(board_check), [predictions, texts[-1]], out, api_name="board_check", **LONG)
