"""The calls in the tab "API" run as shown, and return the result shown beside them."""

import json
import shutil
import subprocess
import sys

import pytest
from agent import talk

from zs_app import api, words


@pytest.fixture
def snippets(url):
    return {title: code.replace(api.ADDRESS, url) for title, code in api.snippets().items()}


def test_the_python_call_prints_the_score(snippets):
    code = snippets[words.API_PYTHON]
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(ran.stdout.splitlines()[-1]) == json.loads(api.answer())["score"]


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("sed")), reason="there is no curl")
def test_the_curl_call_returns_the_json_that_is_shown(snippets):
    code = snippets[words.API_CURL].replace("curl -s", "curl --noproxy '*' -s")
    ran = subprocess.run(["sh", "-c", code], capture_output=True, text=True, check=True, timeout=60)
    event, data = ran.stdout.strip().splitlines()
    assert event == "event: complete"
    assert json.loads(data.removeprefix("data: ")) == [json.loads(api.answer())]


def test_an_agent_finds_the_tools_at_the_address_of_the_settings(snippets):
    (server,) = json.loads(snippets[words.API_MCP])["mcpServers"].values()
    base, path, _ = server["url"].partition("/gradio_api/mcp")

    async def say(client):
        return await client.call_tool("score_answer", api.CALL)

    (content,) = talk(base, say, path).content
    assert json.loads(content.text) == json.loads(api.answer())
