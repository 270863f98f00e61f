"""The benchmarks of the package: one record of each, and no name of one in the code outside its place."""

import ast
import pickle
from collections.abc import Iterator

import pytest
from packaged_files import PACKAGES, ROOT

from zs_bench.benchmarks import BENCHMARKS, find_benchmark, find_task, task_names
from zs_metric.errors import UnknownBenchmark, UnknownTask
from zs_metric.tasks import METRIC_TABLES

NAMES = {*BENCHMARKS, *task_names()}
#: Where names stand besides the benchmarks' own packages, and why.
NAMING = {
    "zs_metric/tasks.py": "the tables that `evaluate` loads",
    "zs_app/tabs/examples.py": "what the page shows first",
    "zs_lab/harnesses/lm_eval.py": "a group of the harness, and a key of its tasks",
    "zs_lab/run/session.py": "a key of run.json",
    "zs_bench/errors.py": "the name of an extra of pyproject.toml",
    "zs_bench/files/raw_data.py": "a file format of each of six tasks: the data that they were made of",
}
# The builders of fresh examples and the scripts for `evaluate` are about one of them.
ASIDE = ("zs_bench/benchmarks/", "zs_lab/build/", "zs_metric/zero_scrolls.py", "zs_metric/scrolls.py")


def test_a_benchmark_has_the_tasks_and_metrics_that_zs_metric_scores() -> None:
    for name, table in METRIC_TABLES.items():
        ours = BENCHMARKS[name]
        in_order = "give zs_metric/tasks.py and the benchmark's module the same tasks, in the same order"
        assert list(table.metrics) == list(ours.all_tasks), in_order
        assert dict(table.metrics) == {task: row.metric for task, row in ours.all_tasks.items()}
        assert list(ours.tasks) == table.averaged
        assert (ours.title, ours.score_key) == (table.title, table.score_key)


def test_a_benchmark_is_a_table_of_its_metrics_by_name() -> None:
    for benchmark in BENCHMARKS.values():
        assert list(benchmark.metrics.items()) == [(name, task.metric) for name, task in benchmark.all_tasks.items()]
        assert benchmark.averaged == list(benchmark.tasks)
        assert benchmark.not_averaged == tuple(name for name, task in benchmark.all_tasks.items() if not task.averaged)


def test_a_task_is_one_object_also_in_another_process() -> None:
    for benchmark in BENCHMARKS.values():
        for name, task in benchmark.all_tasks.items():
            assert task.benchmark is benchmark
            assert pickle.loads(pickle.dumps(task)) is task
            assert find_task(name, benchmark=benchmark.name) is task
    rows = [row for benchmark in BENCHMARKS.values() for row in benchmark.rows]
    assert len({*rows}) == len(rows)


def test_a_name_that_is_none_is_refused_with_the_one_that_is_meant() -> None:
    with pytest.raises(UnknownBenchmark, match="did you mean 'scrolls'"):
        find_benchmark("scrols")
    with pytest.raises(UnknownTask, match="did you mean 'gov_report'"):
        find_task("govreport")
    with pytest.raises(UnknownTask, match="it is a task of scrolls"):
        find_task("contract_nli")


def named(tree: ast.Module) -> Iterator[int]:
    """The lines of the texts in code that are names of tasks or benchmarks."""
    yield from (node.lineno for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value in NAMES)


def test_at_most_six_modules_outside_name_a_benchmark_or_a_task() -> None:
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    found = {path.relative_to(ROOT).as_posix(): [*named(ast.parse(path.read_bytes()))] for path in paths}
    found = {name: lines for name, lines in found.items() if lines and not name.startswith(ASIDE)}
    step = "pass the Task or Benchmark; a name that is a word of the code, such as 'who', needs to be longer"
    assert found.keys() == {name for name in NAMING if (ROOT / name).exists()}, f"{step}: {found}"
    assert len(NAMING) <= 6
