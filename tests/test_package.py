"""The distributions as a release builds them: the wheel in a new environment, used from another folder; the sources.

The environment imports packages that are installed here, those of an extra only if the test asks for it, and not this
checkout. So nothing is downloaded.
"""

import json
import re
import shlex
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from importlib.metadata import distribution
from pathlib import Path

import pytest
from fresh_environments import REQUIREMENTS, install, required_by, run
from packaged_files import LEFT_BEHIND, PACKAGES, ROOT, packaged_files
from workflows import run_lines

from zs_app import api
from zs_bench.errors import PACKAGES as PACKAGES_OF_EXTRAS
from zs_metric.version import VERSION

pytestmark = pytest.mark.slow
EVALUATE = PACKAGES_OF_EXTRAS["evaluate"]
Use = Callable[..., str]


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of both distributions, built and checked by the lines of the release, from a copy of the checkout."""
    sources = tmp_path_factory.mktemp("copy") / "sources"
    shutil.copytree(ROOT, sources, ignore=LEFT_BEHIND)
    build, check = (line for line in run_lines("release", "build") if re.match(r"python -m (build|twine) ", line))
    run(sys.executable, *shlex.split(build)[1:], folder=sources)
    *words, pattern = shlex.split(check)[1:]
    run(sys.executable, *words, *sources.glob(pattern), folder=sources)
    return sources / "dist"


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    """The wheel, built from the source distribution."""
    (built,) = dist.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def commands(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Iterable[str]], Use]:
    """Install the wheel with these requirements; return how to run its commands from an empty folder."""

    def installed(needed: Iterable[str]) -> Use:
        scripts = install(wheel, tmp_path_factory.mktemp("environment"), required_by(needed))
        folder = tmp_path_factory.mktemp("nothing")
        return lambda command, *arguments, status=0: run(scripts / command, *arguments, folder=folder, status=status)

    return installed


@pytest.fixture(scope="module")
def core(commands: Callable[[Iterable[str]], Use]) -> Use:
    """What `pip install .` installs, without any extra."""
    return commands(REQUIREMENTS)


def test_the_wheel_has_every_file_of_the_packages_and_no_other_and_needs_little_space(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == packaged_files()
    needed = required_by(REQUIREMENTS)
    files = [file.locate() for name in needed for file in distribution(name).files or []]
    assert "pandas" not in needed
    assert sum(Path(file).stat().st_size for file in files if Path(file).exists()) + wheel.stat().st_size < 160e6


IMPORT_ALL = """
import importlib, json, pkgutil, sys
names, scripts = sys.argv[1:], ("__main__", ".zero_scrolls", ".scrolls", ".evaluate_metric", ".longbench.longbench")
for package in map(importlib.import_module, names):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        of_an_extra = module.name.endswith((".inspect_tasks", ".frames")) or ".board." in module.name
        of_an_extra |= module.name.endswith((".report_data", ".comparison_data"))  # only type checkers import them
        if not of_an_extra and not module.name.endswith(scripts):
            importlib.import_module(module.name)
import zs_metric
ours = {name: module.__file__ for name, module in sys.modules.items() if name.startswith("zs_")}
print(json.dumps({"prefix": sys.prefix, "modules": ours, "score": zs_metric.score_example("quality", "B", "B").score}))
"""


def test_the_metric_and_the_benchmark_need_no_extra(core: Use) -> None:
    imported = json.loads(core("python", "-c", IMPORT_ALL, "zs_metric", "zs_bench"))
    assert all(Path(file).is_relative_to(imported["prefix"]) for file in imported["modules"].values())
    assert {"zs_metric.explain.rouge", "zs_bench.commands.score"} <= imported["modules"].keys()
    assert imported["score"] == 100.0


def test_the_app_needs_what_requirements_txt_names(commands: Callable[[Iterable[str]], Use]) -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    space = commands(line for line in lines if not line.startswith("#"))
    assert "zs_app.page" in json.loads(space("python", "-c", IMPORT_ALL, *PACKAGES))["modules"]


def test_without_an_extra_the_command_scores_and_explains_and_says_how_to_install_one(
    core: Use, tmp_path: Path
) -> None:
    assert core("zero-scrolls", "--version") == f"zero-scrolls {VERSION}\n"
    where = "from zs_bench.dataset.rows import SAMPLE_PREDICTIONS; print(SAMPLE_PREDICTIONS)"
    sample, page = Path(core("python", "-c", where).strip()), tmp_path / "report.html"
    options = ("--source", "embedded", "--json", "-", "--html", page, "--losses")
    report = json.loads(core("zero-scrolls", "score", sample, *options))
    assert 0 < report["score"] < 100
    assert report["missing_tasks"] == []
    assert page.read_text(encoding="utf-8").endswith("</html>\n")
    assert "50" in core("zero-scrolls", "explain", "qasper", "--prediction", "yes, it does", "--reference", "yes")
    assert "conformance cases" in core("zero-scrolls", "selftest")
    assert "on examples written for this package" in core("zero-scrolls", "demo")
    assert "qasper" in core("zero-scrolls", "data", "--source", "embedded")
    for arguments, needed, package in (
        (("data", "qasper"), "huggingface_hub", "huggingface-hub>=1.16"),
        (("board", "list", "--board", "board.sqlite"), "sqlalchemy", "sqlalchemy>=2.0.37"),
    ):
        message = f'zero-scrolls: this needs {needed}; install it with: pip install "{package}"\n'
        assert core("zero-scrolls", *arguments, status=2) == message


def test_the_readmes_lines_load_the_metric_by_its_name(
    commands: Callable[[Iterable[str]], Use], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"```sh\n{api.EVALUATE}\n```" in readme
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("HF_MODULES_CACHE")
    use, (_, *lines) = commands([*REQUIREMENTS, *EVALUATE]), api.EVALUATE.splitlines()
    assert use(*shlex.split(lines[0])).startswith("Installed version ")
    assert use(*shlex.split(lines[1])).startswith("{'f1': 100.0")


def test_the_extras_are_named_in_the_wheel_and_its_description_has_no_front_matter(core: Use) -> None:
    metadata = core("python", "-c", "import importlib.metadata as m; print(m.metadata('zero-scrolls'))")
    extras = re.findall(r"^Provides-Extra: (.+)$", metadata, re.MULTILINE)
    assert {"app", "hub", "evaluate", "board", "dev"} <= set(extras)
    description = metadata.partition("\n\n")[2]
    assert description.startswith("# ZeroSCROLLS")
    assert "](" not in description  # the index has no other files to link to


def test_the_source_distribution_runs_what_the_workflow_runs_on_other_systems(
    dist: Path, wheel: Path, tmp_path: Path
) -> None:
    (archive,) = dist.glob("*.tar.gz")
    with tarfile.open(archive) as sources:
        sources.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    pip, *lines = run_lines("tests", "elsewhere")
    package, *others = shlex.split(pip)[4:]
    assert package == ".[evaluate]"
    scripts = install(wheel, tmp_path / "environment", required_by([*REQUIREMENTS, *EVALUATE, *others]))
    for line in lines:
        command, *arguments = shlex.split(line)
        run(scripts / command, *arguments, folder=unpacked)
