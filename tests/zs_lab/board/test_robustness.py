"""What submitters send and what disks do: nothing breaks the list, the endpoints or the start."""

import json
import sqlite3
import sys
from dataclasses import asdict

import pytest
from boards import MANY, invited, make_board, predictions, submit
from sqlalchemy import text
from written_files import write

from zs_bench.errors import MissingExtra
from zs_lab.board import BoardError, NoBoard, NotAccepted, open_board, owner
from zs_lab.board.database import ENTRIES, SCORES
from zs_lab.board.scores import packed, unpacked


def run_json(**settings):
    return json.dumps({"settings": settings})


#: By the message, the details that it refuses.
REFUSED = {
    "the name of the system must be one line of 1 to 80": [
        {"system": name}
        for name in (
            "",
            "a" * 81,
            "a\u202eb",
            "\u3164",
            "\u2800\u2800",
            "a" + "\u0301" * 9,
            "ก" + "\u0e49" * 70,
            "ཀ" + "\u0f71" * 60,
            "…",
            None,
            3,
        )
    ],
    "the link must be a web address": [
        {"link": link}
        for link in (
            "javascript:alert(1)",
            "https://",
            "http://u:pw@h/",
            "https://@host/",
            "https://host:99999999/",
            "https://host:0/",
            "https://x/ javascript:",
            "https://[",
            "http://ä",
        )
    ],
    "the link must be one line": [{"link": f"https://e.org/{end}"} for end in ("\u202e", "a" * 300)],
    "the note must be one line of at most 500": [{"note": note} for note in ("n" * 501, "\x1b[2J", "\ud800", 5)],
    r"run\.json: model must be one line": [
        {"run": run_json(model=model)} for model in ("a\ud800b", "a\u202eb", "m" * 101, "a\x00b")
    ],
    r"run\.json: seed must be a number of at most 15 digits": [
        {"run": run_json(seed=number)} for number in (float("nan"), float("-inf"), 10**16, 10**4_000, True)
    ],
    r"run\.json cannot be read; give the one": [
        {"run": content}
        for content in (
            "{",
            "[]",
            "[" * 100_000,
            '{"settings": {"seed": 1' + "0" * 5_000 + "}}",
            " " * 1_000_000 + "{}",
        )
    ],
    r"run\.json has no settings": [{"run": '{"settings": 3}'}, {"run": "{}"}],
}


@pytest.mark.parametrize("said", REFUSED)
def test_details_that_cannot_be_shown_are_refused_before_anything_is_kept(tmp_path, said):
    board, file = make_board(tmp_path), predictions(tmp_path, 3)
    for details in REFUSED[said]:
        run = {"run": write(tmp_path / "run.json", details["run"])} if "run" in details else {}
        with pytest.raises(NotAccepted, match=said):
            board.submit(invited(board), predictions=file, **{"system": "S", **details, **run})
    assert owner.submissions(board) == []


def test_the_longest_details_and_the_public_settings_of_a_run_are_kept(board, tmp_path):
    settings = {"model": " a\nmodel ", "temperature": 0.5, "source": "/home/a/b", "seed": [1], "budget": None}
    run = write(tmp_path / "run.json", run_json(**settings, variant=" ", revision="r" * 100, answer_budget=10**15))
    details = {"link": "http://e.org/" + "a" * 287, "note": "n" * 500}
    entry = submit(board, tmp_path, 3, system="s" * 80, run=run, **details)
    assert entry.run == {"model": "a model", "revision": "r" * 100, "answer_budget": 10**15, "temperature": 0.5}
    assert (entry.system, entry.link, entry.note) == ("s" * 80, *details.values())


def test_no_number_or_text_that_a_program_gives_ends_in_an_error_of_the_database(board, tmp_path):
    entry, submitter = submit(board, tmp_path, 20), invited(board)
    for number in (0, -1, 2**40, 2**70):
        for act in (lambda n: board.withdraw(submitter, n), lambda n: owner.hide(board, n)):
            with pytest.raises(BoardError, match=r"no entry|database can hold"):
                act(number)
    calls = (
        board.hub_submitter,
        board.submitter_of,
        lambda n: owner.revoke(board, n),
        lambda n: owner.invite(board, n),
    )
    for name in ("", "a\0", "\0", "a\ud800", "a" * 100_000):
        for call in calls:
            with pytest.raises(BoardError):
                call(name)
    assert [listed.id for listed in board.entries()] == [entry.id]


