"""Requests to an OpenAI-compatible server."""

import asyncio
import json
import os
import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from zs_bench.errors import UnusableInput, from_extra
from zs_bench.problems import short
from zs_lab.run.replies import Reply, as_object, error_text, not_a_reply
from zs_metric.errors import ZeroScrollsError
from zs_metric.version import VERSION

KEY_VARIABLE = "OPENAI_API_KEY"  # the default environment variable of the key
_COMPLETIONS = "chat/completions"
CONNECT = 10.0  # seconds to connect
#: The most characters of a token that an answer may have, and the most bytes of it in a reply or an event of a stream.
CHARACTERS, BYTES = 50, 1_000
# The most bytes of a line, of a reply without an answer, and of a list of models.
_LINE, _BASE, _MODELS = 100_000, 1_000_000, 20_000_000


class TooManyTokens(ZeroScrollsError):
    """The server writes more than the tokens that were asked for can have."""


def read_key(variable: str) -> str | None:
    """Return the key in that environment variable; `None` if it is not set, since many servers need none.

    Raises `UnusableInput` if it is not set, except for the default variable, or holds what no key has.
    """
    key = os.environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise UnusableInput(f"the environment variable {short(variable)!r} holds no key; copy the key into it again")
    if not key and variable != KEY_VARIABLE:
        raise UnusableInput(f"the environment variable {short(variable)!r} is not set; put the key into it")
    return key or None


def without_secret(text: str, secret: str | None) -> str:
    """Return the text with the secret blacked out; one of fewer than 8 characters could match anywhere, and stays."""
    return text.replace(secret, "[key]") if secret and len(secret) >= 8 else text


async def without_secret_in_parts(parts: AsyncIterator[str], secret: str | None) -> AsyncIterator[str]:
    """Yield the parts of a text with the secret blacked out, also one that two parts share."""
    held = ""
    async for part in parts:
        text = without_secret(held + part, secret)
        begun = range(min(len(secret or "") - 1, len(text)), 0, -1)
        kept = len(text) - next((count for count in begun if text.endswith((secret or "")[:count])), 0)
        held = text[kept:]
        if kept:
            yield text[:kept]
    if held:
        yield held


