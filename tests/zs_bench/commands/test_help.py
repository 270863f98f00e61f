"""The help, the start of the command line, and the completion of shells."""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from zs_start.cli import COMMANDS, parser

ROOT = Path(__file__).parents[3]
(PARSERS,) = (action.choices for action in parser()._actions if isinstance(action, argparse._SubParsersAction))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_sentences_examples_that_work_and_the_exit_statuses(name):
    command = PARSERS[name]
    helps = [action.help for action in command._actions if action.help != argparse.SUPPRESS]
    sentences = [command.description, COMMANDS[name][1], *helps]
    assert [text for text in sentences if not text or not text[0].isupper() or not text.endswith(".")] == []
    parts = [part.strip() for line in command.epilog.splitlines() for part in line.split(" | ") if "# " not in line]
    examples = [shlex.split(part)[1:] for part in parts if part.startswith("zero-scrolls ")]
    assert examples[0][0] == name
    for called, *arguments in examples:
        PARSERS[called].parse_args(arguments)
    assert "exit status:\n  0  " in command.epilog


@pytest.mark.parametrize(("line", "same"), [("help", "--help"), ("help score", "score --help")])
def test_help_is_a_command_too(line, same, zero_scrolls):
    done = zero_scrolls(*line.split())
    assert done == zero_scrolls(*same.split())
    assert done.status == 0
    assert done.out.startswith("usage: zero-scrolls ")


def test_the_help_lists_every_command_under_what_it_is_for_and_begins_with_the_five_that_most_people_need(zero_scrolls):
    listed = re.findall(r"^ {4}([a-z][a-z-]+)|^ {2}([a-z ]+):$", zero_scrolls("--help").out, re.MULTILINE)
    assert [name for name, _ in listed if name] == [*COMMANDS]
    assert [title for _, title in listed if title] == [
        *("score", "understand", "run and build"),
        *["publish"] * ("board" in COMMANDS),
        "set up",
    ]
    assert listed[0] == ("", "score")
    assert [*COMMANDS][:5] == ["demo", "score", "verify", "explain", "compare"]


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_no_command(option):
    code = (
        "import sys\nfrom zs_start.cli import main\n"
        f"try: main([{option!r}])\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert {name for name in loaded if name.startswith("zs_bench.commands.")} == set()
    assert not loaded & {"numpy", "pandas", "jinja2", "huggingface_hub", "zs_bench.reports", "zs_bench.validation"}


#: For each shell, a program that prints what `zero-scrolls WORDS` is completed to; the last word is being typed.
_BASH = """
source "$1"; shift
COMP_WORDS=(zero-scrolls "$@"); COMP_CWORD=$#; COMPREPLY=()
$(complete -p zero-scrolls | sed 's/.*-F \\([^ ]*\\).*/\\1/') zero-scrolls "${COMP_WORDS[COMP_CWORD]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
_FISH = 'source $argv[1]; complete --do-complete "zero-scrolls $argv[2..-1]"'
SHELLS = {"bash": ["bash", "-c", _BASH, "bash"], "fish": ["fish", "--no-config", "-c", _FISH]}
COMPLETED = {
    "sco": "score",
    "explain book": "book_sum_sort",
    "score --fail": "--fail-under",
    "score ans": "answers.csv",
    "verify --tasks space": "space_digest",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_commands_options_tasks_and_files(shell, tmp_path, monkeypatch, zero_scrolls):
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    assert zero_scrolls("completion", shell, "--install").status == 0
    (script,) = (path for path in tmp_path.rglob("zero-scrolls*") if path.is_file())
    (tmp_path / "answers.csv").touch()
    for line, completed in COMPLETED.items():
        command = [*SHELLS[shell], script, *line.split()]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert completed in [out.partition("\t")[0] for out in done.stdout.splitlines()], (line, done.stderr)


def test_the_script_for_zsh_is_one_that_zsh_reads_and_its_folder_is_named(tmp_path, monkeypatch, zero_scrolls):
    monkeypatch.setenv("ZDOTDIR", str(tmp_path))
    done = zero_scrolls("completion", "zsh", "--install")
    path = tmp_path / ".zfunc" / "_zero-scrolls"
    assert (done.status, f"fpath+=({path.parent})" in done.out) == (0, True)
    script = path.read_text(encoding="utf-8")
    assert zero_scrolls("completion", "zsh").out.strip() == script.strip()
    assert script.startswith("#compdef zero-scrolls")
    assert [name for name in (*COMMANDS, "book_sum_sort") if name not in script] == []
    if zsh := shutil.which("zsh"):
        subprocess.run([zsh, "-n", path], check=True)
