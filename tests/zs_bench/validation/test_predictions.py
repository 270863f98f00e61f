"""From answer files to the official file: complete, in order, read back unchanged; and files that break off or lack."""

import csv
import io
import json
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from time import process_time
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_folders import run_of
from shipped import as_shipped
from sick_files import TEST_IDS, examined, healthy, listed, reported, sources
from written_files import as_bytes, entries

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.source import Source
from zs_bench.files import limits
from zs_bench.files.input_files import InputFile
from zs_bench.files.paths import open_inputs
from zs_bench.prompts import Settings
from zs_bench.validation.known_ids import IdList, KnownIds
from zs_bench.validation.predictions import read_predictions
from zs_bench.validation.rules import OFFERED, OFFICIAL_NOTHING
from zs_bench.validation.submission import READY, as_submission_csv
from zs_bench.validation.validate import Validation, repair, validate
from zs_bench.validation.verify import verify

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)


def officially_read(data: str) -> list[list[str]]:
    """As the official check reads it."""
    options: dict[str, Any] = {"dtype": object, "keep_default_na": False, "na_values": [OFFICIAL_NOTHING]}
    table = pd.read_csv(io.BytesIO(data.encode()), **options)
    assert list(table.columns) == ["Task", "ID", "Prediction"]
    return table.values.tolist()


@given(st.lists(st.tuples(st.sampled_from([*TASKS]), TEXTS.filter(bool), TEXTS), max_size=6))
def test_what_is_written_is_read_back_equal_by_the_official_rules_and_by_ours(rows: list[tuple[str, str, str]]) -> None:
    text = as_submission_csv(rows)
    assert officially_read(text) == [list(row) for row in rows]
    assert entries("zero_scrolls_predictions.csv", text) == rows


def test_ten_json_files_become_the_official_file_with_every_id_in_the_order_of_the_data() -> None:
    files = {name: dict(reversed(answers.items())) for name, answers in healthy(TEST_IDS).items()}
    checked = examined(dict(reversed(files.items())), listed(TEST_IDS))
    assert (checked.problems, checked.ready, checked.verdict) == ([], True, READY)
    expected = [[task, id_, f"of {id_}, this"] for task, ids in TEST_IDS.items() for id_ in ids]
    text = as_submission_csv(repair(checked).answers)
    assert officially_read(text) == expected
    assert len(expected) == sum(task.size.test or 0 for task in TASKS.values()) == 4378
    assert examined({"zero_scrolls_predictions.csv": text}, listed(TEST_IDS)).ready


@pytest.mark.parametrize(
    ("answers", "split"),
    [({"1_0": "a", "2": "b"}, "validation"), ({"7": "a"}, "test"), ({"9": "a"}, None), ({"x": "a"}, "test")],
)
def test_the_split_that_holds_most_ids_is_taken_of_several(answers: dict[str, str], split: str | None) -> None:
    r = Source("files", label="r")
    lists = [IdList(r, None, {"qasper": ["7", "9"]}), IdList(r, "test", {"qasper": ["7", "8"]}),
             IdList(r, "validation", {"qasper": ["1", "2"], "qmsum": ["3"]})]  # fmt: skip
    checked = examined({"qasper.json": answers}, KnownIds(lists, by_overlap=True))
    assert checked.splits == {"qasper": split, "qmsum": "validation"}
    assert [id_ for _, id_, _ in checked.answers] == [id_.removesuffix("_0") for id_ in answers] or "x" in answers


def test_thousands_of_wrong_ids_take_little_time() -> None:
    for form in ("62139_J05FWZR6_{}x", "1.{:06d}E+05", "{}_0"):
        rows = (f"space_digest,{form.format(i)},A\n" for i in range(4_000))
        start = process_time()
        repair(examined({"a.csv": "Task,ID,Prediction\n" + "".join(rows)}, listed(TEST_IDS)), ["unknown"])
        assert process_time() - start < 50


def test_a_file_that_breaks_off_refuses_every_task_it_held_till_there() -> None:
    class Broken(io.BytesIO):
        def readline(self, *_: Any) -> bytes:
            if line := super().readline():
                return line
            raise OSError(5, "Input/output error")

    rows = [{"task": task, "id": "7", "prediction": "A"} for task in ("quality", "qasper")]
    source = InputFile("a.jsonl", PurePosixPath("a.jsonl"), lambda: Broken(as_bytes(rows)), 1)
    problems = validate(read_predictions([source]), KnownIds()).problems
    assert reported(problems) == [("unreadable", "qasper", None), ("unreadable", "quality", None)]


def test_rows_beyond_the_limit_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "current", lambda: limits.Limits(entries=3))
    checked = examined({"qasper.json": dict.fromkeys("1234", "a")})
    (problem,) = checked.problems
    assert (str(problem.place), problem.is_error) == ("qasper.json", True)
    assert problem.message == "more than 3 rows in all; what follows was not read"
    assert [*checked.predictions["qasper"]] == ["1", "2", "3"]


