"""The MCP tools, called by a real client."""

import json

import httpx
import pytest
from agent import call_tools, talk

from zs_app.api import CALL, answer
from zs_bench.files.entries import TASK_NAMES

TOOLS = {"score_answer", "explain_answer", "get_example", "score_predictions"}


def text_of(result):
    (content,) = result.content
    return content.text


def test_the_tools_are_these_four_described_name_the_tasks_and_take_no_file(url):
    async def say(client):
        return (
            (await client.list_tools()).tools,
            (await client.list_resources()).resources,
            (await client.list_prompts()).prompts,
        )

    tools, *others = talk(url, say)
    assert ({tool.name for tool in tools}, others) == (TOOLS, [[], []])
    for tool in tools:
        assert "Returns: A JSON object with" in tool.description
        parameters = tool.inputSchema["properties"]
        assert all(len(parameter["description"]) > 8 for parameter in parameters.values())
        if tool.name != "score_predictions":
            assert parameters["task"]["enum"] == list(TASK_NAMES)
    text = json.dumps([tool.inputSchema for tool in tools]).lower()
    assert not [word for word in ("file", "url", "uri", "http", "path", "base64") if word in text]


def test_results_are_json_as_other_programs_get_them(url):
    whole = {"predictions": {"quality": {"a": "B", "b": "C"}}, "references": {"quality": {"a": ["B"], "b": ["D"]}}}
    calls = [("score_answer", CALL), ("explain_answer", CALL), ("get_example", {"task": "qasper", "index": 1})]
    results = call_tools(url, [*calls, ("score_predictions", whole)])
    score, why, example, report = (json.loads(text_of(result)) for result in results)
    assert (score, why["score"], example["index"]) == (json.loads(answer()), score["score"], 1)
    assert (report["score"], report["mean_of_tasks"], report["tasks"]["quality"]["n"]) == (None, 50.0, 2)


WRONG = [
    ("score_answer", {"task": "govreport", "prediction": "a", "references": ["a"]}, "'govreport' is not one of"),
    ("score_answer", {"task": "quality", "prediction": "B", "references": []}, "references is an empty list"),
    ("score_answer", {"task": "quality", "prediction": "B", "references": ["<b>"]}, "references[0] cannot be read"),
    ("explain_answer", {"task": "quality", "prediction": "B" * 50_001, "references": ["B"]}, "50,000 characters"),
    ("score_file", {"predictions": ["http://127.0.0.1:1/x"]}, "Tool 'score_file' is not in the selected tools list"),
]


def test_errors_are_plain_sentences_and_the_endpoint_for_files_is_no_tool(url):
    results = call_tools(url, [(tool, arguments) for tool, arguments, _ in WRONG])
    for result, (*_, message) in zip(results, WRONG, strict=True):
        assert (result.isError, message in text_of(result), "&lt;" in text_of(result)) == (True, True, False), message


@pytest.mark.parametrize("address", ["mcp", "mcp/"])
def test_the_address_works_with_and_without_a_slash_at_its_end(url, address):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {"accept": "application/json, text/event-stream"}
    answer = httpx.post(f"{url}/gradio_api/{address}", json=body, headers=headers)
    assert (answer.status_code, "score_answer" in answer.text, "score_file" in answer.text) == (200, True, False)
