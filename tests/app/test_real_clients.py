"""Third-party clients from npm: Gradio's for JavaScript, and the MCP inspector."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from node_packages import installed

from zs_app import api
from zs_bench.dataset.embedded import load_embedded
from zs_metric import score_example

ROOT, HERE = Path(__file__).parents[2], Path(__file__).with_name("clients")
ANSWER = {"task": "quality", "prediction": "B", "references": ["B", "C"], "benchmark": "zero_scrolls"}
RUN = {
    "predictions": {"quality": {"a": "B", "b": "A"}},
    "references": {"quality": {"a": ["B"], "b": ["D"]}},
    "partial": False,
    "benchmark": "zero_scrolls",
}
#: Every endpoint with its parameters in order, and how many of the last have a default.
ENDPOINTS = {
    "score_answer": (ANSWER, 1),
    "explain_answer": (ANSWER, 1),
    "get_example": ({"task": "qasper", "index": 0, "benchmark": "zero_scrolls"}, 2),
    "score_predictions": (RUN, 2),
    "score_file": (RUN, 2),
}
TOOLS = [function.__name__ for function in api.TOOLS]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def node():
    """Runs a Node script in the folder of the clients' packages, with connections to this machine only.

    Without Node these tests are skipped, or fail where ZS_REQUIRE_NODE is set.
    """
    packages = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    folder = installed(packages, "clients")
    for file in HERE.glob("*js"):
        shutil.copy(file, folder)
    env = {**os.environ, "NODE_OPTIONS": f"--require={folder / 'loopback_only.cjs'}", "NO_PROXY": "*"}

    def run(*arguments, cwd=folder, said=""):
        command = ["node", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=cwd, env=env, input=said, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.folder = folder
    return run


def expected(name):
    """The endpoint's result, or a part of it, from the scorer itself."""
    if name in ("score_answer", "explain_answer"):
        return {"task": "quality", "score": score_example("quality", "B", ["B", "C"]).score}
    if name == "get_example":
        return {"index": 0, "input": load_embedded("qasper")[0].input}
    return {"mean_of_tasks": 50.0, "partial": False, "benchmark": "zero_scrolls"}


def has(found, name):
    return {key: found[key] for key in expected(name)} == expected(name)


@pytest.fixture
def calls(tmp_path):
    """Every endpoint by name and by position, with all values, without the last ones, and with null for them."""
    found = []
    for name, (values, optional) in ENDPOINTS.items():
        given = dict(values)
        if name == "score_file":
            for key in ("predictions", "references"):
                path = tmp_path / f"{key}.json"
                path.write_text(json.dumps(values[key]), encoding="utf-8")
                given[key] = [{"file": str(path)}]
        positions, names = list(given.values()), list(given)
        needed = positions[:-optional]
        by_name = {key: given[key] for key in names[:-optional]}
        ways = (positions, needed, needed + [None] * optional, given, by_name)
        found += [(f"/{name}", way) for way in ways]
    return found


def test_gradios_client_in_javascript_calls_every_endpoint_by_name_and_by_position(node, url, calls):
    results = json.loads(node("call_endpoints.mjs", url, said=json.dumps(calls)))
    assert len(results) == len(calls) == 5 * len(ENDPOINTS)
    wrong = [call for call, found in zip(calls, results, strict=True) if not has(found, call[0].removeprefix("/"))]
    assert not wrong


def test_the_javascript_of_the_docs_runs_as_is(node, url, tmp_path):
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```js\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "preds.csv").write_text("Task,ID,Prediction\nqasper,1,yes\n", encoding="utf-8")
    (tmp_path / "qasper.jsonl").write_text('{"id": "1", "output": "yes"}\n', encoding="utf-8")
    script = node.folder / "of_the_docs.mjs"
    script.write_text(code.replace("http://127.0.0.1:7860", url), encoding="utf-8")
    assert node(script, cwd=tmp_path).splitlines() == ["66.66666666666666", "100"]


def inspect(node, address, method, *arguments):
    # The inspector looks for its own name and version from the folder where it is started.
    folder = node.folder / "node_modules" / "@modelcontextprotocol" / "inspector-cli" / "build"
    return json.loads(
        node("cli.js", "--cli", address, "--transport", "http", "--method", method, *arguments, cwd=folder)
    )


@pytest.fixture(scope="module", params=["", "/"], ids=["without a slash", "with a slash"])
def address(request, url):
    """The address of the tools in docs/api.md."""
    (path,) = set(re.findall(r"`(/gradio_api/mcp)/?`", (ROOT / "docs" / "api.md").read_text(encoding="utf-8")))
    return url + path + request.param


def test_the_inspector_lists_every_tool(node, address):
    listed = inspect(node, address, "tools/list")["tools"]
    assert [tool["name"] for tool in listed] == TOOLS
    assert [list(tool["inputSchema"]["properties"]) for tool in listed] == [list(ENDPOINTS[name][0]) for name in TOOLS]
