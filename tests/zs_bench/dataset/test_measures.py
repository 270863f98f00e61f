"""A split in words: against counting everything plainly, and with every document gone through once."""

from dataclasses import replace
from statistics import fmean, median, quantiles

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.dataset import measures, spread
from zs_bench.dataset.embedded import load_embedded
from zs_bench.dataset.measures import Distribution, measure
from zs_bench.tasks import TaskSize
from zs_metric import TASKS
from zs_metric.tasks import SCROLLS

numbers = st.lists(st.floats(0, 1e6) | st.integers(0, 10**6), min_size=1, max_size=30)


@given(numbers, st.sampled_from([0, 5, 25, 50, 75, 95, 100]))
def test_percentiles_are_those_of_numpy(values: list[float], share: int) -> None:
    found = Distribution.of(values)
    assert found is not None
    assert found.percentile(share) == pytest.approx(float(np.percentile(values, share)))


def test_nothing_has_no_distribution() -> None:
    assert Distribution.of([]) is None


def test_a_distribution_is_eight_numbers() -> None:
    found = Distribution.of(range(1, 102))
    assert found is not None
    measured = {"count": 101, "mean": 51, "min": 1, "p5": 6, "p25": 26, "median": 51, "p75": 76, "p95": 96, "max": 101}
    assert found.as_json() == measured
    assert quantiles(found.values, n=4, method="inclusive") == [26, 51, 76]


@pytest.mark.parametrize("task", TASKS)
def test_the_measures_are_those_of_counting_everything_plainly(task: str) -> None:
    examples = load_embedded(task)
    found = measure(TASKS[task], examples)
    assert found.words_in is not None
    assert found.words_in.values == tuple(sorted(len(one.input.split()) for one in examples))
    assert found.words_out is not None
    assert found.words_out.mean == fmean(len(text.split()) for one in examples for text in one.references)
    plain = [spread.mean_deviation(spread.spreads_of_example(one)) for one in examples]
    known = [value for value in plain if value is not None]
    assert (found.spread.median if found.spread else None) == (median(known) if known else None)
    assert found.published is not None
    assert found.undissected == 0


def test_a_document_is_gone_through_once_whoever_asks_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def spreads(document: str, outputs: list[str]) -> list[spread.Spread]:
        seen.append(document)
        return spread.spreads(document, outputs)

    monkeypatch.setattr(measures, "spreads", spreads)
    first, second = load_embedded("narrative_qa")
    many = [replace(one, id=f"{one.id}-{i}") for i in range(5) for one in (first, second)]
    found = measure(TASKS["narrative_qa"], many)
    assert sorted(seen) == sorted({first.document, second.document})
    once = measure(TASKS["narrative_qa"], [first, second])
    assert found.words_in is not None
    assert once.words_in is not None
    assert found.words_in.median == once.words_in.median
    assert found.spread is not None
    assert once.spread is not None
    assert len(found.spread.values) == 5 * len(once.spread.values)


def test_an_input_that_cannot_be_taken_apart_has_a_length_and_is_counted() -> None:
    odd = replace(load_embedded("qasper")[0], text="three plain words", indices=None)
    found = measure(TASKS["qasper"], [odd])
    assert found.words_in == Distribution((3,))
    assert (found.spread, found.undissected) == (None, 1)


def test_without_references_there_is_only_a_length_of_inputs() -> None:
    found = measure(TASKS["qasper"], [replace(one, references=[]) for one in load_embedded("qasper")])
    measured = found.as_json()
    assert (measured["words_out"], measured["spread"]) == (None, None)
    assert measured["words_in"]["published_mean"] == 3531


def test_the_averages_held_against_are_those_of_the_benchmark() -> None:
    measured = measure(SCROLLS.tasks["qasper"], load_embedded("qasper", benchmark="scrolls")).as_json()
    assert (measured["words_in"]["published_mean"], measured["words_out"]["published_mean"]) == (3629, 11.4)
    assert measure(SCROLLS.all_tasks["quality_hard"], []).published == TaskSize()


def test_no_examples_have_no_measures() -> None:
    measured = measure(TASKS["qasper"], []).as_json()
    assert measured == {"words_in": None, "words_out": None, "spread": None, "undissected": 0}
