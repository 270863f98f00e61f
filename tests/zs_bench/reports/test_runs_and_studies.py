"""What became of a run's prompts, what post-processing changed, and runs side by side."""

import pytest
from compared_systems import ONE, TWO, systems
from markup_check import read_html
from report_schema import validated
from run_folders import eventful_run
from written_files import score

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
