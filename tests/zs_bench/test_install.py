"""The metric installed into the modules cache: the bare name works anywhere, and a copy that differs is reported."""

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from zs_bench import install, installed_copy
from zs_bench.cli import main

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A modules cache of each test's own."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("HF_MODULES_CACHE", raising=False)
    return tmp_path / "home" / "modules" / "evaluate_modules" / "metrics" / "evaluate-metric--zero_scrolls"


@pytest.fixture
def copied_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of `zs_metric`, to be changed, that is installed from instead."""
    copy = tmp_path / "package" / "zs_metric"
    shutil.copytree(ROOT / "zs_metric", copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(install, "_PACKAGE", copy)
    return copy


def copy_in(modules: Path) -> Path:
    (copy,) = (path for path in modules.iterdir() if path.is_dir())
    return copy


def test_the_copy_is_the_script_with_every_sibling_in_a_folder_that_evaluate_takes(modules: Path) -> None:
    install.install_metric()
    copy = copy_in(modules)
    assert len(copy.name) == 64
    assert int(copy.name, 16)
    files = install.metric_files("zero_scrolls")
    assert {path.name for path in copy.iterdir()} == {*files, "__init__.py"}
    assert {"zero_scrolls.py", "rouge.py", "texts.py", "version.py"} <= files.keys()
    for name, content in files.items():
        assert (copy / name).read_bytes() == content
    for parent in (modules, modules.parent, modules.parent.parent):
        assert (parent / "__init__.py").is_file()


def test_a_new_copy_takes_the_place_of_the_earlier_one(modules: Path, copied_package: Path) -> None:
    install.install_metric()
    first = copy_in(modules)
    (copied_package / "version.py").write_text('VERSION = "9.9.9"\n', encoding="utf-8")
    install.install_metric()
    assert copy_in(modules) != first
    assert "9.9.9" in (copy_in(modules) / "version.py").read_text(encoding="utf-8")


def test_the_commands_say_what_they_did_and_when_there_is_nothing_to_remove(
    modules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install-metric"]) == 0
    assert 'evaluate.load("scrolls", "qasper") now work from any directory' in capsys.readouterr().out
    assert install.stale_copy() is None
    assert main(["uninstall-metric"]) == 0
    assert "the bare names zero_scrolls and scrolls are no longer found" in capsys.readouterr().out
    assert not modules.exists()
    assert install.uninstall_metric() == "There is no installed copy."


@pytest.mark.parametrize("change", ["a changed file", "a missing file", "a file more"])
def test_a_copy_that_differs_is_stale(modules: Path, change: str) -> None:
    install.install_metric()
    path = copy_in(modules) / ("new.py" if change == "a file more" else "texts.py")
    path.unlink() if change == "a missing file" else path.write_text("# another\n", encoding="utf-8")
    assert "run: zero-scrolls install-metric" in (install.stale_copy() or "")


def test_scoring_warns_of_a_stale_copy(modules: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install.install_metric()
    with (copy_in(modules) / "f1.py").open("a", encoding="utf-8") as file:
        file.write("# an earlier version\n")
    path = tmp_path / "quality.json"
    path.write_text('{"1": "A"}', encoding="utf-8")
    assert main(["score", str(path), "--references", str(path)]) == 0
    err = capsys.readouterr().err
    assert err.startswith("zero-scrolls: warning: the installed copy that evaluate.load")
    install.install_metric()
    assert main(["score", str(path), "--references", str(path)]) == 0
    assert capsys.readouterr().err == ""


def is_of_an_editable_install(finder: Any) -> bool:
    """`pip install -e .`, as `make test` does it, makes this checkout importable from everywhere."""
    return str(getattr(finder, "__module__", "")).startswith("__editable__")


def test_the_check_finds_the_package_without_importing_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert installed_copy.package_folder() == ROOT / "zs_metric"
    monkeypatch.delitem(sys.modules, "zs_metric")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(sys, "meta_path", [finder for finder in sys.meta_path if not is_of_an_editable_install(finder)])
    assert installed_copy.package_folder() is None
    (tmp_path / "zs_metric").mkdir()
    (tmp_path / "zs_metric" / "__init__.py").write_text("raise SystemExit", encoding="utf-8")
    importlib.invalidate_caches()
    assert installed_copy.package_folder() == tmp_path / "zs_metric"


SERVE = """
import json, os, sys, warnings
sys.meta_path = [finder for finder in sys.meta_path if not getattr(finder, "__module__", "").startswith("__editable__")]
sys.path = [path for path in sys.path if path != sys.argv[1]]  # this checkout
import evaluate

