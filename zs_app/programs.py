"""The tab "API": complete example calls in Python, with curl and for MCP clients, and their result."""

import json
from typing import Any

import gradio as gr

from zs_app import api, words
from zs_app.rendering import render

#: A placeholder, which the browser replaces by the address of the page.
ADDRESS = "http://127.0.0.1:7860"
CALL: dict[str, Any] = {
    "task": "qasper",
    "prediction": "In the clock, behind the pendulum",
    "references": ["Behind the pendulum"],
}


def snippets() -> dict[str, str]:
    """The example calls by title, with `ADDRESS` as the address."""
    given = "".join(f"    {name}={json.dumps(value)},\n" for name, value in CALL.items())
    address, body = f"{ADDRESS}/gradio_api/call/score_answer", json.dumps({"data": list(CALL.values())})
    servers = {"mcpServers": {"zero-scrolls": {"url": f"{ADDRESS}/gradio_api/mcp"}}}
    return {
        words.API_PYTHON: "from gradio_client import Client\n\n"
        f'client = Client("{ADDRESS}")\n'
        f'result = client.predict(\n{given}    api_name="/score_answer",\n)\nprint(result["score"])',
        words.API_CURL: f"id=$(curl -s {address} -H 'Content-Type: application/json' \\\n  -d '{body}' \\\n"
        f'  | sed \'s/.*"event_id":"\\([^"]*\\)".*/\\1/\')\ncurl -sN {address}/$id',
        words.API_MCP: json.dumps(servers, indent=2),
    }


def answer() -> str:
    """The result of the example calls."""
    return json.dumps(api.score_answer(**CALL), indent=2, ensure_ascii=False)


def layout() -> None:
    """Build the tab inside the current Blocks."""
    gr.HTML(render("api.html", examples={**snippets(), words.API_RESULT: answer()}), elem_classes="flush")
    gr.HTML(render("api_endpoints.html"), elem_classes=["flush", "zs-endpoints"])
