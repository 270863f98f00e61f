"""Files of a dataset repo on the Hugging Face Hub, through `huggingface_hub` itself: its cache, token and address.

What is added to it: the commit that was read is told; what stalls is given up; without a network the cache serves, and
that is said; whatever fails is one `SourceUnavailable` with the reason and the next step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from zs_bench.files import limits
from zs_bench.sources.hub_errors import SourceUnavailable, explain
from zs_bench.sources.watched import Stalled, Tell, run_watched
from zs_metric.version import VERSION

__all__ = ["REPOS", "Fetched", "Progress", "SourceUnavailable", "fetch"]

#: The dataset repo of each benchmark.
REPOS: Mapping[str, str] = {"zero_scrolls": "tau/zero_scrolls", "scrolls": "tau/scrolls"}
#: Seconds that the Hub may take for its first answer.
ANSWER_WITHIN = 10.0
#: Seconds without a single new byte after which a download is given up.
PATIENCE = 30.0
# The library tells of its progress piece by piece. Its own 10 MB would make a slow line look like a stalled one.
_PIECE = 64 * 1024
# Errors that tell of a mistake in a program, not of the line or the Hub.
_MISTAKES = (AssertionError, AttributeError, ImportError, LookupError, NameError, TypeError)
_COMMIT = re.compile(r"[0-9a-f]{40}")

#: Called with the share done (0 to 1) and a few words.
Progress = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file on this computer.

    Attributes:
        path: where it lies, in the library's cache.
        commit: the commit of the repo that it was read at, 40 hexadecimal digits.
        note: why it is an older copy from the cache, when the Hub was asked in vain; otherwise `None`.
    """

    path: Path
    commit: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file of a dataset repo at a revision."""

    repo: str
    name: str
    revision: str

    def cached(self) -> Fetched | None:
        """The file as it lies in the cache, as it was at that revision when last seen."""
        library = _library()
        path = library.try_to_load_from_cache(self.repo, self.name, revision=self.revision, repo_type="dataset")
        return self.at(path) if isinstance(path, str) else None

    def at(self, path: str) -> Fetched:
        """The file at that path of the cache, `snapshots/<commit>/<name>`."""
        return Fetched(Path(path), Path(path).parents[self.name.count("/")].name)

    def explain(self, error: Exception) -> SourceUnavailable:
        """Why it could not be had."""
        address = _library().constants.ENDPOINT
        return explain(error, address=address, repo=self.repo, name=self.name, revision=self.revision)


def fetch(
    name: str, *, repo: str = REPOS["zero_scrolls"], revision: str | None = None, progress: Progress | None = None
) -> Fetched:
    """A file of a dataset repo, from the Hub or from the cache.

    Args:
        name: the file's path in the repo, `qasper.zip`.
        repo: owner and name.
        revision: a branch, a tag or a commit; `main` by default.
        progress: called with the share done and a few words, in the calling thread.

    Raises:
        SourceUnavailable: for every failure.
    """
    wanted = Wanted(repo, name, revision or "main")
    try:
        return run_watched(partial(_attempt, wanted), patience=PATIENCE, told=_teller(name, progress))
    except Stalled as error:
        return _instead(wanted, wanted.explain(error))
    except SourceUnavailable as error:
        return _instead(wanted, error)
    finally:
        if progress:
            progress(1.0, "")


def _instead(wanted: Wanted, unavailable: SourceUnavailable) -> Fetched:
    """The copy in the cache, when it is the line that failed and there is one."""
    known = wanted.cached() if unavailable.is_of_the_line else None
    if known is None:
        raise unavailable
    return Fetched(known.path, known.commit, f"{unavailable.why}; this is the copy in the cache")


def _attempt(wanted: Wanted, tell: Tell) -> Fetched:
    try:
        if _COMMIT.fullmatch(wanted.revision) and (known := wanted.cached()):
            return known
        return _download(wanted, tell)
    except (*_MISTAKES, SourceUnavailable):
        raise
    except Exception as error:
        raise wanted.explain(error) from error


def _library() -> Any:
    """The library, imported when it is needed: it takes a while."""
    import huggingface_hub  # noqa: PLC0415
    from huggingface_hub import constants  # noqa: PLC0415

    constants.DOWNLOAD_CHUNK_SIZE = _PIECE
    return huggingface_hub


def _download(wanted: Wanted, tell: Tell) -> Fetched:
    """Ask for the file's state first, once: on its own the library would try again for minutes."""
    library = _library()
    us = {"library_name": "zero-scrolls", "library_version": VERSION}
    url = library.hf_hub_url(wanted.repo, wanted.name, repo_type="dataset", revision=wanted.revision)
    state = library.get_hf_file_metadata(url, timeout=ANSWER_WITHIN, **us)
    if wanted.name.endswith(".zip") and (state.size or 0) > limits.MAX_ZIP_BYTES:
        raise _too_large(wanted, state.size)
    tell(0, state.size)
    path = library.hf_hub_download(
        wanted.repo,
        wanted.name,
        repo_type="dataset",
        revision=wanted.revision,
        etag_timeout=ANSWER_WITHIN,
        tqdm_class=_bar(tell),
        **us,
    )
    return wanted.at(path)


def _too_large(wanted: Wanted, size: int) -> SourceUnavailable:
    """Said before it is fetched: NarrativeQA in SCROLLS is 8 GB."""
    why = f"{wanted.name} of {wanted.repo} is {limits.size(size)}, more than the {limits.size(limits.MAX_ZIP_BYTES)} "
    step = f"unpack it yourself and take what you need of it as a folder, {Path(wanted.name).stem}/<split>.jsonl"
    return SourceUnavailable("too-large", f"{why}that are read", step)


def _teller(name: str, progress: Progress | None) -> Tell:
    def told(done: int, total: int | None) -> None:
        if progress:
            of = f" of {limits.size(total)}" if total else ""
            progress(min(done / total, 0.99) if total else 0.0, f"{name}: {limits.size(done)}{of}")

    return told


def _bar(tell: Tell) -> type:
    """What the library takes for a progress bar: it makes one, or two for the Hub's newer storage, and updates them."""
    return type("Bar", (_Bar,), {"tell": staticmethod(tell)})


class _Bar:
    tell: Tell

    def __init__(self, *_: object, total: int | None = None, initial: int = 0, **__: object) -> None:
        self.total, self.n = total, initial

    def __enter__(self) -> object:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is to be cleared."""

    def update(self, count: float | None = 1) -> None:
        self.n += int(count or 0)
        self.tell(self.n, self.total)

    def close(self, *_: object, **__: object) -> None:
        """Nothing is to be closed; nor drawn, for the two that are the same."""

    refresh = set_postfix_str = close
