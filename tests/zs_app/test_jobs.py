"""The jobs that run in processes of their own."""

import asyncio
from dataclasses import replace

import pytest
import worker_jobs
from written_files import write

from zs_app import jobs
from zs_app.jobs import Upload, score_upload
from zs_app.result_tables import new_result, opened
from zs_app.server.jobs import run_job
from zs_app.server.workers import stop_workers
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS
from zs_bench.errors import UnusableInput


def test_no_job_imports_gradio(tmp_path):
    """It would take each job some seconds and 140 MB."""
    path = str(SAMPLE_PREDICTIONS)
    upload = Upload([path], [], "embedded", False, "zero_scrolls", second=[path])
    for job, *arguments in (
        (jobs.tasks_of, upload),
        (jobs.report_on_files, Upload([path], [path], "files", True, "zero_scrolls")),
        (
            jobs.report_on_objects,
            {"quality": {"a": "B"}},
            {"quality": {"a": ["B"]}},
            False,
            "zero_scrolls",
            "",
            None,
            [],
        ),
        (jobs.score_upload, upload, tmp_path / "result"),
        (jobs.score_variants, tmp_path / "result", {"qasper": 50.0}),
    ):
        assert asyncio.run(run_job(worker_jobs.imported_by, job, *arguments)) == [], job.__name__
    stop_workers()


def test_files_of_longbench_are_scored_as_such_against_the_references_in_them_unless_one_insists(tmp_path):
    names = {}
    for system, text in {"a": "Ada", "b": "no"}.items():
        row = {"pred": text, "answers": ["Ada"], "all_classes": None, "length": 5}
        names[system] = str(write(tmp_path / system / "musique.jsonl", [row] * 12))
    path = new_result()
    score_upload(Upload([names["a"]], [], "files", True, "zero_scrolls", second=[names["b"]]), path, lambda *_: None)
    with opened(path.stem) as kept:
        assert kept.report["benchmark"] == "longbench"
        assert kept.report["tasks"]["musique"]["score"] == 100
        shown = kept.page["report"]
    assert "Scored as LongBench, by how the files look." in shown
    assert 'data-file="insist" data-benchmark="zero_scrolls"' in shown
    assert "the references beside the answers" in shown
    insisted = Upload([names["a"]], [names["a"]], "files", True, "zero_scrolls", insisted=True)
    for upload in (insisted, replace(insisted, references=[])):
        path = new_result()
        score_upload(upload, path, lambda *_: None)
        with opened(path.stem) as kept:
            assert (kept.report["benchmark"], "by how the files look" in kept.page["report"]) == ("zero_scrolls", False)


def test_the_endpoint_for_files_says_which_benchmark_they_look_like(tmp_path):
    for name, other in {"musique": "", "qasper": "; for the other, give benchmark 'longbench_e'"}.items():
        path = str(write(tmp_path / f"{name}.jsonl", [{"pred": "Ada", "answers": ["Ada"], "length": 5}] * 3))
        report = jobs.report_on_files(Upload([path], [], "files", False, "zero_scrolls"), lambda *_: None)
        assert (report["benchmark"], report["tasks"][name]["score"]) == ("longbench", 100)
        said = [problem["message"] for problem in report["problems"] if problem["kind"] == "recognised"]
        assert said == [f"Scored as LongBench, by how the files look{other}"]


def test_predictions_without_references_are_scored_against_those_in_their_rows_or_refused(tmp_path):
    texts = {"a": ["red"] * 4, "b": ["red", "blue", "blue", "blue"], "c": ["red"] * 2}
    names = {}
    for system, answers in texts.items():
        rows = [{"prediction": text, "answer": "red", "length": n} for n, text in enumerate(answers)]
        names[system] = str(write(tmp_path / system / "qasper.jsonl", rows[::-1] if system == "b" else rows))
    for upload, scores, counts in (
        (Upload([names["b"]], [], "files", False, "zero_scrolls"), [25], "4 predictions"),
        (Upload([names["a"]], [], "files", False, "zero_scrolls", second=[names["b"]]), [100, 25], "4 predictions"),
        (Upload([names["c"]], [], "files", False, "zero_scrolls", second=[names["a"]]), [100, 100], "2 predictions"),
    ):
        path = new_result()
        score_upload(upload, path, lambda *_: None)
        with opened(path.stem) as kept:
            assert [each.tasks["qasper"].score for each in jobs.kept_systems(kept)] == scores
            shown = kept.page["report"]
        assert counts in shown
        assert "the references beside the answers</bdi></b> · 4 references" in shown
        assert "in &#39;answer&#39;" in shown  # where the references were found
    upload = Upload([str(write(tmp_path / "qasper.json", {"7": "red"}))], [], "files", False, "zero_scrolls")
    with pytest.raises(UnusableInput, match="Add references"):
        score_upload(upload, new_result(), lambda *_: None)


def test_the_references_of_a_page_are_those_of_the_questions_that_are_there(tmp_path):
    rows = [{"pred": "red", "answers": ["red"], "all_classes": None, "length": n} for n in range(3)]
    upload = Upload([str(write(tmp_path / "qasper.jsonl", rows))], [], "files", False, "zero_scrolls")
    score_upload(upload, path := new_result(), lambda *_: None)
    with opened(path.stem) as kept:
        assert "3 predictions" in kept.page["report"]
        assert " 3 references" in kept.page["report"]
