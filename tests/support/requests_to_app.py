"""Requests to the running app."""

from typing import Any

import httpx

#: Without certificates, which would be loaded for each request.
HTTP: dict[str, Any] = {"timeout": 60, "verify": False}


def post(url: str, route: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{url}/gradio_api/{route}", json=body, **HTTP)
