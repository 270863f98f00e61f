"""The output of commands: files; standard output, with colours; and progress."""

import argparse
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.commands import rewritable
from zs_bench.errors import UnusableInput
from zs_bench.files.columns import holds
from zs_bench.files.writing import destination, write_whole
from zs_bench.problems import Problem, lines, lines_by_system
from zs_bench.progress import Progress

if TYPE_CHECKING:
    from zs_bench.scoring.scored import ScoredFile


class Form(NamedTuple):
    """An output format: `--<option> OUT` writes it to a file, `--format <format>` prints it.

    `content` is a text, or data that is written as JSON.
    """

    option: str
    format: str | None
    help: str
    content: Callable[[Any, argparse.Namespace], Any]


class Forms:
    """The output formats of a command's result; with `html_references` the HTML report may have the references."""

    def __init__(self, *forms: Form, html_references: bool = False) -> None:
        self._forms, self._html_references = forms, html_references

    @property
    def options(self) -> list[str]:
        """The names of the options that write a format to a file."""
        return [form.option for form in self._forms]

    def declare(self, command: argparse.ArgumentParser, losses: str | None = None) -> argparse._ArgumentGroup:
        """Declare the options of the formats, and `--losses` if there is help for it; returns their group."""
        group = command.add_argument_group("output")
        formats = ["table", *(form.format for form in self._forms if form.format)]
        group.add_argument("--format", choices=formats, default="table", help="What to print. Default: %(default)s.")
        for form in self._forms:
            group.add_argument(f"--{form.option}", metavar="OUT", help=form.help)
        if self._html_references:
            include = "Include the references in the HTML report."
            group.add_argument("--html-references", action="store_true", help=include)
        if losses:
            group.add_argument("--losses", action="store_true", help=losses)
        return group

    def requested(self, options: argparse.Namespace, *others: str | None) -> list[tuple[Form, str]]:
        """The requested formats with their paths; they and `others` are checked, as in `check_outputs`."""
        if self._html_references and options.html_references and not options.html:
            raise UnusableInput("--html-references goes with --html OUT")
        requested = [(form, getattr(options, form.option.replace("-", "_"))) for form in self._forms]
        requested += [(form, "-") for form in self._forms if form.format == options.format]
        paths = (getattr(options, name, None) or () for name in ("predictions", "systems", "references"))
        check_outputs(*(out for _, out in requested), *others, inputs=chain(*paths))
        return [(form, out) for form, out in requested if out]


def write_forms(result: Any, options: argparse.Namespace, outputs: Sequence[tuple[Form, str]]) -> bool:
    """Write the result in these formats; returns whether nothing was written to standard output."""
    for form, out in outputs:
        content = form.content(result, options)
        write(out, content if isinstance(content, str) else as_json(content))
    return all(out != "-" for _, out in outputs)


def check_outputs(*outputs: str | None, inputs: Iterable[str] = ()) -> bool:
    """Whether an output is standard output (`-`), which then holds nothing else; called before any work is done.

    It raises `UnusableInput` for two equal outputs, for one that cannot be written, and for one that would replace an
    input or become one.
    """
    read = {Path(os.path.realpath(path)) for path in inputs}
    places: set[Path | None] = set()
    for out in filter(None, outputs):
        place = None if out == "-" else destination(Path(out))
        if place in places:
            where = "standard output" if place is None else repr(out)
            raise UnusableInput(f"only one document can be written to {where}; give the others a file each")
        if place is not None and (why := _why_not(out, place, read)):
            raise UnusableInput(f"{out!r} {why}")
        places.add(place)
    return None in places


def _why_not(out: str, path: Path, read: set[Path]) -> str | None:
    """Why a file cannot be written there, with what to do instead."""
    device = Path(out).exists() and not Path(out).is_file()
    if not Path(out).absolute().parent.is_dir():
        return "is in a folder that does not exist; make it first"
    if path.is_dir():
        return "is a folder; give the name of a file"
    if not os.access(out if device else path.parent, os.W_OK):
        return "cannot be written; check the permissions"
    if path in read:
        return "is read and would be replaced; write to another file"
    if not read.isdisjoint(path.parents):
        from zs_bench.files.formats import suffixes

        return "is in a folder whose files are read; write to another" if path.suffix.lower() in suffixes() else None
    return None


def write(path: str, text: str) -> None:
    """Write the text as UTF-8 to that file, or to standard output (`-`)."""
    if path == "-":
        sys.stdout.write(text)
    else:
        write_whole(Path(path), text)


def as_json(data: Any) -> str:
    """The data as JSON, one value per line."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def options_for(problems: Collection[Problem], *, some_fit: bool = True) -> list[str]:
    """Return a sentence for each option that helps with these problems; `some_fit`: some ids are known."""
    kinds = {kind for problem in problems if problem.is_error for kind in (problem.kind, problem.family)}
    sentences = []
    if some_fit and kinds & {"missing", "unknown"}:
        sentences.append("--partial scores the IDs that are in both the answers and the references.")
    named = dict.fromkeys(problem.columns for problem in problems if problem.columns)
    sentences += [f"--columns {shlex.quote(names)} says it, where {holds(names)}." for names in named]
    if not named and any(problem.kind.endswith("columns") for problem in problems):
        sentences.append("--columns says which columns hold what; their names may have no comma.")
    if "row-order" in kinds:
        sentences.append("--by-order takes the rows in the order of the references.")
    if other := next((problem.benchmark for problem in problems if problem.is_error and problem.benchmark), None):
        sentences.append(f"--benchmark {other} scores the file as {BENCHMARKS[other].title}.")
    return sentences


def report_problems(systems: "Mapping[str, ScoredFile]") -> None:
    """Print the problems of scored files to standard error, below the result, each line once, with its systems' names.

    A line of all systems has no name.
    """
    sys.stdout.flush()
    said = {
        name: [*lines(scored.problems), *options_for(scored.problems, some_fit=some_fit(scored))]
        for name, scored in systems.items()
    }
    for line in lines_by_system(said):
        print(line, file=sys.stderr)


def some_fit(scored: "ScoredFile") -> bool:
    """Return whether a refused task has an id in both the answers and the references."""
    return any(task.answered for task in scored.tasks.values() if task.result is None)


#: The colours of lines on a terminal (SGR codes); a heading's colour lasts until the next empty line.
_HEADINGS = {"Not scored:": "31", "Wrong:": "31", "Still wrong:": "31", "Warnings:": "33"}
_LINES = {
    r"\w+ score: \d|\w+: \d+\.\d{4}\b|Mean of \d|No \w+ score|No task could": "1",
    r"task  ": "2",
    r"\w+ +not scored": "31",
}


def show(text: str) -> None:
    """Print the text, on a terminal that wants them with colours."""
    # On Windows, only Windows Terminal has colours.
    able = sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and (os.name != "nt" or "WT_SESSION" in os.environ)
    coloured = able and not os.environ.get("NO_COLOR")
    section = None
    for line in text.splitlines():
        section = _HEADINGS.get(line, section if line else None)
        colour = section or next((code for pattern, code in _LINES.items() if re.match(pattern, line)), None)
        print(f"\033[{colour}m{line}\033[0m" if coloured and colour and line else line)


def progress() -> Progress | None:
    """A callback that rewrites a line on standard error, and clears it at the end; `None` if that is not a terminal."""

    def shown(share: float, what: str) -> None:
        print(f"\r\033[K{share:4.0%} {what}" if share < 1 else "\r\033[K", end="", file=sys.stderr, flush=True)

    return shown if rewritable() else None
