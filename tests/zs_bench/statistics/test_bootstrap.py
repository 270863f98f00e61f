"""Columns, clusters and intervals agree with slow plain computations, and with simulations of known truth."""

from collections.abc import Sequence
from statistics import fmean, quantiles

import numpy as np
import pytest

from zs_bench.statistics import bootstrap
from zs_bench.statistics.bootstrap import Interval, benchmark_interval, interval
from zs_bench.statistics.columns import Points, clusters, columns, score_of
from zs_metric import EmptyInput, ZeroScrollsError, score_task
from zs_metric.tasks import TASKS

ANSWERS = ["the cat sat on the mat", "a dog ran", "nothing in common", "hello there general kenobi"]
REFERENCES = [["the cat sat on a mat"], ["the dog ran away"], ["xyz"], ["hello there", "general kenobi, hello there"]]


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def points(rows: int, k: int, seed: int = 1) -> Points:
    return 100 * generator(seed).random((rows, k)) ** 2


def found(result: Interval | None) -> Interval:
    assert result is not None
    return result


# columns


@pytest.mark.parametrize("aggregation", ["corpus", "instance"])
@pytest.mark.parametrize("task", ["gov_report", "qasper"])
def test_the_root_of_the_column_means_is_the_score_of_the_task(task: str, aggregation: str) -> None:
    result = score_task(task, ANSWERS, REFERENCES, rouge_aggregation=aggregation)
    assert score_of(columns(result, aggregation)) == pytest.approx(result.score, abs=1e-9)


def test_rouge_has_three_columns_only_in_the_released_aggregation() -> None:
    result = score_task("squality", ANSWERS, REFERENCES)
    assert columns(result).shape == (4, 3)
    assert columns(result, "instance").shape == (4, 1)
    assert columns(score_task("qasper", ANSWERS, REFERENCES)).shape == (4, 1)


def test_an_aggregation_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ZeroScrollsError, match="'corpus' or 'instance'"):
        columns(score_task("qasper", ["x"], ["x"]), "mean")


# clusters


@pytest.mark.parametrize(
    ("task", "ids", "names"),
    [
        ("book_sum_sort", ["emma_0", "emma_12", "hard_times_3"], ["emma", "emma", "hard_times"]),
        ("quality", ["62139_J05FWZR6_1", "62139_J05FWZR6_2", "20002_X_1"], ["62139", "62139", "20002"]),
        ("squality", ["51150_1", "51150_5", "52845_1"], ["51150", "51150", "52845"]),
    ],
)
def test_the_ids_of_three_tasks_tell_the_document(task: str, ids: list[str], names: list[str]) -> None:
    assert clusters(TASKS[task], ids) == names


@pytest.mark.parametrize("task", ["book_sum_sort", "quality", "squality"])
def test_running_numbers_tell_no_document(task: str) -> None:
    assert clusters(TASKS[task], [f"{task}_000", f"{task}_001"]) is None


@pytest.mark.parametrize("ids", [["51150_1", "x"], ["_1", "51150_1"], []])
def test_ids_of_another_form_tell_no_document(ids: list[str]) -> None:
    assert clusters(TASKS["squality"], ids) is None


def test_without_telling_ids_equal_documents_are_one_cluster() -> None:
    assert clusters(TASKS["qasper"], ["1", "2", "3"], ["x", "y", "x"]) == ["document 0", "document 1", "document 0"]
    assert clusters(TASKS["quality"], ["quality_0", "quality_1"], ["x", "x"]) == ["document 0", "document 0"]


def test_one_missing_document_makes_all_clusters_unknown() -> None:
    assert clusters(TASKS["qasper"], ["1", "2"], ["x", None]) is None
    assert clusters(TASKS["qasper"], ["1", "2"]) is None


def test_documents_that_do_not_line_up_with_the_ids_are_refused() -> None:
    with pytest.raises(ZeroScrollsError, match="1 documents and 2 ids"):
        clusters(TASKS["qasper"], ["1", "2"], ["x"])


# intervals


def plain_score(examples: Sequence[Sequence[float]]) -> float:
    means = [fmean(column) for column in zip(*examples, strict=True)]
    product = 1.0
    for mean in means:
        product *= mean
    return float(product ** (1 / len(means)))


def plain_interval(groups: list[list[list[float]]], resamples: int, seed: int) -> tuple[float, float]:
    """Draw whole groups with the same random numbers, list the examples drawn, score them, take the percentiles."""

    def size_and_sums(group: list[list[float]]) -> list[float]:
        return [len(group), *reversed([round(sum(column), 9) for column in zip(*group, strict=True)])]

    order = sorted(groups, key=size_and_sums)
    draws = generator(seed).integers(len(order), size=(resamples, len(order)))
    scores = [plain_score([example for place in places for example in order[place]]) for places in draws]
    ends = quantiles(scores, n=40, method="inclusive")
    return ends[0], ends[-1]


@pytest.mark.parametrize("names", [None, [f"document {i % 9 // 2}" for i in range(30)]])
@pytest.mark.parametrize("k", [1, 3])
def test_the_interval_is_that_of_a_plain_bootstrap_of_whole_clusters(k: int, names: list[str] | None) -> None:
    values = points(30, k)
    labels = names or [str(i) for i in range(30)]
    groups = [values[[own == name for own in labels]].tolist() for name in dict.fromkeys(labels)]
    result = found(interval(values, names, resamples=200, seed=7))
    assert (result.low, result.high) == pytest.approx(plain_interval(groups, 200, seed=7), abs=1e-9)
    assert (result.clusters, result.resamples, result.seed) == (5 if names else None, 200, 7)


