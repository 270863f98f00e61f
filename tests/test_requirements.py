"""The dependencies of the package and of the Space are the same."""

import ast
import re
import sys
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def listed(name: str) -> set[str]:
    """The requirements of a list in pyproject.toml."""
    (found,) = re.findall(rf"^{name} = \[(.*?)\]$", PROJECT, re.MULTILINE | re.DOTALL)
    return {str(Requirement(text)) for text in re.findall(r'"([^"]+)"', found)}


def test_the_space_needs_the_dependencies_and_the_extras_of_the_app_the_hub_evaluate_and_frames() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    space = [str(Requirement(line)) for line in lines if line and not line.startswith("#")]
    assert set(space) == listed("dependencies") | listed("app") | listed("hub") | listed("evaluate") | listed("frames")
    assert len(space) == len(set(space))


def imported(path: Path) -> set[str]:
    """The top-level packages that a module imports, in functions too."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return {name.partition(".")[0] for name in names}


def test_what_the_metric_and_the_benchmark_import_is_a_dependency_or_in_an_extra() -> None:
    lists = ("dependencies", "app", "hub", "evaluate", "frames", "run", "ray", "local", "inspect", "board")
    required = {Requirement(text).name.replace("-", "_") for name in lists for text in listed(name)}
    required |= {"yaml", "anyio", "starlette", "pydantic"}  # huggingface_hub and gradio need them
    modules = [path for package in ("zs_metric", "zs_bench", "zs_lab") for path in (ROOT / package).rglob("*.py")]
    own = {"zs_metric", "zs_bench", "zs_app", "zs_lab", *sys.stdlib_module_names}
    assert {"numpy", "unidecode", "huggingface_hub"} <= set().union(*map(imported, modules)) - own <= required
