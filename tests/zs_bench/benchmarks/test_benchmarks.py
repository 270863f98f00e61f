"""The benchmarks of the package: one record of each."""

import pickle

import pytest

from zs_bench.benchmarks import BENCHMARKS, find_benchmark, find_task
from zs_metric import BENCHMARKS as SCORED
from zs_metric.errors import UnknownBenchmark, UnknownTask


def test_a_benchmark_has_the_tasks_and_metrics_that_zs_metric_scores() -> None:
    for name, scored in SCORED.items():
        ours = find_benchmark(scored)
        assert ours is BENCHMARKS[name]
        rows = {task: (row.metric, row.averaged) for task, row in scored.all_tasks.items()}
        assert list(rows.items()) == [(task, (row.metric, row.averaged)) for task, row in ours.all_tasks.items()]
        assert list(ours.tasks) == list(scored.tasks)
        assert (ours.title, ours.score_key) == (scored.title, scored.score_key)


def test_a_task_is_one_object_also_in_another_process_and_by_another_floors_record() -> None:
    for benchmark in BENCHMARKS.values():
        for name, task in benchmark.all_tasks.items():
            assert task.benchmark is benchmark
            assert pickle.loads(pickle.dumps(task)) is task
            assert (
                find_task(name, benchmark=benchmark.name) is find_task(SCORED[benchmark.name].all_tasks[name]) is task
            )
    assert len({*BENCHMARKS["scrolls"].rows, *BENCHMARKS["zero_scrolls"].rows}) == 18


def test_a_name_that_is_none_is_refused_with_the_one_that_is_meant() -> None:
    with pytest.raises(UnknownBenchmark, match="did you mean 'scrolls'"):
        find_benchmark("scrols")
    with pytest.raises(UnknownTask, match="did you mean 'gov_report'"):
        find_task("govreport")
    with pytest.raises(UnknownTask, match="it is a task of scrolls"):
        find_task("contract_nli")
