"""Comparisons of two systems: one interval decides, its p-value agrees, and a gate lets no worse system pass."""

import math
from statistics import fmean

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks import calibration
from zs_bench.statistics.intervals import Interval, score_of, student_quantile
from zs_bench.statistics.paired_comparison import Pair, PairedComparison, compare_on_benchmark
from zs_metric import EmptyInput, ZeroScrollsError


def systems(rows, k=1, seed=1, gain=5):
    """Two systems of which the new one is somewhat better; some rows are equal."""
    draw = np.random.default_rng(seed)
    old = 100 * draw.random((k, rows)) ** 2
    new = np.clip(old + draw.normal(gain, 15, old.shape), 0, 100)
    new[:, ::5] = old[:, ::5]
    return old.tolist(), new.tolist()


def compare_on_task(*systems_and_clusters):
    return compare_on_benchmark({"": Pair(*systems_and_clusters)})


def changed(changes, factor=1.0):
    """Compare answers that change from 50 by these points."""
    return compare_on_task([[50.0] * len(changes)], [[50 + factor * change for change in changes]])


def ends(comparison):
    return comparison.interval.low, comparison.interval.high


def width(comparison):
    low, high = ends(comparison)
    return high - low


CHANGES = st.lists(st.floats(-20, 20).map(lambda change: round(change, 2)), min_size=10, max_size=40)


def test_the_interval_is_that_of_the_formula():
    (old,), (new,) = systems(30)
    change = np.subtract(new, old)
    size = (change**2).sum() / np.abs(change).sum()
    error = math.sqrt((((change - change.mean()) ** 2).sum() + 2 * size**2) / (30 * 31))
    reach = student_quantile(31) * error
    assert ends(compare_on_task([old], [new])) == pytest.approx((change.mean() - reach, change.mean() + reach))


@pytest.mark.parametrize("k", [1, 3])
def test_the_difference_is_that_of_the_scores_and_its_interval_that_of_many_resamples(k):
    old, new = systems(400, k)
    comparison = compare_on_task(old, new)
    assert comparison.difference == pytest.approx(score_of(new) - score_of(old))
    rows = np.random.default_rng(5).integers(400, size=(2000, 400))
    means = [np.prod(np.array(side)[:, rows].mean(axis=2), axis=0) ** (1 / k) for side in (old, new)]
    assert ends(comparison) == pytest.approx(tuple(np.percentile(means[1] - means[0], [2.5, 97.5])), abs=0.3)
    assert width(comparison) < 0.7 * width(compare_on_task(old, [column[::-1] for column in new]))


@pytest.mark.parametrize(("flips", "p"), [(4, 0.101), (5, 0.057), (6, 0.033), (7, 0.019)])
def test_one_sided_flips_of_200_are_as_clear_as_by_mcnemars_test(flips, p):
    result = compare_on_task([[100.0] * 200], [[0.0] * flips + [100.0] * (200 - flips)])
    assert result.p_value == pytest.approx(p, abs=0.0005)


def test_a_small_change_in_nearly_every_answer_is_clear():
    assert changed([-6.0 - i % 3 for i in range(21)]).p_value < 1e-9
    mixed = changed([*[-0.15] * 117, *[0.0] * 51, *[0.06] * 32])
    assert mixed.p_value < 1e-15
    assert -0.1 < mixed.interval.low < mixed.interval.high < -0.06


@given(CHANGES, st.floats(0.01, 2))
def test_the_p_value_is_the_other_side_of_the_interval_and_a_factor_or_the_order_changes_nothing(changes, factor):
    assume(any(changes))
    result, other = changed(changes), changed(changes, factor)
    back = compare_on_task([[50 + change for change in changes]], [[50.0] * len(changes)])
    assert result.p_value == pytest.approx(other.p_value, rel=1e-6, abs=1e-12)
    assert result.p_value == pytest.approx(back.p_value, rel=1e-6, abs=1e-12)
    low, high = ends(result)
    assert ends(back) == pytest.approx((-high, -low))
    assert (back.wins, back.ties, back.losses) == (result.losses, result.ties, result.wins)
    assert low < result.difference < high
    assert (low > 0 or high < 0) == (result.p_value < 0.05)


