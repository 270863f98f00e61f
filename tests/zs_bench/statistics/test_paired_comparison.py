"""Comparisons of two systems: one interval decides, its p-value agrees, and a gate lets no worse system pass."""

from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import calibration
from zs_bench.statistics.columns import Points, score_of
from zs_bench.statistics.intervals import Interval, difference_estimate, student_quantile
from zs_bench.statistics.paired_comparison import (
    PairedColumns,
    PairedComparison,
    compare_on_benchmark,
    compare_on_task,
    holm,
)
from zs_metric import EmptyInput, ZeroScrollsError


def systems(rows: int, k: int, seed: int = 1, gain: float = 5) -> tuple[Points, Points]:
    """Two systems of which the first is somewhat better; some rows are equal."""
    draw = np.random.default_rng(seed)
    b = 100 * draw.random((rows, k)) ** 2
    a = np.clip(b + draw.normal(gain, 15, b.shape), 0, 100)
    a[::5] = b[::5]
    return a, b


def ends(found: PairedComparison) -> tuple[float, float]:
    assert isinstance(found.interval, Interval)
    return found.interval.low, found.interval.high


def compared(difference: float, low: float, high: float, below: float, examples: int = 100) -> PairedComparison:
    """A comparison whose difference is below `below` with 95 % confidence."""
    return PairedComparison(difference, Interval(low, high), below, 0.5, 0, examples, 0)


@pytest.mark.parametrize("k", [1, 3])
def test_the_difference_is_that_of_the_scores_and_its_interval_that_of_many_resamples(k: int) -> None:
    a, b = systems(400, k)
    found, draw = compare_on_task(a, b), np.random.default_rng(5)
    assert found.difference == pytest.approx(score_of(a) - score_of(b))
    values = [score_of(a[rows]) - score_of(b[rows]) for rows in draw.integers(400, size=(2000, 400))]
    assert ends(found) == pytest.approx(tuple(np.percentile(values, [2.5, 97.5])), abs=0.3)
    assert ends(found)[1] - ends(found)[0] < 0.7 * np.subtract(*ends(compare_on_task(a, b[::-1]))[::-1])


