"""The endpoints for programs: their names, parameters and results are stable."""

import json
import re
from contextlib import nullcontext

import pytest
from agent import call_tools
from gradio_client import handle_file
from gradio_client.exceptions import AppError
from requests_to_app import post
from started_app import call
from written_files import write

from zs_bench.benchmarks import BENCHMARKS, task_names
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS, load_embedded
from zs_bench.reports import report
from zs_bench.scoring.score_files import score as score_in_python
from zs_bench.scoring.score_files import score_files
from zs_metric.explain import explain
from zs_metric.scoring import score_text

TASK = f"Literal{list(task_names())}"
BENCHMARK = (f"Literal{list(BENCHMARKS)}", "zero_scrolls")
ANSWER = {
    "task": (TASK, ...),
    "prediction": ("str", ...),
    "references": ("list[str] | str", ...),
    "benchmark": BENCHMARK,
}
# endpoint: parameter: (Python type, default); no default is `...`
PROMISED = {
    "/score_answer": ANSWER,
    "/explain_answer": ANSWER,
    "/get_example": {"task": (TASK, ...), "index": ("int", 0), "benchmark": BENCHMARK},
    "/score_predictions": {
        "predictions": ("dict(str, dict(str, str)) | str", ...),
        "references": ("dict(str, dict(str, list[str])) | str", ...),
        "partial": ("bool", False),
        "benchmark": BENCHMARK,
        "definition": ("str", ""),
        "columns": ("str", ""),
        "other_runs": ("None | list[dict(str, dict(str, str))]", None),
    },
    "/score_file": {
        "predictions": ("list[filepath]", ...),
        "references": ("list[filepath]", []),
        "partial": ("bool", False),
        "benchmark": BENCHMARK,
        "columns": ("str", ""),
        "runs": ("bool", False),
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
        assert len(endpoint["description"]) > 50, name
    assert {f"/{fn.api_name}" for fn in app.fns.values() if fn.api_visibility != "private"} == set(PROMISED)


def test_an_answer_of_every_task_is_scored_and_explained_and_has_an_example(client):
    texts = {"prediction": "2, 1 or 55% of B", "references": ["1, 2: 50% of B"]}
    with_examples = [(name, row) for name, row in BENCHMARKS.items() if row.file("examples")]
    for benchmark, task in [(name, task) for name, row in with_examples for task in row.tasks]:
        arguments = {"task": task, **texts, "benchmark": benchmark}
        bench = BENCHMARKS[benchmark]
        of_task = bench.tasks[task]
        expected = json.loads(json.dumps(score_text(of_task.metric, **texts).as_dict()))
        score = client.predict(**arguments, api_name="/score_answer")
        assert score == {"schema": "zero-scrolls-score/1", "task": task, "metric": of_task.metric.name, **expected}
        why = client.predict(**arguments, api_name="/explain_answer")
        explained = json.loads(json.dumps(explain(of_task, **texts).as_dict()))
        assert why == {"schema": "zero-scrolls-explanation/2", **explained}
        assert set(why) >= {"task", "metric", "score", "parsed", "reason", "losses", "what_if", "view"}
        if not (of_task.template or of_task.prompt or bench.query_first):  # one of a benchmark that is added
            continue
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


def test_predictions_are_scored_by_the_definition_of_a_benchmark_of_ones_own(client):
    definition = 'name = "facts"\n[tasks.who]\nmetric = "f1"\n'
    arguments = {"predictions": {"who": {"1": "Ada"}}, "references": {"who": {"1": ["Ada"]}}}
    report = client.predict(**arguments, definition=definition, api_name="/score_predictions")
    assert (report["benchmark"], report["score"], report["definition"]) == ("facts", 100, definition)


def test_the_columns_of_files_and_of_rows_can_be_named_as_on_the_command_line(client, tmp_path):
    rows = [{"nr": "7", "said": "yes", "mine": "no"}, {"nr": "8", "said": "a cat", "mine": "a cat"}]
    known = [{"nr": "7", "gold": "yes"}, {"nr": "8", "gold": "a cat"}]
    files = {
        "predictions": write(tmp_path / "qasper.jsonl", rows),
        "references": write(tmp_path / "known.jsonl", known),
    }
    for answers, score in (("said", 100.0), ("mine", 50.0)):
        columns = f"id=nr,prediction={answers},references=gold"
        given = {role: [handle_file(path)] for role, path in files.items()}
        report = client.predict(**given, columns=columns, api_name="/score_file")
        assert report["tasks"]["qasper"]["score"] == score
        objects = {"predictions": {"qasper": rows}, "references": {"qasper": known}}
        report = client.predict(**objects, columns=columns, api_name="/score_predictions")
        assert report["tasks"]["qasper"]["score"] == score


def test_several_runs_are_scored_to_the_report_of_the_command_line(client, tmp_path):
    known = {"qasper": {"c": ["yes"], "d": ["red"]}}
    runs = [{"qasper": {"c": "yes", "d": text}} for text in ("red", "blue", "a red hat")]
    files = [write(tmp_path / f"seed{number}.json", run) for number, run in enumerate(runs)]
    references = write(tmp_path / "references.json", known)
    given = {"predictions": [*map(handle_file, files)], "references": [handle_file(references)]}
    wanted = json.loads(json.dumps(report.as_json(score_in_python(files, references, runs=True))))
    assert client.predict(**given, runs=True, api_name="/score_file") == wanted
    got = client.predict(runs[0], known, other_runs=runs[1:], api_name="/score_predictions")
    assert got["runs"].pop("names") == ["run 1", "run 2", "run 3"]
    assert got["tasks"] == wanted["tasks"]
    assert got["mean_of_tasks"] == wanted["mean_of_tasks"] == pytest.approx((100 + 50 + 250 / 3) / 3)


WRONG = [
    ("/score_answer", ["govreport", "a", ["a"]], "no task 'govreport'; did you mean 'gov_report'?"),
    ("/score_answer", ["quality", None, ["B"]], "prediction is None (NoneType), not a text"),
    ("/score_answer", ["quality", "B", ["no <b>letter</b>"]], "references[0] cannot be read"),
    ("/score_answer", ["quality", "B", 7], "references is 7 (int), not a text or a list of texts"),
    ("/explain_answer", ["quality", "B", {"a": "B"}], "references is"),
    ("/score_answer", ["musique", "a", ["a"], "scrolls"], "it is a task of zero_scrolls"),
    ("/score_answer", ["qasper", "a", ["a"], "scroll"], "did you mean 'scrolls'?"),
    ("/score_predictions", [{}, {}, False, "x"], "no benchmark 'x'"),
    ("/get_example", ["qasper", 2], "qasper has the examples 0 to 1, not 2"),
    ("/get_example", ["qasper", "0"], "not '0'"),
    ("/score_predictions", ["a", {}, False], "predictions is not a JSON object"),
    ("/score_predictions", [{}, {}, "false"], "partial is 'false'; give true or false"),
    ("/score_predictions", [{}, {}, False, None, "x"], "definition, it is not TOML: "),
    ("/score_predictions", [{}, {}, False, None, 7], "definition is 7; give the text of a TOML file"),
    (
        "/score_predictions",
        [{}, {}, False, None, "repo = 'a/b'\nname = 'f'\n[tasks.who]\nmetric = 'f1'"],
        "line 1: repo",
    ),
    (
        "/score_predictions",
        [{}, {}, False, None, "", "qid"],
        "columns: 'qid' is not ROLE=FIELD; give for example id=qid",
    ),
    ("/score_predictions", [{}, {}, False, None, "", 7], "columns is 7; give a text such as"),
    ("/score_predictions", [{}, {}, False, None, "", "", [7]], "other_runs is no list of JSON objects; give"),
    ("/score_file", [[], [], False], "give at least one file of predictions"),
    ("/score_predictions", ['["a"]', {}, False], "predictions is not a JSON object"),
]


def test_a_wrong_call_gets_an_error_that_says_what_is_wrong(client):
    for endpoint, arguments, message in WRONG:
        with pytest.raises(AppError) as refused:
            client.predict(*arguments, api_name=endpoint)
        assert message in str(refused.value), (endpoint, arguments)
        assert "&lt;" not in str(refused.value)


YEAR, PAIR = {"task": "qasper", "prediction": "1962"}, '["in 1962", "1962"]'
#: A tool, its arguments as programs and models send them, and a part of the result.
READ = [
    ("score_answer", {**YEAR, "references": PAIR}, {"score": 100.0}),
    ("explain_answer", {**YEAR, "references": PAIR}, {"score": 100.0}),
    ("score_answer", {**YEAR, "references": "1962"}, {"score": 100.0}),
    ("score_answer", {**YEAR, "prediction": PAIR, "references": [PAIR]}, {"score": 100.0}),
    ("score_answer", {**YEAR, "prediction": "[1]", "references": "[1]"}, {"score": 100.0, "parsed": "1"}),
    ("score_answer", {**YEAR, "prediction": '["x', "references": '["x'}, {"score": 100.0}),
    ("score_answer", {"task": "contract_nli", "prediction": "a b", "references": '["a b"]'}, {"score": 100.0}),
    ("score_answer", {"task": "quality_hard", "prediction": "a", "references": ["a"]}, {"metric": "exact_match"}),
    ("get_example", {"task": "contract_nli", "index": 1}, {"index": 1}),
    (
        "score_predictions",
        {"predictions": '{"quality": {"a": "B"}}', "references": '{"quality": {"a": ["B"]}}'},
        {"mean_of_tasks": 100.0},
    ),
]


@pytest.mark.parametrize("way", ["in order", "by name", "as a tool"])
def test_a_list_or_an_object_may_be_json_text_and_a_task_of_one_benchmark_needs_no_benchmark(url, way):
    tools = call_tools(url, [case[:2] for case in READ]) if way == "as a tool" else ()
    for place, (name, arguments, part) in enumerate(READ):
        if way == "as a tool":
            result = json.loads(tools[place].content[0].text)
        elif way == "in order":
            result = post(url, f"run/{name}", data=[*arguments.values()]).json()["data"][0]
        else:
            result = call(url, name, **arguments)
        assert {key: result[key] for key in part} == part, (name, arguments)


REFUSED = [
    ("score_answer", {**YEAR, "reference": "1962"}, "there is no parameter 'reference'; give task, prediction, "),
    ("score_answer", {"task": "qasper"}, "there is no prediction; give task, prediction, "),
    ("score_answer", {**YEAR, "references": None, "fn_index": 0}, "there is no parameter 'fn_index'; give task, "),
    ("score_answr", YEAR, "there is no such endpoint"),
    ("score_predictions", {"predictions": "{", "references": {}}, "predictions is not a JSON object"),
    ("score_file", {"predictions": {"path": "x"}}, "upload them first, with handle_file in Python"),
    ("get_example", {"task": ["qasper"]}, "['qasper']; did you mean 'qasper'?"),
]


def test_a_wrong_call_with_named_values_has_its_reason(url):
    for name, arguments, reason in REFUSED:
        with pytest.raises(AssertionError, match=re.escape(reason)):
            call(url, name, **arguments)


def test_one_file_is_a_list_of_one(client, tmp_path):
    answers = {"predictions.json": "B", "references.json": ["B"]}
    files = [write(tmp_path / name, {"quality": {"a": answer}}) for name, answer in answers.items()]
    assert client.predict(*map(handle_file, files), api_name="/score_file")["mean_of_tasks"] == 100


def test_a_benchmark_of_ones_own_is_a_file_beside_the_predictions_and_names_no_repository(client, tmp_path):
    team = 'name = "team"\n[tasks.who]\nmetric = "f1"\n'
    files = [write(tmp_path / name, {"who": {"1": text}}) for name, text in (("p.json", "Ada"), ("r.json", ["Ada"]))]
    references = [handle_file(files[1])]
    for text, said in ((team, ""), (f'repo = "owner/private"\n{team}', "leave the line out, and give the references")):
        predictions = [handle_file(path) for path in (write(tmp_path / "team.toml", text), files[0])]
        with pytest.raises(AppError, match=said) if said else nullcontext():
            report = client.predict(predictions, references, api_name="/score_file")
            assert (report["benchmark"], report["score"]) == ("team", 100)
