"""The Hub's protocol, as the stand-in implements it: a function per kind of request, and `ROUTES`, their table.

Headers and statuses are those that `huggingface_hub` reads (`file_download.py` and `utils/_http.py` of versions 1 and
2). A function gets the server, the request and the groups of the route's pattern, empty if unmatched.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hub_stand_in import HubStandIn, Request

Tree = dict[str, bytes]


@dataclass
class Reply:
    """A response. `is_file`: its body may be requested in parts, and the faults of downloads apply to it."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    is_file: bool = False


def as_json(data: object) -> Reply:
    return Reply(200, {"Content-Type": "application/json"}, json.dumps(data).encode())


def refusal(status: int, code: str, message: str) -> Reply:
    """An error as the Hub words it for its client."""
    return Reply(status, {"X-Error-Code": code, "X-Error-Message": message})


def at(hub: "HubStandIn", request: "Request", kind: str, name: str, revision: str) -> tuple[str, Tree] | Reply:
    """The commit and its tree, or the refusal: by token, repo and revision, in the Hub's order."""
    refused = by_token(hub, request)
    if refused is not None:
        return refused
    repo = hub.repos.get((kind, name))
    if repo is None or (repo.private and "authorization" not in request.headers):
        # A name that nobody has looks like one that may not be seen.
        return refusal(401, "RepoNotFound", "Repository not found")
    commit = repo.resolve(revision)
    if commit is None:
        return refusal(404, "RevisionNotFound", f"Invalid rev id: {revision}")
    return commit, repo.commits[commit]


def by_token(hub: "HubStandIn", request: "Request") -> Reply | None:
    """The response to a client without read access."""
    faults, token = hub.faults, request.headers.get("authorization")
    if faults.status is not None:
        return Reply(faults.status)
    if faults.token is not None and token != f"Bearer {faults.token}":
        if token:
            return Reply(401, {"X-Error-Message": "Invalid credentials in Authorization header"})
        return refusal(401, "RepoNotFound", "Invalid username or password.")
    if faults.gated:
        return refusal(403, "GatedRepo", "Access to this dataset is restricted.")
    return None


def resolve_file(hub: "HubStandIn", request: "Request", parts: list[str]) -> Reply:
    """A file, or its address in the storage; the server omits the body for `HEAD`."""
    kind, name, revision, path = parts
    found = at(hub, request, kind or "models", name, revision)
    if isinstance(found, Reply):
        return found
    commit, tree = found
    if path not in tree:
        return refusal(404, "EntryNotFound", "Entry not found")
    data = tree[path]
    if hub.faults.not_a_hub:
        return Reply(200, {}, data, is_file=True)
    etag = f'"{hashlib.sha256(data).hexdigest()}"'
    size = str(hub.faults.size_in_head or len(data))
    headers = {"X-Repo-Commit": commit, "X-Linked-Etag": etag, "X-Linked-Size": size, "ETag": etag}
    if hub.faults.storage:
        location = f"http://localhost:{hub.port}/storage/{kind}/{name}/{commit}/{path}"
        return Reply(302, {**headers, "Location": location})
    return Reply(200, headers, data, is_file=True)


def stored_file(hub: "HubStandIn", _: "Request", parts: list[str]) -> Reply:
    """A file from the storage, which has no names, revisions or tokens."""
    kind, name, commit, path = parts
    return Reply(200, {}, hub.repos[kind, name].commits[commit][path], is_file=True)


def repo_info(hub: "HubStandIn", request: "Request", parts: list[str]) -> Reply:
    """A repo at a revision."""
    kind, name, revision = parts
    found = at(hub, request, kind, name, revision or "main")
    if isinstance(found, Reply):
        return found
    siblings = [{"rfilename": path} for path in found[1]]
    return as_json(
        {"id": name, "sha": found[0], "private": hub.repos[kind, name].private, "tags": [], "siblings": siblings}
    )


def repo_tree(hub: "HubStandIn", request: "Request", parts: list[str]) -> Reply:
    """The files of a repo at a revision."""
    kind, name, revision = parts
    found = at(hub, request, kind, name, revision)
    if isinstance(found, Reply):
        return found
    files = [(path, len(data), hashlib.sha1(data).hexdigest()) for path, data in found[1].items()]
    return as_json([{"type": "file", "path": path, "size": size, "oid": oid} for path, size, oid in files])


def no_registry(*_: object) -> Reply:
    """The client asks once a day which programs use it; the answer may be empty."""
    return as_json({"standardEnvVars": [], "harnesses": {}})


NAME = r"([\w.-]+/[\w.-]+)"
KIND = r"(datasets|models|spaces)"
#: Methods, pattern of the path (its parts still quoted), and who answers.
ROUTES: list[tuple[str, str, Callable[["HubStandIn", "Request", list[str]], Reply]]] = [
    ("GET", r"/api/agent-harnesses", no_registry),
    ("GET", rf"/api/{KIND}/{NAME}(?:/revision/([^/]+))?", repo_info),
    ("GET", rf"/api/{KIND}/{NAME}/tree/([^/]+)", repo_tree),
    ("HEAD GET", rf"/(?:(datasets|spaces)/)?{NAME}/resolve/([^/]+)/(.+)", resolve_file),
    ("HEAD GET", rf"/storage/{KIND}/{NAME}/([0-9a-f]+)/(.+)", stored_file),
]
