"""The journal and the folder of a run."""

import json
import re
from collections import Counter

import pytest
from run_folders import record, request
from written_files import write

from zs_bench import run_records
from zs_bench.errors import UnusableInput
from zs_bench.prompts import Settings
from zs_bench.run_records import account, cut_by_server, read_journal
from zs_lab.run.folder import RunFolder
from zs_lab.run.prompts import Shard

SETTINGS = Settings("modèle")


def appended(folder, *records, shard=None):
    with folder.journal(shard) as append:
        for row in records:
            append(row)
    return folder


def ids(folder):
    return {id_ for _, id_ in folder.records()}


def answers(folder):
    folder.write_answers()
    return json.loads((folder.path / "answers" / "preds_qasper.json").read_text(encoding="utf-8"))


def test_a_record_is_in_the_file_at_once_and_a_torn_last_line_is_not_glued_to_the_next(tmp_path):
    folder = RunFolder(tmp_path / "run", SETTINGS)
    with folder.journal() as append:
        append(record("1", answer="é"))
        assert ids(folder) == {"1"}
        append(record("2"))
        append(record("3"))
    path = folder.path / "journal.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    again = RunFolder(tmp_path / "run", SETTINGS)
    assert ids(again) == {"1", "2"}
    assert ids(appended(again, record("4"))) == {"1", "2", "4"}
    assert path.read_bytes().count(b"\n") == 4
    assert answers(again) == {"1": "é", "2": None, "4": None}


def test_a_flipped_byte_is_a_named_answer_to_be_asked_again_never_another_answer(tmp_path):
    requests = [request(f"q{i}", text=str(i)) for i in range(3)]
    texts = {row.id: f"answer {row.id}" for row in requests}
    folder = appended(
        RunFolder(tmp_path / "run", SETTINGS),
        *(record(row.id, prompt=row.digest, answer=texts[row.id]) for row in requests),
    )
    path, seen = folder.path / "journal.jsonl", Counter()
    whole = path.read_bytes()
    start, end = (whole.index(b"\n", place) for place in (0, whole.index(b"\n") + 1))
    for place in range(start, end + 1):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        again = RunFolder(tmp_path / "run", SETTINGS)
        assert {name: row.answer for (_, name), row in again.records().items()}.items() <= texts.items()
        lost = again.unanswered(requests)
        assert again.damaged(requests) == lost
        seen[tuple(row.id for row in lost)] += 1
    assert seen == {("q1",): end - start - 1, ("q0", "q1"): 1, ("q1", "q2"): 1}
    unchecked = [re.sub(rb',"crc32":"\w+"', b"", line) for line in whole.splitlines(keepends=True)]
    path.write_bytes(b"".join(unchecked))  # as an older version wrote it
    again = RunFolder(tmp_path / "run", SETTINGS)
    assert (len(again.records()), again.damaged(requests)) == (3, [])


def test_each_line_of_the_journals_is_parsed_once(tmp_path, monkeypatch):
    folder, parsed, read = RunFolder(tmp_path / "run", SETTINGS), [], run_records.read_journal
    monkeypatch.setattr(run_records, "read_journal", lambda lines: (parsed.append(row) or row for row in read(lines)))
    appended(folder, *(record(str(i)) for i in range(20)))
    for _ in range(3):
        folder.write_run()
        folder.account()
    appended(RunFolder(tmp_path / "run", SETTINGS), record("other"), shard=Shard(1, 2))  # another process
    assert len(answers(folder)) == 21
    assert len(parsed) == 20 + 20 + 1  # by the first folder, by the second, and the new line by the first


def test_a_journal_has_one_writer_whose_settings_stay_and_no_key(tmp_path):
    folder, other = RunFolder(tmp_path / "run", SETTINGS), RunFolder(tmp_path / "run", Settings("n"))
    with folder.journal(secret="sk-verysecret") as append:
        with pytest.raises(UnusableInput, match=r"another process writes to .*; wait for its end"), other.journal():
            pass
        append({"started": "now"})
        append(record("1", "failed", error="401 Incorrect API key provided: sk-verysecret"))
    assert '"model": "modèle"' in (folder.path / "run.json").read_text(encoding="utf-8")
    assert "sk-verysecret" not in (folder.path / "journal.jsonl").read_text()
    assert folder.records()["qasper", "1"].error == "401 Incorrect API key provided: [key]"
    folder.write_run()
    about = json.loads((folder.path / "run.json").read_text(encoding="utf-8"))
    assert (about["schema"], about["sessions"]) == ("zero-scrolls-run/1", [{"started": "now"}])


