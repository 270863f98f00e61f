"""Intervals agree with closed forms worked by hand, and hold the true score as often as they say."""

import json
import math
from statistics import NormalDist

import numpy as np
import pytest
from real_answers import REAL, WITHOUT

from benchmarks import calibration
from zs_bench.statistics.columns import Points, score_of
from zs_bench.statistics.intervals import (
    Interval,
    benchmark_interval,
    correlation,
    interval,
    joint_freedom,
    score_estimate,
    student_quantile,
)
from zs_metric import EmptyInput, ZeroScrollsError


def points(rows: int, k: int, seed: int = 1) -> Points:
    return 100 * np.random.default_rng(seed).random((rows, k)) ** 2


def right_and_wrong(right: int, wrong: int) -> Points:
    return np.repeat([100.0, 0.0], [right, wrong])[:, None]


def ends(found: Interval | None) -> tuple[float, float]:
    assert found is not None
    return found.low, found.high


def arcsine_ends(score: float, size: float, quantile: float) -> list[float]:
    """Step 3 of the method, written once more."""
    angles = [math.asin(math.sqrt((size * part + 0.84) / (size + 1.68))) for part in (score, 1 - score)]
    low, rest = (math.sin(angle - quantile / 2 / math.sqrt(size + 1.4)) ** 2 for angle in angles)
    return [100 * low, 100 * (1 - rest)]


def test_right_and_wrong_answers_count_as_they_are_and_others_by_how_much_they_vary() -> None:
    normal = NormalDist().inv_cdf(0.975)
    assert ends(interval(right_and_wrong(30, 10))) == pytest.approx(arcsine_ends(0.75, 40, normal))
    values = np.linspace(40, 80, 41)[:, None]
    variance, score = float(values.var(ddof=1)) / 41 / 1e4, 0.6
    low, high = ends(interval(values))
    widened = variance + 0.015 * score**2 / 41
    student = student_quantile(0.975, 40)
    assert low == pytest.approx(arcsine_ends(score, score * (1 - score) / widened, student)[0])
    assert high == pytest.approx(arcsine_ends(score, score * (1 - score) / variance, student)[1])


def test_zeros_widen_the_upper_end_and_no_interval_is_wider_than_that_of_right_and_wrong_answers() -> None:
    values = np.concatenate([np.zeros(16), np.linspace(40, 80, 24)])[:, None]
    variance, score, student = (
        float(values.var(ddof=1)) / 40 / 1e4,
        float(values.mean()) / 100,
        student_quantile(0.975, 39),
    )
    high = variance + 0.0015 * (0.4 * (1 - score)) ** 2 / 40
    assert ends(interval(values))[1] == pytest.approx(arcsine_ends(score, score * (1 - score) / high, student)[1])
    almost = np.repeat([99.9, 0.0], [17, 3])[:, None]
    variance, score, student = (
        float(almost.var(ddof=1)) / 20 / 1e4,
        float(almost.mean()) / 100,
        student_quantile(0.975, 19),
    )
    assert ends(interval(almost)) == pytest.approx(arcsine_ends(score, score * (1 - score) / variance, student))


def test_the_degrees_of_freedom_of_a_sum_are_satterthwaites() -> None:
    parts = [score_estimate(points(12, 1), None), score_estimate(points(40, 1) / 9, None)]
    variances = [sum(part.reach(1.0)) ** 2 for part in parts]
    expected = sum(variances) ** 2 / (variances[0] ** 2 / 11 + variances[1] ** 2 / 39)
    assert joint_freedom(parts) == pytest.approx(expected)


def test_gains_and_losses_are_correlated_as_they_are() -> None:
    change, alone = (points(20, 1) - points(20, 1, seed=2))[:, 0], np.arange(20)
    gains, losses = np.maximum(change, 0), np.maximum(-change, 0)
    for scale in (1, 0.01):
        expected = np.corrcoef(gains, losses)[0, 1]
        assert correlation(scale * gains, scale * losses, alone) == pytest.approx(expected)
    assert correlation(gains, 0 * losses, alone) == 0


def test_the_quantiles_are_those_of_the_tables() -> None:
    table = {4: 2.776, 9: 2.262, 19: 2.093, 99: 1.984, math.inf: 1.960}
    assert {freedom: round(student_quantile(0.975, freedom), 3) for freedom in table} == table


def test_no_interval_is_a_point_or_reaches_outside_0_to_100() -> None:
    samples = [
        right_and_wrong(10, 0),
        right_and_wrong(0, 500),
        np.full((20, 3), 30.0),
        np.zeros((20, 3)),
        points(10, 3),
    ]
    for columns in samples:
        for names in (None, [str(i % 5) for i in range(len(columns))]):
            low, high = ends(interval(columns, names))
            assert 0 <= low < high <= 100
    assert ends(interval(right_and_wrong(21, 0)))[0] == pytest.approx(84.8, abs=0.1)


