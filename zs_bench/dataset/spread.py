"""How far an output is spread over its document (SCROLLS, Shaham et al. 2022, section 4).

* The output is the *set* of its bigrams, pairs of neighbouring words.
* The place of a bigram is that of its first occurrence in the input, in words from 0: the place of its first word.
* The spread is the standard deviation of the places of those that occur, in words: that of the population (divided by
  their number), since they are all the places of this output. No bigram found: `None`; a single one: 0.
* The input is the document alone, without the question. The output is the reference; ContractNLI's is its hypothesis.

Our choices:

* Words are separated by white space, as for the lengths of the paper's Table 1, so that places and lengths have one
  scale. Words are compared in lowercase and without surrounding punctuation, so that quoted phrases and ends of
  sentences match; a token of punctuation alone has a place but is skipped (`Yes , sir` has the bigram `yes sir`).
  Bigrams may cross sentence boundaries.
* The paper has one output per input. With several references, the spread of the example is the mean of theirs.
* BookSumSort's outputs are numbers of summaries, which no document contains, so they have no spread; nor have QuALITY's
  letters and SpaceDigest's percentages, which are single words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, pstdev
from string import punctuation

from zs_bench.dataset.rows import Example
from zs_bench.tasks import info

Bigram = tuple[str, str]

_AROUND_WORDS = punctuation + "“”„‟‘’‚‛«»‹›‐‑‒–—―…·•¿¡"


@dataclass(frozen=True, slots=True)
class Spread:
    """The places of the bigrams of one output.

    Attributes:
        places: the places of the first occurrences, in words from 0, ascending.
        deviation: the standard deviation of the places, in words; `None` if no bigram occurs.
    """

    places: tuple[int, ...]
    bigrams: int
    words: int
    deviation: float | None

    @property
    def found(self) -> int:
        """The number of bigrams that occur in the document."""
        return len(self.places)


def spread(document: str, output: str) -> Spread:
    """The spread of one output.

    >>> spread("The cat sat. The dog sat on the cat.", "the cat on the mat")
    Spread(places=(0, 6), bigrams=4, words=9, deviation=3.0)
    """
    return spreads(document, [output])[0]


def spreads(document: str, outputs: Iterable[str]) -> list[Spread]:
    """The spreads of several outputs, in a single pass over the document."""
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
    """The spreads of the example's outputs in its document.

    Raises:
        CannotDissect: when the document cannot be found in the input.
    """
    return spreads(example.document, outputs_of(example))


def outputs_of(example: Example) -> list[str]:
    """The texts to search in the document: the references, or ContractNLI's hypothesis; none for BookSumSort.

    Raises:
        CannotDissect: for ContractNLI, when the hypothesis cannot be found in the input.
    """
    measured = info(example.task).measured_outputs
    return [] if measured is None else [example.query] if measured == "query" else example.references


def mean_deviation(found: Iterable[Spread]) -> float | None:
    """The spread of an example in words: the mean over its outputs, `None` if none has one.

    >>> mean_deviation(spreads("a b c d e b c", ["a b d e", "c d", "x y"]))
    0.75
    """
    deviations = [one.deviation for one in found if one.deviation is not None]
    return fmean(deviations) if deviations else None


def _numbered(words: Iterable[str]) -> list[tuple[int, str]]:
    """The words with their places, without surrounding punctuation; tokens of punctuation alone are left out."""
    return [(place, bare) for place, word in enumerate(words) if (bare := word.strip(_AROUND_WORDS))]


def _first_places(words: Iterable[str], wanted: frozenset[Bigram]) -> dict[Bigram, int]:
    first: dict[Bigram, int] = {}
    for (place, word), (_, following) in pairwise(_numbered(words)):
        if (word, following) in wanted:
            first.setdefault((word, following), place)
    return first


def _spread(bigrams: frozenset[Bigram], first: Mapping[Bigram, int], words: int) -> Spread:
    places = sorted(first[bigram] for bigram in bigrams if bigram in first)
    return Spread(tuple(places), len(bigrams), words, pstdev(places) if places else None)
