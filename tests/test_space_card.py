"""The front matter of README.md, which the Hub reads: the Space's card and the metric's."""

import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml
from make_space import space_files
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def card() -> dict[str, Any]:
    """The front matter: what stands between the first line and the next one like it."""
    start, front_matter, _ = re.split(r"^---\n", README, maxsplit=2, flags=re.MULTILINE)
    assert start == ""
    return dict(yaml.safe_load(front_matter))


def test_it_has_the_title_the_emoji_and_the_colours_of_a_card(card: dict[str, Any]) -> None:
    assert card["title"] == "ZeroSCROLLS"
    assert len(card["emoji"]) == 1
    assert not card["emoji"].isascii()
    assert {card["colorFrom"], card["colorTo"]} <= COLOURS
    assert 0 < len(card["short_description"]) <= 60


def test_it_is_a_gradio_space_that_starts_with_app_py(card: dict[str, Any]) -> None:
    assert (card["sdk"], card["app_file"]) == ("gradio", "app.py")
    assert card["app_file"] in space_files()


def test_its_gradio_is_the_one_that_is_tested_here_and_that_requirements_txt_allows(card: dict[str, Any]) -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    (gradio,) = (Requirement(line) for line in lines if line.startswith("gradio["))
    assert card["sdk_version"] in gradio.specifier
    assert card["sdk_version"] == version("gradio"), "another Gradio is installed: put its version into README.md"


def test_its_python_version_is_a_quoted_string_that_the_project_supports(card: dict[str, Any]) -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    requires, licence = (
        re.findall(rf'^{key} = "(.+)"$', project, re.MULTILINE) for key in ("requires-python", "license")
    )
    assert isinstance(card["python_version"], str)
    assert f"{card['python_version']}.0" in SpecifierSet(requires[0])
    assert card["license"] == licence[0].lower()


def test_it_is_found_as_a_metric_with_its_data_set_and_a_description(card: dict[str, Any]) -> None:
    assert {"evaluate", "metric"} <= set(card["tags"])
    assert card["datasets"] == ["tau/zero_scrolls", "tau/scrolls"]
    assert card["description"].startswith("The metrics of ZeroSCROLLS")


@pytest.mark.parametrize(
    "said", ["evaluate.load(", "Inputs: ", "Outputs: ", "from 0", "Limits and bias", "## Citation"]
)
def test_the_readme_has_the_sections_of_a_metric_card(said: str) -> None:
    assert said in README