def test_the_benchmarks_interval_is_that_of_means_resampled_within_tasks() -> None:
    tasks = {"b": (points(20, 1, 2) / 3, None), "a": (points(40, 3), None)}
    draw = generator(7)
    averages = np.zeros(300)
    for name in ("a", "b"):
        values = tasks[name][0]
        values = values[np.lexsort(np.round(values, 9).T)]
        for i, places in enumerate(draw.integers(len(values), size=(300, len(values)))):
            averages[i] += plain_score(values[places].tolist()) / 2
    result = found(benchmark_interval(tasks, resamples=300, seed=7))
    assert (result.low, result.high) == pytest.approx(tuple(np.percentile(averages, [2.5, 97.5])), abs=1e-9)


def test_a_mean_of_many_has_the_interval_of_the_normal_law() -> None:
    values = points(2000, 1)
    half = 1.96 * float(values.std()) / 2000**0.5
    result = found(interval(values, resamples=4000))
    assert (result.low, result.high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.1)


def coverage(examples: int, k: int) -> float:
    """The share of 95 % intervals that hold the true score, each drawn by a seed of its own."""
    draw, truth = generator(), 100 * 2 / 7
    results = [found(interval(100 * draw.beta(2, 5, size=(examples, k)), seed=i)) for i in range(800)]
    return fmean(result.low <= truth <= result.high for result in results)


@pytest.mark.parametrize("k", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_about_95_of_100_intervals_hold_the_true_score(k: int) -> None:
    assert 0.925 <= coverage(100, k) <= 0.965


def test_of_twenty_examples_about_91_of_100_intervals_hold_it() -> None:
    assert 0.89 <= coverage(20, 1) <= 0.94


def test_clusters_keep_the_coverage_that_single_examples_lose() -> None:
    draw, names = generator(), [str(i // 4) for i in range(160)]
    alone: list[bool] = []
    together: list[bool] = []
    for seed in range(300):
        values = 50 + np.repeat(draw.normal(0, 10, 40), 4)[:, None] + draw.normal(0, 4, (160, 1))
        for holds, given in ((alone, None), (together, names)):
            result = found(interval(values, given, seed=seed))
            holds.append(result.low <= 50 <= result.high)
    assert fmean(alone) < 0.8
    assert 0.9 <= fmean(together) <= 0.98


def test_the_same_seed_gives_the_same_interval_twice_and_another_seed_another() -> None:
    values = points(40, 3)
    assert interval(values, seed=3) == interval(values, seed=3) != interval(values, seed=4)


def test_the_order_of_examples_and_tasks_does_not_matter() -> None:
    one, two, names = points(40, 1), points(30, 3), [str(i // 3) for i in range(30)]
    turned = found(benchmark_interval({"two": (two[::-1], names[::-1]), "one": (one[::-1], None)}))
    result = found(benchmark_interval({"one": (one, None), "two": (two, names)}))
    assert (result.low, result.high) == pytest.approx((turned.low, turned.high), abs=1e-9)
    assert result.clusters == turned.clusters == 10


def test_drawing_in_parts_gives_what_drawing_at_once_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    values = points(40, 3)
    at_once = found(interval(values))
    monkeypatch.setattr(bootstrap, "CHUNK", 130)
    in_parts = found(interval(values))
    assert (in_parts.low, in_parts.high) == pytest.approx((at_once.low, at_once.high), abs=1e-9)


def test_a_higher_level_gives_a_wider_interval() -> None:
    narrow, wide = (found(interval(points(40, 1), level=level)) for level in (80, 99))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_the_interval_of_a_benchmark_of_one_task_is_the_tasks() -> None:
    assert benchmark_interval({"qasper": (points(40, 1), None)}) == interval(points(40, 1))


def test_from_a_single_example_or_cluster_nothing_can_be_said() -> None:
    assert interval(points(1, 1)) is None
    assert interval(points(4, 3), ["emma"] * 4) is None
    assert benchmark_interval({"one": (points(1, 1), None), "many": (points(9, 1), None)}) is None


def test_answers_that_score_alike_have_an_interval_without_width() -> None:
    result = found(interval(np.zeros((20, 3))))
    assert (result.low, result.high) == (0, 0)


@pytest.mark.parametrize(
    ("settings", "named"),
    [({"level": 0}, "level is 0"), ({"level": 100.0}, "level is 100.0"), ({"resamples": 0}, "resamples is 0")],
)
def test_a_setting_out_of_range_is_refused_by_name(settings: dict[str, int], named: str) -> None:
    with pytest.raises(ZeroScrollsError, match=named):
        interval(points(9, 1), **settings)


def test_nothing_to_resample_is_refused() -> None:
    with pytest.raises(EmptyInput, match="no examples"):
        interval(np.empty((0, 1)))
    with pytest.raises(EmptyInput, match="no tasks"):
        benchmark_interval({})


def test_clusters_that_do_not_line_up_are_refused() -> None:
    with pytest.raises(ZeroScrollsError, match="2 clusters and 9 examples"):
        interval(points(9, 1), ["x", "y"])


def test_a_full_size_benchmark_has_its_intervals() -> None:
    sizes = {"gov_report": 500, "summ_screen_fd": 337, "qmsum": 281, "squality": 260} | {f"t{i}": 500 for i in range(6)}
    tasks = {name: (points(size, 1 if name[0] == "t" else 3), None) for name, size in sizes.items()}
    assert all(interval(*task) for task in tasks.values())
    assert benchmark_interval(tasks)
