r"""The inputs of the benchmarks: composed of their parts, and split into them again without a change.

A prompt of ZeroSCROLLS (Tables 5 and 6) is

    INSTRUCTION ⏎⏎ CONTEXT_HEADER ⏎ DOCUMENT ⏎⏎ [ QUERY_HEADER ⏎ QUERY ⏎⏎ ] RESPONSE_HEADER ⏎

It is split by the row's index fields (`Indices`) if they fit the text, else by the headers: the first context header,
the response header at the very end, and before it the last query header. A document may contain such lines too, which
is why the index fields come first. This is our choice; `notes` says so when it was used.

An input of SCROLLS (arXiv 2201.03533, section 3) has neither instruction nor headers, and the query comes first:

    [ QUERY ⏎⏎ ] DOCUMENT

The query ends at the first empty line, which no query of the data contains. The query of QuALITY is the question, an
empty line, and four options, ` (A) text`, one per line; it ends at the first empty line after (D).

A prompt of a benchmark that has one text for it is that text with the document for `{context}` and the query for
`{input}`; it is split by its index fields only.
"""

import hashlib
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from zs_bench.benchmarks import BENCHMARKS, Benchmark, Task
from zs_bench.benchmarks.records import Template
from zs_bench.errors import PromptFormatError
from zs_bench.problems import short
from zs_metric.errors import ZeroScrollsError

#: What separates the parts of a prompt: an empty line.
GAP = "\n\n"
_PLACE = re.compile(r"\{(context|input)\}")
_OPTIONS = re.compile(r"\n *\(A\)[^\n]*\n *\(B\)[^\n]*\n *\(C\)[^\n]*\n *\(D\)[^\n]*")


class Indices(NamedTuple):
    """The index fields of a row: where document and query are, in characters from the start of `input`."""

    document_start_index: int
    document_end_index: int
    query_start_index: int
    query_end_index: int

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Indices | None":
        """The fields of a row of the data; `None` unless all four are whole numbers (`true` is not one)."""
        numbers: list[Any] = [row.get(field) for field in cls._fields]
        return cls(*numbers) if all(type(number) is int for number in numbers) else None


class Segment(NamedTuple):
    """A piece of a prompt: `part` names it (`instruction`, `document`, `query`, `response_header`, …)."""

    part: str
    text: str


@dataclass(frozen=True, slots=True)
class PromptParts:
    r"""An input in its parts.

    Attributes:
        instruction, document, response_header: without the line breaks around them; SCROLLS has a document only.
        query: without its header; `None` for a task without queries.
        segments: the whole input in order, headers and line breaks included: the context header and what precedes it
            are in `instruction`, an empty line in the segment before it.
        notes: sentences on how it was split; empty if by its index fields.
    """

    instruction: str
    document: str
    query: str | None
    response_header: str
    indices: Indices
    segments: tuple[Segment, ...]
    notes: tuple[str, ...] = ()


def compose(
    task: Task, document: str, query: str | None = None, *, summaries: int | None = None
) -> tuple[str, Indices]:
    r"""The input of an example (a row's `input`) and its index fields.

    Raises:
        ZeroScrollsError: for a query or a number of summaries that the task does not have, or one that is missing; for
            a task without a prompt template.

    >>> from zs_bench.benchmarks import find_task
    >>> compose(find_task("gov_report"), "A short report.")[0][-34:]
    'Report:\nA short report.\n\nSummary:\n'
    >>> compose(find_task("qmsum", benchmark="scrolls"), "A: Hello.", "What was said?")[0]
    'What was said?\n\nA: Hello.'
    """
    _check(task, "query", has=query is not None, needs=task.has_query)
    if task.benchmark.query_first:
        if query is None:  # its index fields are where ZeroSCROLLS would have a query: after the document
            return document, Indices(0, len(document), len(document), len(document))
        start = len(query) + len(GAP)
        return f"{query}{GAP}{document}", Indices(start, start + len(document), 0, len(query))
    if task.prompt:
        return _filled(task.prompt, document, query)
    template = task.template
    if template is None:
        raise ZeroScrollsError(f"{task} has no prompt template; its prompts cannot be composed")
    _check(task, "number of summaries", has=summaries is not None, needs="{N}" in template.instruction)
    head = f"{template.instruction.replace('{N}', str(summaries))}{GAP}{template.context_header}\n"
    body = f"{head}{document}{GAP}"
    asked = "" if query is None else f"{template.query_header}\n{query}"
    indices = Indices(len(head), len(head) + len(document), len(body), len(body) + len(asked))
    return f"{body}{asked}{GAP if asked else ''}{template.response_header}\n", indices


