"""Submitting to a board: what is accepted, what is refused before scoring, what is shown."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from boards import EXAMPLES, KNOWN, MANY, invited, make_board, predictions, submit
from sqlalchemy import select
from written_files import official_csv, write

from zs_bench.errors import UnusableInput
from zs_bench.scoring.score_files import read_references
from zs_lab.board import (
    HIDDEN,
    NO_CHANGE,
    SEALED,
    SHOWN,
    WITHDRAWN,
    BoardError,
    BoardUnavailable,
    LimitReached,
    NoBoard,
    NotAccepted,
    Settings,
    UnknownCode,
    create_board,
    open_board,
    owner,
)
from zs_lab.board.board import Board
from zs_lab.board.database import SUBMITTERS

#: Only the task QuALITY, all right.
ONE_TASK = [("quality", id_, text) for id_, text in KNOWN["quality"].items()]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the time at which the board works."""
    return lambda time: monkeypatch.setattr("zs_lab.board.board.now", lambda: time)


def test_a_submission_is_scored_rounded_and_listed_also_by_a_board_that_is_opened_again(
    new_place: Callable[[], str], tmp_path: Path
) -> None:
    place = new_place()
    board = make_board(tmp_path, place)
    entry = submit(board, tmp_path, 29, link="https://example.org/a", note=" two\nlines ")
    assert (entry.state, entry.average, entry.tasks) == (SHOWN, 70, {"quality": 70, "space_digest": 70})  # of 72.5
    assert entry.rounded_to == {"quality": 10, "space_digest": 10, "average": 10}
    assert (entry.rank, entry.task_ranks, entry.not_separated_from) == (1, {"quality": 1, "space_digest": 1}, ())
    assert (entry.submitter, entry.system, entry.link, entry.note) == ("A", "S", "https://example.org/a", "two lines")
    assert (board.state.average_title, board.state.settings.title) == ("Mean of 2 tasks", "ZeroSCROLLS board")
    assert open_board(place).entries() == [entry]
    with pytest.raises(UnusableInput, match="already"):
        make_board(tmp_path, place)


def test_only_clearly_better_scores_are_shown_and_systems_that_chance_could_swap_share_a_rank(
    board: Board, tmp_path: Path
) -> None:
    states = [submit(board, tmp_path, right).state for right in (15, 16, 10, 36, 35)]
    assert states == [SHOWN, NO_CHANGE, NO_CHANGE, SHOWN, NO_CHANGE]
    assert [one.tasks for one in board.history(invited(board)) if one.state == NO_CHANGE] == [{}] * 3
    assert [entry.id for entry in board.entries()] == [4]
    for name, right in (("B", 8), ("C", 38), ("D", 39)):
        submit(board, tmp_path, right, name)
    ranks = {entry.submitter: (entry.rank, entry.not_separated_from) for entry in board.entries()}
    assert ranks == {"A": (1, (7, 8)), "C": (1, (4, 8)), "D": (1, (4, 7)), "B": (4, ())}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("quality", "story0_q", "A")], "39 of 40 answers are missing"),
        ([(task, id_, "") for task in KNOWN for id_ in KNOWN[task]], "80 of 80 predictions are empty"),
        (
            [(task, id_, "" if id_ == "s1" else "A") for task in KNOWN for id_ in KNOWN[task]],
            "1 of 80 predictions are empty, and",
        ),
        (ONE_TASK, "No predictions for 1 task: space_digest"),
        ([(task, f"{id_}x", "A") for task in KNOWN for id_ in KNOWN[task]], "These IDs differ"),
        ([("nothing", "1", "A")], "Unknown task"),
    ],
)
def test_incomplete_and_empty_predictions_are_refused_before_scoring_in_a_few_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: list[tuple[str, str, str]], said: str
) -> None:
    monkeypatch.setattr("zs_lab.board.board.score", lambda *_: pytest.fail("scored"))
    board = make_board(tmp_path)
    submitter, file = invited(board), write(tmp_path / "secret" / "p.csv", official_csv(rows))
    for take in (board.check, lambda who, path, names: board.submit(who, system="S", predictions=path, names=names)):
        with pytest.raises(NotAccepted, match=said) as refused:
            take(submitter, file, ["mine.csv"])
        assert len(str(refused.value)) < 1_000
        assert "secret" not in str(refused.value)  # the names of uploads, not the server's paths
    assert board.allowance(submitter).today == MANY.per_day


