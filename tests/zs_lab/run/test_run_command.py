"""`zero-scrolls run` against a server on loopback that answers, fails and refuses."""

import errno
import itertools
import json
import os
import re
import signal
import threading
import time

import pytest
from model_stand_in import StandIn, serving
from run_folders import record, start_run, write_rows
from written_files import write

from zs_bench.dataset.rows import load_embedded
from zs_bench.prompts import Settings
from zs_bench.token_counts import Tokenizer
from zs_lab.run.prompts import estimate_text, load_requests
from zs_lab.run.sending import RetryPolicy
from zs_lab.run.session import RunProgress
from zs_start.cli import main

KEY = "sk-0123456789abcdef"


def run(stand_in, out, *options):
    return main(["run", "--base-url", stand_in.url, "--model", "m", "--out", str(out), *options])


def answers(out):
    files = (out / "answers").iterdir()
    return {path.stem.removeprefix("preds_"): json.loads(path.read_text(encoding="utf-8")) for path in files}


@pytest.fixture
def impatient(monkeypatch):
    """Waits of a hundredth of a second, and half a second for a reply."""
    plain = RetryPolicy(first_wait=0.005, longest_wait=0.02, timeout=0.5)
    monkeypatch.setattr("zs_lab.run.command.RetryPolicy", lambda **_: plain)


def test_every_prompt_is_answered_although_17_percent_fail(tmp_path, impatient, capsys):
    count = 150
    faults = {"429": 0.05, "503": 0.05, "dropped": 0.04, "nonsense": 0.02, "stall": 0.01}
    with serving(StandIn(faults, seed=7, refuses=("max_tokens",))) as stand_in:
        out, rows = tmp_path / "run", write_rows(tmp_path / "data", count)
        assert run(stand_in, out, "--source", rows, "--concurrency", "16") == 0
    assert {name: len(texts) for name, texts in answers(out).items()} == {"qasper": count}
    assert len(stand_in.requests) > 1.1 * count
    (session,) = json.loads((out / "run.json").read_text())["sessions"]
    assert list(session["learned"]) == ["max_tokens"]
    assert session["model_entry"] == {"id": "m", "meta": {"n_ctx": 4096}}
    assert (session["prompts"], session["concurrency"], session["retries"] > 9) == ({"qasper": count}, 16, True)
    assert session["started"] < session["ended"]
    assert session["host"] in stand_in.url
    printed = capsys.readouterr()
    assert f"qasper      {count}       {count}" in printed.out
    assert "Preflight: the longest prompt is sent, for one token of answer." in printed.err
    assert "Preflight: the longest prompt (383 characters) was read as 95 tokens." in printed.err


def test_a_run_takes_more_tasks_but_other_settings_only_before_its_first_answer(tmp_path, monkeypatch, capsys):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    out, qasper = tmp_path / "run", ("--tasks", "qasper", "--model", "google/t5")
    with serving() as stand_in:
        with monkeypatch.context() as patch:
            patch.setattr("zs_lab.run.folder.without_secret", full)
            assert run(stand_in, out, *qasper) == 2
        assert "journal.jsonl: the disk is full; make room and run the command again" in capsys.readouterr().err
        with monkeypatch.context() as patch:
            patch.setattr(stand_in, "reply", lambda _: (404, {"error": {"message": "no model m"}}))
            assert run(stand_in, out, "--tasks", "qasper") == 1
        stopped = capsys.readouterr().err
        assert "stopped: 404 no model m; check --model, and --base-url" in stopped
        assert "No reply was received." in stopped
        assert run(stand_in, out, "--tasks", "qasper", "--eee", str(tmp_path / "eee")) == 2
        assert "developer/model" in capsys.readouterr().err
        stand_in.requests.clear()
        for _ in range(2):
            assert run(stand_in, out, *qasper, "--eee", str(tmp_path / "eee")) == 0
        assert len(stand_in.requests) == 3  # two prompts, and the preflight
        assert run(stand_in, out, "--tasks", "quality", "--model", "google/t5") == 0
        assert len(stand_in.requests) == 5  # answers show that the server works
        assert "qasper" in capsys.readouterr().out.rpartition("quality")[0]  # the score is of the whole run
        assert run(stand_in, out, *qasper, "--temperature", "1") == 2
    assert "temperature: 0.0 there, 1.0 here" in capsys.readouterr().err
    assert answers(out).keys() == {"qasper", "quality"}
    assert json.loads((out / "run.json").read_text())["settings"]["model"] == "google/t5"
    (path, *_) = tmp_path.glob("eee/data/zero_scrolls/google/t5/*.json")
    (result,) = json.loads(path.read_text(encoding="utf-8"))["evaluation_results"]
    assert result["generation_config"]["generation_args"] == {"temperature": 0.0}


