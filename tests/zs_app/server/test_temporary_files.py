"""Files on the server's disk: which are accepted as uploads, and when they are removed."""

import os
import time
from pathlib import Path

import pytest
from written_files import write

from zs_app.result_tables import new_result, result_path
from zs_app.server import temporary_files
from zs_app.server.temporary_files import DOWNLOADS, is_kept_here, new_folder, own_temporary_folder, remove_old_files


@pytest.fixture
def uploads(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "uploads"))
    return tmp_path / "uploads"


def test_only_a_file_in_a_folder_that_nobody_can_guess_is_taken_for_an_upload(uploads):
    folder = new_folder()
    assert (folder.parent, folder.is_dir(), len(folder.name), folder == new_folder()) == (uploads, True, 64, False)
    assert is_kept_here(str(folder / "report.json"))
    for inside in ("", "x.csv", "0/x.csv", "{}", "{}/a/b", "{}/..", "../{}/x", "results/{}.sqlite"):
        assert not is_kept_here(str(uploads / inside.format("0a" * 32))), inside
        assert not is_kept_here(inside.format("0a" * 32)), inside
    assert not is_kept_here(str(uploads / ("0A" * 32) / "x"))


def pass_time(monkeypatch, seconds):
    monkeypatch.setattr(temporary_files.time, "time", lambda: time.time_ns() / 1e9 + seconds)


def test_uploads_results_and_what_was_never_finished_are_removed_an_hour_after_their_last_use(uploads, monkeypatch):
    remove_old_files()  # where nothing was uploaded there is nothing to remove
    result = new_result()
    names = ["0a" * 32 + "/qasper.json", "tmpx1y2", f"results/{result.name}", "downloads/datasets--a--b/blobs/0"]
    for name in names:
        write(uploads / name, "x")
    os.utime(result, (0, 0))
    result_path(result.stem)
    assert result.stat().st_mtime > 0
    pass_time(monkeypatch, 3_500)
    remove_old_files()
    assert all((uploads / name).exists() for name in names)
    pass_time(monkeypatch, 3_700)
    remove_old_files()
    assert [path.name for path in uploads.rglob("*")] == ["results"]


def test_a_servers_own_folder_is_removed_at_its_end_and_that_of_a_killed_one_an_hour_later(tmp_path, monkeypatch):
    parent = tmp_path / "not" / "there"
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(parent))
    monkeypatch.setenv(DOWNLOADS, "")  # so that it is as it was afterwards
    with own_temporary_folder():
        assert Path(os.environ[DOWNLOADS]).parent == Path(os.environ["GRADIO_TEMP_DIR"])
        folder, mine = Path(os.environ["GRADIO_TEMP_DIR"]), parent / "zero-scrolls-app-notes"
        mine.mkdir()
        made = folder.stat().st_ctime_ns
        remove_old_files()
        assert (folder.parent, folder.is_dir(), folder.stat().st_ctime_ns > made) == (parent, True, True)
        monkeypatch.setenv("GRADIO_TEMP_DIR", str(parent))
        for seconds, is_left in ((3_500, True), (3_700, False)):
            pass_time(monkeypatch, seconds)
            with own_temporary_folder():
                assert folder.exists() == is_left
            monkeypatch.setenv("GRADIO_TEMP_DIR", str(parent))
    assert list(parent.iterdir()) == [mine]
