"""What the owner of a board does, by `zero-scrolls board`; and `zero-scrolls submit`."""

import csv
import io
import shutil
import sqlite3
import sys

import pandas as pd
import pytest
import yaml
from boards import EXAMPLES, KNOWN, invited, predictions, submit
from huggingface_hub import parse_eval_result_entries
from sqlalchemy import text
from written_files import write

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import EMBEDDED, SAMPLE_PREDICTIONS, load_embedded
from zs_bench.dataset.source import Source
from zs_bench.errors import MissingExtra, UnusableInput
from zs_bench.scoring.score_files import score_files
from zs_bench.validation.from_source import references_from_source
from zs_bench.validation.references import References
from zs_lab.board import SET_ASIDE, SHOWN, BoardError, BoardSettings, UnknownCode, create_board, open_board, owner
from zs_lab.board import board as boards
from zs_lab.board.database import write_state
from zs_start.cli import main

#: The answers of 30 examples of QuALITY are others.
OTHERS = {id_: "ABCD"[(i + (i < 30)) % 4] for i, id_ in enumerate(KNOWN["quality"])}


def corrected(folder, **changed):
    return [write(folder / "corrected.json", {**KNOWN, **changed})]


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Run an action on the board that ZS_BOARD names; returns what is on standard output and standard error."""
    monkeypatch.setenv("ZS_BOARD", str(tmp_path / "board.sqlite"))

    def run(*arguments, status=0, command="board"):
        assert main([command, *map(str, arguments)]) == status, capsys.readouterr()
        return capsys.readouterr()

    return run


def test_a_board_from_creation_to_backup(call, tmp_path):
    place, references = tmp_path / "board.sqlite", write(tmp_path / "references.json", KNOWN)
    out, err = call(
        "init", "--references", references, "--title", "Shared task", "--closes", "2099-12-01", "--in-all", 5
    )
    assert out == f"Shared task: 2 tasks, 80 examples, in {place}. Keep it private.\n"
    assert err.startswith(
        "Few examples for 5 submissions of each submitter, so scores are shown with much noise: quality ("
    )
    code, said = call("invite", "Team A")
    assert said == "The submission code of Team A; it is not kept, so hand it on now.\n"
    board = open_board(place)
    for right in (30, 10):
        board.submit(board.submitter_of(code), system="S", predictions=predictions(tmp_path, right), note="a note")
    lines = call("list")[0].splitlines()
    assert [line.split()[0] for line in lines] == ["entry", "1", "2"]
    assert lines[1].endswith("Team A     S       shown    75.00")
    assert lines[2].endswith("Team A     S       shown    25.00")
    shown = call("show", 2)[0]
    assert "note             a note\n" in shown
    assert "Mean of 2 tasks  25.00\nquality          25.00\nspace_digest     25.00\n" in shown
    for act, said in (
        (("hide", 1, "--why", "asked by the team"), "Took entry 1 off the board."),
        (("hide", 1, "--undo"), "Put entry 1 back on the board."),
        (("note", 1, "checked"), "Remark on entry 1: checked."),
        (("note", 2), "Remark on entry 2: none."),
        (("baseline", "Naive", predictions(tmp_path, 2), "--why", "a floor"), "Added the baseline Naive, entry 3."),
        (("rescore",), "0 entries would change. To do it, add --yes."),
        (("rescore", "--yes"), "0 entries changed."),
    ):
        assert call(*act)[0] == f"{said}\n"
    settings = call("set", "--description", "About long texts", "--opens", "2026-01-01", "--per-day", 5)[0]
    for line in ("title             Shared task", "opens             2026-01-01T00:00:00Z", "per_day           5"):
        assert line in settings
    assert call("set", "--per-day", 5)[0] == settings  # which changes nothing
    rows = csv.DictReader(io.StringIO(call("export", "--csv", "-")[0]))
    assert [(row["rank"], row["baseline"], row["remark"]) for row in rows] == [
        ("1", "False", "checked"),
        ("", "True", ""),
    ]
    call("backup", tmp_path / "copy.sqlite")
    assert open_board(tmp_path / "copy.sqlite").entries() == board.entries()
    assert call("revoke", "Team A")[0] == "Revoked Team A. The entries stay.\n"
    with pytest.raises(UnknownCode):
        board.submitter_of(code)
    head, *rows = (line.split() for line in call("submitters")[0].splitlines())
    assert (head, rows[0][:2], rows[1][0]) == (
        ["submitter", "invited", "revoked", "entries"],
        ["Team", "A"],
        "Organisers",
    )
    assert [(row[2], row[3]) for row in owner.log(board).rows if row[1]] == [
        ("Invited Team A", ""),
        ("Took entry 1 off the board", "asked by the team"),
        ("Put entry 1 back on the board", ""),
        ("Remark on entry 1: checked", ""),
        ("Remark on entry 2: none", ""),
        ("Added the baseline Naive, entry 3", "a floor"),
        ("All entries were scored again", ""),
        ("Changed: description, opens, per_day", ""),
        ("Revoked Team A", ""),
    ]
    assert "asked by the team" in call("log")[0]
    assert board.announcements() == []


def test_what_is_refused_names_the_next_step_and_changes_nothing(call, tmp_path, monkeypatch):
    init = ["init", "--references", write(tmp_path / "references.json", KNOWN)]
    for arguments, said in (
        (["list"], "there is no board at "),
        (["init"], "--references PATH or --source SOURCE"),
        (["init", "--references", "nowhere"], "nowhere"),
        ([*init, "--in-all", -1], "give 0 or more"),
        ([*init, "--hidden-until-end"], "needs an end"),
        ([*init, "--exact-at-end"], "needs an end"),
        ([*init, "--title", "\u3164"], "the title must be one line"),
        ([*init, "--data", "javascript:1"], "must be a web address"),
        ([*init, "--opens", "tomorrow"], "is no date"),
        ([*init, "--opens", "2026-03-01", "--closes", "2026-02-01"], "closes before it opens"),
        (
            init,
            "No board was made. Choose with --in-all N, and fewer submissions have less noise",
        ),
        ([*init, "--in-all", 1], ""),
        (["show", 3], "there is no entry 3"),
        (["hide", 3], "there is no entry 3"),
        (["revoke", "B"], "there is no submitter 'B'"),
        (["invite", "\u3164"], "the name of a submitter must be one line"),
        (["set", "--per-day", 3, "--why", "a\u202eb"], "the reason must be one line"),
        (["note", 1, "r" * 501], "the remark must be one line"),
        (["export"], "which form? Give --csv OUT"),
        (["export", "--eval-results", tmp_path / "results"], "references are others"),
    ):
        assert said in call(*arguments, status=2 if said else 0)[1]
    monkeypatch.setattr("zs_lab.board.database.PATIENCE", 0.1)
    with sqlite3.connect(tmp_path / "board.sqlite", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "cannot be used (database is locked); check the database" in call("invite", "A", status=2)[1]
        other.execute("ROLLBACK")
    other.close()
    assert owner.log(open_board(tmp_path / "board.sqlite")).rows == []
    monkeypatch.delenv("ZS_BOARD")
    assert call("list", status=2)[1] == "zero-scrolls: which board? Give --board board.sqlite, or set ZS_BOARD\n"


def test_boards_are_made_of_scrolls_and_a_source_gives_the_documents_of_private_references(call, tmp_path):
    place, examples = tmp_path / "board.sqlite", load_embedded("quality")
    hard = write(tmp_path / "hard.txt", load_embedded("quality", benchmark="scrolls")[0].id)
    out = call("init", "--benchmark", "scrolls", "--source", "embedded", "--hard-ids", hard, "--exact")[0]
    assert (out[:24], open_board(place).state.average_title) == ("SCROLLS board: 8 tasks, ", "SCROLLS score")
    place.unlink()
    for task in TASKS:
        folder = tmp_path / "data" / task
        shutil.copytree(EMBEDDED / task, folder)
        (folder / "validation.jsonl").rename(folder / "test.jsonl")
    assert call("init", "--source", tmp_path / "data", "--exact")[0].startswith(
        "ZeroSCROLLS board: 10 tasks, 20 examples, "
    )
    place.unlink()
    refused = ("init", "--source", tmp_path / "data", "--split", "validation")
    assert "has no split 'validation'" in call(*refused, status=2)[1]
    answers = {"quality": {example.id: example.references[0] for example in examples} | {"another": "A"}}
    err = call("init", "--references", write(tmp_path / "r.json", answers), "--source", "embedded", "--exact")[1]
    assert "the inputs were not read" not in err
    kept = open_board(place).state.references.of("quality", None)
    assert sum(reference.document is not None for reference in kept.values()) == 2


def test_without_a_package_the_error_names_it(call, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("zs_lab.board.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    said = call("list", status=2)[1]
    assert said == 'zero-scrolls: this needs sqlalchemy; install it with: pip install "sqlalchemy>=2.0.37"\n'
    url, file = "http://127.0.0.1:1", predictions(tmp_path, 3)
    assert "name the system with --system" in call(url, file, command="submit", status=2)[1]
    said = call(url, file, "--check", command="submit", status=2)[1]
    assert said.startswith("zero-scrolls: the board at http://127.0.0.1:1 answered: ")
    monkeypatch.setitem(sys.modules, "gradio_client", None)
    said = call(url, file, "--check", command="submit", status=2)[1]
    assert said == "zero-scrolls: this needs gradio_client; install it with: pip install gradio_client\n"


def test_rescoring_after_an_update_of_the_scorer_changes_signatures(board, tmp_path, monkeypatch):
    before = submit(board, tmp_path, 20)
    monkeypatch.setattr("zs_bench.scoring.signature.VERSION", "9.9.9")
    owner.rescore(board, yes=True)
    (after,) = board.entries()
    assert ["v:9.9.9" in entry.signature for entry in (before, after)] == [False, True]


def test_corrected_references_are_previewed_then_rescore_all_entries(board, tmp_path):
    first, _, _ = submit(board, tmp_path, 30), submit(board, tmp_path, 10), submit(board, tmp_path, 9, "B")
    before = board.entries()
    preview = owner.rescore(board, references=corrected(tmp_path, quality=OTHERS)).text.splitlines()
    assert preview[:2] == [
        "1, S (A): average 75.00 → 37.50, quality 75.00 → 0.00",
        "2, S (A): average 25.00 → 12.50, quality 25.00 → 0.00",
    ]
    assert preview[-1] == "3 entries would change. To do it, add --yes."
    assert (board.entries(), board.state.number) == (before, 1)
    done = owner.rescore(board, references=corrected(tmp_path, quality=OTHERS), yes=True, why="a slip")
    assert done == ("\n".join([*preview[:-1], "3 entries changed."]), "", 0)
    (entry,) = [entry for entry in board.entries() if entry.id == first.id]
    assert entry.tasks == {"quality": 0, "space_digest": 75}
    assert "|data:board-2|" in entry.signature
    ((_, said),) = board.announcements()
    assert said == "The references were corrected, and all entries scored again. a slip"
    # New submissions are scored against the corrected references, also by a process that opened the board before.
    submit(board, tmp_path, EXAMPLES, "C")
    exact = board.state.rule.exact(owner.submissions(board)[-1].scores)
    assert exact == {"quality": 25.0, "space_digest": 100.0, "average": 62.5}


def test_references_that_are_the_same_change_and_announce_nothing(board, tmp_path):
    submit(board, tmp_path, 30)
    before = board.entries()
    assert owner.rescore(board, references=corrected(tmp_path), yes=True) == ("0 entries changed.", "", 0)
    assert (board.announcements(), board.entries(), board.state.number) == ([], before, 1)


def test_other_references_that_change_no_entry_are_announced_only_where_scores_are_drawn_again(board, tmp_path):
    id_, letter = next(iter(KNOWN["quality"].items()))
    same = corrected(tmp_path, quality={**KNOWN["quality"], id_: [letter, letter]})
    noisy = create_board(tmp_path / "noisy.sqlite", board.state.references, settings=BoardSettings(in_all=1))
    for place, announced in ((board, 0), (noisy, 1)):
        submit(place, tmp_path, 30)
        assert owner.rescore(place, references=same, yes=True).text == "0 entries changed."
        assert (len(place.announcements()), place.state.number) == (announced, 2)


def test_a_task_that_new_references_lack_is_refused_unless_it_is_named(board, tmp_path):
    submit(board, tmp_path, 30)
    one_task = [write(tmp_path / "one.json", {"quality": dict(list(KNOWN["quality"].items())[:20])})]
    with pytest.raises(UnusableInput, match=r"have no space_digest, which the board scores; .* --drop space_digest"):
        owner.rescore(board, references=one_task, yes=True)
    assert list(board.state.tasks) == ["quality", "space_digest"]
    said = owner.rescore(board, references=one_task, drop=["space_digest"], yes=True).text.splitlines()
    assert said[0] == "The references: 2 tasks, 80 examples → 1 task, 20 examples."
    assert said[1] == "1, S (A): average 75.00 → 100.00, quality 75.00 → 100.00, space_digest 75.00 → –"
    assert [list(entry.tasks) for entry in board.entries()] == [["quality"]]


def test_an_entry_that_fails_is_set_aside_and_named_and_comes_back_with_its_references(board, tmp_path):
    submit(board, tmp_path, 30)
    more = {**KNOWN["quality"], "another": "A"}
    result = owner.rescore(board, references=corrected(tmp_path, quality=more), yes=True)
    assert ", shown → set aside, rank 1 → –\n" in result.text
    assert "1: set aside, since 1 of 41 predictions of quality are missing" in result.text
    assert (result.status, board.entries()) == (1, [])
    (aside,) = [kept.entry for kept in owner.submissions(board)]
    assert (aside.state, aside.remark) == (SET_ASIDE, "1 of 41 predictions of quality are missing")
    file = write(tmp_path / "late.json", {**KNOWN, "quality": more})
    for name in ("A", "C"):
        assert board.submit(invited(board, name), system="late", predictions=file).state == SHOWN
    assert [entry.id for entry in board.entries()] == [2, 3]
    with board.database.writing() as connection:
        connection.execute(text("UPDATE predictions SET content = :x WHERE entry = 2"), {"x": b"damaged"})
        connection.execute(text("DELETE FROM predictions WHERE entry = 3"))
    again = owner.rescore(board, references=corrected(tmp_path), yes=True).text
    assert "2: set aside, since its predictions are damaged in the database" in again
    assert "3: set aside, since its predictions are missing in the database" in again
    assert "set aside → shown" in again
    assert [entry.id for entry in board.entries()] == [1]


def meanwhile(monkeypatch, act):
    """Have this done while the next predictions are scored."""
    score = boards.score

    def first(*arguments, **options):
        monkeypatch.setattr(boards, "score", score)
        act()
        return score(*arguments, **options)

    monkeypatch.setattr(boards, "score", first)


@pytest.mark.parametrize(
    "act",
    [
        lambda board, folder: submit(board, folder, 30),
        lambda board, _: owner.rescore(board, yes=True),
        lambda board, folder: owner.rescore(board, references=corrected(folder), yes=True),
    ],
)
def test_scores_against_references_that_were_corrected_meanwhile_are_not_kept(board, tmp_path, monkeypatch, act):
    submit(board, tmp_path, 20)
    meanwhile(monkeypatch, lambda: owner.rescore(board, references=corrected(tmp_path, quality=OTHERS), yes=True))
    with pytest.raises(BoardError, match=r"The references were corrected while this was scored\. Try again\."):
        act(board, tmp_path)
    assert [kept.references for kept in owner.submissions(board)] == [2]


def test_what_is_submitted_while_all_entries_are_scored_again_is_scored_again_too(board, tmp_path, monkeypatch):
    submit(board, tmp_path, 20)
    meanwhile(monkeypatch, lambda: submit(board, tmp_path, 21, "B"))
    owner.rescore(board, references=corrected(tmp_path, quality=OTHERS), yes=True)
    assert [kept.references for kept in owner.submissions(board)] == [2, 2]


def test_a_backup_is_restored_by_putting_it_in_the_boards_place(board, tmp_path):
    backup, place = tmp_path / "backup.sqlite", board.database.file
    if place is None:
        with pytest.raises(BoardError, match="back that up with pg_dump"):
            owner.backup(board, str(backup))
        return
    entry, submitter = submit(board, tmp_path, 20), invited(board)
    owner.backup(board, str(backup))
    assert backup.stat().st_mode & 0o777 == 0o600
    submit(board, tmp_path, 30, "B")
    shutil.copy(backup, place)
    restored = open_board(place)
    assert restored.entries() == [entry]
    restored.submit(submitter, system="S", predictions=predictions(tmp_path, 38))
    with pytest.raises(UnusableInput, match="exists already"):
        owner.backup(board, str(place))
    place.write_bytes(place.read_bytes()[:9_000])
    with pytest.raises((BoardError, sqlite3.DatabaseError)):
        owner.backup(board, str(tmp_path / "torn.sqlite"))
    assert not (tmp_path / "torn.sqlite").exists()


def test_the_entries_are_written_as_csv_and_parquet_and_the_predictions_as_files_to_score(board, tmp_path):
    for name, system, right in (("A", "=1+1", 8), ("B", "S", 37), ("C", "S", 38)):
        submit(board, tmp_path, right, name, system)
    table, columns, folder = tmp_path / "b.csv", tmp_path / "b.parquet", tmp_path / "out"
    said = owner.export(board, csv=str(table), parquet=str(columns), predictions=str(folder)).note
    assert said == f"Written: {table}, {columns}, {folder}: 3 files, private"
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    details = ["baseline", "link", "note", "submitted", "signature", "run", "remark"]
    scores = ["average", "quality", "space_digest"]
    assert [*rows[0]] == ["rank", "id", "system", "submitter", *scores, "not_separated_from", *details]
    ranks = sorted((row["rank"], row["submitter"], row["not_separated_from"]) for row in rows)
    assert ranks == [("1", "B", "3"), ("1", "C", "2"), ("3", "A", "")]
    assert rows[2]["system"] == "'=1+1"
    assert pd.read_parquet(columns)["rank"].tolist() == [1, 1, 3]
    assert score_files([folder / "entry-2.json"], [tmp_path / "references.json"]).tasks["quality"].score == 92.5


def test_parquet_needs_pyarrow_alone_and_says_so_before_anything_is_written(board, tmp_path, monkeypatch):
    table, columns = tmp_path / "b.csv", tmp_path / "b.parquet"
    monkeypatch.setitem(sys.modules, "pandas", None)
    owner.export(board, parquet=str(columns))
    columns.unlink()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r'needs pyarrow; install it with: pip install "pyarrow>=16"$'):
        owner.export(board, csv=str(table), parquet=str(columns))
    assert [path for path in (table, columns) if path.exists()] == []


@pytest.mark.parametrize(("repo", "official"), [("tau/zero_scrolls", "1"), ("someone/zero_scrolls", "0"), (None, "0")])
def test_the_references_of_the_benchmarks_own_dataset_alone_are_official(repo, official):
    read = References(source=Source("hub" if repo else "files", repo, "1a2b3c4"))
    assert boards.is_official(read, BENCHMARKS["zero_scrolls"]) == official


def test_evaluation_results_are_written_for_the_benchmarks_own_dataset(tmp_path):
    board = create_board(tmp_path / "b.sqlite", references_from_source("embedded", TASKS))
    entry = board.submit(invited(board), system="S", predictions=SAMPLE_PREDICTIONS)
    with board.database.writing() as connection:
        write_state(connection, "official", 1)
    assert owner.export(board, eval_results=str(tmp_path / "out")).note == f"Written: {tmp_path / 'out'}: 1 file"
    written = yaml.safe_load((tmp_path / "out" / "entry-1.yaml").read_text(encoding="utf-8"))
    shown = {task: points for task, points in entry.tasks.items() if points is not None} | {"average": entry.average}
    assert {result.task_id: result.value for result in parse_eval_result_entries(written)} == shown
    answers = {task: {example.id: list(example.references) for example in load_embedded(task)} for task in TASKS}
    owner.rescore(board, references=[write(tmp_path / "corrected.json", answers)], yes=True)
    with pytest.raises(BoardError, match="references are others"):
        owner.export(board, eval_results=str(tmp_path / "out"))
