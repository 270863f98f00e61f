"""What submitters send and what disks do: nothing breaks the list, the endpoints or the start."""

import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from boards import MANY, invited, make_board, predictions, submit
from sqlalchemy import insert, select, text
from written_files import write

from zs_lab.board import BoardError, NoBoard, NotAccepted, open_board, owner
from zs_lab.board.board import Board
from zs_lab.board.schema import ENTRIES, PREDICTIONS, SCORES, SUBMITTERS, add_to_state
from zs_lab.board.scores import Score, Scores

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


def test_details_that_cannot_be_shown_are_refused_before_anything_is_kept(board: Board, tmp_path: Path) -> None:
    submitter, file = invited(board), predictions(tmp_path, 3)
    for details in BAD_DETAILS:
        with pytest.raises(NotAccepted, match="must be"):
            board.submit(submitter, predictions=file, **{"system": "S", **details})
    for value in BAD_SETTINGS:
        run = write(tmp_path / "run.json", json.dumps({"settings": {"model": value}}))
        with pytest.raises(NotAccepted, match=r"run\.json: model must be"):
            board.submit(submitter, system="S", predictions=file, run=run)
    for content in ("{", "[]", "[" * 100_000, '{"settings": 3}', "{}", '{"settings": {"seed": 1' + "0" * 5_000 + "}}"):
        with pytest.raises(NotAccepted, match=r"run\.json"):
            board.submit(submitter, system="S", predictions=file, run=write(tmp_path / "run.json", content))
    assert owner.submissions(board) == []


def test_no_number_or_text_that_a_program_gives_ends_in_an_error_of_the_database(board: Board, tmp_path: Path) -> None:
    entry, submitter = submit(board, tmp_path, 20), invited(board)
    for number in (0, -1, 2**40, 2**70):
        for act in (
            lambda n: board.withdraw(submitter, n),
            lambda n: owner.hide(board, n),
            lambda n: owner.remark(board, n, "x"),
        ):
            with pytest.raises(BoardError, match=r"no entry|database can hold"):
                act(number)
    for name in ("", "a\0", "\0", "a\ud800", "a" * 100_000):
        for call in (board.hub_submitter, board.submitter_of, lambda n: owner.revoke(board, n)):
            with pytest.raises(BoardError):
                call(name)
        with pytest.raises(BoardError):
            owner.invite(board, name)
    assert [one.id for one in board.entries()] == [entry.id]


def test_only_the_public_settings_of_a_run_are_shown_each_on_one_line(board: Board, tmp_path: Path) -> None:
    settings = {"model": " a\nmodel ", "temperature": 0.5, "source": "/home/a/b", "seed": [1], "budget": None}
    run = write(tmp_path / "run.json", {"settings": settings})
    assert dict(submit(board, tmp_path, 3, run=run).run) == {"model": "a model", "temperature": 0.5}


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
        )
    ):
        damaged = submit(board, tmp_path, 30 - number, f"team {number}")
        with board.database.writing() as connection:
            connection.execute(ENTRIES.update().where(ENTRIES.c.id == damaged.id).values(**damage))
    damaged = submit(board, tmp_path, 20, "another team")
    with board.database.writing() as connection:
        connection.execute(SCORES.update().where(SCORES.c.entry == damaged.id).values(effects=b"123"))
        connection.execute(text("UPDATE settings SET value = '99' WHERE name = 'revision'"))
    again = open_board(str(board.database.file) if board.database.file else _url(board))
    assert [entry.id for entry in again.entries()] == [kept.id]
    json.dumps([entry.as_dict() for entry in again.entries(every=True)]).encode("utf-8")
    assert len(again.history(invited(again, "team 0"))) == 1
    assert [entry.remark for entry in owner.submissions(again)].count("This entry is damaged in the database.") == 7
    assert len(owner.rescore(again, apply=True).changes) > 0
    assert submit(again, tmp_path, 12, "late").id in {entry.id for entry in again.entries()}


def _url(board: Board) -> str:
    return board.database.name.replace("postgresql+psycopg", "postgresql")


def test_a_text_that_is_no_utf_8_does_not_stop_the_list(tmp_path: Path) -> None:
    board = make_board(tmp_path)
    kept, broken = submit(board, tmp_path, 38), submit(board, tmp_path, 20, "B")
    with sqlite3.connect(tmp_path / "board.sqlite") as connection:
        connection.execute("UPDATE entries SET note = CAST(x'ff41' AS TEXT) WHERE id = ?", [broken.id])
    connection.close()
    assert kept.id in {entry.id for entry in open_board(tmp_path / "board.sqlite").entries()}


