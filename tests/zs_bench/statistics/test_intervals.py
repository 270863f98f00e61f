"""Intervals agree with the formulae written again with numpy, and hold the true score as often as they say."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import calibration
from zs_bench.statistics.intervals import benchmark_interval, interval, score_of, student_quantile
from zs_metric import EmptyInput, ZeroScrollsError

ROOT = Path(__file__).parents[3]


def points(rows, k=1, seed=1):
    return (100 * np.random.default_rng(seed).random((k, rows)) ** 2).tolist()


def ends(columns, clusters=None):
    result = interval(columns, clusters)
    return result.low, result.high


def jackknife(columns, clusters):
    """The score and its variance, from 0 to 1, and the degrees of freedom, by scoring again without each unit."""
    rows = np.array(columns).T / 100
    names = np.arange(len(rows)) if clusters is None else np.array(clusters)

    def score(rows):
        return np.prod(rows.mean(axis=0)) ** (1 / rows.shape[1])

    units, sizes = np.unique(names, return_counts=True)
    values = [len(units) * score(rows) - (len(units) - 1) * score(rows[names != unit]) for unit in units]
    return score(rows), np.var(values, ddof=1) / len(units), len(rows) ** 2 / (sizes**2).sum() - 1


def on_the_logit_scale(score, variance, freedom):
    reach = student_quantile(freedom) * math.sqrt(variance) / (score * (1 - score))
    return [100 / (1 + math.exp(-math.log(score / (1 - score)) - side * reach)) for side in (-1, 1)]


def wilson(right, n):
    """The shares p with |right / n - p| = 1.96 sqrt(p (1 - p) / n)."""
    square = student_quantile(math.inf) ** 2 / n
    return [100 * root for root in sorted(np.roots([1 + square, -2 * right / n - square, (right / n) ** 2]).real)]


@given(
    st.integers(10, 40).flatmap(lambda n: st.lists(st.lists(st.floats(0.1, 99), min_size=n, max_size=n), min_size=1)),
    st.sampled_from([None, 5, 7]),
)
def test_the_interval_is_that_of_a_jackknife_that_scores_again_without_each_unit(columns, documents):
    clusters = None if documents is None else [str(min(i, i % documents)) for i in range(len(columns[0]))]
    score, variance, freedom = jackknife(columns[:3], clusters)
    if variance > 1e-16:
        assert ends(columns[:3], clusters) == pytest.approx(on_the_logit_scale(score, variance, freedom), abs=1e-9)


def test_documents_of_very_different_sizes_count_for_few():
    columns, names = points(100), [*["a"] * 60, *(str(i // 2) for i in range(40))]
    assert ends(columns, names) == pytest.approx(on_the_logit_scale(*jackknife(columns, names)), abs=1e-9)
    assert ends(columns, names)[1] - ends(columns, names)[0] > 15
    nothing_known = interval(points(4006), ["a"] * 4000 + list("bcdefg"))
    assert (nothing_known.low, nothing_known.high, nothing_known.clusters) == (0, 100, 7)


@pytest.mark.parametrize(("right", "n"), [(30, 40), (40, 40), (0, 10), (1, 500)])
def test_right_and_wrong_answers_have_wilsons_interval(right, n):
    assert ends([[100.0] * right + [0.0] * (n - right)]) == pytest.approx(wilson(right, n), abs=1e-9)


def test_equal_scores_have_the_interval_of_as_many_right_and_wrong_answers_or_documents():
    assert ends([[30.0] * 20] * 3) == pytest.approx(wilson(6, 20), abs=1e-6)
    assert ends([[100.0] * 20], [str(i % 5) for i in range(20)]) == pytest.approx(wilson(5, 5), abs=1e-9)


def test_an_average_has_the_variances_of_its_tasks_and_satterthwaites_degrees_of_freedom():
    tasks = [(points(12), None), (points(40, 3), [str(i // 4) for i in range(40)]), ([[100.0] * 18 + [0.0] * 2], None)]
    parts = [jackknife(*task) for task in tasks[:2]]
    square = student_quantile(math.inf) ** 2
    share = (18 + square / 2) / (20 + square)
    parts.append((0.9, share * (1 - share) / (20 + square), math.inf))
    for weights in (None, {"0": 0.5, "1": 0.3, "2": 0.2}):
        shares = list(weights.values()) if weights else [1 / 3] * 3
        variances = [share**2 * part[1] for share, part in zip(shares, parts, strict=True)]
        freedom = sum(variances) ** 2 / sum(v**2 / part[2] for v, part in zip(variances, parts, strict=True))
        expected = on_the_logit_scale(np.dot(shares, [part[0] for part in parts]), sum(variances), freedom)
        whole = benchmark_interval({str(i): task for i, task in enumerate(tasks)}, weights)
        assert [whole.low, whole.high] == pytest.approx(expected, abs=1e-9)
        assert whole.clusters == 10
    assert benchmark_interval({"one": tasks[0]}) == interval(*tasks[0])
    perfect = benchmark_interval({str(i): ([[100.0] * 20], None) for i in range(2)})
    assert (round(perfect.low, 1), perfect.high) == (92.3, 100)


def test_no_interval_is_a_point_or_reaches_outside_0_to_100():
    columns = [[[0.0] * 10], [[100.0] * 500], [[30.0] * 20], [[0.0] * 20] * 3, points(10, 3), [[1e-7, *[0.0] * 19]]]
    for values in columns:
        for clusters in (None, [str(i % 5) for i in range(len(values[0]))]):
            low, high = ends(values, clusters)
            assert 0 <= low < high <= 100


def test_rouge_has_the_interval_of_its_geometric_mean_of_many_resamples():
    columns = points(400, 3)
    drawn = np.random.default_rng(1).integers(400, size=(4000, 400))
    scores = np.prod(np.array(columns)[:, drawn].mean(axis=2), axis=0) ** (1 / 3)
    assert ends(columns) == pytest.approx(np.percentile(scores, [2.5, 97.5]), abs=0.5)
    assert score_of(columns) == pytest.approx(scores.mean(), abs=0.2)


def test_few_examples_or_documents_have_no_interval():
    assert interval(points(9)) is None
    assert interval(points(10))
    assert interval(points(20), [str(i % 4) for i in range(20)]) is None
    assert interval(points(20), [str(i % 5) for i in range(20)])
    assert benchmark_interval({"few": (points(9), None), "many": (points(90), None)}) is None


def test_what_cannot_be_used_is_refused():
    with pytest.raises(EmptyInput, match="no examples"):
        interval([[]])
    with pytest.raises(EmptyInput, match="no tasks"):
        benchmark_interval({})
    with pytest.raises(ZeroScrollsError, match="2 clusters and 9 examples"):
        interval(points(9), ["x", "y"])


def test_a_file_is_scored_with_intervals_and_compared_without_numpy():
    sample = "zs_bench/data/sample/zero_scrolls_predictions.csv"
    code = (
        "import sys; from zs_bench.cli import main; "
        f"main(['score', '{sample}', '--source', 'embedded']); "
        f"main(['compare', '{sample}', '{sample}', '--name', 'a', '--name', 'b', '--source', 'embedded']); "
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")


def test_the_table_of_right_and_wrong_answers_is_within_its_limits_or_a_named_exception():
    names = [name for name in calibration.POPULATIONS if name.startswith("right")]
    cells = [calibration.coverage(name, [1] * size) for name in names for size in (10, 20, 50, 100)]
    assert [str(cell) for cell in cells if cell.failed] == []
    named = {key for key in calibration.NAMED if key[0].startswith("right") and key[1].isdigit()}
    assert {(cell.name, cell.size) for cell in cells if cell.outside} == named


@pytest.mark.parametrize(
    ("name", "sizes"),
    [("F1, 70 % zeros", [1] * 50), ("ROUGE", [1] * 20), ("concordance", calibration.sizes_of(25, spread=True))],
)
def test_intervals_hold_the_true_score_in_about_95_of_100_samples(name, sizes):
    coverage, _, _, width = calibration.coverage(name, sizes, draws=600).numbers
    assert 92.5 <= coverage <= 97.5
    assert width < 1.2
