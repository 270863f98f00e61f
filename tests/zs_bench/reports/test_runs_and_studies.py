"""What became of a run's prompts, what post-processing changed, and runs side by side."""

import re

import pytest
from compared_systems import ONE, TWO, systems
from markup_check import read_html
from report_schema import validated
from run_folders import eventful_run
from written_files import score

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.reports import report, study
from zs_bench.reports.html.standalone import html_report, study_page
from zs_bench.scoring.score_files import score_files

RUN = """\
The run of a-model:
task     prompts  answered  overflow  all reasoning  refused  failed  not asked
qasper         2         1         1              0        0       0          0
quality        2         1         0              0        0       0          1
Cut by the server, which did not read the whole prompt: qasper 1.
Stopped at the length limit: quality 1.
Trimmed before they were sent: qasper 1 (50% of the document kept).
Tokens: 100 read.
With lost prompts as empty answers: qasper 50.0000, quality 0.0000.
"""
RUN_TABLE = (
    "Task Prompts Answered Cut by the server Trimmed before Overflow Not asked Length limit Score Lost as empty "
    "Qasper 2 1 1 1 (50% kept) 1 – – 100.0000 50.0000 QuALITY 2 1 – – – 1 1 0.0000 0.0000 "
    "Lost as empty: with an empty answer for each prompt that has none. Tokens: 100 read. "
)


def test_a_run_is_reported_prompt_by_prompt_with_its_alternative_scores(tmp_path):
    run = score_files([eventful_run(tmp_path / "run")], source="embedded", partial=True)
    text, data = report.as_text(run), validated(report.as_json(run))
    assert f"\n\n{RUN}\nWarnings:\n" in text
    assert "|run:overflow1,not-asked1,cut1,trimmed1|" in text
    task = data["run"]["tasks"]["qasper"]
    assert (task["ok"], task["overflow"], task["trimmed"], len(task["cut_by_server"])) == (1, 1, 1, 1)
    assert task["scores"] == {"without_cut": None, "lost_as_empty": 50.0}
    assert data["run"]["settings"]["model"] == "a-model"
    title = "Run of a-model: 2 of 4 prompts answered, 1 cut by the server, 1 trimmed before"
    assert f"{title} {RUN_TABLE}" in read_html(html_report(run)).text


def test_post_processing_is_reported_with_the_scores_without_it(tmp_path):
    answers, references = {"quality": {"1": "\n A"}, "qasper": {}}, {"quality": {"1": "A"}, "qasper": {"7": "yes"}}
    done = score(tmp_path, {"a.json": answers}, references, post=["strip", "cut-at:\\n"])
    sentences = report.as_text(done).partition("\nPost-processed by strip, then ")[2].splitlines()[:2]
    assert sentences == ["cut-at:\\n: 1 answer changed.", "Without it: qasper not scored, quality 100.0000."]


def test_every_form_names_the_rules_that_changed_the_answers_and_the_average_without_them(tmp_path):
    answers = {"quality": {"1": "<think>A or B</think>B"}, "qasper": {"7": "<think>no</think>yes"}}
    references = {"quality": {"1": "B"}, "qasper": {"7": "yes"}}
    done = score(tmp_path, {"a.json": answers}, references, post=["drop-think", "strip"])
    without = [score(tmp_path, {"a.json": answers}, references).result.mean_of_tasks, 100.0]
    changed, before = (
        "Post-processed by drop-think:3, then strip: 2 answers changed.",
        f"mean of 2 tasks {without[0]:.4f}.",
    )
    assert report.as_text(done).count(changed) == report.as_markdown(done, "a").count(changed) == 1
    for text in (report.as_text(done), report.as_markdown(done, "a")):
        assert re.search(rf"Without it: qasper [0-9.]+, quality [0-9.]+, {before}\n", text)
    assert r"{\footnotesize post{-}processed by drop{-}think:3, then strip: 2 answers changed} \\" in report.as_latex(
        done, "a"
    )
    for references_shown in (False, True):
        page = read_html(html_report(done, references=references_shown)).text
        assert re.search(rf"{changed} Without it: Qasper [0-9.]+, QuALITY [0-9.]+, {before}", page)
        assert page.endswith("Answers are shown after drop-think:3, then strip .")
    plain = score(tmp_path, {"a.json": answers}, references)
    assert "rocessed" not in report.as_text(plain) + report.as_markdown(plain, "a") + report.as_latex(plain, "a")
    assert "words shared with them are marked. Answers are shown as given." in read_html(html_report(plain)).text


def test_the_average_without_the_rules_is_that_of_the_same_tasks(tmp_path):
    texts = {
        task: {"1": {"quality": "A", "space_digest": "60%", "book_sum_sort": "1, 2"}.get(task, "a few words")}
        for task in TASKS
    }
    whole = score(tmp_path / "whole", {"a.json": texts}, texts, post=["strip"])
    assert ", average 100.0000.\n" in report.as_text(whole)
    one = {"quality": {"1": "A"}}
    assert "Without it: quality 100.0000.\n" in report.as_text(
        score(tmp_path / "one", {"a.json": one}, one, post=["strip"])
    )


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    return systems(tmp_path_factory.mktemp("study"), one=ONE, two=TWO)


def test_runs_stand_side_by_side_by_their_input_lengths(scored):
    runs = study.study_runs({"one": study.read_run_name("m-4k"), "two": study.read_run_name("m-2048")}, scored)
    assert study.as_text(runs).splitlines() == [
        "task             n  m-2048   m-4k",
        "qmsum            3   75.50  65.28",
        "quality          4   50.00  75.00",
        "mean of 2 tasks  7   62.75  70.14",
        "",
        f"In brackets: {study.about_intervals()}",
    ]
    assert study.about_intervals().startswith("95 % intervals, in points (jackknife, Student's t on the logit scale; ")
    assert study.about_intervals().endswith("as if the examples were drawn at random.")
    head, first, *_ = study.score_table(runs).csv().splitlines()
    assert head == "task,group,run,tokens,examples,score,low,high"
    assert first.startswith("qmsum,,m-2048,2048,3,75.50497861")
    page = read_html(study_page(runs))
    assert "Task m-2048 m-4k QMSum 75.50 (3) 65.28 (3) QuALITY 50.00 (4) 75.00 (4) Mean of 2 tasks 62.75" in page.text
    assert page.labels[1] == "Mean of 2 tasks, score by input length: m: 2,048 tokens 62.8, 4,096 tokens 70.1"


def test_groups_of_examples_have_rows_and_bars(scored):
    runs = {name: study.read_run_name(name) for name in scored}
    groups = study.study_groups(runs, scored, {"quality": {"1_a": "x", "2_a": "x", "3_a": "y"}})
    assert [line.split() for line in study.as_text(groups).splitlines()[1:3]] == [
        ["quality", "x", "2", "100.00", "50.00"],
        ["quality", "y", "1", "100.00", "0.00"],
    ]
    row = {"examples": 1, "score": 0.0, "interval": None}
    assert study.as_json(groups)["rows"][1]["scores"]["two"] == row
    assert read_html(study_page(groups)).labels[1:] == [
        "QuALITY: x · one 100.00, x · two 50.00, y · one 100.00, y · two 0.00"
    ]
