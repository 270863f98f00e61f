"""The workflows of docs/ci.md: each `run:` is run as a shell script, as by GitHub, in a folder with what it needs.

What a step takes from GitHub or the registry is a stand-in: `gh` copies the stored baseline, `pip` does nothing.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml
from model_stand_in import StandIn, serving
from packaged_files import ROOT
from run_folders import write_rows
from written_files import write

pytestmark = pytest.mark.slow

BLOCKS = re.findall(r"^```yaml\n(.*?)^```", (ROOT / "docs" / "ci.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
GATE, SCORES = (yaml.safe_load(text) for text in BLOCKS)
#: The conditions of steps: those met at night, in a run by hand that stores a baseline, and in both.
AT_NIGHT, BY_HAND, ALWAYS = "${{ !inputs.baseline }}", "inputs.baseline", "always()"
#: What stands for the registry and for GitHub's command.
COMMANDS = {
    "pip": "#!/bin/sh\n",
    "gh": '#!/bin/sh\n[ "$*" = "run download --name baseline --dir runs/base" ] && cp -r stored runs/base\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in COMMANDS.items():
        write(tmp_path / "bin" / name, text).chmod(0o755)
    write_rows(tmp_path / "data", 24)
    return tmp_path


def run_job(workflow: Mapping[str, object], folder: Path, *, met: str = AT_NIGHT, change: tuple[str, str] = ("", "")):
    """Run a workflow's steps until one fails; returns the status, its output, and the summary."""
    (job,) = workflow["jobs"].values()
    place = {"PATH": f"{folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"}
    summary, status, output = folder / "summary.md", 0, ""
    env = {**os.environ, **place, "GITHUB_STEP_SUMMARY": str(summary)}
    for step in job["steps"]:
        condition = step.get("if", met)
        is_wanted = ALWAYS in condition if status else condition == met or ALWAYS in condition
        if "hashFiles" in condition and not (folder / "table.md").exists():
            is_wanted = False
        if "run" in step and is_wanted:
            script = step["run"].replace(*change) if change[0] else step["run"]
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
                cwd=folder, env=env, capture_output=True, text=True, check=False,
            )  # fmt: skip
            status, output = status or done.returncode, output + done.stdout + done.stderr
    return status, output, summary.read_text("utf-8") if summary.exists() else ""


def right(prompt: str) -> dict[str, str]:
    return {"content": f"answer to {prompt[-20:]}"}


def wrong(_: str) -> dict[str, str]:
    return {"content": "something else"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with serving(StandIn(message=right)) as stand_in:
        monkeypatch.setenv("MODEL_URL", stand_in.url)
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        yield stand_in


def test_the_gate_of_the_page_passes_fails_and_says_when_nothing_was_compared(folder: Path, server: StandIn) -> None:
    status, output, summary = run_job(GATE, folder, met=BY_HAND)
    assert (status, summary) == (0, ""), output
    stored = [step["with"] for step in GATE["jobs"]["gate"]["steps"] if step.get("if") == BY_HAND]
    assert [(each["name"], each["path"]) for each in stored] == [("baseline", "runs/new")]
    (folder / "runs" / "new").rename(folder / "stored")
    for answer, change, expected, said in (
        (right, ("", ""), 0, "Every margin holds."),
        (wrong, ("", ""), 1, "A margin is not shown to hold."),
        (right, ("--margin 2", "--margin qaser=2"), 2, "Nothing was compared; the log says why."),
    ):
        for name in ("runs", "summary.md", "table.md", "answers.csv", "gate.json"):
            path = folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        server.message = answer
        status, output, summary = run_job(GATE, folder, change=change)
        assert (status, summary.splitlines()[0]) == (expected, said), output
        assert ("| task | base | new |" in summary) == (expected < 2), summary
        assert ("did you mean 'qasper'?" in output) == (expected == 2), output
        assert (folder / "gate.json").exists() == (folder / "answers.csv").exists() == (expected < 2)


def test_a_gate_without_its_baseline_fails(folder: Path, server: StandIn) -> None:
    status, _, summary = run_job(GATE, folder)
    assert (status, summary) == (1, "")


@pytest.mark.parametrize(("fewest", "expected"), [("1", 0), ("100", 1)])
def test_the_table_of_scores_is_in_the_summary_whether_or_not_they_are_high_enough(
    fewest: str, expected: int, folder: Path
) -> None:
    write(folder / "predictions" / "qasper.json", {"1": "rain", "2": "snow"})
    write(folder / "references" / "qasper.json", {"1": ["rain"], "2": ["rain"]})
    given = "--fail-under 35 --fail-under qasper=20"
    status, output, summary = run_job(SCORES, folder, change=(given, f"--fail-under qasper={fewest}"))
    assert (status, "| Qasper | F1 | 50.0000 | 2 of 2 |" in summary) == (expected, True), output + summary


def test_without_a_table_the_job_ends_with_the_status_of_the_command(folder: Path) -> None:
    status, output, summary = run_job(SCORES, folder)
    assert (status, summary, "predictions" in output) == (2, "", True)
