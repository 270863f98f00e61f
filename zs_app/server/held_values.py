"""Large values of calls, kept outside Gradio until the call is made, and large replies until they are fetched.

Gradio keeps the values of the last call of each session, for a thousand sessions. So it is handed a name that nobody
can guess in place of a large value, which the endpoint exchanges for the value, once. Values of calls that are never
made are dropped after ten minutes, or when newer ones need the room.

It also keeps the replies of its queue for two thousand sessions, until somebody fetches them. So a large one is a file,
which takes the place of its name when the reply is sent, and is removed with the uploads if nobody listens.
"""

import json
import re
import secrets
import threading
from typing import Any

from cachetools import TTLCache

from zs_app.server.temporary_files import upload_folder
from zs_metric.errors import ZeroScrollsError

LARGE = 10_000  # characters of a text, and bytes of a body with lists and objects, that are kept here
MAX_BYTES, MAX_SECONDS = 1_000_000_000, 600  # of all values, as JSON
_PREFIX = "zero-scrolls-held-"
# As JSON, since a list of small lists takes 24 times the room of its text.
_held: TTLCache[str, bytes] = TTLCache(MAX_BYTES, MAX_SECONDS, getsizeof=len)
_lock = threading.Lock()
#: What stands in the place of a reply whose file is gone.
GONE = "the server has dropped the reply, since nobody fetched it; make the call again"
# A reply's name, which is also that of its file, as Gradio writes it.
_REPLY = re.compile(rb'\{"(zero-scrolls-reply-[0-9a-f]{32})": ?null\}')


class NotHeld(ZeroScrollsError):
    """The value of a call was dropped before the call was made."""


def hold(value: Any, size: int) -> Any:
    """Return a value of a body of that size, or if it is large a name that stands for it."""
    if size < LARGE or not (isinstance(value, (list, dict)) or (isinstance(value, str) and len(value) >= LARGE)):
        return value
    name = _PREFIX + secrets.token_hex(16)
    text = json.dumps(value).encode()
    with _lock:
        _held[name] = text
    return name


def take(value: Any) -> Any:
    """Return the value that was held for this name, else the value itself; raises `NotHeld` if it was dropped."""
    if not isinstance(value, str) or not value.startswith(_PREFIX):
        return value
    with _lock:
        kept = _held.pop(value, None)
    if kept is None:
        raise NotHeld("the server has dropped the values of this call, since it is busy; make the call again")
    return json.loads(kept)


def hold_reply(reply: Any) -> Any:
    """Return what an endpoint returns, or if it is large the name of a file that has it."""
    text = json.dumps(reply, ensure_ascii=False)
    if len(text) < LARGE:
        return reply
    name = f"zero-scrolls-reply-{secrets.token_hex(16)}"
    upload_folder().mkdir(parents=True, exist_ok=True)
    (upload_folder() / name).write_text(text, encoding="utf-8")
    return {name: None}


def with_replies(part: bytes) -> bytes:
    """Return a part of a response with the replies that it names, whose files are then removed."""

    def taken(name: "re.Match[bytes]") -> bytes:
        file = upload_folder() / name[1].decode()
        try:
            text = file.read_bytes()
            file.unlink()
        except OSError:  # after an hour
            return json.dumps({"error": GONE}).encode()
        return text

    return _REPLY.sub(taken, part)
