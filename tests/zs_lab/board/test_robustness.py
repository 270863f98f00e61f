"""What submitters send and what disks do: nothing breaks the list, the endpoints or the start."""

import json
import sqlite3
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from boards import MANY, invited, make_board, predictions, submit
from sqlalchemy import text
from written_files import write

from zs_lab.board import BoardError, NoBoard, NotAccepted, open_board, owner
from zs_lab.board.board import Board
from zs_lab.board.database import ENTRIES, SCORES

#: Values of a setting in run.json that are refused, and why each would do harm.
BAD_SETTINGS = [
    "a\ud800b",  # no response can hold it
    "a\u202eb",  # turns the direction of the line
    "m" * 101,
    "a\x00b",
    float("nan"),  # not JSON
    float("-inf"),
    10**16,
    10**4_000,  # larger than a float
]
BAD_DETAILS: list[dict[str, Any]] = [
    *(
        {"system": name}
        for name in ("", "a" * 81, "a\u202eb", "\u3164", "\u2800\u2800", "a" + "\u0301" * 9, "…", None, 3)
    ),
    *({"link": link} for link in ("javascript:alert(1)", "https://", "https://e.org/\u202e", "http://user:pw@h/")),
    *({"link": link} for link in ("https://x/ javascript:", "https://e.org/" + "a" * 300, "https://[")),
    *({"note": note} for note in ("n" * 501, "\x1b[2J", "\ud800", 5)),
]


def test_details_that_cannot_be_shown_are_refused_before_anything_is_kept(tmp_path: Path) -> None:
    board, file, run = make_board(tmp_path), predictions(tmp_path, 3), tmp_path / "run.json"
    submitter = invited(board)
    for details in BAD_DETAILS:
        with pytest.raises(NotAccepted, match="must be"):
            board.submit(submitter, predictions=file, **{"system": "S", **details})
    for value in BAD_SETTINGS:
        write(run, json.dumps({"settings": {"model": value}}))
        with pytest.raises(NotAccepted, match=r"run\.json: model must be"):
            board.submit(submitter, system="S", predictions=file, run=run)
    for content in ("{", "[]", "[" * 100_000, '{"settings": 3}', "{}", '{"settings": {"seed": 1' + "0" * 5_000 + "}}"):
        write(run, content)
        with pytest.raises(NotAccepted, match=r"run\.json"):
            board.submit(submitter, system="S", predictions=file, run=run)
    assert owner.submissions(board) == []
    settings = {"model": " a\nmodel ", "temperature": 0.5, "source": "/home/a/b", "seed": [1], "budget": None}
    entry = submit(board, tmp_path, 3, run=write(run, {"settings": settings}))
    assert dict(entry.run) == {"model": "a model", "temperature": 0.5}  # without private ones


def test_no_number_or_text_that_a_program_gives_ends_in_an_error_of_the_database(board: Board, tmp_path: Path) -> None:
    entry, submitter = submit(board, tmp_path, 20), invited(board)
    for number in (0, -1, 2**40, 2**70):
        for act in (lambda n: board.withdraw(submitter, n), lambda n: owner.hide(board, n)):
            with pytest.raises(BoardError, match=r"no entry|database can hold"):
                act(number)
    for name in ("", "a\0", "\0", "a\ud800", "a" * 100_000):
        for call in (
            board.hub_submitter,
            board.submitter_of,
            lambda n: owner.revoke(board, n),
            lambda n: owner.invite(board, n),
        ):
            with pytest.raises(BoardError):
                call(name)
    assert [one.id for one in board.entries()] == [entry.id]


