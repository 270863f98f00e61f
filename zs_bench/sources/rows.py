"""The benchmark's rows: a JSON object a line, one line per reference; rows with the same `id` are one example.

Fields (those of the Hub's dataset): `id`, `pid`, `input`, `output`; the four index fields (`Indices`);
`truncation_seperator`, spelt so; and for MuSiQue, SpaceDigest and BookSumSort `inner_docs_start_indices`. Only `id` and
`input` must be there. An `output` that is null or missing is a row without a reference; index fields that are missing,
or are not whole numbers, are `None` all four (`zs_bench.prompting.dissect` then goes by the headers). Rows of SCROLLS
have the first four only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from zs_bench.problems import Place, UnusableInput, short
from zs_bench.prompting.dissect import dissect
from zs_bench.prompting.prompts import Indices, template
from zs_bench.prompting.scrolls_input import QUERY_FIRST, InputParts, join_input, split_input
from zs_metric.tasks import find_task
from zs_metric.texts import clean_text


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the data.

    Attributes:
        task: the task's name.
        id, pid: of the example, and of this reference of it (`None` when the row has none).
        input: the whole canonical prompt; in SCROLLS query and document.
        output: the reference, `None` where there is none.
        indices: the four index fields, `None` unless all four are there.
        truncation_seperator: as the data has it, `None` when missing.
        inner_docs_start_indices: where in `input` the units begin, `None` when missing.
        benchmark: whose row it is.
    """

    task: str
    id: str
    pid: str | None
    input: str
    output: str | None
    indices: Indices | None = None
    truncation_seperator: str | None = None
    inner_docs_start_indices: list[int] | None = None
    benchmark: str = "zero_scrolls"


@dataclass(frozen=True, slots=True)
class Example:
    """One id with all its references. The fields are those of its first row.

    Attributes:
        text: the input, or its parts: SCROLLS asks some fifty questions of each of NarrativeQA's books, and these
            examples share the one text of the book.
        references: the outputs of its rows, in their order; empty when no row has one.
        pids: the `pid` of each of its rows.
    """

    task: str
    id: str
    text: str | InputParts
    references: list[str]
    pids: list[str | None]
    indices: Indices | None = None
    truncation_seperator: str | None = None
    inner_docs_start_indices: list[int] | None = None
    benchmark: str = "zero_scrolls"

    @property
    def input(self) -> str:
        """The whole input."""
        return self.text if isinstance(self.text, str) else join_input(self.task, self.text.document, self.text.query)

    @property
    def document(self) -> str:
        """The document alone.

        Raises:
            CannotDissect: when it is not to be found in the prompt.
        """
        return dissect(self.task, self).document

    @property
    def query(self) -> str:
        """The query alone; empty where the task has none.

        Raises:
            CannotDissect: when it is not to be found in the prompt.
        """
        return dissect(self.task, self).query or ""

    def as_dict(self) -> dict[str, Any]:
        """The example as JSON-able data: the fields of the data, `references` for `output`, and the four parts.

        Raises:
            CannotDissect: when the prompt cannot be taken apart.
        """
        parts = dissect(self.task, self)
        inner = self.inner_docs_start_indices
        return {
            "id": self.id,
            "input": self.input,
            "references": list(self.references),
            **parts.indices._asdict(),
            "truncation_seperator": self.separator,
            **({} if inner is None else {"inner_docs_start_indices": list(inner)}),
            **{name: getattr(parts, name) for name in ("instruction", "document", "query", "response_header")},
        }

    @property
    def separator(self) -> str:
        """What is put where the document is cut: the row's own, else that of the task's template; SCROLLS has none."""
        if self.benchmark in QUERY_FIRST:
            return ""
        return self.truncation_seperator or template(self.task).separator


