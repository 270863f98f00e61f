"""Paired comparisons agree with exact enumeration, slow plain computations and simulated systems."""

from itertools import product
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.statistics.bootstrap import Interval
from zs_bench.statistics.columns import Points, differences, score_of
from zs_bench.statistics.paired_comparison import (
    PairedComparison,
    compare_on_benchmark,
    compare_on_task,
    more_examples,
    paired_units,
    standard_error,
)
from zs_metric import EmptyInput, ZeroScrollsError

PairedColumns = tuple[Points, Points, list[str] | None]


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


def plain_p_value(tasks: list[PairedColumns]) -> float:
    """Swap every choice of clusters in every task, score both systems again, and count."""
    groups = [
        (task, [i for i in range(len(a)) if (names[i] if names else i) == label])
        for task, (a, _, names) in enumerate(tasks)
        for label in (dict.fromkeys(names) if names else range(len(a)))
    ]
    observed = abs(fmean(score_of(a) - score_of(b) for a, b, _ in tasks))
    values = []
    for swaps in product([False, True], repeat=len(groups)):
        sides = [(a.copy(), b.copy()) for a, b, _ in tasks]
        for swap, (task, rows) in zip(swaps, groups, strict=True):
            if swap:
                a, b = sides[task]
                a[rows], b[rows] = b[rows].copy(), a[rows].copy()
        values.append(abs(fmean(score_of(a) - score_of(b) for a, b in sides)))
    return fmean(value >= observed - 1e-9 for value in values)


@pytest.mark.parametrize("names", [None, list("xxyzzzuvvw")])
@pytest.mark.parametrize("k", [1, 3])
def test_few_examples_are_enumerated_and_the_p_value_is_exact(k: int, names: list[str] | None) -> None:
    a, b = systems(10, k)
    found = compare_on_task(a, b, names)
    assert found.exact
    assert found.p_value == pytest.approx(plain_p_value([(a, b, names)]), abs=1e-12)


def test_the_p_value_of_the_average_is_exact_as_well() -> None:
    tasks: dict[str, PairedColumns] = {"one": (*systems(5, 3), None), "two": (*systems(7, 1, 2), list("xxyyzzz"))}
    found = compare_on_benchmark(tasks)
    assert found.exact
    assert found.p_value == pytest.approx(plain_p_value(list(tasks.values())), abs=1e-12)


def test_a_rouge_column_that_is_zero_stays_zero_under_every_swap() -> None:
    a, b = systems(8, 3)
    a[:, 1] = b[:, 1] = 0
    found = compare_on_task(a, b)
    assert (found.difference, found.p_value, found.more_examples) == (0, 1, None)


@pytest.mark.parametrize("k", [1, 3])
def test_drawn_swaps_come_near_the_exact_p_value(k: int) -> None:
    a, b = systems(14, k)
    exact, drawn = compare_on_task(a, b, rounds=2**14), compare_on_task(a, b, rounds=2000)
    assert exact.exact
    assert not drawn.exact
    assert drawn.rounds == 2000
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.03)


def test_a_drawn_p_value_is_never_zero() -> None:
    found = compare_on_task(np.full((100, 1), 100.0), np.zeros((100, 1)), rounds=999)
    assert found.p_value == 1 / 1000
    assert found.separated()


def test_on_right_and_wrong_answers_it_is_the_sign_test() -> None:
    a = np.array([[100.0]] * 6 + [[0.0]] * 2 + [[100.0]] * 40)
    b = np.array([[0.0]] * 6 + [[100.0]] * 2 + [[100.0]] * 40)
    assert compare_on_task(a, b).p_value == pytest.approx(2 * (1 + 8 + 28) / 2**8)


def test_systems_that_are_alike_are_separated_in_five_of_a_hundred_cases() -> None:
    draw = np.random.default_rng(1)
    base = 30 + draw.normal(0, 10, (400, 40, 1))
    found = [
        compare_on_task(
            one + draw.normal(0, 8, one.shape), one + draw.normal(0, 8, one.shape), resamples=1, rounds=400, seed=i
        )
        for i, one in enumerate(base)
    ]
    assert 0.02 <= fmean(result.separated() for result in found) <= 0.08


def test_with_as_many_examples_as_it_asks_for_four_of_five_trials_separate() -> None:
    draw, gain, spread = np.random.default_rng(1), 2.0, 10.0
    more = more_examples(gain, spread / 20**0.5, 20)
    assert more == 197 - 20
    trials = [draw.normal(gain, spread, (20 + more, 1)) for _ in range(300)]
    found = [compare_on_task(d, np.zeros_like(d), resamples=1, rounds=400, seed=i) for i, d in enumerate(trials)]
    assert 0.74 <= fmean(result.separated() for result in found) <= 0.86


def test_without_a_difference_no_number_of_examples_is_enough() -> None:
    a, _ = systems(20, 3)
    found = compare_on_task(a, a)
    assert (found.difference, found.p_value, found.wins, found.ties, found.losses) == (0, 1, 0, 20, 0)
    assert (found.more_examples, ends(found)) == (None, (0, 0))


def test_two_that_are_far_apart_need_no_more_examples() -> None:
    assert compare_on_task(np.full((10, 1), 90.0), np.zeros((10, 1))).more_examples == 0


def test_the_jackknife_of_a_mean_is_the_usual_standard_error() -> None:
    a, b = systems(30, 1)
    usual = stdev((a - b)[:, 0].tolist()) / 30**0.5
    assert standard_error([paired_units(a, b, None)]) == pytest.approx(usual)


