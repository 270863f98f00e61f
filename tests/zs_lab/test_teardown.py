"""Everything else works without an annex: in a copy of the packages, each is taken out in turn."""

import re
from pathlib import Path

import pytest
from packaged_files import ROOT, copy_without, run_python

from zs_bench.dataset.rows import sample_predictions

#: The annexes, each with its command.
COMMANDS = {
    "audit": "audit",
    "run": "run",
    "build": "build",
    "board": "board",
    "harnesses": "tasks",
    "publish": "publish-kit",
}
#: Uses each folder's packages in a process forked from this one, in which Gradio is loaded.
SCRIPT = """
import gc, os, sys, gradio
gc.disable()  # it would copy the memory that the processes share
sample, *folders = sys.argv[1:]
for folder in folders:
    if os.fork():
        os.wait()
        continue
    sys.path.insert(0, folder)
    sys.stdout = sys.stderr = open(f"{folder}/printed", "w")
    from zs_start.cli import main
    from zs_metric.errors import ZeroScrollsError
    try:
        main(["--help"])
    except SystemExit:
        pass
    assert main(["score", sample, "--source", "embedded", "--quiet"]) == 0
    from zs_app.page import build
    from zs_start.annexes import annexes
    build(annexes())
    if folder.endswith("/board"):
        os.environ["ZS_BOARD"] = "board.sqlite"
        try:
            build(annexes())
        except ZeroScrollsError as error:
            print(error)
    print("the page is built")
    break
"""


def test_every_annex_is_torn_down_below() -> None:
    assert {path.parent.name for path in (ROOT / "zs_lab").glob("*/__init__.py")} == COMMANDS.keys()


@pytest.mark.slow
def test_the_command_line_and_the_page_work_without_an_annex(tmp_path: Path) -> None:
    folders = {annex: copy_without([annex], tmp_path / annex) for annex in COMMANDS}
    run_python(tmp_path, "-c", SCRIPT, str(sample_predictions("zero_scrolls")), *map(str, folders.values()))
    for annex, folder in folders.items():
        printed = (folder / "printed").read_text(encoding="utf-8")
        assert printed.endswith("the page is built\n"), printed
        named = {*re.findall(r"^ {4}(\S+)", printed, re.MULTILINE)}
        assert {*COMMANDS.values()} - named == {COMMANDS[annex]}
        without_board = "ZS_BOARD is set, but zs_lab.board is not installed; unset it"
        assert (without_board in printed) == (annex == "board")


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
    done = run_python(copy_without(COMMANDS, tmp_path), "-m", "pytest", *options, *floors)
    assert done.returncode == 0, done.stdout[-5000:]