def _filled(prompt: str, document: str, query: str | None) -> tuple[str, Indices]:
    """The text of a prompt with its places filled, and where they are."""
    values, text = {"context": document, "input": query or ""}, ""
    places = dict[str, tuple[int, int]]()
    for number, piece in enumerate(_PLACE.split(prompt)):
        value = values[piece] if number % 2 else piece
        if number % 2:
            places[piece] = len(text), len(text) + len(value)
        text += value
    return text, Indices(*places["context"], *places.get("input", (len(text), len(text))))


def _check(task: Task, what: str, *, has: bool, needs: bool) -> None:
    if has != needs:
        raise ZeroScrollsError(f"{task} needs a {what}; give one" if needs else f"{task} has no {what}; omit it")


def split(task: Task, text: str, indices: Indices | None = None, *, name: str = "") -> PromptParts:
    """The parts of an input.

    Args:
        indices: the index fields of its row, used if they fit the text.
        name: the id of its row, for the error.

    Raises:
        PromptFormatError: if the headers are not where they must be.
    """
    template = task.template
    if task.benchmark.query_first:
        return _query_first(task, text, name)
    if task.prompt:
        return _by_indices(task, text, indices, name)
    if template is None:
        raise PromptFormatError(f"{task} has no prompt template; the prompt of {short(name)!r} cannot be split")
    notes = tuple[str, ...]()
    if indices is None or not _fits(text, indices, template):
        problem = "index fields " + ("are missing" if indices is None else "do not fit the text")
        indices, lacks = _by_headers(text, template)
        if lacks:
            raise _not_split(task, "prompt", name, f"its {problem}, and there is no {lacks}")
        notes = (f"the {problem}; the prompt was split by its headers",)
    start, end, query_start, query_end = indices
    query = None if template.query_header is None else text[query_start + len(template.query_header) + 1 : query_end]
    tail = query_start if query is None else query_end + len(GAP)
    asked = () if query is None else (Segment("query", text[query_start:tail]),)
    segments = (
        Segment("instruction", text[:start]),
        Segment("document", text[start:query_start]),
        *asked,
        Segment("response_header", text[tail:]),
    )
    instruction = text[: start - len(f"{GAP}{template.context_header}\n")]
    return PromptParts(instruction, text[start:end], query, text[tail:].removesuffix("\n"), indices, segments, notes)


def _by_indices(task: Task, text: str, indices: Indices | None, name: str) -> PromptParts:
    """The parts of a prompt that is one text with places; those between document and query are the query's."""
    start, end, query_start, query_end = indices or Indices(0, 0, 0, 0)
    document, query = text[start:end], text[query_start:query_end] if task.has_query else None
    if indices is None or compose(task, document, query) != (text, indices):
        raise _not_split(task, "prompt", name, "its index fields are missing or do not fit the text")
    last = max(end, query_end) if task.has_query else end
    pieces = {
        "instruction": text[:start],
        "document": document,
        "query": text[end:last],
        "response_header": text[last:],
    }
    segments = tuple(Segment(part, piece) for part, piece in pieces.items() if piece or part == "document")
    return PromptParts(text[:start], document, query, text[last:], indices, segments)


def _not_split(task: Task, what: str, name: str, why: str) -> PromptFormatError:
    where = f"{task}: the {what} of {short(name)!r}"
    return PromptFormatError(f"{where} cannot be split into parts: {why}; is it a row of {task}?")


