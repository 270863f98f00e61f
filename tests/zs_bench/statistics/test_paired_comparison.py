"""Comparisons of two systems: one interval decides, its p-value agrees, and a gate lets no worse system pass."""

import itertools
import math
from statistics import fmean

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks import calibration
from zs_bench.statistics.intervals import Interval, score_of, student_quantile
from zs_bench.statistics.paired_comparison import Pair, PairedComparison, Unseen, compare_on_benchmark
from zs_bench.statistics.randomization import EXCHANGES, randomization_p
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


@pytest.mark.parametrize(("n", "ratio"), [(10, 1.31), (200, 1.015)])
def test_the_variance_is_as_many_times_that_of_bonett_and_price_as_is_said(n, ratio):
    old, new = [0.0, 100.0, *[100.0] * (n - 2)], [100.0, 0.0, *[100.0] * (n - 2)]
    found = compare_on_task([old], [new]).interval
    ours = ((found.high - found.low) / 200 / student_quantile(n + 1)) ** 2
    theirs = 2 * (1 + 1) / (n + 2) ** 2  # of one gain and one loss, each with one added: their difference is 0
    assert ours / theirs == pytest.approx(ratio, abs=0.005)


def carriers(points):
    return np.sum(points) ** 2 / np.sum(np.square(points))


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
    cost = score_of(old) * (1 - 0.05 ** (1 / carriers(np.prod(old, axis=0) ** (1 / 3))))
    verdicts = [equal.verdict(margin) for margin in (None, cost - 0.01, cost + 0.01)]
    assert verdicts == ["undecided", "undecided", "as good"]
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
    ((-1.1, -1.9, 1, 0.4), "undecided", "undecided"),  # unseen failures would cost more than 0.9 points
    ((-0.5, -1.9, 1, 0.4), "as good", "undecided"),
    ((-0.5, -2.5, 1, 0.4), "undecided", "undecided"),
    ((-1, -1.9, -0.1, 0.03), "as good", "worse"),
    ((-3, -5, -0.1, 0.03), "worse", "worse"),
    ((-3, -5, -0.1, 0.03, 0.2), "undecided", "undecided"),
]


@pytest.mark.parametrize(("numbers", "with_margin", "without"), VERDICTS)
def test_a_verdict_needs_a_small_p_value_or_an_interval_above_the_margin(numbers, with_margin, without):
    difference, low, high, p, *corrected = numbers
    result = PairedComparison(difference, Interval(low, high), p, 0, 100, 0, Unseen(1.0, scoring=10))
    assert (result.verdict(2.0, *corrected), result.verdict(None, *corrected)) == (with_margin, without)


@pytest.mark.parametrize(
    ("points", "carrying"),
    [([50.0] * 60, 60), ([100.0] * 12 + [0.0] * 48, 12), (np.linspace(1, 100, 60).tolist(), 45.0749)],
)
def test_a_margin_holds_where_unseen_failures_of_the_answers_that_score_cannot_cost_more(points, carrying):
    result = compare_on_task([points], [[value + (-0.1, 0.1)[i % 2] * (value > 0) for i, value in enumerate(points)]])
    share = 1 - 0.05 ** (1 / carrying)
    assert carriers(points) == pytest.approx(carrying, abs=1e-4)
    assert result.unseen == pytest.approx((fmean(points) * share, share, "", 60, np.count_nonzero(points)), abs=1e-5)
    cost = result.unseen.points - result.difference
    assert [result.verdict(margin) for margin in (cost - 0.01, cost + 0.01)] == ["undecided", "as good"]


