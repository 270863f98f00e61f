"""A stand-in for the Hugging Face Hub on loopback, for the real `huggingface_hub`, without mocks.

A `HubStandIn` serves repos from memory: commits by hash, branches and tags pointing at them. `ROUTES` has the requests
that it answers, with the headers and statuses that `huggingface_hub` reads, and commits as `hf upload` makes them
without Xet; others get 404, and all are recorded in `requests`. `Faults` are the ways in which it misbehaves.
`hub_client` points the client at it.

    with only_a_stand_in(cache, monkeypatch) as hub:
        hub.repo("datasets", "tau/zero_scrolls").commit({"qasper.zip": data})
        …

By hand, to publish to and to load from: `make stand-in`, which prints what to set.
"""

import base64
import contextlib
import hashlib
import json
import re
import sys
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import yaml


@dataclass
class Repo:
    """Commits by hash, each the whole tree (path to bytes), and the names that point at them."""

    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    private: bool = False

    def commit(self, files: dict[str, bytes], *, branch: str = "main", gone: Collection[str] = ()) -> str:
        """A new commit on the branch: the files as they were, with these on top, those gone. Returns its hash."""
        tree = {path: content for path, content in {**self.tree(branch), **files}.items() if path not in gone}
        digest = hashlib.sha1(f"{len(self.commits)} {sorted(files)}".encode()).hexdigest()
        self.commits[digest], self.refs[branch] = tree, digest
        return digest

    def tree(self, branch: str = "main") -> dict[str, bytes]:
        return self.commits.get(self.refs.get(branch, ""), {})

    def resolve(self, revision: str) -> str | None:
        """The commit that a branch, a tag or a hash stands for."""
        return self.refs.get(revision) or (revision if revision in self.commits else None)


@dataclass
class Faults:
    """What is wrong with the stand-in."""

    token: str | None = None  # without which it answers 401; `None` for none needed
    gated: bool = False  # it answers 403 as for a repo one must ask for
    status: int | None = None  # it answers everything with this error
    size_in_head: int | None = None  # the size that it tells of each file, when that is not the truth
    not_a_hub: bool = False  # it answers, but without the headers of a Hub


@dataclass(frozen=True)
class Request:
    """A request: method, path without the query, headers by lowercase name, and the body."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""


class HubStandIn:
    def __init__(self, port: int = 0) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}
        self.faults = Faults()
        self.requests: list[Request] = []
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

    def __enter__(self) -> "HubStandIn":  # noqa: PYI034  (typing has Self from Python 3.11 on)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@dataclass
class Reply(Exception):
    """A response; raised where it is a refusal."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


def as_json(data: object, status: int = 200) -> Reply:
    return Reply(status, {"Content-Type": "application/json"}, json.dumps(data).encode())


def refusal(status: int, code: str, message: str) -> Reply:
    """An error as the Hub words it for its client."""
    return Reply(status, {"X-Error-Code": code, "X-Error-Message": message})


def check_access(hub: HubStandIn, request: Request, *, to_write: bool = False) -> None:
    faults, token = hub.faults, request.headers.get("authorization")
    if faults.status is not None:
        raise Reply(faults.status)
    if faults.token is not None and token and token != f"Bearer {faults.token}":
        raise Reply(401, {"X-Error-Message": "Invalid credentials in Authorization header"})
    if not token and (to_write or faults.token is not None):
        raise refusal(401, "RepoNotFound", "Invalid username or password.")
    if faults.gated:
        raise refusal(403, "GatedRepo", "Access to this dataset is restricted.")


def at(hub: HubStandIn, request: Request, kind: str, name: str, revision: str) -> tuple[str, dict[str, bytes]]:
    """The commit and its tree; refused by token, repo and revision, in the Hub's order."""
    check_access(hub, request)
    repo = hub.repos.get((kind, name))
    if repo is None or (repo.private and "authorization" not in request.headers):
        # A name that nobody has looks like one that may not be seen.
        raise refusal(401, "RepoNotFound", "Repository not found")
    commit = repo.resolve(revision)
    if commit is None:
        raise refusal(404, "RevisionNotFound", f"Invalid rev id: {revision}")
    return commit, repo.commits[commit]


def resolve_file(hub: HubStandIn, request: Request, kind: str, name: str, *rest: str) -> Reply:
    """A file at a revision; the server omits the body for `HEAD`."""
    revision, path = rest
    commit, tree = at(hub, request, kind or "models", name, revision)
    if path not in tree:
        raise refusal(404, "EntryNotFound", "Entry not found")
    data = tree[path]
    if hub.faults.not_a_hub:
        return Reply(200, {}, data)
    etag = f'"{hashlib.sha256(data).hexdigest()}"'
    size = str(hub.faults.size_in_head or len(data))
    headers = {"X-Repo-Commit": commit, "X-Linked-Etag": etag, "X-Linked-Size": size, "ETag": etag}
    return Reply(200, headers, data)


def repo_info(hub: HubStandIn, request: Request, kind: str, name: str, revision: str) -> Reply:
    commit, tree = at(hub, request, kind, name, revision or "main")
    siblings, private = [{"rfilename": path} for path in tree], hub.repos[kind, name].private
    return as_json({"id": name, "sha": commit, "private": private, "tags": [], "siblings": siblings})


def repo_tree(hub: HubStandIn, request: Request, kind: str, name: str, revision: str) -> Reply:
    _, tree = at(hub, request, kind, name, revision)
    files = [(path, len(data), hashlib.sha1(data).hexdigest()) for path, data in tree.items()]
    return as_json([{"type": "file", "path": path, "size": size, "oid": oid} for path, size, oid in files])


