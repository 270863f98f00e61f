"""Submitting to a board: what is accepted, what is refused before scoring, what is shown."""

import hashlib
import re

import pytest
from boards import EXAMPLES, KNOWN, MANY, invited, make_board, predictions, submit
from sqlalchemy import select
from written_files import official_csv, write

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import load_embedded
from zs_bench.errors import UnusableInput
from zs_bench.files.reference_texts import Reference
from zs_bench.scoring.score_files import read_references
from zs_bench.validation.from_source import references_from_source
from zs_bench.validation.references import References
from zs_lab.board import (
    HIDDEN,
    SEALED,
    SHOWN,
    WITHDRAWN,
    BoardError,
    BoardSettings,
    BoardUnavailable,
    LimitReached,
    NoBoard,
    NotAccepted,
    UnknownCode,
    create_board,
    open_board,
    owner,
    page,
)
from zs_lab.board.database import SUBMITTERS

#: Only the task QuALITY, all right.
ONE_TASK = [("quality", id_, text) for id_, text in KNOWN["quality"].items()]


@pytest.fixture
def at(monkeypatch):
    """Set the time at which the board works."""
    return lambda time: monkeypatch.setattr("zs_lab.board.board.now", lambda: time)


def test_a_submission_is_scored_and_listed_also_by_a_board_that_is_opened_again(place, board, tmp_path):
    entry = submit(board, tmp_path, 29, link="https://example.org/a", note=" two\nlines ")
    assert (entry.state, entry.average, entry.tasks) == (SHOWN, 72.5, {"quality": 72.5, "space_digest": 72.5})
    assert (entry.rank, entry.task_ranks, entry.not_separated_from) == (1, {"quality": 1, "space_digest": 1}, ())
    assert (entry.submitter, entry.system, entry.link, entry.note) == ("A", "S", "https://example.org/a", "two lines")
    assert (board.state.average_title, board.state.settings.title) == ("Mean of 2 tasks", "ZeroSCROLLS board")
    assert open_board(place).entries() == [entry]
    with pytest.raises(UnusableInput, match="already"):
        make_board(tmp_path, place)


def test_systems_whose_order_could_be_chance_share_a_rank(board, tmp_path):
    assert board.margins == {}
    for name, right in (("A", 36), ("A", 35), ("B", 8), ("C", 38), ("D", 39)):
        submit(board, tmp_path, right, name)
    ranks = {entry.submitter: (entry.rank, entry.not_separated_from) for entry in board.entries()}
    assert ranks == {"A": (1, (4, 5)), "C": (1, (1, 5)), "D": (1, (1, 4)), "B": (4, ())}
    assert [entry.submitter for entry in board.entries()] == ["D", "C", "A", "B"]
    task = 1.96 * (2 * 50**2 / EXAMPLES) ** 0.5
    assert board.margins == pytest.approx({"quality": task, "space_digest": task, "average": task / 2**0.5})


def test_scores_are_shown_with_noise_that_the_number_of_submissions_sets(tmp_path, monkeypatch):
    monkeypatch.setattr("zs_lab.board.scores._draw", lambda *_: -0.1)
    board = make_board(tmp_path, settings=BoardSettings(in_all=4))
    noise = 5 * 4**0.5 * 100 / EXAMPLES
    assert submit(board, tmp_path, 20).tasks == {"quality": 50 - noise / 10, "space_digest": pytest.approx(50, abs=3)}
    assert board.margins["quality"] == pytest.approx(1.96 * (2 * noise**2 + 2 * 50**2 / EXAMPLES) ** 0.5)
    with pytest.raises(BoardError, match="--in-all, which cannot be changed; make a new board"):
        owner.change_settings(board, in_all=5)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("quality", "story0_q", "A")], "39 of 40 answers are missing"),
        ([(task, id_, "") for task in KNOWN for id_ in KNOWN[task]], "80 of 80 predictions are empty"),
        (
            [(task, id_, "" if id_ == "s1" else "A") for task in KNOWN for id_ in KNOWN[task]],
            "1 of 80 predictions are empty, and at most 1%",
        ),
        (ONE_TASK, "No predictions for 1 task: space_digest"),
        ([*ONE_TASK, ("quality", "story0_q", "B")], r"mine\.csv"),
        ([(task, f"{id_}x", "A") for task in KNOWN for id_ in KNOWN[task]], "These IDs differ"),
        ([("nothing", "1", "A")], "Unknown task"),
    ],
)
def test_incomplete_and_empty_predictions_are_refused_before_scoring_in_a_few_lines(tmp_path, monkeypatch, rows, said):
    monkeypatch.setattr("zs_lab.board.board.score", lambda *_: pytest.fail("scored"))
    board = make_board(tmp_path)
    submitter, file = invited(board), write(tmp_path / "secret" / "p.csv", official_csv(rows))
    for take in (board.check, lambda who, path, names: board.submit(who, system="S", predictions=path, names=names)):
        with pytest.raises(NotAccepted, match=said) as refused:
            take(submitter, file, ["mine.csv"])
        assert len(str(refused.value)) < 1_000
        assert "secret" not in str(refused.value)  # the names of uploads, not the server's paths
    assert board.allowance(submitter) == (MANY.per_day, MANY.in_all)


