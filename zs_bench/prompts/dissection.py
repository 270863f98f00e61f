"""An input split into its parts, which joined again give the input unchanged.

A prompt of ZeroSCROLLS is split into its parts

1. by the row's index fields, if they fit the text: the context header directly before the document, the query header
   at the start of the query, the response header after it, and only an empty line between them;
2. otherwise by the headers themselves, each on a line of its own after an empty line: the first context header, the
   response header at the very end, and before it the last query header. A document may contain such lines too, which
   is why the index fields come first. This is our choice; `notes` says so when it was used.

In an input of SCROLLS the query ends at the first empty line, which no query of the data contains. The query of QuALITY
is the question, an empty line, and four options, ` (A) text`, one per line; it ends at the first empty line after (D).
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from zs_bench.errors import PromptFormatError
from zs_bench.problems import short
from zs_bench.prompts.composition import GAP, Indices
from zs_bench.tasks import Template, benchmark_info, info
from zs_metric.tasks import BENCHMARKS, Task

_OPTIONS = re.compile(r"\n *\(A\)[^\n]*\n *\(B\)[^\n]*\n *\(C\)[^\n]*\n *\(D\)[^\n]*")


class Segment(NamedTuple):
    """A piece of a prompt: `part` names it (`instruction`, `document`, `query`, `response_header`, …)."""

    part: str
    text: str


class Prompted(Protocol):
    """What is split into its parts, such as an `Example`; `separator` is put where its document is cut."""

    @property
    def task(self) -> Task:
        """The task of the prompt."""

    @property
    def id(self) -> str:
        """The id of the example, for the error."""

    @property
    def input(self) -> str:
        """The whole prompt."""

    @property
    def indices(self) -> Indices | None:
        """The index fields, `None` when missing."""

    @property
    def separator(self) -> str:
        """The text put where the document is cut."""


@dataclass(frozen=True, slots=True)
class PromptParts:
    r"""A prompt in its parts.

    Attributes:
        instruction, document, response_header: without the line breaks around them; SCROLLS has a document only.
        query: without its header; `None` for a task without queries.
        segments: the whole prompt in order, headers and line breaks included: the context header and what precedes it
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

    @property
    def text(self) -> str:
        """The prompt, put together again."""
        return "".join(segment.text for segment in self.segments)


def dissect(row: Prompted) -> PromptParts:
    """The parts of the row's prompt.

    Raises:
        PromptFormatError: if the headers are not where they must be.

    >>> from zs_bench.dataset.embedded import load_embedded
    >>> parts = dissect(load_embedded("qasper")[0])
    >>> parts.document[:12], parts.query[:9], parts.response_header
    ('Introduction', 'What type', 'Answer:')
    """
    text, template = row.input, info(row.task).template
    if benchmark_info(row.task.benchmark).query_first:
        return _query_first(row)
    if template is None:
        why = f"{row.task} has no prompt template; the prompt of {short(row.id)!r} cannot be split into parts"
        raise PromptFormatError(why)
    indices, notes = row.indices, tuple[str, ...]()
    if indices is None or not _fits(text, indices, template):
        fields = "the index fields " + ("are missing" if indices is None else "do not fit the text")
        indices, lacks = _by_headers(text, template)
        if lacks:
            raise _unsplit(row, "prompt", f"its {fields.removeprefix('the ')}, and there is no {lacks}")
        notes = (f"{fields}; the prompt was split by its headers",)
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


def _unsplit(row: Prompted, what: str, why: str) -> PromptFormatError:
    name = f"{row.task}: the {what} of {short(row.id)!r}"
    return PromptFormatError(f"{name} cannot be split into parts: {why}; is it a row of {row.task}?")


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


class InputParts(NamedTuple):
    """The two parts of an input of SCROLLS: the query, `None` for a task without queries, and the document."""

    query: str | None
    document: str


def split_input(task: Task, text: str) -> InputParts | None:
    r"""The parts of an input that begins with its query; `None` when the task has queries and none is found.

    >>> from zs_metric.tasks import find_task
    >>> split_input(find_task("narrative_qa", benchmark="scrolls"), "Who rows?\n\nA story.\n\nIts end.")
    InputParts(query='Who rows?', document='A story.\n\nIts end.')
    """
    if not info(task).has_query:
        return InputParts(None, text)
    options = _OPTIONS.search(text) if info(task).options else None
    if info(task).options and options is None:
        return None
    end = text.find(GAP, options.end() if options else 0)
    return InputParts(text[:end], text[end + len(GAP) :]) if end > 0 else None


def _query_first(row: Prompted) -> PromptParts:
    text, parts = row.input, split_input(row.task, row.input)
    if parts is None:
        four = "question with four options (A) to (D), a line each, before an empty line"
        lacks = four if info(row.task).options else "query before an empty line"
        raise _unsplit(row, "input", f"there is no {lacks}")
    query, document = parts
    start, end = len(text) - len(document), len(text)
    indices = Indices(0, end, end, end) if query is None else Indices(start, end, 0, len(query))
    asked = () if query is None else (Segment("query", text[:start]),)
    return PromptParts("", document, query, "", indices, (*asked, Segment("document", document)))


class _Prompt(NamedTuple):
    task: Task
    id: str
    input: str
    indices: Indices | None
    separator: str = ""


def document_of_row(task: object, row: Mapping[str, Any]) -> str | None:
    r"""The name of the document in a row of any benchmark's data; `None` if none can be found.

    Args:
        task: the task as the row spells it, perhaps with the name of the benchmark before it (`scrolls_qasper`).
        row: with its `input`, and perhaps its index fields.

    >>> prompt = "Read.\n\nArticle:\nIt rains.\n\nQuestion:\nWhat is {}?\n\nAnswer:\n"
    >>> document_of_row("qasper", {"input": prompt.format(1)}) == document_of_row("qasper", {"input": prompt.format(2)})
    True
    """
    text = row.get("input")
    if not isinstance(task, str) or not isinstance(text, str):
        return None
    tasks = (benchmark.all_tasks.get(task.removeprefix(f"{benchmark.name}_")) for benchmark in BENCHMARKS.values())
    prompts = (_Prompt(each, "", text, Indices.of(row)) for each in tasks if each is not None)
    return next(filter(None, map(document_of, prompts)), None)


def document_of(example: Prompted) -> str | None:
    """The name of the example's document: a hash, equal for equal documents; `None` when it cannot be found."""
    try:
        document = dissect(example).document
    except PromptFormatError:
        return None
    return hashlib.sha256(document.encode("utf-8", "surrogatepass")).hexdigest()[:16]
