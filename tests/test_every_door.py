"""One scorer, every door: the golden rows and the sample, through each of them, to the last digit.

The metric under its installed name and from a Space is held to the same in tests/zs_bench/, the page in tests/browser/.
"""

import json

import pytest
from agent import call_tools
from doors import ROOT, cases, check, expected, given, written
from gradio_client import Client, handle_file

from zs_bench.cli import main
from zs_metric import TASKS, score_example


def test_one_answer_at_a_time():
    for task, rows in cases().items():
        singly = [score_example(task, *case).as_dict() for case in rows.values()]
        assert singly == [example.as_dict() for example in expected()[task].examples]


@pytest.mark.parametrize("task", TASKS)
def test_evaluate(task, monkeypatch):
    import evaluate

    monkeypatch.chdir(ROOT)
    columns = [list(column) for column in zip(*cases()[task].values(), strict=True)]
    metric = evaluate.load("zs_metric/zero_scrolls.py", task)
    found = metric.compute(predictions=columns[0], references=columns[1], per_example=True)
    assert [row["score"] for row in found.pop("per_example")] == [row.score for row in expected()[task].examples]
    assert found == expected()[task].metrics


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return written(tmp_path_factory.mktemp("doors"))


def test_the_command_line(files, tmp_path, capsys):
    out = tmp_path / "report.json"
    assert main(["score", str(files[0]), "--references", str(files[1]), "--json", str(out)]) == 0
    check(json.loads(out.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def client(url):
    client = Client(url, verbose=False)
    yield client
    client.close()


def test_the_endpoint_for_files(client, files):
    check(client.predict(*([handle_file(path)] for path in files), api_name="/score_file"))


def test_the_endpoint_for_json(client):
    check(client.predict(*given(), api_name="/score_predictions"))


def some():
    """Two cases of each task."""
    return [(task, key) for task, rows in cases().items() for key in list(rows)[-2:]]


def test_the_endpoint_for_one_answer(client):
    for task, key in some():
        found = client.predict(task, *cases()[task][key], api_name="/score_answer")
        assert found["score"] == score_example(task, *cases()[task][key]).score


def test_an_agents_tools(url):
    calls = [
        ("score_answer", dict(zip(("task", "prediction", "references"), (task, *cases()[task][key]), strict=True)))
        for task, key in some()
    ]
    predictions, references = given()
    everything = ("score_predictions", {"predictions": predictions, "references": references})
    results = call_tools(url, [everything, *calls])
    report, *scores = (json.loads(result.content[0].text) for result in results)
    check(report)
    wanted = [score_example(task, *cases()[task][key]).score for task, key in some()]
    assert [score["score"] for score in scores] == wanted
