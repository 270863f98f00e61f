"""The script as a file: what `evaluate` must find in it to copy it, and that a flat copy of it works."""

import ast
import re
import shutil
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from types import ModuleType

import evaluate
import pytest

from zs_metric import score_task

PACKAGE = Path(__file__).parents[2] / "zs_metric"
SCRIPT = PACKAGE / "zero_scrolls.py"


def relative_imports(path: Path) -> list[ast.ImportFrom]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]


def siblings(path: Path) -> set[str]:
    """The modules beside this one that it imports, as `x` in `from .x import …`."""
    return {node.module or "" for node in relative_imports(path)}


def every_sibling_needed(path: Path) -> set[str]:
    needed, waiting = set(), siblings(path)
    while waiting:
        needed |= waiting
        waiting = set().union(*(siblings(PACKAGE / f"{name}.py") for name in waiting)) - needed
    return needed


def test_the_script_names_every_sibling_that_any_sibling_imports() -> None:
    assert siblings(SCRIPT) == every_sibling_needed(SCRIPT)


def test_every_sibling_is_a_module_beside_the_script() -> None:
    assert siblings(SCRIPT)
    assert all((PACKAGE / f"{name}.py").is_file() for name in siblings(SCRIPT))


def test_the_script_has_exactly_one_class() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    assert [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)] == ["ZeroScrolls"]


def test_no_class_of_evaluate_is_imported_by_name() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    assert not {"evaluate", "datasets"} & set(imported)


def test_packages_are_imported_one_a_line() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    assert all(len(node.names) == 1 for node in ast.walk(tree) if isinstance(node, ast.Import))


@pytest.mark.parametrize("name", sorted({"zero_scrolls", *siblings(SCRIPT)}))
def test_relative_imports_stand_at_the_left_margin_without_a_comment(name: str) -> None:
    path = PACKAGE / f"{name}.py"
    lines = path.read_text(encoding="utf-8").splitlines()
    for node in relative_imports(path):
        assert (node.level, node.col_offset) == (1, 0)
        assert node.module
        assert not [line for line in lines[node.lineno - 1 : node.end_lineno] if "#" in line]


def test_triple_quotes_stand_in_pairs_or_at_the_edge_of_a_string() -> None:
    at_an_edge = re.compile(r'"""$|^"""|= r?"""')
    lines = [line.strip() for line in SCRIPT.read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if line.count('"""') == 1 and not at_an_edge.search(line)] == []


def test_no_sibling_is_named_like_a_module_of_python_or_of_an_installed_package() -> None:
    taken = set(sys.stdlib_module_names) | set(packages_distributions())
    assert not siblings(SCRIPT) & taken


@pytest.fixture
def flat_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with `zero_scrolls/`: the script and the siblings it names, nothing else; it is the current one."""
    folder = tmp_path / "zero_scrolls"
    folder.mkdir()
    for name in ("zero_scrolls", *siblings(SCRIPT)):
        shutil.copy(PACKAGE / f"{name}.py", folder)
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.mark.parametrize("task", ["gov_report", "quality"])
def test_a_flat_copy_of_the_script_and_its_siblings_is_loaded_by_its_bare_name(flat_copy: Path, task: str) -> None:
    metrics = evaluate.load("zero_scrolls", task).compute(predictions=["A b c"], references=[["A b d"]])
    assert metrics == score_task(task, ["A b c"], [["A b d"]]).metrics


def test_the_loaded_modules_are_the_copy_and_not_the_package(flat_copy: Path) -> None:
    metric = evaluate.load("zero_scrolls")
    loaded: ModuleType = sys.modules[type(metric).__module__]
    assert loaded.__name__.startswith("evaluate_modules.")
    assert not [value for value in vars(loaded).values() if getattr(value, "__module__", "").startswith("zs_metric")]