@pytest.mark.parametrize("names", [None, [str(i // 3) for i in range(30)]])
def test_the_jackknife_leaves_out_one_cluster_after_another(names: list[str] | None) -> None:
    a, b = systems(30, 3)
    labels = np.array(names or [str(i) for i in range(30)])
    left = [score_of(a[labels != name]) - score_of(b[labels != name]) for name in dict.fromkeys(labels.tolist())]
    variance = (len(left) - 1) / len(left) * sum((value - fmean(left)) ** 2 for value in left)
    assert standard_error([paired_units(a, b, names)]) == pytest.approx(variance**0.5)


@pytest.mark.parametrize("k", [1, 3])
def test_the_interval_draws_the_same_examples_for_both(k: int) -> None:
    a, b = systems(200, k)
    low, high = ends(compare_on_task(a, b, resamples=4000))
    draw = np.random.default_rng(5)
    values = [score_of(a[rows]) - score_of(b[rows]) for rows in draw.integers(200, size=(4000, 200))]
    assert (low, high) == pytest.approx(tuple(np.percentile(values, [2.5, 97.5])), abs=0.25)
    assert high - low < 0.7 * (ends(compare_on_task(a, b[::-1]))[1] - ends(compare_on_task(a, b[::-1]))[0])


def test_wins_and_losses_count_examples_by_their_own_score() -> None:
    a = np.array([[40.0, 20.0, 40.0], [10.0, 10.0, 10.0], [90.0, 0.0, 90.0]])
    b = np.array([[20.0, 40.0, 40.0], [9.0, 9.0, 9.0], [10.0, 10.0, 10.0]])
    found = compare_on_task(a, b)
    assert (found.wins, found.ties, found.losses) == (1, 1, 1)
    assert differences(np.hstack([a, b])).tolist() == pytest.approx([0, 1, -10])


def test_the_average_is_the_mean_of_the_tasks_differences() -> None:
    tasks: dict[str, PairedColumns] = {
        "one": (*systems(40, 3), None),
        "two": (*systems(30, 1, 2), [str(i // 3) for i in range(30)]),
    }
    parts, whole = [compare_on_task(*pair) for pair in tasks.values()], compare_on_benchmark(tasks)
    assert whole.difference == pytest.approx(fmean(part.difference for part in parts))
    assert whole.wins == sum(part.wins for part in parts)
    assert whole.ties == sum(part.ties for part in parts)
    assert whole.interval
    assert whole.interval.clusters == 10
    errors = [standard_error([paired_units(*pair)]) for pair in tasks.values()]
    assert whole.more_examples == more_examples(whole.difference, (errors[0] ** 2 + errors[1] ** 2) ** 0.5 / 2, 70)


columns_of_two = st.integers(10, 14).flatmap(
    lambda rows: st.tuples(
        *[st.lists(st.sampled_from([0.0, 12.5, 50.0, 100.0]), min_size=3 * rows, max_size=3 * rows) for _ in range(2)]
    )
)


@given(columns_of_two, st.sampled_from([1, 3]))
def test_changing_sides_mirrors_the_comparison(pair: tuple[list[float], list[float]], k: int) -> None:
    a, b = (np.array(values).reshape(-1, k) for values in pair)
    there, back = compare_on_task(a, b, resamples=50, rounds=100), compare_on_task(b, a, resamples=50, rounds=100)
    assert there.difference == pytest.approx(-back.difference, abs=1e-9)
    assert ends(there) == pytest.approx((-ends(back)[1], -ends(back)[0]), abs=1e-9)
    assert (there.p_value, there.wins, there.more_examples) == (back.p_value, back.losses, back.more_examples)


def test_the_order_of_examples_and_tasks_does_not_matter() -> None:
    one, two, names = systems(40, 1), systems(30, 3), [str(i // 3) for i in range(30)]
    turned = {"two": (two[0][::-1], two[1][::-1], names[::-1]), "one": (one[0][::-1], one[1][::-1], None)}
    found, again = compare_on_benchmark({"one": (*one, None), "two": (*two, names)}), compare_on_benchmark(turned)
    assert ends(found) == pytest.approx(ends(again), abs=1e-9)
    assert (found.p_value, found.more_examples) == (again.p_value, again.more_examples)


def test_the_same_seed_gives_the_same_comparison_twice() -> None:
    assert (
        compare_on_task(*systems(60, 3)) == compare_on_task(*systems(60, 3)) != compare_on_task(*systems(60, 3), seed=4)
    )


def test_nine_examples_have_a_p_value_but_no_interval() -> None:
    assert compare_on_task(*systems(10, 1)).interval is not None
    nine = compare_on_task(*systems(9, 1))
    assert nine.interval is None
    assert nine.p_value < 1
    assert nine.more_examples is not None


def test_a_single_example_separates_nothing() -> None:
    found = compare_on_task(np.array([[100.0]]), np.array([[0.0]]))
    assert (found.p_value, found.interval, found.more_examples, found.separated()) == (1, None, None, False)


def test_systems_on_different_examples_are_refused() -> None:
    with pytest.raises(ZeroScrollsError, match=r"\(3, 1\) and \(2, 1\)"):
        compare_on_task(np.zeros((3, 1)), np.zeros((2, 1)))
    with pytest.raises(ZeroScrollsError, match="1 clusters and 3 examples"):
        compare_on_task(np.zeros((3, 1)), np.zeros((3, 1)), ["x"])


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(EmptyInput, match="no examples"):
        compare_on_task(np.empty((0, 1)), np.empty((0, 1)))
    with pytest.raises(EmptyInput, match="no tasks"):
        compare_on_benchmark({})


def test_rounds_out_of_range_are_refused_by_name() -> None:
    with pytest.raises(ZeroScrollsError, match="rounds is 0"):
        compare_on_task(*systems(5, 1), rounds=0)