def test_examples_of_one_document_stay_together() -> None:
    a, b = systems(25, 1)
    names = [str(i // 4) for i in range(100)]
    repeated = [np.repeat(values, 4, axis=0) for values in (a, b)]
    alone, together = compare_on_task(*repeated), compare_on_task(*repeated, names)
    assert np.subtract(*ends(together)) == pytest.approx(2 * np.subtract(*ends(alone)), rel=0.1)
    assert together.interval
    assert together.interval.clusters == 25


@given(
    st.integers(10, 14).flatmap(
        lambda rows: st.tuples(
            *[st.lists(st.sampled_from([0.0, 12.5, 50.0, 100.0]), min_size=3 * rows, max_size=3 * rows)] * 2
        )
    ),
    st.sampled_from([1, 3]),
)
def test_the_p_value_is_the_other_side_of_the_interval_and_changing_sides_mirrors_all(
    pair: tuple[list[float], list[float]], k: int
) -> None:
    a, b = (np.array(values).reshape(-1, k) for values in pair)
    there, back = compare_on_task(a, b), compare_on_task(b, a)
    low, high = ends(there)
    assert low < high
    assert -100 <= low <= there.difference <= high <= 100
    assert there.p_value is not None
    assert there.separated() == (there.p_value < 0.05)
    assert ends(back) == pytest.approx((-high, -low), abs=1e-9)
    assert (back.p_value, back.wins) == (pytest.approx(there.p_value), there.losses)


def test_equal_systems_are_not_told_apart_and_one_change_in_many_is_not_clear() -> None:
    a, _ = systems(20, 3)
    same = compare_on_task(a, a)
    assert (same.difference, same.p_value, same.wins, same.ties, same.losses) == (0, 1, 0, 20, 0)
    assert ends(same)[0] < -5, "a change that the 20 examples do not show is possible"
    right = np.full((100, 1), 100.0)
    one_less = right.copy()
    one_less[3] = 0
    assert not compare_on_task(right, one_less).separated()
    assert compare_on_task(right, np.zeros((100, 1))).separated()


def test_the_average_is_the_mean_of_the_tasks_and_has_an_interval_of_its_own() -> None:
    tasks: dict[str, PairedColumns] = {
        "one": (*systems(40, 3), None),
        "two": (*systems(30, 1, 2), [str(i // 3) for i in range(30)]),
    }
    parts, whole = [compare_on_task(*pair) for pair in tasks.values()], compare_on_benchmark(tasks)
    assert whole.difference == pytest.approx(fmean(part.difference for part in parts))
    assert whole.interval
    assert whole.interval.clusters == 10
    widths = [np.subtract(*ends(part)) for part in parts]
    assert np.subtract(*ends(whole)) == pytest.approx(-np.hypot(*widths) / 2, rel=0.05)


def test_a_verdict_needs_the_interval_on_one_side() -> None:
    cases = [
        (compared(-1, -2, -0.1, -0.2), "better"),
        (compared(0.5, -1, 2, 1.99), "as good"),
        (compared(0.5, -1, 2.5, 2.0), "undecided"),
        (compared(1, 0.1, 1.9, 1.8), "as good"),
        (compared(3, 0.1, 5, 4.8), "worse"),
        (compared(0, -9, 9, 8), "undecided"),
        (compared(-1, -9, 0, -0.1), "as good"),
        (compared(5, 0, 9, 8), "undecided"),
    ]
    assert [found.verdict(2.0) for found, _ in cases] == [kind for _, kind in cases]
    assert [found.verdict() for found, _ in cases][1:4] == ["undecided", "undecided", "worse"]
    assert compare_on_task(*systems(9, 1)).verdict(50.0) == "undecided"


def test_the_ends_of_a_comparison_are_those_of_its_levels() -> None:
    a, b = systems(60, 1, gain=3)
    found, estimate = compare_on_task(a, b), difference_estimate(a, b, None)
    _, up = estimate.reach(student_quantile(0.95, estimate.freedom))
    assert found.below == pytest.approx(100 * (estimate.value + up))
    assert found.p_value
    down, _ = estimate.reach(student_quantile(1 - found.p_value / 2, estimate.freedom))
    assert down == pytest.approx(estimate.value), "at this level the interval begins at 0"
    right, wrong = np.full((400, 1), 100.0), np.zeros((400, 1))
    certain = compare_on_task(right, wrong)
    assert certain.p_value == pytest.approx(0, abs=1e-9)
    assert (compared(1, 0, 2, 3).separated(), compared(1, -2, 0, 3).separated()) == (False, False)


def test_examples_of_almost_equal_scores_are_ties() -> None:
    b = np.full((12, 1), 50.0)
    a = b + np.repeat([1e-10, -1e-10, 1e-8, -1e-8], 3)[:, None]
    found = compare_on_task(a, b)
    assert (found.wins, found.ties, found.losses) == (3, 6, 3)
    assert holm({"a": 0.9, "b": 0.8}) == {"a": 1.0, "b": 1.0}


def test_below_ten_examples_or_five_documents_there_is_a_reason_and_neither_interval_nor_p_value() -> None:
    nine = compare_on_task(*systems(9, 1))
    assert (nine.interval, nine.p_value, nine.reason) == (None, None, "fewer than 10 examples")
    four = compare_on_task(*systems(20, 1), [str(i % 4) for i in range(20)])
    assert (four.interval, four.p_value, four.reason) == (None, None, "fewer than 5 documents")
    assert compare_on_task(*systems(20, 1), ["emma"] * 20).reason == "fewer than 5 documents"


def test_with_as_many_examples_as_it_asks_for_four_of_five_trials_decide() -> None:
    error = 10 / 40**0.5
    planned = compared(2.0, 2 - 1.96 * error, 2 + 1.96 * error, 5, 40).needed()
    assert planned
    assert planned.about == pytest.approx(197 - 40, abs=1)
    assert planned.least < planned.about < (planned.most or 0)
    draw = np.random.default_rng(1)
    trials = [50 + draw.normal(2.0, 10, (40 + planned.about, 1)) for _ in range(300)]
    found = [compare_on_task(values, np.full_like(values, 50.0)) for values in trials]
    assert 0.74 <= fmean(result.separated() for result in found) <= 0.86


def test_the_number_needed_is_the_nearest_verdict_and_none_where_it_cannot_be_told() -> None:
    loss = compared(0.5, -3.5, 4.5, 3.8)
    with_margin, without = loss.needed(3.0), loss.needed()
    assert with_margin
    assert without
    assert with_margin.about < without.about
    assert without.most is None, "the difference may be 0"
    assert compared(0.5, -3.5, 4.5, 3.8, examples=29).needed(3.0) is None
    assert compared(0.5, -3.5, 4.5, 3.8, examples=30).needed(3.0)
    assert compared(0, -9, 9, 8).needed() is None, "there is no difference to show"
    # Already enough examples at one standard error more, since the interval of these is wide by chance.
    near = compared(1.9, -0.1, 3.9, 3.8).needed()
    assert near
    assert (near.about, near.least) == (127, 0)
    assert compared(0.5, -1, 2, 1.9).needed(2.0) is None, "it is as good"


def test_a_system_worse_by_the_margin_rarely_passes_and_an_equal_one_mostly() -> None:
    for name, size in (("right/wrong 95 %", 60), ("F1, 70 % zeros", 60), ("ROUGE", 20)):
        assert calibration.as_good(name, size, 2.0, 2.0, draws=400) <= 6.5
    assert calibration.as_good("right/wrong 80 %", 500, 0.0, 3.0, draws=100) >= 80


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ZeroScrollsError, match=r"\(3, 1\) and \(2, 1\)"):
        compare_on_task(np.zeros((3, 1)), np.zeros((2, 1)))
    with pytest.raises(ZeroScrollsError, match="1 clusters and 3 examples"):
        compare_on_task(np.zeros((3, 1)), np.zeros((3, 1)), ["x"])
    with pytest.raises(EmptyInput, match="no examples"):
        compare_on_task(np.empty((0, 1)), np.empty((0, 1)))
    with pytest.raises(EmptyInput, match="no tasks"):
        compare_on_benchmark({})
