"""Requests to an OpenAI-compatible server."""

import json
import os
import re
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from zs_bench.errors import UnusableInput
from zs_bench.extras import from_extra
from zs_bench.problems import short
from zs_lab.run.replies import Reply, as_object, error_text
from zs_metric.version import VERSION

#: The default environment variable of the key.
KEY_VARIABLE = "OPENAI_API_KEY"
_COMPLETIONS = "chat/completions"


def read_key(variable: str) -> str | None:
    """Return the key in that environment variable; `None` if it is not set, since many servers need none.

    Raises:
        UnusableInput: if it is not set, except for the default variable, or holds what no key has.
    """
    key = os.environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise UnusableInput(f"the environment variable {short(variable)!r} holds no key; copy the key into it again")
    if not key and variable != KEY_VARIABLE:
        raise UnusableInput(f"the environment variable {short(variable)!r} is not set; put the key into it")
    return key or None


def without_secret(text: str, secret: str | None) -> str:
    """Return the text with the secret blacked out, unless it has fewer than 8 characters, which could match anywhere.

    >>> without_secret("Incorrect API key provided: sk-0123456", "sk-0123456")
    'Incorrect API key provided: [key]'
    """
    return text.replace(secret, "[key]") if secret and len(secret) >= 8 else text


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

    Raises:
        MissingExtra: when httpx is not installed.
        UnusableInput: when it is not the address of a server, or the environment names certificates that are not there.
    """

    workers = 1

    def __init__(self, url: str, key: str | None) -> None:
        with from_extra("run"):
            import httpx  # noqa: PLC0415  (is of an extra)
        self._errors = httpx
        self.host: str | None = address_host(url)
        self.client = f"httpx {httpx.__version__}"
        headers = {"content-type": "application/json", "user-agent": f"zero-scrolls/{VERSION}"}
        headers |= {"authorization": f"Bearer {key}"} if key else {}
        limits = httpx.Limits(max_connections=None)
        try:
            self._client = httpx.AsyncClient(base_url=url, headers=headers, follow_redirects=True, limits=limits)
        except OSError as error:
            variables = "the environment variables SSL_CERT_FILE and SSL_CERT_DIR"
            raise UnusableInput(f"the certificates cannot be read ({error}); check {variables}") from error

    async def send(self, body: Mapping[str, Any], timeout: float) -> Reply:
        """Return the reply to a request for a chat completion; errors are replies too."""
        try:
            return _reply(await self._client.post(_COMPLETIONS, content=_encoded(body), timeout=timeout))
        except self._errors.TimeoutException:
            return Reply(None, f"no reply within {timeout:.0f} seconds")
        except Exception as error:  # noqa: BLE001  (whatever breaks a connection ends this attempt only)
            return Reply(None, f"no connection ({error or type(error).__name__})")

    async def stream(self, body: Mapping[str, Any], timeout: float) -> AsyncIterator[str]:
        """Yield the text of one answer, piece by piece as the server writes it; reasoning is left out.

        Raises:
            UnusableInput: in the server's words, when it reports an error or cannot be reached.
        """
        request = {"content": _encoded({**body, "stream": True}), "timeout": timeout}
        try:
            async with self._client.stream("POST", _COMPLETIONS, **request) as response:
                if response.is_error:
                    await response.aread()
                    raise UnusableInput(error_text(response.status_code, _reply(response).body))
                async for line in response.aiter_lines():
                    data = line.removeprefix("data:").strip()
                    if line.startswith("data:") and data != "[DONE]":
                        event = as_object(json.loads(data))
                        if "error" in event:
                            raise UnusableInput(error_text(None, event))
                        for choice in event.get("choices") or ():
                            if text := as_object(as_object(choice).get("delta")).get("content"):
                                yield str(text)
        except (self._errors.HTTPError, self._errors.InvalidURL, OSError, json.JSONDecodeError) as error:
            raise UnusableInput(f"{self.host} gave no answer ({error or type(error).__name__})") from error

    async def model_entry(self, model: str) -> Mapping[str, Any] | None:
        """Return the model's entry in the server's list of models; `None` if there is no such list or entry."""
        return next((entry for entry in await self.models() if entry["id"] == model), None)

    async def models(self) -> list[dict[str, Any]]:
        """Return the server's list of models, each with an `id`; empty if there is none."""
        try:
            entries = (await self._client.get("models", timeout=20)).json()["data"]
            return [entry for entry in entries if isinstance(entry["id"], str)]
        except Exception:  # noqa: BLE001  (not needed for an answer)
            return []

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def _encoded(body: Mapping[str, Any]) -> bytes:
    """Return the body as JSON in ASCII, which can hold half of a surrogate pair too."""
    return json.dumps(body, separators=(",", ":")).encode("ascii")


def _reply(response: Any) -> Reply:
    """Return status, body, and the pause in seconds that the server asks for; a pause up to a date is none."""
    try:
        body = response.json()
    except ValueError:
        body = response.text[:2000]
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        text = response.headers.get(name, "").strip()
        if re.fullmatch(r"\d+(\.\d+)?", text):
            return Reply(response.status_code, body, float(text) / unit)
    return Reply(response.status_code, body)
