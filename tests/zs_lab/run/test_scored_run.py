"""The folder of a run, scored: its answers, and the status of its prompts."""

import json
import shutil

import pytest
from run_folders import eventful_run, record
from written_files import write

from zs_bench.dataset import sources
from zs_bench.prompts import Settings
from zs_bench.reports import report
from zs_bench.scoring.score_files import score_files
from zs_lab.run.folder import RunFolder
from zs_lab.run.prompts import load_requests
from zs_lab.run.session import score_run
from zs_start.cli import main


@pytest.fixture
def folder(tmp_path):
    return eventful_run(tmp_path / "run")


def test_a_run_is_scored_from_what_it_has_read_as_its_folder_is(folder, monkeypatch, capsys):
    expected = score_files([folder], source="embedded")
    opened, load = [], sources.TaskData.load
    monkeypatch.setattr(
        sources.TaskData, "load", lambda data, split: (opened.append(data.task.name), load(data, split))[1]
    )
    settings = Settings("a-model")
    for tasks, others in ((["qasper", "quality"], []), (["qasper"], ["quality"])):
        references = load_requests(settings, tasks).references
        assert opened == tasks
        scored = score_run(RunFolder(folder, settings), references)
        assert opened == tasks + others  # read once; a task of an earlier command is read for its score
        assert report.as_json(scored) == report.as_json(expected)
        assert report.as_text(scored) == report.as_text(expected)
        opened.clear()


def test_a_task_with_a_lost_prompt_is_scored_only_if_asked_for_and_it_is_said_what_to_do(folder, capsys):
    scored = score_files([folder], source="embedded", partial=True)
    assert [file.name for file in scored.files] == ["run/answers/preds_qasper.json", "run/answers/preds_quality.json"]
    assert (scored.refused, scored.tasks["qasper"].score) == ({}, 100.0)
    assert score_files([folder], source="embedded").tasks["qasper"].score is None
    assert main(["score", str(folder), "--source", "embedded"]) == 1
    assert "Send what is missing: repeat the command of the run." in capsys.readouterr().out
    assert main(["score", str(folder), "--source", "embedded", "--partial"]) == 0
    assert "Send what is missing" not in capsys.readouterr().out
    closed = RunFolder(folder.parent / "empty", Settings("m"))  # a run without an answer
    with closed.journal() as append:
        append(record("q", "all-reasoning"))
    assert main(["score", str(closed.path), "--source", "embedded"]) == 1
    shown = capsys.readouterr().out
    assert ["- The run has no answer yet" in shown, "formats" in shown, "--partial" in shown] == [True, False, False]
    (folder / "answers" / "preds_qasper.json").unlink()  # as after a crash before the first answer to it
    write(folder / "answers" / "preds_quality.json", {"s0003_SAMPLE01_1": "B", "s0004_SAMPLE02_1": "B"})
    assert main(["score", str(folder), "--source", "embedded"]) == 0
    assert "Send what is missing: repeat the command of the run." in capsys.readouterr().out


def test_a_journal_of_anything_else_is_read_without_harm(folder):
    before = score_files([folder], source="embedded", partial=True).run
    good = {"task": "qasper", "id": "1", "prompt": "p", "status": "ok"}
    wrong = [{"status": "<b>"}, {"task": 7}, {"usage": 3}, {"kept": "half"}, {"characters": 10**400}, {"flags": 1}]
    wrong += [{"answer": ["B"]}, {"id": None}]
    wrong += [{"session": {"prompts": prompts}, "task": None} for prompts in ({"qasper": "2"}, ["qasper"])]
    with (folder / "journal.jsonl").open("ab") as journal:
        journal.write(b"".join(json.dumps({**good, **more}).encode() + b"\n" for more in wrong))
        journal.write(b"[" * 100_000 + b"\n")
    assert score_files([folder], source="embedded", partial=True).run == before


def test_a_zipped_folder_is_the_same_and_another_folder_has_no_account(folder, tmp_path):
    archive = shutil.make_archive(str(tmp_path / "run"), "zip", folder.parent, "run")
    zipped, plain = (score_files([path], source="embedded", partial=True) for path in (archive, folder))
    assert zipped.run == plain.run
    assert zipped.tasks["qasper"].score == plain.tasks["qasper"].score
    predictions = write(tmp_path / "other" / "run.json", {"qasper": {"1": "yes"}})
    scored = score_files([predictions], [write(tmp_path / "references.json", {"qasper": {"1": ["yes"]}})])
    assert (scored.run, scored.tasks["qasper"].score) == (None, 100.0)
    assert "run" not in report.as_json(scored)
    assert "run:" not in str(scored.signature())
