"""Which document an example is about, told by a name: equal documents have equal names (for clustered intervals)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from zs_bench.prompting.dissect import Prompted, dissect
from zs_bench.prompting.prompts import Indices
from zs_metric.errors import ZeroScrollsError


class _Prompt(NamedTuple):
    id: str
    input: str
    indices: Indices | None
    benchmark: str


def document_of_row(task: str, row: Mapping[str, Any], *, benchmark: str = "zero_scrolls") -> str | None:
    r"""The name of the document in a row as the data has it; `None` for a row without one that can be found.

    >>> prompt = "Read.\n\nArticle:\nIt rains.\n\nQuestion:\nWhat is {}?\n\nAnswer:\n"
    >>> document_of_row("qasper", {"input": prompt.format(1)}) == document_of_row("qasper", {"input": prompt.format(2)})
    True
    """
    text = row.get("input")
    return document_of(task, _Prompt("", text, Indices.of(row), benchmark)) if isinstance(text, str) else None


def document_of(task: str, example: Prompted) -> str | None:
    """The name of the example's document: a hash of it; `None` when it is not to be found in the prompt."""
    try:
        document = dissect(task, example).document
    except ZeroScrollsError:
        return None
    return hashlib.sha256(document.encode("utf-8", "surrogatepass")).hexdigest()[:16]