def test_other_and_torn_files_are_refused_in_one_sentence(tmp_path: Path) -> None:
    board = make_board(tmp_path / "board")
    submit(board, tmp_path, 20)
    place, whole = tmp_path / "b.sqlite", (tmp_path / "board" / "board.sqlite").read_bytes()
    contents = [
        b"",
        b"no database",
        b"x" * 5_000,
        whole[:5_000],
        whole[:4_096],
        whole[:100] + b"\xff" * (len(whole) - 100),
    ]
    for content in contents:
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
        with pytest.raises(NoBoard):
            open_board(place)
    with board.database.writing() as connection:
        connection.execute(text("UPDATE settings SET value = '99' WHERE name = 'schema'"))
    with pytest.raises(NoBoard, match="made by a newer version of zero-scrolls"):
        open_board(tmp_path / "board" / "board.sqlite")


def test_a_board_is_read_without_writing_a_file_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a full disk and a folder that cannot be written do not stop readers."""
    board = make_board(tmp_path / "board")
    submitter = invited(board)
    entry = submit(board, tmp_path, 20)
    before = {path.name: path.read_bytes() for path in (tmp_path / "board").iterdir()}
    (tmp_path / "board").chmod(0o555)
    (tmp_path / "board" / "board.sqlite").chmod(0o444)
    try:
        again = open_board(tmp_path / "board" / "board.sqlite")
        assert again.entries() == [entry]
        assert again.history(submitter) == [entry]
        assert again.check(submitter, predictions(tmp_path, 5)) is not None
        assert {path.name: path.read_bytes() for path in (tmp_path / "board").iterdir()} == before
    finally:
        (tmp_path / "board").chmod(0o755)


@pytest.mark.slow
def test_at_two_thousand_systems_a_change_takes_under_a_second(tmp_path: Path) -> None:
    board = make_board(tmp_path)
    first = submit(board, tmp_path, 20)
    generator, names = np.random.default_rng(1), list(board.tasks)
    with board.database.writing() as connection:
        entry = dict(connection.execute(select(ENTRIES)).mappings().one())
        content = connection.execute(select(PREDICTIONS.c.content)).scalar_one()
        signature = connection.execute(select(SCORES.c.signature)).scalar_one()
        for number in range(2, 2_002):
            about = {"name": f"team {number}", "alike": f"team {number}", "created": ""}
            connection.execute(insert(SUBMITTERS).values(id=number, **about))
            values = {
                "id": number,
                "submitter": number,
                "system": f"S{number}",
                "shown": json.dumps({"average": number}),
            }
            connection.execute(insert(ENTRIES).values(**{**entry, **values}))
            connection.execute(insert(PREDICTIONS).values(entry=number, content=content))
            points, effects = generator.uniform(20, 80), generator.normal(0, 0.1, 5_000).astype(np.float32)
            tasks = {name: Score(points, points, 2.0, effects[:2_500], 0.1) for name in names}
            row = Scores(tasks, signature).as_row()
            connection.execute(insert(SCORES).values(entry=number, reference_set=1, scored="", **row))
        add_to_state(connection, "revision")
    began = time.perf_counter()
    open_board(tmp_path / "board.sqlite").entries()
    cold = time.perf_counter() - began
    board.entries()
    submitter = invited(board, "late")
    file = predictions(tmp_path, 3, wrong="nothing")
    began = time.perf_counter()
    owner.remark(board, first.id, "changed")
    assert len(board.entries()) == 2_001  # the first has other examples, and so no rank
    warm = time.perf_counter() - began
    print(f"{cold:.2f} s after the start, {warm:.2f} s after a change")
    assert board.check(submitter, file)
    assert warm < min(1.0, cold / 2)


def test_limits_of_uploads_do_not_hold_for_kept_predictions(tmp_path: Path) -> None:
    """2,000,000 commas are more than a JSON file may have, and a CSV has no such limit."""
    board = make_board(tmp_path, settings=MANY)
    file = predictions(tmp_path, 20, wrong=f'"{"," * 60_000}"')
    entry = board.submit(invited(board), system="S", predictions=file)
    result = owner.rescore(board, apply=True)
    assert (result.set_aside, result.changes) == ({}, ())
    assert board.entries()[0].id == entry.id