def test_the_limits_are_those_of_a_day_and_of_all_days_and_refused_files_do_not_count(
    board: Board, tmp_path: Path, at: Callable[[str], None]
) -> None:
    owner.change_settings(board, per_day=2, in_all=3)
    at("2026-01-01T23:59:59Z")
    submit(board, tmp_path, 1)
    with pytest.raises(NotAccepted, match="submitted these predictions before, as entry 1"):
        submit(board, tmp_path, 1)
    submit(board, tmp_path, 2)
    with pytest.raises(LimitReached, match=r"All your 2 submissions of today are used\. The next day begins at 00:00"):
        submit(board, tmp_path, 3)
    submit(board, tmp_path, 3, name="B")
    at("2026-01-02T00:00:00Z")
    submit(board, tmp_path, 4)
    at("2026-01-03T00:00:00Z")
    with pytest.raises(LimitReached, match="All your 3 submissions are used"):
        submit(board, tmp_path, 5)
    owner.change_settings(board, in_all=4)
    assert submit(board, tmp_path, 5).submitted == "2026-01-03T00:00:00Z"


def test_outside_its_dates_a_board_says_so(board: Board, tmp_path: Path, at: Callable[[str], None]) -> None:
    owner.change_settings(board, opens="2026-02-01", closes="2026-03-01T18:00+01:00")
    for time, said in (
        ("2026-01-31T23:59:59Z", r"Submissions open on 2026-02-01 00:00 UTC\."),
        ("2026-03-01T17:00:00Z", r"Submissions closed on 2026-03-01 17:00 UTC\."),
    ):
        at(time)
        with pytest.raises(LimitReached, match=said):
            submit(board, tmp_path, 20)
    at("2026-02-01T00:00:00Z")
    assert submit(board, tmp_path, 20).state == SHOWN
    at("2026-03-01T16:59:59Z")
    assert submit(board, tmp_path, 38).state == SHOWN
    owner.change_settings(board, per_day=0)
    with pytest.raises(LimitReached, match="takes no submissions at present"):
        submit(board, tmp_path, 21)


@pytest.mark.parametrize(
    ("settings", "listed", "states"),
    [
        ({}, (1, SHOWN, 40), [NO_CHANGE, SHOWN]),
        ({"exact_at_end": True}, (2, SHOWN, 37.5), [SHOWN, SHOWN]),
    ],
)
def test_scores_hidden_until_the_end_appear_then_and_all_of_them_where_the_board_says_so(
    tmp_path: Path, at: Callable[[str], None], settings: dict[str, Any], listed: object, states: object
) -> None:
    board = make_board(tmp_path, settings=Settings(closes="2026-03-01", hidden_until_end=True, **settings))
    at("2026-02-01T00:00:00Z")
    sealed = [submit(board, tmp_path, right) for right in (14, 15)]
    assert [(one.state, one.average, one.tasks, one.rank) for one in sealed] == [(SEALED, None, {}, None)] * 2
    assert board.entries() == board.entries() == []
    at("2026-03-01T00:00:00Z")
    assert [(one.id, one.state, one.average) for one in board.entries()] == [listed]
    assert [one.state for one in board.history(invited(board))] == states


def test_an_entry_for_one_task_is_ranked_by_that_task(tmp_path: Path) -> None:
    board = make_board(tmp_path, settings=Settings(single_tasks=True))
    submit(board, tmp_path, 5)
    file = write(tmp_path / "one.csv", official_csv(ONE_TASK))
    assert str(board.check(invited(board, "B"), file)) == "40 predictions, 1 task"
    entry = board.submit(invited(board, "B"), system="one", predictions=file)
    assert (entry.average, entry.rank, entry.task_ranks) == (None, None, {"quality": 1})
    assert entry.tasks == {"quality": 100, "space_digest": None}
    assert [(one.system, one.task_ranks["quality"]) for one in board.entries()] == [("S", 2), ("one", 1)]


