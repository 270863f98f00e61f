"""What a submitter says of a submission, checked before it is shown to others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from zs_bench.board.entry import NotAccepted
from zs_bench.board.scores import public_settings

#: Characters of a system's name, of a link and of a note; bytes of a `run.json`.
MAX_NAME, MAX_LINK, MAX_NOTE, MAX_RUN = 80, 300, 500, 1_000_000


def clean_details(system: str, link: str | None, note: str | None) -> dict[str, str | None]:
    """The details, each on one line.

    Raises:
        NotAccepted: for a name, link or note that cannot be shown.
    """
    name, where = clean_name(system, "the system"), _one_line(link)
    if where and (len(where) > MAX_LINK or not _is_web_address(where)):
        raise NotAccepted(
            f"the link must begin with https:// or http:// and have at most {MAX_LINK} characters; correct it"
        )
    text = _one_line(note)
    if text and (len(text) > MAX_NOTE or not text.isprintable()):
        raise NotAccepted(f"the note must have at most {MAX_NOTE} characters, all of them printable; shorten it")
    return {"system": name, "link": where, "note": text}


def clean_name(name: str, whose: str) -> str:
    """A name on one line.

    Raises:
        NotAccepted: for an empty one, and for one that cannot be shown.
    """
    found = _one_line(name)
    if not found or len(found) > MAX_NAME or not found.isprintable():
        raise NotAccepted(f"the name of {whose} must have 1 to {MAX_NAME} printable characters; give another")
    return found


def _one_line(text: str | None) -> str | None:
    return " ".join((text or "").split()) or None


def _is_web_address(link: str) -> bool:
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and link.isascii() and link.isprintable()


def read_run_file(path: str | Path) -> dict[str, Any]:
    """The settings in a `run.json` that are shown.

    Raises:
        NotAccepted: when it is not one.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_RUN + 1)
        settings = json.loads(data)["settings"] if len(data) <= MAX_RUN else {}
        return public_settings(settings)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise NotAccepted("run.json cannot be read; give the one in the folder of a run, or leave it out") from None
