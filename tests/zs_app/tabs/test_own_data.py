"""The owner's folder as a source on the page: `ZS_DATA=FOLDER python app.py`."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from zs_app import words
from zs_app.jobs import Upload
from zs_app.result_tables import kept_page
from zs_app.server.jobs import Job
from zs_app.server.workers import stop_workers
from zs_app.tabs import examples, file_inputs, score_file, try_task
from zs_bench.dataset.embedded import EMBEDDED, load_embedded
from zs_bench.errors import UnusableInput

PROMPT = {"variant": "canonical", "budget": 8192, "tokenizer": "words"}


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """A folder with examples of MuSiQue, which the page offers."""
    folder = tmp_path / "fresh"
    shutil.copytree(EMBEDDED / "musique", folder / "musique")
    monkeypatch.setenv("ZS_DATA", str(folder))
    examples._own.cache.clear()
    yield folder
    examples._own.cache.clear()
    stop_workers()


def test_its_examples_are_shown_and_scored(fresh):
    shown = try_task.example("data", "musique", 0, **PROMPT)
    assert "your folder fresh" in shown["sheet"]
    assert load_embedded("musique")[0].references[0] in shown["references"]
    assert shown["choices"].count("<input") == 2
    assert shown["sample_label"] == words.TRY_SAMPLE_REFERENCE
    score = asyncio.run(try_task.try_answer("data", "musique", 0, load_embedded("musique")[0].references[0]))
    assert 'data-score="100.0000"' in score["card"]


def test_a_task_that_it_lacks_is_reported_in_place_of_the_document(fresh):
    assert "fresh has no data of qasper" in try_task.example("data", "qasper", 0, **PROMPT)["sheet"]
    for answer, said in (("an answer", words.NOT_SCORED), ("", words.NO_ANSWER_YET)):
        assert said in asyncio.run(try_task.try_answer("data", "qasper", 0, answer))["card"]


def test_a_file_is_scored_against_it(fresh, tmp_path):
    answers = tmp_path / "preds.json"
    known = {one.id: one.references[0] for one in load_embedded("musique")}
    answers.write_text(json.dumps({"musique": known}), encoding="utf-8")

    upload = Upload([str(answers)], [], examples.source_named("data"), False, "zero_scrolls")
    page = kept_page(asyncio.run(score_file._score(upload, Job()))["result"])
    assert page["answers"] == 2
    assert "100.0" in page["report"]
    assert "<bdi>fresh</bdi>" in page["report"]
    assert "has no data of" not in page["report"]


def test_without_the_variable_there_is_no_such_source(monkeypatch):
    monkeypatch.delenv("ZS_DATA", raising=False)
    assert set(examples.sources()) == {"embedded", "hub"}
    assert set(file_inputs.sources()) == {"files", "embedded", "hub"}
    with pytest.raises(examples.NoSuchExample):
        try_task.example("data", "musique", 0, **PROMPT)


def test_a_folder_that_does_not_exist_is_reported_at_the_start(monkeypatch):
    monkeypatch.setenv("ZS_DATA", str(Path("no such folder")))
    with pytest.raises(UnusableInput, match="ZS_DATA: there is no folder or ZIP 'no such folder'"):
        examples.sources()
