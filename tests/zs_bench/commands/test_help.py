"""Help, suggestions and the start of the command line."""

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from zs_bench.cli import COMMANDS, main, parser

ROOT = Path(__file__).parents[3]


def commands() -> dict[str, argparse.ArgumentParser]:
    """The parsers of all commands, by name."""
    (found,) = (action.choices for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    return dict(found)


def examples(command: argparse.ArgumentParser) -> list[str]:
    """The command lines in the help, without pipes."""
    lines = [line.strip() for line in (command.epilog or "").splitlines()]
    calls = [part.strip() for line in lines if not line.startswith("#") for part in line.split(" | ")]
    return [call for call in calls if call.startswith("zero-scrolls ")]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_sentences_examples_that_work_and_the_exit_statuses(name: str) -> None:
    command = commands()[name]
    sentences = [
        command.description,
        COMMANDS[name][1],
        *(action.help for action in command._actions if action.help != argparse.SUPPRESS),
    ]
    assert [text for text in sentences if not text or not text[0].isupper() or not text.endswith(".")] == []
    first, *others = [shlex.split(example)[1:] for example in examples(command)]
    assert first[0] == name
    for called, *arguments in [first, *others]:
        commands()[called].parse_args(arguments)
    assert "exit status:\n  0  " in str(command.epilog)


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        (["scroe"], "there is no command 'scroe'; did you mean 'score'?"),
        (["readings"], "there is no command 'readings'; the commands are demo, score, "),
        ([], "give a command; the commands are demo, score, "),
        (["score", "a.csv", "--refrences", "b"], "there is no option --refrences; did you mean '--references'?"),
        (["score", "a.csv", "--nothing=1"], "there is no option --nothing\n"),
        (["score", "a.csv", "--ref", "b"], "there is no option --ref"),
        (["demo", "more"], "zero-scrolls demo: unexpected argument 'more'\nTry:  zero-scrolls demo\n"),
        (["score"], "required: PREDICTIONS\nTry:  zero-scrolls score predictions.csv --references references/\n"),
        (["score", "a.csv", "--references", "b", "--fail-under", "x"], "'x' is not a number of points from 0 to 100"),
        (["--verison"], "there is no command '--verison'; did you mean '--version'?"),
        (
            ["score", "--references", "b", "a.csv"],
            "--references takes all that follows it, so give it last",
        ),
    ],
)
def test_wrong_usage_has_a_hint_and_a_line_to_try(
    given: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(given)
    assert stopped.value.code == 2
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize(("given", "same"), [(["help"], ["--help"]), (["help", "score"], ["score", "--help"])])
def test_help_is_a_command_too(given: list[str], same: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for arguments in (given, same):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert printed[0].startswith("usage: zero-scrolls ")


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_no_command(option: str) -> None:
    code = (
        "import sys\nfrom zs_bench.cli import main\n"
        f"try: main([{option!r}])\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert {name for name in loaded if name.startswith("zs_bench.commands.")} == set()
    assert not loaded & {"numpy", "pandas", "jinja2", "huggingface_hub", "zs_bench.reports", "zs_bench.validation"}
