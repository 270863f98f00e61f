r"""The inputs of the benchmarks, put together from their parts (`zs_bench.prompts.dissection` takes them apart again).

A prompt of ZeroSCROLLS (Tables 5 and 6) is

    INSTRUCTION ⏎⏎ CONTEXT_HEADER ⏎ DOCUMENT ⏎⏎ [ QUERY_HEADER ⏎ QUERY ⏎⏎ ] RESPONSE_HEADER ⏎

An input of SCROLLS (arXiv 2201.03533, section 3) has neither instruction nor headers, and the query comes first:

    [ QUERY ⏎⏎ ] DOCUMENT

The index fields of a row (`Indices`) say where the document and the query are, counted in characters.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from zs_bench.tasks import benchmark_info, info
from zs_metric.errors import ZeroScrollsError
from zs_metric.tasks import Task

#: What separates the parts of a prompt: an empty line.
GAP = "\n\n"


class Indices(NamedTuple):
    """The index fields of a row, in characters from the start of `input`."""

    document_start_index: int
    document_end_index: int
    query_start_index: int
    query_end_index: int

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Indices | None":
        """The fields of a row of the data; `None` unless all four are whole numbers (`true` is not one)."""
        numbers: list[Any] = [row.get(field) for field in cls._fields]
        return cls(*numbers) if all(type(number) is int for number in numbers) else None


def compose(
    task: Task, document: str, query: str | None = None, *, summaries: int | None = None
) -> tuple[str, Indices]:
    r"""The input of an example (a row's `input`) and its index fields.

    Raises:
        ZeroScrollsError: for a query or a number of summaries that the task does not have, or one that is missing; for
            a task without a prompt template.

    >>> from zs_metric.tasks import find_task
    >>> compose(find_task("gov_report"), "A short report.")[0][-34:]
    'Report:\nA short report.\n\nSummary:\n'
    >>> compose(find_task("qmsum", benchmark="scrolls"), "A: Hello.", "What was said?")[0]
    'What was said?\n\nA: Hello.'
    """
    _check(task, "query", given=query is not None, wanted=info(task).has_query)
    if benchmark_info(task.benchmark).query_first:
        return _query_first(document, query)
    fixed = info(task).template
    if fixed is None:
        raise ZeroScrollsError(f"{task} has no prompt template; its prompts cannot be composed")
    _check(task, "number of summaries", given=summaries is not None, wanted="{N}" in fixed.instruction)
    head = f"{fixed.instruction.replace('{N}', str(summaries))}{GAP}{fixed.context_header}\n"
    body = f"{head}{document}{GAP}"
    asked = "" if query is None else f"{fixed.query_header}\n{query}"
    indices = Indices(len(head), len(head) + len(document), len(body), len(body) + len(asked))
    return f"{body}{asked}{GAP if asked else ''}{fixed.response_header}\n", indices


def _query_first(document: str, query: str | None) -> tuple[str, Indices]:
    """The index fields of a missing query are where ZeroSCROLLS would have one: after the document."""
    if query is None:
        return document, Indices(0, len(document), len(document), len(document))
    start = len(query) + len(GAP)
    return f"{query}{GAP}{document}", Indices(start, start + len(document), 0, len(query))


def _check(task: Task, what: str, *, given: bool, wanted: bool) -> None:
    if given != wanted:
        raise ZeroScrollsError(f"{task} needs a {what}; give one" if wanted else f"{task} has no {what}; omit it")