def test_a_folder_with_other_settings_or_something_else_is_refused(tmp_path):
    def refuses(why, path, settings=SETTINGS):
        with pytest.raises(UnusableInput, match=why):
            RunFolder(path, settings)

    appended(RunFolder(tmp_path / "run", SETTINGS), record("1"))
    differences = r"other settings \(model: modèle there, n here; budget: none there, 9 here\); repeat its settings"
    refuses(differences, tmp_path / "run", Settings("n", budget=9))
    refuses("is not empty and not of a run", tmp_path)
    (tmp_path / "run" / "run.json").write_text('{"schema": "else"}')
    refuses("is not the description of a run", tmp_path / "run")
    refuses("is not a folder", tmp_path / "run" / "run.json")


def test_the_journals_of_shards_are_a_run_when_they_are_copied_alone_into_a_folder(tmp_path):
    for part in (1, 2):
        folder = RunFolder(tmp_path / f"part{part}", SETTINGS)
        path = appended(folder, record(str(part), answer="yes"), shard=Shard(part, 2)).path
        write(tmp_path / "all" / f"journal.{part}-of-2.jsonl", (path / f"journal.{part}-of-2.jsonl").read_text())
    assert answers(RunFolder(tmp_path / "all", SETTINGS)) == {"1": "yes", "2": "yes"}


def test_only_what_has_no_end_is_sent_again_and_only_an_answer_is_written(tmp_path):
    requests = [request(str(i)) for i in range(6)]
    digest, statuses = requests[0].digest, ["ok", "overflow", "all-reasoning", "refused", "failed"]
    first, *others = [record(str(i), status, prompt=digest, answer="yes") for i, status in enumerate(statuses)]
    folder = appended(RunFolder(tmp_path / "run", SETTINGS), first, shard=Shard(1, 2))
    appended(folder, *others, record("0", "failed", prompt=digest), shard=Shard(2, 2))
    assert answers(folder) == {"0": "yes"}  # it is not replaced by a later failure
    assert [row.id for row in folder.unanswered(requests)] == ["4", "5"]
    assert [row.id for row in folder.unanswered(requests, ["overflow"])] == ["1", "4", "5"]
    appended(folder, record("0", prompt="another prompt"))
    assert [row.id for row in folder.unanswered(requests)] == ["0", "4", "5"]


def counted(name, characters, tokens):
    return record(name, characters=characters, usage={"prompt_tokens": tokens})


WHOLE = [counted(str(i), 3_000 + i, 1_000 + i) for i in range(9)]
WINDOW = [counted(str(i), 16_000 + 3_000 * i, 4_096) for i in range(3)]


@pytest.mark.parametrize(
    ("records", "cut"),
    [
        ([*WHOLE, record("uncounted", characters=9_000)], ""),
        ([counted("9", 9, 1)], "9"),
        ([counted("9", 8_050, 1_000)], "9"),
        ([counted("9", 8_000, 1_000)], ""),  # at the limit
        ([*WHOLE, counted("9", 6_200, 1_005)], "9"),  # twice the median
        ([*WHOLE[:3], counted("9", 6_200, 1_005)], ""),  # too few for a median
        (WINDOW, "012"),
        (WINDOW[:2], ""),
        ([*WINDOW[:2], counted("2", 19_200, 4_096)], ""),  # no more than 20 % longer
    ],
)
def test_a_prompt_that_the_server_cut_is_recognised_by_its_count(records, cut):
    assert cut_by_server(records) == {("qasper", name) for name in cut}


def test_the_account_counts_every_prompt_once():
    records = [
        record("1", flags=("stopped-at-length",), kept=0.5),
        record("2", flags=("think-dropped",), usage={"prompt_tokens": 7}),
        record("3", "overflow", flags=("stopped-at-length",)),
        record("4", "all-reasoning"),
    ]
    (bare,) = read_journal([b'{"task": "quality", "id": "1", "prompt": "p", "status": "ok"}'])
    assert bare == record("1", task="quality", characters=0, kept=1.0, seconds=0.0, attempts=0)
    tasks = account(records, {"qasper": 6, "quality": 2})
    qasper = tasks["qasper"]
    assert (qasper.prompts, qasper.answered, qasper.not_asked, tasks["quality"].not_asked) == (6, 2, 2, 2)
    assert qasper.statuses == {"ok": 2, "overflow": 1, "all-reasoning": 1}
    assert (qasper.trimmed, qasper.kept, qasper.stopped_at_length, qasper.think_dropped) == (1, 0.5, ("1",), 1)
    halves = [{"shard": f"{part}/2", "started": part, "prompts": {"qasper": 2 + part}} for part in (1, 2)]
    whole = {"shard": None, "started": 3, "prompts": {"qasper": 8}}
    for sessions, prompts in (([*halves, {**halves[0], "started": 4}], 7), ([*halves, whole], 8)):
        content = run_records.JournalContent()
        content.add(json.dumps({"session": session}).encode() for session in sessions)
        assert content.account({}).tasks["qasper"].prompts == prompts
