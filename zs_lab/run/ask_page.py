"""The part "Ask a model" of the tab "Try a task": the owner's model answers the prompt of an example.

It is on where the owner has set the variables `ZS_MODEL_URL` and `ZS_MODEL`; docs/run.md lists these and the others.
The reply is a stream of events, each an object: `{"notes"}` with what was trimmed or cut off, `{"text"}` with more of
the answer, `{"answer"}` with all of it, or `{"error"}`. What the model's server says of an error is logged, not shown.
The key is in neither.
"""

import json
import logging
import os
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from datetime import datetime
from typing import Annotated, Any

import anyio
import gradio as gr
from cachetools import TTLCache
from huggingface_hub import parse_huggingface_oauth
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, StringConstraints
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from zs_app import words
from zs_app.component import part
from zs_app.server.jobs import visitor_of
from zs_app.server.uploads import is_foreign
from zs_app.tabs.examples import ChosenExample
from zs_app.tabs.try_task import length_notes, prompt_text
from zs_bench.errors import UnusableInput
from zs_bench.prompts import ANSWER_TOKENS
from zs_lab.run.replies import split_thoughts
from zs_lab.run.transport import (
    KEY_VARIABLE,
    TooManyTokens,
    Transport,
    read_key,
    without_secret,
    without_secret_in_parts,
)
from zs_metric.errors import ZeroScrollsError

#: What this adds to the clause on what the page keeps.
DATA = " A question to the model is sent to the model's server."
TIMEOUT, FIRST = 180.0, 30.0  # seconds for a whole answer, and for the first part of it
AT_ONCE = anyio.CapacityLimiter(2)  # questions at a time
# The variables with numbers, and their defaults.
_NUMBERS = {"ZS_MODEL_WORDS": 8192, "ZS_MODEL_PER_VISITOR": 20, "ZS_MODEL_PER_DAY": 500}
_asked: TTLCache[str, int] = TTLCache(100_000, 86_400)  # in a day, by visitor, and by "" of all
_running: TTLCache[str, bool] = TTLCache(100_000, TIMEOUT + 10)  # the visitors whose question is being answered
_models: TTLCache[str, list[str]] = TTLCache(1, 300)
_log = logging.getLogger(__name__)


class Asked(BaseModel):
    """The body of a question: an example, its prompt's variant, and the model that a visitor has chosen."""

    model_config = ConfigDict(strict=True, extra="ignore")
    source: str
    task: str
    example: int
    variant: str
    model: Annotated[str, StringConstraints(pattern=r"^[\w./:-]{0,200}$")] = ""


def signs_in() -> bool:
    """Return whether visitors sign in; raises `UnusableInput` for a wrong variable."""
    value = os.environ.get("ZS_MODEL_SIGN_IN") or "0"
    if value not in ("0", "1"):
        raise UnusableInput(f"ZS_MODEL_SIGN_IN is {value!r:.40}; give 1, or unset it")
    return value == "1"


def html() -> Markup:
    """Return the part of the tab; raises if the settings are wrong, so that the owner sees it at the start."""
    _transport(None)
    if not os.environ.get("ZS_MODEL"):
        raise UnusableInput("ZS_MODEL_URL is set, and ZS_MODEL is not; give the name of the model")
    for variable in _NUMBERS:
        _number(variable)
    return part("ask", os.environ["ZS_MODEL"], signs_in())


def layout() -> None:
    """Build the part below the tab's first screen: the button to sign in, if it is needed."""
    if signs_in():
        gr.LoginButton(size="md", icon=None, elem_id="try-sign-in")


async def ask(request: Request) -> Response:
    """Answer a question with a stream of events."""
    kind, _, _ = request.headers.get("content-type", "").partition(";")
    if is_foreign(request.headers) or kind.strip().lower() != "application/json":
        return JSONResponse({"error": "ask the model from the page"}, 403)
    visitor = visitor_of(request)
    try:
        asked = Asked.model_validate(await request.json())
        example = ChosenExample(asked.source, asked.task, asked.example).example
        trimmed = prompt_text(example, asked.variant, _number("ZS_MODEL_WORDS"), "words")
        key = _key(request)
        if visitor in _running:
            raise UnusableInput(words.ASK_RUNNING)
        _count(visitor)
        _running[visitor] = True
    except ZeroScrollsError as error:
        return JSONResponse({"error": str(error)}, 400)
    except ValueError:
        return JSONResponse({"error": "This is not a question about an example."}, 400)
    tokens = example.task.answer_budget or ANSWER_TOKENS
    name = (signs_in() and asked.model) or os.environ["ZS_MODEL"]
    body = {"model": name, "messages": trimmed.prompt.messages, "max_tokens": tokens, "temperature": 0}
    events = _events(body, key, str(length_notes(trimmed)))
    return StreamingResponse(_stream(visitor, events), media_type="text/event-stream")


