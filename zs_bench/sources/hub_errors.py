"""What can go wrong between here and the Hub, each in one sentence with the next step.

Errors are told apart by the names of their classes, so that neither `huggingface_hub` nor the HTTP library below it
(another one in each of its versions) is imported for that.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from zs_bench.problems import short
from zs_metric.errors import ZeroScrollsError

Kind = Literal[
    "unreachable",
    "stalled",
    "incomplete",
    "denied",
    "no-repo",
    "no-revision",
    "no-file",
    "damaged",
    "too-large",
    "failed",
]


class HubFailure(ZeroScrollsError):
    """Something that was wanted of the Hub and did not come about.

    Attributes:
        kind: short and stable, for programs.
        why: what is wrong, without the next step.
    """

    def __init__(self, kind: Kind, why: str, step: str) -> None:
        super().__init__(f"{why}; {step}")
        self.kind, self.why = kind, why


class SourceUnavailable(HubFailure):
    """A file of the Hub that could not be had."""

    @property
    def of_one_file(self) -> bool:
        """Whether another file of the same repo may well be had."""
        return self.kind in {"no-file", "incomplete", "damaged", "too-large"}

    @property
    def is_of_the_line(self) -> bool:
        """Whether it is the connection that failed, so that a copy in the cache may serve."""
        return self.kind in {"unreachable", "stalled", "incomplete"}


class Line(NamedTuple):
    """`why` and `step` may name {hub}, {repo}, {status}, {text}, the error's own words, and for a file {revision} and
    {name}.
    """

    kind: Kind
    why: str
    step: str


SILENT = Line("stalled", "{hub} does not answer", "try again later")
NO_HUB = Line("unreachable", "what answers as {hub} is something else", "check the network, a proxy and HF_ENDPOINT")
SERVER = Line("unreachable", "{hub} answers with an error ({status})", "try again later")
OTHER = Line("unreachable", "{hub} cannot be reached ({text})", "check the network")
_READER = "set HF_TOKEN to a valid token that may read it"
#: By the name of the error's class, or of the nearest class it derives from.
_BY_CLASS: Mapping[str, Line] = {
    "Stalled": Line("stalled", "nothing more came from {hub}", "try again later"),
    "OfflineModeIsEnabled": Line(
        "unreachable", "the offline mode is on (HF_HUB_OFFLINE)", "switch it off, or take another source"
    ),
    "GatedRepoError": Line(
        "denied", "{hub} gives {repo} only to those who asked for it ({status})", f"ask on its page, then {_READER}"
    ),
    "RepositoryNotFoundError": Line(
        "no-repo",
        "{hub} shows no dataset {repo} ({status}): there is none, or it takes a token",
        f"check the name, or {_READER}",
    ),
    "RevisionNotFoundError": Line(
        "no-revision", "{repo} has no revision {revision!r} on {hub}", "check it: a branch, a tag or a commit"
    ),
    "RemoteEntryNotFoundError": Line(
        "no-file", "{repo} at {revision} has no file {name} on {hub}", "check the repo and the revision"
    ),
    "HFValidationError": Line("no-repo", "{repo!r} is no name of a repo", "write owner/name"),
    "FileMetadataError": NO_HUB,
    "TimeoutException": SILENT,
    "RemoteProtocolError": Line("incomplete", "{name} did not come whole from {hub}", "try again"),
}
_BY_STATUS: Mapping[int, Line] = {
    401: Line("denied", "{hub} does not accept the token ({status})", _READER),
    403: Line("denied", "{hub} does not show {repo} with this token, or without one ({status})", _READER),
    429: Line("unreachable", "{hub} asks to wait ({status})", "try again in some minutes, with HF_TOKEN set"),
}
_STATUS = Line("failed", "{hub} answers with {status} for {name}", "check the repo and the revision")
_DISK = Line("failed", "{name} cannot be stored ({text})", "make room, or set HF_HOME to another folder")


def explain(error: Exception, *, address: str, repo: str, name: str, revision: str) -> SourceUnavailable:
    """The error in a sentence."""
    while type(error).__name__ == "LocalEntryNotFoundError" and isinstance(error.__cause__, Exception):
        error = error.__cause__  # the library says only that it has no copy; why it wanted one stands behind that
    line = find_line(error, _BY_CLASS, _BY_STATUS) or _other_line(error)
    facts = {**facts_of(error, address, repo), "name": name, "revision": short(revision)}
    return SourceUnavailable(line.kind, line.why.format_map(facts), line.step)


def find_line(error: Exception, by_class: Mapping[str, Line], by_status: Mapping[int, Line]) -> Line | None:
    """The line for the class of the error or the nearest one it derives from, else for the status of its answer."""
    for parent in type(error).__mro__:
        if parent.__name__ in by_class:
            return by_class[parent.__name__]
    status = status_of(error)
    return by_status.get(status) or (SERVER if status >= 500 else None)


def facts_of(error: Exception, address: str, repo: str) -> dict[str, Any]:
    """What every line may name."""
    text = short(f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}", 200)
    return {"hub": f"the Hub ({address})", "repo": short(repo), "status": status_of(error), "text": text}


def status_of(error: Exception) -> int:
    """The status of the answer that the error is about, 0 when there was no answer."""
    return int(getattr(getattr(error, "response", None), "status_code", 0))


def _other_line(error: Exception) -> Line:
    if status_of(error):
        return _STATUS
    if "Consistency check failed" in str(error):
        return _BY_CLASS["RemoteProtocolError"]
    on_disk = isinstance(error, OSError) and (error.filename is not None or error.errno == errno.ENOSPC)
    return _DISK if on_disk else OTHER