def test_baselines_stand_outside_limits_rules_and_ranks(board: Board, tmp_path: Path) -> None:
    submit(board, tmp_path, 20)
    owner.change_settings(board, per_day=1)
    for right in (39, 38):
        said = owner.baseline(board, f"naive {right}", [predictions(tmp_path, right)], link="https://example.org/naive")
        assert said.startswith(f"Added the baseline naive {right}, entry ")
    listed = [(one.system, one.rank, one.average, one.link) for one in board.entries()]
    naive = [(f"naive {right}", None, 100, "https://example.org/naive") for right in (39, 38)]
    assert sorted(listed, key=str) == [("S", 1, 50, None), *naive[::-1]]
    assert submit(board, tmp_path, 38, "B").rank == 1  # the same predictions as a baseline's are no duplicate
    with pytest.raises(BoardError, match="there is 'Organisers' already"):
        owner.invite(board, "organisers")


def test_only_ones_own_predictions_are_a_duplicate_whatever_their_form(board: Board, tmp_path: Path) -> None:
    submit(board, tmp_path, EXAMPLES)
    shouted = {task: {id_: f" {text.lower()}\u200b " for id_, text in by_id.items()} for task, by_id in KNOWN.items()}
    same = write(tmp_path / "same.json", {task: dict(reversed(by_id.items())) for task, by_id in shouted.items()})
    for take in (board.check, lambda who, path: board.submit(who, system="S", predictions=path)):
        with pytest.raises(NotAccepted, match="submitted these predictions before"):
            take(invited(board), same)
    assert board.submit(invited(board, "B"), system="S", predictions=same).id == 2  # nothing is said of others' files
    assert [one.entry.remark for one in owner.submissions(board)] == [None, "same predictions as entry 1"]


def test_a_code_is_kept_as_a_hash_and_stops_working_when_it_is_revoked_or_replaced(
    board: Board, tmp_path: Path
) -> None:
    code, note, _ = owner.invite(board, "A")
    submitter = board.submitter_of(f" {code}\n")
    with board.database.reading() as connection:
        kept = [value for row in connection.execute(select(SUBMITTERS)) for value in row]
    assert hashlib.sha256(code.encode()).hexdigest() in kept
    assert (code in kept, "replaces" in note) == (False, False)
    newer, note, _ = owner.invite(board, "A")
    assert (board.submitter_of(newer), "replaces" in note) == (submitter, True)
    owner.revoke(board, "A")
    for wrong in (code, newer, "\ud800", "zs-guess"):
        with pytest.raises(UnknownCode, match=r"This code is not valid\. Codes come from the organisers\."):
            board.submitter_of(wrong)
    with pytest.raises(UnknownCode, match="may not submit any more"):  # with a page that was open
        board.submit(submitter, system="S", predictions=predictions(tmp_path, 3))


def test_a_withdrawn_entry_leaves_the_board_and_still_counts(board: Board, tmp_path: Path) -> None:
    entry, submitter = submit(board, tmp_path, 20), invited(board)
    odd: Any = "1"
    for whose, number in ((invited(board, "B"), entry.id), (submitter, 99), (submitter, 2**40), (submitter, odd)):
        with pytest.raises(BoardError, match="You have no entry"):
            board.withdraw(whose, number)
    assert board.withdraw(submitter, entry.id).state == WITHDRAWN
    assert board.entries() == []
    assert board.allowance(submitter).in_all == MANY.in_all - 1
    assert submit(board, tmp_path, 21).state == NO_CHANGE  # else withdrawing would be a way around the rule


