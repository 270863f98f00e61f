"""The job of "Score a file": one click is one job, which opens, reads and scores everything once."""

import json
from html import unescape
from pathlib import Path

import pandas as pd
import pytest
from counted_calls import counted_calls
from kept_results import answers_of, exported, page_of, report_of
from written_files import write

from zs_app import jobs
from zs_app.jobs import Upload
from zs_app.result_tables import Filter, new_result
from zs_bench.benchmarks import BENCHMARKS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.reports import comparison
from zs_bench.scoring.score_files import score_runs
from zs_start.cli import main

REFERENCES = {"quality": {"a": ["A"], "b": ["B"]}, "qasper": {"c": ["yes"]}}
ANSWERS = {"quality": {"a": "A", "b": "C"}, "qasper": {"c": "yes"}}


@pytest.fixture
def score(tmp_path, monkeypatch):
    """Score predictions against references, contents or paths, and return the id of the result."""
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "uploads"))

    def run(predictions, references=REFERENCES, *, second=None, partial=False, benchmark="zero_scrolls", **options):
        contents = {"predictions": predictions, "references": references, "second": second}
        files = {name: [] for name in contents}
        for name, content in contents.items():
            if isinstance(content, dict):
                files[name] = [str(write(tmp_path / f"{name}.json", content))]
            elif content:
                files[name] = list(map(str, content))
        options = {"source": "files" if references else "embedded", **options}
        new = new_result()
        jobs.score_upload(Upload(**files, partial=partial, benchmark=benchmark, **options), new, lambda *_: None)
        return new.stem

    return run


def test_everything_is_opened_read_and_scored_once(score, monkeypatch):
    calls = counted_calls(monkeypatch)
    result = score(ANSWERS, second=ANSWERS)
    assert (calls["opened"], calls["read"], calls["scored"]) == (3, 3, 4)
    page = page_of(result)
    assert (page["answers"], page["names"]) == (3, ["predictions", "second"])
    assert answers_of(result, Filter(pattern="quality.identical"))[1:] == (2, 3)
    calls.clear()
    result = score({"QuALITY": {"a": "A", "b": "C"}}, repaired=True)
    assert (calls["opened"], calls["read"], calls["scored"]) == (2, 2, 1)
    assert report_of(result)["tasks"]["quality"]["score"] == 50.0
    assert "1 repair made" in page_of(result)["more"]


def test_a_misspelt_task_is_repaired_and_scored_against_the_examples_of_this_page(score):
    result = score({"QuALITY": {"s0003_SAMPLE01_1": "C", "s0004_SAMPLE02_1": "B"}}, references=None, repaired=True)
    assert report_of(result)["tasks"]["quality"]["score"] == 100.0


def test_a_parquet_file_of_references_without_a_task_has_that_of_the_answers_with_its_ids(score, tmp_path):
    pd.DataFrame([{"id": "c", "output": "yes"}]).to_parquet(tmp_path / "refs.parquet")
    result = score([write(tmp_path / "preds_qasper.json", {"c": "yes"})], [tmp_path / "refs.parquet"])
    assert report_of(result)["tasks"]["qasper"]["score"] == 100.0


@pytest.mark.parametrize("repaired", [False, True])
def test_the_hard_questions_of_quality_are_scored_from_its_answers_also_after_a_repair(score, repaired):
    references = {"quality": {"a": ["yes"], "b": ["no"]}, "quality_hard": {"b": ["no"]}}
    result = score({"quality": {"a": "yes", "b": "no"}}, references, benchmark="scrolls", repaired=repaired)
    scores = {task: row["score"] for task, row in report_of(result)["tasks"].items()}
    assert scores == {"quality": 100.0, "quality_hard": 100.0}


def test_two_uploads_of_the_same_name_do_not_reveal_the_servers_paths(score, tmp_path):
    files = [write(tmp_path / folder / "quality.json", {"s0003_SAMPLE01_1": None}) for folder in ("one", "two")]
    result = score(files, references=None)
    page, data = page_of(result), exported(result, "2-files-report.json")
    assert "quality.json" in page["report"]
    assert all(str(tmp_path) not in text for text in (page["report"], page["more"], data))


@pytest.mark.parametrize("benchmark", [name for name, row in BENCHMARKS.items() if "qasper" in row.tasks])
def test_reports_and_the_repaired_file_have_names_of_their_own(score, tmp_path, benchmark):
    name = f"{benchmark}_predictions"
    file = write(tmp_path / f"{name}.json", {"Qasper": {"7_0": "yes"}})
    result = score([file], {"qasper": {"7": ["yes"]}}, benchmark=benchmark, repaired=True)
    for end in ("html", "json", "csv", "md", "tex"):
        assert f'href="reports/{result}/{name}-report.{end}"' in page_of(result)["report"]
        assert exported(result, f"{name}-report.{end}")
    assert exported(result, f"{name}.csv") == '"Task","ID","Prediction"\n"qasper","7","yes"\n'
    assert "read as qasper" in page_of(result)["more"]


