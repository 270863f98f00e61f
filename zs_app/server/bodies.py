"""What the body of a call may hold, and what Gradio gets of it."""

import json
import re
import secrets
from collections.abc import Mapping
from inspect import signature
from typing import Any

from starlette.types import Scope

from zs_app.server.held_values import hold
from zs_app.server.temporary_files import is_kept_here

MAX_NAME = 100  # characters of the name of a session
# The session of all calls of endpoints without the queue, which keep no state: Gradio would keep what each returned.
_SESSION, _WITHOUT_QUEUE = secrets.token_hex(16), re.compile(r"/gradio_api/(?:run|api)/.*")
_CALL = re.compile(r"/gradio_api/(?:run|api|call)/(v2/)?([^/]+)/?")


class Rejected(Exception):
    """A request is rejected with this HTTP status, for this reason. FastAPI would answer an `HTTPException` itself."""


def check_body(body: bytes, scope: Scope) -> bytes:
    """Check a body; return it, in a call of an endpoint with names for what Gradio would keep (`held_values.py`).

    Gradio would log wrong calls with their values, and answer without a reason; the endpoints give a reason. The last
    values, if they are left out, become null.
    """
    try:
        content = json.loads(body) if body else None
    except (ValueError, RecursionError):
        raise Rejected(400, "the body is not valid JSON") from None
    content = content if isinstance(content, dict) else {"data": content}
    _check_files(content)
    for name in ("session_hash", "event_id", "trigger_id", "fn_index", "component_id", "fn_name"):
        if isinstance(content.get(name), (str, list, dict)) and len(content[name]) > MAX_NAME:
            raise Rejected(400, f"{name} is longer than {MAX_NAME} characters")
    events, called = scope["app"].get_blocks().fns, _CALL.fullmatch(scope["path"])
    by_name = bool(called and called[1])
    index = None if by_name else content.get("fn_index")
    public = {event.api_name: event for event in events.values() if event.api_visibility == "public"}
    if index is None and called and called[2] not in public:
        raise Rejected(404, "there is no such endpoint; /gradio_api/info lists them")
    if index is not None and (type(index) is not int or index not in events):  # Gradio would take "7" for 7
        raise Rejected(404, "there is no event of this fn_index")
    event = events[index] if index is not None else public.get(called[2]) if called else None
    if event is None or event.api_visibility != "public":
        return body
    if by_name:
        _check_names(content, event)
        return json.dumps({name: hold(value, len(body)) for name, value in content.items()}).encode()
    values = content.get("data")
    if not isinstance(values, list):
        return body
    values = [*values, *[None] * (len(event.inputs) - len(values))]
    if _WITHOUT_QUEUE.fullmatch(scope["path"]) and "session_hash" in content:
        content["session_hash"] = _SESSION
    return json.dumps({**content, "data": [hold(value, len(body)) for value in values]}).encode()


def _check_names(values: Mapping[str, Any], event: Any) -> None:
    """Reject a call by names that the endpoint does not have, or without one that it needs."""
    parameters = [*signature(event.fn).parameters.values()][: len(event.inputs)]
    names = ", ".join(parameter.name for parameter in parameters)
    if unknown := values.keys() - {parameter.name for parameter in parameters}:
        raise Rejected(400, f"there is no parameter {min(unknown)!r:.{MAX_NAME}}; give {names}")
    needed = [parameter.name for parameter in parameters if parameter.default is parameter.empty]
    if missing := [name for name in needed if name not in values]:
        raise Rejected(400, f"there is no {missing[0]}; give {names}")


def _check_files(content: Any) -> None:
    """Reject an object anywhere in the body that Gradio would read as a file, unless it is an upload.

    Gradio would fetch an address, and log a path that it refuses.
    """
    left = [content]
    while left:
        value = left.pop()
        if isinstance(value, list):
            left += value
        elif isinstance(value, dict):
            left += value.values()
            path = value.get("path")
            is_address = isinstance(path, str) and path.lstrip().lower().startswith(("http:", "https:"))
            if isinstance(path, str) and ("meta" in value or is_address) and not is_kept_here(path):
                raise Rejected(403, "a file must have been uploaded here; a path or an address is not accepted")
