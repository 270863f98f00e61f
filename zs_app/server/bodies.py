"""What the body of a call may hold, and what Gradio gets of it."""

import json
import os
import re
import secrets
from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any

from starlette.types import Scope

from zs_app.server.held_values import hold
from zs_app.server.limits import MAX_REFERENCES
from zs_app.server.temporary_files import is_kept_here

MAX_NAME = 100  # characters of the name of a session
#: The header with the size of a body as it was sent.
SIZE = "x-body-size"
MAX_FILE_NAME = 255  # bytes
#: Lists and objects, and commas, in a body: an empty list of two bytes takes 64 in memory, a short text 60.
MAX_LISTS, MAX_COMMAS = 1_000_000, 4_000_000
#: Values in the call of a tool; each is checked in the event loop.
MAX_TOOL_VALUES = 50_000
MAX_DEPTH = 100  # lists and objects in each other; the page and the API need ten
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
    content = _parsed(body)
    content = content if isinstance(content, dict) else {"data": content}
    count = _check_values(content)
    for name in ("session_hash", "event_id", "trigger_id", "fn_index", "component_id", "fn_name"):
        if isinstance(content.get(name), (list, dict)):
            raise Rejected(400, f"{name} is a list or an object; give a text or a number")
        if isinstance(content.get(name), str) and len(content[name]) > MAX_NAME:
            raise Rejected(400, f"{name} is longer than {MAX_NAME} characters")
    if scope["path"] == "/gradio_api/mcp/":
        _check_tool(content.get("params"))
        if count > MAX_TOOL_VALUES:
            raise Rejected(
                413, f"there are {count:,} values; give a tool at most {MAX_TOOL_VALUES:,}, or upload a file"
            )
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
    if len(values) > len(event.inputs):  # they would be kept for nobody
        raise Rejected(400, f"there are {len(values):,} values; give at most {len(event.inputs)}")
    values = [*values, *[None] * (len(event.inputs) - len(values))]
    if _WITHOUT_QUEUE.fullmatch(scope["path"]) and "session_hash" in content:
        content["session_hash"] = _SESSION
    return json.dumps({**content, "data": [hold(value, len(body)) for value in values]}).encode()


def _parsed(body: bytes) -> Any:
    """Return what a body holds, unless it would take many times its size in memory; an empty one holds `None`."""
    if body.count(b"[") + body.count(b"{") > MAX_LISTS or body.count(b",") > MAX_COMMAS:
        raise Rejected(413, f"the body holds more than {MAX_LISTS:,} lists and objects, or {MAX_COMMAS:,} commas")
    try:
        return json.loads(body) if body else None
    except (ValueError, RecursionError):
        raise Rejected(400, "the body is not valid JSON") from None


def _check_names(values: Mapping[str, Any], event: Any) -> None:
    """Reject a call by names that the endpoint does not have, or without one that it needs."""
    parameters = [*signature(event.fn).parameters.values()][: len(event.inputs)]
    names = ", ".join(parameter.name for parameter in parameters)
    if unknown := values.keys() - {parameter.name for parameter in parameters}:
        raise Rejected(400, f"there is no parameter {min(unknown)!r:.{MAX_NAME}}; give {names}")
    needed = [parameter.name for parameter in parameters if parameter.default is parameter.empty]
    if missing := [name for name in needed if name not in values]:
        raise Rejected(400, f"there is no {missing[0]}; give {names}")


def _check_tool(call: Any) -> None:
    """Reject what would be logged whole, or checked for each of very many references, in the call of a tool."""
    call = call if isinstance(call, dict) else {}
    name, arguments = call.get("name"), call.get("arguments")
    if isinstance(name, str) and (len(name) > 2 * MAX_NAME or not name.isprintable()):
        raise Rejected(400, f"the name of a tool is longer than {2 * MAX_NAME} characters, or cannot be printed")
    references = arguments.get("references") if isinstance(arguments, dict) else None
    if isinstance(references, list) and len(references) > MAX_REFERENCES:
        raise Rejected(400, f"there are {len(references):,} references; give at most {MAX_REFERENCES}")


def _check_values(content: Any) -> int:
    """Reject what is nested too deeply, and every object that Gradio would read as a file, unless it is an upload.

    Gradio would fetch an address, and log a path that it refuses. Returns the number of values.
    """
    level, depth, count = [content], 0, 0
    while level:
        count += len(level)
        for value in level:
            if isinstance(value, dict):
                _check_file(value)
        level = [each for value in level for each in _inside(value)]
        depth += 1
        if depth > MAX_DEPTH:
            raise Rejected(400, "the values are nested too deeply")
    return count


def _inside(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _check_file(value: Mapping[str, Any]) -> None:
    path = value.get("path")
    if not isinstance(path, str):
        return
    is_file = "meta" in value or path.lstrip().lower().startswith(("http:", "https:"))
    if is_file and not (is_kept_here(path) and _can_exist(path)):
        raise Rejected(403, "a file must have been uploaded here; a path or an address is not accepted")


def _can_exist(path: str) -> bool:
    """Return whether a file can have that name; Gradio would log one that cannot, with its folder."""
    try:
        return "\0" not in path and len(os.path.basename(path).encode()) <= MAX_FILE_NAME
    except UnicodeEncodeError:
        return False
