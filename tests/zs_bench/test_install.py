"""The metric installed into the modules cache: the bare name works anywhere, and a copy that differs is reported."""

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from zs_bench import install, installed_copy, metric_scripts
from zs_metric.version import VERSION

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def modules(tmp_path, monkeypatch):
    """A modules cache of each test's own."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("HF_MODULES_CACHE", raising=False)
    return tmp_path / "home" / "modules" / "evaluate_modules" / "metrics" / "evaluate-metric--zero_scrolls"


@pytest.fixture
def copied_package(tmp_path, monkeypatch):
    """A copy of `zs_metric`, of another version, that is installed from instead."""
    copy = tmp_path / "package" / "zs_metric"
    shutil.copytree(ROOT / "zs_metric", copy, ignore=shutil.ignore_patterns("__pycache__"))
    version = copy / "version.py"
    version.write_text(version.read_text(encoding="utf-8").replace(VERSION, "9.9.9"), encoding="utf-8")
    monkeypatch.setattr(metric_scripts, "PACKAGE", copy)
    return copy


def copy_in(modules):
    (copy,) = (path for path in modules.iterdir() if path.is_dir())
    return copy


def test_the_commands_install_replace_and_remove_a_copy_that_evaluate_takes(modules, zero_scrolls, copied_package):
    (modules / ("0" * 64)).mkdir(parents=True)
    (modules / ("0" * 64) / "zero_scrolls.py").touch()
    done = zero_scrolls("install-metric")
    assert (done.status, 'evaluate.load("longbench", "qasper") now work from any directory' in done.out) == (0, True)
    copy, files = copy_in(modules), metric_scripts.metric_files("zero_scrolls")
    assert (len(copy.name), {*copy.name} <= {*"0123456789abcdef"}) == (64, True)
    assert {path.name for path in copy.iterdir()} == {*files, "__init__.py"}
    assert {"zero_scrolls.py", "rouge.py", "texts.py", "version.py"} <= files.keys()
    assert {name: (copy / name).read_bytes() for name in files} == files
    assert all((parent / "__init__.py").is_file() for parent in (modules, modules.parent, modules.parent.parent))
    done = zero_scrolls("uninstall-metric")
    assert (done.status, modules.exists()) == (0, False)
    assert "the bare names zero_scrolls and scrolls and longbench are no longer found" in done.out
    assert zero_scrolls("uninstall-metric").out == "There is no installed copy.\n"


def test_it_says_where_the_copies_are_and_that_other_environments_see_them(modules):
    said = install.install_metric()
    assert f" in {modules.parent}: " in said
    assert said.endswith("All environments of this user that have evaluate see them.")


def test_a_copy_differs_if_a_file_of_it_is_another_or_is_not_in_the_package(modules, copied_package):
    install.install_metric()
    copy, texts = copy_in(modules), copied_package / "texts.py"
    assert not installed_copy.differs(copy, copied_package)
    texts.write_text("# another\n", encoding="utf-8")
    assert installed_copy.differs(copy, copied_package)
    texts.unlink()
    assert installed_copy.differs(copy, copied_package)


LOAD = """
import json, os, sys, warnings
root, paths, name, task = json.loads(sys.argv[1])
sys.meta_path = [finder for finder in sys.meta_path if not getattr(finder, "__module__", "").startswith("__editable__")]
sys.path = [*paths, *(path for path in sys.path if path != root)]
import evaluate
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    metric = evaluate.load(name, task)
    score = metric.compute(predictions=["the Cat, sat!"], references=[["a cat sat"]])["f1"]
module = sys.modules[type(metric).__module__]
messages = [str(warning.message) for warning in caught if "scrolls metric" in str(warning.message)]
print(json.dumps([score, module.__version__, os.path.basename(module.__file__), messages]))
"""


@pytest.mark.slow
def test_the_bare_name_loads_what_was_installed_and_warns_when_the_package_differs(tmp_path, copied_package):
    def load(*paths, name="zero_scrolls", task="qasper"):
        arguments = json.dumps([str(ROOT), [*map(str, paths)], name, task])
        environment = {**os.environ, "HF_EVALUATE_OFFLINE": "1", "PYTHONPATH": ""}
        command = [sys.executable, "-W", "ignore", "-c", LOAD, arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert "FileNotFoundError" in load(ROOT).stderr  # nothing is installed yet
    install.install_metric()
    assert json.loads(load(copied_package.parent).stdout) == [100.0, "9.9.9", "zero_scrolls.py", []]
    assert json.loads(load().stdout) == [100.0, "9.9.9", "zero_scrolls.py", []]  # no package to differ from
    for name, task in (("longbench", "qasper"), ("zero_scrolls", "longbench/qasper")):
        assert json.loads(load(ROOT, name=name, task=task).stdout)[:3] == [100.0, VERSION, "longbench.py"]
        missing = load(copied_package.parent, name=name, task=task).stderr
        assert "needs this project (No module named 'zs_bench'), which is not on PyPI; run this in a clone" in missing
        assert "pip install zs_bench" not in missing
    warning = f"the installed scrolls metric is not the version of the package in {ROOT / 'zs_metric'}"
    loaded = json.loads(load(ROOT, name="scrolls").stdout)
    assert loaded == [100.0, "9.9.9", "scrolls.py", [f"{warning}; run: zero-scrolls install-metric"]]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"HF_HOME": "~/hf"},
        {"HF_HOME": ""},
        {"XDG_CACHE_HOME": "/cache"},
        {"XDG_CACHE_HOME": ""},
        {"XDG_CACHE_HOME": "/cache", "HF_HOME": "/hf"},
        {"HF_HOME": "/hf", "HF_MODULES_CACHE": "/modules"},
        {"HF_MODULES_CACHE": "~/modules"},
    ],
    ids=str,
)
def test_the_copy_is_put_where_evaluate_looks(settings, monkeypatch):
    import evaluate.config

    for name in ("HF_HOME", "XDG_CACHE_HOME", "HF_MODULES_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    before = dict(vars(evaluate.config))
    try:
        looked_in = importlib.reload(evaluate.config).HF_MODULES_CACHE
    finally:
        vars(evaluate.config).update(before)
    assert looked_in / "evaluate_modules" / "metrics" / "evaluate-metric--scrolls" == install._folder("scrolls")
