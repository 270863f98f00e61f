"""The front matter of README.md, which the Hub reads: the Space's card and the metric's."""

import re
from importlib.metadata import version
from pathlib import Path

import yaml
from make_space import space_files
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
README = (ROOT / "README.md").read_text(encoding="utf-8")
CARD = yaml.safe_load(README.split("---\n")[1])


def test_the_card_is_that_of_a_gradio_space_which_starts_with_app_py() -> None:
    assert README.startswith("---\n")
    assert CARD["title"] == "ZeroSCROLLS"
    assert (len(CARD["emoji"]), CARD["emoji"].isascii()) == (1, False)
    assert {CARD["colorFrom"], CARD["colorTo"]} <= COLOURS
    assert 0 < len(CARD["short_description"]) <= 60
    assert (CARD["sdk"], CARD["app_file"]) == ("gradio", "app.py")
    assert CARD["app_file"] in space_files()


def test_its_versions_are_those_that_are_tested_here_and_that_the_project_supports() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    (gradio,) = (Requirement(line) for line in lines if line.startswith("gradio["))
    assert CARD["sdk_version"] in gradio.specifier
    assert CARD["sdk_version"] == version("gradio"), "another Gradio is installed: put its version into README.md"
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    requires, licence = (
        re.findall(rf'^{key} = "(.+)"$', project, re.MULTILINE)[0] for key in ("requires-python", "license")
    )
    assert isinstance(CARD["python_version"], str)  # 3.10 without quotes is 3.1
    assert f"{CARD['python_version']}.0" in SpecifierSet(requires)
    assert CARD["license"] == licence.lower()


def test_it_is_found_as_a_metric_and_the_readme_has_the_sections_of_a_metric_card() -> None:
    assert {"evaluate", "metric"} <= set(CARD["tags"])
    assert CARD["datasets"] == ["tau/zero_scrolls", "tau/scrolls"]
    assert CARD["description"].startswith("The metrics of ZeroSCROLLS")
    sections = ("evaluate.load(", "Inputs: ", "Outputs: ", "from 0", "Limits and bias", "## Citation")
    assert [section for section in sections if section not in README] == []
