"""The tools that agents get (MCP): the endpoints for programs, without the one for files, answering in JSON.

Gradio makes a tool of every public endpoint, gives a tool with files addresses to fetch, and answers with the text that
Python writes of a dict. Here are the three lines that change that, held by a test with a real client.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any


def prepare_tools(server: Any, without: Iterable[str]) -> None:
    """Take those endpoints out of Gradio's MCP server, and have it answer in JSON."""
    from mcp.types import TextContent  # noqa: PLC0415  (only where there is a server)

    for name in without:
        del server.tool_to_endpoint[server.tool_prefix + name]

    def as_json(data: Iterable[Any], _root_url: str) -> list[TextContent]:
        return [TextContent(type="text", text=json.dumps(value, ensure_ascii=False)) for value in data]

    server.postprocess_output_data = as_json