def _fits(text: str, indices: Indices, template: Template) -> bool:
    document, document_end, query, query_end = indices
    if not 0 <= document <= document_end <= query <= query_end <= len(text):
        return False
    asked, header = text[query:query_end], template.query_header
    return (
        text[:document].endswith(f"{GAP}{template.context_header}\n")
        and text[document_end:query] == GAP
        and (not asked if header is None else asked.startswith(f"{header}\n"))
        and text[query_end:].removesuffix("\n") == f"{GAP if header else ''}{template.response_header}"
    )


def _by_headers(text: str, template: Template) -> tuple[Indices, str]:
    """The index fields that the headers give, and the header that is lacking, if one is."""
    head, tail = f"{GAP}{template.context_header}\n", f"{GAP}{template.response_header}"
    start, end = text.find(head) + len(head), len(text.removesuffix("\n")) - len(tail)
    query = end
    lacks = ""
    if start < len(head):
        lacks = f"{template.context_header!r} on a line of its own after an empty line"
    elif end < start or not text.startswith(tail, end):
        lacks = f"{template.response_header!r} as its last line, after an empty line"
    elif template.query_header is not None:
        query = text.rfind(f"{GAP}{template.query_header}\n", start, end)
        if query < 0:
            lacks = f"{template.query_header!r} on a line of its own between document and response header"
    return Indices(start, query, query + len(GAP), end if template.query_header else end + len(GAP)), lacks


class QueryAndDocument(NamedTuple):
    """The two parts of an input of SCROLLS; the query is `None` for a task without queries."""

    query: str | None
    document: str


def split_query(task: Task, text: str) -> QueryAndDocument | None:
    r"""The parts of an input that begins with its query; `None` when the task has queries and the text has none.

    >>> from zs_bench.benchmarks import find_task
    >>> split_query(find_task("narrative_qa", benchmark="scrolls"), "Who rows?\n\nA story.\n\nIts end.")
    QueryAndDocument(query='Who rows?', document='A story.\n\nIts end.')
    """
    if not task.has_query:
        return QueryAndDocument(None, text)
    options = _OPTIONS.search(text) if task.options else None
    if task.options and options is None:
        return None
    end = text.find(GAP, options.end() if options else 0)
    return QueryAndDocument(text[:end], text[end + len(GAP) :]) if end > 0 else None


def _query_first(task: Task, text: str, name: str) -> PromptParts:
    parts = split_query(task, text)
    if parts is None:
        four = "question with four options (A) to (D), a line each, before an empty line"
        lacks = four if task.options else "query before an empty line"
        raise _not_split(task, "input", name, f"there is no {lacks}")
    query, document = parts
    start, end = len(text) - len(document), len(text)
    indices = Indices(0, end, end, end) if query is None else Indices(start, end, 0, len(query))
    asked = () if query is None else (Segment("query", text[:start]),)
    return PromptParts("", document, query, "", indices, (*asked, Segment("document", document)))


def document_of_row(task: object, row: Mapping[str, Any], benchmark: Benchmark | None = None) -> str | None:
    """The name of the document in a row of any benchmark's data (`document_name`); `None` if it has none.

    Args:
        task: the task as the row spells it, perhaps with the name of the benchmark before it (`scrolls_qasper`).
        row: with its `input`, and perhaps its index fields.
        benchmark: tried first.
    """
    text = row.get("input")
    if not isinstance(task, str) or not isinstance(text, str):
        return None
    for each in (*filter(None, [benchmark]), *BENCHMARKS.values()):
        if (of_benchmark := each.all_tasks.get(task.removeprefix(f"{each.name}_"))) is not None:
            with suppress(PromptFormatError):
                return document_name(split(of_benchmark, text, Indices.of(row)).document)
    return None


def document_name(document: str) -> str:
    """A short hash, equal for equal documents."""
    return hashlib.sha256(document.encode("utf-8", "surrogatepass")).hexdigest()[:16]
