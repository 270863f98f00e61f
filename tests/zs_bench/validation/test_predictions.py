"""From answer files to the official file: complete, in order, read back unchanged; and whether it can be submitted."""

import csv
import io
import json
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
from sick_files import FEW_IDS, TEST_IDS, examined, healthy, known, reported, sources
from written_files import as_bytes, entries

from zs_bench.files import limits
from zs_bench.files.opened_file import Source
from zs_bench.files.paths import open_inputs
from zs_bench.run_records.settings import Settings
from zs_bench.tasks import info
from zs_bench.validation.known_ids import IdList, KnownIds
from zs_bench.validation.predictions import read_predictions
from zs_bench.validation.rules import OFFERED, OFFICIAL_NOTHING
from zs_bench.validation.submission import FILE_NAMES, READY, as_submission_csv
from zs_bench.validation.validate import repair, validate
from zs_metric import TASKS

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
    assert entries(FILE_NAMES["zero_scrolls"], text) == rows


def test_ten_json_files_become_the_official_file_with_every_id_in_the_order_of_the_data() -> None:
    files = {name: dict(reversed(answers.items())) for name, answers in healthy(TEST_IDS).items()}
    diagnosis = examined(dict(reversed(files.items())), known(TEST_IDS))
    assert (diagnosis.problems, diagnosis.ready, diagnosis.verdict) == ([], True, READY)
    done = repair(diagnosis)
    assert (done.changes, done.problems, done.ready) == ([], [], True)
    expected = [[task, key, f"of {key}, this"] for task, keys in TEST_IDS.items() for key in keys]
    text = as_submission_csv(done.answers)
    assert officially_read(text) == expected
    assert len(expected) == sum(info(task).size.test or 0 for task in TASKS.values()) == 4378
    assert examined({FILE_NAMES["zero_scrolls"]: text}, known(TEST_IDS)).ready


def test_missing_tasks_are_reported_as_such_and_can_be_filled() -> None:
    checked = examined({"preds_quality.json": dict.fromkeys(FEW_IDS["quality"], "A")}, known(FEW_IDS))
    assert reported(checked.problems) == [("missing-task", task, None) for task in TASKS if task != "quality"]
    assert checked.verdict.startswith("not ready: no answers for 9 of the 10 tasks")
    filled = repair(checked, fill_missing=True)
    assert (len(filled.answers), filled.problems) == (30, [])
    assert filled.verdict == "complete for the 10 tasks of a source (test split)"
    assert filled.changes[0] == "gov_report, 3 missing answers: filled with an empty answer, which scores 0"
    null = repair(examined({"qasper.json": {"7": None}}, known({"qasper": ["7"]})), fill_missing=True)
    assert (null.problems, [tuple(row) for row in null.answers]) == ([], [("qasper", "7", "")])


def test_the_split_that_holds_most_ids_is_taken_of_several() -> None:
    lists = [IdList("r", None, {"qasper": ["7", "9"]}), IdList("r", "test", {"qasper": ["7", "8"]}),
             IdList("r", "validation", {"qasper": ["1", "2"]})]  # fmt: skip
    ids = KnownIds(lists, by_overlap=True)
    for answers, split in (({"1_0": "a", "2": "b"}, "validation"), ({"7": "a"}, "test"), ({"9": "a"}, None)):
        diagnosis = examined({"qasper.json": answers}, ids)
        assert not [one for one in diagnosis.problems if one.kind in {"unknown", "other-split"}], split


def test_thousands_of_wrong_ids_take_little_time() -> None:
    for form in ("62139_J05FWZR6_{}x", "1.{:06d}E+05", "{}_0"):
        rows = (f"space_digest,{form.format(i)},A\n" for i in range(4_000))
        start = process_time()
        repair(examined({"a.csv": "Task,ID,Prediction\n" + "".join(rows)}, known(TEST_IDS)), ["unknown"])
        assert process_time() - start < 50


def test_a_file_that_breaks_off_refuses_every_task_it_held_till_there() -> None:
    class Broken(io.BytesIO):
        def readline(self, *_: Any) -> bytes:
            if line := super().readline():
                return line
            raise OSError(5, "Input/output error")

    rows = [{"task": task, "id": "7", "prediction": "A"} for task in ("quality", "qasper")]
    source = Source("a.jsonl", PurePosixPath("a.jsonl"), lambda: Broken(as_bytes(rows)), 1)
    problems = validate(read_predictions([source]), KnownIds()).problems
    assert reported(problems) == [("unreadable", "qasper", None), ("unreadable", "quality", None)]


