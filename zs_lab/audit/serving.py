"""The labelling page on this machine, which saves every label on disk.

The address holds a random word, so that no other page in the browser can read or write labels.
"""

import json
import secrets
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from urllib.parse import parse_qs, quote, urlsplit

from zs_bench.commands.outputs import show
from zs_bench.files.writing import write_whole
from zs_bench.problems import counted
from zs_lab.audit.check import Check, as_lines, label_file, parse_labels, read_labels
from zs_lab.audit.report import report_on
from zs_metric.errors import ZeroScrollsError

_MOST_BYTES = 10_000_000


class LabelServer(ThreadingHTTPServer):
    """The page of a folder on the loopback address.

    `GET labels?annotator=NAME` are the annotator's labels on disk, as JSONL. `POST labels?annotator=NAME` takes JSON:
    `labels`, new ones as JSONL, and `undone`, pairs of id and answer whose labels to remove. `GET
    report?annotator=NAME` is the report, for an annotator who has labelled all cards.
    """

    daemon_threads = True

    def __init__(self, folder: Path, check: Check, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.folder, self.check, self.lock = folder, check, Lock()
        self.root = f"/{secrets.token_urlsafe(16)}/"

    def address(self, annotator: str = "") -> str:
        query = f"?annotator={quote(annotator)}" if annotator else ""
        return f"http://127.0.0.1:{self.server_address[1]}{self.root}{query}"

    def reply(self, name: str, annotator: str, body: bytes | None) -> str | None:
        """Return the reply to a request of that name, to POST with a body; `None` where there is nothing."""
        if name == "labels":
            with self.lock:
                return self._labels(annotator, body)
        if name == "report" and body is None:
            labels = read_labels(sorted(self.folder.glob("labels*.jsonl")))
            done = {label.card for label in labels if label.annotator == annotator}
            left = sum((self.check.ids[place], answer) not in done for place, answer in self.check.cards)
            return f"{counted(left, 'answer')} left to label." if left else report_on(self.check, labels).as_text()
        return None if name or body is not None else (self.folder / "label.html").read_text(encoding="utf-8")

    def _labels(self, annotator: str, body: bytes | None) -> str:
        """Return an annotator's labels, or make the changes that were sent; the file may hold those of others, too."""
        path = label_file(self.folder, annotator)
        labels = read_labels([path] if path.is_file() else [])
        if body is None:
            return as_lines(label for label in labels if label.annotator == annotator)
        sent = json.loads(body)
        undone = {(annotator, id_, answer) for id_, answer in sent["undone"]}
        labels = parse_labels([("on disk", as_lines(labels)), ("sent", sent["labels"])])
        write_whole(path, as_lines(label for label in labels if (label.annotator, *label.card) not in undone))
        return ""


class _Handler(BaseHTTPRequestHandler):
    server: LabelServer

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        self._answer(self.rfile.read(min(int(self.headers.get("content-length") or 0), _MOST_BYTES)))

    def _answer(self, posted: bytes | None) -> None:
        address = urlsplit(self.path)
        name = address.path.removeprefix(self.server.root)
        status, text = 200, None
        try:
            if name != address.path:
                text = self.server.reply(name, parse_qs(address.query).get("annotator", [""])[0], posted)
        except (ZeroScrollsError, OSError, KeyError, TypeError, ValueError) as error:
            status, text = 400, str(error)
        if text is None:
            status, text = 404, "not found"
        body = text.encode("utf-8", "backslashreplace")
        self.send_response(status)
        self.send_header("content-type", f"text/{'plain' if name or status != 200 else 'html'}; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.send_header("cache-control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write no log."""


def serve(folder: Path, check: Check, *, annotator: str, port: int, browser: bool) -> None:
    """Serve the page until Ctrl-C."""
    with LabelServer(folder, check, port) as server:
        show(f"Label at {server.address(annotator)}\nLabels are saved in {folder}. Ctrl-C ends this.")
        if browser:
            webbrowser.open(server.address(annotator))
        server.serve_forever()
