"""The measures of a split agree with plain counting, and search each document once."""

from dataclasses import replace
from statistics import fmean, median

import pytest

from zs_bench.dataset.embedded import load_embedded
from zs_bench.dataset.measures import distribution, mean_deviation, measure, spreads_of_example
from zs_bench.tasks import info
from zs_metric import TASKS
from zs_metric.tasks import SCROLLS


@pytest.mark.parametrize("task", TASKS)
def test_the_measures_are_those_of_counting_everything_plainly(task: str) -> None:
    examples = load_embedded(task)
    found = measure(TASKS[task], examples)
    inputs = [len(one.input.split()) for one in examples]
    assert found["words_in"] == {**(distribution(inputs) or {}), "published_mean": info(TASKS[task]).size.words}
    assert found["words_out"]["mean"] == fmean(len(text.split()) for one in examples for text in one.references)
    plain = [mean_deviation(spreads_of_example(one)) for one in examples]
    known = [value for value in plain if value is not None]
    assert (found["spread"] and found["spread"]["median"]) == (median(known) if known else None)
    assert found["undissected"] == 0


def test_an_input_that_cannot_be_taken_apart_has_a_length_and_is_counted() -> None:
    odd = replace(load_embedded("qasper")[0], text="three plain words", indices=None)
    found = measure(TASKS["qasper"], [odd])
    assert (found["words_in"]["count"], found["words_in"]["mean"]) == (1, 3)
    assert (found["spread"], found["undissected"]) == (None, 1)


def test_the_averages_held_against_are_those_of_the_benchmark() -> None:
    measured = measure(SCROLLS.tasks["qasper"], load_embedded("qasper", benchmark="scrolls"))
    assert (measured["words_in"]["published_mean"], measured["words_out"]["published_mean"]) == (3629, 11.4)
