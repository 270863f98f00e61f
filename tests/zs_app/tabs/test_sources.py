"""Where examples and references come from: the page, the Hub, which jobs read, and the owner's `ZS_DATA`."""

import asyncio
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchmark_zips import zipped
from hub_client import only_a_stand_in
from kept_results import page_of
from written_files import write

from zs_app import words
from zs_app.jobs import Upload
from zs_app.server.jobs import Job
from zs_app.server.workers import stop_workers
from zs_app.tabs import examples, score_file, try_task
from zs_app.tabs.examples import ChosenExample
from zs_bench import benchmarks
from zs_bench.benchmarks import BENCHMARKS, Benchmark, Task
from zs_bench.dataset.rows import EMBEDDED, load_embedded
from zs_bench.errors import SourceUnavailable, UnusableInput

PROMPT = {"variant": "canonical", "budget": 8192, "tokenizer": "words"}
ANSWERS = {row.id: row.references[0] for row in load_embedded("musique")}


@pytest.fixture(autouse=True)
def nothing_kept():
    yield
    for cache in (examples.from_hub.cache, examples._own.cache):
        cache.clear()
    stop_workers()


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """A folder with examples of MuSiQue, which the page offers."""
    folder = tmp_path / "fresh"
    shutil.copytree(EMBEDDED / "musique", folder / "musique")
    monkeypatch.setenv("ZS_DATA", str(folder))
    return folder


def report_of(upload):
    return page_of(asyncio.run(score_file._score(upload, Job()))["result"])


@pytest.fixture
def answers(tmp_path):
    return [str(write(tmp_path / "preds_musique.json", ANSWERS))]


def test_two_first_visitors_at_once_wait_for_one_download(monkeypatch):
    both, asked, real = threading.Barrier(2), [], examples.load_examples

    def load(source, task):
        if source != "hub":
            return real(source, task)
        asked.append(task.name)
        threading.Event().wait(0.5)
        return real("embedded", task)

    monkeypatch.setattr(examples, "load_examples", load)

    def visit(_):
        both.wait(60)
        return examples.loaded("hub", "musique")

    with ThreadPoolExecutor(2) as visitors:
        first, second = visitors.map(visit, range(2))
    assert asked == ["musique"]
    assert first is second


def test_a_file_scored_against_the_hub_is_read_by_a_job_and_never_by_the_server(answers, monkeypatch):
    """Once the server read it, outside the limits on memory and time of a job."""
    from huggingface_hub import constants

    def opened(*_, **__):
        raise AssertionError("the server opened it")

    for place in ("zs_app.jobs", "zs_bench.files.paths", "zs_bench.scoring.score_files"):
        monkeypatch.setattr(f"{place}.open_inputs", opened, raising=False)
    with only_a_stand_in(Path(constants.HF_HUB_CACHE), monkeypatch) as hub:
        hub.repo("datasets", "tau/zero_scrolls").commit({"musique.zip": zipped("musique")})
        page = report_of(Upload(answers, [], "hub", False, "zero_scrolls"))
        assert page["answers"] == 2
        assert "100.0" in page["report"]
        assert any("musique.zip" in str(request) for request in hub.requests)


def test_a_task_that_the_hub_lacks_is_left_out_and_a_hub_that_does_not_answer_is_an_error(answers, monkeypatch):
    async def tasks(*_, **__):
        return ["qasper", "musique"]

    commits = {"qasper": None, "musique": "abc"}

    def fetch(name, *, repo, revision, progress):
        task = name.removesuffix(".zip")
        if commits[task] is None:
            raise SourceUnavailable("no such file", of_one_file=is_one)
        assert (repo, revision) == ("tau/zero_scrolls", None)
        return type("Fetched", (), {"commit": commits[task]})

    monkeypatch.setattr(score_file, "run_job", tasks)
    monkeypatch.setattr(score_file, "fetch", fetch)
    upload = Upload(answers, [], "hub", False, "zero_scrolls")
    is_one = True
    ready = asyncio.run(score_file.with_data(upload, Job()))
    assert (ready.tasks, ready.revision) == (["qasper", "musique"], "abc")
    is_one = False
    with pytest.raises(SourceUnavailable):
        asyncio.run(score_file.with_data(upload, Job()))