def test_no_published_score_is_drawn_beside_few_examples(score):
    page = page_of(score(ANSWERS))["tasks"]
    assert ('class="mark' in page, "Published scores are not shown" in page) == (False, True)
    sample = score({"quality": {"s0003_SAMPLE01_1": "C", "s0004_SAMPLE02_1": "B"}}, references=None)
    assert "Published" not in page_of(sample)["tasks"], "the examples are of no split"
    many = {"quality": {str(i): "A" for i in range(100)}}
    page = page_of(score(many, {"quality": {key: ["A"] for key in many["quality"]}}))["tasks"]
    assert 'class="mark human other"' in page  # of which split the questions are is not known
    assert "Published on the test split, perhaps other questions than these, whose split is not known:" in page


def test_few_tasks_have_their_scores_in_large_figures_and_the_others_one_line(score):
    for tasks, figures in ((["qasper"], 1), (["qasper", "quality", "musique"], 3), ([*TASKS][:5], 1)):
        answers = {task: {"a": "A", "b": "B"} for task in tasks}
        page = page_of(score(answers, {task: {"a": ["A"], "b": ["A"]} for task in tasks}, partial=True))
        assert page["report"].count('class="zs-score"') == figures
        assert f"{len(tasks)} of 10 tasks; the ZeroSCROLLS score needs all 10" in page["report"]
        assert "No predictions for " in page["tasks"]


def test_a_pattern_is_a_button_whose_filter_lists_just_its_answers(score):
    answers = {str(i): "Yes, it is said." if i < 3 else "rain" for i in range(6)}
    result, name = score({"qasper": answers}, {"qasper": {key: ["rain"] for key in answers}}), "qasper.unasked_yes_no"
    assert f'data-pattern="{name}"' in page_of(result)["tasks"]
    rows, count, _ = answers_of(result, Filter(pattern=name))
    assert (count, {row.id for row in rows}) == (3, {"0", "1", "2"})


@pytest.mark.parametrize("repaired", [False, True])
def test_the_rules_that_undo_a_loss_are_named_with_the_number_that_they_give(score, repaired):
    texts = {"a": "<think>Is it?</think> yes", "b": "The answer is no, I think. Final answer: no", "c": "yes"}
    references = {"qasper": {"a": ["yes"], "b": ["no"], "c": ["yes"]}, "musique": {"2hop__1": ["rain"]}}
    answers = {"Qasper" if repaired else "qasper": texts, "musique": {"2hop__1": "rain"}}
    page = page_of(score(answers, references, repaired=repaired))["report"]
    assert "With <code>drop-think</code>: Qasper 74.1, <button" in page
    assert "With <code>after:answer:</code>: Qasper 83.3, <button" in page
    result = score(answers, references, repaired=repaired, post=["drop-think"])
    page = page_of(result)
    assert report_of(result)["tasks"]["qasper"]["score"] == pytest.approx(74.07, abs=0.01)
    assert " · drop-think:3 changed 1</span>" in page["report"]
    assert 'data-post="drop-think:3 + after:answer:"' in page["report"]


def test_answers_are_filtered_by_the_hops_and_the_kind_of_their_questions(score):
    ids = [f"{hops}hop__{i}" for hops in (2, 3) for i in range(2)]
    references = {
        "musique": {id_: ["rain"] for id_ in ids},
        "qasper": {"a": ["yes"], "b": ["Unanswerable"], "c": ["x"]},
    }
    answers = {task: dict.fromkeys(by_id, "rain") for task, by_id in references.items()}
    result = score(answers, references)
    menu = page_of(result)["menus"]["group"]
    assert menu["musique.3 hops"].startswith("MuSiQue, 3 hops: 100.0")
    assert [*menu][:3] == ["qasper.yes or no", "qasper.unanswerable", "qasper.other"]
    for group, found in (("musique.3 hops", ids[2:]), ("qasper.other", ["c"])):
        assert [row.id for row in answers_of(result, Filter(group=group))[0]] == found


