"""An agent: a real MCP client of the app."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


def talk(url: str, say: Callable[[ClientSession], Awaitable[Any]], path: str = "/gradio_api/mcp/") -> Any:
    """What `say` returns, given a session with the app's tools."""

    async def session() -> Any:
        server = streamable_http_client(f"{url}{path}")
        async with server as (read, write, _), ClientSession(read, write) as client:
            await client.initialize()
            return await say(client)

    # In a thread of its own: in this one the browser tests' loop may be running.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, session()).result()


def call_tools(url: str, calls: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """The result of each call, a tool's name and its arguments."""

    async def say(client: ClientSession) -> list[Any]:
        return [await client.call_tool(name, arguments) for name, arguments in calls]

    results: list[Any] = talk(url, say)
    return results
