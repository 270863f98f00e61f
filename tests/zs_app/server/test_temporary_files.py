"""Files on the server's disk: which are accepted as uploads, and when they are removed."""

import os
import time
from pathlib import Path

import pytest

from zs_app.server.temporary_files import is_kept_here, new_folder, remove_old_files


@pytest.fixture
def uploads(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "uploads"))
    return tmp_path / "uploads"


def test_files_for_a_visitor_are_in_a_folder_that_nobody_can_guess(uploads):
    first, second = new_folder(), new_folder()
    assert first != second
    assert (first.parent, len(first.name)) == (uploads, 64)
    assert is_kept_here(str(first / "report.json"))


@pytest.mark.parametrize("inside", ["", "x.csv", "0/x.csv", "{hex}", "{hex}/a/b", "{hex}/..", "{HEX}/x", "../{hex}/x"])
def test_only_a_file_in_such_a_folder_is_taken_for_an_upload(uploads, inside):
    assert not is_kept_here(str(uploads / inside.format(hex="0a" * 32, HEX="0A" * 32)))
    assert not is_kept_here(inside.format(hex="0a" * 32, HEX="0A" * 32))


def made(path: Path, age: float) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x", encoding="utf-8")
    for changed in (path, path.parent):
        os.utime(changed, (time.time() - age,) * 2)
    return path


def test_uploads_reports_and_what_was_never_finished_are_removed_in_time(uploads, monkeypatch):
    old = [made(uploads / ("0a" * 32) / "qasper.json", 4_000), made(uploads / "tmpx1y2", 400)]
    new = [made(uploads / ("0b" * 32) / "qasper.json", 100), made(uploads / "tmpz3", 100)]
    others = [made(uploads / "notes" / "mine.txt", 9_000), made(uploads / "mine.txt", 9_000)]
    now = time.time()
    monkeypatch.setattr("zs_app.server.temporary_files.time.time", lambda: now)
    remove_old_files()
    assert all(path.exists() for path in (*new, *others, old[0]))  # touched just now, as its inode tells
    assert not old[1].exists()
    monkeypatch.setattr("zs_app.server.temporary_files.time.time", lambda: now + 3_100)
    remove_old_files()
    assert not any(path.exists() for path in (*old, *new))
    assert all(path.exists() for path in others)
    monkeypatch.setattr("zs_app.server.temporary_files.time.time", lambda: now + 7_000)
    remove_old_files()
    assert sorted(path.name for path in uploads.iterdir()) == ["mine.txt", "notes"]


def test_where_nothing_was_uploaded_there_is_nothing_to_remove(uploads):
    remove_old_files()
