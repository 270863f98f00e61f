"""The tab "Board": the leaderboard, a form to submit to it, and a submitter's own entries."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

import anyio
import gradio as gr
from markupsafe import Markup

from zs_app import words
from zs_app.jobs import Submission, submit_entry
from zs_app.rendering import part, render
from zs_app.server.board import allowance, board_place, entries, history, in_space, submitter, the_board, withdraw
from zs_app.server.events import LONG, handler, live, run_for
from zs_app.tabs.file_inputs import MAX_FILES, SUFFIXES, TooManyFiles
from zs_bench.board.entry import NO_CHANGE, SHOWN, Allowance, Entry, NotAccepted
from zs_bench.reports.html.environment import Column, notice
from zs_bench.tasks import info
from zs_metric.errors import ZeroScrollsError

#: A submission is answered at a whole multiple of so many seconds: how long scoring takes depends on the references.
STEP = 2.0


async def submit(code: object, profile: Any, given: Submission, request: Any) -> tuple[Entry, Allowance]:
    """The entry as it is kept, and how many submissions are left.

    Raises:
        UnknownCode, NotAccepted, LimitReached, Duplicate: see `Board.submit`.
    """
    began = time.monotonic()
    if not given.predictions:
        raise NotAccepted(words.BOARD_FILES_FIRST)
    if len(given.predictions) > MAX_FILES:
        raise TooManyFiles(f"{len(given.predictions):,} files, more than {MAX_FILES}; put them into one ZIP")
    who = await anyio.to_thread.run_sync(submitter, code, profile)
    try:
        entry = Entry(**await run_for(request, submit_entry, board_place(), who, given))
    finally:
        await asyncio.sleep(STEP - (time.monotonic() - began) % STEP)
    return entry, await anyio.to_thread.run_sync(allowance, who)


def show() -> Markup:
    """The leaderboard as of now."""
    listed, board = entries(), the_board()
    columns = [Column("Rank"), Column("System"), Column(board.average_title, "num"), *_task_columns()]
    named = {entry.id: entry.system for entry in listed}
    rows = [(entry, _places(entry), _scores(entry), _near(entry, named), _day(entry)) for entry in listed]
    return render("board.html", title=board.title, columns=columns, entries=rows)


def _task_columns() -> list[Column]:
    return [Column(info(task).title, "num") for task in the_board().tasks.values()]


def _places(entry: Entry) -> str:
    """The places that an entry may have: its rank, and the last of those that it is not separated from."""
    first, near = entry.rank or 1, len(entry.not_separated_from)
    return f"{first}–{first + near}" if near else str(first)


def _scores(entry: Entry) -> list[str]:
    return [_points(points) for points in (entry.average, *map(entry.tasks.get, the_board().tasks))]


def _points(points: float | None) -> str:
    return "–" if points is None else f"{points:.1f}"


def _near(entry: Entry, named: Mapping[int, str]) -> list[str]:
    return [named[other] for other in entry.not_separated_from if other in named]


def _day(entry: Entry) -> str:
    return entry.submitted.replace("T", " ").replace("Z", " UTC")


async def send(
    predictions: list[str] | None,
    run: str | None,
    system: str,
    link: str,
    note: str,
    code: str,
    request: gr.Request,
    profile: gr.OAuthProfile | None,
) -> AsyncIterator[list[Any]]:
    """What became of the submission, and the leaderboard with it."""
    yield [part("status", words.BOARD_SCORING), gr.skip()]
    given = Submission(predictions or [], run, system or "", link or "", note or "")
    try:
        entry, left = await submit(code, profile, given, request)
    except ZeroScrollsError as error:
        yield [notice("error", words.BOARD_REFUSED, [str(error)]), gr.skip()]
        return
    yield [_received(entry, left), show()]


def _received(entry: Entry, left: Allowance) -> Markup:
    if entry.state == NO_CHANGE:
        return notice("info", words.BOARD_NO_CHANGE, [_left(left)])
    average, *scores = _scores(entry)
    tasks = ", ".join(f"{column.title} {points}" for column, points in zip(_task_columns(), scores, strict=True))
    title = words.BOARD_KEPT.format(entry.id, the_board().average_title, average)
    return notice("info", title, [tasks, _standing(entry), _left(left)])


def _standing(entry: Entry) -> str:
    if entry.rank is None:
        return words.BOARD_NOT_LISTED
    count = len(entry.not_separated_from)
    return words.BOARD_RANK.format(entry.rank) if not count else words.BOARD_RANK_GROUP.format(_places(entry), count)


def _left(left: Allowance) -> str:
    return words.BOARD_LEFT.format(left.today, left.in_all)


def own_entries(code: str, profile: gr.OAuthProfile | None) -> list[Any]:
    """The submitter's entries, and those that can be withdrawn."""
    own, left = history(code, profile)
    rows = [(entry, _points(entry.average), _day(entry)) for entry in own]
    table = render("board_own.html", entries=rows, average=the_board().average_title, left=_left(left))
    menu = [(f"{entry.id}: {entry.system}", entry.id) for entry in own if entry.state in (SHOWN, NO_CHANGE)]
    return [table, gr.Dropdown(menu, value=None, visible=bool(own)), gr.Button(visible=bool(own))]