def test_columns_of_other_names_are_asked_for_with_a_guess_and_then_read(score, tmp_path):
    path = write(tmp_path / "preds_qasper.csv", "nr,qid,says\n1,a,yes\n2,b,no\n")
    references = {"qasper": {"a": ["yes"], "b": ["no"]}}
    page = page_of(score([path], references))["report"]
    assert "preds_qasper.csv</bdi> has other columns. Which holds what?" in page
    assert all(f"<option selected>{name}</option>" in page for name in ("qid", "says"))
    assert "<b>qid</b> <bdi>a</bdi> · <b>says</b> <bdi>yes</bdi>" in page  # its first row
    result = score([path], references, columns={"id": "qid", "prediction": "says"})
    assert report_of(result)["tasks"]["qasper"]["score"] == 100


def test_columns_of_references_are_asked_for_and_those_in_doubt_can_be_named_where_all_is_scored(score, tmp_path):
    answers = {"qasper": {"a": "yes", "b": "no"}}
    gold = write(tmp_path / "r" / "qasper.jsonl", [{"id": id_, "right": "yes", "n": 1} for id_ in "ab"])
    page = page_of(score(answers, [gold]))["report"]
    assert "qasper.jsonl</bdi> has other columns. Which holds what?" in page
    assert '<label>References <select name="references">' in page
    assert report_of(score(answers, [gold], columns={"references": "right"}))["tasks"]["qasper"]["score"] == 50
    both = write(tmp_path / "p" / "qasper.csv", "id,answer,gpt-4\na,yes,no\nb,yes,yes\n")
    page = page_of(score([both], [gold], columns={"references": "right"}))["report"]
    assert "the answers are read from 'answer'; not read: 'gpt-4'" in unescape(page)
    assert ("qasper.csv</bdi> has other columns" in page, "100.0" in page) == (True, True)
    result = score([both], [gold], columns={"references": "right", "prediction": "gpt-4"})
    assert report_of(result)["tasks"]["qasper"]["score"] == 50


def test_rows_without_ids_are_counted(score, tmp_path):
    file = write(tmp_path / "qasper.jsonl", [{"pred": text, "answers": ["yes"]} for text in ("yes", "no")])
    page = page_of(score([file], [file]))["report"]
    assert "2 predictions" in page


def test_ids_that_all_differ_in_one_way_are_one_sentence_and_one_button(score):
    answers = {task: {f"{task}-1": "A", f"{task}-2": "B"} for task in ("quality", "qasper")}
    references = {task: {id_.replace("-", "_"): ["A"] for id_ in ids} for task, ids in answers.items()}
    page = page_of(score(answers, references))["report"]
    assert ("Read them as the known IDs</button>" in page, "<table" in page) == (True, False)
    assert page.count("These IDs differ from the known ones, all in the same way") == 1
    assert report_of(score(answers, references, repaired=True))["tasks"]["quality"]["score"] == 50


def test_texts_of_visitors_are_escaped_in_everything_that_is_shown(score, tmp_path):
    bad = "<script>alert(1)</script>"
    file = write(Path(tmp_path, f"{bad.replace('/', '')}.json"), {"qasper": {bad: bad, "gone": "x"}})
    result = score([file], {"qasper": {bad: [bad]}}, second=[file], partial=True, names=(bad, f"{bad} again"))
    page = page_of(result)
    assert "<script" not in page["report"] + page["more"] + page["tasks"]
    assert answers_of(result, Filter())[0][0].id == bad


def test_a_repair_that_has_to_be_chosen_is_offered_below_the_sentence_that_refuses(score, tmp_path):
    repeated = write(tmp_path / "p.csv", "Task,ID,Prediction\nqasper,d,no\nqasper,d,yes\n")
    page = page_of(score([repeated], {"qasper": {"d": ["yes"]}}))["report"]
    assert '<details class="zs-details zs-problems" id="file-problem-list" open>' in page
    assert 'data-accept="conflict"' in page


def test_one_line_holds_all_problems_that_have_the_same_repair(score):
    tasks = ("qasper", "musique", "narrative_qa")
    answers = {task: {"a": "yes", f"{task}-x": "no", f"{task}-y": "no"} for task in tasks}
    page = page_of(score(answers, {task: {"a": ["yes"], "b": ["no"]} for task in tasks}))["report"]
    assert page.count("row dropped") == page.count("(6 such in 3 tasks)</span>") == 1


