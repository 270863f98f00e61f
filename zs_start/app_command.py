"""`zero-scrolls app`: the page, served on this machine."""

import argparse
import os
from importlib import import_module

from zs_bench.commands import OK, describe
from zs_bench.commands.options import count
from zs_bench.errors import from_extra


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command."""
    describe(
        command,
        "Serve the page on this machine: try a task, score an answer or a file, compare two. Ctrl-C ends it. To serve "
        "others, put a reverse proxy with a time limit for headers in front of it: docs/api.md has one for nginx.",
        {
            "zero-scrolls app": "The page, at the address that it prints.",
            "zero-scrolls app --port 8080 --data fresh/": "With the examples of a folder as a source.",
            "zero-scrolls app --board board.sqlite": "With a leaderboard.",
        },
    )
    command.add_argument("--port", type=count, metavar="N", help="Port. Default: the first free one from 7860.")
    command.add_argument("--host", metavar="ADDRESS", help="Address to listen on. Default: 127.0.0.1.")
    command.add_argument("--data", metavar="DIR", help="Offer the examples of this folder as a source. Default: none.")
    command.add_argument("--board", metavar="BOARD", help="Show this board: a file, or the URL of a database.")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Start the app with the options as its variables."""
    variables = {
        "GRADIO_SERVER_PORT": options.port,
        "GRADIO_SERVER_NAME": options.host,
        "ZS_DATA": options.data,
        "ZS_BOARD": options.board,
    }
    os.environ.update({name: str(value) for name, value in variables.items() if value is not None})
    with from_extra("app"):
        import_module("gradio")
    import_module("zs_start.app").main()
    return OK