def drop(code: str, entry: int | None, profile: gr.OAuthProfile | None) -> list[Any]:
    """The own entries and the leaderboard without the entry; nothing changes when none was chosen."""
    if entry is None:
        return [gr.skip()] * 4
    withdraw(code, profile, entry)
    return [*own_entries(code, profile), show()]


def layout(tab: gr.Tab, page: gr.Blocks) -> None:
    """Build the tab inside the current Blocks."""
    limits = the_board().limits
    about = words.BOARD_LEAD.format(per_day=limits.per_day, in_all=limits.in_all)
    gr.HTML(part("board_lead", the_board().title, about), elem_classes=["zs-lead", "flush"], elem_id="board-lead")
    table = gr.HTML(show(), elem_id="board-table", elem_classes="flush")
    with gr.Accordion(words.BOARD_SUBMIT, open=False, elem_id="board-submit"):
        gr.HTML(f"<p>{words.BOARD_KEPT_PRIVATELY}</p>", elem_classes=["zs-lead", "flush"])
        code = _identity()
        with gr.Row():
            system = gr.Textbox(label=words.BOARD_SYSTEM, max_lines=1, elem_id="board-system")
            link = gr.Textbox(label=words.BOARD_LINK, max_lines=1, elem_id="board-link")
        note = gr.Textbox(label=words.BOARD_NOTE, max_lines=2, elem_id="board-note")
        with gr.Row(equal_height=True):
            predictions = gr.File(
                label=words.FILE_PREDICTIONS,
                file_count="multiple",
                file_types=SUFFIXES,
                height=132,
                elem_id="board-predictions",
            )
            run = gr.File(label=words.BOARD_RUN, file_types=[".json"], height=132, elem_id="board-run")
        with gr.Row(elem_classes="zs-tools"):
            submits = gr.Button(words.BOARD_SEND, variant="primary", elem_id="board-send", min_width=160)
            look = gr.Button(words.BOARD_OWN, elem_id="board-look", min_width=160)
        status = gr.HTML(elem_id="board-status", elem_classes="flush")
        own = gr.HTML(elem_id="board-own", elem_classes="flush")
        with gr.Row(elem_classes="zs-tools"):
            chosen = gr.Dropdown(label=words.BOARD_ENTRY, visible=False, filterable=False, elem_id="board-entry")
            withdraws = gr.Button(words.BOARD_WITHDRAW, variant="stop", visible=False, elem_id="board-withdraw")
    wired: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    gr.on([page.load, tab.select], handler(show), None, table, **live())
    given = [predictions, run, system, link, note, code]
    submits.click(handler(send), given, [status, table], trigger_mode="once", **wired, **LONG)
    mine = [own, chosen, withdraws]
    look.click(handler(own_entries), code, mine, **live())
    confirmed = f"(code, entry) => [code, entry !== null && confirm({words.BOARD_CONFIRM!r}) ? entry : null]"
    withdraws.click(handler(drop), [code, chosen], [*mine, table], js=confirmed, **live())


def _identity() -> gr.Textbox:
    """Where a submitter signs in, or types a code."""
    if in_space():
        with gr.Row(elem_classes="zs-tools"):
            gr.LoginButton(size="md", icon=None, elem_id="board-sign-in")
        return gr.Textbox("", visible=False)
    return gr.Textbox(
        label=words.BOARD_CODE, type="password", max_lines=1, autofocus=False, elem_id="board-code", autoscroll=False
    )