def read_rows(
    text_or_lines: str | Iterable[str], task: str, *, name: str | None = None, benchmark: str = "zero_scrolls"
) -> list[Example]:
    r"""The examples of a JSONL file of the benchmark's shape, in order of first appearance.

    Args:
        text_or_lines: the file's text, or its lines. Blank lines are skipped.
        task: the task's name.
        name: what to call the file in errors.
        benchmark: whose rows they are.

    Raises:
        UnknownBenchmark, UnknownTask: with the likely name.
        UnusableInput: for the first row that cannot be read, with its number.

    >>> read_rows('{"id": "7", "input": "Why?", "output": "So."}\n{"id": "7", "input": "Why?", "output": "Thus."}',
    ...           "qasper")[0].references
    ['So.', 'Thus.']
    """
    find_task(task, benchmark=benchmark)
    examples: dict[str, Example] = {}
    documents: dict[str, str] = {}
    for number, row in _rows(text_or_lines, task, name or task, benchmark):
        known = examples.get(row.id)
        if known is not None and known.input != row.input:
            raise _bad(name or task, number, f"the id {short(row.id)!r} stood before with another input; keep one")
        examples[row.id] = _example(row, documents) if known is None else _with(known, row)
    return list(examples.values())


def _rows(text_or_lines: str | Iterable[str], task: str, name: str, benchmark: str) -> Iterator[tuple[int, Row]]:
    lines = text_or_lines.split("\n") if isinstance(text_or_lines, str) else text_or_lines
    for number, line in enumerate(lines, start=1):
        bare = line.removeprefix("\ufeff").strip()
        if bare:
            yield number, _row(bare, task, name, number, benchmark)


def _row(line: str, task: str, name: str, number: int, benchmark: str) -> Row:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _bad(name, number, f"the line is not JSON ({error}); a row is one JSON object on one line") from None
    if not isinstance(data, dict):
        raise _bad(name, number, f"the line is no JSON object but {short(line)}; a row is {{id, input, output, …}}")
    for key in ("id", "input"):
        if not isinstance(data.get(key), str):
            raise _bad(name, number, f"{_what(data, key)}; a row of the benchmark has a text under {key!r}")
    if not isinstance(data.get("output"), (str, type(None))):
        raise _bad(name, number, f"{_what(data, 'output')}; a reference is a text, or null for none")
    return Row(
        task,
        clean_text(data["id"], "id"),
        _text(data.get("pid")),
        clean_text(data["input"], "input"),
        _text(data.get("output")),
        Indices.of(data),
        _text(data.get("truncation_seperator")),
        _whole_numbers(data.get("inner_docs_start_indices")),
        benchmark,
    )


def _what(data: Mapping[str, Any], key: str) -> str:
    if key in data:
        return f"{key!r} is {short(repr(data[key]))}, not a text"
    return f"{key!r} is missing, the keys are {short(', '.join(data)) or 'none'}"


def _text(value: object) -> str | None:
    return clean_text(value, "row") if isinstance(value, str) else None


def _whole_numbers(values: object) -> list[int] | None:
    """The list, `None` unless it is one of whole numbers (`true` is none)."""
    if not isinstance(values, list) or any(type(value) is not int for value in values):
        return None
    return values


def _example(row: Row, documents: dict[str, str]) -> Example:
    """The example, its document put into `documents` or taken from there."""
    fields = (row.indices, row.truncation_seperator, row.inner_docs_start_indices, row.benchmark)
    parts = split_input(row.task, row.input) if row.benchmark in QUERY_FIRST else None
    text = parts and parts._replace(document=documents.setdefault(parts.document, parts.document))
    return Example(row.task, row.id, text or row.input, _references(row), [row.pid], *fields)


def _with(example: Example, row: Row) -> Example:
    return replace(example, references=example.references + _references(row), pids=[*example.pids, row.pid])


def _references(row: Row) -> list[str]:
    return [] if row.output is None else [row.output]


def _bad(name: str, number: int, message: str) -> UnusableInput:
    return UnusableInput(f"{Place(name, number)}: {message}")
