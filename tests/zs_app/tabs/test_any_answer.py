"""Whatever a model answers, the page and the reports show it, and a fault in one answer leaves the others."""

import logging
from itertools import cycle

import pytest
from hostile_files import CHARMS
from hypothesis import example, given
from hypothesis import strategies as st
from written_files import write

from zs_app.jobs import Upload, score_upload
from zs_app.result_tables import new_result
from zs_app.tabs import score_answer, score_file
from zs_app.tabs.examples import ChosenExample, find_example, task_of, tasks
from zs_app.tabs.score_answer import example_score
from zs_bench.benchmarks import BENCHMARKS
from zs_bench.dataset.rows import load_embedded
from zs_bench.reports.explain_text import render
from zs_metric.explain import explain

#: What models really answer: nothing, other scripts, no words, a thought, the form of another task.
REAL = ["", " ", "…", "-", "我不知道。", "لا أعرف", "मुझे नहीं पता", "the", "<think>\nB", "B", "55%", "2, 1", "9" * 5_000]
ANSWER = st.sampled_from([*REAL, *CHARMS]) | st.text(max_size=30)
WITH_EXAMPLES = [name for name, row in BENCHMARKS.items() if row.file("examples")]
every_benchmark = pytest.mark.parametrize("benchmark", WITH_EXAMPLES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


def scored(folder, benchmark, *systems):
    """The id of the result of systems that answer the examples of every task with these texts in turn."""
    rows = {name: load_embedded(task) for name, task in BENCHMARKS[benchmark].tasks.items()}
    references = {task: {row.id: list(row.references) for row in examples} for task, examples in rows.items()}
    files = ({task: dict(zip((row.id for row in rows[task]), cycle(texts))) for task in rows} for texts in systems)
    contents = zip(("references", "first", "second"), [references, *files], strict=False)
    paths = [write(folder / f"{name}.json", content) for name, content in contents]
    upload = Upload([paths[1]], [paths[0]], "files", False, benchmark, second=paths[2:])
    result = new_result()
    score_upload(upload, result, lambda *_: None)
    return result.stem


@every_benchmark
@given(ANSWER, ANSWER)
@example("…", "")
def test_every_answer_to_every_task_has_its_card_and_its_explanation(benchmark, answer, reference):
    for _, value in tasks(benchmark):
        task, row = task_of(value), find_example("embedded", value, 0)
        references = [*row.references, *([reference] if task.metric.name in ("rouge", "f1", "exact_match") else [])]
        shown = (
            score_answer.scored_card(task, answer, references)
            + example_score(ChosenExample("embedded", value, 0), answer)[0].card
        )
        assert shown.count("zs-card") == 2
        assert render(explain(task, answer, references)).startswith(f"{task.name}: ")


@pytest.mark.slow
@every_benchmark
@given(ANSWER, ANSWER)
@example("…", "")
def test_every_file_has_its_report_its_list_and_each_of_its_answers(folder, benchmark, first, other):
    for systems in ([(first, other)], [(first, other), (other, first)]):
        result = scored(folder, benchmark, *systems)
        count = score_file.report(result)["answers"]
        assert score_file.answers({"result": result, "most": 100})["list"].count("<tr data-file") == count > 10
        for place in range(count):
            assert "zs-error" not in score_file.answers({"result": result, "place": place})["opened"]


def test_a_fault_in_one_answer_is_said_in_its_place_beside_the_whole_list(folder, monkeypatch, caplog):
    result = scored(folder, "zero_scrolls", ("yes", "no"))
    monkeypatch.setattr(score_file, "scored", lambda *_, **__: 1 / 0)
    with caplog.at_level(logging.ERROR):
        shown = score_file.answers({"result": result, "most": 100})
    assert (shown["count"], shown["list"].count("<tr data-file")) == (20, 20)
    assert "Error reference: " in shown["opened"]
    assert "ZeroDivisionError" in caplog.text
