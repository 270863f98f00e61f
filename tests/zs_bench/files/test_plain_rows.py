"""Rows of any columns, which no format of answers says: they have plain values, and their places."""

import io
import json
import math

import pandas as pd
import pytest

from zs_bench.errors import UnusableInput
from zs_bench.files.formats import read_plain
from zs_bench.files.input_files import InputFile


def plain_rows(name, content):
    data = content if isinstance(content, bytes) else content.encode()
    return [(str(place), row) for place, row in read_plain(InputFile.in_memory(name, data))]


def test_a_row_has_its_place_and_the_values_that_were_written():
    rows = '{"a": 1, "b": [0.5, null, true], "c": {"d": "\u2028"}}\n\n{"a": -3}\n'
    expected = [("r.jsonl, line 1", {"a": 1, "b": [0.5, None, True], "c": {"d": "\u2028"}})]
    assert plain_rows("r.jsonl", rows) == [*expected, ("r.jsonl, line 3", {"a": -3})]
    assert plain_rows("r.json", '[{"a": "x"}, {"b": 2}]') == [
        ("r.json, row 1", {"a": "x"}),
        ("r.json, row 2", {"b": 2}),
    ]
    assert plain_rows("r.csv", 'a,b\n"1\n2",x\n\n3,y\n') == [
        ("r.csv, line 2", {"a": "1\n2", "b": "x"}),
        ("r.csv, line 5", {"a": "3", "b": "y"}),
    ]
    assert plain_rows("r.tsv", "a\tb,c\td\n1\t2\t3\n") == [("r.tsv, line 2", {"a": "1", "b,c": "2", "d": "3"})]


def test_a_row_of_parquet_has_its_number_and_a_value_that_is_no_text_in_json_stays_as_it_is():
    stored = io.BytesIO()
    pd.DataFrame([{"a": "x", "b": b"\xff", "c": [1, 2]}, {"a": None, "b": b"", "c": []}]).to_parquet(stored)
    first, second = {"a": "x", "b": b"\xff", "c": [1, 2]}, {"a": None, "b": b"", "c": []}
    assert plain_rows("r.parquet", stored.getvalue()) == [("r.parquet, row 1", first), ("r.parquet, row 2", second)]


def test_numbers_that_python_does_not_convert_are_infinite_and_those_of_no_value_are_none():
    ((_, row),) = plain_rows("r.jsonl", f'{{"a": {"9" * 5000}, "b": NaN}}')
    assert row["a"] == math.inf
    assert math.isnan(row["b"])


@pytest.mark.parametrize("name", ["r.json", "r.jsonl"])
def test_rows_a_line_are_recognised_whatever_the_name(name):
    lines = "".join(json.dumps({"number": number}) + "\n" for number in range(3))
    assert plain_rows(name, lines) == [(f"{name}, line {n + 1}", {"number": n}) for n in range(3)]


def test_the_only_list_of_an_object_holds_the_rows():
    assert plain_rows("r.json", '{"version": 1, "data": [{"a": 1}]}') == [("r.json, row 1", {"a": 1})]
    with pytest.raises(UnusableInput, match="the file holds an object; it must hold a list of objects"):
        plain_rows("r.json", '{"train": [{"a": 1}], "test": []}')


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("r.jsonl", '{"a": 1}\n{"b" 3}\n', "r.jsonl, line 2: the JSON cannot be read (Expecting ':' delimiter at "),
        ("r.jsonl", '{"a": 1}\n{"b" 3}\n', "); mend it, or leave it out"),
        (
            "r.jsonl",
            '{"a": 1}\n{\n',
            "r.jsonl, line 2: the JSON ends too early; is the file complete? Else mend it, or ",
        ),
        ("r.jsonl", '{"a": 1, "a": 2}', "r.jsonl, line 1: the row has a key twice; keep one"),
        ("r.jsonl", b'{"a": 1}\n{"a": "\xe9"}', "line 2: the text is not UTF-8; save the file as UTF-8 (byte 0xe9)"),
        (
            "r.json",
            "[\n1,\n\xe9]".encode("cp1252"),
            "r.json: the text is not UTF-8; save the file as UTF-8 (byte 0xe9 of ",
        ),
        ("r.json", "7", "r.json: the file holds a number; it must hold a list of objects, such as [{…}, {…}]"),
        ("r.json", " ", "r.json: the file is empty; write it again, or leave it out"),
        (
            "r.csv",
            'a,b\n1,2\n"3"4,5\n',
            "r.csv: line 3 cannot be read (',' expected after '\"'); write each quote inside",
        ),
        ("r.csv", "a,b\n1,2\n3\n", "r.csv, line 3: the row has 1 cell where the header has 2; put texts with commas"),
        ("r.eval", "PK", "r.eval: .eval files hold other things than rows; give rows as JSON Lines"),
    ],
)
def test_the_sentence_on_a_broken_row_names_file_and_row_and_what_to_do(name, content, message):
    with pytest.raises(UnusableInput) as raised:
        plain_rows(name, content)
    assert message in str(raised.value)


def test_rows_that_cannot_be_read_are_listed_where_the_others_are_wanted():
    faults: list[str] = []
    source = InputFile.in_memory("r.jsonl", b'{\n{"a": 1}\n3\n{"a": 2}\n')
    assert [row for _, row in read_plain(source, faults)] == [{"a": 1}, {"a": 2}]
    assert [fault.partition(":")[0] for fault in faults] == ["r.jsonl, line 1", "r.jsonl, line 3"]
