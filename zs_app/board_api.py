"""The endpoints of the board for programs; they are there only where the board is."""

from dataclasses import asdict
from typing import Any

import gradio as gr

from zs_app.jobs import Submission
from zs_app.server.board import entries, history, the_board, withdraw, without_place
from zs_app.server.events import LONG, handler
from zs_app.tabs.board import submit
from zs_app.tabs.file_inputs import SUFFIXES

#: The schema of what the endpoints return.
SCHEMA = "zero-scrolls-board/1"


def board_entries() -> dict[str, Any]:
    """The leaderboard, the best entry first.

    Returns:
        A JSON object with title, benchmark, average_title, tasks, and entries
    """
    listed = [entry.as_dict() for entry in entries()]
    with without_place():
        board = the_board()
        about = {"title": board.title, "benchmark": board.benchmark.name, "average_title": board.average_title}
        return {"schema": SCHEMA, **about, "tasks": list(board.tasks), "entries": listed}


def board_history(code: str = "", profile: gr.OAuthProfile | None = None) -> dict[str, Any]:
    """Your own entries, the newest first, and how many submissions you have left.

    Args:
        code: Your submission code.
        profile: Who signed in, which Gradio fills in.

    Returns:
        A JSON object with entries and left
    """
    own, left = history(code, profile)
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
    return {"schema": SCHEMA, "entry": withdraw(code, profile, entry).as_dict()}


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
    """Submit files of predictions under the name of a system: the entry as the board keeps it."""
    given = Submission(predictions or [], run, system, link, note)
    entry, left = await submit(code, profile, given, request)
    return {"schema": SCHEMA, "entry": entry.as_dict(), "left": asdict(left)}


def layout() -> None:
    """Declare the endpoints inside the current Blocks."""
    for endpoint in (board_entries, board_history, board_withdraw):
        gr.api(handler(endpoint, plain=True), api_name=endpoint.__name__, queue=False, concurrency_limit=None)
    # Files come only through File components, as in `api`.
    with gr.Column(visible=False):
        predictions = gr.File(file_count="multiple", file_types=SUFFIXES, label="predictions")
        run = gr.File(file_types=[".json"], label="run")
        texts = [gr.Textbox(label=name) for name in ("system", "link", "note", "code")]
        out, send = gr.JSON(), gr.Button("board_submit")
    send.click(handler(board_submit, plain=True), [predictions, run, *texts], out, api_name="board_submit", **LONG)