def test_answers_that_only_the_journal_of_a_run_has_are_reported(tmp_path: Path) -> None:
    def checked(run: Path) -> Validation:
        return validate(read_predictions(*open_inputs([run])), KnownIds())

    run = run_of(tmp_path / "run", Settings("m"), {"qasper": {"7": "a", "8": "b"}, "quality": {"1": "A"}})
    assert (checked(run).problems, checked(run).read.run is not None) == ([], True)
    (run / "answers" / "preds_qasper.json").unlink()
    (problem,) = checked(run).problems
    assert (problem.kind, problem.is_error) == ("not-written", False)
    assert "these answers are in its journal alone: qasper 2. Repeat its command" in problem.message
    (run / "answers" / "preds_quality.json").unlink()
    assert checked(run).problems[0].is_error
    empty = run_of(tmp_path / "empty", Settings("m"), {})
    assert [problem.message for problem in checked(empty).problems] == ["The run has no answer yet"]
    damaged = [replace(source, open=lambda: (run / "no").open("rb")) for source in open_inputs([run])[0]]
    unread = read_predictions(damaged).problems
    assert [(problem.kind, str(problem.place), problem.is_error) for problem in unread] == [
        ("not-read", "run/journal.jsonl", False)
    ]


TASK = st.sampled_from(["quality", "Quality", "space_digest", "qualty", "contract_nli", "", "x"])
ID = st.sampled_from(["1", "1_0", "1.0", "01", " 1", "2", "1E+00", "1900-01-02", "y", "\ud800", "x" * 1_001])
VALUE = st.sampled_from(["A", "nan", "", "a,b", None, 7, ["B"], ["B", "C"], True, {"a": "b"}, "é\ud800"])
ROW = st.fixed_dictionaries(
    {}, optional={"task": TASK | VALUE, "id": ID | VALUE, "pid": ID | VALUE, "prediction": VALUE}
)
LONGBENCH = st.fixed_dictionaries({"pred": VALUE}, optional={"_id": ID})
CSV_ROWS = st.sampled_from(["quality,1,a", "quality,2,a,b", "Quality,2", "x", '"', "quality,1_0,a"])


def file(name: str, content: Any) -> tuple[str, str | bytes]:
    return name, "\n".join(map(json.dumps, content)) if isinstance(content, list) else json.dumps(content)


FILE = st.one_of(
    st.dictionaries(TASK, st.dictionaries(ID, VALUE, max_size=3), max_size=3).map(partial(file, "a.json")),
    st.dictionaries(ID, VALUE, max_size=4).map(partial(file, "preds_quality.json")),
    st.lists(ROW, max_size=4).map(partial(file, "quality.jsonl")),
    st.lists(LONGBENCH, max_size=3).map(partial(file, "b.jsonl")),
    st.lists(CSV_ROWS, max_size=4).map(lambda rows: ("c.csv", "\n".join(["Task,ID,Prediction", *rows]))),
    st.tuples(st.sampled_from(["a.csv", "qasper.json", "x.jsonl"]), st.binary(max_size=40)),
)
OTHERS = listed({"quality": ["1", "2"], "space_digest": ["3"]}, {"quality": ["y"]})
IDS = st.sampled_from([KnownIds(), OTHERS, listed({"quality": ["01", "1"]})])


@settings(max_examples=150)
@given(files=st.lists(FILE, max_size=3), ids=IDS, accept=st.sets(st.sampled_from([*OFFERED])), fill=st.booleans())
def test_whatever_is_given_there_is_a_report_and_a_file_in_which_no_safe_repair_is_left(
    *, files: list[tuple[str, Any]], ids: KnownIds, accept: set[str], fill: bool
) -> None:
    checked = examined(dict(files), ids)
    as_shipped(checked.as_dict())
    done = repair(checked, accept, fill_missing=fill)
    as_shipped(done.repairs_as_dict())
    assert any(problem.is_error for problem in checked.problems) or not any(each.is_error for each in done.problems)
    assert not [problem for problem in done.problems if problem.repair and problem.repair.safe]
    text = as_submission_csv(done.answers)
    assert list(csv.reader(io.StringIO(text, newline="")))[1:] == [list(row) for row in done.answers]
    again = validate(read_predictions(sources({"zero_scrolls_predictions.csv": text})), ids)
    # Without the rows that have no text, the ids may determine the task.
    safe = {problem.kind for problem in again.problems if problem.repair and problem.repair.safe}
    assert safe <= {"task-by-ids"}
    assert {row[1:] for row in repair(again).answers} == {row[1:] for row in done.answers}


def test_only_the_tasks_that_are_named_are_checked():
    answers, references = {"qasper": {"a": "x"}}, {"qasper": {"a": ["x"]}, "quality": {"b": ["B"]}}
    for names, checked, found in (
        ((), ["qasper", "quality"], ["No answers for the task"]),
        (["qasper"], ["qasper"], []),
    ):
        done = verify(answers, references, tasks=names)
        assert (sorted(done.counts), [problem.message for problem in done.problems]) == (checked, found)
