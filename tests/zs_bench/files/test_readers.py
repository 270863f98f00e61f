"""JSON, JSONL and CSV read into entries; what cannot be read is a problem that says why, in bounded memory."""

import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_files import as_bytes, entries, problems, read

from zs_bench.files import limits
from zs_bench.files.entries import Entry, Nothing, name_task
from zs_bench.files.formats import read_source
from zs_bench.files.opened_file import Source

HEADER = "Task,ID,Prediction\n"
TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)


def test_the_name_of_a_file_tells_its_task() -> None:
    time = "2026-06-03T10-20-30.123456"
    for names, task in {
        "qasper preds_qasper predictions-qasper qasper_preds refs_qasper preds_qasper|(1) runs/preds_qasper": "qasper",
        "qasper/test preds_qasper/validation": "qasper",
        f"samples_zero_scrolls_govreport_{time}": "gov_report",
        f"samples_zeroscrolls_summ_screen_fd_{time}": "summ_screen_fd",
        f"samples_space_digest_{time}": "space_digest",
        f"samples_scrolls_qasper_{time}": "scrolls_qasper",
        f"samples_hellaswag_{time}": "hellaswag",
        "samples_qasper": "samples_qasper",
    }.items():
        for name in names.split():
            assert name_task(PurePosixPath(f"{name.replace('|', ' ')}.jsonl")) == task, name


@given(st.dictionaries(TEXTS.filter(bool), TEXTS, max_size=4))
def test_what_a_json_writer_writes_for_a_task_is_read_back(answers: dict[str, str]) -> None:
    for ascii_only in (True, False):
        items = list(read("preds_qasper.json", json.dumps(answers, ensure_ascii=ascii_only).encode()))
        if answers:
            assert [(entry.task, entry.id, entry.value) for entry in items] == [("qasper", *a) for a in answers.items()]
        else:
            assert [type(entry) for entry in items] == [Nothing]


def test_an_answer_is_never_taken_for_a_reference_nor_a_reference_for_an_answer() -> None:
    row = {"id": "7", "prediction": "an answer", "output": "a reference"}
    assert entries("qasper.jsonl", [row]) == [("qasper", "7", "an answer")]
    assert entries("qasper.jsonl", [row], "references") == [("qasper", "7", "a reference")]
    for role, row, says in (
        ("predictions", {"id": "7", "output": "a"}, "the row has no 'prediction'"),
        ("references", {"id": "7", "prediction": "a"}, "the row has no 'output' or 'references'"),
        ("references", {"id": "7", "pid": "7_0"}, "the row has no 'output' or 'references'"),
    ):
        (problem,) = problems("qasper.jsonl", [row], role)
        assert (problem.message, problem.detail) == (says, f"its keys: {', '.join(row)}")
    (entry,) = read("qasper.jsonl", [{"pid": "7_0", "output": "a"}], "references")
    assert (entry.id, entry.fault and entry.fault.message) == (None, "the row has no 'id'")
    (problem,) = problems("answers.csv", f"{HEADER}qasper,7,a\n", "references")
    assert (".csv files hold predictions" in problem.message, problem.is_error) == (True, False)


def test_rows_are_separated_by_line_feeds_alone_and_no_key_is_lost() -> None:
    separators = '{"id": "7", "prediction": "a\u2028b\x85c"}\r\n\r\n'
    assert entries("qasper.jsonl", separators) == [("qasper", "7", "a\u2028b\x85c")]
    assert [id_ for _, id_, _ in entries("preds_qasper.json", {"qaspr": {"7": "a"}})] == ["qaspr"]
    assert [task for task, _, _ in entries("run.json", {"qaspr": {"7": "a"}})] == ["qaspr"]
    assert entries("qasper.json", '{"7": "a", "7": "b"}') == [("qasper", "7", "a"), ("qasper", "7", "b")]
    (problem,) = problems("qasper.jsonl", '{"id": "7", "prediction": "a", "prediction": "b"}')
    assert "a key twice" in problem.message
    (entry, problem) = read("q.jsonl", '\ufeff{"id": "7", "prediction": "a"}\n{"id": 8}\n')
    assert (entry.value, problem.place.row) == ("a", 2)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the file is empty"),
        (b"  \n ", "the file is empty"),
        (b"[1, 2]", "the file holds a list"),
        (b"[]", "the file holds an empty list"),
        (b'"text"', "the file holds a text"),
        (b"12", "the file holds a number"),
        (b"null", "the file holds null"),
        (b"NaN", "the file holds a number"),
        (b"true", "the file holds true or false"),
        (b'{"7": "a",}', "column "),  # what is wrong there, Python 3.13 words in another way
        (b'{"7":\n"a"\n"8"}', "line 3, column 1"),
        (b'{"7": "\x00"}', "Invalid control character"),
        (b'{"7": "a', "the JSON ends too early"),
        (b'{\n\n"7": "\xff"}', "byte 0xff of line 3"),
        ('{"7": "a"}'.encode("utf-16"), "UTF-16"),
        ('{"7": "a"}'.encode("utf-16-le"), "UTF-16"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"7":' * 100_000, "nested too deeply"),
        (b'{"7": [' + b"[]," * 2_000_001, "more than 2,000,000 commas and brackets"),
    ],
)
def test_json_that_cannot_be_read_is_one_problem_of_its_task(content: bytes, says: str) -> None:
    (problem,) = problems("preds_qasper.json", content)
    assert (problem.kind, problem.task, problem.is_error) == ("unreadable", "qasper", True)
    assert says in f"{problem.message}: {problem.detail}"
    assert len(f"{problem.message}: {problem.detail}") < 200


