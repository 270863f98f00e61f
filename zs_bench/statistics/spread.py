"""Where in a document an output lives: the spread of SCROLLS (Shaham et al. 2022, section 4).

* The output is the *set* of its bigrams, pairs of neighbouring words.
* The place of a bigram is that of its first occurrence in the input, in words from 0: the place of its first word.
* The spread is the standard deviation of the places of those that occur, in words: the population's (divided by their
  number), since they are all places of this output and no sample of them. No bigram found: `None`; a single one: 0.
* The input is the document alone, without the question. The output is the reference; ContractNLI's is its hypothesis.

Where we chose:

* A word is what stands between blanks, as in the lengths of the paper's Table 1, so that places and lengths are on one
  scale. Words are compared in lower case and without the punctuation around them, or a quoted phrase and one at the end
  of a sentence would not be found; what is punctuation alone has a place, yet is stepped over (`Yes , sir` has the
  bigram of `yes sir`). Sentences do not end a bigram.
* The paper knows one output per input. Of several references each has its spread; the example's is the mean of those
  that there are.
* BookSumSort's outputs are numbers of summaries and say nothing that the document could hold: they have none.
  QuALITY's letters and SpaceDigest's percentages are single words, so they have none either.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from string import punctuation

from zs_bench.sources.rows import Example

Bigram = tuple[str, str]

_AROUND_WORDS = punctuation + "“”„‟‘’‚‛«»‹›‐‑‒–—―…·•¿¡"


@dataclass(frozen=True, slots=True)
class Spread:
    """Where the bigrams of one output stand.

    Attributes:
        places: of the first occurrences of those that occur, in words from 0, ascending.
        bigrams: how many different ones the output has.
        words: of the document.
        deviation: the standard deviation of the places, in words; `None` when no bigram occurs.
    """

    places: tuple[int, ...]
    bigrams: int
    words: int
    deviation: float | None

    @property
    def found(self) -> int:
        """How many of the bigrams occur: a place is that of one bigram only."""
        return len(self.places)


def spread(document: str, output: str) -> Spread:
    """The spread of one output.

    >>> spread("The cat sat. The dog sat on the cat.", "the cat on the mat")
    Spread(places=(0, 6), bigrams=4, words=9, deviation=3.0)
    """
    return spreads(document, [output])[0]


def spreads(document: str, outputs: Iterable[str]) -> list[Spread]:
    """The spreads of several outputs, in one pass over the document, whose time does not grow with their number."""
    wanted = [bigrams_of(output) for output in outputs]
    words = document.lower().split()
    first = _first_places(words, frozenset[Bigram]().union(*wanted))
    return [_spread(bigrams, first, len(words)) for bigrams in wanted]


def bigrams_of(text: str) -> frozenset[Bigram]:
    """The set of pairs of neighbouring words.

    >>> sorted(bigrams_of("No, no — no way!"))
    [('no', 'no'), ('no', 'way')]
    """
    return frozenset(pairwise(word for _, word in _numbered(text.lower().split())))


def spreads_of_example(example: Example) -> list[Spread]:
    """The spreads of the example's outputs in its document: one for each reference; ContractNLI: of its hypothesis.

    Raises:
        CannotDissect: when the document is not to be found in the input.
    """
    return spreads(example.document, outputs_of(example))


def outputs_of(example: Example) -> list[str]:
    """The outputs whose places are asked for; none for a task whose outputs are no words of the document.

    Raises:
        CannotDissect: for ContractNLI, when the hypothesis is not to be found in the input.
    """
    if example.task == "contract_nli":
        return [example.query]
    return [] if example.task == "book_sum_sort" else example.references


def mean_deviation(found: Iterable[Spread]) -> float | None:
    """The spread of an example with these outputs, in words: the mean of those that there are, `None` without any.

    >>> mean_deviation(spreads("a b c d e b c", ["a b d e", "c d", "x y"]))
    0.75
    """
    deviations = [one.deviation for one in found if one.deviation is not None]
    return fmean(deviations) if deviations else None


def _numbered(words: Iterable[str]) -> list[tuple[int, str]]:
    """The words with their places, freed of the punctuation around them; what is punctuation alone is left out."""
    return [(place, bare) for place, word in enumerate(words) if (bare := word.strip(_AROUND_WORDS))]


def _first_places(words: Iterable[str], wanted: frozenset[Bigram]) -> dict[Bigram, int]:
    first: dict[Bigram, int] = {}
    for (place, word), (_, following) in pairwise(_numbered(words)):
        if (word, following) in wanted:
            first.setdefault((word, following), place)
    return first


def _spread(bigrams: frozenset[Bigram], first: Mapping[Bigram, int], words: int) -> Spread:
    places = sorted(first[bigram] for bigram in bigrams if bigram in first)
    return Spread(tuple(places), len(bigrams), words, _deviation(places))


def _deviation(places: Sequence[int]) -> float | None:
    """The population's standard deviation. The sums are of whole numbers, so that no place is too far for them."""
    if not places:
        return None
    count = len(places)
    return math.sqrt(count * sum(place * place for place in places) - sum(places) ** 2) / count