@pytest.mark.parametrize(
    ("tasks", "sentence"),
    [
        ({}, "No predictions were read (No answers found in the files. Check that they are in one of the formats); "),
        (
            {"quality": {"x1": "A", "x2": "A"}},
            "None of your 2 IDs (such as x1) is one of the 80 that this board asks for, such as quality",
        ),
        (
            {**KNOWN, "quality": {**KNOWN["quality"], "story0_q": None}},
            "1 of the 80 predictions that this board asks for is missing or unusable: quality story0_q.",
        ),
        (
            {"quality": KNOWN["quality"]},
            "40 of the 80 predictions that this board asks for are missing or unusable, such",
        ),
        (
            {**KNOWN, "quality": {**KNOWN["quality"], "more": "A"}},
            "All 80 predictions that this board asks for are there",
        ),
    ],
)
def test_a_refusal_begins_with_a_sentence_about_the_ids(tmp_path, tasks, sentence):
    board = make_board(tmp_path)
    with pytest.raises(NotAccepted) as refused:
        board.check(invited(board), write(tmp_path / "p.json", tasks))
    first, *details = str(refused.value).splitlines()
    assert first.startswith(sentence)
    assert details


def test_a_refusal_counts_the_lines_that_it_leaves_out(tmp_path):
    """Ten tasks with a missing prediction."""
    board = create_board(tmp_path / "board.sqlite", references_from_source("embedded", list(TASKS)))
    first = {task: {load_embedded(task)[0].id: "A"} for task in TASKS}
    with pytest.raises(NotAccepted) as refused:
        board.check(invited(board), write(tmp_path / "p.json", first))
    *lines, last = str(refused.value).splitlines()
    assert (len(lines), re.sub(r"\d+", "N", last)) == (9, "… and N more lines")


def test_one_empty_prediction_in_a_hundred_is_accepted(tmp_path):
    references = {"quality": {f"q{i}": "A" for i in range(100)}}
    board = make_board(tmp_path, references=references)
    file = write(tmp_path / "p.json", {"quality": references["quality"] | {"q0": " "}})
    assert str(board.check(invited(board), file)) == "100 predictions, 1 task"


def test_the_limits_are_those_of_a_day_and_of_all_days_and_refused_files_do_not_count(place, tmp_path, at):
    board = make_board(tmp_path, place, settings=BoardSettings(per_day=2, in_all=3))
    at("2026-01-01T23:59:59Z")
    submit(board, tmp_path, 1)
    with pytest.raises(NotAccepted, match="submitted these predictions before, as entry 1"):
        submit(board, tmp_path, 1)
    submit(board, tmp_path, 2)
    assert board.allowance(invited(board)) == (0, 1)
    with pytest.raises(LimitReached, match=r"All your 2 submissions of today are used\. The next day begins at 00:00"):
        submit(board, tmp_path, 3)
    submit(board, tmp_path, 3, name="B")
    at("2026-01-02T00:00:00Z")
    assert board.allowance(invited(board)) == (1, 1)
    submit(board, tmp_path, 4)
    at("2026-01-03T00:00:00Z")
    with pytest.raises(LimitReached, match="All your 3 submissions are used"):
        submit(board, tmp_path, 5)


