"""The README and docs/ are true: commands, options, tasks, make targets, Python."""

import argparse
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

import pytest

from zs_bench.benchmarks import BENCHMARKS, task_names
from zs_bench.benchmarks.packaged import METRICS_OF_CHOICES
from zs_bench.files.columns import USUAL
from zs_bench.files.names import name_task
from zs_metric.metrics import METRICS
from zs_start.cli import parser

ROOT = Path(__file__).parents[1]
PAGES = {
    path.relative_to(ROOT): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
}
DOCS = "\n".join(PAGES.values())
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", DOCS, re.MULTILINE | re.DOTALL)
SHELL = "\n".join(text for kind, text in BLOCKS if kind == "sh").replace("\\\n", " ")
INLINE = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", DOCS, flags=re.MULTILINE | re.DOTALL))


def test_the_readme_is_short_every_page_is_linked_from_it_and_every_link_to_a_file_works() -> None:
    readme = PAGES[Path("README.md")]
    assert len(readme.splitlines()) < 200
    assert [page for page in PAGES if page.name != "README.md" and f"({page.as_posix()})" not in readme] == []
    for page, text in PAGES.items():
        links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
        assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == [], page


def test_the_pages_are_short() -> None:
    """Every word of a page counts, also those of code and tables, split at white space, as `wc -w` does. Questions and
    LongBench, which answer people who read nothing else, have limits of their own."""
    words = {page.stem: len(text.split()) for page, text in PAGES.items() if page.parent.name == "docs"}
    alone = {"questions": 700, "longbench": 700}
    assert {name: words[name] for name, most in alone.items() if words[name] > most} == {}
    total = sum(count for name, count in words.items() if name not in alone)
    assert total <= 9_000, f"leave {total - 9_000} words of docs/ out, also where nothing was added: {words}"


def test_the_lines_of_the_page_that_are_ours_are_about_as_many_as_the_page_on_its_design_says() -> None:
    script, style = re.findall(r"([\d,]+)(?: lines)? of (?:JavaScript|CSS)", PAGES[Path("docs/design.md")])
    for said, files in ((script, "static/*.js"), (style, "*.css")):
        lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "zs_app").glob(files))
        assert abs(lines - int(said.replace(",", ""))) <= 50, files


def test_the_ten_questions_have_each_a_command_and_an_answer_of_five_lines() -> None:
    page = PAGES[Path("docs/questions.md")]
    questions = page.split("\n## ")[1:]
    assert len(questions) == 10
    for question in questions:
        title, command, answer = re.fullmatch(
            r"(.+\?)\n\n```sh\n(.+)\n```\n\n(.+)", question.strip(), re.DOTALL
        ).groups()
        assert command.startswith("zero-scrolls "), title
        assert len(answer.splitlines()) <= 5, title


def test_the_tables_of_fields_and_of_names_are_what_is_read() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", PAGES[Path("docs/score-a-run.md")], re.MULTILINE)
    fields = {what: re.findall(r"`(.+?)`", names) for what, names in rows}
    titles = {"prediction": "answer", "score": "recorded score"}
    assert {ours: fields[titles.get(ours, ours)] for ours in USUAL} == {
        ours: names.split() for ours, names in USUAL.items()
    }
    files = {name: tasks for names, tasks in rows for name in re.findall(r"`([\w/.-]+\.[a-z]+)`", names)}
    tasks = {name: task for name in files if (task := name_task(Path(name))) in task_names()}
    assert len(tasks) > 7
    assert [name for name, task in tasks.items() if task not in files[name]] == []
    assert [name for name in files if name not in tasks and "unclear" not in files[name]] == []


def commands_of(command: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a command, by name."""
    subparsers = [action.choices for action in command._actions if isinstance(action, argparse._SubParsersAction)]
    return {name: below for choices in subparsers for name, below in choices.items()}


def options_of(commands: Iterable[argparse.ArgumentParser]) -> set[str]:
    """The options of these commands, and of the commands below them."""
    below = [options_of([*commands_of(command).values()]) for command in commands]
    return {option for command in commands for option in command._option_string_actions}.union(*below)


COMMANDS = commands_of(parser())


def test_every_command_in_a_block_or_a_sentence_exists_with_its_options() -> None:
    lines = [line.partition("    #")[0].strip() for line in SHELL.splitlines()]
    called = [line for line in lines if line.startswith("zero-scrolls ")]
    assert len(called) >= 10
    for line in called:
        name, *arguments = shlex.split(line, comments=True)[1:]
        COMMANDS[name].parse_args([argument.replace("…", "x") for argument in arguments])
    assert {text.split()[1] for text in INLINE if re.match(r"zero-scrolls [a-z]", text)} <= COMMANDS.keys()
    of_fine_tuning = set(re.findall(r'add\("(--[a-z-]+)"', (ROOT / "tools/fine_tune.py").read_text(encoding="utf-8")))
    known = of_fine_tuning | options_of([*COMMANDS.values()])
    assert {text.split()[0] for text in INLINE if text.startswith("--")} <= known


def test_every_command_task_and_benchmark_is_in_the_docs_and_every_make_target_there_exists() -> None:
    assert [name for name in COMMANDS if f"zero-scrolls {name}" not in DOCS and name != "uninstall-metric"] == []
    titles = (benchmark.title for benchmark in BENCHMARKS.values())
    assert [name for name in (*task_names(), *titles) if name not in DOCS] == [], "name each in the README or docs/"
    own, metrics = PAGES[Path("docs/own-benchmark.md")], (*METRICS, *METRICS_OF_CHOICES)
    assert [name for name in metrics if f"`{name}`" not in own] == [], "name each metric in docs/own-benchmark.md"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"\bmake (?!it\b|more\b)([a-z-]+)", SHELL + " ".join(INLINE)))
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


@pytest.mark.parametrize("code", [text for kind, text in BLOCKS if kind == "python" and "Client(" not in text])
def test_its_python_returns_what_its_comments_say(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for line in code.splitlines():
        statement, _, said = line.partition("  # ")
        if not re.match(r"\d|'|\{", said):
            exec(statement, names)
            continue
        value = repr(eval(statement, names))
        begins = said.split("…")[0].strip()
        assert value.startswith(begins.rstrip(" ;,'}")), (statement, value, said)


def test_its_python_for_programs_runs_against_the_app(url: str, tmp_path: Path) -> None:
    # That of the board runs in tests/app/test_board_page.py.
    (code,) = (text for kind, text in BLOCKS if kind == "python" and "Client(" in text and "/board_" not in text)
    files = {"preds.csv": "Task,ID,Prediction\nqasper,1,yes\n", "qasper.jsonl": '{"id": "1", "output": "yes"}\n'}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        code = code.replace(f'"{name}"', repr(str(tmp_path / name)))
    names: dict[str, object] = {}
    exec(code.replace("http://127.0.0.1:7860", url), names)
    names["client"].close()  # type: ignore[attr-defined]
