"""The tab "Board": the leaderboard, a form to submit to it, a submitter's own entries; and its endpoints."""

import asyncio
import os
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import anyio
import gradio as gr
from markupsafe import Markup
from starlette.requests import Request

from zs_app.component import Text, component
from zs_app.server import jobs
from zs_app.server.jobs import OptionalPath, Paths, endpoint, visitor_of
from zs_app.tabs.score_file import MAX_FILES, SUFFIXES, InvalidRequest, check_uploaded
from zs_bench.problems import counted
from zs_bench.reports.html import environment, notice
from zs_bench.validation.submission import as_submission_csv
from zs_lab.board import AVERAGE, SEALED, SHOWN, BoardEntry, NotAccepted, words
from zs_lab.board.board import State, readable
from zs_lab.board.cleaning import clean_details, now
from zs_lab.board.serving import Submitted, check_upload, in_space, opened, submit_upload, submitter, usable_board
from zs_metric.errors import ZeroScrollsError

TAB, TITLE, DATA = "board", words.TITLE, words.DATA
signs_in = in_space  # whether visitors sign in, for the app's middleware
SCHEMA = "zero-scrolls-board/1"  # the schema of the endpoints' results
#: Responses to submissions are delayed to a multiple of these seconds, so that their timing tells nothing about the
#: references.
STEP = 2.0
_TEMPLATES = environment("zs_lab.board")
_STYLE = Path(__file__).with_name("board.css")


def _render(template: str, **values: object) -> Markup:
    return Markup(_TEMPLATES.get_template(template).render(values))  # noqa: S704  (escaped)


async def in_process(job: Callable[..., Any], code: object, profile: Any, upload: Submitted, caller: jobs.Job) -> Any:
    """Return the result of a job with the files of a submitter; raises as `Board.submit`."""
    began = time.monotonic()
    if not upload.predictions:
        raise NotAccepted(words.FILES_FIRST)
    check_uploaded([*upload.predictions, *([upload.run] if upload.run else [])])
    if len(upload.predictions) > MAX_FILES:
        raise InvalidRequest(f"{len(upload.predictions):,} files, more than {MAX_FILES}; put them into one ZIP")
    who = await anyio.to_thread.run_sync(submitter, code, profile)
    size = sum(Path(path).stat().st_size for path in upload.predictions)
    try:
        return await jobs.run_job(job, os.environ["ZS_BOARD"], who, upload, job=caller, size=size)
    finally:
        await asyncio.sleep(STEP - (time.monotonic() - began) % STEP)


def head() -> Markup:
    """Return what the board is about, until when it takes submissions, and what its owner has announced."""
    with usable_board() as board:
        state, announced = board.state, board.announcements()
    settings, sizes = state.settings, state.sizes
    titles = ", ".join(f"{task.title} ({sizes[name]:,})" for name, task in state.tasks.items())
    counts = counted(len(sizes), "task"), counted(sum(sizes.values()), "example")
    size = words.SIZE.format(*counts, counted(settings.per_day, "submission"), settings.in_all)
    tasks = words.TASKS.format(titles, state.benchmark.title)
    more = {"about": settings, "sealed": state.rule.sealed, "now": now(), "announced": announced}
    return _render("board_head.html", size=size, tasks=tasks, **more)


def _titles(state: State) -> dict[str, str]:
    return {AVERAGE: state.average_title} | {name: task.title for name, task in state.tasks.items()}


def show(by: str = AVERAGE) -> Markup:
    with usable_board() as board:
        entries, margins, state = board.entries(), board.margins, board.state
    empty, titles = words.SEALED_EMPTY if state.rule.sealed else words.EMPTY, _titles(state)
    by = by if by in titles else AVERAGE
    if by != AVERAGE:
        points = {entry.id: entry.tasks.get(by) for entry in entries}
        entries.sort(
            key=lambda entry: (points[entry.id] is None, -(points[entry.id] or 0), entry.task_ranks.get(by, 0))
        )
    about = {"exact": not state.rule.submissions, "margin": margins.get(by, 0), "empty": empty}
    return _render("board.html", title=state.settings.title, titles=titles, entries=entries, by=by, **about)


def _rank(entry: BoardEntry, by: str) -> str:
    """Return the rank; by the average the range of ranks, to that of the last of the systems not separated from it."""
    if by != AVERAGE:
        return str(entry.task_ranks.get(by, "–"))
    near = len(entry.not_separated_from)
    return "–" if entry.rank is None else f"{entry.rank}–{entry.rank + near}" if near else str(entry.rank)


def _points(entry: BoardEntry, name: str) -> str:
    """Return a score as it is shown; empty for a task that the entry leaves out."""
    points = entry.average if name == AVERAGE else entry.tasks.get(name)
    return "" if points is None else f"{points:.1f}"


def _result(entry: BoardEntry, titles: Mapping[str, str]) -> str:
    """Return the average, or the scores of an entry for single tasks."""
    scores = [f"{titles[task]} {_points(entry, task)}" for task in titles if entry.tasks.get(task) is not None]
    return _points(entry, AVERAGE) or ", ".join(scores) or "–"


_TEMPLATES.globals |= {
    "AVERAGE": AVERAGE,
    "words": words,
    "rank": _rank,
    "points": _points,
    "result": _result,
    "readable": readable,
}


async def start(
    act: str, upload: Submitted, code: Text, request: Request, profile: gr.OAuthProfile | None
) -> dict[str, str]:
    """Start a job and return its id; it is to `check` files, to check them and `ask`, or to `submit` them."""
    check_uploaded([*upload.predictions, *([upload.run] if upload.run else [])])
    return {"job": jobs.start(lambda job: _answer(act, upload, code, profile, job), visitor_of(request))}