def test_outside_its_dates_a_board_says_so(board, tmp_path, at):
    owner.change_settings(board, opens="2026-02-01", closes="2026-03-01T18:00+01:00")
    for time, said in (
        ("2026-01-31T23:59:59Z", r"Submissions open on 2026-02-01 00:00 UTC\."),
        ("2026-03-01T17:00:00Z", r"Submissions closed on 2026-03-01 17:00 UTC\."),
    ):
        at(time)
        with pytest.raises(LimitReached, match=said):
            submit(board, tmp_path, 20)
    for right, time in ((20, "2026-02-01T00:00:00Z"), (38, "2026-03-01T16:59:59Z")):
        at(time)
        assert submit(board, tmp_path, right).state == SHOWN
    owner.change_settings(board, per_day=0)
    with pytest.raises(LimitReached, match="takes no submissions at present"):
        submit(board, tmp_path, 21)


@pytest.mark.parametrize(("settings", "shown"), [({}, 40.0), ({"exact_at_end": True}, 37.5), ({"exact": True}, 37.5)])
def test_scores_hidden_until_the_end_appear_then_and_exact_where_the_board_says_so(
    tmp_path, at, monkeypatch, settings, shown
):
    monkeypatch.setattr("zs_lab.board.scores._draw", lambda *_: 0.1)
    board = make_board(
        tmp_path, settings=BoardSettings(in_all=4, closes="2026-03-01", hidden_until_end=True, **settings)
    )
    at("2026-02-01T00:00:00Z")
    sealed = [submit(board, tmp_path, right) for right in (14, 15)]
    assert [(entry.state, entry.average, entry.tasks, entry.rank) for entry in sealed] == [(SEALED, None, {}, None)] * 2
    assert board.entries() == []
    at("2026-03-01T00:00:00Z")
    assert [(entry.id, entry.tasks["quality"]) for entry in board.entries()] == [(2, shown)]
    assert [entry.state for entry in board.history(invited(board))] == [SHOWN, SHOWN]


def test_a_name_that_the_board_does_not_show_is_said_to_its_own_submitter_alone(tmp_path, at):
    board = make_board(tmp_path, settings=BoardSettings(in_all=4, closes="2026-03-01", hidden_until_end=True))
    at("2026-02-01T00:00:00Z")
    submit(board, tmp_path, 14, system="Secret X")
    with pytest.raises(NotAccepted, match="a system that the board does not show has a name that looks alike") as other:
        submit(board, tmp_path, 15, "B", system="secret-x")
    assert "Secret X" not in str(other.value)
    with pytest.raises(NotAccepted, match="there is a system 'Secret X' already"):
        submit(board, tmp_path, 15, system="secret-x")


def test_an_entry_for_one_task_is_ranked_by_that_task_whose_score_is_in_place_of_an_average(tmp_path, monkeypatch):
    board = make_board(tmp_path, settings=BoardSettings(single_tasks=True, exact=True))
    monkeypatch.setenv("ZS_BOARD", str(tmp_path / "board.sqlite"))
    submit(board, tmp_path, 5)
    file = write(tmp_path / "one.csv", official_csv(ONE_TASK))
    assert str(board.check(invited(board, "B"), file)) == "40 predictions, 1 task"
    entry = board.submit(invited(board, "B"), system="one", predictions=file)
    assert (entry.average, entry.rank, entry.task_ranks) == (None, None, {"quality": 1})
    assert entry.tasks == {"quality": 100, "space_digest": None}
    assert [(entry.system, entry.task_ranks["quality"]) for entry in board.entries()] == [("S", 2), ("one", 1)]
    table = page.show()
    assert ("QuALITY 100.0" in table, table.count("–")) == (True, 1)  # its rank
    other = write(tmp_path / "other.csv", official_csv([*ONE_TASK[:-1], ("quality", ONE_TASK[-1][1], "wrong")]))
    board.submit(invited(board, "B"), system="one", predictions=other)
    assert [entry.id for entry in board.entries()] == [1, 3]


def test_baselines_stand_outside_limits_rules_and_ranks(board, tmp_path):
    submit(board, tmp_path, 20)
    owner.change_settings(board, per_day=1)
    for right in (39, 38):
        said = owner.baseline(board, f"naive {right}", [predictions(tmp_path, right)], link="https://example.org/naive")
        assert said.startswith(f"Added the baseline naive {right}, entry ")
    listed = [(entry.system, entry.rank, entry.average, entry.link) for entry in board.entries()]
    naive = [(f"naive {right}", None, right * 2.5, "https://example.org/naive") for right in (39, 38)]
    assert listed == [*naive, ("S", 1, 50, None)]
    assert submit(board, tmp_path, 38, "B").rank == 1  # the same predictions as a baseline's are no duplicate
    with pytest.raises(BoardError, match="there is 'Organisers' already"):
        owner.invite(board, "organisers")


