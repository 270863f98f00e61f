"""Create or update a Space, in one commit, through `huggingface_hub` itself: its token, its address, its protocols.

The commit makes the Space hold exactly the files given: it adds and changes, and deletes what is no longer among them.
A Space that somebody uses for something else is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from zs_bench.install import SCRIPTS
from zs_bench.problems import UnusableInput, short
from zs_bench.publishing.refusals import FOREIGN, NO_TOKEN, NotPublished, explain, refusal
from zs_bench.sources.watched import Tell, run_watched
from zs_metric.version import VERSION

#: Seconds that one step may take, the longest being the commit of some megabytes.
PATIENCE = 180.0
#: What the Hub itself puts into a new Space.
_OF_THE_HUB = frozenset({".gitattributes", "README.md"})
# Errors that tell of a mistake in a program, not of the line or the Hub.
_MISTAKES = (AssertionError, AttributeError, ImportError, LookupError, NameError, TypeError)


@dataclass(frozen=True, slots=True)
class Published:
    """A Space as it is now.

    Attributes:
        address: its page.
        commit: its commit, 40 hexadecimal digits.
        changed: whether that is a new one; otherwise the Space had all this already.
        deleted: the paths that the commit deleted.
    """

    address: str
    commit: str
    changed: bool
    deleted: tuple[str, ...]


def check_name(space: str) -> None:
    """Nothing, when it can be the name of a Space.

    Raises:
        UnusableInput: otherwise.
    """
    try:
        _library().utils.validate_repo_id(space)
        good = space.count("/") == 1 and space.isascii()
    except ValueError:
        good = False
    if not good:
        raise UnusableInput(
            f"{short(space)!r} is no name of a Space; write OWNER/NAME: letters, digits, '-', '_' and '.', such as "
            f"you/{SCRIPTS[0]}"
        )


def publish(space: str, files: Mapping[str, bytes], *, private: bool = False) -> Published:
    """Make the Space hold these files.

    Args:
        space: owner and name; made when there is none.
        files: path in the Space to content.
        private: make it private, also when it is there and public; otherwise it stays as it is, a new one is public.

    Raises:
        UnusableInput: for a name that is none.
        NotPublished: for every other failure.
    """
    check_name(space)
    library = _library()
    address = library.constants.ENDPOINT
    if library.get_token() is None:
        raise refusal(NO_TOKEN, address=address, space=space)
    work = partial(_publish, library, space, files, private=private)
    try:
        return run_watched(work, patience=PATIENCE, told=lambda *_: None)
    except (NotPublished, *_MISTAKES):
        raise
    except Exception as error:
        raise explain(error, address=address, space=space) from error


def _library() -> Any:
    """The library, imported when it is needed: it takes a while."""
    import huggingface_hub  # noqa: PLC0415
    from huggingface_hub import constants, utils  # noqa: F401, PLC0415

    return huggingface_hub


def _publish(library: Any, space: str, files: Mapping[str, bytes], tell: Tell, *, private: bool) -> Published:
    api = library.HfApi(library_name="zero-scrolls", library_version=VERSION)
    api.create_repo(space, repo_type="space", space_sdk="gradio", exist_ok=True, private=private or None)
    tell(1, None)
    now = api.repo_info(space, repo_type="space")
    there = {file.rfilename for file in now.siblings or []}
    _check_is_ours(there, api.endpoint, space)
    if private and not now.private:
        api.update_repo_settings(space, private=True, repo_type="space")
    tell(2, None)
    gone = sorted(path for path in there - files.keys() if not path.startswith(".git"))
    commit = api.create_commit(
        space,
        [
            *(library.CommitOperationAdd(path, content) for path, content in files.items()),
            *(library.CommitOperationDelete(path) for path in gone),
        ],
        commit_message=f"Version {VERSION}",
        repo_type="space",
        parent_commit=now.sha,
    )
    return Published(f"{api.endpoint}/spaces/{space}", commit.oid, commit.oid != now.sha, tuple(gone))


def _check_is_ours(there: set[str], address: str, space: str) -> None:
    others = sorted(there - _OF_THE_HUB)
    if others and f"{SCRIPTS[0]}.py" not in there:
        raise refusal(FOREIGN, address=address, space=space, name=short(", ".join(others[:3])))
