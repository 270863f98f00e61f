"""The job of "Score a file": one click is one job, which opens, reads and scores everything once."""

from pathlib import Path

import pytest
from counted_calls import counted_calls
from written_files import write

from zs_app import jobs
from zs_app.jobs import Upload
from zs_app.server.result_tables import (
    Filter,
    download,
    find_answers,
    kept_page,
    kept_report,
    new_result,
)
from zs_metric.tasks import TASKS

KNOWN = {"quality": {"a": ["A"], "b": ["B"]}, "qasper": {"c": ["yes"]}}
ANSWERS = {"quality": {"a": "A", "b": "C"}, "qasper": {"c": "yes"}}


@pytest.fixture(autouse=True)
def uploads(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "uploads"))


@pytest.fixture
def calls(monkeypatch):
    return counted_calls(monkeypatch)


def run(benchmark="zero_scrolls", **upload):
    new = new_result()
    jobs.score_upload(Upload(benchmark=benchmark, **upload), new, lambda *_: None)
    return new


def paths(tmp_path, **contents):
    return [str(write(tmp_path / f"{name}.json", content)) for name, content in contents.items()]


def test_a_score_with_its_problems_and_a_comparison_opens_reads_and_scores_everything_once(tmp_path, calls):
    first, second, known = paths(tmp_path, first=ANSWERS, second=ANSWERS, known=KNOWN)
    new = run(predictions=[first], references=[known], source="files", partial=False, second=[second])
    assert (calls["opened"], calls["read"], calls["scored"]) == (3, 3, 4)
    page = kept_page(new.stem)
    assert (page["answers"], page["names"]) == (3, ["first", "second"])
    assert find_answers(new.stem, Filter(pattern="quality.identical"))[1:] == (2, 3)


def test_a_repaired_upload_is_opened_read_and_scored_once(tmp_path, calls):
    broken, known = paths(tmp_path, broken={"QuALITY": {"a": "A", "b": "C"}}, known=KNOWN)
    new = run(predictions=[broken], references=[known], source="files", partial=False, repaired=True)
    assert (calls["opened"], calls["read"], calls["scored"]) == (2, 2, 1)
    assert kept_report(new.stem)["tasks"]["quality"]["score"] == 50.0
    assert "1 repair made" in kept_page(new.stem)["more"]


def test_a_misspelt_task_is_repaired_and_scored_against_the_examples_of_this_page(tmp_path):
    (broken,) = paths(tmp_path, broken={"QuALITY": {"s0003_SAMPLE01_1": "C", "s0004_SAMPLE02_1": "B"}})
    new = run(predictions=[broken], references=[], source="embedded", partial=False, repaired=True)
    assert kept_report(new.stem)["tasks"]["quality"]["score"] == 100.0


@pytest.mark.parametrize("repaired", [False, True])
def test_the_hard_questions_of_quality_are_scored_from_its_answers_also_after_a_repair(tmp_path, repaired):
    known = {"quality": {"a": ["yes"], "b": ["no"]}, "quality_hard": {"b": ["no"]}}
    predictions, references = paths(tmp_path, p={"quality": {"a": "yes", "b": "no"}}, known=known)
    upload = {"predictions": [predictions], "references": [references], "source": "files", "partial": False}
    report = kept_report(run("scrolls", **upload, repaired=repaired).stem)
    assert {task: found["score"] for task, found in report["tasks"].items()} == {
        "quality": 100.0,
        "quality_hard": 100.0,
    }


def test_two_uploads_of_the_same_name_do_not_reveal_the_servers_paths(tmp_path):
    task = {"s0003_SAMPLE01_1": None}
    files = [write(tmp_path / folder / "quality.json", task) for folder in ("one", "two")]
    new = run(predictions=list(map(str, files)), references=[], source="embedded", partial=False)
    page, data = kept_page(new.stem), download(new.stem, "2-files-report.json").decode()
    assert "quality.json" in page["report"]
    assert all(str(tmp_path) not in text for text in (page["report"], page["more"], data))


def test_the_reports_and_the_repaired_file_have_names_of_their_own(tmp_path):
    """Before, the scores of zero_scrolls_predictions.csv would have been overwritten by the file to submit."""
    predictions, known = paths(tmp_path, zero_scrolls_predictions=ANSWERS, known=KNOWN)
    new = run(predictions=[predictions], references=[known], source="files", partial=False)
    for end in ("html", "json", "csv", "md", "tex"):
        name = f"zero_scrolls_predictions-report.{end}"
        assert f'href="reports/{new.stem}/{name}"' in kept_page(new.stem)["report"]
        assert download(new.stem, name)
    assert download(new.stem, "zero_scrolls_predictions.csv").startswith(b'"Task","ID","Prediction"')


