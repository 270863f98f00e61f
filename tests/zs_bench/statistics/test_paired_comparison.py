"""Comparisons of two systems: one interval decides, its p-value agrees, and a gate lets no worse system pass."""

from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import calibration
from zs_bench.statistics.columns import score_of
from zs_bench.statistics.intervals import Interval, difference_estimate, student_quantile
from zs_bench.statistics.paired_comparison import PairedComparison, compare_on_benchmark, compare_on_task, holm
from zs_metric import EmptyInput, ZeroScrollsError


def systems(rows, k=1, seed=1, gain=5):
    """Two systems of which the first is somewhat better; some rows are equal."""
    draw = np.random.default_rng(seed)
    b = 100 * draw.random((rows, k)) ** 2
    a = np.clip(b + draw.normal(gain, 15, b.shape), 0, 100)
    a[::5] = b[::5]
    return a, b


def ends(comparison):
    return comparison.interval.low, comparison.interval.high


def width(comparison):
    low, high = ends(comparison)
    return high - low


def compared(difference, low, high, below, examples=100):
    """A comparison whose difference is below `below` with 95 % confidence."""
    return PairedComparison(difference, Interval(low, high), below, 0.5, 0, examples, 0)


@pytest.mark.parametrize("k", [1, 3])
def test_the_difference_is_that_of_the_scores_and_its_interval_that_of_many_resamples(k):
    a, b = systems(400, k)
    comparison, draw = compare_on_task(a, b), np.random.default_rng(5)
    assert comparison.difference == pytest.approx(score_of(a) - score_of(b))
    values = [score_of(a[rows]) - score_of(b[rows]) for rows in draw.integers(400, size=(2000, 400))]
    assert ends(comparison) == pytest.approx(tuple(np.percentile(values, [2.5, 97.5])), abs=0.3)
    assert width(comparison) < 0.7 * width(compare_on_task(a, b[::-1]))


