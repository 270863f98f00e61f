"""Requests to the running app."""

import json
from typing import Any

import httpx

#: Without certificates, which would be loaded for each request.
HTTP: dict[str, Any] = {"timeout": 60, "verify": False}


def post(url: str, route: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{url}/gradio_api/{route}", json=body, **HTTP)


def call_function(url: str, name: str, data: Any, beside: str = "") -> Any:
    """Call a function of the page's scripts as Gradio's page does, and return its reply.

    Of several of one name it is the one of the part that also has the function `beside`.
    """
    components = httpx.get(f"{url}/config", **HTTP).json()["components"]
    ids = {function: each["id"] for each in components for function in each["props"].get("server_fns", ())}
    body = {"data": data, "fn_name": name, "session_hash": "somebody", "component_id": ids[beside or name]}
    kind = {"content-type": "application/json"}  # httpx cannot send a lone surrogate in an object
    reply = httpx.post(f"{url}/gradio_api/component_server/", content=json.dumps(body), headers=kind, **HTTP)
    assert reply.status_code == 200, reply.text
    return reply.json()
