"""A model's server on loopback that answers at once and misbehaves as often as a test asks.

Which request gets a fault is drawn with the seed.
"""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def _error(message: str, **more: Any) -> tuple[int, Any]:
    return 400, {"error": {"message": message, **more}}


def _bare(message: str) -> tuple[int, Any]:
    return 400, {"object": "error", "message": message}


#: How servers say that a prompt does not fit: status and body.
OVERFLOWS: Mapping[str, tuple[int, Any]] = {
    "openai": _error("Please reduce the length of the messages.", code="context_length_exceeded"),
    "vllm": _bare("This model's maximum context length is 4096 tokens. You requested 9000."),
    "vllm, nested": _error("This model's maximum context length is 4096 tokens.", code=400),
    "llama.cpp": (400, {"error": {"code": 400, "type": "exceed_context_size_error", "n_prompt_tokens": 9000}}),
    "sglang": _bare("The input (9000 tokens) is longer than the model's context length (4096)."),
    "tgi": (422, {"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096."}),
    "tgi, input alone": (422, {"error": "Input validation error: `inputs` must have less than 4095 tokens."}),
    "vllm, decoder": _error("The decoder prompt (length 9000) is longer than the maximum model length of 4096."),
    "bedrock": (400, {"message": "Input is too long for requested model."}),
    "anthropic, with answer": _error("input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000"),
    "anthropic": _error("prompt is too long: 9000 tokens", type="invalid_request_error"),
    "gemini": _error("The input token count (9000) exceeds the maximum number of tokens."),
    "a router": (200, {"error": {"code": 400, "message": "maximum context length is 4096 tokens"}}),
}


@dataclass
class StandIn:
    """How the server behaves."""

    #: How often each happens, 0 to 1: `429`, `503`, `dropped`, `stall`, `nonsense`.
    faults: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    window: int | None = None  # characters that it reads; longer prompts overflow, or are cut
    cuts: bool = False
    refuses: tuple[str, ...] = ()  # parameters that it does not take, as the o-series
    message: Callable[[str], dict[str, Any]] = lambda prompt: {"content": f"answer to {prompt[-20:]}"}
    seen: Counter[str] = field(default_factory=Counter)  # of each prompt how often it was answered
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    #: How many more it gives; further requests wait until another is allowed.
    replies: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(10**9))
    raw: Iterable[bytes] | None = None  # the parts that it writes in place of a reply, until the client has gone
    status: int = 200  # with these parts, as is the head
    head: Mapping[str, str] = field(default_factory=dict)
    sent: int = 0  # bytes of these parts
    left: threading.Event = field(default_factory=threading.Event)  # set when a client of these has gone
    has_ended: bool = False
    url: str = ""

    def __post_init__(self) -> None:
        self._random, self._lock = random.Random(self.seed), threading.Lock()

    def fault(self) -> str | None:
        with self._lock:
            drawn = self._random.random()
        for name, rate in self.faults.items():
            if drawn < rate:
                return name
            drawn -= rate
        return None

    def reply(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Status and body of the reply to a request without a fault."""
        prompt = body["messages"][0]["content"]
        for name in self.refuses:
            if name in body:
                return 400, {"error": {"message": f"Unsupported parameter: '{name}' is not supported.", "param": name}}
        read = prompt
        if self.window is not None and len(prompt) > self.window:
            if not self.cuts:
                return OVERFLOWS["openai"]
            read = prompt[-self.window :]
        with self._lock:
            self.seen[prompt] += 1
        message = {"role": "assistant", **self.message(prompt)}
        tokens = max(1, len(read) // 4)
        usage = {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return 200, {"id": "1", "object": "chat.completion", "model": "stand-in-1", "choices": [choice], "usage": usage}


def _handler(stand_in: StandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if stand_in.raw is not None:
                self._write_parts(stand_in.raw)
            elif self.path.endswith("/whoami-v2"):  # as the Hub says whose token it is
                self._write(200, {"type": "user", "name": "ada", "fullname": "Ada", "avatarUrl": ""})
            else:
                routed = {"id": "n", "providers": [{"provider": "here"}, {"provider": "there"}]}
                self._write(200, {"data": [{"id": "m", "meta": {"n_ctx": 4096}}, routed]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            stand_in.requests.append(body)
            stand_in.keys.add(self.headers.get("authorization", ""))
            replies = stand_in.replies
            while not replies.acquire(timeout=0.1) and not stand_in.has_ended:
                pass
            fault = stand_in.fault()
            if stand_in.raw is not None:
                self._write_parts(stand_in.raw)
            elif fault == "dropped":
                self.close_connection = True
                self.connection.close()
            elif fault == "stall":
                time.sleep(1.5)
                self.close_connection = True
            elif fault == "nonsense":
                self._write(200, {"choices": []})
            elif fault:
                headers = {"retry-after": "0.01"} if fault == "429" else {}
                self._write(int(fault), {"error": {"message": f"fault {fault}"}}, headers)
            elif body.get("stream"):
                self._stream(*stand_in.reply(body))
            else:
                self._write(*stand_in.reply(body))

        def _stream(self, status: int, reply: Any) -> None:
            """Write an answer as events, a word each, and an error as it is."""
            if status != 200:
                self._write(status, reply)
                return
            message = reply["choices"][0]["message"]
            words = message["content"].split(" ")
            deltas = [{"role": "assistant", "reasoning": "hm"}, *({"content": f"{word} "} for word in words)]
            events = [json.dumps({"choices": [{"delta": delta}]}) for delta in deltas]
            events += [json.dumps({"error": message["error"]})] if "error" in message else []
            self._write(200, "".join(f"data: {event}\n\n" for event in [*events, '{"choices": []}', "[DONE]"]))

        def _write(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
            data = (body if isinstance(body, str) else json.dumps(body)).encode()
            length = {"content-type": "application/json", "content-length": str(len(data))}
            self._write_head(status, {**length, **(headers or {})})
            self.wfile.write(data)

        def _write_head(self, status: int, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        def _write_parts(self, parts: Iterable[bytes]) -> None:
            self.close_connection = True
            self._write_head(stand_in.status, stand_in.head)
            with suppress(OSError):
                for part in parts:
                    self.wfile.write(part)
                    stand_in.sent += len(part)
            stand_in.left.set()

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_: Any) -> None:
        """Ignore clients that disconnect."""


@contextmanager
def serving(stand_in: StandIn | None = None) -> Iterator[StandIn]:
    """The server, on a free port of loopback."""
    stand_in = stand_in or StandIn()
    server = _Server(("127.0.0.1", 0), _handler(stand_in))
    stand_in.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield stand_in
    finally:
        stand_in.has_ended = True
        server.shutdown()
        thread.join()
        server.server_close()