@pytest.mark.parametrize(
    ("behaviour", "why"),
    [
        ({"window": 10}, "3 overflow (such as qasper q2: 400 Please reduce the length of the messages.); give the"),
        (
            {"message": lambda _: {"content": None, "reasoning": "hm"}},
            "3 all-reasoning (such as qasper q2); give --thinking-budget and a new folder",
        ),
        (
            {"faults": {"503": 1.0}},
            "3 failed (such as qasper q2: 503 fault 503 (asked 8 times)); the same command sends them again.",
        ),
    ],
)
def test_the_text_of_an_error_and_reasoning_alone_are_never_answers(tmp_path, capsys, impatient, behaviour, why):
    with serving(StandIn(**behaviour)) as stand_in:
        rows = write_rows(tmp_path / "data", 3)
        assert run(stand_in, tmp_path / "run", "--source", rows, "--skip-preflight") == 1
    assert answers(tmp_path / "run") == {}
    printed = capsys.readouterr()
    assert "qasper        3         0" in printed.out
    assert why in printed.err


def test_a_server_that_cuts_prompts_is_found_before_any_cost_and_what_it_cut_is_counted(tmp_path, capsys):
    with serving(StandIn(window=100, cuts=True)) as stand_in:
        assert run(stand_in, tmp_path / "run", "--tasks", "qasper") == 1
        assert len(stand_in.requests) == 1
        assert "was cut by the server, which read only 25 tokens of it, without an error" in capsys.readouterr().err
        assert run(stand_in, tmp_path / "run", "--tasks", "qasper", "--skip-preflight") == 0
    assert "Cut by the server, which did not read the whole prompt: qasper 2." in capsys.readouterr().out