def test_examples_of_one_document_stay_together():
    repeated = [np.repeat(values, 4, axis=0) for values in systems(25)]
    alone, together = compare_on_task(*repeated), compare_on_task(*repeated, [str(i // 4) for i in range(100)])
    assert width(together) == pytest.approx(2 * width(alone), rel=0.1)
    assert together.interval.clusters == 25


@given(
    st.integers(10, 14).flatmap(
        lambda rows: st.tuples(
            *[st.lists(st.sampled_from([0.0, 12.5, 50.0, 100.0]), min_size=3 * rows, max_size=3 * rows)] * 2
        )
    ),
    st.sampled_from([1, 3]),
)
def test_the_p_value_is_the_other_side_of_the_interval_and_changing_sides_mirrors_all(pair, k):
    a, b = (np.array(values).reshape(-1, k) for values in pair)
    there, back = compare_on_task(a, b), compare_on_task(b, a)
    low, high = ends(there)
    assert low < high
    assert -100 <= low <= there.difference <= high <= 100
    assert there.separated() == (there.p_value < 0.05)
    assert ends(back) == pytest.approx((-high, -low), abs=1e-9)
    assert (back.p_value, back.wins) == (pytest.approx(there.p_value), there.losses)


def test_equal_systems_are_not_told_apart_and_one_change_in_many_is_not_clear():
    a, _ = systems(20, 3)
    same = compare_on_task(a, a)
    assert (same.difference, same.p_value, same.wins, same.ties, same.losses) == (0, 1, 0, 20, 0)
    assert ends(same)[0] < -5, "a change that the 20 examples do not show is possible"
    right, one_less = np.full((100, 1), 100.0), np.repeat([100.0, 0.0], [99, 1])[:, None]
    assert not compare_on_task(right, one_less).separated()
    clear = compare_on_task(right, np.zeros((100, 1)))
    assert (clear.separated(), clear.p_value) == (True, pytest.approx(0, abs=1e-9))


def test_the_average_is_the_mean_of_the_tasks_and_has_an_interval_of_its_own():
    tasks = {"one": (*systems(40, 3), None), "two": (*systems(30, 1, 2), [str(i // 3) for i in range(30)])}
    parts, whole = [compare_on_task(*pair) for pair in tasks.values()], compare_on_benchmark(tasks)
    assert whole.difference == pytest.approx(fmean(part.difference for part in parts))
    assert whole.interval.clusters == 10
    assert width(whole) == pytest.approx(np.hypot(*map(width, parts)) / 2, rel=0.05)


@pytest.mark.parametrize(
    ("numbers", "with_margin", "without"),
    [
        ((-1, -2, -0.1, -0.2), "better", "better"),
        ((0.5, -1, 2, 1.99), "as good", "undecided"),
        ((0.5, -1, 2.5, 2.0), "undecided", "undecided"),
        ((1, 0.1, 1.9, 1.8), "as good", "worse"),
        ((3, 0.1, 5, 4.8), "worse", "worse"),
        ((0, -9, 9, 8), "undecided", "undecided"),
        ((-1, -9, 0, -0.1), "as good", "undecided"),
        ((5, 0, 9, 8), "undecided", "undecided"),
    ],
)
def test_a_verdict_needs_the_interval_on_one_side(numbers, with_margin, without):
    comparison = compared(*numbers)
    assert (comparison.verdict(2.0), comparison.verdict()) == (with_margin, without)
    assert comparison.separated() == (without != "undecided")


def test_the_ends_of_a_comparison_are_those_of_its_levels():
    a, b = systems(60, gain=3)
    comparison, estimate = compare_on_task(a, b), difference_estimate(a, b, None)
    _, up = estimate.reach(student_quantile(0.95, estimate.freedom))
    assert comparison.below == pytest.approx(100 * (estimate.value + up))
    down, _ = estimate.reach(student_quantile(1 - comparison.p_value / 2, estimate.freedom))
    assert down == pytest.approx(estimate.value), "at this level the interval begins at 0"


def test_examples_of_almost_equal_scores_are_ties():
    b = np.full((12, 1), 50.0)
    comparison = compare_on_task(b + np.repeat([1e-10, -1e-10, 1e-8, -1e-8], 3)[:, None], b)
    assert (comparison.wins, comparison.ties, comparison.losses) == (3, 6, 3)


def test_corrected_p_values_are_at_most_1():
    assert holm({"a": 0.9, "b": 0.8}) == {"a": 1.0, "b": 1.0}


@pytest.mark.parametrize(
    ("rows", "clusters", "reason"),
    [
        (9, None, "fewer than 10 examples"),
        (20, [str(i % 4) for i in range(20)], "fewer than 5 documents"),
        (10, None, ""),
    ],
)
def test_below_ten_examples_or_five_documents_there_is_a_reason_and_neither_interval_nor_p_value(
    rows, clusters, reason
):
    comparison = compare_on_task(*systems(rows), clusters)
    assert comparison.reason == reason
    assert (comparison.interval is None) == (comparison.p_value is None) == bool(reason)
    assert comparison.verdict(90.0) == ("undecided" if reason else "as good")


def test_with_as_many_examples_as_it_asks_for_four_of_five_trials_decide():
    error = 10 / 40**0.5
    planned = compared(2.0, 2 - 1.96 * error, 2 + 1.96 * error, 5, 40).needed()
    assert planned.about == pytest.approx(197 - 40, abs=1)
    assert planned.least < planned.about < planned.most
    draw = np.random.default_rng(1)
    trials = [50 + draw.normal(2.0, 10, (40 + planned.about, 1)) for _ in range(300)]
    results = [compare_on_task(values, np.full_like(values, 50.0)) for values in trials]
    assert 0.74 <= fmean(result.separated() for result in results) <= 0.86


def test_the_number_needed_is_the_nearest_verdict_and_none_where_it_cannot_be_told():
    loss = (0.5, -3.5, 4.5, 3.8)
    with_margin, without = compared(*loss).needed(3.0), compared(*loss).needed()
    assert with_margin.about < without.about
    assert without.most is None, "the difference may be 0"
    assert [bool(compared(*loss, examples=count).needed(3.0)) for count in (29, 30)] == [False, True]
    assert compared(0, -9, 9, 8).needed() is None, "there is no difference to show"
    assert compared(0.5, -1, 2, 1.9).needed(2.0) is None, "it is as good"
    # Already enough examples at one standard error more, since the interval of these is wide by chance.
    near = compared(1.9, -0.1, 3.9, 3.8).needed()
    assert (near.about, near.least) == (127, 0)


def test_a_system_worse_by_the_margin_rarely_passes_and_an_equal_one_mostly():
    for name, size in (("right/wrong 95 %", 60), ("F1, 70 % zeros", 60), ("ROUGE", 20)):
        assert calibration.as_good(name, size, 2.0, 2.0, draws=400) <= 6.5
    assert calibration.as_good("right/wrong 80 %", 500, 0.0, 3.0, draws=100) >= 80


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(ZeroScrollsError, match=r"\(3, 1\) and \(2, 1\)"):
        compare_on_task(np.zeros((3, 1)), np.zeros((2, 1)))
    with pytest.raises(ZeroScrollsError, match="1 clusters and 3 examples"):
        compare_on_task(np.zeros((3, 1)), np.zeros((3, 1)), ["x"])
    with pytest.raises(EmptyInput, match="no tasks"):
        compare_on_benchmark({})
