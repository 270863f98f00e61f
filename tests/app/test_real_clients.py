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

ROOT, HERE = Path(__file__).parents[2], Path(__file__).with_name("clients")

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

    def run(*arguments, cwd=folder):
        command = ["node", *map(str, arguments)]
        done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.folder = folder
    return run


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
    assert [tool["name"] for tool in listed] == [function.__name__ for function in api.TOOLS]
