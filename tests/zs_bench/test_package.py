"""The package as `pip install .` makes it: a wheel, installed into a new environment, used from another folder.

The environment sees the installed dependencies of this one, so that nothing is downloaded; this checkout it does not.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from packaged_files import PACKAGES, packaged_files

from zs_bench.publishing.space_files import FILES, ROOT
from zs_metric.version import VERSION

LEFT_BEHIND = shutil.ignore_patterns("__pycache__", "*.pyi")


def run(*command: object, folder: Path) -> "subprocess.CompletedProcess[str]":
    """The command, from that folder, without any path to import from but the environment's own."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run([*map(str, command)], cwd=folder, env=known, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the sources, since building leaves files beside them."""
    sources, out = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("wheel")
    for name in (*FILES, "pyproject.toml"):
        shutil.copy(ROOT / name, sources)
    for name in PACKAGES:
        shutil.copytree(ROOT / name, sources / name, ignore=LEFT_BEHIND)
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
    done = run(*pip, "--wheel-dir", out, sources, folder=out)
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of a new environment with the wheel in it."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    place = {"base": str(folder), "platbase": str(folder)}
    here, there = (Path(sysconfig.get_path("purelib", vars=vars_)) for vars_ in (None, place))
    there.joinpath("dependencies.pth").write_text(f"{here}\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", scripts / "python", "install", "--no-deps", "--no-index", "--quiet"]
    done = run(*pip, wheel, folder=folder)
    assert done.returncode == 0, done.stderr
    return scripts


@pytest.fixture
def use(installed: Path, tmp_path: Path) -> Callable[..., str]:
    """Run one of the new environment's commands from a folder that has nothing in it; returns what it prints."""

    def use(command: str, *arguments: object, status: int = 0) -> str:
        done = run(installed / command, *arguments, folder=tmp_path)
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 else done.stderr

    return use


def test_the_wheel_has_every_file_of_the_three_packages_and_no_other(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == packaged_files()
    assert {"zs_app/style.css", "zs_bench/data/published.json", "zs_metric/explain/f1.py"} <= names


def test_its_command_tells_its_version(use: Callable[..., str]) -> None:
    assert use("zero-scrolls", "--version") == f"zero-scrolls {VERSION}\n"


IMPORT_ALL = """
import importlib, json, pkgutil, sys
import zs_app, zs_bench, zs_metric
for package in (zs_metric, zs_bench, zs_app):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name != "zs_bench.__main__":
            importlib.import_module(module.name)
ours = {name: module.__file__ for name, module in sys.modules.items() if name.startswith("zs_")}
print(json.dumps({"prefix": sys.prefix, "modules": ours, "score": zs_metric.score_example("quality", "B", "B").score}))
"""


def test_every_module_is_imported_from_there(use: Callable[..., str]) -> None:
    found = json.loads(use("python", "-c", IMPORT_ALL))
    assert all(Path(file).is_relative_to(found["prefix"]) for file in found["modules"].values())
    assert {"zs_metric.explain.rouge", "zs_bench.commands.score", "zs_app.page"} <= found["modules"].keys()
    assert found["score"] == 100.0


def test_it_scores_the_sample_that_it_brings(use: Callable[..., str]) -> None:
    find = "import zs_bench; print(zs_bench.__path__[0])"
    sample = Path(use("python", "-c", find).strip()) / "data" / "sample" / "zero_scrolls_predictions.csv"
    report = json.loads(use("zero-scrolls", "score", sample, "--source", "embedded", "--json", "-"))
    assert 0 < report["score"] < 100
    assert report["missing_tasks"] == []


def test_publishing_takes_a_clone_and_says_so(use: Callable[..., str]) -> None:
    told = use("zero-scrolls", "publish", "me/zero_scrolls", "--dry-run", status=2)
    assert "lacks app.py, requirements.txt, README.md, " in told
    assert told.endswith("in a clone of the project run: python -m zs_bench publish\n")
