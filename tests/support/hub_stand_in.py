"""A stand-in for the Hugging Face Hub on loopback, for the real `huggingface_hub`, without mocks.

A `HubStandIn` serves repos from memory: commits by hash, branches and tags pointing at them. `hub_protocol.ROUTES` has
the requests that it answers; others get 404, and all are recorded in `requests`. `Faults` are the ways in which it
misbehaves. `hub_client` points the client at it.

    with only_a_stand_in(cache, monkeypatch) as hub:
        hub.repo("datasets", "tau/zero_scrolls").commit({"qasper.zip": data})
        …

By hand, to publish to and to load from: `make stand-in`, which prints what to set.
"""

import contextlib
import hashlib
import re
import sys
import threading
from collections.abc import Collection
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from hub_commits import ROUTES as WRITING
from hub_protocol import ROUTES, Reply


@dataclass
class Repo:
    """Commits by hash, each the whole tree (path to bytes), and the names that point at them."""

    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    private: bool = False

    def commit(self, files: dict[str, bytes], *, branch: str = "main", gone: Collection[str] = ()) -> str:
        """A new commit on the branch: the files as they were, with these on top, those gone. Returns its hash."""
        tree = {**self.tree(branch), **files}
        tree = {path: content for path, content in tree.items() if path not in gone}
        digest = hashlib.sha1(f"{len(self.commits)} {sorted(files)}".encode()).hexdigest()
        self.commits[digest], self.refs[branch] = tree, digest
        return digest

    def tree(self, branch: str = "main") -> dict[str, bytes]:
        """The files as they are now."""
        return self.commits.get(self.refs.get(branch, ""), {})

    def resolve(self, revision: str) -> str | None:
        """The commit that a branch, a tag or a hash stands for."""
        return self.refs.get(revision) or (revision if revision in self.commits else None)


@dataclass
class Faults:
    """What is wrong with the stand-in.

    Attributes:
        token: the token without which it answers 401; `None` for none needed.
        gated: it answers 403 as for a repo one must ask for.
        status: it answers everything with this error.
        no_answer: it takes requests and is silent.
        stall_after: it sends so many bytes of a file, then nothing.
        cut_after: it sends so many bytes of a file and closes, although it announced more.
        size_in_head: the size that it tells of each file, when that is not the truth.
        not_a_hub: it answers, but without the headers of a Hub.
        storage: files come from another address, as the Hub's large files do.
    """

    token: str | None = None
    gated: bool = False
    status: int | None = None
    no_answer: bool = False
    stall_after: int | None = None
    cut_after: int | None = None
    size_in_head: int | None = None
    not_a_hub: bool = False
    storage: bool = False


@dataclass(frozen=True)
class Request:
    """A request: method, path without the query, headers by lowercase name, and the body."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""


class HubStandIn:
    """The server; a context manager."""

    def __init__(self, port: int = 0) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}
        self.faults = Faults()
        self.requests: list[Request] = []
        self.released = threading.Event()
        handler = type("Handler", (_Handler,), {"hub": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def repo(self, kind: str, name: str) -> Repo:
        """The repo of that kind (`datasets`, `models`, `spaces`), made when there is none yet."""
        return self.repos.setdefault((kind, name), Repo())

    def asked(self, method: str) -> list[str]:
        """The paths asked for with that method, without the client's own registry."""
        return [r.path for r in self.requests if r.method == method and r.path != "/api/agent-harnesses"]

    def __enter__(self) -> "HubStandIn":  # noqa: PYI034  (typing has Self from Python 3.11 on)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop; open requests are cut off."""
        self.released.set()
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: HubStandIn

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        headers = {key.lower(): value for key, value in self.headers.items()}
        request = Request(self.command, path, headers, self.rfile.read(int(headers.get("content-length", 0))))
        self.hub.requests.append(request)
        if self.hub.faults.no_answer:
            self.hub.released.wait()
            self.close_connection = True
            return
        self._send(self._reply(request))

    do_HEAD = do_POST = do_PUT = do_GET  # noqa: N815  (the names that the library calls)

    def _reply(self, request: Request) -> Reply:
        for methods, pattern, answer in ROUTES + WRITING:
            found = re.fullmatch(pattern, request.path)
            if found and request.method in methods.split():
                return answer(self.hub, request, [unquote(part or "") for part in found.groups()])
        return Reply(404)

    def _send(self, reply: Reply) -> None:
        faults, data, status, headers = self.hub.faults, reply.body, reply.status, dict(reply.headers)
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if reply.is_file and wanted:
            status, start = 206, int(wanted[1])
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
            data = data[start:]
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(data)), "Connection": "close"}.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        stop = faults.stall_after if faults.stall_after is not None else faults.cut_after
        self.wfile.write(data[:stop] if reply.is_file else data)
        self.wfile.flush()
        if reply.is_file and faults.stall_after is not None:
            self.hub.released.wait()

    def log_message(self, *_: object) -> None:
        """Requests are in `hub.requests`; a test's output stays clean."""


if __name__ == "__main__":
    with HubStandIn(int(sys.argv[1]) if len(sys.argv) > 1 else 8765) as server:
        settings = f"HF_ENDPOINT={server.url} HF_TOKEN=any HF_HUB_DISABLE_XET=1"
        print(f"A stand-in for the Hub; in another terminal: export {settings}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
