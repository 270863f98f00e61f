"""What the owner of a board does: rescoring, corrected references, a record, a backup, files to publish."""

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
import yaml
from boards import EXAMPLES, KNOWN, invited, make_board, predictions, submit
from huggingface_hub import parse_eval_result_entries
from sqlalchemy import text
from written_files import write

from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS
from zs_bench.errors import UnusableInput
from zs_bench.scoring.score_files import read_references, score_files
from zs_bench.validation.from_source import references_from_source
from zs_bench.validation.references import References
from zs_lab.board import NO_CHANGE, SET_ASIDE, SHOWN, BoardError, NotAccepted, create_board, open_board, owner
from zs_lab.board.board import Board
from zs_lab.board.schema import write_state
from zs_lab.board.standing import read_kept
from zs_metric import TASKS


def corrected(folder: Path, **changed: dict[str, str]) -> References:
    return read_references([write(folder / "corrected.json", {**KNOWN, **changed})])


#: The answers of 30 examples of QuALITY are others.
OTHERS = {id_: "ABCD"[(i + (i < 30)) % 4] for i, id_ in enumerate(KNOWN["quality"])}


def test_rescoring_after_an_update_of_the_scorer_changes_signatures(
    board: Board, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = submit(board, tmp_path, 20)
    monkeypatch.setattr("zs_bench.scoring.signature.VERSION", "9.9.9")
    monkeypatch.setattr("zs_lab.board.scores.of_this_installation", _installation(9))
    owner.rescore(board, apply=True)
    (after,) = board.entries()
    assert "v:9.9.9" in str(after.signature)
    assert "v:9.9.9" not in str(before.signature)


def _installation(number: int) -> Callable[..., dict[str, str]]:
    from zs_bench.scoring.signature import of_this_installation

    return lambda benchmark: {**of_this_installation(benchmark), "version": f"{number}.{number}.{number}"}


def test_corrected_references_are_previewed_then_rescore_all_entries_and_reapply_the_rule(
    board: Board, tmp_path: Path
) -> None:
    first, second, other = submit(board, tmp_path, 30), submit(board, tmp_path, 10), submit(board, tmp_path, 9, "B")
    assert [one.state for one in (first, second, other)] == [SHOWN, NO_CHANGE, SHOWN]
    before = board.entries()
    preview = owner.rescore(board, corrected(tmp_path, quality=OTHERS))
    assert preview.changes[:2] == (
        "1, S (A): average 75.00 → 37.50, quality 75.00 → 0.00",
        "2, S (A): average 25.00 → 12.50, quality 25.00 → 0.00",
    )
    assert (preview.done, board.entries(), board.references[0]) == (False, before, 1)
    done = owner.rescore(board, corrected(tmp_path, quality=OTHERS), apply=True, why="a slip")
    assert (done.changes, done.done) == (preview.changes, True)
    entry = next(one for one in board.entries() if one.id == first.id)
    assert (entry.tasks["quality"], entry.tasks["space_digest"] is None) == (None, False)
    assert "|data:board-2|" in str(entry.signature)
    ((_, said),) = board.announcements()
    assert said == "The references were corrected, and all entries scored again. a slip"
    # New submissions are scored against the corrected references, also by a process that opened the board before.
    submit(board, tmp_path, EXAMPLES, "C")
    assert owner.submissions(board)[-1].tasks == {"quality": 25.0, "space_digest": 100.0}


def test_a_task_that_new_references_lack_is_refused_unless_it_is_named(board: Board, tmp_path: Path) -> None:
    submit(board, tmp_path, 30)
    one_task = read_references([write(tmp_path / "one.json", {"quality": KNOWN["quality"]})])
    with pytest.raises(UnusableInput, match=r"have no space_digest, which the board scores; .* --drop space_digest"):
        owner.rescore(board, one_task, apply=True)
    assert list(board.tasks) == ["quality", "space_digest"]
    owner.rescore(board, one_task, drop=["space_digest"], apply=True)
    assert [list(entry.tasks) for entry in board.entries()] == [["quality"]]


def test_an_entry_that_fails_is_set_aside_and_named_and_comes_back_with_its_references(
    board: Board, tmp_path: Path
) -> None:
    submit(board, tmp_path, 30)
    more = {**KNOWN["quality"], "another": "A"}
    answers = {**KNOWN, "quality": more}
    result = owner.rescore(board, corrected(tmp_path, quality=more), apply=True)
    assert result.set_aside == {1: "1 of 41 predictions of quality are missing"}
    assert (board.entries(), [one.state for one in owner.submissions(board)]) == ([], [SET_ASIDE])
    late = board.submit(invited(board, "B"), system="late", predictions=write(tmp_path / "late.json", answers))
    assert [entry.id for entry in board.entries()] == [late.id]
    with board.database.writing() as connection:
        connection.execute(text("UPDATE predictions SET content = :x WHERE entry = 2"), {"x": b"damaged"})
    again = owner.rescore(board, corrected(tmp_path), apply=True)
    assert again.set_aside == {2: "its predictions are damaged in the database"}
    assert [entry.id for entry in board.entries()] == [1]
    assert "set aside → shown" in again.changes[0]


def test_an_example_removed_from_the_references_is_left_out_of_every_entry(board: Board, tmp_path: Path) -> None:
    submit(board, tmp_path, 10)
    owner.rescore(board, corrected(tmp_path, quality=dict(list(KNOWN["quality"].items())[:20])), apply=True)
    assert [one.tasks for one in owner.submissions(board)] == [{"quality": 50.0, "space_digest": 25.0}]


def test_a_submission_scored_against_references_that_were_corrected_meanwhile_is_not_kept(
    board: Board, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = type(board).score

    def slowly(*arguments: object) -> object:
        owner.rescore(board, corrected(tmp_path), apply=True)
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(type(board), "score", slowly)
    with pytest.raises(BoardError, match=r"The references were corrected while this was scored\. Try again\."):
        submit(board, tmp_path, 30)
    assert owner.submissions(board) == []


@pytest.mark.parametrize(("first", "second"), [("corrected", "corrected"), ("corrected", ""), ("", "corrected")])
def test_of_two_owners_who_score_again_at_once_the_slower_is_told_or_starts_over(
    board: Board, tmp_path: Path, first: str, second: str
) -> None:
    """Either may have corrected references. Scores against the earlier ones must not replace newer ones."""
    submit(board, tmp_path, 20)
    mine, theirs = corrected(tmp_path), corrected(tmp_path, quality=OTHERS)

    def meanwhile(*_: object) -> None:
        if len(owner.acts(board)) < 2:
            owner.rescore(board, theirs if first else None, apply=True)

    if first:
        with pytest.raises(BoardError, match=r"The references were corrected while this was scored\. Try again\."):
            owner.rescore(board, mine if second else None, apply=True, progress=meanwhile)
    else:
        assert owner.rescore(board, mine, apply=True, progress=meanwhile).done
    with board.database.reading() as connection:
        assert {one.references for one in read_kept(connection)} == {board.references[0]}
    assert len(owner.acts(board)) == 3 - bool(first)


def test_every_act_of_the_owner_is_recorded_with_its_reason(board: Board, tmp_path: Path) -> None:
    submit(board, tmp_path, 20)
    owner.hide(board, 1, why="asked by the team")
    owner.remark(board, 1, "checked")
    owner.remark(board, 1, None)
    owner.revoke(board, "A")
    owner.change_settings(board, "a holiday", per_day=1, closes="2030-01-01")
    owner.change_settings(board, per_day=1)  # changes nothing
    assert [(act, why) for _, who, act, why in owner.acts(board) if who] == [
        ("Invited A", ""),
        ("Took entry 1 off the board", "asked by the team"),
        ("Remark on entry 1: checked", ""),
        ("Remark on entry 1: none", ""),
        ("Revoked A", ""),
        ("Changed: closes, per_day", "a holiday"),
    ]
    assert board.announcements() == []
    for bad in ("a\u202eb", "r" * 501):
        with pytest.raises(NotAccepted):
            owner.remark(board, 1, bad)


def test_a_backup_is_restored_by_putting_it_in_the_boards_place(tmp_path: Path) -> None:
    board = make_board(tmp_path)
    code, _ = owner.invite(board, "A")
    entry = board.submit(board.submitter_of(code), system="S", predictions=predictions(tmp_path, 20))
    owner.backup(board, tmp_path / "backup.sqlite")
    assert (tmp_path / "backup.sqlite").stat().st_mode & 0o777 == 0o600
    submit(board, tmp_path, 30, "B")
    shutil.copy(tmp_path / "backup.sqlite", tmp_path / "board.sqlite")
    restored = open_board(tmp_path / "board.sqlite")
    assert restored.entries() == [entry]
    restored.submit(restored.submitter_of(code), system="S", predictions=predictions(tmp_path, 38))
    assert sorted(path.name for path in tmp_path.glob("*backup*")) == ["backup.sqlite"]
    for place in (tmp_path / "board.sqlite", tmp_path / "no" / "backup.sqlite"):
        with pytest.raises(UnusableInput, match="exists already"):
            owner.backup(board, place)


def test_a_copy_that_is_no_board_does_not_become_a_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = make_board(tmp_path)
    monkeypatch.setattr(type(board.database), "copy_to", lambda _, path: path.write_bytes(b""))
    with pytest.raises(BoardError, match="the copy is damaged; check the disk, and try again"):
        owner.backup(board, tmp_path / "backup.sqlite")
    assert list(tmp_path.glob("*backup*")) == []


@pytest.mark.slow
def test_a_board_in_postgresql_is_backed_up_with_its_own_tools(postgresql: str, board: Board, tmp_path: Path) -> None:
    if board.database.file is None:
        with pytest.raises(BoardError, match="back that up with pg_dump"):
            owner.backup(board, tmp_path / "backup.sqlite")


def test_the_entries_are_written_as_csv_and_parquet_and_the_predictions_as_files_to_score(
    board: Board, tmp_path: Path
) -> None:
    for name, system, right in (("A", "=1+1", 8), ("B", "S", 37), ("C", "S", 38)):
        submit(board, tmp_path, right, name, system)
    rows = list(csv.DictReader(io.StringIO(owner.as_table(board).csv())))
    assert sorted((row["rank"], row["submitter"], row["not_separated_from"]) for row in rows) == [
        ("1", "B", "3"),
        ("1", "C", "2"),
        ("3", "A", ""),
    ]
    assert rows[2]["system"] == "'=1+1"
    assert pd.read_parquet(io.BytesIO(owner.as_parquet(board)))["rank"].tolist() == [1, 1, 3]
    paths = owner.export_predictions(board, tmp_path / "out")
    assert [path.name for path in paths] == ["entry-1.json", "entry-2.json", "entry-3.json"]
    scored = score_files([paths[1]], [tmp_path / "references.json"])
    assert scored.tasks["quality"].score == 92.5


def test_evaluation_results_are_written_only_for_the_benchmarks_own_dataset(tmp_path: Path) -> None:
    board = create_board(tmp_path / "b.sqlite", references_from_source("embedded", TASKS))
    entry = board.submit(invited(board), system="S", predictions=SAMPLE_PREDICTIONS)
    with pytest.raises(BoardError, match="this board's references are others; use --csv or --parquet"):
        owner.as_eval_results(board)
    with board.database.writing() as connection:
        write_state(connection, "official", 1)
    ((name, written),) = owner.as_eval_results(board).items()
    assert name == "entry-1.yaml"
    shown = {task: points for task, points in entry.tasks.items() if points is not None}
    assert {one.task_id: one.value for one in parse_eval_result_entries(yaml.safe_load(written))} == {
        **shown,
        "average": entry.average,
    }
    assert json.dumps(entry.as_dict())
