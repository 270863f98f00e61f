"""Where an output occurs in a document: hand-worked spreads, and properties of any texts."""

from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.dataset.measures import spread


class Golden(NamedTuple):
    """A spread worked out by hand from the definition of SCROLLS, section 4, and why it is so."""

    document: str
    output: str
    places: tuple[int, ...]
    bigrams: int
    deviation: float | None
    why: str


GOLDEN = [
    Golden("a b c d", "a b", (0,), 1, 0.0, "one bigram: no deviation from itself"),
    Golden("a b c d", "a b c d", (0, 1, 2), 3, (2 / 3) ** 0.5, "the population's deviation of 0, 1, 2"),
    Golden("a b x x x x x x c d", "a b c d", (0, 8), 3, 4.0, "b c does not occur; 4 either side of place 4"),
    Golden("a b a b a b", "a b", (0,), 1, 0.0, "the first occurrence only"),
    Golden("a b c", "a b a b a b", (0,), 2, 0.0, "a set: a b once, and b a, which does not occur"),
    Golden("a b c", "c b a", (), 2, None, "no bigram occurs: no spread, which is not a spread of 0"),
    Golden("a b c", "a c", (), 1, None, "words that are there but no neighbours"),
    Golden("a b c", "a", (), 0, None, "one word has no bigram"),
    Golden("a b c", "", (), 0, None, "no word has none"),
    Golden("", "a b", (), 1, None, "an empty document"),
    Golden("x “The Cat” sat. Then", "the cat sat then", (1, 2, 3), 3, (2 / 3) ** 0.5, "case, marks, a sentence's end"),
    Golden("x a , b y", "a b y", (1, 3), 2, 1.0, "a lone comma is stepped over and has its place"),
    Golden("it's the dog's", "its the dogs", (), 2, None, "marks within a word are part of it"),
    Golden("a a a", "a a a", (0,), 1, 0.0, "a word beside itself"),
    Golden("a\n\nb\u00a0c\tD", "a b c d", (0, 1, 2), 3, (2 / 3) ** 0.5, "any blank parts words"),
]

texts = st.text(alphabet="ab C.,“\n", max_size=40) | st.text(max_size=40)


@pytest.mark.parametrize("row", GOLDEN, ids=[row.why for row in GOLDEN])
def test_spreads_worked_out_by_hand(row: Golden) -> None:
    found = spread(row.document, row.output)
    assert (found.places, found.found, found.bigrams) == (row.places, len(row.places), row.bigrams)
    assert found.words == len(row.document.split())
    assert found.deviation == (None if row.deviation is None else pytest.approx(row.deviation, abs=1e-12))


@given(st.lists(st.sampled_from("abcd"), max_size=30), st.lists(st.sampled_from("abcd"), max_size=8))
def test_it_is_what_looking_for_each_pair_by_itself_finds(document: list[str], output: list[str]) -> None:
    pairs = list(pairwise(document))
    places = sorted(pairs.index(pair) for pair in set(pairwise(output)) if pair in pairs)
    assert spread(" ".join(document), " ".join(output)).places == tuple(places)
