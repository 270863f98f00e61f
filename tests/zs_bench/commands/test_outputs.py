"""What commands print and write where something goes wrong: whole documents or none, and one line of explanation."""

import json
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from written_files import write

from zs_bench.dataset.rows import SAMPLE_PREDICTIONS

ROOT = Path(__file__).parents[3]
COMMAND = "$PYTHON -m zs_start"  # as `shell` sets it
EXPLAIN = f"{COMMAND} explain narrative_qa --prediction 'é“ 中' --reference 'é“ 中'"
SCORE = f"{COMMAND} score $SAMPLE --source embedded --json -"
SAMPLE = ("score", SAMPLE_PREDICTIONS, "--source", "embedded")
EXPLAINED = ("explain", "qasper", "--prediction", "a", "--reference", "b")


FULL = "zero-scrolls: the disk is full; make room and run the command again\n"
CLOSED = "zero-scrolls: standard input is closed; give the text itself, or a file as @PATH\n"


def shell(line, **settings):
    """Run a line in the C locale and without a home, as in some containers."""
    names = {"PYTHON": sys.executable, "SAMPLE": str(SAMPLE_PREDICTIONS)}
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C", **names, **settings}
    return subprocess.run(["sh", "-c", line], cwd=ROOT, env=env, capture_output=True, encoding="utf-8", check=False)


posix = pytest.mark.skipif(os.name == "nt", reason="written for a POSIX shell")


@posix
@pytest.mark.slow
def test_a_full_or_closed_stream_is_at_most_one_line_of_explanation():
    for line, status, out, err in (
        (f"{EXPLAIN} > /dev/full", 2, "", FULL),
        (f"{SCORE} > /dev/full", 2, "", FULL),
        (f"{SCORE} | head -c 1", 0, "{", ""),
        (f"{COMMAND} verify $SAMPLE --json /dev/stdout | head -c 1", 0, "{", ""),
        (f"{EXPLAIN} >&-", 0, "", ""),
        (f"{EXPLAIN} <&-", 0, "narrative_qa: 100", ""),
        (f"{EXPLAIN} 2>&-", 0, "narrative_qa: 100", ""),
        (f"{EXPLAIN} <&- >&- 2>&-", 0, "", ""),
        (f"{COMMAND} explain qasper --prediction @- --reference x <&-", 2, "", CLOSED),
    ):
        done = shell(line)
        assert (done.returncode, done.stdout[: len(out) or None], done.stderr) == (status, out, err)


@posix
@pytest.mark.parametrize("value", ["3", '"x"'])
def test_a_lone_surrogate_in_a_name_neither_ends_the_command_nor_breaks_the_report(value, tmp_path):
    answers = write(tmp_path / "answers.json", f'{{"quality": {{"a": "B"}}, "\\ud800": {value}}}')
    truth, out = write(tmp_path / "known.json", {"quality": {"a": ["B"]}}), write(tmp_path / "out.json", "earlier")
    line = f"{COMMAND} score {answers} --references {truth} --json {out}"
    done = shell(line, PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert json.loads(out.read_text(encoding="utf-8"))["schema"].startswith("zero-scrolls-report/")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_a_link_of_another_user_or_to_their_file_is_not_followed(tmp_path, zero_scrolls):
    theirs, mine = write(tmp_path / "theirs.json", "theirs"), write(tmp_path / "mine.json", "mine")
    os.chown(theirs, 4321, -1)
    planted, own = tmp_path / "planted.json", tmp_path / "own.json"
    planted.symlink_to(mine)
    own.symlink_to(theirs)
    os.chown(planted, 4321, -1, follow_symlinks=False)
    for out in (planted, own):
        assert zero_scrolls(*SAMPLE, "--json", out).status == 2
    assert (theirs.read_text(), mine.read_text()) == ("theirs", "mine")


def test_a_report_that_cannot_be_finished_leaves_the_earlier_one(tmp_path, monkeypatch, zero_scrolls):
    out = write(tmp_path / "out.json", "an earlier report")
    monkeypatch.setattr(os, "replace", Mock(side_effect=OSError(28, "No space left on device")))
    done = zero_scrolls(*SAMPLE, "--json", out)
    assert (done.status, done.err) == (2, f"zero-scrolls: {out}: {FULL.partition(': ')[2]}")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.json", "an earlier report")]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path, zero_scrolls):
    out, link = write(tmp_path / "out.json", "old"), tmp_path / "link.json"
    link.symlink_to(out)
    for path in (link, os.devnull):
        assert zero_scrolls(*SAMPLE, "--json", path).status == 0
    assert (link.is_symlink(), Path(os.devnull).is_file()) == (True, False)
    assert len(json.loads(out.read_text(encoding="utf-8"))["tasks"]) == 10


def test_whatever_ends_a_command_is_at_most_one_line_and_no_traceback(monkeypatch, zero_scrolls):
    errors = (KeyboardInterrupt(), 130, 0), (RecursionError("too deep"), 1, 1), (UnicodeError("no text"), 1, 1)
    for error, status, lines in errors:
        monkeypatch.setattr("zs_bench.commands.explain.explain", Mock(side_effect=error))
        done = zero_scrolls(*EXPLAINED)
        assert (done.status, done.out, len(done.err.splitlines())) == (status, "", lines)
        assert done.err.startswith("zero-scrolls: " * lines)


@pytest.mark.slow
def test_thousands_of_bad_rows_are_some_lines_in_every_command(tmp_path, zero_scrolls):
    good = {"task": "qasper", "prediction": "a"}
    rows = (({**good, "id": n}, {"task": f"t{n}", "id": "x", "prediction": None}, n) for n in range(5_000))
    bad = write(tmp_path / "bad.jsonl", [row for some in rows for row in some])
    truth = write(tmp_path / "known.json", {"qasper": {f"id {n}": "a" for n in range(5_000)}})
    for command in (["verify", bad], ["verify", bad, "--references", truth], ["score", bad, "--references", truth]):
        status, out, err = zero_scrolls(*command)
        assert status == 1
        assert len(f"{out}{err}".splitlines()) < 60, command
        assert len(f"{out}{err}") < 20_000, command


def test_progress_is_a_line_on_a_terminal_that_can_rewrite_one(hub, monkeypatch, zero_scrolls):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    err = zero_scrolls("data", "qasper").err
    assert "qasper.zip: " in err
    assert err.endswith("\r\033[K")
    monkeypatch.setenv("TERM", "dumb")
    assert "\033" not in zero_scrolls("data", "qasper").err
