"""JSON and JSONL, as predictions and as references: one file, read."""

import json
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_files import entries, problems, read

from zs_bench.files.entries import Nothing, name_task

TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)
NAMES = TEXTS.filter(bool)


@pytest.mark.parametrize(
    "name",
    [
        "qasper.json",
        "preds_qasper.json",
        "predictions-qasper.json",
        "qasper_preds.json",
        "refs_qasper.json",
        "preds_qasper (1).json",
        "runs/preds_qasper.json",
        "qasper/test.jsonl",
        "preds_qasper/validation.jsonl",
    ],
)
def test_the_name_of_a_file_tells_its_task(name: str) -> None:
    assert name_task(PurePosixPath(name)) == "qasper"


@given(st.dictionaries(NAMES, TEXTS, max_size=4))
def test_what_a_json_writer_writes_for_a_task_is_read_back(answers: dict[str, str]) -> None:
    for ascii_only in (True, False):
        data = json.dumps(answers, ensure_ascii=ascii_only).encode()
        found = list(read("preds_qasper.json", data))
        if answers:
            assert [(entry.task, entry.id, entry.value) for entry in found] == [("qasper", *a) for a in answers.items()]
        else:
            assert [type(entry) for entry in found] == [Nothing]


def test_an_answer_is_never_taken_for_a_reference_nor_a_reference_for_an_answer() -> None:
    row = {"id": "7", "prediction": "an answer", "output": "a reference"}
    assert entries("qasper.jsonl", [row]) == [("qasper", "7", "an answer")]
    assert entries("qasper.jsonl", [row], "references") == [("qasper", "7", "a reference")]
    (problem,) = problems("qasper.jsonl", [{"id": "7", "output": "a"}])
    assert (problem.message, problem.detail) == ("the row has no 'prediction'", "its keys: id, output")


def test_a_key_that_stands_twice_in_json_is_seen_twice() -> None:
    assert entries("qasper.json", '{"7": "a", "7": "b"}') == [("qasper", "7", "a"), ("qasper", "7", "b")]
    (problem,) = problems("qasper.jsonl", '{"id": "7", "prediction": "a", "prediction": "b"}')
    assert "a key twice" in problem.message


def test_a_line_separator_inside_a_text_is_no_line_end() -> None:
    assert entries("qasper.jsonl", '{"id": "7", "prediction": "a\u2028b\x85c"}\r\n\r\n') == [
        ("qasper", "7", "a\u2028b\x85c")
    ]


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
        (b'{"7": "caf\xe9"}', "not UTF-8"),
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
