"""Which document an example is about, told by a name: equal documents have equal names (for clustered intervals)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from zs_bench.prompting.dissect import Prompted, dissect
from zs_bench.prompting.prompts import Indices
from zs_metric.errors import ZeroScrollsError
from zs_metric.tasks import BENCHMARKS


class _Prompt(NamedTuple):
    id: str
    input: str
    indices: Indices | None
    benchmark: str


def document_of_row(task: str, row: Mapping[str, Any]) -> str | None:
    r"""The name of the document in a row as the data of a benchmark has it; `None` where none can be found.

    >>> prompt = "Read.\n\nArticle:\nIt rains.\n\nQuestion:\nWhat is {}?\n\nAnswer:\n"
    >>> document_of_row("qasper", {"input": prompt.format(1)}) == document_of_row("qasper", {"input": prompt.format(2)})
    True
    """
    text = row.get("input")
    if not isinstance(text, str):
        return None
    prompts = (_Prompt("", text, Indices.of(row), benchmark) for benchmark in BENCHMARKS)
    return next(filter(None, (document_of(task, prompt) for prompt in prompts)), None)


def document_of(task: str, example: Prompted) -> str | None:
    """The name of the example's document: a hash of it; `None` when it is not to be found in the prompt."""
    try:
        document = dissect(task, example).document
    except ZeroScrollsError:
        return None
    return hashlib.sha256(document.encode("utf-8", "surrogatepass")).hexdigest()[:16]
