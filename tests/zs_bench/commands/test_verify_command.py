"""`zero-scrolls verify`: what it prints, what it writes, and its exit status."""

import json

import pytest
from written_files import entries, write, write_folder

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import EMBEDDED, SAMPLE_PREDICTIONS
from zs_bench.validation.rules import OFFERED


def test_complete_answers_to_a_sample_of_some_tasks_are_ready(tmp_path, zero_scrolls):
    tasks = ("qasper", "qmsum", "musique")
    rows = [{"id": "1", "input": "Read it.", "output": None}]
    sample = write_folder(tmp_path / "priv", {f"{task}/test.jsonl": rows for task in tasks})
    answers = write(tmp_path / "run.json", {task: {"1": "yes"} for task in tasks})
    done = zero_scrolls("verify", answers, "--source", sample)
    assert done.status == 0
    assert "\nComplete for the 3 tasks of your folder priv (test split). zero-scrolls verify " in done.out
    assert f" --source {sample} --fix OUT.csv writes the official file.\n" in done.out
    done = zero_scrolls("verify", write(tmp_path / "two.json", {"qasper": {"1": "a"}}), "--source", sample)
    assert (done.status, "Not ready: no answers for qmsum, musique" in done.out) == (1, True)
    only = ["--source", sample, "--tasks", "qasper"]
    assert zero_scrolls("verify", tmp_path / "two.json", *only).status == 0


def test_repairs_that_are_not_safe_are_offered_by_their_kind_and_made_when_accepted(tmp_path, zero_scrolls):
    path = write(tmp_path / "qasper.json", '{"7": "a", "7": "b", "8": "nan", "x": "c"}')
    out = tmp_path / "out.csv"
    command = ["verify", path, "--references", write(tmp_path / "r.json", {"qasper": {"7": "a", "8": "b"}})]
    done = zero_scrolls(*command)
    assert done.status == 1
    offers = ("conflict: keep the later answer", "nothing-word: make it empty", "unknown: drop the answer")
    assert [offer for offer in offers if f" --fix OUT.csv --accept {offer} (1)\n" not in done.out] == []
    assert zero_scrolls(*command, "--fix", out, "--accept", "conflict").status == 1
    assert entries("a.csv", out.read_text()) == [("qasper", "7", "b"), ("qasper", "8", "nan"), ("qasper", "x", "c")]
    accepted = ["--accept", "conflict", "--accept", "unknown", "nothing-word"]
    assert zero_scrolls(*command, "--fix", out, *accepted).status == 0
    assert entries("a.csv", out.read_text()) == [("qasper", "7", "b"), ("qasper", "8", "")]


def test_a_document_is_all_there_is_on_standard_output(zero_scrolls):
    command = ["verify", SAMPLE_PREDICTIONS, "--references", EMBEDDED]
    assert list(json.loads(zero_scrolls(*command, "--json", "-").out)["tasks"]) == list(TASKS)
    done = zero_scrolls(*command, "--fix", "-")
    assert len(entries("a.csv", done.out)) == 20
    assert "standard output" in done.err


def test_control_characters_do_not_reach_the_terminal(tmp_path, zero_scrolls):
    evil = "\x1b[2J\u202e"
    rows = [("qasper", f"{evil}7", evil), (f"qa{evil}", "7", "b"), ("qasper", "8", "\0")]
    path = write(tmp_path / "a.jsonl", [dict(zip(("task", "id", "prediction"), row, strict=True)) for row in rows])
    references = write(tmp_path / "r.json", {"qasper": {"7": "a", "8": "b"}})
    done = zero_scrolls("verify", path, "--references", references, "--fix", tmp_path / "o.csv", "--accept", *OFFERED)
    assert all(line.isprintable() for line in done.out.splitlines())


def test_a_repair_of_nothing_leaves_the_file_that_is_there(tmp_path, zero_scrolls):
    unreadable = write(tmp_path / "a.csv", "Task;ID;Says\nqasper;a;yes\n")
    out = write(tmp_path / "out.csv", "earlier")
    done = zero_scrolls("verify", unreadable, "--fix", out)
    assert (done.status, out.read_text()) == (1, "earlier")
    assert f"{out} was not written: no answer could be read." in done.out
    assert "Not ready: to be repaired: columns (1)" in done.out
    assert "--columns prediction=Says says it, where 'Says' holds the answers." in done.out


@pytest.mark.parametrize("fill", [False, True])
def test_missing_answers_are_filled_on_request(tmp_path, zero_scrolls, *, fill):
    ids = {"schema": "zero-scrolls-ids/1", "source": "x", "revision": None, "split": "test"}
    lists = write(tmp_path / "ids.json", {**ids, "ids": {"qasper": ["7", "8"]}})
    answers, out = write(tmp_path / "qasper.json", {"7": "a"}), tmp_path / "out.csv"
    done = zero_scrolls("verify", answers, "--ids", lists, "--fix", out, *["--fill-missing"] * fill)
    assert done.status == (0 if fill else 1)
    assert entries("a.csv", out.read_text()) == [("qasper", "7", "a"), ("qasper", "8", "")][: 1 + fill]
