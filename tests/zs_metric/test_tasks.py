"""A task is looked up once, by name, and then passed as an object with its benchmark and its metric."""

import copy
import pickle

import pytest

from zs_metric import BENCHMARKS, Task, score_benchmark, score_example, score_task
from zs_metric.explain import explain
from zs_metric.tasks import ROWS, find_benchmark, find_task

BY_NAME = pytest.mark.parametrize("task", ROWS, ids=lambda task: f"{task.benchmark}-{task}")


@BY_NAME
def test_a_task_is_found_by_its_name_and_that_of_its_benchmark(task: Task) -> None:
    assert find_task(task.name, benchmark=task.benchmark.name) is task
    assert task.benchmark.all_tasks[task.name] is task
    assert (task.name in task.benchmark.tasks) == task.averaged


@BY_NAME
def test_a_task_and_its_benchmark_are_the_same_objects_in_another_process(task: Task) -> None:
    assert pickle.loads(pickle.dumps(task)) is copy.deepcopy(task) is task
    assert pickle.loads(pickle.dumps(task.benchmark)) is task.benchmark


@BY_NAME
def test_a_task_and_its_name_are_scored_alike(task: Task) -> None:
    texts, named = ("B, 40%, 2, 1", ["B, 40%, 2, 1"]), task.benchmark.name
    assert score_example(task, *texts) == score_example(task.name, *texts, benchmark=named)
    assert explain(task, *texts) == explain(task.name, *texts, benchmark=named)
    columns = (["B, 40%, 2, 1"], [["B, 40%, 2, 1"]])
    assert score_task(task, *columns) == score_task(task.name, *columns, benchmark=task.benchmark)
    assert score_task(task, *columns).benchmark == named


def test_a_benchmark_is_taken_by_name_or_as_it_is() -> None:
    scrolls = BENCHMARKS["scrolls"]
    assert find_benchmark(scrolls) is find_benchmark("scrolls") is scrolls
    tasks = {"contract_nli": (["entailment"], ["Entailment"])}
    assert score_benchmark(tasks, benchmark=scrolls) == score_benchmark(tasks, benchmark="scrolls")


def test_tasks_of_one_name_in_two_benchmarks_are_two_tasks() -> None:
    ours, theirs = find_task("quality"), find_task("quality", benchmark="scrolls")
    assert ours != theirs
    assert (ours.metric.name, theirs.metric.name) == ("accuracy", "exact_match")
