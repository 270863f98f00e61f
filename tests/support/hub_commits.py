"""Writes to the stand-in for the Hub: making a repo, and committing to it as `hf upload` does without Xet.

Every file is part of the commit; the Hub's storage for large files is not spoken.
"""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import yaml
from hub_protocol import KIND, NAME, Reply, as_json, at, by_token, refusal

if TYPE_CHECKING:
    from hub_stand_in import HubStandIn, Request

#: What the Hub puts into a new Space.
NEW_SPACE = {".gitattributes": b"*.zip filter=lfs diff=lfs merge=lfs -text\n", "README.md": b"---\nsdk: gradio\n---\n"}
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}


def refused(hub: "HubStandIn", request: "Request") -> Reply | None:
    """The response to a client without write access."""
    reply = by_token(hub, request)
    if reply is None and "authorization" not in request.headers:
        reply = refusal(401, "RepoNotFound", "Invalid username or password.")
    return reply


def create_repo(hub: "HubStandIn", request: "Request", _: list[str]) -> Reply:
    """A new repo with its first commit, or 409 when it is there."""
    asked = json.loads(request.body)
    name, kind = f"{asked['organization']}/{asked['name']}", f"{asked['type']}s"
    if reply := refused(hub, request):
        return reply
    there = (kind, name) in hub.repos
    if not there:
        repo = hub.repo(kind, name)
        repo.private = asked.get("visibility") == "private" or asked.get("private", False)
        repo.commit(NEW_SPACE)
    answer = as_json({"url": f"{hub.url}/{kind}/{name}", "name": name})
    return Reply(409 if there else 200, answer.headers, answer.body)


def validate_card(_: "HubStandIn", request: "Request", __: list[str]) -> Reply:
    """Validate the front matter of a Space's README, as the Hub does for colours and long texts."""
    card = yaml.safe_load(json.loads(request.body)["content"].split("---")[1])
    colours = {
        f'"{key}" must be one of {sorted(COLOURS)}' for key in ("colorFrom", "colorTo") if card[key] not in COLOURS
    }
    long = {'"short_description" length must be at most 60'} if len(card.get("short_description", "")) > 60 else set()
    errors = [{"message": message} for message in sorted(colours | long)]
    answer = as_json({"errors": errors, "warnings": []})
    return Reply(400 if errors else 200, answer.headers, answer.body)


def preupload(hub: "HubStandIn", request: "Request", parts: list[str]) -> Reply:
    """How each file is to be sent, and the hash of what the repo has under that name."""
    found = refused(hub, request) or at(hub, request, *parts)
    if isinstance(found, Reply):
        return found
    files = []
    for file in json.loads(request.body)["files"]:
        there = found[1].get(file["path"])
        oid = None if there is None else git_hash(there)
        files.append({"path": file["path"], "uploadMode": "regular", "shouldIgnore": False, "oid": oid})
    return as_json({"files": files})


def git_hash(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def commit(hub: "HubStandIn", request: "Request", parts: list[str]) -> Reply:
    """A commit: a line with the header, then one for each file that is added or deleted."""
    kind, name, branch = parts
    found = refused(hub, request) or at(hub, request, *parts)
    if isinstance(found, Reply):
        return found
    lines = [json.loads(line) for line in request.body.splitlines()]
    header = lines.pop(0)["value"]
    if header.get("parentCommit", found[0]) != found[0]:
        return Reply(412, {"X-Error-Message": "A commit has happened since"})
    added = [line["value"] for line in lines if line["key"] == "file"]
    files = {file["path"]: base64.b64decode(file["content"]) for file in added}
    gone = {line["value"]["path"] for line in lines if line["key"] == "deletedFile"}
    if gone - found[1].keys():
        return refusal(404, "EntryNotFound", "A file with this name doesn't exist")
    oid = hub.repos[kind, name].commit(files, branch=branch, gone=gone)
    return as_json({"success": True, "commitOid": oid, "commitUrl": f"{hub.url}/{kind}/{name}/commit/{oid}"})


#: Methods, pattern of the path (its parts still quoted), and who answers.
ROUTES: list[tuple[str, str, Callable[["HubStandIn", "Request", list[str]], Reply]]] = [
    ("POST", r"/api/repos/create", create_repo),
    ("POST", r"/api/validate-yaml", validate_card),
    ("POST", rf"/api/{KIND}/{NAME}/preupload/([^/]+)", preupload),
    ("POST", rf"/api/{KIND}/{NAME}/commit/([^/]+)", commit),
]