@given(CHANGES, st.floats(0.5, 10))
def test_a_further_loss_of_every_answer_makes_a_loss_clearer(changes, more):
    assume(fmean(changes) < -0.1)
    assert changed([change - more for change in changes]).p_value < changed(changes).p_value


@given(CHANGES)
def test_a_gain_that_becomes_a_loss_makes_a_loss_clearer(changes):
    assume(fmean(changes) < -0.1)
    assume(max(changes) > 0.1)
    worse = [*changes]
    worse[changes.index(max(changes))] *= -1
    assert changed(worse).p_value < changed(changes).p_value


def test_examples_of_one_document_stay_together_unless_they_cancel():
    repeated = [[np.repeat(column, 4).tolist() for column in side] for side in systems(25)]
    names = [str(i // 4) for i in range(100)]
    alone, together = compare_on_task(*repeated), compare_on_task(*repeated, names)
    assert width(together) == pytest.approx(2 * width(alone), rel=0.15)
    assert together.interval.clusters == 25
    cancel = [[50.0] * 100], [[55.0, 45.0] * 50]
    assert width(compare_on_task(*cancel, names)) == pytest.approx(width(compare_on_task(*cancel)), rel=0.1)


def test_identical_answers_and_equal_scores_have_neither_interval_nor_p_value():
    old, _ = systems(20, 3)
    same = compare_on_benchmark({"": Pair(old, old, identical=True)})
    assert (same.difference, same.interval, same.p_value, same.reason) == (0, None, None, "")
    assert (same.verdict(), same.verdict(0.1), same.passes(0.1)) == ("identical", "identical", True)
    equal = compare_on_task(old, old)
    assert (equal.interval, equal.p_value, equal.ties) == (None, None, 20)
    assert (equal.verdict(), equal.verdict(14), equal.verdict(16)) == ("undecided", "undecided", "as good")
    few = [column[:9] for column in old]
    result = compare_on_benchmark({"": Pair(few, few, identical=True)})
    assert (result.verdict(), result.passes(50), result.reason) == ("identical", False, "fewer than 10 examples")
    documents = compare_on_benchmark({"": Pair(old, old, ["one"] * 20, identical=True)})
    assert documents.passes(1), "it needs no documents"


def test_the_average_is_the_mean_of_the_tasks_and_has_an_interval_of_its_own():
    tasks = {"one": Pair(*systems(40, 3)), "two": Pair(*systems(30, 1, 2), [str(i // 3) for i in range(30)])}
    parts, whole = [compare_on_benchmark({"": pair}) for pair in tasks.values()], compare_on_benchmark(tasks)
    assert whole.difference == pytest.approx(fmean(part.difference for part in parts))
    assert whole.interval.clusters == 10
    assert width(whole) == pytest.approx(np.hypot(*map(width, parts)) / 2, rel=0.1)
    few = compare_on_benchmark({**tasks, "three": Pair(*systems(9)), "four": Pair(*systems(20), ["x"] * 20)})
    assert few.reason == "fewer than 10 examples in three; fewer than 5 documents in four"


VERDICTS = [
    ((1, 0.1, 2, 0.03), "better", "better"),
    ((1, 0.1, 2, 0.03, 0.2), "as good", "undecided"),  # not clear after the correction
    ((-0.5, -1.9, 1, 0.4), "as good", "undecided"),
    ((-0.5, -2.5, 1, 0.4), "undecided", "undecided"),
    ((-1, -1.9, -0.1, 0.03), "as good", "worse"),
    ((-3, -5, -0.1, 0.03), "worse", "worse"),
    ((-3, -5, -0.1, 0.03, 0.2), "undecided", "undecided"),
]


@pytest.mark.parametrize(("numbers", "with_margin", "without"), VERDICTS)
def test_a_verdict_needs_a_small_p_value_or_an_interval_above_the_margin(numbers, with_margin, without):
    difference, low, high, p, *corrected = numbers
    result = PairedComparison(difference, Interval(low, high), p, 0, 100, 0, unseen=1.5)
    assert (result.verdict(2.0, *corrected), result.verdict(None, *corrected)) == (with_margin, without)


def test_a_margin_that_rare_unseen_failures_could_exceed_is_not_shown_to_hold():
    old, new = [[50.0] * 60], [[49.9, 50.1] * 30]
    result = compare_on_task(old, new)
    assert (result.unseen, result.verdict(4.9), result.verdict(5.1)) == (5.0, "undecided", "as good")
    summaries = compare_on_benchmark({"": Pair(old, new, most=50)})
    assert (summaries.unseen, summaries.verdict(3)) == (2.5, "as good")
    ten = compare_on_benchmark({str(i): Pair(old, new) for i in range(10)})
    assert (ten.unseen, ten.most, ten.verdict(1)) == (0.5, 10, "as good")
    documents = compare_on_task(old, new, [str(i // 6) for i in range(60)])
    assert documents.unseen == 30


def test_below_ten_examples_or_five_documents_there_is_a_reason_and_neither_interval_nor_p_value():
    four = [str(i % 4) for i in range(20)]
    for rows, names, reason in ((9, None, "10 examples"), (20, four, "5 documents"), (10, None, "")):
        comparison = compare_on_task(*systems(rows), names)
        assert comparison.reason == (reason and f"fewer than {reason}")
        assert (comparison.interval is None) == (comparison.p_value is None) == bool(reason)
        assert comparison.verdict(90.0) == ("undecided" if reason else "as good")


def test_with_as_many_examples_as_it_asks_for_four_of_five_trials_decide():
    error = 10 / 40**0.5
    planned = PairedComparison(2.0, Interval(2 - 1.96 * error, 2 + 1.96 * error), 0.2, 0, 40, 0).needed()
    assert planned.about == pytest.approx(197 - 40, abs=1)
    assert planned.least < planned.about < planned.most
    draw = np.random.default_rng(1)
    trials = [draw.normal(2.0, 10, 40 + planned.about).tolist() for _ in range(300)]
    assert 0.74 <= fmean(changed(trial).p_value < 0.05 for trial in trials) <= 0.86


def test_the_number_needed_is_the_nearest_verdict_and_none_where_it_cannot_be_told():
    def needed(margin, *numbers, examples=100, unseen=0.0):
        difference, low, high = numbers
        return PairedComparison(difference, Interval(low, high), 0.5, 0, examples, 0, unseen=unseen).needed(margin)

    loss = (-0.5, -4.5, 3.5)
    with_margin, without = needed(3.0, *loss), needed(None, *loss)
    assert with_margin.about < without.about
    assert without.most is None, "the difference may be 0"
    assert [bool(needed(3.0, *loss, examples=count)) for count in (29, 30)] == [False, True]
    assert needed(None, 0, -9, 9) is None, "there is no difference to show"
    assert needed(2.0, -0.5, -1, 0.5) is None, "it is as good"
    assert needed(2.0, -0.5, -1, 0.5, unseen=4.0).about == 100, "rare failures must be seen"


def test_of_changes_in_all_answers_few_are_overlooked_and_none_is_found_where_there_is_none():
    assert calibration.with_loss("right/wrong 95 %", 10, 200, draws=200).numbers[1] > 95
    loss = calibration.with_loss("F1, 40 % zeros", 100, 21, draws=200)
    assert loss.numbers[1] >= calibration.POWER
    assert not loss.outside
    good = calibration.with_loss("ROUGE", 100, 200, draws=200).numbers[2]
    assert good is not None
    assert good <= 6.5
    assert calibration.without_difference("concordance", 10, 60, draws=300).numbers[0] <= 8


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(ZeroScrollsError, match=r"\[3\] and \[2\] examples"):
        compare_on_task([[0.0] * 3], [[0.0] * 2])
    with pytest.raises(ZeroScrollsError, match="1 clusters and 3 examples"):
        compare_on_task([[0.0] * 3], [[0.0] * 3], ["x"])
    with pytest.raises(EmptyInput, match="no tasks"):
        compare_on_benchmark({})
