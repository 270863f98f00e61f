"""Rows of the benchmark's shape: grouped by id, checked line by line."""

import json
from typing import Any

import pytest

from zs_bench.dataset.rows import Example, read_rows
from zs_bench.errors import UnusableInput
from zs_bench.prompts.composition import compose
from zs_metric.tasks import TASKS

INPUT, INDICES = compose(TASKS["qasper"], "An article.", "Why?")


def row(**changes: Any) -> dict[str, Any]:
    good = {"id": "a", "pid": "a_0", "input": INPUT, "output": "So.", **INDICES._asdict()}
    return {**good, "truncation_seperator": "... cut\n\n", **changes}


def read(*rows: dict[str, Any]) -> list[Example]:
    return read_rows("\n".join(map(json.dumps, rows)) + "\n", TASKS["qasper"])


def test_rows_with_one_id_are_one_example_with_several_references() -> None:
    (example,) = read(row(), row(pid="a_1", output="Thus."))
    assert example.references == ["So.", "Thus."]
    assert example.pids == ["a_0", "a_1"]


def test_examples_come_in_the_order_in_which_their_ids_first_appear() -> None:
    examples = read(row(id="b"), row(id="a"), row(id="b", output="Thus."))
    assert [(example.id, example.references) for example in examples] == [("b", ["So.", "Thus."]), ("a", ["So."])]


@pytest.mark.parametrize("output", [None, "missing"])
def test_a_row_without_output_has_no_reference(output: str | None) -> None:
    data = row(output=None)
    if output == "missing":
        del data["output"]
    assert read(data)[0].references == []


@pytest.mark.parametrize("index", [None, "12", 1.5, True, [1]])
def test_one_index_field_that_is_no_whole_number_makes_all_four_missing(index: Any) -> None:
    (example,) = read(row(query_start_index=index))
    assert example.indices is None


def test_blank_lines_and_a_byte_order_mark_are_skipped() -> None:
    assert len(read_rows(f"\ufeff{json.dumps(row())}\n\n  \n{json.dumps(row(id='b'))}", TASKS["qasper"])) == 2


def test_a_line_separator_inside_a_text_does_not_end_the_line() -> None:
    line = json.dumps(row(output="one\u2028two\x85three"), ensure_ascii=False)
    assert read_rows(line, TASKS["qasper"])[0].references == ["one\u2028two\x85three"]


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    (example,) = read_rows(r'{"id": "a", "input": "x\ud800y", "output": "\udfff"}', TASKS["qasper"])
    assert (example.input, example.references) == ("x\ufffdy", ["\ufffd"])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"qasper.jsonl, line 2: the line is not JSON \(.+ at column 2\); a row is one JSON object on one line"),
        ("[1]", r"line 2: the line is not a JSON object but \[1\]; a row is {id, input, output, …}"),
        ("[" * 100_000, "line 2: the line is not JSON"),
        ('{"pid": "a_0", "input": "x"}', "line 2: 'id' is missing, the keys are pid, input; a row of the benchmark"),
        ('{"id": 7, "input": "x"}', "line 2: 'id' is 7, not a text"),
        ('{"id": "7"}', "line 2: 'input' is missing, the keys are id"),
        ("{}", "line 2: 'id' is missing, the keys are none"),
        (
            '{"id": "7", "input": "x", "output": 60}',
            "line 2: 'output' is 60, not a text; a reference is a text, or null",
        ),
        ('{"id": "a", "input": "x"}', "line 2: the id 'a' has another input in an earlier row; keep one"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_with_its_number(line: str, message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        read_rows(f"{json.dumps(row())}\n{line}\n", TASKS["qasper"], name="qasper.jsonl")


def test_an_example_as_data_has_the_fields_of_the_data_and_its_parts() -> None:
    assert read(row(inner_docs_start_indices=[3]))[0].as_dict() == {
        "id": "a",
        "input": INPUT,
        "references": ["So."],
        **INDICES._asdict(),
        "truncation_seperator": "... cut\n\n",
        "inner_docs_start_indices": [3],
        "instruction": INPUT.partition("\n\n")[0],
        "document": "An article.",
        "query": "Why?",
        "response_header": "Answer:",
    }
