"""BookSumSort from the chapter summaries of books, in their order (ZeroSCROLLS section 3.1.3).

One example is the summaries of one book in a random order, and asks for the right one; each book gives four
permutations. The order that is already right is never among them, and no order twice. The paper's books have 3 to 86
summaries.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from math import factorial
from random import Random

from zs_bench.benchmarks import find_task
from zs_lab.build.reading import Record
from zs_lab.build.samples import EmptySample, NewExample, NewSample, Options, option, recent, seeded_random, text_of
from zs_lab.build.tell_tales import SUMMARY_TELL_TALES, find_hits, mask

FEWEST = 3  # two summaries have only one order that is not the right one


@dataclass(frozen=True, slots=True)
class SummaryOptions(Options):
    """How BookSumSort is built; `mask` replaces the words that tell the order.

    A record may have all summaries of a book as a list under `summaries`, instead of the column of the summary.
    """

    book: str = option("Column of the book.", default="book")
    summary: str = option("Column of the summary.", default="summary")
    books: int = option("Maximum number of books.", default=125)
    permutations: int = option("Examples per book.", default=4)
    mask: bool = False


def build_book_sum_sort(records: Iterable[Record], options: SummaryOptions, seed: int = 0) -> NewSample:
    """Return the examples; raises `UnusableInput` for a column that does not exist, and when no book can be used."""
    sample, rows = NewSample(find_task("book_sum_sort")), list(records)
    summaries: dict[str, list[str]] = {}  # by book, in the order of the records
    days: dict[str, list[date]] = {}
    columns = {options.book: "--book", **({} if rows and "summaries" in rows[0] else {options.summary: "--summary"})}
    for _, record, day in recent(rows, options, sample, columns):
        name, listed = text_of(record, options.book), record.get("summaries")
        texts = listed if isinstance(listed, (list, tuple)) else [text_of(record, options.summary)]
        summaries.setdefault(name, []).extend(str(text).strip() for text in texts)
        days.setdefault(name, []).extend(day)
    usable = {name: texts for name, texts in summaries.items() if _is_usable(name, texts, options, sample)}
    names = sorted(usable)
    if len(names) > options.books:
        sample.dropped["books beyond the number asked for"] = len(names) - options.books
        names = sorted(seeded_random(seed, "books").sample(names, options.books))
    ids: list[str] = []
    for name in names:
        identifier = re.sub(r"\W+", "_", name.lower()).strip("_") or "book"
        while identifier in ids:
            identifier += "_b"
        ids.append(identifier)
        texts = [mask(text) for text in usable[name]] if options.mask else usable[name]
        orders = permutations(len(texts), options.permutations, seeded_random(seed, name))
        if len(orders) < options.permutations:
            sample.notes.append(f"{name} has only {len(orders)} orders besides the right one.")
        for number, order in enumerate(orders):  # order[i] is the chapter that is shown as Summary i + 1
            units = [f"Summary {shown}:\n{texts[chapter]}" for shown, chapter in enumerate(order, start=1)]
            reference = ", ".join(str(order.index(chapter) + 1) for chapter in range(len(texts)))
            sample.examples.append(NewExample(f"{identifier}_{number}", units, [reference], days=days[name]))
    if not sample.examples:
        review = "; review the tell-tales and add --accept" if sample.hits and not options.accept else ""
        raise EmptySample(f"no book has {FEWEST} summaries that can be used{review}", sample)
    return sample


def permutations(count: int, wanted: int, drawn: Random) -> list[tuple[int, ...]]:
    """Return `wanted` different orders of `0 … count - 1`, never the sorted one; fewer if there are not as many."""
    right = tuple(range(count))
    orders: dict[tuple[int, ...], None] = {}
    while len(orders) < min(wanted, factorial(min(count, 12)) - 1):
        order = tuple(drawn.sample(right, count))
        if order != right:
            orders[order] = None
    return list(orders)


def _is_usable(name: str, texts: list[str], options: SummaryOptions, sample: NewSample) -> bool:
    """Return whether a book is used; the sample keeps its tell-tales, and counts it if it is left out."""
    owned = [(f"{name}, summary {number}", text) for number, text in enumerate(texts, start=1)]
    hits = [hit for owner, text in owned for hit in find_hits(owner, text, SUMMARY_TELL_TALES)]
    sample.hits += hits
    return not sample.drop_if(
        (not name, "books without a name"),
        (len(texts) < FEWEST, f"books with fewer than {FEWEST} summaries"),
        (not all(texts), "books with an empty summary"),
        (len(set(texts)) < len(texts), "books with the same summary twice"),
        (hits and not options.accept, "books with a passage that may tell the order"),
        name=name or None,
    )