def load(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metric = evaluate.load(name, "qasper")
        score = metric.compute(predictions=["the Cat, sat!"], references=[["a cat sat"]])["f1"]
    module = sys.modules[type(metric).__module__]
    messages = [str(warning.message) for warning in caught if "scrolls metric" in str(warning.message)]
    return {"score": score, "version": module.__version__, "file": module.__file__, "warnings": messages}

for line in sys.stdin:
    folder, paths, name = json.loads(line)
    if os.fork():
        os.wait()
        continue
    os.chdir(folder)
    sys.path[:0] = paths
    try:
        result = load(name)
    except Exception as error:
        result = repr(error)
    print(json.dumps(result), flush=True)
    os._exit(0)
"""
Use = Callable[..., Any]


@pytest.fixture
def use(modules: Path, tmp_path: Path) -> Iterator[Use]:
    """Load a bare name elsewhere, with these paths to import from; each time in a new process that has `evaluate`."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    environment = {**os.environ, "HF_EVALUATE_OFFLINE": "1", "PYTHONPATH": ""}
    command = [sys.executable, "-W", "ignore", "-c", SERVE, str(ROOT)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=folder, env=environment, **pipes) as process:

        def load(*paths: Path, name: str = "zero_scrolls") -> Any:
            process.stdin.write(json.dumps([str(folder), [*map(str, paths)], name]) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield load
        process.stdin.close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_bare_name_loads_what_was_installed_last_and_warns_when_the_package_differs(
    modules: Path, use: Use, copied_package: Path
) -> None:
    assert "FileNotFoundError" in use(ROOT)  # nothing is installed yet
    (copied_package / "version.py").write_text('VERSION = "9.9.9"\n', encoding="utf-8")
    install.install_metric()
    expected = {"score": 100.0, "version": "9.9.9", "file": str(copy_in(modules) / "zero_scrolls.py"), "warnings": []}
    assert use(copied_package.parent) == expected
    assert use()["warnings"] == []  # no package to be imported: nothing to differ from
    other = use(ROOT, name="scrolls")
    assert (other["score"], other["version"], Path(other["file"]).name) == (100.0, "9.9.9", "scrolls.py")
    (warning,) = other["warnings"]
    assert warning == (
        f"the installed scrolls metric is not the version of the package in {ROOT / 'zs_metric'}; "
        "run: zero-scrolls install-metric"
    )


PLACES = [
    {},
    {"HF_HOME": "~/hf"},
    {"HF_HOME": ""},
    {"XDG_CACHE_HOME": "/cache"},
    {"XDG_CACHE_HOME": ""},
    {"XDG_CACHE_HOME": "/cache", "HF_HOME": "/hf"},
    {"HF_HOME": "/hf", "HF_MODULES_CACHE": "/modules"},
    {"HF_MODULES_CACHE": "~/modules"},
]


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_the_copy_is_put_where_evaluate_looks(place: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    import evaluate.config

    for name in ("HF_HOME", "XDG_CACHE_HOME", "HF_MODULES_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in place.items():
        monkeypatch.setenv(name, value)
    before = dict(vars(evaluate.config))
    try:
        looked_in = importlib.reload(evaluate.config).HF_MODULES_CACHE
    finally:
        vars(evaluate.config).update(before)
    assert looked_in / "evaluate_modules" / "metrics" / "evaluate-metric--scrolls" == install._folder("scrolls")