def test_a_row_damaged_in_the_database_is_set_aside_and_the_rest_is_shown(place, board, tmp_path):
    kept = submit(board, tmp_path, 38)
    for number, damage in enumerate(
        (
            {"run": '{"model": "a\\ud800b"}'},
            {"run": '{"temperature": NaN}'},
            {"run": f'{{"seed": {10**4_000}}}'},
            {"run": "{"},
            {"system": "a\u202eb"},
            {"submitted": "yesterday"},
            {"points": '{"quality": [40, NaN], "space_digest": [40, 50]}'},
            {"points": '{"quality": [0, 50]}'},
            {"points": '{"quality": [40]}'},
            {"points": "[]"},
        )
    ):
        damaged = submit(board, tmp_path, 30 - number, f"team {number}", f"S{number}")
        table, id_ = (ENTRIES, ENTRIES.c.id) if damage.keys() <= {*ENTRIES.c.keys()} else (SCORES, SCORES.c.entry)
        with board.database.writing() as connection:
            connection.execute(table.update().where(id_ == damaged.id).values(**damage))
    again = open_board(place)
    assert [(entry.id, entry.rank) for entry in again.entries()] == [(kept.id, 1)]
    json.dumps([asdict(entry) for entry in again.entries()]).encode("utf-8")
    assert len(again.history(invited(again, "team 0"))) == 1
    remarks = [kept.entry.remark for kept in owner.submissions(again)]
    assert remarks.count("This entry is damaged in the database.") == 6
    owner.rescore(again, yes=True)
    assert {entry.system for entry in again.entries()} == {"S", *(f"S{number}" for number in range(6, 10))}
    assert submit(again, tmp_path, 12, "late").id in {entry.id for entry in again.entries()}


def test_kept_scores_are_those_that_were_computed(board, tmp_path):
    submit(board, tmp_path, 33)
    texts = board.check(invited(board, "B"), predictions(tmp_path, 33)).texts
    scores, _ = board.state.score(texts)
    assert unpacked(packed(scores)) == owner.submissions(board)[0].scores == scores


def test_other_and_torn_files_are_refused_in_one_sentence(tmp_path):
    place = tmp_path / "b.sqlite"
    board = make_board(tmp_path, tmp_path / "whole.sqlite")
    submit(board, tmp_path, 20)
    with sqlite3.connect(board.database.file) as connection:  # a text that is no UTF-8 stops nothing
        connection.execute("UPDATE entries SET note = CAST(x'ff41' AS TEXT)")
    connection.close()
    assert len(owner.submissions(board)) == 1
    whole = board.database.file.read_bytes()
    torn = [whole[:5_000], whole[:4_096], whole[:100] + b"\xff" * (len(whole) - 100)]
    for content in (b"", b"no database", b"x" * 5_000, *torn):
        place.write_bytes(content)
        with pytest.raises(NoBoard) as refused:
            open_board(place)
        assert "\n" not in str(refused.value)
        assert "SELECT" not in str(refused.value)
    for statement in ("CREATE TABLE settings (name TEXT, value TEXT)", "CREATE TABLE settings (other TEXT)"):
        place.unlink()
        with sqlite3.connect(place) as other:
            other.execute(statement)
        other.close()
        with pytest.raises(NoBoard, match="there is no board at"):
            open_board(place)
    for schema, said in (("99", "a newer version of zero-scrolls, update"), ("2", "an older version")):
        with board.database.writing() as connection:
            connection.execute(text("UPDATE settings SET value = :x WHERE name = 'schema'"), {"x": schema})
        with pytest.raises(NoBoard, match=f"was made by {said}"):
            open_board(board.database.file)


def test_a_board_is_read_without_writing_a_file_beside_it(tmp_path):
    """So that a full disk and a folder that cannot be written do not stop readers."""
    folder = tmp_path / "board"
    board = make_board(folder)
    submitter, entry = invited(board), submit(board, tmp_path, 20)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    folder.chmod(0o555)
    (folder / "board.sqlite").chmod(0o444)
    try:
        again = open_board(folder / "board.sqlite")
        assert again.entries() == again.history(submitter) == [entry]
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    finally:
        folder.chmod(0o755)


def test_limits_of_uploads_do_not_hold_for_kept_predictions(tmp_path):
    """2,000,000 commas are more than a JSON file may have, and a CSV has no such limit."""
    board = make_board(tmp_path, settings=MANY)
    entry = board.submit(invited(board), system="S", predictions=predictions(tmp_path, 20, wrong=f'"{"," * 60_000}"'))
    assert owner.rescore(board, yes=True) == ("0 entries changed.", "", 0)
    assert board.entries()[0].id == entry.id


def test_without_its_driver_a_postgresql_address_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r'this needs psycopg; install it with: pip install "psycopg\[binary\]"'):
        open_board("postgresql://a/b")
