"""One scorer behind every interface: the golden rows and the sample have the same scores to the last digit.

The installed metric and the one from a Space are tested in tests/zs_bench/, the page in tests/browser/.
"""

import json

import pytest
from agent import call_tools
from gradio_client import handle_file
from make_conformance import ROOT
from scored_cases import cases, check, expected, given, written

from zs_bench.cli import main
from zs_metric import BENCHMARKS, score_example


@pytest.fixture(params=BENCHMARKS, scope="module")
def benchmark(request):
    return request.param


def test_one_answer_at_a_time(benchmark):
    for task, rows in cases(benchmark).items():
        singly = [score_example(task, *case, benchmark=benchmark).as_dict() for case in rows.values()]
        assert singly == [example.as_dict() for example in expected(benchmark)[task].examples]


@pytest.mark.parametrize(("of", "task"), [(name, task) for name, one in BENCHMARKS.items() for task in one.tasks])
def test_evaluate(of, task, monkeypatch):
    import evaluate

    monkeypatch.chdir(ROOT)
    columns = [list(column) for column in zip(*cases(of)[task].values(), strict=True)]
    metric = evaluate.load(f"zs_metric/{of}.py", task)
    found = metric.compute(predictions=columns[0], references=columns[1], per_example=True)
    wanted = expected(of)[task]
    assert [row["score"] for row in found.pop("per_example")] == [row.score for row in wanted.examples]
    assert found == wanted.metrics


@pytest.fixture(scope="module")
def files(benchmark, tmp_path_factory):
    return written(tmp_path_factory.mktemp("cases"), benchmark)


def test_the_command_line(benchmark, files, tmp_path, capsys):
    out = tmp_path / "report.json"
    options = ["--benchmark", benchmark, "--json", str(out)]
    assert main(["score", str(files[0]), "--references", str(files[1]), *options]) == 0
    check(json.loads(out.read_text(encoding="utf-8")), benchmark)


def test_the_endpoint_for_files(benchmark, client, files):
    uploaded = ([handle_file(path)] for path in files)
    check(client.predict(*uploaded, benchmark=benchmark, api_name="/score_file"), benchmark)


def test_the_endpoint_for_json(benchmark, client):
    check(client.predict(*given(benchmark), benchmark=benchmark, api_name="/score_predictions"), benchmark)


def some(benchmark):
    """Two cases of each task: its name, the answer and the references."""
    return [(task, *case) for task, rows in cases(benchmark).items() for case in list(rows.values())[-2:]]


def test_the_endpoint_for_one_answer(benchmark, client):
    for case in some(benchmark):
        found = client.predict(*case, benchmark=benchmark, api_name="/score_answer")
        assert found["score"] == score_example(*case, benchmark=benchmark).score


def test_an_agents_tools(benchmark, url):
    of = {"benchmark": benchmark}
    names = ("task", "prediction", "references")
    calls = [("score_answer", dict(zip(names, case, strict=True)) | of) for case in some(benchmark)]
    predictions, references = given(benchmark)
    everything = ("score_predictions", {"predictions": predictions, "references": references, **of})
    results = call_tools(url, [everything, *calls])
    report, *scores = (json.loads(result.content[0].text) for result in results)
    check(report, benchmark)
    wanted = [score_example(*case, **of).score for case in some(benchmark)]
    assert [score["score"] for score in scores] == wanted
