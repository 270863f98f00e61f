"""Everything else works without an annex: in a copy of the packages, each is taken out in turn."""

import re
from pathlib import Path

import pytest
from packaged_files import ROOT, run_without

from zs_bench.dataset.embedded import sample_predictions

#: The annexes, each with its command.
COMMANDS = {
    "audit": "audit",
    "run": "run",
    "build": "build",
    "board": "board",
    "harnesses": "tasks",
    "publish": "publish-kit",
}
SCRIPT = """
import sys
from zs_bench.cli import main
try:
    main(["--help"])
except SystemExit:
    pass
assert main(["score", sys.argv[1], "--source", "embedded", "--quiet"]) == 0
from zs_app.page import build
build()
"""


def test_every_annex_is_torn_down_below() -> None:
    assert {path.parent.name for path in (ROOT / "zs_lab").glob("*/__init__.py")} == COMMANDS.keys()


@pytest.mark.parametrize("annex", COMMANDS)
def test_the_command_line_and_the_page_work_without_an_annex(annex: str, tmp_path: Path) -> None:
    done = run_without([annex], tmp_path, "-c", SCRIPT, str(sample_predictions("zero_scrolls")))
    assert done.returncode == 0, done.stderr
    named = {*re.findall(r"^ {4}(\S+)", done.stdout, re.MULTILINE)}
    assert {command for name, command in COMMANDS.items() if name != annex} <= named
    assert COMMANDS[annex] not in named


@pytest.mark.slow
def test_the_fast_tests_of_the_floors_pass_without_any_annex(tmp_path: Path) -> None:
    for name in (
        "pyproject.toml",
        "README.md",
        "CONTRIBUTING.md",
        "docs",
        "tests",
        "tools",
        "benchmarks",
        "app.py",
        "assets",
    ):
        (tmp_path / name).symlink_to(ROOT / name)
    floors = ["tests/zs_metric", "tests/zs_bench"]
    options = ["-m", "not slow and not browser", "-q", "-n2", "--ignore-glob=*board*"]
    done = run_without(COMMANDS, tmp_path, "-m", "pytest", *options, *floors)
    assert done.returncode == 0, done.stdout[-5000:]
