"""`zero-scrolls verify`: what it prints, what it writes, and its exit status."""

import json
from pathlib import Path

import pytest
from sick_files import TEST_IDS
from written_files import entries, write, write_folder

from zs_bench.cli import main
from zs_bench.dataset.embedded import EMBEDDED, SAMPLE_PREDICTIONS
from zs_bench.validation.checks import OFFERED
from zs_metric import TASKS

SAMPLE = str(SAMPLE_PREDICTIONS)


@pytest.fixture
def ids(tmp_path: Path) -> str:
    """The ids of a test split, as the data command exports them."""
    data = {"schema": "zero-scrolls-ids/1", "source": "Hub, x at 1", "revision": "1", "split": "test", "ids": TEST_IDS}
    return str(write(tmp_path / "ids.json", data))


def test_a_complete_answer_to_a_sample_of_some_tasks_is_ready(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": "1", "input": "Read it.", "output": None}]
    sample = write_folder(tmp_path / "priv", {f"{task}/test.jsonl": rows for task in ("qasper", "qmsum", "musique")})
    answers = write(tmp_path / "run.json", {task: {"1": "yes"} for task in ("qasper", "qmsum", "musique")})
    assert main(["verify", str(answers), "--source", str(sample)]) == 0
    assert "\nComplete for the 3 tasks of your folder priv (test split). --fix" in capsys.readouterr().out
    short = write(tmp_path / "short.json", {task: {"1": "yes"} for task in ("qasper", "qmsum")})
    assert main(["verify", str(short), "--source", str(sample)]) == 1
    assert "Not ready: no answers for musique" in capsys.readouterr().out


def test_repairs_that_are_not_safe_are_offered_by_their_kind_and_made_when_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "qasper.json", '{"7": "a", "7": "b", "8": "nan", "x": "c"}')
    references = str(write(tmp_path / "r.json", {"qasper": {"7": "a", "8": "b"}}))
    out = tmp_path / "out.csv"
    command = ["verify", str(path), "--references", references]
    assert main(command) == 1
    text = capsys.readouterr().out
    assert "- --accept conflict: keep the later answer (1)\n" in text
    assert "- --accept nothing-word: make it empty (1)\n" in text
    assert "- --accept unknown: drop the answer (1)\n" in text
    assert main([*command, "--fix", str(out), "--accept", "conflict"]) == 1
    assert entries("a.csv", out.read_text()) == [("qasper", "7", "b"), ("qasper", "8", "nan"), ("qasper", "x", "c")]
    assert main([*command, "--fix", str(out), "--accept", "conflict", "--accept", "unknown", "nothing-word"]) == 0
    assert entries("a.csv", out.read_text()) == [("qasper", "7", "b"), ("qasper", "8", "")]
    capsys.readouterr()
    assert main([*command, "--fix", str(out), "--accept", "conflicts"]) == 2
    assert "no repair 'conflicts'; did you mean 'conflict'?" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--json", "--fix"])
def test_a_document_is_all_there_is_on_standard_output(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", SAMPLE, "--references", str(EMBEDDED), option, "-"]) == 0
    out = capsys.readouterr().out
    if option == "--json":
        assert list(json.loads(out)["tasks"]) == list(TASKS)
    else:
        assert len(entries("a.csv", out)) == 20


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--accept", "conflict"], "--accept and --fill-missing go with --fix OUT.csv"),
        (["--fill-missing"], "--accept and --fill-missing go with --fix OUT.csv"),
        (["--split", "test"], "--split goes with --source or --references, --revision with --source"),
        (["--references", str(EMBEDDED), "--revision", "main"], "--revision with --source"),
        (["--references", str(EMBEDDED), "--split", "test"], "there are no references of the split 'test'"),
        (["--fix", "no/such/folder/out.csv"], "there is no folder for"),
        (["--ids", "nothing.json"], "nothing.json cannot be read (No such file or directory); give a list of ids"),
    ],
)
def test_wrong_usage_exits_with_2_and_a_sentence(
    options: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", SAMPLE, *options]) == 2
    assert says in capsys.readouterr().err


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evil = "\x1b[2J\u202e"
    rows = [("qasper", f"{evil}7", evil), (f"qa{evil}", "7", "b"), ("qasper", "8", "\0")]
    path = write(tmp_path / "a.jsonl", [dict(zip(("task", "id", "prediction"), row, strict=True)) for row in rows])
    ids = str(write(tmp_path / "r.json", {"qasper": {"7": "a", "8": "b"}}))
    main(["verify", str(path), "--references", ids, "--fix", str(tmp_path / "o.csv"), "--accept", *OFFERED])
    out = capsys.readouterr().out
    assert all(line.isprintable() for line in out.splitlines())


def test_a_repair_of_nothing_leaves_the_file_that_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unreadable, out = tmp_path / "answers.csv", tmp_path / "out.csv"
    unreadable.write_text("Task;ID;Answer\nqasper;a;yes\n", encoding="utf-8")
    out.write_text("an earlier file", encoding="utf-8")
    assert main(["verify", str(unreadable), "--fix", str(out)]) == 1
    assert out.read_text(encoding="utf-8") == "an earlier file"
    text = capsys.readouterr().out
    assert f"{out} was not written: no answer could be read." in text
    assert text.count("- the column") == 1
    assert "paper's test split" not in text


def test_of_a_folder_without_answers_the_verdict_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path)]) == 1
    assert "Not ready: no answers were found; no IDs were checked" in capsys.readouterr().out


def test_thousands_of_bad_rows_are_some_lines_in_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count = 5_000
    rows = [
        row
        for n in range(count)
        for row in ({"task": "qasper", "id": n, "prediction": "a"}, {"task": f"t{n}", "id": "x", "prediction": None}, n)
    ]
    bad = str(write(tmp_path / "bad.jsonl", rows))
    known = str(write(tmp_path / "known.json", {"qasper": {f"id {n}": "a" for n in range(count)}}))
    for command in (["verify", bad], ["verify", bad, "--references", known], ["score", bad, "--references", known]):
        assert main(command) == 1
        out, err = capsys.readouterr()
        assert len(f"{out}{err}".splitlines()) < 60, command
        assert len(f"{out}{err}") < 20_000, command