async def _answer(act: str, upload: Submitted, code: str, profile: Any, job: jobs.Job) -> dict[str, Any]:
    """Return what a job says; `ask` is whether to ask for a confirmation, `accepted` whether there is a new entry."""
    job.report(0, words.SCORING if act == "submit" else words.READING)
    try:
        if act == "submit":
            entry, left = await in_process(submit_upload, code, profile, upload, job)
            with usable_board() as board:
                result = words.SEALED_KEPT if entry.state == SEALED else _result(entry, _titles(board.state))
            html = notice("info", words.ACCEPTED.format(entry.id), [result, words.LEFT.format(*left)])
            return {"html": html, "accepted": True}
        system = str(clean_details(upload.system, upload.link, upload.note)["system"]) if act == "ask" else ""
        read, left = await in_process(check_upload, code, profile, upload._replace(system=system), job)
    except ZeroScrollsError as error:
        return {"html": _refusal(str(error))}
    if act == "check":
        return {"html": notice("info", words.CHECKED.format(read), [words.LEFT.format(*left)])}
    question = words.ASK.format(read=read, system=system)
    return {"html": notice("warning", question, [words.ASK_LEFT.format(*left)]), "ask": True}


def _refusal(why: str) -> Markup:
    """Return a refusal; one with details is about the ids in the files, so the list of the board's is offered."""
    sentence, *details = why.splitlines()
    if not details:
        return notice("error", words.REFUSED.format(sentence))
    with usable_board() as board:
        by_task = board.state.references.by_task
    rows = ((task, id_, "") for task, splits in by_task.items() for by_id in splits.values() for id_ in by_id)
    ids = b64encode(as_submission_csv(rows).encode("utf-8", "replace")).decode()
    return _render("board_refusal.html", title=words.REFUSED.format(sentence), details=details, ids=ids)


def leaderboard(by: Text) -> dict[str, str]:
    """Return what the board is about, and the leaderboard, ranked by the average or by a task."""
    return {"head": head(), "table": show(by)}


def own_entries(code: Text, profile: gr.OAuthProfile | None, withdraw: int | None = None) -> dict[str, str]:
    """Return the submitter's entries, after the withdrawal of one of them."""
    with usable_board() as board:
        who = submitter(code, profile)
        if withdraw is not None:
            board.withdraw(who, withdraw)
        entries, titles = board.history(who), _titles(board.state)
        left = words.LEFT.format(*board.allowance(who))
    on = (SHOWN, SEALED)
    return {"html": _render("board_own.html", entries=entries, on=on, titles=titles, left=left)}


def board_entries() -> dict[str, Any]:
    """The leaderboard, the best entry first.

    Returns:
        A JSON object with title, benchmark, average_title, tasks, opens, closes, announcements, margins and entries
    """
    with usable_board() as board:
        state, margins = board.state, board.margins
        announced = [{"time": when, "text": text} for when, text in board.announcements()]
        listed = [asdict(entry) for entry in board.entries()]
    settings = state.settings
    return {
        "schema": SCHEMA,
        "title": settings.title,
        "benchmark": state.benchmark.name,
        "average_title": state.average_title,
        **{name: getattr(settings, name) for name in ("description", "rules", "contact", "data")},
        "opens": settings.opens or None,
        "closes": settings.closes or None,
        "tasks": [*state.tasks],
        "announcements": announced,
        "margins": margins,
        "entries": listed,
    }


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
    return {"schema": SCHEMA, "entries": [asdict(entry) for entry in own], "left": left._asdict()}


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
        return {"schema": SCHEMA, "entry": asdict(board.withdraw(submitter(code, profile), entry))}


async def board_submit(
    predictions: Paths,
    run: OptionalPath = None,
    system: str = "",
    link: str = "",
    note: str = "",
    code: str = "",
    request: gr.Request = None,
    profile: gr.OAuthProfile | None = None,
) -> dict[str, Any]:
    """Submit files of predictions under the name of a system; returns the stored entry."""
    entry, left = await in_process(
        submit_upload,
        code,
        profile,
        Submitted(predictions, run, system, link, note),
        jobs.Job(visitor_of(request)),
    )
    return {"schema": SCHEMA, "entry": asdict(entry), "left": left._asdict()}


async def board_check(
    predictions: Paths, code: str = "", request: gr.Request = None, profile: gr.OAuthProfile | None = None
) -> dict[str, Any]:
    """Check files of predictions without submitting them; returns what was read, and how many submissions are left."""
    caller = jobs.Job(visitor_of(request))
    read, left = await in_process(check_upload, code, profile, Submitted(predictions), caller)
    return {"schema": SCHEMA, "read": read, "left": left._asdict()}


def layout() -> None:
    board = opened(os.environ["ZS_BOARD"])
    html = _render(
        "board_tab.html",
        style=_STYLE.read_text(encoding="utf-8"),
        head=head(),
        choices=_titles(board.state),
        table=show(),
        is_empty=not board.entries(),
        with_code=not in_space(),
        suffixes=",".join(SUFFIXES),
    )
    component("board", html, leaderboard, start, jobs.progress, own_entries)
    if in_space():
        gr.LoginButton(size="md", icon=None, elem_id="board-sign-in")
    for function in (board_entries, board_history, board_withdraw):
        gr.api(endpoint(function), queue=False, concurrency_limit=None)
    for job in (board_submit, board_check):
        gr.api(endpoint(job), concurrency_limit=None)
