"""Intervals agree with closed forms worked by hand, and hold the true score as often as they say."""

import json
import math
from statistics import NormalDist

import numpy as np
import pytest
from real_answers import REAL, WITHOUT

from benchmarks import calibration
from zs_bench.statistics.columns import score_of
from zs_bench.statistics.intervals import benchmark_interval, difference_estimate, interval, student_quantile
from zs_metric import EmptyInput, ZeroScrollsError


def points(rows, k=1, seed=1):
    return 100 * np.random.default_rng(seed).random((rows, k)) ** 2


def right_and_wrong(right, wrong):
    return np.repeat([100.0, 0.0], [right, wrong])[:, None]


def ends(columns, clusters=None, **level):
    result = interval(columns, clusters, **level)
    return result.low, result.high


def arcsine_ends(score, low_size, high_size, quantile):
    """Step 3 of the method, written once more: a score from 0 to 1, and the effective sizes for both ends."""
    reached = []
    for part, size in ((score, low_size), (1 - score, high_size)):
        angle = math.asin(math.sqrt((size * part + 0.84) / (size + 1.68)))
        reached.append(math.sin(angle - quantile / 2 / math.sqrt(size + 1.4)) ** 2)
    return 100 * reached[0], 100 * (1 - reached[1])


@pytest.mark.parametrize(
    "values",
    [
        np.linspace(40, 80, 41),
        np.concatenate([np.zeros(16), np.linspace(40, 80, 24)]),  # zeros widen the upper end
        np.repeat([99.9, 0.0], [17, 3]),  # no wider than right and wrong answers
    ],
)
def test_scores_count_by_how_much_they_vary_and_by_what_a_small_sample_may_have_missed(values):
    count, score = len(values), float(values.mean()) / 100
    variance, zeros = float(values.var(ddof=1)) / count / 1e4, float((values == 0).mean())
    widest = max(score * (1 - score) / count, variance)
    low = min(variance + 0.015 * score**2 / count, widest)
    high = min(variance + 0.0015 * (zeros * (1 - score)) ** 2 / count, widest)
    sizes = (score * (1 - score) / part for part in (low, high))
    expected = arcsine_ends(score, *sizes, student_quantile(0.975, count - 1))
    assert ends(values[:, None]) == pytest.approx(expected)


def test_right_and_wrong_answers_count_as_they_are():
    expected = arcsine_ends(0.75, 40, 40, NormalDist().inv_cdf(0.975))
    assert ends(right_and_wrong(30, 10)) == pytest.approx(expected)


def test_an_average_has_satterthwaites_degrees_of_freedom_and_the_reaches_of_its_parts():
    tasks = [points(12), points(40) / 9]
    variances, reached = [], []
    for values in tasks:
        count, score = len(values), float(values.mean()) / 100
        low = float(values.var(ddof=1)) / count / 1e4
        sizes = [score * (1 - score) / (low + more) for more in (0.015 * score**2 / count, 0)]
        reached.append(lambda quantile, score=score, sizes=sizes: arcsine_ends(score, *sizes, quantile))
        low, high = reached[-1](1.0)
        variances.append((high - low) ** 2)
    freedom = sum(variances) ** 2 / (variances[0] ** 2 / 11 + variances[1] ** 2 / 39)
    parts = [reach(student_quantile(0.975, freedom)) for reach in reached]
    score = np.mean([values.mean() for values in tasks])
    down = math.hypot(*(values.mean() - low for values, (low, _) in zip(tasks, parts, strict=True))) / 2
    up = math.hypot(*(high - values.mean() for values, (_, high) in zip(tasks, parts, strict=True))) / 2
    whole = benchmark_interval({str(i): (values, None) for i, values in enumerate(tasks)})
    assert (whole.low, whole.high) == pytest.approx((score - down, score + up))


def test_gains_and_losses_are_correlated_as_they_are():
    a, b = points(60), points(60, seed=2)
    change = (a - b)[:, 0] / 100
    gains, losses = np.maximum(change, 0), np.maximum(-change, 0)
    top = float(max(a.max(), b.max())) / 100
    parts = []
    for values in (gains, losses):
        mean, variance = values.mean(), values.var(ddof=1) / 60
        high = variance + 0.0015 * ((values == 0).mean() * (top - mean)) ** 2 / 60
        low, up = arcsine_ends(mean, *(mean * (1 - mean) / part for part in (variance, high)), 1.0)
        parts.append((mean - low / 100, up / 100 - mean))
    (gain_down, gain_up), (loss_down, loss_up) = parts
    together = np.corrcoef(gains, losses)[0, 1]
    joined = [
        math.sqrt(gain**2 + loss**2 - 2 * together * gain * loss)
        for gain, loss in ((gain_down, loss_up), (gain_up, loss_down))
    ]
    assert difference_estimate(a, b, None).reach(1.0) == pytest.approx(joined)


