"""The scripts as files: what `evaluate` needs in order to copy them, and that flat copies work."""

import ast
import inspect
import re
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from zs_metric import score_task
from zs_metric.tasks import METRIC_TABLES

PACKAGE = Path(__file__).parents[2] / "zs_metric"
CLASSES = {"zero_scrolls": "ZeroScrolls", "scrolls": "Scrolls"}
IN_WORDS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten", 11: "eleven"}
each_script = pytest.mark.parametrize("script", CLASSES)


def source(name: str) -> Path:
    return PACKAGE / f"{name}.py"


def nodes(name: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(source(name).read_text(encoding="utf-8"))))


def relative_imports(name: str) -> list[ast.ImportFrom]:
    return [node for node in nodes(name) if isinstance(node, ast.ImportFrom) and node.level]


def siblings(name: str) -> set[str]:
    """The modules beside this one that it imports, as `x` in `from .x import …`."""
    return {node.module or "" for node in relative_imports(name)}


@each_script
def test_the_script_names_every_sibling_that_any_sibling_imports_and_has_one_class(script: str) -> None:
    needed, waiting = set(), siblings(script)
    while waiting:
        needed |= waiting
        waiting = set().union(*map(siblings, waiting)) - needed
    assert siblings(script) == needed
    assert not siblings(script) & (set(CLASSES) | set(sys.stdlib_module_names) | set(packages_distributions()))
    assert [node.name for node in nodes(script) if isinstance(node, ast.ClassDef)] == [CLASSES[script]]
    assert [node.name for node in nodes(script) if isinstance(node, ast.FunctionDef)] == ["_info"]


def test_imports_and_quotes_are_as_the_regular_expressions_of_evaluate_need_them() -> None:
    for name in (*CLASSES, "evaluate_metric"):
        imported = [node.module for node in nodes(name) if isinstance(node, ast.ImportFrom) and not node.level]
        assert not {"evaluate", "datasets"} & set(imported), "no class of evaluate is imported by name"
        assert all(len(node.names) == 1 for node in nodes(name) if isinstance(node, ast.Import)), "one package per line"
    at_an_edge = re.compile(r'"""$|^"""|= r?"""')
    for name in {*CLASSES, *siblings("zero_scrolls"), *siblings("scrolls")}:
        lines = source(name).read_text(encoding="utf-8").splitlines()
        for node in relative_imports(name):
            assert (node.level, node.col_offset) == (1, 0)
            assert node.module
            assert not [line for line in lines[node.lineno - 1 : node.end_lineno] if "#" in line]
        stripped = [line.strip() for line in lines] if name in CLASSES else []
        assert [line for line in stripped if line.count('"""') == 1 and not at_an_edge.search(line)] == []


@each_script
def test_evaluate_takes_the_class_of_the_script_which_describes_its_benchmark(
    load_metric: Callable[..., Any], script: str
) -> None:
    import evaluate

    benchmark, metric = METRIC_TABLES[script], load_metric(benchmark=script)
    names = vars(sys.modules[type(metric).__module__])
    classes = [name for name, value in names.items() if isinstance(value, type) and issubclass(value, evaluate.Metric)]
    assert classes == ["BenchmarkMetric", CLASSES[script]]
    assert inspect.isabstract(names["BenchmarkMetric"])
    assert (type(metric), metric.name) == (names[CLASSES[script]], script)
    metrics = {metric.name for metric in benchmark.metrics.values()}
    counts = f"{IN_WORDS[len(benchmark.averaged)]} tasks, {IN_WORDS[len(metrics)]} metrics, one average"
    assert metric.description.startswith(f"{benchmark.title} scores predictions for tasks over long texts: {counts}.")
    assert benchmark.score_key in metric.inputs_description
    assert f"unless all {len(benchmark.averaged)} tasks are given" in metric.compute.__doc__
    assert benchmark.title.lower() in metric.citation.lower()
    assert metric.reference_urls[0].startswith("https://arxiv.org/abs/")


def test_flat_copies_of_the_scripts_and_their_siblings_are_loaded_alone_and_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import evaluate

    for script in CLASSES:
        for folder in (tmp_path / script, tmp_path / "space"):
            folder.mkdir(exist_ok=True)
            for name in (script, *siblings(script)):
                shutil.copy(source(name), folder)
    monkeypatch.chdir(tmp_path)
    tasks = (("zero_scrolls", "gov_report"), ("zero_scrolls", "qasper"), ("scrolls", "qasper"), ("scrolls", "quality"))
    for script, task in tasks:
        expected = score_task(task, ["A b ć"], [["A b c"]], benchmark=script).metrics
        for path in (script, f"space/{script}.py"):
            metric = evaluate.load(path, task)
            assert metric.compute(predictions=["A b ć"], references=[["A b c"]]) == expected
            loaded = sys.modules[type(metric).__module__]
            assert loaded.__name__.startswith("evaluate_modules.")
            assert not [obj for obj in vars(loaded).values() if getattr(obj, "__module__", "").startswith("zs_metric")]
