"""The official CSV, read as the official check reads it; rows that it would shift or fill are reported instead."""

import io

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_files import entries, problems, read

from zs_bench.files.entries import Entry

HEADER = "Task,ID,Prediction\n"


def officially_read(data: bytes) -> list[list[str]]:
    return pd.read_csv(io.BytesIO(data), dtype=object, keep_default_na=False).values.tolist()


CELLS = st.sampled_from(
    ["a", "b c", " ", "nan", "é\u2028\x0b", "'", 'x"y', '"a"', '""', '" "', '"a""b"', '"x\n y"', '"\r\n"', '"a"b', '"']
)
ROWS = st.lists(CELLS, min_size=3, max_size=3).map(",".join) | st.sampled_from(["", " \t", "\r", "\ufeff,a,b", "a,b"])


@settings(max_examples=300)
@given(
    st.lists(ROWS, max_size=4).flatmap(
        lambda rows: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(rows))
    )
    | st.text(alphabet='ab,,,"""\n\n\r \t\'é\ufeff\u2028\x0b\x1a\\#', max_size=40)
)
def test_every_csv_row_that_is_accepted_is_read_as_the_official_check_reads_it(text: str) -> None:
    data = (HEADER + text).encode()
    found = list(read("answers.csv", data))
    # pandas loses an empty first cell after a line that is a lone carriage return; an empty task is none anyway
    if all(isinstance(entry, Entry) and entry.task for entry in found):
        assert [[entry.task, entry.id, entry.value] for entry in found] == officially_read(data)


@pytest.mark.parametrize("delimiter", [";", "\t"])
@pytest.mark.parametrize("header", ["Task,ID,Prediction", "\ufeffprediction,x,task,id", '"Task","ID","Prediction"'])
def test_semicolons_or_tabs_between_cells_are_read_if_the_header_has_them(header: str, delimiter: str) -> None:
    row = "qasper,7,yes" if header.strip('"').startswith("Task") else "yes,,qasper,7"
    table = f"{header}\n{row}\n".replace(",", delimiter)
    assert entries("answers.csv", table) == [("qasper", "7", "yes")]
    quoted = table.replace("yes", f'"a, b{delimiter} c"')
    assert entries("answers.csv", quoted) == [("qasper", "7", f"a, b{delimiter} c")]


def test_columns_are_found_by_name_in_any_order_and_case_among_a_hundred() -> None:
    header = ["prediction", *(f"x{i}" for i in range(97)), "id", "TASK"]
    row = ["an answer", *["…"] * 97, "7", "qasper"]
    assert entries("answers.csv", "\n".join(map(",".join, (header, row)))) == [("qasper", "7", "an answer")]


@pytest.mark.parametrize("bad", [b"\xff", b"\0", b"caf\xe9"])
def test_a_row_that_is_not_utf8_or_has_a_nul_byte_is_a_problem_of_that_row_alone(bad: bytes) -> None:
    problem, last = read("answers.csv", HEADER.encode() + b"qasper,7," + bad + b"\nquality,8,B\n")
    assert (problem.task, problem.id, problem.place.row) == ("qasper", "7", 2)
    assert "UTF-8" in problem.message
    assert last.value == "B"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "the file is empty; write it again"),
        (" \n\n", "the file is empty; write it again"),
        (b"%PDF-1.7", "the file is a PDF, not text"),
        (b"PK\x03\x04", "the file is a ZIP or an Excel workbook"),
        ("Task;ID;Answer\nqasper;7;a\n", "the columns are 'Task,ID,Answer'; they must be"),
        ("qasper,7,a\n", "the columns are 'qasper,7,a'; they must be Task,ID,Prediction, or id,prediction. Say which"),
        (HEADER.encode("utf-16"), "UTF-16"),
        (b"\xff\xfe\0\0", "UTF-16"),
        ("x" * 1_000_000, "xxxx…'; it must be"),
    ],
)
def test_a_csv_file_without_the_header_is_refused_in_a_sentence(content: str | bytes, says: str) -> None:
    (problem,) = problems("answers.csv", content)
    assert says in problem.message
    assert len(problem.message) < 200


def test_a_csv_file_holds_no_references() -> None:
    (problem,) = problems("answers.csv", f"{HEADER}qasper,7,a\n", "references")
    assert ".csv files hold predictions" in problem.message
