"""A prompt taken apart into its four parts, and put together again unchanged.

1. By the row's index fields, when they fit the text: the context header right before the document, the query header at
   the start of the query, the response header after it, and nothing but an empty line between (`prompts.py`).
2. Otherwise by the headers themselves, each on a line of its own after an empty line: the first context header, the
   response header at the very end, and before it the last query header. A document may hold such lines too; that is
   why the index fields come first. Our choice, told in `notes`.

Whatever was found, the segments are slices of the prompt that follow one another, so that they give it back unchanged.

An input of SCROLLS has two parts only, the query before the document (`scrolls_input.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from zs_bench.problems import short
from zs_bench.prompting.prompts import Indices, Template, template
from zs_bench.prompting.scrolls_input import QUERY_FIRST, split_input, wanted
from zs_metric.errors import ZeroScrollsError


class CannotDissect(ZeroScrollsError):
    """A prompt in which the headers of its task are not to be found."""


class Prompted(Protocol):
    """What is taken apart: an `Example` or a `Row`."""

    @property
    def id(self) -> str:
        """Of the example, for the error."""

    @property
    def input(self) -> str:
        """The whole prompt."""

    @property
    def indices(self) -> Indices | None:
        """The index fields, `None` when missing."""

    @property
    def benchmark(self) -> str:
        """Whose form the prompt has."""


class Segment(NamedTuple):
    """A piece of a prompt: `part` names it (`instruction`, `document`, `query`, `response_header`, …)."""

    part: str
    text: str


@dataclass(frozen=True, slots=True)
class Dissected:
    r"""A prompt in its parts.

    Attributes:
        instruction, document, response_header: without the line breaks around them; SCROLLS has a document only.
        query: without its header; `None` where the task has none.
        indices: where document and query stand in the prompt.
        segments: the whole prompt in order, headers and line breaks included: the context header and what precedes it
            are in `instruction`, an empty line in what it follows.
        notes: sentences on how it was taken apart, empty when by good index fields.
    """

    instruction: str
    document: str
    query: str | None
    response_header: str
    indices: Indices
    segments: tuple[Segment, ...]
    notes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The prompt, put together again."""
        return "".join(segment.text for segment in self.segments)


def dissect(task: str, row: Prompted) -> Dissected:
    """The parts of the row's prompt.

    Raises:
        UnknownTask: with the likely name.
        CannotDissect: when the headers are not where they must be; says what was looked for.

    >>> from zs_bench.sources.embedded import load_embedded
    >>> parts = dissect("qasper", load_embedded("qasper")[0])
    >>> parts.document[:12], parts.query[:9], parts.response_header
    ('Introduction', 'What type', 'Answer:')
    """
    if row.benchmark in QUERY_FIRST:
        return _query_first(task, row)
    fixed = template(task)
    if row.indices is not None and _fits(row.input, row.indices, fixed):
        return _parts(row.input, row.indices, fixed, ())
    why = "are missing" if row.indices is None else "do not fit the text"
    found = _by_headers(task, row, fixed)
    return _parts(row.input, found, fixed, (f"the index fields {why}; the prompt was taken apart by its headers",))


def _query_first(task: str, row: Prompted) -> Dissected:
    found = split_input(task, row.input)
    if found is None:
        raise CannotDissect(
            f"{task}: the input of {short(row.id)!r} cannot be taken apart: there is no {wanted(task)}; "
            f"is it a row of {task}?"
        )
    query, document = found
    end = len(row.input)
    start, query_end = end - len(document), len(query or "")
    # Without a query its place is where one would stand in a prompt: after the document.
    indices = Indices(0, end, end, end) if query is None else Indices(start, end, 0, query_end)
    asked = () if query is None else (Segment("query", row.input[:start]),)
    return Dissected("", document, query, "", indices, (*asked, Segment("document", document)), ())


def _fits(text: str, indices: Indices, fixed: Template) -> bool:
    """Whether the headers stand where the index fields say."""
    document, document_end, query, query_end = indices
    if not 0 <= document <= document_end <= query <= query_end <= len(text):
        return False
    asked, rest = text[query:query_end], text[query_end:]
    if fixed.query_header is None:
        query_fits = not asked
    else:
        query_fits = asked.startswith(f"{fixed.query_header}\n") and rest.startswith("\n\n")
        rest = rest[2:]
    return (
        query_fits
        and text[:document].endswith(f"\n\n{fixed.context_header}\n")
        and text[document_end:query] == "\n\n"
        and rest.removesuffix("\n") == fixed.response_header
    )


def _by_headers(task: str, row: Prompted, fixed: Template) -> Indices:
    """The index fields as the headers have it."""
    text = row.input
    head = f"\n\n{fixed.context_header}\n"
    start = text.find(head) + len(head)
    if start < len(head):
        raise _missing(task, row, f"{fixed.context_header!r} on a line of its own after an empty line")
    tail = f"\n\n{fixed.response_header}"
    end = len(text.removesuffix("\n")) - len(tail)
    if end < start or not text.startswith(tail, end):
        raise _missing(task, row, f"{fixed.response_header!r} as its last line, after an empty line")
    if fixed.query_header is None:
        return Indices(start, end, end + 2, end + 2)
    query = text.rfind(f"\n\n{fixed.query_header}\n", start, end)
    if query < 0:
        raise _missing(task, row, f"{fixed.query_header!r} on a line of its own between document and response header")
    return Indices(start, query, query + 2, end)


def _parts(text: str, indices: Indices, fixed: Template, notes: tuple[str, ...]) -> Dissected:
    start, end, query, query_end = indices
    asked = None if fixed.query_header is None else text[query + len(fixed.query_header) + 1 : query_end]
    tail = query if asked is None else query_end + 2
    pieces = [
        Segment("instruction", text[:start]),
        Segment("document", text[start:query]),
        Segment("query", text[query:tail]),
        Segment("response_header", text[tail:]),
    ]
    instruction = text[: start - len(f"\n\n{fixed.context_header}\n")]
    segments = tuple(piece for piece in pieces if asked is not None or piece.part != "query")
    return Dissected(instruction, text[start:end], asked, text[tail:].removesuffix("\n"), indices, segments, notes)


def _missing(task: str, row: Prompted, what: str) -> CannotDissect:
    fields = "are missing" if row.indices is None else "do not fit the text"
    return CannotDissect(
        f"{task}: the prompt of {short(row.id)!r} cannot be taken apart: its index fields {fields}, and there is no "
        f"{what}; is it a row of {task}?"
    )
