"""From answer files to the official file: complete, in order, read back unchanged; and whether it can be submitted."""

import csv
import io
import json
from time import process_time
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped import as_shipped
from sick_files import FEW_IDS, TEST_IDS, examined, healthy, known, reported, sources
from written_files import entries

from zs_bench.problems import lines
from zs_bench.tasks import info
from zs_bench.validation.checks import OFFERED
from zs_bench.validation.known_ids import IdList, KnownIds
from zs_bench.validation.prediction_rules import OFFICIAL_NOTHING
from zs_bench.validation.predictions import read_predictions
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
    diagnosis = examined({"preds_quality.json": dict.fromkeys(FEW_IDS["quality"], "A")}, known(FEW_IDS))
    assert reported(diagnosis.problems) == [("missing-task", task, None) for task in TASKS if task != "quality"]
    assert lines(diagnosis.problems) == [
        "9 tasks: No answers for the task: gov_report, summ_screen_fd, qmsum, … (3 missing answers each)"
    ]
    assert diagnosis.offers == {"missing-task": 9}
    assert diagnosis.verdict.startswith("not ready: no answers for 9 of the 10 tasks")
    filled = repair(diagnosis, fill_missing=True)
    assert len(filled.answers) == 30
    null = repair(examined({"qasper.json": {"7": None}}, known({"qasper": ["7"]})), fill_missing=True)
    assert (null.problems, [tuple(row) for row in null.answers]) == ([], [("qasper", "7", "")])
    assert filled.changes[0] == "gov_report, 3 missing answers: filled with an empty answer, which scores 0"
    assert (filled.problems, filled.verdict) == ([], "complete for the 10 tasks of a source (test split)")


def test_the_split_that_holds_most_ids_is_taken_of_several() -> None:
    lists = [IdList("r", None, {"qasper": ["7", "9"]}), IdList("r", "test", {"qasper": ["7", "8"]}),
             IdList("r", "validation", {"qasper": ["1", "2"]})]  # fmt: skip
    ids = KnownIds(lists, by_overlap=True)
    for answers, split in (({"1_0": "a", "2": "b"}, "validation"), ({"7": "a"}, "test"), ({"9": "a"}, None)):
        diagnosis = examined({"qasper.json": answers}, ids)
        assert not [one for one in diagnosis.problems if one.kind in {"unknown", "other-split"}], split
    assert ids.tasks == ["qasper"]


@pytest.mark.parametrize("key", ["62139_J05FWZR6_{}x", "1.{:06d}E+05", "1/1/{:04d}", "{}_0", "{}.0"])
def test_thousands_of_wrong_ids_take_little_time(key: str) -> None:
    rows = (f"space_digest,{key.format(i)},A\n" for i in range(4_000))
    start = process_time()
    diagnosis = examined({"a.csv": "Task,ID,Prediction\n" + "".join(rows)}, known(TEST_IDS))
    repair(diagnosis, ["unknown"])
    assert process_time() - start < 50


TASK = st.sampled_from(["quality", "Quality", "space_digest", "qualty", "contract_nli", "", "x"])
KEY = st.sampled_from(["1", "1_0", "1.0", "01", " 1", "2", "1E+00", "1900-01-02", "y", "\ud800", "x" * 1_001])
VALUE = st.sampled_from(["A", "nan", "", "a,b", None, 7, ["B"], ["B", "C"], True, {"a": "b"}, "é\ud800"])
ROW = st.fixed_dictionaries(
    {}, optional={"task": TASK | VALUE, "id": KEY | VALUE, "pid": KEY | VALUE, "prediction": VALUE}
)
LONGBENCH = st.fixed_dictionaries({"pred": VALUE}, optional={"_id": KEY})
FILE = st.one_of(
    st.dictionaries(TASK, st.dictionaries(KEY, VALUE, max_size=3), max_size=3).map(lambda data: ("a.json", data)),
    st.dictionaries(KEY, VALUE, max_size=4).map(lambda data: ("preds_quality.json", data)),
    st.lists(ROW, max_size=4).map(lambda rows: ("quality.jsonl", rows)),
    st.lists(LONGBENCH, max_size=3).map(lambda rows: ("b.jsonl", rows)),
    st.lists(st.sampled_from(["quality,1,a", "quality,2,a,b", "Quality,2", "x", '"', "quality,1_0,a"]), max_size=4).map(
        lambda rows: ("c.csv", "\n".join(["Task,ID,Prediction", *rows]))
    ),
    st.tuples(st.sampled_from(["a.csv", "qasper.json", "x.jsonl"]), st.binary(max_size=40)),
)
IDS = st.sampled_from(
    [
        KnownIds(),
        known({"quality": ["1", "2"], "space_digest": ["3"]}, {"quality": ["y"]}),
        known({"quality": ["01", "1"]}),
    ]
)


@settings(max_examples=150)
@given(files=st.lists(FILE, max_size=3), ids=IDS, accept=st.sets(st.sampled_from([*OFFERED])), fill=st.booleans())
def test_whatever_is_given_there_is_a_diagnosis_and_a_file_and_what_was_repaired_is_well(
    *, files: list[tuple[str, Any]], ids: KnownIds, accept: set[str], fill: bool
) -> None:
    contents = {name: json.dumps(data) if isinstance(data, dict) else data for name, data in files}
    contents = {
        name: "".join(json.dumps(row) + "\n" for row in data) if isinstance(data, list) else data
        for name, data in contents.items()
    }
    diagnosis = validate(read_predictions(sources(contents)), ids)
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