CELLS = st.sampled_from(
    ["a", "b c", " ", "nan", "é\u2028\x0b", "'", 'x"y', '"a"', '""', '" "', '"a""b"', '"x\n y"', '"\r\n"', '"a"b', '"']
)
ROWS = st.lists(CELLS, min_size=3, max_size=3).map(",".join) | st.sampled_from(["", " \t", "\r", "\ufeff,a,b", "a,b"])
LINES = st.tuples(st.lists(ROWS, max_size=4), st.sampled_from(["\n", "\r\n", "\r"])).map(lambda at: at[1].join(at[0]))


@settings(max_examples=300)
@given(LINES | st.text(alphabet='ab,,,"""\n\n\r \t\'é\ufeff\u2028\x0b\x1a\\#', max_size=40))
def test_every_csv_row_that_is_accepted_is_read_as_the_official_check_reads_it(text: str) -> None:
    data = (HEADER + text).encode()
    items = list(read("answers.csv", data))
    # pandas loses an empty first cell after a line that is a lone carriage return, and older ones fail at a blank there
    if all(isinstance(entry, Entry) and entry.task and not entry.fault for entry in items) and "\r " not in text:
        official = pd.read_csv(io.BytesIO(data), dtype=object, keep_default_na=False).values.tolist()
        assert [[entry.task, entry.id, entry.value] for entry in items] == official


def test_columns_are_found_by_name_in_any_order_case_and_delimiter() -> None:
    for delimiter in ",;\t":
        for header in ("Task,ID,Prediction", "\ufeffprediction,x,task,id", '"Task","ID","Prediction"'):
            row = "qasper,7,yes" if header.strip('"').startswith("Task") else "yes,,qasper,7"
            table = f"{header}\n{row}\n".replace(",", delimiter)
            assert entries("answers.csv", table) == [("qasper", "7", "yes")]
            quoted = table.replace("yes", f'"a, b{delimiter} c"')
            assert entries("answers.csv", quoted) == [("qasper", "7", f"a, b{delimiter} c")]
    header = ["prediction", *(f"x{i}" for i in range(97)), "id", "TASK"]
    row = ["an answer", *["…"] * 97, "7", "qasper"]
    assert entries("answers.csv", "\n".join(map(",".join, (header, row)))) == [("qasper", "7", "an answer")]


@pytest.mark.parametrize("bad", [b"\xff", b"\0", b"caf\xe9"])
def test_a_row_that_is_not_utf8_or_has_a_nul_byte_is_a_problem_of_that_row_alone(bad: bytes) -> None:
    problem, last = read("answers.csv", HEADER.encode() + b"qasper,7," + bad + b"\nquality,8,B\n")
    assert (problem.task, problem.id, problem.place.row) == ("qasper", "7", 2)
    assert ("UTF-8" in problem.message, last.value) == (True, "B")
    (problem, _) = read("answers.csv", HEADER.encode() + b"qasper,7,a," + bad + b"\nquality,8,B\n")
    assert problem.kind == "unreadable"
    (problem,) = read("answers.csv", "Prediction,Task,ID\na,b,qasper,7\n")
    assert problem.message.startswith("the row has 4 cells where the header has 3")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "the file is empty; write it again"),
        (" \n\n", "the file is empty; write it again"),
        (b"%PDF-1.7", "the file is a PDF, not text"),
        (b"PK\x03\x04", "the file is a ZIP or an Excel workbook"),
        ("Task;ID;Answer\nqasper;7;a\n", "the columns are 'Task,ID,Answer'; they must be"),
        ("qasper,7,a\n", "the columns are 'qasper,7,a'; they must be Task,ID,Prediction, or id,prediction. Say which"),
        ("task,predicted_answer\nqasper,a\n", "they must be Task,ID,Prediction"),
        (HEADER.encode("utf-16"), "UTF-16"),
        ("x" * 1_000_000, "xxxx…'; it must be"),
    ],
)
def test_a_csv_file_without_the_header_is_refused_in_a_sentence(content: str | bytes, says: str) -> None:
    (problem,) = problems("answers.csv", content)
    assert says in problem.message
    assert len(problem.message) < 200


def within(megabytes: float, run: Callable[[], Any]) -> Any:
    tracemalloc.start()
    try:
        result = run()
        assert tracemalloc.get_traced_memory()[1] < megabytes * 1e6
    finally:
        tracemalloc.stop()
    return result


def test_rows_are_read_one_by_one_in_little_memory_and_one_that_is_too_long_is_left_out() -> None:
    data = as_bytes([{"id": "7", "input": "word " * 20_000, "output": "a"}]) * 300
    assert within(5, lambda: sum(1 for _ in read("qasper/test.jsonl", data, "references"))) == 300
    data = b'{"id": "7", "prediction": "' + b"a" * 50_000_000 + b'"}\n{"id": "8", "prediction": "b"}\n'
    problem, entry = within(150, lambda: list(read("qasper.jsonl", data)))
    assert (problem.message, problem.task, problem.place.row) == ("the line is longer than 20 MB", "qasper", 1)
    assert (entry.id, entry.place.row) == ("8", 2)


def test_a_file_that_grows_or_breaks_off_while_it_is_read_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise OSError(5, "Input/output error")

    source = Source("qasper.json", PurePosixPath("qasper.json"), Broken, 10)
    (problem,) = read_source(source, "predictions")
    assert "the file cannot be read (Input/output error)" in problem.message
    monkeypatch.setattr(limits, "MAX_WHOLE", 5)
    (problem,) = problems("qasper.json", {"7": "a"})
    assert problem.message == "the file is larger than 0.005 kB"
