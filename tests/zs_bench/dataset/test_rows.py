"""Rows of the benchmark's shape: grouped by id, checked line by line."""

import json

import pytest

from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import read_rows
from zs_bench.errors import UnusableInput
from zs_bench.inputs import compose

INPUT, INDICES = compose(TASKS["qasper"], "An article.", "Why?")
GOOD = {"id": "a", "pid": "a_0", "input": INPUT, "output": "So.", **INDICES._asdict()}


def row(**changes):
    return {**GOOD, "truncation_seperator": "... cut\n\n", **changes}


def read(*rows):
    return read_rows("\n".join(map(json.dumps, rows)) + "\n", TASKS["qasper"])


def test_rows_with_one_id_are_one_example_in_the_order_in_which_ids_first_appear():
    examples = read(row(id="b"), row(), row(id="b", pid="a_1", output="Thus."))
    assert [(example.id, example.references, example.pids) for example in examples] == [
        ("b", ["So.", "Thus."], ["a_0", "a_1"]),
        ("a", ["So."], ["a_0"]),
    ]


def test_a_row_without_output_has_no_reference():
    without = {key: value for key, value in row(id="b").items() if key != "output"}
    assert [example.references for example in read(row(output=None), without)] == [[], []]


@pytest.mark.parametrize("index", [None, "12", 1.5, True, [1]])
def test_one_index_field_that_is_no_whole_number_makes_all_four_missing(index):
    example = read(row(query_start_index=index, inner_docs_start_indices=[index]))[0]
    assert (example.indices, example.inner_docs_start_indices) == (None, None)


def test_examples_of_scrolls_about_one_document_share_its_text():
    rows = [{"id": str(i), "input": f"Why {i}?\n\nA long document.", "output": "So."} for i in range(2)]
    first, second = read_rows("\n".join(map(json.dumps, rows)), SCROLLS.tasks["qasper"])
    assert (first.input, first.document) == (rows[0]["input"], "A long document.")
    assert first.document is second.document


def test_odd_characters_are_read_as_they_are():
    separators = json.dumps(row(id="b", output="one\u2028two\x85"), ensure_ascii=False)
    texts = f"\ufeff{json.dumps(row())}\n\n  \n{separators}"
    assert [example.references for example in read_rows(texts, TASKS["qasper"])] == [["So."], ["one\u2028two\x85"]]
    (example,) = read_rows(r'{"id": "a", "input": "x\ud800y", "output": "\udfff"}', TASKS["qasper"])
    assert (example.input, example.references) == ("x\ufffdy", ["\ufffd"]), "a lone surrogate becomes U+FFFD"


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
        ('{"id": "7", "input": "x", "output": 60}', "'output' is 60, not a text; a reference is a text, or null"),
        ('{"id": "a", "input": "x"}', "line 2: the id 'a' has another input in an earlier row; keep one"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_with_its_number(line, message):
    with pytest.raises(UnusableInput, match=message):
        read_rows(f"{json.dumps(row())}\n{line}\n", TASKS["qasper"], name="qasper.jsonl")


def test_an_example_as_data_has_the_fields_of_the_data_and_its_parts():
    assert read(row(inner_docs_start_indices=[3]))[0].as_dict() == {
        **{key: value for key, value in row().items() if key not in ("pid", "output")},
        "references": ["So."],
        "inner_docs_start_indices": [3],
        "instruction": INPUT.partition("\n\n")[0],
        "document": "An article.",
        "query": "Why?",
        "response_header": "Answer:",
    }
