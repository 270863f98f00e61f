"""How the stand-in for the Hub is written to: making a repo, and committing to it as `HfApi.create_commit` does.

Large files go by the basic transfer of Git LFS, as when the client has no `hf_xet` or is told `HF_HUB_DISABLE_XET=1`;
the Hub's newer storage is not spoken.
"""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import yaml
from hub_protocol import KIND, NAME, Reply, as_json, at, by_token, refusal

if TYPE_CHECKING:
    from hub_stand_in import HubStandIn, Request

#: What the Hub puts into a new Space.
NEW_SPACE = {".gitattributes": b"*.zip filter=lfs diff=lfs merge=lfs -text\n", "README.md": b"---\nsdk: gradio\n---\n"}
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}


def refused(hub: "HubStandIn", request: "Request") -> Reply | None:
    """The refusal of who may not write."""
    reply = by_token(hub, request)
    if reply is None and "authorization" not in request.headers:
        reply = refusal(401, "RepoNotFound", "Invalid username or password.")
    if reply is None and hub.faults.read_only:
        reply = Reply(403, {"X-Error-Message": "You don't have the required permissions"})
    return reply


def create_repo(hub: "HubStandIn", request: "Request", _: list[str]) -> Reply:
    """A new repo with its first commit, or 409 when it is there."""
    asked = json.loads(request.body)
    name, kind = f"{asked['organization']}/{asked['name']}", f"{asked['type']}s"
    if reply := refused(hub, request):
        return reply
    there = (kind, name) in hub.repos
    if hub.faults.no_plan:
        return Reply(402, {"X-Error-Message": "Payment required"})
    if not there:
        repo = hub.repo(kind, name)
        repo.private = asked.get("visibility") == "private" or asked.get("private", False)
        repo.commit(NEW_SPACE)
    answer = as_json({"url": f"{hub.url}/{kind}/{name}", "name": name})
    return Reply(409 if there else 200, answer.headers, answer.body)


def change_settings(hub: "HubStandIn", request: "Request", parts: list[str]) -> Reply:
    """Whether the repo is private."""
    if reply := refused(hub, request):
        return reply
    asked = json.loads(request.body)
    hub.repos[parts[0], parts[1]].private = asked.get("visibility") == "private" or asked.get("private", False)
    return as_json(asked)


def validate_card(_: "HubStandIn", request: "Request", __: list[str]) -> Reply:
    """Whether the front matter of a Space's README may be so: what the Hub says of a colour and of a long text."""
    card = yaml.safe_load(json.loads(request.body)["content"].split("---")[1])
    colours = {
        f'"{key}" must be one of {sorted(COLOURS)}' for key in ("colorFrom", "colorTo") if card[key] not in COLOURS
    }
    long = {'"short_description" length must be at most 60'} if len(card.get("short_description", "")) > 60 else set()
    errors = [{"message": message} for message in sorted(colours | long)]
    answer = as_json({"errors": errors, "warnings": []})
    return Reply(400 if errors else 200, answer.headers, answer.body)


def preupload(hub: "HubStandIn", request: "Request", parts: list[str]) -> Reply:
    """By which protocol each file is taken, and the hash of what is there under that name."""
    found = refused(hub, request) or at(hub, request, *parts)
    if isinstance(found, Reply):
        return found
    files = []
    for file in json.loads(request.body)["files"]:
        large = hub.faults.lfs and b"\0" in base64.b64decode(file["sample"])
        there = found[1].get(file["path"])
        oid = None if there is None else (hashlib.sha256(there).hexdigest() if large else git_hash(there))
        mode = "lfs" if large else "regular"
        files.append({"path": file["path"], "uploadMode": mode, "shouldIgnore": False, "oid": oid})
    return as_json({"files": files})


def git_hash(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def commit(hub: "HubStandIn", request: "Request", parts: list[str]) -> Reply:
    """A commit: one line a header, then one for each file that is added or deleted."""
    kind, name, branch = parts
    if hub.faults.raced:
        hub.repos[kind, name].commit({"another.txt": b""})
    found = refused(hub, request) or at(hub, request, *parts)
    if isinstance(found, Reply):
        return found
    lines = [json.loads(line) for line in request.body.splitlines()]
    header = lines.pop(0)["value"]
    if header.get("parentCommit", found[0]) != found[0]:
        return Reply(412, {"X-Error-Message": "A commit has happened since"})
    files = {line["value"]["path"]: content(hub, line["value"]) for line in lines if line["key"] in {"file", "lfsFile"}}
    gone = {line["value"]["path"] for line in lines if line["key"] == "deletedFile"}
    if gone - found[1].keys():
        return refusal(404, "EntryNotFound", "A file with this name doesn't exist")
    oid = hub.repos[kind, name].commit(files, branch=branch, gone=gone)
    return as_json({"success": True, "commitOid": oid, "commitUrl": f"{hub.url}/{kind}/{name}/commit/{oid}"})


def content(hub: "HubStandIn", file: dict[str, Any]) -> bytes:
    return hub.large_files[file["oid"]] if "oid" in file else base64.b64decode(file["content"])


def large_files(hub: "HubStandIn", request: "Request", _: list[str]) -> Reply:
    """Where each large file is to be put, nowhere when it is there."""
    if reply := refused(hub, request):
        return reply
    objects = [{"oid": file["oid"], "size": file["size"]} for file in json.loads(request.body)["objects"]]
    for file in objects:
        if file["oid"] not in hub.large_files:
            put, verify = f"{hub.url}/large/{file['oid']}", f"{hub.url}/large/verify"
            file["actions"] = {"upload": {"href": put}, "verify": {"href": verify}}
    return as_json({"transfer": "basic", "objects": objects})


def put_large_file(hub: "HubStandIn", request: "Request", parts: list[str]) -> Reply:
    """A large file, which must be what its name says."""
    if hashlib.sha256(request.body).hexdigest() != parts[0]:
        return Reply(400)
    hub.large_files[parts[0]] = request.body
    return Reply(200)


def verify_large_file(hub: "HubStandIn", request: "Request", _: list[str]) -> Reply:
    """Whether it came whole."""
    asked = json.loads(request.body)
    return Reply(200 if len(hub.large_files.get(asked["oid"], b"")) == asked["size"] else 404)


#: Methods, pattern of the path (its parts still quoted), and who answers.
ROUTES: list[tuple[str, str, Callable[["HubStandIn", "Request", list[str]], Reply]]] = [
    ("POST", r"/api/repos/create", create_repo),
    ("PUT", rf"/api/{KIND}/{NAME}/settings", change_settings),
    ("POST", r"/api/validate-yaml", validate_card),
    ("POST", rf"/api/{KIND}/{NAME}/preupload/([^/]+)", preupload),
    ("POST", rf"/api/{KIND}/{NAME}/commit/([^/]+)", commit),
    ("POST", rf"/{KIND}/{NAME}\.git/info/lfs/objects/batch", large_files),
    ("PUT", r"/large/([0-9a-f]{64})", put_large_file),
    ("POST", r"/large/verify", verify_large_file),
]
