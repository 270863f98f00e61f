"""Files of a dataset repo on the Hugging Face Hub, fetched with `huggingface_hub` and its cache, token and settings.

The library gives up after 10 seconds without an answer and resumes a download five times; `HF_HUB_ETAG_TIMEOUT` and
`HF_HUB_DOWNLOAD_TIMEOUT` change this. If the network fails, a copy in the cache is used, with a note.

The app sets `DOWNLOADS`, a folder that it empties: what the cache lacks goes there, up to `MAX_DOWNLOADS` together.
"""

import errno
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zs_bench.errors import SourceUnavailable, from_extra
from zs_bench.files import limits
from zs_bench.problems import short
from zs_bench.progress import Progress
from zs_metric.version import VERSION

#: The variable with the folder for downloads; without it they go into the cache.
DOWNLOADS = "ZS_DOWNLOADS"
MAX_DOWNLOADS = 2_000_000_000  # bytes of all files in that folder
_LIBRARY = "zero-scrolls"
_COMMIT = re.compile(r"[0-9a-f]{40}")
_ACCESS = "set HF_TOKEN to a valid token that may read it"
# What is wrong and the next step, by the class of an error, or by its HTTP status.
_SENTENCES: Mapping[str, str] = {
    "OfflineModeIsEnabled": "the offline mode is on (HF_HUB_OFFLINE); switch it off, or take another source",
    "HFValidationError": "{repo!r} cannot be the name of a repo; write owner/name",
    "GatedRepoError": f"{{repo}} on {{hub}} is gated; request access on its page, then {_ACCESS}",
    "RepositoryNotFoundError": (
        f"{{hub}} shows no dataset {{repo}}: there is none, or it needs a token; check the name, or {_ACCESS}"
    ),
    "RevisionNotFoundError": "{repo} has no revision {revision!r} on {hub}; check it: a branch, a tag or a commit",
    "RemoteEntryNotFoundError": ("{repo} at {revision} has no file {name} on {hub}; check the repo and the revision"),
    "FileMetadataError": "what answers as {hub} is not a Hub; check the network, a proxy and HF_ENDPOINT",
    "401": f"{{hub}} does not accept the token (401); {_ACCESS}",
    "403": f"{{hub}} does not show {{repo}} with this token, or without one (403); {_ACCESS}",
    "429": "{hub} asks to wait (429); try again in some minutes, with HF_TOKEN set",
    "4xx": "{hub} refuses {name} ({text}); check the repo and the revision",
    "5xx": "{hub} answers with an error ({text}); try again later",
    "disk": "{name} cannot be stored ({text}); make room, or set HF_HOME to another folder",
    "Exception": "{hub} cannot be reached, or the download of {name} failed ({text}); check the network and try again",
}
_OF_THE_NETWORK = {"OfflineModeIsEnabled", "FileMetadataError", "429", "5xx", "Exception"}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched file, the commit of its repo (40 hexadecimal digits), and why it is the copy in the cache, if it is."""

    path: Path
    commit: str
    note: str | None = None


def fetch(name: str, *, repo: str, revision: str | None = None, progress: Progress | None = None) -> Fetched:
    """A file of a dataset repo, from the Hub or from the cache.

    Args:
        name: the file's path in the repo, `qasper.zip`.
        revision: a branch, tag or commit; `main` by default.
        progress: called with the share done and a few words.

    Raises:
        MissingExtra: if `huggingface_hub` is not installed.
        SourceUnavailable: if the file can neither be fetched nor, if the network fails, found in the cache.
    """
    with from_extra("hub"):
        from huggingface_hub import constants, errors  # noqa: PLC0415  (importing it takes a while)

    revision = revision or "main"
    try:
        cached = _cached(name, repo, revision) if _COMMIT.fullmatch(revision) else None
        return cached or _download(name, repo, revision, progress)
    except (errors.HTTPError, errors.HFValidationError, OSError) as error:
        # The cause of a LocalEntryNotFoundError is the error of the request to the Hub.
        reason = (isinstance(error, errors.LocalEntryNotFoundError) and error.__cause__) or error
        key = _key(reason)
        text = short(f"{type(reason).__name__}: {str(reason).strip().partition(chr(10))[0]}", 200)
        where = {"hub": f"the Hub ({constants.ENDPOINT})", "repo": short(repo), "revision": short(revision)}
        why = _SENTENCES[key].format(**where, name=name, text=text)
        copy = _cached(name, repo, revision) if key in _OF_THE_NETWORK else None
        if copy is None:
            raise SourceUnavailable(why, of_one_file=key == "RemoteEntryNotFoundError") from error
        return replace(copy, note=f"{why.rpartition('; ')[0]}; this is the copy in the cache")
    finally:
        if progress:
            progress(1.0, "")


def _cached(name: str, repo: str, revision: str) -> Fetched | None:
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415

    for place in dict.fromkeys([os.environ.get(DOWNLOADS), None]):
        path = try_to_load_from_cache(repo, name, cache_dir=place, revision=revision, repo_type="dataset")
        if isinstance(path, str):
            if place:
                os.utime(Path(path).parents[name.count("/") + 2])  # the repo's folder, which is in use
            return _fetched(path, name)
    return None


def _fetched(path: str, name: str) -> Fetched:
    """The file at that path of the cache, `snapshots/<commit>/<name>`."""
    return Fetched(Path(path), Path(path).parents[name.count("/")].name)


def _download(name: str, repo: str, revision: str, progress: Progress | None) -> Fetched:
    """Download a file, after a check of its size: NarrativeQA in SCROLLS has 8 GB, which is too large for the app."""
    import huggingface_hub as library  # noqa: PLC0415

    url = library.hf_hub_url(repo, name, repo_type="dataset", revision=revision)
    there = library.get_hf_file_metadata(url, library_name=_LIBRARY, library_version=VERSION)
    place, size = os.environ.get(DOWNLOADS), there.size or 0
    if place and there.commit_hash and (copy := _cached(name, repo, there.commit_hash)):
        return copy
    limit = limits.current().zip_
    if name.endswith(".zip") and size > limit:
        why = f"{name} of {repo} is {limits.size(size)}, more than the {limits.size(limit)} that are read"
        step = f"unpack it yourself and take what you need of it as a folder, {Path(name).stem}/<split>.jsonl"
        raise SourceUnavailable(f"{why}; {step}", of_one_file=True)
    if place and size + _size_of(Path(place)) > MAX_DOWNLOADS:
        why = f"this server has no room for {name} of {repo} ({limits.size(size)}) beside its other downloads"
        raise SourceUnavailable(f"{why}; give the references as files, or try again in an hour")
    bar: Any = type("Bar", (_Bar,), {"name": name, "progress": staticmethod(progress or (lambda *_: None))})
    kind = "dataset"
    path = library.hf_hub_download(
        repo,
        name,
        repo_type=kind,
        revision=revision,
        cache_dir=place,
        tqdm_class=bar,
        library_name=_LIBRARY,
        library_version=VERSION,
    )
    return _fetched(path, name)


def _size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("*/blobs/*"))


def _key(error: BaseException) -> str:
    status = getattr(getattr(error, "response", None), "status_code", 0)
    names = [parent.__name__ for parent in type(error).__mro__ if parent is not Exception]
    on_disk = isinstance(error, OSError) and (error.filename is not None or error.errno == errno.ENOSPC)
    keys = (*names, str(status), f"{status // 100}xx", "disk" if on_disk and not status else "", "Exception")
    return next(key for key in keys if key in _SENTENCES)


class _Bar:
    """A progress bar for `huggingface_hub` that calls `progress`."""

    name: str
    progress: Progress

    def __init__(self, *_: object, total: int | None = None, initial: int = 0, **__: object) -> None:
        self.total, self.n = total, initial

    def __enter__(self) -> object:
        return self

    def update(self, count: float | None = 1) -> None:
        self.n += int(count or 0)
        if self.total:
            words = f"{self.name}: {limits.size(self.n)} of {limits.size(self.total)}"
            self.progress(min(self.n / self.total, 0.99), words)

    def close(self, *_: object, **__: object) -> None:
        """Do nothing."""

    __exit__ = refresh = set_postfix_str = close
