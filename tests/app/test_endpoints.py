"""The endpoints for programs: their names, parameters and results are stable."""

import json

import pytest
from gradio_client import handle_file
from gradio_client.exceptions import AppError
from written_files import write

from zs_app import words
from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS, load_embedded
from zs_bench.files.entries import TASK_NAMES
from zs_bench.reports import report
from zs_bench.scoring.score_files import score_files
from zs_metric import BENCHMARKS, TASKS, score_example
from zs_metric.explain import explain
from zs_metric.tasks import find_task

TASK = f"Literal{list(TASK_NAMES)}"
BENCHMARK = (f"Literal{list(BENCHMARKS)}", "zero_scrolls")
ANSWER = {
    "task": (TASK, ...),
    "prediction": ("str", ...),
    "references": ("list[str]", ...),
    "benchmark": BENCHMARK,
}
# endpoint: parameter: (Python type, default); no default is `...`
PROMISED = {
    "/score_answer": ANSWER,
    "/explain_answer": ANSWER,
    "/get_example": {"task": (TASK, ...), "index": ("int", 0), "benchmark": BENCHMARK},
    "/score_predictions": {
        "predictions": ("dict(str, dict(str, str))", ...),
        "references": ("dict(str, dict(str, list[str]))", ...),
        "partial": ("bool", False),
        "benchmark": BENCHMARK,
    },
    "/score_file": {
        "predictions": ("list[filepath]", ...),
        "references": ("list[filepath]", ...),
        "partial": ("bool", False),
        "benchmark": BENCHMARK,
    },
}  # fmt: skip
EXAMPLE_KEYS = {
    "schema", "task", "index", "count", "id", "input", "references", "instruction", "document", "query",
    "response_header", "document_start_index", "document_end_index", "query_start_index", "query_end_index",
    "truncation_seperator",
}  # fmt: skip


def test_the_endpoints_have_these_names_parameters_and_defaults(client):
    info = client.view_api(return_format="dict", print_info=False)
    assert not info["unnamed_endpoints"]
    assert {
        name: {
            parameter["parameter_name"]: (
                parameter["python_type"]["type"],
                parameter["parameter_default"] if parameter["parameter_has_default"] else ...,
            )
            for parameter in endpoint["parameters"]
        }
        for name, endpoint in info["named_endpoints"].items()
    } == PROMISED


def test_every_endpoint_is_described_and_everything_else_on_the_page_is_private(client, app):
    for name, endpoint in client.view_api(return_format="dict", print_info=False)["named_endpoints"].items():
        assert (len(endpoint["description"]) > 50, name[1:] in words.API_ENDPOINTS) == (True, True), name
    assert {f"/{fn.api_name}" for fn in app.fns.values() if fn.api_visibility != "private"} == set(PROMISED)


def test_an_answer_of_every_task_is_scored_and_explained_and_has_an_example(client):
    texts = {"prediction": "2, 1 or 55% of B", "references": ["1, 2: 50% of B"]}
    for benchmark, task in [(name, task) for name, bench in BENCHMARKS.items() for task in bench.tasks]:
        arguments = {"task": task, **texts, "benchmark": benchmark}
        metric = find_task(task, benchmark=benchmark).metric.name
        expected = json.loads(json.dumps(score_example(**arguments).as_dict()))
        score = client.predict(**arguments, api_name="/score_answer")
        assert score == {"schema": "zero-scrolls-score/1", "task": task, "metric": metric, **expected}
        why = client.predict(**arguments, api_name="/explain_answer")
        explained = json.loads(json.dumps(explain(**arguments).as_dict()))
        assert why == {"schema": "zero-scrolls-explanation/2", **explained}
        assert set(why) >= {"task", "metric", "score", "parsed", "reason", "losses", "what_if", "view"}
        example = client.predict(task=task, index=1, benchmark=benchmark, api_name="/get_example")
        examples = load_embedded(task, benchmark=benchmark)
        assert set(example) - {"inner_docs_start_indices"} == EXAMPLE_KEYS
        assert (example["schema"], example["index"], example["count"]) == ("zero-scrolls-example/1", 1, len(examples))
        assert (example["input"], example["references"]) == (examples[1].input, examples[1].references)


def test_files_are_scored_to_the_report_of_the_command_line(client, tmp_path):
    texts = {task: {example.id: example.references for example in load_embedded(task)} for task in TASKS}
    references = write(tmp_path / "references.json", texts)
    files = {"predictions": [handle_file(SAMPLE_PREDICTIONS)], "references": [handle_file(references)]}
    result = client.predict(**files, api_name="/score_file")
    assert result["score"] is not None
    assert result == json.loads(json.dumps(report.as_json(score_files([SAMPLE_PREDICTIONS], [references]))))


def test_predictions_are_scored_as_json_objects(client):
    predictions, references = {"quality": {"a": "B", "b": "C"}}, {"quality": {"a": ["B"], "b": ["D"], "c": ["A"]}}
    whole = client.predict(predictions, references, api_name="/score_predictions")
    assert whole["refused_tasks"] == ["quality"]
    assert [(problem["kind"], problem["id"]) for problem in whole["problems"]] == [("missing", "c")]
    partly = client.predict(predictions, references, partial=True, api_name="/score_predictions")
    assert (partly["mean_of_tasks"], partly["partial"]) == (50.0, True)
    assert set(whole) == set(partly)


WRONG = [
    ("/score_answer", ["govreport", "a", ["a"]], "no task 'govreport'; did you mean 'gov_report'?"),
    ("/score_answer", ["quality", None, ["B"]], "prediction is None (NoneType), not a text"),
    ("/score_answer", ["quality", "B", ["no <b>letter</b>"]], "references[0] cannot be read"),
    ("/score_answer", ["quality", "B", 7], "references is 7 (int), not a text or a list of texts"),
    ("/explain_answer", ["quality", "B", {"a": "B"}], "references is"),
    ("/score_answer", ["musique", "a", ["a"], "scrolls"], "it is a task of zero_scrolls"),
    ("/score_answer", ["qasper", "a", ["a"], "scroll"], "did you mean 'scrolls'?"),
    ("/get_example", ["contract_nli", 0], "it is a task of scrolls"),
    ("/score_predictions", [{}, {}, False, "x"], "no benchmark 'x'"),
    ("/get_example", ["qasper", 2], "qasper has the examples 0 to 1, not 2"),
    ("/get_example", ["qasper", "0"], "not '0'"),
    ("/score_predictions", ["a", {}, False], "predictions is not a JSON object"),
    ("/score_predictions", [{}, {}, "false"], "partial is 'false'; give true or false"),
    ("/score_file", [[], [], False], "give at least one file of predictions"),
]


def test_a_wrong_call_gets_an_error_that_says_what_is_wrong(client):
    for endpoint, arguments, message in WRONG:
        with pytest.raises(AppError) as refused:
            client.predict(*arguments, api_name=endpoint)
        assert message in str(refused.value), (endpoint, arguments)
        assert "&lt;" not in str(refused.value)
