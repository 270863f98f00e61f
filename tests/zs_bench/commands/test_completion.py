"""`zero-scrolls completion`, asked for completions by the shells themselves where they are installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from zs_bench.cli import COMMANDS, main

#: For each shell, a program that prints what `zero-scrolls WORDS` is completed to; the last word is being typed.
_BASH = """
source "$1"; shift
COMP_WORDS=(zero-scrolls "$@"); COMP_CWORD=$#; COMPREPLY=()
$(complete -p zero-scrolls | sed 's/.*-F \\([^ ]*\\).*/\\1/') zero-scrolls "${COMP_WORDS[COMP_CWORD]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
_FISH = 'source $argv[1]; complete --do-complete "zero-scrolls $argv[2..-1]"'
_ASK = {"bash": ["bash", "-c", _BASH, "bash"], "fish": ["fish", "--no-config", "-c", _FISH]}


@pytest.mark.parametrize("shell", _ASK)
def test_a_shell_completes_commands_options_tasks_and_files(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    assert main(["completion", shell, "--install"]) == 0
    (script,) = (path for path in tmp_path.rglob("zero-scrolls*") if path.is_file())
    (tmp_path / "answers.csv").touch()
    for words, completed in (
        (["sco"], "score"),
        (["explain", "book"], "book_sum_sort"),
        (["score", "--fail"], "--fail-under"),
        (["score", "ans"], "answers.csv"),
        (["verify", "--tasks", "space"], "space_digest"),
    ):
        done = subprocess.run([*_ASK[shell], script, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert completed in [line.partition("\t")[0] for line in done.stdout.splitlines()], (words, done.stderr)


def test_the_script_for_zsh_is_one_that_zsh_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "zsh"]) == 0
    script = capsys.readouterr().out
    assert script.startswith("#compdef zero-scrolls")
    assert [name for name in (*COMMANDS, "book_sum_sort") if name not in script] == []
    if zsh := shutil.which("zsh"):
        (tmp_path / "_zero-scrolls").write_text(script, encoding="utf-8")
        subprocess.run([zsh, "-n", str(tmp_path / "_zero-scrolls")], check=True)


def test_the_script_for_zsh_is_installed_with_the_line_for_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ZDOTDIR", str(tmp_path))
    assert main(["completion", "zsh", "--install"]) == 0
    assert f"fpath+=({tmp_path / '.zfunc'})" in capsys.readouterr().out
    assert (tmp_path / ".zfunc" / "_zero-scrolls").is_file()
