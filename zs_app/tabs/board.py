"""The tab "Board": the leaderboard, a form to submit to it, and a submitter's own entries."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import gradio as gr
from markupsafe import Markup

from zs_app import words
from zs_app.board_job import Submission
from zs_app.server.board import in_space
from zs_app.server.events import LONG, handler, live
from zs_app.tabs import board_actions, board_view
from zs_app.tabs.file_inputs import SUFFIXES
from zs_bench.reports.html.environment import html, notice
from zs_metric.errors import ZeroScrollsError


def show() -> Markup:
    """The leaderboard as of now."""
    return board_view.leaderboard(board_actions.entries())


async def submit(
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
    yield [html('<p class="zs-facts" role="status">{}</p>', words.BOARD_SCORING), gr.skip()]
    given = Submission(predictions or [], run, system or "", link or "", note or "")
    try:
        entry, left = await board_actions.submit(code, profile, predictions, given, request)
    except ZeroScrollsError as error:
        yield [notice("error", words.BOARD_REFUSED, [str(error)]), gr.skip()]
        return
    yield [board_view.received(entry, left), show()]


def history(code: str, profile: gr.OAuthProfile | None) -> list[Any]:
    """The submitter's entries, and those that can be withdrawn."""
    own, left = board_actions.history(code, profile)
    menu = gr.Dropdown(board_view.withdrawable(own), value=None, visible=bool(own))
    return [board_view.own_entries(own, left), menu, gr.Button(visible=bool(own))]


def withdraw(code: str, entry: int | None, profile: gr.OAuthProfile | None) -> list[Any]:
    """The history and the leaderboard without the entry; nothing changes when none was chosen."""
    if entry is None:
        return [gr.skip()] * 4
    board_actions.withdraw(code, profile, entry)
    return [*history(code, profile), show()]


def layout(tab: gr.Tab, page: gr.Blocks) -> None:
    """Build the tab inside the current Blocks."""
    gr.HTML(board_view.lead(), elem_classes=["zs-lead", "flush"], elem_id="board-lead")
    table = gr.HTML(show(), elem_id="board-table", elem_classes="flush")
    with gr.Accordion(words.BOARD_SUBMIT, open=False, elem_id="board-submit"):
        gr.HTML(html("<p>{}</p>", words.BOARD_KEPT_PRIVATELY), elem_classes=["zs-lead", "flush"])
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
            send = gr.Button(words.BOARD_SEND, variant="primary", elem_id="board-send", min_width=160)
            look = gr.Button(words.BOARD_OWN, elem_id="board-look", min_width=160)
        status = gr.HTML(elem_id="board-status", elem_classes="flush")
        own = gr.HTML(elem_id="board-own", elem_classes="flush")
        with gr.Row(elem_classes="zs-tools"):
            chosen = gr.Dropdown(label=words.BOARD_ENTRY, visible=False, filterable=False, elem_id="board-entry")
            drop = gr.Button(words.BOARD_WITHDRAW, variant="stop", visible=False, elem_id="board-withdraw")
    wired: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    gr.on([page.load, tab.select], handler(show), None, table, **live())
    given = [predictions, run, system, link, note, code]
    send.click(handler(submit), given, [status, table], trigger_mode="once", **wired, **LONG)
    mine = [own, chosen, drop]
    look.click(handler(history), code, mine, **live())
    confirmed = f"(code, entry) => [code, entry !== null && confirm({words.BOARD_CONFIRM!r}) ? entry : null]"
    drop.click(handler(withdraw), [code, chosen], [*mine, table], js=confirmed, **live())


def _identity() -> gr.Textbox:
    """Where a submitter signs in, or types a code."""
    if in_space():
        with gr.Row(elem_classes="zs-tools"):
            gr.LoginButton(size="md", icon=None, elem_id="board-sign-in")
        return gr.Textbox("", visible=False)
    return gr.Textbox(
        label=words.BOARD_CODE, type="password", max_lines=1, autofocus=False, elem_id="board-code", autoscroll=False
    )
