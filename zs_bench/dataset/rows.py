"""The benchmark's rows: a JSON object per line, one line per reference; rows with the same `id` are one example.

Fields, as in the Hub's dataset: `id`, `pid`, `input`, `output`; the four index fields (`Indices`);
`truncation_seperator` (sic); for MuSiQue, SpaceDigest and BookSumSort `inner_docs_start_indices`. Only `id` and `input`
are required. A row with a null or missing `output` has no reference. If an index field is missing or not a whole
number, all four are `None`, and the input is split by its headers. Rows of SCROLLS have the first four
fields only.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from zs_bench.benchmarks import Task
from zs_bench.errors import PromptFormatError, UnusableInput
from zs_bench.inputs import Indices, PromptParts, QueryAndDocument, compose, document_name, split, split_query
from zs_bench.problems import Place, short
from zs_metric.texts import clean_text


@dataclass(frozen=True, slots=True)
class Example:
    """One id with all its references. The other fields are those of its first row.

    `parts`, `document`, `query` and `as_dict` raise `PromptFormatError` if the input cannot be split into parts.

    Attributes:
        text: the whole input; in SCROLLS query and document separately, so that the some fifty questions about each
            book of NarrativeQA share one copy of the book.
        references: the outputs of its rows, in order; empty if there are none.
        pids: the `pid` of each row, or `None`.
        inner_docs_start_indices: the offsets in the input at which its units begin, or `None`.
    """

    task: Task
    id: str
    text: str | QueryAndDocument
    references: list[str]
    pids: list[str | None]
    indices: Indices | None = None
    truncation_seperator: str | None = None
    inner_docs_start_indices: list[int] | None = None

    @property
    def input(self) -> str:
        """The whole input."""
        return self.text if isinstance(self.text, str) else compose(self.task, self.text.document, self.text.query)[0]

    @property
    def parts(self) -> PromptParts:
        """The parts of the input."""
        return split(self.task, self.input, self.indices, name=self.id)

    @property
    def document(self) -> str:
        """The document alone."""
        return self.parts.document if isinstance(self.text, str) else self.text.document

    @property
    def query(self) -> str:
        """The query alone; empty for a task without queries."""
        return (self.parts if isinstance(self.text, str) else self.text).query or ""

    @property
    def document_name(self) -> str | None:
        """A hash of the document, equal for equal ones; `None` if the input cannot be split."""
        try:
            return document_name(self.document)
        except PromptFormatError:
            return None

    def as_dict(self) -> dict[str, Any]:
        """The example as JSON-able data: the fields of the data, with `references` for `output`, and the four parts."""
        parts, inner = self.parts, self.inner_docs_start_indices
        return {
            "id": self.id,
            "input": self.input,
            "references": list(self.references),
            **(self.indices or parts.indices)._asdict(),
            "truncation_seperator": self.separator,
            **({} if inner is None else {"inner_docs_start_indices": list(inner)}),
            **{name: getattr(parts, name) for name in ("instruction", "document", "query", "response_header")},
        }

    @property
    def separator(self) -> str:
        """The text that marks where the document was cut: that of the row, else of the task's template, else ""."""
        template = self.task.template
        if template is None or self.task.benchmark.query_first:
            return ""
        return self.truncation_seperator or template.separator


def read_rows(text_or_lines: str | Iterable[str], task: Task, *, name: str | None = None) -> list[Example]:
    r"""The examples of a JSONL file of the benchmark's shape, in order of first appearance.

    Args:
        text_or_lines: the file's text, or its lines. Blank lines are skipped.
        name: the name of the file in errors, by default the task's.

    Raises:
        UnusableInput: for the first row that cannot be read, with its number.

    >>> from zs_bench.benchmarks import find_task
    >>> rows = '{"id": "7", "input": "Why?", "output": "So."}\n{"id": "7", "input": "Why?", "output": "Thus."}'
    >>> read_rows(rows, find_task("qasper"))[0].references
    ['So.', 'Thus.']
    """
    examples: dict[str, Example] = {}
    documents: dict[str, str] = {}
    query_first = task.benchmark.query_first
    lines = text_or_lines.split("\n") if isinstance(text_or_lines, str) else text_or_lines
    for number, line in enumerate(lines, start=1):
        bare = line.removeprefix("\ufeff").strip()
        if not bare:
            continue
        try:
            row = _row(bare, task)
            earlier = examples.get(row.id)
            if earlier and earlier.input != row.input:
                raise UnusableInput(f"the id {short(row.id)!r} has another input in an earlier row; keep one")  # noqa: TRY301
        except UnusableInput as error:
            raise UnusableInput(f"{Place(name or task.name, number)}: {error}") from None
        if earlier:
            earlier.references.extend(row.references)
            earlier.pids.extend(row.pids)
            continue
        parts = split_query(task, row.input) if query_first else None
        if parts:  # equal documents share memory
            row = replace(row, text=parts._replace(document=documents.setdefault(parts.document, parts.document)))
        examples[row.id] = row
    return list(examples.values())


def _row(line: str, task: Task) -> Example:
    """The example of a line; raises `UnusableInput` with what is wrong."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        why = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise UnusableInput(f"the line is not JSON ({why}); a row is one JSON object on one line") from None
    if not isinstance(data, dict):
        raise UnusableInput(f"the line is not a JSON object but {short(line)}; a row is {{id, input, output, …}}")
    for field, step in _STEPS.items():
        value = data.get(field)
        if field not in data and field != "output":
            keys = short(", ".join(data)) or "none"
            raise UnusableInput(f"{field!r} is missing, the keys are {keys}; {step}")
        if not isinstance(value, str) and (field != "output" or value is not None):
            raise UnusableInput(f"{field!r} is {short(repr(value))}, not a text; {step}")
    pid, separator, starts = (data.get(name) for name in ("pid", "truncation_seperator", "inner_docs_start_indices"))
    are_whole = isinstance(starts, list) and all(type(start) is int for start in starts)  # `true` is not one
    return Example(
        task,
        clean_text(data["id"], "id"),
        clean_text(data["input"], "input"),
        [clean_text(data["output"], "row")] if data.get("output") is not None else [],
        [clean_text(pid, "row") if isinstance(pid, str) else None],
        Indices.of(data),
        clean_text(separator, "row") if isinstance(separator, str) else None,
        starts if are_whole else None,
    )


_NEEDED = "a row of the benchmark has a text under {!r}"
_STEPS = {
    "id": _NEEDED.format("id"),
    "input": _NEEDED.format("input"),
    "output": "a reference is a text, or null for none",
}
