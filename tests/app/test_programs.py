"""Programs and agents: the calls of the tab "API" and of the docs run as shown, and the MCP tools by a real client."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from agent import call_tools, talk
from node_packages import installed

from zs_app import api, words
from zs_bench.benchmarks import task_names

ROOT, CLIENTS = Path(__file__).parents[2], Path(__file__).with_name("clients")
TOOLS = {"score_answer", "explain_answer", "get_example", "score_predictions"}


@pytest.mark.slow
def test_the_python_call_prints_the_score(url):
    code = api.snippets()[words.API_PYTHON].replace(api.ADDRESS, url)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(ran.stdout.splitlines()[-1]) == json.loads(api.answer())["score"]


@pytest.mark.skipif(not shutil.which("curl"), reason="there is no curl")
def test_the_curl_calls_of_the_docs_return_the_score(url):
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^curl [^#]*", text, re.MULTILINE)
    options = {"shell": True, "text": True, "timeout": 60}
    local = "curl --noproxy '*'"
    first, second = (line.replace("http://127.0.0.1:7860", url).replace("curl", local) for line in (first, second))
    event = json.loads(subprocess.check_output(first, **options))["event_id"]
    event, data = subprocess.check_output(second.replace("EVENT_ID", event), **options).strip().splitlines()
    assert event == "event: complete"
    assert f"{json.loads(data.removeprefix('data: '))[0]['score']:.2f}" == "66.67"


@pytest.mark.slow
def test_the_javascript_of_the_docs_runs_as_is(url, tmp_path):
    """With connections to this machine only. Without Node it is skipped, or fails where ZS_REQUIRE_NODE is set."""
    folder = installed(json.loads((CLIENTS / "package.json").read_text(encoding="utf-8"))["dependencies"], "clients")
    for file in CLIENTS.glob("*js"):
        shutil.copy(file, folder)
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```js\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "preds.csv").write_text("Task,ID,Prediction\nqasper,1,yes\n", encoding="utf-8")
    (tmp_path / "qasper.jsonl").write_text('{"id": "1", "output": "yes"}\n', encoding="utf-8")
    env = {**os.environ, "NODE_OPTIONS": f"--require={folder / 'loopback_only.cjs'}", "NO_PROXY": "*"}
    options = {"cwd": tmp_path, "env": env, "capture_output": True, "text": True, "timeout": 300}
    script = folder / "shown.mjs"
    script.write_text(code.replace("http://127.0.0.1:7860", url), encoding="utf-8")
    done = subprocess.run(["node", script], check=False, **options)
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, ["66.66666666666666", "100"], "")


@pytest.mark.parametrize("end", ["", "/"])
def test_the_tools_are_these_four_described_name_the_tasks_and_take_no_file(url, end):

    async def say(client):
        lists = await client.list_tools(), await client.list_resources(), await client.list_prompts()
        return lists[0].tools, lists[1].resources, lists[2].prompts

    tools, *others = talk(url, say, "/gradio_api/mcp" + end)
    assert ({tool.name for tool in tools}, others) == (TOOLS, [[], []])
    for tool in tools:
        assert "Returns: A JSON object with" in tool.description
        parameters = tool.inputSchema["properties"]
        assert all(len(parameter["description"]) > 8 for parameter in parameters.values())
        if tool.name != "score_predictions":
            assert parameters["task"]["enum"] == list(task_names())
    text = json.dumps([tool.inputSchema for tool in tools]).lower()
    assert not [word for word in ("file", "url", "uri", "http", "path", "base64") if word in text]


def texts(url, calls):
    """Whether each call of a tool is an error, and its text."""
    results = call_tools(url, [call[:2] for call in calls])
    return [(result.isError, content.text) for result in results for content in result.content]


def test_results_are_json_as_other_programs_get_them(url):
    whole = {"predictions": {"quality": {"a": "B", "b": "C"}}, "references": {"quality": {"a": ["B"], "b": ["D"]}}}
    calls = [("score_answer", api.CALL), ("explain_answer", api.CALL), ("get_example", {"task": "qasper", "index": 1})]
    score, why, example, report = (json.loads(text) for _, text in texts(url, [*calls, ("score_predictions", whole)]))
    assert (score, why["score"], example["index"]) == (json.loads(api.answer()), score["score"], 1)
    assert (report["score"], report["mean_of_tasks"], report["tasks"]["quality"]["n"]) == (None, 50.0, 2)


WRONG = [
    ("score_answer", {"task": "govreport", "prediction": "a", "references": ["a"]}, "'govreport' is not one of"),
    ("score_answer", {"task": "quality", "prediction": "B", "references": []}, "references is an empty list"),
    ("score_answer", {"task": "quality", "prediction": "B", "references": ["<b>"]}, "references[0] cannot be read"),
    ("explain_answer", {"task": "quality", "prediction": "B" * 50_001, "references": ["B"]}, "50,000 characters"),
    ("score_file", {"predictions": ["http://127.0.0.1:1/x"]}, "Tool 'score_file' is not in the selected tools list"),
]


def test_errors_are_plain_sentences_and_the_endpoint_for_files_is_no_tool(url):
    for (is_error, text), (*_, message) in zip(texts(url, WRONG), WRONG, strict=True):
        assert (is_error, message in text, "&lt;" in text) == (True, True, False), text
