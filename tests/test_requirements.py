"""What the Space, the package and its modules need, and the Space's card: they agree."""

import ast
import re
import sys
from importlib.metadata import version
from pathlib import Path

import yaml
from make_space import space_files
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from zs_bench.errors import PACKAGES

ROOT = Path(__file__).parents[1]
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
CARD = yaml.safe_load(README.split("---\n")[1])
SPACE = [
    str(Requirement(line))
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def listed(*names: str) -> set[str]:
    """The requirements of some lists in pyproject.toml."""
    lists = [re.findall(rf"^{name} = \[(.*?)\]$", PROJECT, re.MULTILINE | re.DOTALL) for name in names]
    return {str(Requirement(text)) for (block,) in lists for text in re.findall(r'"([^"]+)"', block)}


def test_the_space_needs_the_dependencies_and_the_extras_whose_files_a_visitor_may_drop() -> None:
    """A visitor can install nothing; jieba is loaded where Chinese is scored."""
    assert set(SPACE) == listed("dependencies", "app", "hub", "evaluate", "frames", "longbench")
    assert len(SPACE) == len(set(SPACE))


def test_messages_name_the_packages_of_the_extras_and_never_a_name_that_anybody_may_take() -> None:
    assert all({str(Requirement(text)) for text in packages} == listed(name) for name, packages in PACKAGES.items())
    texts = [path for name in ("zs_*/**/*.py", "docs/*.md", "*.md") for path in ROOT.glob(name)]
    assert [path for path in texts if "zero-scrolls[" in path.read_text(encoding="utf-8")] == []


def test_the_engine_of_rouge_is_pinned_in_the_version_that_is_tested_here() -> None:
    (fast,) = (Requirement(line) for line in SPACE if line.startswith("rouge-score-rs"))
    assert str(fast.specifier) == f"=={version('rouge-score-rs')}"


def imported(path: Path) -> set[str]:
    """The top-level packages that a module imports, in functions too."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return {name.partition(".")[0] for name in names}


def test_what_the_metric_and_the_benchmark_import_is_a_dependency_or_in_an_extra() -> None:
    lists = (
        "dependencies",
        "app",
        "hub",
        "evaluate",
        "frames",
        "run",
        "ray",
        "local",
        "inspect",
        "board",
        "parquet",
        "longbench",
    )
    required = {Requirement(text).name.replace("-", "_") for text in listed(*lists)}
    required |= {"yaml", "anyio", "starlette", "pydantic", "typing_extensions"}  # huggingface_hub and gradio need them
    modules = [path for package in ("zs_metric", "zs_bench", "zs_lab") for path in (ROOT / package).rglob("*.py")]
    own = {
        "zs_metric",
        "zs_bench",
        "zs_app",
        "zs_lab",
        "tomllib",
        *sys.stdlib_module_names,
    }  # tomllib: from Python 3.11
    assert {"numpy", "unidecode", "huggingface_hub"} <= set().union(*map(imported, modules)) - own <= required


def test_the_card_is_that_of_a_gradio_space_which_starts_with_app_py() -> None:
    assert README.startswith("---\n")
    assert (CARD["title"], CARD["sdk"], CARD["app_file"]) == ("ZeroSCROLLS", "gradio", "app.py")
    assert (len(CARD["emoji"]), CARD["emoji"].isascii()) == (1, False)
    colours = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
    assert {CARD["colorFrom"], CARD["colorTo"]} <= colours
    assert 0 < len(CARD["short_description"]) <= 60
    assert CARD["app_file"] in space_files()


def test_the_cards_versions_are_those_that_are_tested_here_and_that_the_project_supports() -> None:
    (gradio,) = (Requirement(line) for line in SPACE if line.startswith("gradio["))
    assert CARD["sdk_version"] in gradio.specifier
    oldest = CARD["sdk_version"].rpartition(".")[0]
    assert f">={oldest}" in str(gradio.specifier), "the Space has the oldest release: .ci/run tests the app with it"
    python, licence = (
        re.findall(rf'^{key} = "(.+)"$', PROJECT, re.MULTILINE)[0] for key in ("requires-python", "license")
    )
    assert isinstance(CARD["python_version"], str)  # 3.10 without quotes is 3.1
    assert f"{CARD['python_version']}.0" in SpecifierSet(python)
    assert CARD["license"] == licence.lower()


def test_the_card_is_found_as_a_metric_and_the_readme_has_the_sections_of_a_metric_card() -> None:
    assert {"evaluate", "metric"} <= set(CARD["tags"])
    assert CARD["datasets"] == ["tau/zero_scrolls", "tau/scrolls"]
    assert CARD["description"].startswith("The metrics of ZeroSCROLLS")
    sections = ("evaluate.load(", "Inputs: ", "Outputs: ", "from 0", "Limits and bias", "## Citation")
    assert [section for section in sections if section not in README] == []
