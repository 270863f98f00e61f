"""Scored files, kept on disk for an hour after they were last looked at, where other visitors cannot push them out.

A result has an id that nobody can guess, which the visitor's browser holds; that is also the name of the folder with
the reports for download. What the page looks up is in a private folder of the same name. (`result_tables.py`
has the answers.)
"""

from __future__ import annotations

import json
import os
import re
import secrets
from pathlib import Path
from typing import Any, NamedTuple

from zs_app.server.temporary_files import RESULTS, remove_folder, upload_folder
from zs_metric.errors import ZeroScrollsError

_ID = re.compile("[0-9a-f]{64}")
_REPORT, _SHOWN = "report.json", "shown.json"


_GONE = "this file was scored a while ago and is no longer kept; score it again"


class ResultGone(ZeroScrollsError):
    """A scored file that is no longer kept."""


class Result(NamedTuple):
    """A new result: its id, the folder for downloads, and the private one."""

    id: str
    public: Path
    private: Path


def new_result() -> Result:
    """A result without anything in it yet."""
    name = secrets.token_hex(32)
    public, private = upload_folder() / name, upload_folder() / RESULTS / name
    for folder in (public, private):
        folder.mkdir(parents=True)
    return Result(name, public, private)


def result_folder(result: object) -> Path:
    """The private folder of a result, which is now kept for another hour.

    Raises:
        ResultGone: for an id of none, or of one that is no longer kept.
    """
    folder = upload_folder() / RESULTS / str(result)
    if not isinstance(result, str) or not _ID.fullmatch(result) or not folder.is_dir():
        raise ResultGone(_GONE)
    os.utime(folder)
    return folder


def forget(result: object) -> None:
    """Remove what is kept of a result, if anything is; its reports can still be downloaded for a while."""
    if isinstance(result, str) and _ID.fullmatch(result):
        remove_folder(upload_folder() / RESULTS / result)


def write_result(folder: Path, report: dict[str, Any], shown: dict[str, Any]) -> None:
    """Write into its private folder the report of a scored file without its examples, and what the page shows."""
    (folder / _REPORT).write_text(json.dumps(report), encoding="utf-8")
    (folder / _SHOWN).write_text(json.dumps(shown), encoding="utf-8")


def kept_report(result: object) -> dict[str, Any]:
    """The report of a result without its examples.

    Raises:
        ResultGone: when the result is no longer kept.
    """
    return _kept(result, _REPORT)


def kept_page(result: object) -> dict[str, Any]:
    """What the page shows of a result.

    Raises:
        ResultGone: when the result is no longer kept.
    """
    return _kept(result, _SHOWN)


def _kept(result: object, name: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((result_folder(result) / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ResultGone(_GONE) from None
    return found
