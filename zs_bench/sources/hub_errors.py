"""What can go wrong between here and the Hub, each in one sentence with the next step.

Errors are told apart by the names of their classes, so that neither `huggingface_hub` nor the HTTP library below it
(another one in each of its versions) is imported for that.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Literal, NamedTuple

from zs_bench.problems import short
from zs_metric.errors import ZeroScrollsError

Kind = Literal[
    "unreachable", "stalled", "incomplete", "denied", "no-repo", "no-revision", "no-file", "damaged", "failed"
]


class SourceUnavailable(ZeroScrollsError):
    """A file of the Hub that could not be had.

    Attributes:
        kind: short and stable, for programs.
        why: what is wrong, without the next step.
    """

    def __init__(self, kind: Kind, why: str, step: str) -> None:
        super().__init__(f"{why}; {step}")
        self.kind, self.why = kind, why

    @property
    def of_one_file(self) -> bool:
        """Whether another file of the same repo may well be had."""
        return self.kind in {"no-file", "incomplete", "damaged"}

    @property
    def is_of_the_line(self) -> bool:
        """Whether it is the connection that failed, so that a copy in the cache may serve."""
        return self.kind in {"unreachable", "stalled", "incomplete"}


class _Line(NamedTuple):
    """`why` and `step` may name {hub}, {repo}, {revision}, {name}, {status} and {text}, the error's own words."""

    kind: Kind
    why: str
    step: str


_READER = "set HF_TOKEN to a valid token that may read it"
#: By the name of the error's class, or of the nearest class it derives from.
_BY_CLASS: Mapping[str, _Line] = {
    "Stalled": _Line("stalled", "nothing more came from {hub}", "try again later"),
    "OfflineModeIsEnabled": _Line(
        "unreachable", "the offline mode is on (HF_HUB_OFFLINE)", "switch it off, or take another source"
    ),
    "GatedRepoError": _Line(
        "denied", "{hub} gives {repo} only to those who asked for it ({status})", f"ask on its page, then {_READER}"
    ),
    "RepositoryNotFoundError": _Line(
        "no-repo",
        "{hub} shows no dataset {repo} ({status}): there is none, or it takes a token",
        f"check the name, or {_READER}",
    ),
    "RevisionNotFoundError": _Line(
        "no-revision", "{repo} has no revision {revision!r} on {hub}", "check it: a branch, a tag or a commit"
    ),
    "RemoteEntryNotFoundError": _Line(
        "no-file", "{repo} at {revision} has no file {name} on {hub}", "check the repo and the revision"
    ),
    "HFValidationError": _Line("no-repo", "{repo!r} is no name of a repo", "write owner/name"),
    "FileMetadataError": _Line(
        "unreachable", "what answers as {hub} is something else", "check the network, a proxy and HF_ENDPOINT"
    ),
    "TimeoutException": _Line("stalled", "{hub} does not answer", "try again later"),
    "RemoteProtocolError": _Line("incomplete", "{name} did not come whole from {hub}", "try again"),
}
_BY_STATUS: Mapping[int, _Line] = {
    401: _Line("denied", "{hub} does not accept the token ({status})", _READER),
    403: _Line("denied", "{hub} does not show {repo} with this token, or without one ({status})", _READER),
    429: _Line("unreachable", "{hub} asks to wait ({status})", "try again in some minutes, with HF_TOKEN set"),
}
_SERVER = _Line("unreachable", "{hub} answers with an error ({status})", "try again later")
_STATUS = _Line("failed", "{hub} answers with {status} for {name}", "check the repo and the revision")
_DISK = _Line("failed", "{name} cannot be stored ({text})", "make room, or set HF_HOME to another folder")
_OTHER = _Line("unreachable", "{hub} cannot be reached ({text})", "check the network")


def explain(error: Exception, *, address: str, repo: str, name: str, revision: str) -> SourceUnavailable:
    """The error in a sentence."""
    while type(error).__name__ == "LocalEntryNotFoundError" and isinstance(error.__cause__, Exception):
        error = error.__cause__  # the library says only that it has no copy; why it wanted one stands behind that
    status = getattr(getattr(error, "response", None), "status_code", 0)
    line = _line(error, status)
    facts = {
        "hub": f"the Hub ({address})",
        "repo": short(repo),
        "name": name,
        "revision": short(revision),
        "status": status,
        "text": short(f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}", 200),
    }
    return SourceUnavailable(line.kind, line.why.format_map(facts), line.step)


def _line(error: Exception, status: int) -> _Line:
    for parent in type(error).__mro__:
        if parent.__name__ in _BY_CLASS:
            return _BY_CLASS[parent.__name__]
    if status:
        return _BY_STATUS.get(status, _SERVER if status >= 500 else _STATUS)
    if "Consistency check failed" in str(error):
        return _BY_CLASS["RemoteProtocolError"]
    on_disk = isinstance(error, OSError) and (error.filename is not None or error.errno == errno.ENOSPC)
    return _DISK if on_disk else _OTHER