def test_the_owners_examples_are_shown_and_scored(fresh):
    shown = try_task.example("data", "musique", 0, **PROMPT)
    assert "your folder fresh" in shown["prompt"]
    assert load_embedded("musique")[0].references[0] in shown["references"]
    assert shown["choices"].count("<option") == 2
    assert shown["sample_label"] == words.TRY_SAMPLE_REFERENCE
    score = asyncio.run(try_task.try_answer("data", "musique", 0, load_embedded("musique")[0].references[0]))
    assert 'data-score="100.0000"' in score["card"]


def test_a_task_that_the_owner_lacks_is_reported_in_place_of_the_document(fresh):
    missing = try_task.example("data", "qasper", 0, **PROMPT)
    assert "fresh has no data of qasper" in missing["sheet"]
    for answer, said in (("an answer", words.NOT_SCORED), ("", words.NO_ANSWER_YET)):
        assert said in asyncio.run(try_task.try_answer("data", "qasper", 0, answer))["card"]


def test_a_file_is_scored_against_the_owners_references(fresh, answers):
    page = report_of(Upload(answers, [], examples.source_named("data"), False, "zero_scrolls"))
    assert page["answers"] == 2
    assert "100.0" in page["report"]
    assert "<bdi>fresh</bdi>" in page["report"]
    assert "has no data of" not in page["report"]


def test_without_the_variable_there_is_no_such_source_and_a_wrong_one_is_reported_at_the_start(monkeypatch):
    monkeypatch.delenv("ZS_DATA", raising=False)
    assert set(examples.sources()) == {"embedded", "hub"}
    assert set(score_file.sources()) == {"files", "embedded", "hub"}
    monkeypatch.setenv("ZS_DATA", str(Path("no such folder")))
    with pytest.raises(UnusableInput, match="ZS_DATA: there is no folder or ZIP 'no such folder'"):
        examples.sources()


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (("folder", "quality", 0), "no source 'folder'; choose embedded or hub"),
        (("/etc/passwd", "quality", 0), "no source '/etc/passwd'"),
        (("data", "musique", 0), "no source 'data'"),
        (("embedded", "quality", 2), "quality has the examples 0 to 1, not 2"),
        (("embedded", "quality", -1), "not -1"),
        (("embedded", "quality", True), "not True"),
    ],
)
def test_sources_and_examples_outside_the_menus_are_refused(question, message):
    with pytest.raises(examples.NoSuchExample, match=message):
        _ = ChosenExample(*question).example


def test_a_question_has_its_options_or_summaries_and_a_sample_answer():
    for task, options in (
        ("quality", ["A", "B", "C", "D"]),
        ("scrolls/contract_nli", ["Entailment", "Contradiction", "Not mentioned"]),
        ("qasper", []),
    ):
        question, shown = examples.query_and_options(ChosenExample("embedded", task, 0).example)
        assert question
        assert "\n" not in question or task == "qasper"
        assert [answer for _, answer in shown] == options
    heading, options = examples.query_and_options(ChosenExample("embedded", "scrolls/quality", 0).example)
    assert "(A)" not in heading
    assert options[0][0] == f"(A) {options[0][1]}"
    books = ChosenExample("embedded", "book_sum_sort", 0)
    items = examples.items_to_order(books.example)
    assert (len(items), items[-1].rpartition("\n")[2]) == (9, books.example.document.rpartition("\n")[2])
    assert examples.items_to_order(ChosenExample("embedded", "qasper", 0).example) == []
    assert examples.sample_answer("embedded", "quality", 0) != books.example.references[0]
    for benchmark in BENCHMARKS.values():
        assert len(examples.tasks(benchmark.name)) == len(benchmark.tasks)
    assert examples.task_of("qasper").asks == "Answer a question about a research paper."


def test_a_task_whose_prompts_cannot_be_split_has_no_examples_on_the_page_which_starts(tmp_path, monkeypatch):
    write(
        tmp_path / "examples" / "plain" / "validation.jsonl", [{"id": "1", "pid": "1_0", "input": "x", "output": "y"}]
    )
    rows = (Task("plain", BENCHMARKS["scrolls"].tasks["qasper"].metric),)
    made_up = Benchmark("unsplit", "Made up", "unsplit_score", rows=rows, folder=tmp_path)
    monkeypatch.setattr(benchmarks, "BENCHMARKS", {**BENCHMARKS, "unsplit": made_up})
    assert len(examples.loaded("embedded", "unsplit/plain").examples) == 1
    assert examples.embedded_count("unsplit/plain") == 0
    assert try_task.embedded_examples("unsplit/plain") == []