def test_rouge_has_the_interval_of_its_geometric_mean_of_many_resamples() -> None:
    columns = points(400, 3)
    drawn = np.random.default_rng(1).integers(400, size=(4000, 400))
    scores = np.array([score_of(columns[rows]) for rows in drawn])
    low, high = ends(interval(columns))
    assert np.percentile(scores, [2.5, 97.5]) == pytest.approx([low, high], abs=0.5)
    assert high - low == pytest.approx(3.92 * float(scores.std()), rel=0.05)


def test_examples_of_one_document_count_together() -> None:
    columns, names = np.repeat(points(25, 1), 4, axis=0), [str(i // 4) for i in range(100)]
    low, high = ends(interval(columns, names))
    alone_low, alone_high = ends(interval(columns))
    assert high - low == pytest.approx(2 * (alone_high - alone_low), rel=0.08)
    found = interval(columns, names)
    assert found
    assert (found.clusters, found.level) == (25, 95)


def test_the_average_of_like_tasks_is_as_certain_as_all_their_examples() -> None:
    tasks = {str(i): (points(50, 1, seed=i), None) for i in range(4)}
    low, high = ends(benchmark_interval(tasks))
    one_low, one_high = ends(interval(np.concatenate([columns for columns, _ in tasks.values()])))
    assert high - low == pytest.approx(one_high - one_low, rel=0.05)
    assert ends(benchmark_interval({"0": tasks["0"]})) == ends(interval(tasks["0"][0]))


def test_few_examples_or_documents_have_no_interval() -> None:
    assert interval(points(9, 1)) is None
    assert interval(points(10, 1))
    assert interval(points(20, 1), [str(i % 4) for i in range(20)]) is None
    assert interval(points(20, 1), [str(i % 5) for i in range(20)])
    assert benchmark_interval({"few": (points(9, 1), None), "many": (points(90, 1), None)}) is None


def test_a_higher_level_gives_a_wider_interval_and_none_outside_the_range() -> None:
    narrow, wide = (ends(interval(points(40, 1), level=level)) for level in (80, 99))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    assert interval(points(40, 1), level=0.5)
    for level in (0, 100.0):
        with pytest.raises(ZeroScrollsError, match=f"level is {level}"):
            interval(points(40, 1), level=level)


def test_what_cannot_be_used_is_refused() -> None:
    with pytest.raises(EmptyInput, match="no examples"):
        interval(np.empty((0, 1)))
    with pytest.raises(EmptyInput, match="no tasks"):
        benchmark_interval({})
    with pytest.raises(ZeroScrollsError, match="2 clusters and 9 examples"):
        interval(points(9, 1), ["x", "y"])


def test_the_table_of_right_and_wrong_answers_is_within_its_limits_or_a_named_exception() -> None:
    cells = [
        calibration.coverage(name, size)
        for name in calibration.POPULATIONS
        if name.startswith("right")
        for size in (10, 20, 50, 100)
    ]
    assert [str(cell) for cell in cells if cell.failed] == []
    outside = {(cell.name, cell.size) for cell in cells if not 93 <= cell.coverage <= 98 or cell.ratio > 1.4}
    assert outside == {key for key in calibration.EXCEPTIONS if key[0].startswith("right") and "of" not in key[1]}


@pytest.mark.parametrize(
    ("name", "size", "cluster"), [("F1, 70 % zeros", 50, 1), ("ROUGE", 20, 1), ("concordance", 40, 4)]
)
def test_intervals_hold_the_true_score_in_about_95_of_100_samples(name: str, size: int, cluster: int) -> None:
    cell = calibration.coverage(name, size, cluster, draws=600)
    assert 92.5 <= cell.coverage <= 97.5
    assert cell.ratio < 1.2


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=WITHOUT)
@pytest.mark.parametrize("task", ["qasper", "narrative_qa", "book_sum_sort", "space_digest", "quality"])
def test_samples_of_real_scores_are_covered(task: str) -> None:
    expected = json.loads((REAL / "expected.json").read_text(encoding="utf-8"))
    scores = [list(expected[name]["tasks"][task]["per_example"].values()) for name in ("one", "two")]
    population, draw = np.concatenate(scores), np.random.default_rng(1)
    samples = [ends(interval(draw.choice(population, (20, 1)))) for _ in range(1000)]
    held = np.mean([low <= population.mean() <= high for low, high in samples])
    assert 0.925 <= held <= 0.985
