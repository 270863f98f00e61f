"""Scored files are kept for a while, on a shelf with an end."""

import pytest

from zs_app import shelf
from zs_app.shelf import FileGone, Key, Shelf, from_shelf


def test_what_is_put_is_found_by_its_key_alone():
    kept = Shelf()
    key, other = kept.put("one", 1), kept.put("two", 1)
    assert (kept.get(key), kept.get(other)) == ("one", "two")
    assert key != other
    with pytest.raises(FileGone, match="score it again"):
        kept.get(Key("0" * 32))


def test_the_file_unused_longest_makes_room(monkeypatch):
    monkeypatch.setattr(shelf, "MAX_FILES", 2)
    kept = Shelf()
    first, second = kept.put("one", 1), kept.put("two", 1)
    kept.get(first)
    third = kept.put("three", 1)
    assert (kept.get(first), kept.get(third)) == ("one", "three")
    with pytest.raises(FileGone):
        kept.get(second)


def test_heavy_files_make_room_for_each_other_and_the_last_one_always_stays(monkeypatch):
    monkeypatch.setattr(shelf, "MAX_CHARACTERS", 10)
    kept = Shelf()
    first, second = kept.put("one", 6), kept.put("two", 6)
    assert kept.get(second) == "two"
    with pytest.raises(FileGone):
        kept.get(first)
    assert kept.get(kept.put("huge", 100)) == "huge"


def test_a_file_is_kept_an_hour_after_it_was_last_looked_at(monkeypatch):
    now = 0.0
    monkeypatch.setattr(shelf.time, "monotonic", lambda: now)
    kept = Shelf()
    key = kept.put("one", 1)
    now = 3_000.0
    assert kept.get(key) == "one"
    now = 6_601.0
    kept.tidy()
    assert not kept._kept


def test_a_handler_gets_the_file_for_its_key_and_the_text_of_a_visitor_as_it_is():
    key = shelf.SHELF.put(["a file"], 1)
    assert from_shelf(lambda *values: values)(key, str(key), 3) == (["a file"], str(key), 3)