@pytest.mark.slow
def test_a_million_ids_are_refused_with_the_limit() -> None:
    checked = examined({"qasper.json": b"{" + b",".join(b'"%d":"a"' % i for i in range(1_000_000)) + b"}"})
    (problem,) = checked.problems
    assert problem.message == "more than 200,000 rows in all; what follows was not read"
    assert len(checked.predictions["qasper"]) == limits.MAX_ENTRIES


def test_answers_that_only_the_journal_of_a_run_has_are_reported(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", Settings("m"), {"qasper": {"7": "a", "8": "b"}, "quality": {"1": "A"}})
    assert validate(read_predictions(*open_inputs([run])), KnownIds()).problems == []
    (run / "answers" / "preds_qasper.json").unlink()
    (problem,) = validate(read_predictions(*open_inputs([run])), KnownIds()).problems
    assert (problem.kind, problem.is_error) == ("not-written", False)
    assert "these answers are in its journal alone: qasper 2. Repeat its command" in problem.message
    (run / "answers" / "preds_quality.json").unlink()
    assert validate(read_predictions(*open_inputs([run])), KnownIds()).problems[0].is_error
    empty = run_of(tmp_path / "empty", Settings("m"), {})
    assert [one.message for one in validate(read_predictions(*open_inputs([empty])), KnownIds()).problems] == [
        "The run has no answer yet"
    ]


TASK = st.sampled_from(["quality", "Quality", "space_digest", "qualty", "contract_nli", "", "x"])
KEY = st.sampled_from(["1", "1_0", "1.0", "01", " 1", "2", "1E+00", "1900-01-02", "y", "\ud800", "x" * 1_001])
VALUE = st.sampled_from(["A", "nan", "", "a,b", None, 7, ["B"], ["B", "C"], True, {"a": "b"}, "é\ud800"])
ROW = st.fixed_dictionaries(
    {}, optional={"task": TASK | VALUE, "id": KEY | VALUE, "pid": KEY | VALUE, "prediction": VALUE}
)
LONGBENCH = st.fixed_dictionaries({"pred": VALUE}, optional={"_id": KEY})


def file(name: str, content: Any) -> tuple[str, str | bytes]:
    return name, "\n".join(map(json.dumps, content)) if isinstance(content, list) else json.dumps(content)


FILE = st.one_of(
    st.dictionaries(TASK, st.dictionaries(KEY, VALUE, max_size=3), max_size=3).map(partial(file, "a.json")),
    st.dictionaries(KEY, VALUE, max_size=4).map(partial(file, "preds_quality.json")),
    st.lists(ROW, max_size=4).map(partial(file, "quality.jsonl")),
    st.lists(LONGBENCH, max_size=3).map(partial(file, "b.jsonl")),
    st.lists(st.sampled_from(["quality,1,a", "quality,2,a,b", "Quality,2", "x", '"', "quality,1_0,a"]), max_size=4).map(
        lambda rows: ("c.csv", "\n".join(["Task,ID,Prediction", *rows]))
    ),
    st.tuples(st.sampled_from(["a.csv", "qasper.json", "x.jsonl"]), st.binary(max_size=40)),
)
OTHERS = known({"quality": ["1", "2"], "space_digest": ["3"]}, {"quality": ["y"]})
IDS = st.sampled_from([KnownIds(), OTHERS, known({"quality": ["01", "1"]})])


@settings(max_examples=150)
@given(files=st.lists(FILE, max_size=3), ids=IDS, accept=st.sets(st.sampled_from([*OFFERED])), fill=st.booleans())
def test_whatever_is_given_there_is_a_diagnosis_and_a_file_and_what_was_repaired_is_well(
    *, files: list[tuple[str, Any]], ids: KnownIds, accept: set[str], fill: bool
) -> None:
    diagnosis = validate(read_predictions(sources(dict(files))), ids)
    as_shipped(diagnosis.as_dict())
    done = repair(diagnosis, accept, fill_missing=fill)
    as_shipped(done.repairs_as_dict())
    assert any(one.is_error for one in diagnosis.problems) or not any(one.is_error for one in done.problems)
    safe = [one for one in done.problems if one.repair and one.repair.safe]
    assert not safe
    text = as_submission_csv(done.answers)
    assert list(csv.reader(io.StringIO(text, newline="")))[1:] == [list(one) for one in done.answers]
    again = validate(read_predictions(sources({FILE_NAMES["zero_scrolls"]: text})), ids)
    # Without the rows that have no text, the ids may tell the task.
    assert {one.kind for one in again.problems if one.repair and one.repair.safe} <= {"task-by-ids"}
    assert {row[1:] for row in repair(again).answers} == {row[1:] for row in done.answers}