def test_only_ones_own_predictions_are_a_duplicate_whatever_their_form(board, tmp_path):
    submit(board, tmp_path, EXAMPLES)
    shouted = {task: {id_: f" {text.lower()}\u200b " for id_, text in by_id.items()} for task, by_id in KNOWN.items()}
    same = write(tmp_path / "same.json", {task: dict(reversed(by_id.items())) for task, by_id in shouted.items()})
    for take in (board.check, lambda who, path: board.submit(who, system="S", predictions=path)):
        with pytest.raises(NotAccepted, match="submitted these predictions before"):
            take(invited(board), same)
    assert board.submit(invited(board, "B"), system="S", predictions=same).id == 2  # nothing is said of others' files
    assert [kept.entry.remark for kept in owner.submissions(board)] == [None, "same predictions as entry 1"]


def test_a_code_is_kept_as_a_hash_and_stops_working_when_it_is_revoked_or_replaced(board, tmp_path):
    code, note, _ = owner.invite(board, "A")
    submitter = board.submitter_of(f" {code}\n")
    with board.database.reading() as connection:
        stored = [value for row in connection.execute(select(SUBMITTERS)) for value in row]
    assert hashlib.sha256(code.encode()).hexdigest() in stored
    assert (code in stored, "replaces" in note) == (False, False)
    newer, note, _ = owner.invite(board, "A")
    assert (board.submitter_of(newer), "replaces" in note) == (submitter, True)
    owner.revoke(board, "A")
    for wrong in (code, newer, "\ud800", "zs-guess"):
        with pytest.raises(UnknownCode, match=r"This code is not valid\. Codes come from the organisers\."):
            board.submitter_of(wrong)
    with pytest.raises(UnknownCode, match="may not submit any more"):  # with a page that was open
        board.submit(submitter, system="S", predictions=predictions(tmp_path, 3))
    assert board.submitter_of(owner.invite(board, "A")[0]) == submitter


def test_a_withdrawn_entry_leaves_the_board_and_still_counts(board, tmp_path):
    entry, submitter = submit(board, tmp_path, 20), invited(board)
    for whose, number in ((invited(board, "B"), entry.id), (submitter, 99), (submitter, 2**40), (submitter, "1")):
        with pytest.raises(BoardError, match="You have no entry"):
            board.withdraw(whose, number)
    assert board.withdraw(submitter, entry.id).state == board.withdraw(submitter, entry.id).state == WITHDRAWN
    assert board.entries() == []
    assert board.allowance(submitter).in_all == MANY.in_all - 1


def test_a_hidden_entry_leaves_the_board_until_it_is_put_back(board, tmp_path):
    first = submit(board, tmp_path, 20)
    owner.hide(board, first.id)
    owner.remark(board, first.id, "trained on the test data")
    (own,) = board.history(invited(board))
    assert (own.state, own.remark, own.tasks) == (HIDDEN, "trained on the test data", {})
    assert board.entries() == []
    owner.hide(board, first.id, undo=True)
    assert [entry.tasks for entry in board.entries()] == [first.tasks]


def test_a_board_is_readable_by_its_owner_only_and_a_place_without_one_is_named(tmp_path):
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


def test_references_of_two_splits_or_without_texts_are_refused_for_a_board(tmp_path):
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


@pytest.mark.parametrize(("splits", "named"), [(("test", "test"), True), (("test", "validation"), False)])
def test_a_signature_names_the_split_of_all_references(tmp_path, splits, named):
    by_id = {task: {id_: Reference([text]) for id_, text in KNOWN[task].items()} for task in KNOWN}
    references = References({task: {split: by_id[task]} for task, split in zip(KNOWN, splits, strict=True)})
    board = create_board(tmp_path / "b.sqlite", references)
    entry = board.submit(invited(board), system="S", predictions=predictions(tmp_path, 38))
    assert ("|source:test|" in entry.signature, "|source:" in entry.signature) == (named, named)
    assert "ZS|tasks:quality,space_digest|" in entry.signature
    assert "|n:80/80|" in entry.signature