def address_host(url: str) -> str:
    """Return host and port of an address; raises `UnusableInput` if it is not a server's, or has a password in it.

    >>> address_host("http://127.0.0.1:8000/v1")
    '127.0.0.1:8000'
    """
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port that is not a number up to 65535, or brackets that do not match
        is_address = False
    if not is_address:
        raise UnusableInput("--base-url is not the address of a server; give one such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise UnusableInput("--base-url has a name or password in it; put the key into an environment variable")
    return parts.netloc


class Transport:
    """Connections to the server at a base address, which usually ends in `/v1`; the key is sent as the bearer token.

    For provenance, `host` is that of the server, and `client` the library; `workers` requests at a time keep it busy.
    Raises `MissingExtra` without httpx, and `UnusableInput` when it is not the address of a server, or the environment
    names certificates that are not there.
    """

    workers = 1

    def __init__(self, url: str, key: str | None) -> None:
        with from_extra("run"):
            import httpx  # noqa: PLC0415  (is of an extra)
        self._errors = httpx
        self.host: str | None = address_host(url)
        self.client = f"httpx {httpx.__version__}"
        headers = {"content-type": "application/json", "user-agent": f"zero-scrolls/{VERSION}"}
        headers["accept-encoding"] = "identity"  # since what is compressed has no limit
        headers |= {"authorization": f"Bearer {key}"} if key else {}
        limits = httpx.Limits(max_connections=None)
        try:
            self._client = httpx.AsyncClient(base_url=url, headers=headers, limits=limits)
        except OSError as error:
            variables = "the environment variables SSL_CERT_FILE and SSL_CERT_DIR"
            raise UnusableInput(f"the certificates cannot be read ({error}); check {variables}") from error

    async def send(self, body: Mapping[str, Any], timeout: float) -> Reply:
        """Return the reply to a request for a chat completion; errors are replies too."""
        try:
            return await asyncio.wait_for(self._completion(body, timeout), timeout)
        except (self._errors.ConnectError, self._errors.ConnectTimeout) as error:
            return Reply(None, f"nothing answers at {self.host} ({error or type(error).__name__})", unreachable=True)
        except (self._errors.TimeoutException, asyncio.TimeoutError):
            return Reply(None, f"no reply within {timeout:.0f} seconds")
        except Exception as error:  # noqa: BLE001  (whatever breaks a connection ends this attempt only)
            return Reply(None, f"no connection ({error or type(error).__name__})")

    async def _completion(self, body: Mapping[str, Any], timeout: float) -> Reply:
        async with self._request(body, timeout) as response:
            return _reply(response, await _read(response, _most(body)))

    async def stream(self, body: Mapping[str, Any], timeout: float) -> AsyncGenerator[str]:
        """Yield the text of one answer, piece by piece as the server writes it; reasoning is an empty piece.

        Raises `TooManyTokens` when the server writes more than the tokens that were asked for can have, and
        `UnusableInput`, in the server's words, when it reports an error or cannot be reached.
        """
        try:
            async with self._request({**body, "stream": True}, timeout) as response:
                if response.status_code != 200:
                    reply = _reply(response, await _read(response, _most(body)))
                    raise UnusableInput(error_text(reply.status, reply.body))
                async for text in _texts(response, body["max_tokens"]):
                    yield text
        except (self._errors.HTTPError, self._errors.InvalidURL, OSError) as error:
            raise UnusableInput(f"{self.host} gave no answer ({error or type(error).__name__})") from error

    def _request(self, body: Mapping[str, Any], timeout: float) -> Any:
        limits = self._errors.Timeout(timeout, connect=min(timeout, CONNECT))
        content = json.dumps(body, separators=(",", ":"))  # in ASCII, which can hold half of a surrogate pair too
        return self._client.stream("POST", _COMPLETIONS, content=content.encode("ascii"), timeout=limits)

    async def model_entry(self, model: str) -> Mapping[str, Any] | None:
        """Return the model's entry in the server's list of models; `None` if there is no such list or entry."""
        return next((entry for entry in await self.models() if entry["id"] == model), None)

    async def models(self) -> list[dict[str, Any]]:
        """Return the server's list of models, each with an `id`; empty if there is none."""
        try:
            async with self._client.stream("GET", "models", timeout=20) as response:
                entries = json.loads(await _read(response, _MODELS))["data"]
            return [entry for entry in entries if isinstance(entry["id"], str)]
        except Exception:  # noqa: BLE001  (not needed for an answer)
            return []

    async def aclose(self) -> None:
        await self._client.aclose()


def _most(body: Mapping[str, Any]) -> int:
    tokens = body.get("max_tokens") or body.get("max_completion_tokens") or 0
    return _BASE + BYTES * int(tokens)


async def _read(response: Any, most: int) -> bytes:
    """Return the content of the response, or a sentence if it has more bytes than that."""
    content = bytearray()
    async for part in response.aiter_bytes():
        content += part
        if len(content) > most:
            return f"more than {most:,} bytes".encode()
    return bytes(content)


async def _texts(response: Any, tokens: int) -> AsyncIterator[str]:
    """Yield the texts in the events of a stream; raises as `Transport.stream`."""
    length, events, first = 0, 0, b""
    async for line in _lines(response, _BASE + BYTES * tokens):
        first = first or line
        if not line.startswith(b"data:") or (data := line.removeprefix(b"data:").strip()) == b"[DONE]":
            continue
        text = _text_of_event(data)
        events, length = events + 1, length + len(text)
        if length > CHARACTERS * tokens:
            raise TooManyTokens
        yield text
    if not events:
        raise UnusableInput(not_a_reply(first.decode("utf-8", "replace")))


async def _lines(response: Any, most: int) -> AsyncIterator[bytes]:
    """Yield the lines of the response; raises `TooManyTokens` for one that is too long, and for too many."""
    rest, read = b"", 0
    async for part in response.aiter_bytes():
        read += len(part)
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            yield line
        if len(rest) > _LINE or read > most:
            raise TooManyTokens
    yield rest


def _text_of_event(data: bytes) -> str:
    """Return the text in an event, empty for reasoning; raises `UnusableInput` for an error or no event."""
    try:
        event = json.loads(data)
    except (ValueError, RecursionError):
        event = None
    if isinstance(event, dict) and "error" in event:
        raise UnusableInput(error_text(None, event))
    choices = event.get("choices") if isinstance(event, dict) else None
    if not isinstance(choices, list):
        raise UnusableInput(not_a_reply(data.decode("utf-8", "replace")))
    texts = [as_object(as_object(choice).get("delta")).get("content") for choice in choices]
    return "".join(text for text in texts if isinstance(text, str))


def _reply(response: Any, content: bytes) -> Reply:
    """Return status, body, and the pause in seconds that the server asks for; a pause up to a date is none."""
    body: Any = content[:2000].decode("utf-8", "replace")
    with suppress(ValueError, RecursionError):
        body = json.loads(content)
    if response.has_redirect_location:
        where = short(response.headers["location"], 200)
        body = f"the server points to {where}, which is not followed"
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        text = response.headers.get(name, "").strip()
        if re.fullmatch(r"\d+(\.\d+)?", text):
            return Reply(response.status_code, body, float(text) / unit)
    return Reply(response.status_code, body)