def test_no_published_score_is_drawn_beside_few_examples(tmp_path):
    predictions, known = paths(tmp_path, p=ANSWERS, known=KNOWN)
    page = kept_page(run(predictions=[predictions], references=[known], source="files", partial=False).stem)["tasks"]
    assert 'class="mark' not in page
    assert "Published scores are not shown" in page
    many = {"quality": {str(i): "A" for i in range(100)}}
    predictions, known = paths(tmp_path, p=many, known={"quality": {key: ["A"] for key in many["quality"]}})
    page = kept_page(run(predictions=[predictions], references=[known], source="files", partial=False).stem)["tasks"]
    assert 'class="mark human other"' in page  # of which split the questions are is not known
    assert "Published on the test split, other questions than these:" in page


def test_few_tasks_have_their_scores_in_large_figures_and_the_others_one_line(tmp_path):
    for tasks, figures in ((["qasper"], 1), (["qasper", "quality", "musique"], 3), ([*TASKS][:5], 1)):
        answers = {task: {"a": "A", "b": "B"} for task in tasks}
        known = {task: {"a": ["A"], "b": ["A"]} for task in tasks}
        predictions, references = paths(tmp_path, p=answers, known=known)
        page = kept_page(run(predictions=[predictions], references=[references], source="files", partial=True).stem)
        assert page["report"].count('class="zs-score"') == figures
        assert f"{len(tasks)} of 10 tasks; the ZeroSCROLLS score needs all 10" in page["report"]
        assert "No predictions for " in page["tasks"]
        assert "No score" not in page["report"]


def test_a_pattern_is_a_button_whose_filter_lists_just_its_answers(tmp_path):
    answers = {str(i): "Yes, it is said." if i < 3 else "rain" for i in range(6)}
    predictions, known = paths(tmp_path, p={"qasper": answers}, known={"qasper": {key: ["rain"] for key in answers}})
    new = run(predictions=[predictions], references=[known], source="files", partial=False)
    name = "qasper.unasked_yes_no"
    assert f'data-pattern="{name}"' in kept_page(new.stem)["tasks"]
    rows, found, _ = find_answers(new.stem, Filter(pattern=name))
    assert (found, {row.id for row in rows}) == (3, {"0", "1", "2"})
    assert find_answers(new.stem, Filter(pattern="qasper.unasked"))[1] == 0


def test_columns_of_other_names_are_asked_for_with_a_guess_and_then_read(tmp_path):
    path = write(tmp_path / "preds_qasper.csv", "nr,qid,response\n1,a,yes\n2,b,no\n")
    (known,) = paths(tmp_path, known={"qasper": {"a": ["yes"], "b": ["no"]}})
    upload = {"predictions": [str(path)], "references": [known], "source": "files", "partial": False}
    page = kept_page(run(**upload).stem)["report"]
    assert "preds_qasper.csv</bdi> has other columns. Which holds what?" in page
    assert all(f"<option selected>{name}</option>" in page for name in ("qid", "response"))
    new = run(**upload, columns={"id": "qid", "prediction": "response"})
    assert kept_report(new.stem)["tasks"]["qasper"]["score"] == 100


def test_ids_that_all_differ_in_one_way_are_one_sentence_and_one_button(tmp_path):
    tasks = {task: {f"{task}-1": "A", f"{task}-2": "B"} for task in ("quality", "qasper")}
    known = {task: {id_.replace("-", "_"): ["A"] for id_ in ids} for task, ids in tasks.items()}
    predictions, references = paths(tmp_path, p=tasks, known=known)
    upload = {"predictions": [predictions], "references": [references], "source": "files", "partial": False}
    page = kept_page(run(**upload).stem)["report"]
    assert "Read them as the known IDs</button>" in page
    assert page.count("These IDs differ from the known ones, all in the same way") == 1
    assert "<table" not in page
    assert kept_report(run(**upload, repaired=True).stem)["tasks"]["quality"]["score"] == 50


def test_texts_of_visitors_are_escaped_in_everything_that_is_shown(tmp_path):
    bad = "<script>alert(1)</script>"
    predictions, known = paths(tmp_path, p={"qasper": {bad: bad, "gone": "x"}}, known={"qasper": {bad: [bad]}})
    bad_name = str(Path(predictions).with_name(f"{bad.replace('/', '')}.json"))
    Path(predictions).rename(bad_name)
    upload = {"predictions": [bad_name], "references": [known], "source": "files", "partial": True}
    new = run(**upload, second=[bad_name], names=(bad, f"{bad} again"))
    page = kept_page(new.stem)
    assert "<script" not in page["report"] + page["more"] + page["tasks"]
    assert find_answers(new.stem, Filter())[0][0].id == bad


def test_a_repair_that_has_to_be_chosen_is_offered_below_the_sentence_that_refuses(tmp_path):
    repeated = write(tmp_path / "p.csv", "Task,ID,Prediction\nqasper,d,no\nqasper,d,yes\n")
    (known,) = paths(tmp_path, known={"qasper": {"d": ["yes"]}})
    page = kept_page(run(predictions=[str(repeated)], references=[known], source="files", partial=False).stem)["report"]
    assert '<details class="zs-details zs-problems" id="file-problem-list" open>' in page
    assert 'data-accept="conflict"' in page