def test_the_quantiles_are_those_of_the_tables():
    table = {4: 2.776, 9: 2.262, 19: 2.093, 99: 1.984, math.inf: 1.960}
    assert {freedom: round(student_quantile(0.975, freedom), 3) for freedom in table} == table


def test_no_interval_is_a_point_or_reaches_outside_0_to_100():
    alike = [np.full((20, 3), 30.0), np.zeros((20, 3))]
    for columns in (right_and_wrong(10, 0), right_and_wrong(0, 500), *alike, points(10, 3)):
        for clusters in (None, [str(i % 5) for i in range(len(columns))]):
            low, high = ends(columns, clusters)
            assert 0 <= low < high <= 100
    assert ends(right_and_wrong(21, 0))[0] == pytest.approx(84.8, abs=0.1)


def test_rouge_has_the_interval_of_its_geometric_mean_of_many_resamples():
    columns = points(400, 3)
    drawn = np.random.default_rng(1).integers(400, size=(4000, 400))
    scores = np.array([score_of(columns[rows]) for rows in drawn])
    low, high = ends(columns)
    assert np.percentile(scores, [2.5, 97.5]) == pytest.approx([low, high], abs=0.5)
    assert high - low == pytest.approx(3.92 * float(scores.std()), rel=0.05)


def test_examples_of_one_document_count_together():
    columns, names = np.repeat(points(25), 4, axis=0), [str(i // 4) for i in range(100)]
    result = interval(columns, names)
    low, high = ends(columns)
    assert result.high - result.low == pytest.approx(2 * (high - low), rel=0.08)
    assert (result.clusters, result.level) == (25, 95)


def test_few_examples_or_documents_have_no_interval():
    assert interval(points(9)) is None
    assert interval(points(10))
    assert interval(points(20), [str(i % 4) for i in range(20)]) is None
    assert interval(points(20), [str(i % 5) for i in range(20)])
    assert benchmark_interval({"few": (points(9), None), "many": (points(90), None)}) is None


def test_a_higher_level_gives_a_wider_interval_and_none_outside_the_range():
    narrow, wide = (ends(points(40), level=level) for level in (80, 99))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    assert interval(points(40), level=0.5)
    for level in (0, 100.0):
        with pytest.raises(ZeroScrollsError, match=f"level is {level}"):
            interval(points(40), level=level)


def test_what_cannot_be_used_is_refused():
    with pytest.raises(EmptyInput, match="no examples"):
        interval(np.empty((0, 1)))
    with pytest.raises(EmptyInput, match="no tasks"):
        benchmark_interval({})
    with pytest.raises(ZeroScrollsError, match="2 clusters and 9 examples"):
        interval(points(9), ["x", "y"])


def test_the_table_of_right_and_wrong_answers_is_within_its_limits_or_a_named_exception():
    names = [name for name in calibration.POPULATIONS if name.startswith("right")]
    cells = [calibration.coverage(name, size) for name in names for size in (10, 20, 50, 100)]
    assert [str(cell) for cell in cells if cell.failed] == []
    outside = {(cell.name, cell.size) for cell in cells if not 93 <= cell.coverage <= 98 or cell.ratio > 1.4}
    assert outside == {key for key in calibration.EXCEPTIONS if key[0].startswith("right") and "of" not in key[1]}


@pytest.mark.parametrize(
    ("name", "size", "cluster"), [("F1, 70 % zeros", 50, 1), ("ROUGE", 20, 1), ("concordance", 40, 4)]
)
def test_intervals_hold_the_true_score_in_about_95_of_100_samples(name, size, cluster):
    cell = calibration.coverage(name, size, cluster, draws=600)
    assert 92.5 <= cell.coverage <= 97.5
    assert cell.ratio < 1.2


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=WITHOUT)
@pytest.mark.parametrize("task", ["qasper", "narrative_qa", "book_sum_sort", "space_digest", "quality"])
def test_samples_of_real_scores_are_covered(task):
    expected = json.loads((REAL / "expected.json").read_text(encoding="utf-8"))
    scores = [list(expected[name]["tasks"][task]["per_example"].values()) for name in ("one", "two")]
    population, draw = np.concatenate(scores), np.random.default_rng(1)
    samples = [ends(draw.choice(population, (20, 1))) for _ in range(1000)]
    held = np.mean([low <= population.mean() <= high for low, high in samples])
    assert 0.925 <= held <= 0.985
