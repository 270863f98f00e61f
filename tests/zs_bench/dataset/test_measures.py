"""The spread of an output over its document, worked out by hand; the measures of a split against plain counting."""

from dataclasses import replace
from statistics import median

import pytest

from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.measures import distribution, mean_deviation, measure, spread, spreads_of_example
from zs_bench.dataset.rows import load_embedded

THIRDS = (2 / 3) ** 0.5
#: Document, output, places, number of bigrams, deviation, and why (SCROLLS, section 4).
GOLDEN = [
    ("a b c d", "a b", (0,), 1, 0.0, "one bigram: no deviation from itself"),
    ("a b c d", "a b c d", (0, 1, 2), 3, THIRDS, "the population's deviation of 0, 1, 2"),
    ("a b x x x x x x c d", "a b c d", (0, 8), 3, 4.0, "b c does not occur; 4 either side of place 4"),
    ("a b a b a b", "a b", (0,), 1, 0.0, "the first occurrence only"),
    ("a b c", "a b a b a b", (0,), 2, 0.0, "a set: a b once, and b a, which does not occur"),
    ("a b c", "c b a", (), 2, None, "no bigram occurs: no spread, which is not a spread of 0"),
    ("a b c", "a c", (), 1, None, "words that are there but no neighbours"),
    ("a b c", "a", (), 0, None, "one word has no bigram"),
    ("a b c", "", (), 0, None, "no word has none"),
    ("", "a b", (), 1, None, "an empty document"),
    ("x “The Cat” sat. Then", "the cat sat then", (1, 2, 3), 3, THIRDS, "case, marks, a sentence's end"),
    ("x a , b y", "a b y", (1, 3), 2, 1.0, "a lone comma is skipped and has its place"),
    ("it's the dog's", "its the dogs", (), 2, None, "marks within a word are part of it"),
    ("a a a", "a a a", (0,), 1, 0.0, "a word beside itself"),
    ("a\n\nb\u00a0c\tD", "a b c d", (0, 1, 2), 3, THIRDS, "any white space separates words"),
]


@pytest.mark.parametrize("row", GOLDEN, ids=[row[-1] for row in GOLDEN])
def test_spreads_worked_out_by_hand(row):
    document, output, places, bigrams, deviation, why = row
    result = spread(document, output)
    assert (result.places, result.bigrams, result.words) == (places, bigrams, len(document.split())), why
    assert result.deviation == (None if deviation is None else pytest.approx(deviation, abs=1e-12)), why


@pytest.mark.parametrize("task", [*TASKS.values(), SCROLLS.tasks["qasper"]], ids=str)
def test_the_measures_are_those_of_counting_everything_plainly(task):
    examples = load_embedded(task)
    measures = measure(task, examples)
    words = [len(example.input.split()) for example in examples]
    assert measures["words_in"] == {**distribution(words), "published_mean": task.size.words}
    outputs = [len(text.split()) for example in examples for text in example.references]
    assert measures["words_out"] == {**distribution(outputs), "published_mean": task.size.words_out}
    deviations = [mean_deviation(spreads_of_example(example)) for example in examples]
    measured = [value for value in deviations if value is not None]
    middle = pytest.approx(median(measured)) if measured else None
    assert (measures["spread"] and measures["spread"]["median"]) == middle
    assert measures["undissected"] == 0


def test_an_input_that_cannot_be_taken_apart_has_a_length_and_is_counted():
    odd = replace(load_embedded("qasper")[0], text="three plain words", indices=None)
    measures = measure(TASKS["qasper"], [odd])
    assert (measures["words_in"]["count"], measures["words_in"]["mean"]) == (1, 3)
    assert (measures["spread"], measures["undissected"]) == (None, 1)
