"""The Hub as a source: downloaded once, cached within limits, and never parsed in the server's process."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchmark_zips import zipped
from hub_client import only_a_stand_in

from zs_app.jobs import Upload
from zs_app.result_tables import kept_page
from zs_app.server.jobs import Job
from zs_app.server.workers import stop_workers
from zs_app.tabs import examples, score_file

REPO = "tau/zero_scrolls"


@pytest.fixture(autouse=True)
def nothing_kept():
    examples.from_hub.cache.clear()
    yield
    examples.from_hub.cache.clear()
    stop_workers()


@pytest.fixture
def hub(monkeypatch):
    """A stand-in whose client shares its cache with the processes of jobs."""
    from huggingface_hub import constants

    with only_a_stand_in(Path(constants.HF_HUB_CACHE), monkeypatch) as stand_in:
        stand_in.repo("datasets", REPO).commit({"musique.zip": zipped("musique")})
        yield stand_in


def test_two_first_visitors_at_once_wait_for_one_download(monkeypatch):
    both, asked = threading.Barrier(2), []

    def load(source, task):
        asked.append(task.name)
        threading.Event().wait(0.5)
        return examples.load_examples("embedded", task)

    real = examples.load_examples
    monkeypatch.setattr(
        examples, "load_examples", lambda source, task: load(source, task) if source == "hub" else real(source, task)
    )

    def visit(_):
        both.wait(60)
        return examples.loaded("hub", "musique")

    with ThreadPoolExecutor(2) as visitors:
        first, second = visitors.map(visit, range(2))
    assert asked == ["musique"]
    assert first is second


def test_a_file_scored_against_the_hub_is_read_by_a_job_and_never_by_the_server(hub, tmp_path, monkeypatch):
    """Once the server read it, outside the limits on memory and time of a job."""
    answers = tmp_path / "preds_musique.json"
    answers.write_text(
        json.dumps({"3hop1__s101_s102_s103": "Brennick-on-Ansel", "2hop__s201_s202": "unanswerable"}), encoding="utf-8"
    )

    def opened(*_, **__):
        raise AssertionError("the server opened it")

    for place in ("zs_app.jobs", "zs_bench.files.paths", "zs_bench.scoring.score_files"):
        monkeypatch.setattr(f"{place}.open_inputs", opened, raising=False)
    upload = Upload([str(answers)], [], "hub", False, "zero_scrolls")
    page = kept_page(asyncio.run(score_file._score(upload, Job()))["result"])
    assert page["answers"] == 2
    assert "100.0" in page["report"]
    assert any("musique.zip" in str(request) for request in hub.requests)