async def _stream(visitor: str, events: AsyncGenerator[dict[str, str]]) -> AsyncIterator[str]:
    try:
        async with aclosing(events):
            async for event in events:
                yield f"data: {json.dumps(event)}\n\n"
    finally:
        _running.pop(visitor, None)


def _number(variable: str) -> int:
    value = os.environ.get(variable) or str(_NUMBERS[variable])
    if not value.isdecimal():
        raise UnusableInput(f"{variable} is {value!r:.40}; give a whole number")
    return int(value)


def _key(request: Request) -> str | None:
    """Return the key for the model's server: the owner's, or the token of the visitor, who must have signed in."""
    if not signs_in():
        return read_key(os.environ.get("ZS_MODEL_KEY_VARIABLE") or KEY_VARIABLE)
    visitor = parse_huggingface_oauth(request)
    if visitor is None or visitor.access_token_expires_at < datetime.now():  # noqa: DTZ005  (without a zone, as theirs)
        raise UnusableInput(words.ASK_SIGN_IN)
    return str(visitor.access_token)


def _count(visitor: str) -> None:
    """Count a question, unless as many were asked in a day as the owner allows the visitor, or all together."""
    limits = {visitor: _number("ZS_MODEL_PER_VISITOR"), "": _number("ZS_MODEL_PER_DAY")}
    for who, most in limits.items():
        if _asked.get(who, 0) >= most:
            whose = "You have" if who else "The visitors of this page have"
            limit = f"{most} times within a day, which is the limit"
            raise UnusableInput(f"{whose} asked the model {limit}; come back tomorrow.")
    for who in limits:
        _asked[who] = _asked.get(who, 0) + 1


async def _events(body: Mapping[str, Any], key: str | None, notes: str) -> AsyncGenerator[dict[str, str]]:
    yield {"notes": notes}
    text = ""
    try:
        with anyio.fail_after(TIMEOUT):
            async with AT_ONCE, aclosing(_transport(key)) as connection, aclosing(_parts(connection, body)) as parts:
                try:
                    async for more in without_secret_in_parts(parts, key):
                        text += more
                        yield {"text": more}
                except TooManyTokens:
                    yield {"notes": notes + words.ASK_CUT}
        yield {"answer": split_thoughts(text)[0].strip()}
    except TimeoutError:
        yield {"error": words.ASK_SLOW}
    except UnusableInput as error:
        _log.error("the model's server: %s", without_secret(str(error), key))
        yield {"error": words.ASK_OTHER if signs_in() else words.ASK_LATER}


async def _parts(connection: Transport, body: Mapping[str, Any]) -> AsyncGenerator[str]:
    """Yield the parts of an answer; raises `TimeoutError` where the first is late, and as `Transport.stream`."""
    stream = connection.stream(body, TIMEOUT + 5)
    async with aclosing(stream):
        with anyio.fail_after(FIRST):
            first = await anext(stream, "")
        yield first
        async for more in stream:
            yield more


def _transport(key: str | None) -> Transport:
    return Transport(os.environ["ZS_MODEL_URL"], key)


async def models(_: Request) -> Response:
    """Return the names of the models that can be asked, each with a provider; they are fetched every five minutes."""
    if signs_in() and "" not in _models:
        _models[""] = []  # other visitors need not ask at the same time
        async with aclosing(_transport(None)) as connection:
            entries = await connection.models()
        routes = [(entry["id"], route["provider"]) for entry in entries for route in entry.get("providers") or ()]
        _models[""] = [f"{name}:{provider}" for name, provider in routes]
    return JSONResponse(_models.get("", []))


ROUTES = [Route("/zs/ask", ask, methods=["POST"]), Route("/zs/models", models)]
