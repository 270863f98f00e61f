"""The bodies of requests: what Gradio would misread is rejected, and an endpoint gets its values as it wants them."""

import json
import os
import re
from collections.abc import Mapping
from inspect import signature
from typing import Any

import gradio as gr
from starlette.types import Scope

from zs_app import words
from zs_app.server.temporary_files import is_kept_here
from zs_bench.problems import short

#: Characters of the name of a session.
MAX_NAME = 100
_CALL = re.compile(r"/gradio_api/(?:run|api|call)/(v2/)?([^/]+)/?")


class Rejected(Exception):
    """A request is rejected with this HTTP status, for this reason. FastAPI would answer an `HTTPException` itself."""


def tool_prefix() -> str:
    """Return what the names of tools begin with in a Space."""
    space = os.environ.get("SPACE_ID")
    return re.sub(r"[^a-zA-Z0-9]", "_", space.rpartition("/")[2] + "_") if space else ""


def check_body(body: bytes, scope: Scope) -> bytes:
    """Return the body, with the values of an endpoint as it wants them, see `_wanted`.

    Gradio would log wrong calls with their values, and answer without a reason; the endpoints give a reason.
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
    events, index, called = scope["app"].get_blocks().fns, content.get("fn_index"), _CALL.fullmatch(scope["path"])
    public = {event.api_name: event for event in events.values() if event.api_visibility == "public"}
    if scope["path"] == "/gradio_api/mcp/":
        _read_arguments(content.get("params"), public)
        return json.dumps(content).encode() if "params" in content else body
    if index is None and called and called[2] not in public:
        raise Rejected(404, "there is no such endpoint; /gradio_api/info lists them")
    if isinstance(index, int) and index not in events:
        raise Rejected(404, "there is no event of this fn_index")
    event = events.get(index) if isinstance(index, int) else public.get(called[2]) if called else None
    asked = content
    if called and called[1] and event:  # with its values by name
        asked, path = {"data": _in_order(content, event)}, f"/gradio_api/call/{called[2]}"
        scope.update(path=path, raw_path=path.encode())
    values = asked.get("data")
    if event is None or not isinstance(values, list):
        return body
    values = [*values, *[None] * (len(event.inputs) - len(values))]
    asked = {**asked, "data": [*map(_wanted, values, event.inputs), *values[len(event.inputs) :]]}
    return body if asked == content else json.dumps(asked).encode()


def _in_order(values: Mapping[str, Any], event: Any) -> list[Any]:
    """Return the values that are given by name, in the order of the endpoint's inputs."""
    names = list(signature(event.fn).parameters)[: len(event.inputs)]
    if unknown := next((name for name in values if name not in names), None):
        raise Rejected(400, f"there is no parameter {unknown!r:.{MAX_NAME}}; give {', '.join(names)}")
    return [values.get(name) for name in names]


def _read_arguments(call: Any, public: Mapping[str, Any]) -> None:
    """Change the arguments of an agent's call to what its tool wants."""
    arguments = call.get("arguments") if isinstance(call, dict) else None
    if not isinstance(arguments, dict) or not isinstance(call.get("name"), str):
        return
    if event := public.get(call["name"].removeprefix(tool_prefix())):
        for name, field in zip(signature(event.fn).parameters, event.inputs, strict=False):
            if name in arguments:
                arguments[name] = _wanted(arguments[name], field)


def _wanted(value: Any, field: Any) -> Any:
    """Return a value as its field wants it: the list of texts or the object in a JSON text, one text or file as a list.

    What is no upload is no file (`None`). A value that a menu does not have, which Gradio would log, is rejected.
    """
    if isinstance(field, gr.File):
        files = [value] if isinstance(value, dict) and field.file_count != "single" else value
        return _kept(files) if _are_files(files) else None
    if isinstance(field, gr.Radio) and value not in (None, *(choices := [choice for _, choice in field.choices])):
        raise Rejected(400, f"no {field.label} {short(repr(value))}; give {' or '.join(choices)}")
    kind = field.api_info().get("type") if isinstance(value, str) else ""
    if kind not in ("array", "object"):
        return value
    try:
        content = json.loads(value)
    except (ValueError, RecursionError):
        content = None
    if kind == "object":
        return content if isinstance(content, dict) else value
    return content if isinstance(content, list) and all(isinstance(text, str) for text in content) else [value]


def _check_files(content: Any) -> None:
    """Reject an object anywhere in the body that Gradio would read as a file, if it is an address or not an upload."""
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


def _kept(files: Any) -> Any:
    """Return the files; reject those that are not kept any more, or never were."""
    for file in files if isinstance(files, list) else [files]:
        if not os.path.isfile(file["path"]):
            raise Rejected(400, words.FILE_NOT_KEPT.format(os.path.basename(file["path"])[:MAX_NAME]))
    return files


def _are_files(value: Any) -> bool:
    """Return whether Gradio can read a value as files; `_check_files` has checked that they are uploads."""
    files = value if isinstance(value, list) else [value]
    return all(isinstance(file, dict) and isinstance(file.get("path"), str) and "meta" in file for file in files)