def test_a_hidden_entry_leaves_the_board_with_every_score_that_repeats_its_own(board: Board, tmp_path: Path) -> None:
    first = submit(board, tmp_path, 20)
    owner.hide(board, first.id)
    owner.remark(board, first.id, "trained on the test data")
    assert [(one.state, one.remark) for one in board.history(invited(board))] == [(HIDDEN, "trained on the test data")]
    assert board.entries() == []
    half = enumerate(KNOWN["space_digest"].items())
    rows = [*ONE_TASK, *(("space_digest", id_, text if i < 20 else "no") for i, (id_, text) in half)]
    file = write(tmp_path / "p.csv", official_csv(rows))
    second = board.submit(invited(board), system="S", predictions=file)
    assert second.tasks["space_digest"] is None
    owner.hide(board, first.id, undo=True)
    (again,) = [entry for entry in board.entries() if entry.id == second.id]
    assert (again.repeated["space_digest"], again.tasks["space_digest"]) == (first.id, first.tasks["space_digest"])


def test_a_board_is_readable_by_its_owner_only_and_a_place_without_one_is_named(tmp_path: Path) -> None:
    make_board(tmp_path)
    assert (tmp_path / "board.sqlite").stat().st_mode & 0o777 == 0o600
    with pytest.raises(UnusableInput, match="there is no folder"):
        make_board(tmp_path, tmp_path / "no" / "board.sqlite")
    for url in ("mysql://a/b", "://", "sqlite:///a"):
        with pytest.raises(UnusableInput):
            open_board(url)
    with pytest.raises(NoBoard):
        open_board(tmp_path / "none.sqlite")
    pytest.importorskip("psycopg")
    with pytest.raises(BoardUnavailable, match="the board cannot be reached at the moment; try again") as error:
        open_board("postgresql://someone:secret@127.0.0.1:1/board")
    assert "127.0.0.1" not in str(error.value)
    assert "postgresql+psycopg://someone:***@127.0.0.1:1/board cannot be used" in error.value.detail  # for the owner


def test_references_of_two_splits_or_without_texts_are_refused_for_a_board(tmp_path: Path) -> None:
    for name in ("validation", "test"):
        write(tmp_path / "two" / "quality" / f"{name}.jsonl", [{"id": "1", "output": "A"}])
    write(tmp_path / "null" / "quality" / "test.jsonl", [{"id": "1", "output": None}])
    write(tmp_path / "none" / "other.json", {})
    for folder, said in (("two", "test and validation"), ("null", "not a text"), ("none", "no references found")):
        with pytest.raises(UnusableInput, match=said):
            create_board(tmp_path / "b.sqlite", read_references([tmp_path / folder]))
        assert not (tmp_path / "b.sqlite").exists()
    letters = read_references([write(tmp_path / "letters.json", {"quality": KNOWN["quality"]})], benchmark="scrolls")
    with pytest.raises(UnusableInput, match="The references are letters"):
        create_board(tmp_path / "b.sqlite", letters, benchmark="scrolls")


def test_no_system_or_submitter_can_copy_the_name_of_another_in_other_letters(board: Board, tmp_path: Path) -> None:
    submit(board, tmp_path, 20, system="Team A")
    for name in ("\u0422eam A", "team  a"):
        with pytest.raises(NotAccepted, match="there is a system 'Team A' already, which looks alike"):
            submit(board, tmp_path, 30, "B", system=name)
    assert submit(board, tmp_path, 30, "B", system="Team A").id == 2
    with pytest.raises(BoardError, match="there is 'A' already, which looks alike"):
        owner.invite(board, "\u0410")


def test_examples_that_share_a_document_count_as_one(tmp_path: Path) -> None:
    stories = {"quality": {f"q{i}": "ABCD"[i % 4] for i in range(40)}}
    board = make_board(tmp_path, references=stories)
    board.state.references.documents |= {("quality", None, f"q{i}"): f"story {i % 4}" for i in range(40)}
    board.submit(invited(board), system="S", predictions=write(tmp_path / "p.json", stories))
    (kept,) = owner.submissions(board)
    assert len(kept.scores["quality"].effects) == 4