def no_registry(*_: object) -> Reply:
    """The client asks once a day which programs use it; the answer may be empty."""
    return as_json({"standardEnvVars": [], "harnesses": {}})


#: What the Hub puts into a new Space.
NEW_SPACE = {".gitattributes": b"*.zip filter=lfs diff=lfs merge=lfs -text\n", "README.md": b"---\nsdk: gradio\n---\n"}
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}


def create_repo(hub: HubStandIn, request: Request) -> Reply:
    """A new repo with its first commit, or 409 when it is there."""
    asked = json.loads(request.body)
    name, kind = f"{asked['organization']}/{asked['name']}", f"{asked['type']}s"
    check_access(hub, request, to_write=True)
    there = (kind, name) in hub.repos
    if not there:
        repo = hub.repo(kind, name)
        repo.private = asked.get("visibility") == "private" or asked.get("private", False)
        repo.commit(NEW_SPACE)
    return as_json({"url": f"{hub.url}/{kind}/{name}", "name": name}, 409 if there else 200)


def validate_card(_: HubStandIn, request: Request) -> Reply:
    card = yaml.safe_load(json.loads(request.body)["content"].split("---")[1])
    wrong = [key for key in ("colorFrom", "colorTo") if card[key] not in COLOURS]
    errors = [f'"{key}" must be one of {sorted(COLOURS)}' for key in wrong]
    if len(card.get("short_description", "")) > 60:
        errors.append('"short_description" length must be at most 60')
    return as_json({"errors": [{"message": error} for error in errors], "warnings": []}, 400 if errors else 200)


def preupload(hub: HubStandIn, request: Request, kind: str, name: str, branch: str) -> Reply:
    """How each file is to be sent, and the hash of what the repo has under that name."""
    check_access(hub, request, to_write=True)
    _, tree = at(hub, request, kind, name, branch)
    files = []
    for file in json.loads(request.body)["files"]:
        there = tree.get(file["path"])
        oid = None if there is None else hashlib.sha1(b"blob %d\0" % len(there) + there).hexdigest()  # as git's
        files.append({"path": file["path"], "uploadMode": "regular", "shouldIgnore": False, "oid": oid})
    return as_json({"files": files})


def commit(hub: HubStandIn, request: Request, kind: str, name: str, branch: str) -> Reply:
    """A commit: a line with the header, then one for each file that is added or deleted."""
    check_access(hub, request, to_write=True)
    parent, tree = at(hub, request, kind, name, branch)
    lines = [json.loads(line) for line in request.body.splitlines()]
    if lines.pop(0)["value"].get("parentCommit", parent) != parent:
        raise Reply(412, {"X-Error-Message": "A commit has happened since"})
    added = [line["value"] for line in lines if line["key"] == "file"]
    files = {file["path"]: base64.b64decode(file["content"]) for file in added}
    gone = {line["value"]["path"] for line in lines if line["key"] == "deletedFile"}
    if gone - tree.keys():
        raise refusal(404, "EntryNotFound", "A file with this name doesn't exist")
    oid = hub.repos[kind, name].commit(files, branch=branch, gone=gone)
    return as_json({"success": True, "commitOid": oid, "commitUrl": f"{hub.url}/{kind}/{name}/commit/{oid}"})


NAME = r"([\w.-]+/[\w.-]+)"
KIND = r"(datasets|models|spaces)"
#: Methods, pattern of the path (its parts still quoted), and who answers.
ROUTES: list[tuple[str, str, Callable[..., Reply]]] = [
    ("GET", r"/api/agent-harnesses", no_registry),
    ("GET", rf"/api/{KIND}/{NAME}(?:/revision/([^/]+))?", repo_info),
    ("GET", rf"/api/{KIND}/{NAME}/tree/([^/]+)", repo_tree),
    ("HEAD GET", rf"/(?:(datasets|spaces)/)?{NAME}/resolve/([^/]+)/(.+)", resolve_file),
    ("POST", r"/api/repos/create", create_repo),
    ("POST", r"/api/validate-yaml", validate_card),
    ("POST", rf"/api/{KIND}/{NAME}/preupload/([^/]+)", preupload),
    ("POST", rf"/api/{KIND}/{NAME}/commit/([^/]+)", commit),
]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: HubStandIn

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        headers = {key.lower(): value for key, value in self.headers.items()}
        request = Request(self.command, path, headers, self.rfile.read(int(headers.get("content-length", 0))))
        self.hub.requests.append(request)
        reply = self._reply(request)
        self.send_response(reply.status)
        for key, value in {**reply.headers, "Content-Length": str(len(reply.body)), "Connection": "close"}.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    do_HEAD = do_POST = do_PUT = do_GET  # noqa: N815  (the names that the library calls)

    def _reply(self, request: Request) -> Reply:
        for methods, pattern, answer in ROUTES:
            match = re.fullmatch(pattern, request.path)
            if match and request.method in methods.split():
                try:
                    return answer(self.hub, request, *(unquote(part or "") for part in match.groups()))
                except Reply as refused:
                    return refused
        return Reply(404)

    def log_message(self, *_: object) -> None:
        """Requests are in `hub.requests`; a test's output stays clean."""


if __name__ == "__main__":
    with HubStandIn(int(sys.argv[1]) if len(sys.argv) > 1 else 8765) as server:
        settings = f"HF_ENDPOINT={server.url} HF_TOKEN=any HF_HUB_DISABLE_XET=1"
        print(f"A stand-in for the Hub; in another terminal: export {settings}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
