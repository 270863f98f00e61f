"""What must hold for a built sample, checked on its rows before they are written.

The builders keep these rules; the check does not trust them, so that a change of a builder, or rows that somebody
edited, cannot give answers away unnoticed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from zs_bench.builders.musique import UNANSWERABLE
from zs_bench.builders.tell_tales import REVIEW_TELL_TALES, SUMMARY_TELL_TALES, TellTale, find_hits
from zs_bench.problems import Problem

Row = Mapping[str, Any]


def check_rows(task: str, rows: Sequence[Row], *, accept: bool = False) -> list[Problem]:
    """What is wrong with rows of one of the three tasks; `output` may be missing in them.

    With `accept` tell-tales have been reviewed and are meant to be there.
    """
    problems = [*_repeated(task, rows), *_indices(task, rows)]
    if task == "book_sum_sort":
        problems += _sorted_orders(rows)
    if task == "musique":
        problems += _twins(rows)
    if not accept:
        problems += _tell_tales(task, rows)
    return problems


def units(row: Row) -> Iterator[tuple[str, str]]:
    """The units of a row: the line that numbers or names each, and its text."""
    starts = [*row["inner_docs_start_indices"], row["document_end_index"] + 2]
    for start, end in pairwise(starts):
        head, _, text = row["input"][start : end - 2].partition("\n")
        yield head, text


def _repeated(task: str, rows: Iterable[Row]) -> Iterator[Problem]:
    for pid, count in Counter(row["pid"] for row in rows).items():
        if count > 1:
            yield _problem("doubled", "the pid is there twice; keep one row", task, pid)


def _indices(task: str, rows: Iterable[Row]) -> Iterator[Problem]:
    heads = {"space_digest": "Review ", "book_sum_sort": "Summary ", "musique": "Title: "}
    for row in rows:
        if not all(head.startswith(heads[task]) for head, _ in units(row)):
            yield _problem(
                "indices", "the index fields do not point at the units; build the row again", task, row["id"]
            )


def _sorted_orders(rows: Iterable[Row]) -> Iterator[Problem]:
    """A book given in its own order has a reference that counts up."""
    for row in rows:
        order = (row.get("output") or "").replace(",", " ").split()
        if order and order == [str(number) for number in range(1, len(order) + 1)]:
            yield _problem("sorted", "the summaries are given in the right order already", "book_sum_sort", row["id"])


def _twins(rows: Iterable[Row]) -> Iterator[Problem]:
    """Two rows of one question with other paragraphs: one of them is the unanswerable twin."""
    seen: dict[str, tuple[str, bool]] = {}
    for row in rows:
        query = row["input"][row["query_start_index"] : row["query_end_index"]]
        mine = (row["input"], row.get("output") == UNANSWERABLE)
        other = seen.setdefault(query, mine)
        if other[0] != mine[0]:
            message = "the question is asked twice, of other paragraphs; keep one of the two twins"
            yield _problem("twin", message, "musique", row["id"])


def _tell_tales(task: str, rows: Iterable[Row]) -> Iterator[Problem]:
    kinds: Sequence[TellTale] = {"space_digest": REVIEW_TELL_TALES, "book_sum_sort": SUMMARY_TELL_TALES}.get(task, ())
    for row in rows:
        for head, text in units(row):
            for hit in find_hits(head, text, kinds)[:1]:
                message = f"the text may give the answer away ({hit.kind}); review it, then build with --accept"
                yield _problem("tell-tale", message, task, row["id"], f"{head} {hit.context[1]!r}")


def _problem(kind: str, message: str, task: str, identifier: str, detail: str | None = None) -> Problem:
    return Problem(kind, message, task, identifier, detail=detail)
