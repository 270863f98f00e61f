"""The app as the Hub starts it: its variables set, and its package `spaces` beside it."""

import httpx
import pytest
from agent import talk
from make_space import ROOT
from requests_to_app import HTTP
from started_app import started_app

TOOLS = ("score_answer", "explain_answer", "get_example", "score_predictions")


@pytest.fixture
def spaces(tmp_path):
    """A folder with what Gradio imports of the package `spaces`."""
    for name, content in {
        "spaces/__init__.py": "def gradio_auto_wrap(function): return function",
        "spaces/reloading.py": "def start_reload_server(**_): pass",
        "spaces-1.0.dist-info/METADATA": "Name: spaces\nVersion: 1.0",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    return str(tmp_path)


@pytest.mark.slow
def test_a_space_offers_the_four_tools_on_both_routes_and_starts_and_ends_without_a_warning(spaces, tmp_path):
    async def tools(client):
        return [tool.name for tool in (await client.list_tools()).tools]

    variables = {"SYSTEM": "spaces", "SPACE_ID": "someone/zero_scrolls", "PYTHONPATH": spaces, "PYTHONUNBUFFERED": "1"}
    log = tmp_path / "log.txt"
    with started_app(ROOT, log, **variables) as url:
        listed = [tool["name"] for tool in httpx.get(f"{url}/gradio_api/mcp/schema", **HTTP).json()]
        assert listed == talk(url, tools) == [f"zero_scrolls_{name}" for name in TOOLS]
    lines = log.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.strip() and not line.startswith(("* ", "🔨"))] == []