def test_of_documents_those_count_that_carry_the_score_and_of_an_average_the_task_that_could_cost_most():
    old, new = [[50.0] * 60], [[49.9, 50.1] * 30]
    assert compare_on_task(old, new, [str(i // 6) for i in range(60)]).unseen.share == pytest.approx(1 - 0.05**0.1)
    low = Pair([[20.0] * 60], [[20.1, 19.9] * 30])
    whole = compare_on_benchmark({"low": low, "high": Pair(old, new), "none": Pair([[0.0] * 60], [[0.0, 1.0] * 30])})
    assert (whole.unseen.task, whole.unseen.scoring) == ("high", 120)
    assert whole.unseen.points == pytest.approx(50 * (1 - 0.05 ** (1 / 60)) / 3)
    assert whole.unseen.needed(whole.unseen.points) == 60
    half = compare_on_task([[50.0] * whole.unseen.needed(0.5)] * 1, [[50.0] * whole.unseen.needed(0.5)])
    assert half.unseen.points / 3 == pytest.approx(0.5, rel=0.01)
    assert (whole.unseen.needed(0), Unseen().needed(1)) == (None, None)


def test_nine_answers_that_score_show_no_margin_and_a_better_system_needs_both_conditions():
    def gains(scoring):
        old = [50.0] * scoring + [0.0] * (60 - scoring)
        return compare_on_task([old], [[value and value + 1 for value in old]])

    assert [gains(scoring).passes(50) for scoring in (9, 10)] == [False, True]
    ten = changed([1.0] * 10)
    assert (ten.verdict(0.5), ten.passes(0.5), ten.passes(12), ten.passes(11.9)) == ("better", False, True, False)
    loss = changed([-1.0] * 60)
    assert (loss.passes(1.5), loss.passes(3.5)) == (False, True)


def test_what_could_stay_unseen_is_said_where_it_could_turn_the_sign():
    gain, loss = changed([1.0] * 21), changed([-1.0] * 21)
    share = 1 - 0.05 ** (1 / 21)
    assert gain.may_turn == pytest.approx((50 * share, share, "", 21, 21))
    assert loss.may_turn == pytest.approx((49 * share, share, "", 21, 21)), "failures of the first system"
    assert changed([1.0] * 200).may_turn is None
    assert changed([0.0] * 21).may_turn is None


def test_below_ten_examples_or_five_documents_there_is_a_reason_and_neither_interval_nor_p_value():
    four = [str(i % 4) for i in range(20)]
    for rows, names, reason in ((9, None, "10 examples"), (20, four, "5 documents"), (10, None, "")):
        comparison = compare_on_task(*systems(rows), names)
        assert comparison.reason == (reason and f"fewer than {reason}")
        assert (comparison.interval is None) == (comparison.p_value is None) == bool(reason)
        assert comparison.verdict(90.0) == ("undecided" if reason else "as good")


@pytest.mark.parametrize("size", [21, 60, 200])
def test_of_differences_like_these_the_loss_that_is_said_is_found_in_four_of_five_samples(size):
    draw = np.random.default_rng(size)
    like_these = draw.normal(0, 10, size)
    loss = changed((10 * (like_these - like_these.mean()) / like_these.std(ddof=1)).tolist()).detectable
    trials = [changed(draw.normal(-loss, 10, size).tolist()) for _ in range(200)]
    assert 0.74 <= fmean(trial.verdict() == "worse" for trial in trials) <= 0.88
    assert changed([0.0] * 20).detectable is None


def test_by_ten_tests_the_loss_that_is_said_is_found_in_four_of_five_samples_at_a_tenth_of_the_level():
    draw = np.random.default_rng(10)
    like_these = draw.normal(0, 10, 60)
    one = changed((10 * (like_these - like_these.mean()) / like_these.std(ddof=1)).tolist())
    ten = one.of_tests(10)
    assert one.of_tests(1) == one
    assert ten.detectable == pytest.approx((student_quantile(61, 0.005) + 0.8416) * one.error, rel=1e-4)
    trials = [changed(draw.normal(-ten.detectable, 10, 60).tolist()) for _ in range(200)]
    assert 0.74 <= fmean(trial.verdict(None, 10 * trial.p_value) == "worse" for trial in trials) <= 0.88
    assert fmean(trial.verdict(None, 10 * trial.p_value) == "worse" for trial in trials) < fmean(
        trial.verdict() == "worse" for trial in trials
    )
    nothing = changed([0.0] * 20)
    assert nothing.of_tests(10) == nothing


def test_randomisation_has_the_p_value_of_all_exchanges_and_of_whole_documents():
    old = [[50.0] * 12]
    new = [[50.0 + change for change in (3, 5, -2, -3, 8, 4, -1, -2, 6, 2, -4, -3)]]

    def exact(changes):
        sums = [sum(change * sign for change, sign in zip(changes, signs, strict=True)) for signs in signs_of(changes)]
        return fmean(abs(total) >= abs(sum(changes)) - 1e-9 for total in sums)

    def signs_of(changes):
        return itertools.product((1, -1), repeat=len(changes))

    moved = [y - 50 for y in new[0]]
    assert randomization_p({"": Pair(old, new)}) == pytest.approx(exact(moved), abs=0.01)
    pairs = [moved[i] + moved[i + 1] for i in range(0, 12, 2)]
    together = randomization_p({"": Pair(old, new, [str(i // 2) for i in range(12)])})
    assert together == pytest.approx(exact(pairs), abs=0.015)
    assert exact(pairs) > exact(moved) + 0.05, "documents whose answers change alike are fewer"
    assert randomization_p({"": Pair(old, new)}) == randomization_p({"": Pair(old, new)}), "from a fixed seed"
    far = randomization_p({"": Pair([[0.0] * 60], [[50.0] * 60])})
    assert far == 1 / (EXCHANGES + 1)
    assert randomization_p({"": Pair(old, old)}) == 1


def test_randomisation_computes_rouges_geometric_mean_and_the_average_again():
    one, two = Pair(*systems(20, 3, gain=3)), Pair(*systems(15, 1, 2, gain=3))
    draw, found = np.random.default_rng(3), []
    for _ in range(2000):
        difference = 0.0
        for pair in (one, two):
            swapped = draw.random(len(pair.old[0])) < 0.5
            old, new = np.array(pair.old), np.array(pair.new)
            sides = np.where(swapped, new, old), np.where(swapped, old, new)
            difference += score_of(sides[1].tolist()) - score_of(sides[0].tolist())
        found.append(difference)
    observed = sum(score_of(pair.new) - score_of(pair.old) for pair in (one, two))
    share = fmean(abs(difference) >= abs(observed) for difference in found)
    assert 0.01 < share < 0.9
    assert randomization_p({"one": one, "two": two}) == pytest.approx(share, abs=0.035)


def test_sparse_failures_are_found_by_randomisation_where_the_interval_finds_none():
    old, new = [[90.0, *[15.0] * 5, *[50.0] * 54]], [[*[0.0] * 6, *[50.0] * 54]]
    assert compare_on_task(old, new).p_value > 0.05 > randomization_p({"": Pair(old, new)})


def test_of_changes_in_all_answers_few_are_overlooked_and_none_is_found_where_there_is_none():
    assert calibration.with_loss("right/wrong 95 %", 10, 200, draws=200).numbers[1] > 95
    loss = calibration.with_loss("F1, 40 % zeros", 100, 21, draws=200)
    assert loss.numbers[1] >= calibration.POWER
    assert not loss.outside
    assert not calibration.found_as_said("concordance", 60, draws=400).outside
    assert calibration.without_difference("concordance", 10, 60, draws=300).numbers[0] <= 8


@pytest.mark.parametrize(("name", "size"), [("right/wrong 50 %", 60), ("F1, 70 % zeros", 60), ("summaries of 28", 21)])
def test_a_gate_lets_few_systems_pass_that_lose_the_margin_also_where_the_other_answers_gain(name, size):
    worst, mean, _ = calibration.gate(name, size, draws=500).numbers
    assert 0 < mean <= worst <= 10


def test_a_system_that_hardly_moves_passes_and_ten_answers_of_the_first_must_score():
    assert calibration.gate("summaries of 28", 60, draws=200).numbers[2] == 100
    assert calibration.gate("right/wrong 20 %", 21, draws=200).numbers[0] < 1


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(ZeroScrollsError, match=r"\[3\] and \[2\] examples"):
        compare_on_task([[0.0] * 3], [[0.0] * 2])
    with pytest.raises(ZeroScrollsError, match="1 clusters and 3 examples"):
        compare_on_task([[0.0] * 3], [[0.0] * 3], ["x"])
    with pytest.raises(EmptyInput, match="no tasks"):
        compare_on_benchmark({})
