"""`zero-scrolls verify`: what it prints, what it writes, and its exit status."""

import json
import re
import shlex

import pytest
from written_files import entries, write, write_folder

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import EMBEDDED, SAMPLE_PREDICTIONS, load_embedded
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


def test_the_examples_of_the_package_are_of_no_split_also_in_the_verdict(tmp_path, zero_scrolls):
    ids = [example.id for example in load_embedded("qasper")]
    answers = write(tmp_path / "qasper.json", dict.fromkeys(ids, "a"))
    done = zero_scrolls("verify", answers, "--source", "embedded", "--tasks", "qasper")
    said = "Complete for the task qasper of embedded examples, written for this package."
    assert (done.status, said in done.out, "split)" in done.out) == (0, True, False)


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
    said = f"- zero-scrolls verify {unreadable} --columns prediction=Says: if 'Says' holds the answers\n"
    assert said in done.out


LOG = [
    {"doc": {"id": id_}, "target": "x", "resps": [["x"]], "filtered_resps": [answer], "metrics": ["f1"], "f1": 0.0}
    for id_ in "78"
    for answer in ("x", "a")
]
OF_SPLITS = {f"qasper/{split}.jsonl": [{"id": "7", "output": "a"}] for split in ("test", "validation")}


@pytest.mark.parametrize(
    ("kind", "file", "commands"),
    [
        ("filters", {"qasper.jsonl": LOG}, 2),
        ("columns", {"qasper.jsonl": [{"nr": "7", "says": "a"}, {"nr": "8", "says": "b"}]}, 1),
        ("unread-columns", {"qasper.jsonl": [{"id": id_, "answer": "a", "gpt 4": "b"} for id_ in "78"]}, 1),
        ("other-benchmark", {"run.json": {"contract_nli": {"1": "a"}, "qasper": {"7": "a", "8": "b"}}}, 2),
        ("split-tie", {"qasper.json": {"7": "a"}}, 2),
        ("conflict", {"qasper.json": '{"7": "a", "7": "b", "8": "c"}'}, 1),
        ("missing", {"qasper.json": {"7": "a"}}, 1),
        ("pid", {"qasper.json": {"7_0": "a", "8": "b"}}, 1),
        ("row-order", {"qasper.jsonl": [{"prediction": "a"}, {"prediction": "b"}]}, 1),
    ],
)
def test_every_command_that_is_printed_ends_what_it_is_printed_for(kind, file, commands, tmp_path, zero_scrolls):
    ids = {"qasper.jsonl": [{"id": "7", "output": "a"}, {"id": "8", "output": "b"}]}
    references = write_folder(tmp_path / "my refs", OF_SPLITS if kind == "split-tie" else ids)
    answers = write_folder(tmp_path / "my run", file)
    out = str(tmp_path / "out.csv")
    done = zero_scrolls("verify", answers, "--references", references)
    found = re.findall(r"zero-scrolls (verify [^:\n]+)(?::| writes) ", done.out)
    typed = [shlex.split(command.replace("OUT.csv", out)) for command in found if done.status or "--fix" not in command]
    assert len(typed) == commands
    for command in typed:
        again = json.loads(zero_scrolls(*command, "--json", "-").out)
        left = again["fixed"]["left"] if again["fixed"] else again["problems"]
        assert kind not in {problem["kind"] for problem in left if problem["refuses"] or kind == "unread-columns"}


def test_the_verdict_on_a_log_says_what_a_filter_is_and_which_options_read_one(tmp_path, zero_scrolls):
    log = write(tmp_path / "qasper.jsonl", LOG)
    references = write(tmp_path / "refs.jsonl", [{"id": id_, "output": "a"} for id_ in "78"])
    done = zero_scrolls("verify", log, "--references", references)
    assert (done.status, "to be repaired" in done.out) == (1, False)
    assert (
        "\nNot ready: each answer stands in qasper.jsonl once for each filter, a rule that takes the answer from what "
        "the model wrote, so say which filter's answers to read: --filter 1 or --filter 2.\n"
    ) in done.out
    assert "Not ready" not in zero_scrolls("verify", log, "--references", references, "--filter", "2").out
    logs = write_folder(tmp_path / "logs", {"qasper.jsonl": LOG, "quality.jsonl": LOG})
    both = write(tmp_path / "both.json", {task: {id_: ["a"] for id_ in "78"} for task in ("qasper", "quality")})
    done = zero_scrolls("verify", logs, "--references", both)
    assert "\nNot ready: each answer stands in 2 files once for each filter" in done.out


def test_an_option_that_lacks_another_is_answered_with_the_whole_command(tmp_path, zero_scrolls):
    answers = write(tmp_path / "qasper.json", {"7": "a"})
    done = zero_scrolls("verify", answers, "--accept", "conflict", "--fill-missing")
    assert f"zero-scrolls verify {answers} --fix OUT.csv --accept conflict --fill-missing\n" in done.err


@pytest.mark.parametrize("fill", [False, True])
def test_missing_answers_are_filled_on_request(tmp_path, zero_scrolls, *, fill):
    ids = {"schema": "zero-scrolls-ids/1", "source": "x", "revision": None, "split": "test"}
    lists = write(tmp_path / "ids.json", {**ids, "ids": {"qasper": ["7", "8"]}})
    answers, out = write(tmp_path / "qasper.json", {"7": "a"}), tmp_path / "out.csv"
    done = zero_scrolls("verify", answers, "--ids", lists, "--fix", out, *["--fill-missing"] * fill)
    assert done.status == (0 if fill else 1)
    assert entries("a.csv", out.read_text()) == [("qasper", "7", "a"), ("qasper", "8", "")][: 1 + fill]
