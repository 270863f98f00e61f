"""Lengths of the inputs and outputs of a split in words, and the spread of its outputs over the documents.

Words are separated by white space (SCROLLS, Table 1 and Figure 1). The input is the whole field `input`, as a model
reads it: with the question, and in ZeroSCROLLS with instruction and headers. An output is one reference.

The spread says how far an output is spread over its document (SCROLLS, Shaham et al. 2022, section 4):

* The output is the *set* of its bigrams, pairs of neighbouring words.
* The place of a bigram is that of its first occurrence in the input, in words from 0: the place of its first word.
* The spread is the population standard deviation of the places of the bigrams that occur, in words; `None` if none
  occurs, and 0 for a single one.
* The input is the document alone, without the question. The output is the reference; ContractNLI's is its hypothesis.

Our choices:

* Words are compared in lowercase and without surrounding punctuation, so that quoted phrases and ends of sentences
  match; a token of punctuation alone has a place but is skipped (`Yes , sir` has the bigram `yes sir`). Bigrams may
  cross sentence boundaries.
* The paper has one output per input. With several references, the spread of the example is the mean of theirs.
* BookSumSort's outputs are numbers of summaries, which no document contains, so they have no spread; nor have QuALITY's
  letters and SpaceDigest's percentages, which are single words.

Many rows can share a document (NarrativeQA's train split: 55,003 rows, some 1,100 books). Its words are counted once,
and the bigrams of all its outputs are searched in one pass.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice, pairwise
from statistics import fmean, pstdev, quantiles
from string import punctuation
from typing import Any

from zs_bench.benchmarks import Task
from zs_bench.dataset.rows import Example
from zs_bench.errors import PromptFormatError

_PERCENTILES = {"p5": 5, "p25": 25, "median": 50, "p75": 75, "p95": 95}
_AROUND_WORDS = punctuation + "“”„‟‘’‚‛«»‹›‐‑‒–—―…·•¿¡"


def measure(task: Task, examples: Iterable[Example]) -> dict[str, Any]:
    """The measures of the task's examples as JSON-able data.

    `words_in` (words per input), `words_out` (words per reference) and `spread` (of each example that has one) are
    distributions; the first two with the paper's `published_mean`. `undissected` counts the inputs that do not split.
    """
    words_in: list[int] = []
    words_out: list[int] = []
    undissected = 0
    outputs: dict[str, list[list[str]]] = {}
    words_of = cache(count_words)
    for example in examples:
        words_out += map(count_words, example.references)
        texts = (example.text,) if isinstance(example.text, str) else (example.query, example.document)
        words_in.append(sum(map(words_of, texts)))
        try:
            outputs.setdefault(example.document, []).append(outputs_of(example))
        except PromptFormatError:
            undissected += 1
    deviations = []
    for document, of_examples in outputs.items():
        each = iter(spreads(document, chain.from_iterable(of_examples)) if any(of_examples) else ())
        deviations += [mean_deviation(islice(each, len(texts))) for texts in of_examples]
    published = task.size
    return {
        "words_in": distribution(words_in, published_mean=published.words),
        "words_out": distribution(words_out, published_mean=published.words_out),
        "spread": distribution(deviation for deviation in deviations if deviation is not None),
        "undissected": undissected,
    }


def distribution(values: Iterable[float], **more: float | None) -> dict[str, Any] | None:
    """Count, mean, smallest, some percentiles (interpolated linearly) and largest; `None` if there are no values.

    >>> distribution([4, 1, 3])["median"]
    3.0
    """
    ordered = sorted(values)
    if not ordered:
        return None
    shares = quantiles(ordered, n=100, method="inclusive") if len(ordered) > 1 else [float(ordered[0])] * 99
    percentiles = {name: shares[share - 1] for name, share in _PERCENTILES.items()}
    ends = {"count": len(ordered), "mean": fmean(ordered), "min": ordered[0]}
    return {**ends, **percentiles, "max": ordered[-1], **more}


def count_words(text: str) -> int:
    return len(text.split())


@dataclass(frozen=True, slots=True)
class BigramSpread:
    """The places of the bigrams of one output that occur, in words from 0, ascending; their deviation in words.

    `bigrams` is the number of different bigrams of the output, `words` that of words of the document.
    """

    places: tuple[int, ...]
    bigrams: int
    words: int
    deviation: float | None


def spread(document: str, output: str) -> BigramSpread:
    """The spread of one output.

    >>> spread("The cat sat. The dog sat on the cat.", "the cat on the mat")
    BigramSpread(places=(0, 6), bigrams=4, words=9, deviation=3.0)
    """
    return spreads(document, [output])[0]


def spreads(document: str, outputs: Iterable[str]) -> list[BigramSpread]:
    """The spreads of several outputs, in a single pass over the document."""
    bigrams = [set(pairwise(word for _, word in _numbered(output))) for output in outputs]
    wanted = set[tuple[str, str]]().union(*bigrams)
    first: dict[tuple[str, str], int] = {}
    for (place, word), (_, following) in pairwise(_numbered(document)):
        if (word, following) in wanted:
            first.setdefault((word, following), place)
    words = count_words(document)
    places = [sorted(first[bigram] for bigram in of_output & first.keys()) for of_output in bigrams]
    return [
        BigramSpread(tuple(at), len(of_output), words, pstdev(at) if at else None)
        for at, of_output in zip(places, bigrams, strict=True)
    ]


def spreads_of_example(example: Example) -> list[BigramSpread]:
    """The spreads of the example's outputs in its document; raises `PromptFormatError` if the input has none."""
    return spreads(example.document, outputs_of(example))


def outputs_of(example: Example) -> list[str]:
    """The texts to search in the document: the references, or ContractNLI's hypothesis; none for BookSumSort."""
    measured = example.task.measured_outputs
    return [] if measured is None else [example.query] if measured == "query" else example.references


def mean_deviation(spreads: Iterable[BigramSpread]) -> float | None:
    """The spread of an example in words: the mean over its outputs, `None` if none has one."""
    deviations = [each.deviation for each in spreads if each.deviation is not None]
    return fmean(deviations) if deviations else None


def _numbered(text: str) -> list[tuple[int, str]]:
    """The words in lowercase with their places, without surrounding punctuation and tokens of punctuation alone."""
    words = enumerate(text.lower().split())
    return [(place, bare) for place, word in words if (bare := word.strip(_AROUND_WORDS))]
