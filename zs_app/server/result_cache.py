"""Scored files, kept on disk for an hour after their last use.

A result has a random id, known only to the visitor's browser, which is also the name of the folder with its reports for
download. A private folder of the same name has the data of the page; `result_tables.py` stores the predictions there.
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
_REPORT, _PAGE = "report.json", "page.json"
_GONE = "this file was scored a while ago and is no longer kept; score it again"


class ResultGone(ZeroScrollsError):
    """The result of that id is no longer kept."""


class Result(NamedTuple):
    """A new result: its id, the folder for downloads, and the private folder."""

    id: str
    public: Path
    private: Path


def new_result() -> Result:
    """Create the folders of a new result."""
    name = secrets.token_hex(32)
    public, private = upload_folder() / name, upload_folder() / RESULTS / name
    for folder in (public, private):
        folder.mkdir(parents=True)
    return Result(name, public, private)


def result_folder(result: object) -> Path:
    """The private folder of a result, which is kept for another hour.

    Raises:
        ResultGone: if there is no such result.
    """
    folder = upload_folder() / RESULTS / str(result)
    if not isinstance(result, str) or not _ID.fullmatch(result) or not folder.is_dir():
        raise ResultGone(_GONE)
    os.utime(folder)
    return folder


def forget(result: object) -> None:
    """Remove a result, if it exists; its reports can still be downloaded for a while."""
    if isinstance(result, str) and _ID.fullmatch(result):
        remove_folder(upload_folder() / RESULTS / result)


def write_result(folder: Path, report: dict[str, Any], page: dict[str, Any]) -> None:
    """Write the report of a scored file, without examples, and the data of the page into its private folder."""
    (folder / _REPORT).write_text(json.dumps(report), encoding="utf-8")
    (folder / _PAGE).write_text(json.dumps(page), encoding="utf-8")


def kept_report(result: object) -> dict[str, Any]:
    """The report of a result, without examples; raises `ResultGone`."""
    return _kept(result, _REPORT)


def kept_page(result: object) -> dict[str, Any]:
    """The data of the page for a result; raises `ResultGone`."""
    return _kept(result, _PAGE)


def _kept(result: object, name: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((result_folder(result) / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ResultGone(_GONE) from None
    return found