def test_the_key_comes_from_the_environment_and_is_in_no_file_nor_message(tmp_path, monkeypatch, capsys, impatient):
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    key = ("--key-env", "MY_KEY")
    with serving(StandIn(message=lambda _: {"content": f"Your key is {KEY}"})) as stand_in:
        assert run(stand_in, tmp_path / "run", "--tasks", "qasper", *key) == 0
        assert stand_in.keys == {f"Bearer {KEY}"}
        for status in (400, 503):  # the preflight fails, and says why it tries again
            monkeypatch.setattr(stand_in, "reply", lambda _, status=status: (status, {"error": f"No: {KEY}"}))
            assert run(stand_in, tmp_path / "preflight", "--tasks", "quality", *key) == 1
        monkeypatch.setattr(stand_in, "reply", lambda _: (401, {"error": {"message": f"Incorrect API key: {KEY}"}}))
        assert run(stand_in, tmp_path / "run", "--tasks", "quality", *key) == 1
    printed = capsys.readouterr()
    files = [path.read_text() for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert [text for text in (printed.out, printed.err, *files) if KEY in text] == []
    assert "stopped: 401 Incorrect API key: [key]; put the right key into the environment variable" in printed.err


def start(stand_in, out, rows, replies):
    """A run in a process of its own, whose server has given so many replies and owes two."""
    stand_in.replies, before = threading.Semaphore(replies), len(stand_in.requests)
    options = ("--base-url", stand_in.url, "--model", "m", "--source", rows, "--concurrency", "2")
    process = start_run(out, *options)
    while len(stand_in.requests) < before + replies + 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return process


def interrupt(process):
    process.send_signal(signal.SIGINT)
    while "press Ctrl-C again to end now" not in (line := process.stderr.readline()):
        assert line


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.slow
def test_ctrl_c_loses_nothing_and_a_second_one_or_kill_9_only_what_was_on_its_way(tmp_path):
    out, rows = tmp_path / "run", write_rows(tmp_path / "data", 60)
    with serving() as stand_in:
        process = start(stand_in, out, rows, 1 + 3)  # the preflight's, too
        interrupt(process)
        stand_in.replies.release(60)
        _, messages = process.communicate()
        assert process.returncode == 130, messages
        assert "the same command sends what was not asked yet" in messages
        assert len(answers(out)["qasper"]) == sum(stand_in.seen.values()) - 1 == 5
        process = start(stand_in, out, rows, 3)
        interrupt(process)
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate()
        assert process.returncode == 130, messages
        assert len(answers(out)["qasper"]) == 8
        process = start(stand_in, out, rows, 3)
        process.kill()
        process.communicate()
        with (out / "journal.jsonl").open("ab") as journal:
            journal.write(b'{"task": "qasper", "id": "q59", "prompt": "torn')
        stand_in.replies.release(60)
        assert run(stand_in, out, "--source", rows) == 0
        assert len(answers(out)["qasper"]) == 60
        assert len(stand_in.requests) == 1 + 60 + 4


def test_shards_share_a_folder_and_make_one_run(tmp_path, monkeypatch, capsys):
    rows, out = write_rows(tmp_path / "data", 30), tmp_path / "run"
    monkeypatch.setenv("SLURM_ARRAY_TASK_MIN", "0")
    monkeypatch.setenv("SLURM_ARRAY_TASK_COUNT", "3")
    with serving() as stand_in:
        assert run(stand_in, out, "--source", rows, "--shard", "1/3") == 0
        printed = capsys.readouterr()
        assert re.search(r"^qasper +100\.0000 .* \d+/30 +f1, partial$", printed.out, re.MULTILINE), printed.out
        assert f"Part 1/3 of the run: the scores are of the answers in {out} so far. The other parts" in printed.err
        for number in "12":
            monkeypatch.setenv("SLURM_ARRAY_TASK_ID", number)
            assert run(stand_in, out, "--source", rows, "--shard", "auto") == 0
        assert "Part 3/3 of the run." in capsys.readouterr().err
        assert sum(stand_in.seen.values()) - 30 <= 1
        assert run(stand_in, out, "--source", rows) == 0
        printed = capsys.readouterr()
        assert "this job is 3/3 of its array; --shard auto sends a part in each." in printed.err
        assert "partial" not in printed.out
        assert len(answers(out)["qasper"]) == 30
        sessions = json.loads((out / "run.json").read_text())["sessions"]
        assert [session["shard"] for session in sessions] == ["1/3", "2/3", "3/3"]
        monkeypatch.setenv("SLURM_ARRAY_TASK_COUNT", "2")
        monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "1")
        assert run(stand_in, out, "--source", rows, "--shard", "auto") == 2  # of an array that sends some parts again
    assert (
        "the run in --out has 3 parts, this job has 2; name the part of 3 with --shard I/3" in capsys.readouterr().err
    )
    assert {path.name for path in out.glob("journal*")} == {f"journal.{number}-of-3.jsonl" for number in (1, 2, 3)}


def test_what_is_missing_or_wrong_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BROKEN_KEY", "sk-“0123”")
    model, url = ["--model", "m", "--out", "x"], "http://127.0.0.1:1/v1"
    for options, message in (
        (model, "--base-url is missing"),
        (["--base-url", url, "--out", "x"], "--model is missing"),
        (["--base-url", "http://me:secret@127.0.0.1/v1", *model], "--base-url has a name or password in it"),
        (["--base-url", url, *model, "--key-env", "NO_SUCH_KEY"], "variable 'NO_SUCH_KEY' is not set"),
        (["--base-url", url, *model, "--key-env", "BROKEN_KEY"], "variable 'BROKEN_KEY' holds no key; copy the key"),
        *(
            (["--base-url", wrong, *model], "--base-url is not the address of a server")
            for wrong in ("127.0.0.1:8000", "http://a:99999", "http://a:0", "http://[::1/v1")
        ),
        (["--base-url", url, *model, "--shard", "5/4"], "'5/4' is not a part of the run"),
        (["--base-url", url, *model, "--actors", "2"], "for a Ray cluster; add --engine ray"),
        *(
            (["--local", "a/model", "--out", "x", *more], "--local runs that model here")
            for more in (["--model", "m"], ["--base-url", url], ["--write-batch", "x"])
        ),
        (["--timeout", "-1"], "'-1' is not a whole number from 1"),
        (["--thinking-budget", "-5"], "'-5' is not a whole number from 0"),
    ):
        try:
            status = main(["run", *options])
        except SystemExit as error:  # argparse's
            status = error.code
        assert (status, message in capsys.readouterr().err) == (2, True)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    assert main(["run", "--base-url", url, *model, "--tasks", "qasper"]) == 2
    assert "check the environment variables SSL_CERT_FILE and SSL_CERT_DIR" in capsys.readouterr().err