def test_two_files_of_one_name_are_told_apart(score, tmp_path):
    files = [write(tmp_path / name / "p.json", ANSWERS) for name in ("one", "two")]
    page = page_of(score(files[:1], second=files[1:]))["report"]
    assert "p.json (A)" in page
    assert "p.json (B)" in page


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("not.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not.csv: the file is an image"),
        ("empty.csv", b"", "empty.csv: the file is empty"),
        ("head.csv", b"Task,ID,Prediction\n", "head.csv: a header, and no rows below it."),
    ],
)
def test_what_has_no_answers_is_said_once_and_nothing_is_offered_for_it(score, tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    page = page_of(score([tmp_path / name], {"qasper": {"a": ["yes"]}}))
    assert page["report"].count(said) == 1
    assert not any(text in page["report"] + page["tasks"] for text in ("compare with", "<table", "problem-list", "�"))
    assert "submission" not in page["more"]


def test_files_with_the_same_ids_may_be_runs_whose_mean_is_then_scored(score, tmp_path):
    texts = {"seed0": "red", "seed1": "blue"}
    files = [write(tmp_path / f"{name}.json", {"qasper": {"c": "yes", "d": text}}) for name, text in texts.items()]
    references = {"qasper": {"c": ["yes"], "d": ["red"]}}
    offered = page_of(score(files, references))["report"]
    assert ("These 2 files answer the same ids" in offered, 'data-file="runs"' in offered) == (True, True)
    result = score(files, references, runs=True)
    page = page_of(result)
    assert report_of(result)["tasks"]["qasper"]["score"] == 75.0
    assert 'data-file="runs"' not in page["report"]
    for said in (
        "2 runs of one system (seed0, seed1)",
        "100.0, 50.0",
        "They do not include differences between whole runs",
    ):
        assert said in page["report"]
    assert page["answers"] == 4
    assert [row.id for row in answers_of(result, Filter())[0]][:1] == ["d · seed1"]
    assert "2 runs of one system" in exported(result, "2-files-report.md")
    assert 'data-file="compare"' in page["report"]
    single = write(tmp_path / "single.json", {"qasper": {"c": "no", "d": "red"}})
    result = score(files, references, second=[single], runs=True)
    page = page_of(result)
    for said in (
        "2 runs of one system (seed0, seed1)",
        "They do not include differences between whole runs",
        "75.0",
        "50.0",
    ):
        assert said in page["report"]
    assert [row[1:] for row in answers_of(result, Filter(order="id"))[0]] == [
        ("c", [], "yes", 100.0, "", "no", 0.0, -100.0),
        ("d", [], "Run 1: red\nRun 2: blue", 50.0, "", "red", 100.0, 50.0),
    ]
    assert answers_of(result, Filter(pattern="qasper.lost"))[1] == 1
    systems = score_runs({"2 files": files, "single": [single]}, references)
    wanted = comparison.as_json(comparison.compare(systems))
    assert json.loads(exported(result, "2-files-vs-single.json"))["matches"] == json.loads(
        json.dumps(wanted["matches"])
    )
    with_three = score(files, references, second=[single, *files], runs=True)
    assert "3 runs of one system (single, seed0, seed1)" in page_of(with_three)["report"]
    other = write(tmp_path / "other.json", {"qasper": {"d": "red"}})
    assert 'data-file="runs"' not in page_of(score([files[0], other], references))["report"]


def test_runs_are_the_first_or_the_second_system_with_the_same_numbers_as_on_the_command_line(score, tmp_path):
    texts, references = {"seed0": "red", "seed1": "blue"}, {"qasper": {"c": ["yes"], "d": ["red"]}}
    known, single = write(tmp_path / "known.json", references), {"qasper": {"c": "no", "d": "red"}}
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    runs = [write(seeds / f"{name}.json", {"qasper": {"c": "yes", "d": text}}) for name, text in texts.items()]
    one = [write(tmp_path / "single.json", single)]
    offered = page_of(score(one, references, second=runs))["report"]
    assert "These 2 files answer the same ids" in offered
    assert "They are runs of one system: compare their mean" in offered
    for first, second, names in ((one, runs, ("single", "seeds")), (runs, one, ("seeds", "single"))):
        result = score(first, references, second=second, runs=True, names=names)
        page = page_of(result)
        assert "2 runs of one system (seed0, seed1)" in page["report"]
        assert 'data-file="runs"' not in page["report"]
        assert page["runs"] == [len(side) if side is runs else 0 for side in (first, second)]
        sides = [str(seeds if side is runs else one[0]) for side in (first, second)]
        main(["compare", *sides, "--runs", "--references", str(known), "--json", str(tmp_path / "wanted.json")])
        wanted = json.loads((tmp_path / "wanted.json").read_text("utf-8"))["matches"]
        assert wanted[0]["mean"]["difference"] == (25.0 if second is runs else -25.0)
        found = json.loads(exported(result, f"{names[0]}-vs-{names[1]}.json"))["matches"]
        assert found == wanted