def test_a_row_damaged_in_the_database_is_set_aside_and_the_rest_is_shown(board: Board, tmp_path: Path) -> None:
    kept = submit(board, tmp_path, 38)
    for number, damage in enumerate(
        (
            {"run": '{"model": "a\\ud800b"}'},
            {"run": '{"temperature": NaN}'},
            {"run": f'{{"seed": {10**4_000}}}'},
            {"run": "{"},
            {"system": "a\u202eb"},
            {"shown": "[]"},
            {"submitted": "yesterday"},
            {"effects": b"123"},
            {"effects": b"1" * 8, "points": '{"quality": [50, 50, 10, 1], "space_digest": [50, 50, 10, 1]}'},
            {"points": '{"quality": [NaN, 50, 10, 40]}'},
            {"points": '{"quality": [50, 50, 0, 40]}'},
            {"points": "[]"},
        )
    ):
        damaged = submit(board, tmp_path, 30 - number, f"team {number}", f"S{number}")
        table, id_ = (ENTRIES, ENTRIES.c.id) if damage.keys() <= {*ENTRIES.c.keys()} else (SCORES, SCORES.c.entry)
        with board.database.writing() as connection:
            connection.execute(table.update().where(id_ == damaged.id).values(**damage))
    again = open_board(board.database.file or board.database.name.replace("+psycopg", ""))
    assert [(entry.id, entry.rank) for entry in again.entries() if entry.system != "S8"] == [(kept.id, 1)]
    json.dumps([asdict(entry) for entry in again.entries()]).encode("utf-8")
    assert len(again.history(invited(again, "team 0"))) == 1
    remarks = [one.entry.remark for one in owner.submissions(again)]
    assert remarks.count("This entry is damaged in the database.") == 7
    owner.rescore(again, yes=True)
    assert {entry.system for entry in again.entries()} == {"S", "S5", *(f"S{number}" for number in range(7, 12))}
    assert submit(again, tmp_path, 12, "late").id in {entry.id for entry in again.entries()}


def test_other_and_torn_files_are_refused_in_one_sentence(tmp_path: Path) -> None:
    board = make_board(tmp_path / "board")
    submit(board, tmp_path, 20)
    with sqlite3.connect(tmp_path / "board" / "board.sqlite") as connection:  # a text that is no UTF-8 stops nothing
        connection.execute("UPDATE entries SET note = CAST(x'ff41' AS TEXT)")
    connection.close()
    assert len(board.entries()) == 1
    place, whole = tmp_path / "b.sqlite", (tmp_path / "board" / "board.sqlite").read_bytes()
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
    for schema, said in (("99", "a newer version of zero-scrolls, update"), ("1", "an older version")):
        with board.database.writing() as connection:
            connection.execute(text("UPDATE settings SET value = :x WHERE name = 'schema'"), {"x": schema})
        with pytest.raises(NoBoard, match=f"was made by {said}"):
            open_board(tmp_path / "board" / "board.sqlite")


def test_a_board_is_read_without_writing_a_file_beside_it(tmp_path: Path) -> None:
    """So that a full disk and a folder that cannot be written do not stop readers."""
    board = make_board(tmp_path / "board")
    submitter = invited(board)
    entry = submit(board, tmp_path, 20)
    before = {path.name: path.read_bytes() for path in (tmp_path / "board").iterdir()}
    (tmp_path / "board").chmod(0o555)
    (tmp_path / "board" / "board.sqlite").chmod(0o444)
    try:
        again = open_board(tmp_path / "board" / "board.sqlite")
        assert again.entries() == again.history(submitter) == [entry]
        assert again.check(submitter, predictions(tmp_path, 5)) is not None
        assert {path.name: path.read_bytes() for path in (tmp_path / "board").iterdir()} == before
    finally:
        (tmp_path / "board").chmod(0o755)


def test_limits_of_uploads_do_not_hold_for_kept_predictions(tmp_path: Path) -> None:
    """2,000,000 commas are more than a JSON file may have, and a CSV has no such limit."""
    board = make_board(tmp_path, settings=MANY)
    entry = board.submit(invited(board), system="S", predictions=predictions(tmp_path, 20, wrong=f'"{"," * 60_000}"'))
    assert owner.rescore(board, yes=True) == ("0 entries changed.", "", 0)
    assert board.entries()[0].id == entry.id
