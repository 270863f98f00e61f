"""SCROLLS, the second benchmark: its tasks, its average, and the averages that its paper prints."""

from statistics import fmean
from typing import Any

import pytest
from scrolls_table import TABLE_2, Printed

from zs_metric import BENCHMARKS, TASKS, EmptyInput, TaskResult, score_benchmark, score_task
from zs_metric.rouge import geometric_mean
from zs_metric.scoring import average

SCROLLS = BENCHMARKS["scrolls"]
ANSWERS, REFERENCES = ["the cat sat", "a dog"], [["a cat sat"], ["dogs", "a dog ran"]]


def test_the_seven_tasks_have_the_metrics_of_the_paper() -> None:
    assert {name: task.metric.name for name, task in SCROLLS.tasks.items()} == {
        **dict.fromkeys(("gov_report", "summ_screen_fd", "qmsum"), "rouge"),
        **dict.fromkeys(("qasper", "narrative_qa"), "f1"),
        **dict.fromkeys(("quality", "contract_nli"), "exact_match"),
    }
    assert {name: task.metric.name for name, task in SCROLLS.unaveraged.items()} == {"quality_hard": "exact_match"}


def test_each_benchmark_stands_under_its_name_and_each_task_under_its_own() -> None:
    assert {name: (one.name, one.title, one.score_key) for name, one in BENCHMARKS.items()} == {
        "zero_scrolls": ("zero_scrolls", "ZeroSCROLLS", "zero_scrolls_score"),
        "scrolls": ("scrolls", "SCROLLS", "scrolls_score"),
    }
    assert all(name == task.name for one in BENCHMARKS.values() for name, task in one.all_tasks.items())
    assert BENCHMARKS["zero_scrolls"].tasks == TASKS
    assert BENCHMARKS["zero_scrolls"].all_tasks == TASKS


def test_no_scrolls_task_transliterates_and_every_f1_task_of_zero_scrolls_does() -> None:
    assert not [task.name for task in SCROLLS.all_tasks.values() if "transliteration" in task.metric.steps]
    assert {task.name for task in TASKS.values() if "transliteration" in task.metric.steps} == {
        task.name for task in TASKS.values() if task.metric.name == "f1"
    }


@pytest.mark.parametrize("row", TABLE_2, ids=[f"{row.model} {row.tokens or ''}" for row in TABLE_2])
def test_the_averages_of_table_2_are_those_of_the_geometric_means(row: Printed) -> None:
    points = {task: geometric_mean(*score) if isinstance(score, tuple) else score for task, score in row.scores.items()}
    results = {task: TaskResult(task, score, {}, [], "scrolls") for task, score in points.items()}
    assert average(results, benchmark="scrolls").score == pytest.approx(row.average, rel=0, abs=0.03)


def test_the_published_row_of_bart_on_gov_report_has_its_printed_geometric_mean() -> None:
    assert round(geometric_mean(41.9, 14.2, 20.3), 1) == 22.9


def every_task(*left_out: str) -> dict[str, tuple[Any, Any]]:
    return {task: (ANSWERS, REFERENCES) for task in reversed(list(SCROLLS.tasks)) if task not in left_out}


def test_the_score_is_the_plain_mean_of_the_seven_task_scores() -> None:
    result = score_benchmark(every_task(), benchmark="scrolls")
    tasks = {task: score_task(task, ANSWERS, REFERENCES, benchmark="scrolls") for task in SCROLLS.tasks}
    assert result.score == result.mean_of_tasks == pytest.approx(fmean(task.score for task in tasks.values()))
    assert (result.benchmark, list(result.tasks), result.tasks) == ("scrolls", list(SCROLLS.tasks), tasks)
    assert result.missing_tasks == []


def test_the_hard_questions_are_shown_last_and_enter_no_average() -> None:
    hard = {"quality_hard": (["x"], ["y"])}
    result, without = (score_benchmark(tasks, benchmark="scrolls") for tasks in (hard | every_task(), every_task()))
    assert result.score == result.mean_of_tasks == without.score
    assert list(result.tasks) == [*SCROLLS.tasks, "quality_hard"]
    assert result.tasks["quality_hard"].metrics == {
        "exact_match": 0.0,
        "num_predicted": 1,
        "mean_prediction_length_characters": 1.0,
        "scrolls_score": None,
        "display_keys": ["exact_match"],
        "display": [0.0],
    }


def test_the_hard_questions_are_not_reported_as_missing() -> None:
    result = score_benchmark({**every_task("quality"), "quality_hard": (["x"], ["x"])}, benchmark="scrolls")
    assert (result.score, result.missing_tasks) == (None, ["quality"])


def test_the_hard_questions_alone_have_no_average() -> None:
    with pytest.raises(EmptyInput, match="there are no tasks of the average to score"):
        score_benchmark({"quality_hard": (["x"], ["x"])}, benchmark="scrolls")


def test_scrolls_can_be_read_per_instance() -> None:
    corpus = score_benchmark(every_task(), benchmark="scrolls")
    instance = score_benchmark(every_task(), benchmark="scrolls", rouge_aggregation="instance")
    assert corpus.score != instance.score
    assert round(instance.tasks["qmsum"].score, 4) == corpus.tasks["qmsum"].metrics["rouge/geometric_mean_instance"]
