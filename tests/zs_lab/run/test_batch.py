"""A run through batch files."""

import json

import pytest
from model_stand_in import OVERFLOWS
from run_folders import request

from zs_bench.errors import UnusableInput
from zs_bench.prompts import Settings
from zs_lab.run.batch import record_batches, write_batches
from zs_lab.run.folder import RunFolder
from zs_lab.run.session import RunProgress
from zs_start.cli import main

SETTINGS = Settings("m")


def requests(count, size=1):
    return [request(str(number), text=f"{'é' * size} {number}") for number in range(count)]


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def reply(name, text):
    body = {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}
    return {"id": "b", "custom_id": name, "response": {"status_code": 200, "body": body}, "error": None}


def written(path, *lines):
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def test_requests_are_written_as_the_batch_service_takes_them_and_no_file_is_larger(tmp_path):
    (path,) = write_batches(requests(1), SETTINGS, tmp_path)
    body = {"model": "m", "messages": [{"role": "user", "content": "é 0"}], "max_tokens": 10, "temperature": 0.0}
    assert rows(path) == [{"custom_id": "qasper/0", "method": "POST", "url": "/v1/chat/completions", "body": body}]
    with pytest.raises(UnusableInput, match="holds batch files already"):
        write_batches(requests(1), SETTINGS, tmp_path)
    paths = write_batches(requests(25), SETTINGS, tmp_path / "deep" / "a", most=10)
    assert {path.name: len(rows(path)) for path in paths} == {
        f"batch-00{i}.jsonl": n for i, n in ((1, 10), (2, 10), (3, 5))
    }
    size = paths[0].stat().st_size // 10  # of a line; those of two digits have two more
    paths = write_batches(requests(25), SETTINGS, tmp_path / "b", largest=4 * (size + 2))
    assert [len(rows(path)) for path in paths] == [4] * 6 + [1]
    assert [row["custom_id"] for path in paths for row in rows(path)] == [f"qasper/{i}" for i in range(25)]
    assert len(write_batches(requests(1), SETTINGS, tmp_path / "d", largest=size)) == 1
    too_large = [*requests(1), *requests(1, size=1_000)]
    with pytest.raises(UnusableInput, match="more than a batch file takes; trim with --budget"):
        write_batches(too_large, SETTINGS, tmp_path / "c", most=1, largest=1_000)
    assert len(write_batches(requests(2), SETTINGS, tmp_path / "c", most=1)) == 2  # nothing was left there


def test_replies_become_records_whatever_their_order_and_an_overflow_is_no_answer(tmp_path, capsys):
    def records(*lines):
        folder = RunFolder(tmp_path / str(len(list(tmp_path.iterdir()))), SETTINGS)
        record_batches(folder, requests(3), [str(written(tmp_path / "out.jsonl", *lines))], RunProgress())
        assert json.loads((folder.path / "run.json").read_text())["sessions"][0]["batch"] == ["out.jsonl"]
        return list(folder.records().values())

    late = {"custom_id": "qasper/1", "error": {"code": "batch_expired", "message": "too late"}}
    request = {"custom_id": "qasper/0", "method": "POST", "body": {}}
    ok, failed = records(reply("qasper/2", "two"), late, reply("quality/9", "B"), request, "torn {")
    assert (ok.id, ok.status, ok.answer, ok.seconds) == ("2", "ok", "two", 0.0)
    assert (failed.id, failed.status, failed.error, failed.attempts) == ("1", "failed", "too late", 1)
    first = "first out.jsonl, line 4: it has no custom_id, or neither a response nor an error"
    assert capsys.readouterr().err.splitlines() == [
        "Replies of this run: 2.",
        f"Lines that are not replies and were left out: 2, {first}.",
        "Replies to prompts that are not of this run: 1, first quality/9.",
    ]
    (busy,) = records({"custom_id": "qasper/0", "response": {"status_code": 503, "body": "busy"}})
    assert (busy.status, busy.error) == ("failed", "503 busy")
    inside = [{"response": {"status_code": status, "body": body}} for status, body in OVERFLOWS.values()]
    beside = {"response": {"status_code": 400, "body": None}, "error": {"error": OVERFLOWS["vllm"][1]}}
    for row in (*inside, beside):
        (record,) = records({"custom_id": "qasper/0", **row})
        assert (record.status, record.answer) == ("overflow", None)


def test_a_run_by_batch_is_written_read_and_scored(tmp_path, capsys):
    common = ["run", "--model", "m", "--tasks", "quality", "--out", str(tmp_path / "run")]
    assert main([*common, "--write-batch", str(tmp_path / "in")]) == 0
    names = [row["custom_id"] for row in rows(tmp_path / "in" / "batch-001.jsonl")]
    out = written(tmp_path / "out.jsonl", reply(names[0], "B"))
    assert main([*common, "--read-batch", str(out)]) == 1
    shown = capsys.readouterr()
    assert "quality        2         1" in shown.out
    assert "; --write-batch with a new folder writes what was not asked yet." in shown.err
    assert main([*common, "--write-batch", str(tmp_path / "both"), "--read-batch", str(out)]) == 2
    assert not (tmp_path / "both").exists()
    assert main([*common, "--write-batch", str(tmp_path / "rest")]) == 0
    assert [row["custom_id"] for row in rows(tmp_path / "rest" / "batch-001.jsonl")] == names[1:]
    assert main([*common, "--read-batch", str(written(out, reply(names[1], "(C)")))]) == 0
    assert "on examples written for this package: no ZeroSCROLLS score" in capsys.readouterr().out
    assert main([*common, "--read-batch", str(written(out, reply("qasper/nobody", "yes")))]) == 2
    assert "no reply is to a prompt of this run" in capsys.readouterr().err