def test_a_dry_run_says_what_it_would_cost_and_sends_nothing(capsys):
    prices = ["--price-in", "2000", "--price-out", "8000", "--window", "2400"]
    assert main(["run", "--dry-run", "--tasks", "qasper", "quality", *prices]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["task", "prompts", "documents", "tokens", "longest", "answers", "over", "window", "price"]
    rows = [[float(cell.replace(",", "")) for cell in line.split()[1:]] for line in lines[:3]]
    for column, (first, second, whole) in enumerate(zip(*rows, strict=True)):
        assert whole == (max(first, second) if column == 3 else pytest.approx(first + second, abs=0.011))
    first, second = (round(len(example.input.split()) * 4 / 3) for example in load_embedded("qasper"))
    over, price = (first + 128 > 2400) + (second + 128 > 2400), round(((first + second) * 2 + 256 * 8) / 1e3, 2)
    assert rows[0] == [2, 2, first + second, max(first, second), 256, over, price]
    asked = "'answers' is the most that may be generated"
    assert lines[3] == f"Tokens are counted as four thirds of the words; {asked}, and the price the most it costs."
    letters = Tokenizer("letters", list, lambda *_: 0)
    head, row, _, note = estimate_text(
        load_requests(Settings(""), ["qasper"]).requests, letters, None, None
    ).splitlines()
    tokens = sum(len(example.input) for example in load_embedded("qasper"))
    assert (head.split()[-1], row.split()[:4]) == ("answers", ["qasper", "2", "2", f"{tokens:,}"])
    assert note == f"Tokens are counted by the tokenizer; {asked}."
    assert estimate_text([], letters, None, None) == "This part of the run has no prompts."


def test_progress_counts_prompts_and_estimates_the_time_left(monkeypatch, capsys):
    seconds = itertools.count(100, 40)
    monkeypatch.setattr("zs_lab.run.session.monotonic", lambda: next(seconds))
    shown = RunProgress()
    shown.begin(3, 5)
    for status in ("ok", "overflow", "ok"):
        shown.ended(record("1", status, usage={"prompt_tokens": 2_000}))
    assert capsys.readouterr().err.splitlines() == [
        "3 prompts to send; 2 of 5 are done.",
        "1/3 prompts · qasper · 2,000 tokens read · 1:20 left",
        "2/3 prompts · qasper · 1 overflow · 4,000 tokens read · 0:40 left",
        "3/3 prompts · qasper · 1 overflow · 6,000 tokens read · took 2:00",
    ]


def test_the_time_left_is_estimated_once_each_of_the_prompts_sent_at_a_time_has_ended_twice(monkeypatch, capsys):
    # Connecting took 900 seconds; of four prompts at a time, each ten seconds, the first four end together.
    seconds = iter([0, 0, 900, *[910] * 4, *[920] * 4])
    monkeypatch.setattr("zs_lab.run.session.monotonic", lambda: next(seconds))
    shown = RunProgress()
    shown.begin(200, 200)
    shown.sending(4)
    shown._terminal = True
    for number in range(8):
        shown._shown = 0
        shown.ended(record(str(number)))
    lines = capsys.readouterr().err.split("\r")
    assert lines[-1].endswith(" · 8:00 left")
    assert " left" not in "".join(lines[1:-1])


@pytest.mark.parametrize("thinking", [0, 50])
def test_a_run_of_longbench_sends_stops_and_budgets_and_says_which_tasks_are_asked_without_a_chat(
    tmp_path, capsys, thinking
):
    for task in ("samsum", "qasper"):
        row = {
            "_id": "a",
            "context": "A: Hello.",
            "input": "What?",
            "answers": ["yes"],
            "all_classes": None,
            "length": 2,
        }
        write(tmp_path / "data" / f"{task}.jsonl", [row])
    with serving() as stand_in:
        options = ("--source", str(tmp_path / "data"), "--thinking-budget", str(thinking), "--skip-preflight")
        assert run(stand_in, tmp_path / "run", "--benchmark", "longbench", *options) == 0
    assert {"samsum", "qasper"} == answers(tmp_path / "run").keys()
    assert {body["max_tokens"] for body in stand_in.requests} == {128 + thinking}
    stops = sorted(str(body.get("stop")) for body in stand_in.requests)
    assert stops == (["None", "None"] if thinking else ["None", "['\\n']"])
    plain = "LongBench asks samsum without a chat template; here they are sent as a chat's messages"
    assert plain in capsys.readouterr().err
