"""`zero-scrolls audit`: a sample of answers, judged by hand; and the server of the labelling page on this machine.

The page's address holds a random word, so that no other page in the browser can read or write labels.
"""

import argparse
import json
import secrets
import webbrowser
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from urllib.parse import parse_qs, quote, urlsplit

from zs_bench.commands import OK, CommandParser, describe
from zs_bench.commands.options import add_scoring, count, score_named
from zs_bench.commands.outputs import as_json, check_outputs, report_problems, show, write
from zs_bench.errors import UnusableInput
from zs_bench.files.formats import file_kinds
from zs_bench.files.paths import system_names
from zs_bench.files.writing import write_whole
from zs_bench.problems import counted
from zs_lab.audit.cards import labelling_page, load_inputs
from zs_lab.audit.check import (
    Check,
    as_lines,
    draw_check,
    label_file,
    parse_labels,
    read_check,
    read_judge,
    read_labels,
    scored_tasks,
)
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
            return f"{counted(left, 'answer')} left to label." if left else report_on(self.check, labels).text
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


def declare(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Find out how many of the lost points belong to right answers in other words: draw a sample of the answers by "
        "their scores, label it by hand, and carry the labels over to all answers, with intervals.",
        {
            "zero-scrolls audit draw run.csv --source hub --task qasper --out check/": "Draw 100 answers to label.",
            "zero-scrolls audit label check/": "Label them in the browser; every key is saved.",
            "zero-scrolls audit report check/": "Print what the labels say.",
        },
        usage="zero-scrolls audit (draw | label | report) [options]",
    )
    actions = command.add_subparsers(
        title="actions",
        prog="zero-scrolls audit",
        parser_class=CommandParser,
        required=True,
        metavar="ACTION",
        help="What to do.",
    )
    _declare_draw(actions.add_parser("draw", help="Draw a sample of a file's answers."))
    _declare_label(actions.add_parser("label", help="Label a sample in the browser."))
    _declare_report(actions.add_parser("report", help="Print what the labels say."))


def _declare_draw(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Score a file and draw a sample of its answers to one task, more where the score says less. Writes "
        "sample.json, the scores without texts, and label.html, the page to label with, without scores; it needs no "
        "network and may be sent to somebody else.",
        {
            "zero-scrolls audit draw run.csv --source hub --task qasper --out check/": "100 answers to Qasper.",
            "zero-scrolls audit draw a.csv --second b.csv --source data/ --task qasper --out check/": "Two systems.",
        },
        usage="zero-scrolls audit draw RUN [--second RUN] (--references PATH... | --source SOURCE) --out DIR [options]",
    )
    command.add_argument("run_file", metavar="RUN", help=f"The answers: {file_kinds('predictions')}.")
    second = "The answers of a second system, to be labelled on the same examples."
    command.add_argument("--second", metavar="RUN", help=second)
    command.add_argument("--task", help="The task. Default: the only one with answers that are right or wrong.")
    size = "Examples in the sample. Default: %(default)s."
    command.add_argument("--size", type=count, default=100, metavar="N", help=size)
    command.add_argument("--seed", type=partial(count, least=0), default=0, metavar="N", help="Default: %(default)s.")
    command.add_argument("--out", required=True, metavar="DIR", help="Folder to write to.")
    add_scoring(command, aggregation=False)
    command.set_defaults(run=_draw)


def _declare_label(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Serve the labelling page of a sample on this machine and open it in the browser. Every label is saved at "
        "once, in labels-NAME.jsonl of the folder. Ctrl-C ends it; the same command goes on where you left off.",
        {"zero-scrolls audit label check/ --annotator Ann": "Label a sample."},
    )
    command.add_argument("folder", metavar="DIR", help="Folder of the sample.")
    command.add_argument("--annotator", default="", metavar="NAME", help="Your name. Default: the page asks for it.")
    command.add_argument("--port", type=count, default=0, metavar="N", help="Port on 127.0.0.1. Default: a free one.")
    command.add_argument("--no-browser", action="store_true", help="Only print the address of the page.")
    command.set_defaults(run=_label)


def _declare_report(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Print how many of the lost points belong to right answers, and the other estimates with their intervals; with "
        "labels of several annotators, how far they agree.",
        {
            "zero-scrolls audit report check/": "Print the report.",
            "zero-scrolls audit report check/ --judge verdicts.jsonl": "With a model's verdicts on all answers.",
        },
    )
    command.add_argument("folder", metavar="DIR", help="Folder of the sample and of the files labels-NAME.jsonl.")
    judge = (
        "Verdicts of a model on all answers, as JSONL with id and verdict. They narrow the intervals if they go with "
        "people's; the report says whether they do."
    )
    command.add_argument("--judge", metavar="FILE", help=judge)
    command.add_argument("--json", metavar="OUT", help="Write the report as JSON; '-' is standard output.")
    command.set_defaults(run=_report)


def _draw(options: argparse.Namespace) -> int:
    folder, files = Path(options.out), [options.run_file, *filter(None, [options.second])]
    if any(folder.glob("labels*.jsonl")):
        raise UnusableInput(f"{options.out!r} has labels already; draw into a new folder")
    systems = score_named(options, {name: [file] for name, file in zip(system_names(files), files, strict=True)})
    try:
        scored = scored_tasks(list(systems.values()), options.task)
    except UnusableInput:
        report_problems(systems)
        raise
    check = draw_check(tuple(systems), scored, options.size, options.seed)
    sources = [options.source] if options.source else options.references
    examples = load_inputs(sources, scored[0].task, check.ids, options.split or scored[0].split, options.revision)
    folder.mkdir(parents=True, exist_ok=True)
    check.write(folder)
    write_whole(folder / "label.html", labelling_page(check, scored, examples))
    show(
        f"{len(check.cards)} answers to label, to {len(check.drawn)} of {len(check.ids):,} examples of {check.task}.\n"
        f"Label them: zero-scrolls audit label {options.out}, or send {folder / 'label.html'} to whoever labels."
    )
    if not examples:
        show("The references have no questions: give --source, too, to show questions and passages on the page.")
    report_problems(systems)
    return OK


def _label(options: argparse.Namespace) -> int:
    folder = Path(options.folder)
    check = read_check(folder)
    if options.port > 65_535:
        raise UnusableInput(f"there is no port {options.port}; the highest is 65535")
    with LabelServer(folder, check, options.port) as server:
        address = server.address(options.annotator)
        show(f"Label at {address}\nLabels are saved in {folder}. Ctrl-C ends this.")
        if not options.no_browser:
            webbrowser.open(address)
        server.serve_forever()
    return OK


def _report(options: argparse.Namespace) -> int:
    check_outputs(options.json)
    folder = Path(options.folder)
    check, labels = read_check(folder), read_labels(sorted(folder.glob("labels*.jsonl")))
    judged = read_judge(Path(options.judge), check.ids) if options.judge else None
    report = report_on(check, labels, judged)
    if options.json:
        write(options.json, as_json(report.data))
    if options.json != "-":
        show(report.text)
    return OK
