"""Scored files are kept for a while, on a shelf with an end."""

from pickle import dumps

import pytest

from zs_app import shelf
from zs_app.shelf import FileGone, Key, Shelf, from_shelf


def test_what_is_put_is_found_by_its_key_alone():
    kept = Shelf()
    key, other = kept.put(dumps("one")), kept.put(dumps("two"))
    assert (kept.get(key), kept.get(other)) == ("one", "two")
    assert key != other
    with pytest.raises(FileGone, match="score it again"):
        kept.get(Key("0" * 32))


def test_the_file_unused_longest_makes_room(monkeypatch):
    monkeypatch.setattr(shelf, "MAX_FILES", 2)
    kept = Shelf()
    first, second = kept.put(dumps("one")), kept.put(dumps("two"))
    kept.get(first)
    third = kept.put(dumps("three"))
    assert (kept.get(first), kept.get(third)) == ("one", "three")
    with pytest.raises(FileGone):
        kept.get(second)


def test_heavy_files_make_room_for_each_other_and_the_last_one_always_stays(monkeypatch):
    monkeypatch.setattr(shelf, "MAX_BYTES", 2 * len(dumps("one")) - 1)
    kept = Shelf()
    first, second = kept.put(dumps("one")), kept.put(dumps("two"))
    assert kept.get(second) == "two"
    with pytest.raises(FileGone):
        kept.get(first)
    assert kept.get(kept.put(dumps("huge" * 100))) == "huge" * 100


def test_a_file_is_kept_an_hour_after_it_was_last_looked_at(monkeypatch):
    now = 0.0
    monkeypatch.setattr(shelf.time, "monotonic", lambda: now)
    kept = Shelf()
    key = kept.put(dumps("one"))
    now = 3_000.0
    assert kept.get(key) == "one"
    now = 6_601.0
    kept.tidy()
    assert not kept._kept


def test_a_handler_gets_the_file_for_its_key_and_the_text_of_a_visitor_as_it_is():
    key = shelf.SHELF.put(dumps(["a file"]))
    assert from_shelf(lambda *values: values)(key, str(key), 3) == (["a file"], str(key), 3)


def test_a_file_that_is_shown_no_longer_makes_room_and_nothing_but_a_key_can_ask_for_that():
    kept = Shelf()
    key, other = kept.put(dumps("one")), kept.put(dumps("two"))
    for nothing in (None, str(other), other.upper()):
        kept.drop(nothing)
    kept.drop(key)
    kept.drop(key)
    assert kept.get(other) == "two"
    with pytest.raises(FileGone):
        kept.get(key)
