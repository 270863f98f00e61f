"""Rows of the benchmark's shape: grouped by id, checked line by line."""

import json

import pytest
from written_files import write

from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import read_examples
from zs_bench.dataset.sources import load_examples
from zs_bench.errors import UnusableInput
from zs_bench.files.input_files import InputFile
from zs_bench.files.paths import open_inputs
from zs_bench.inputs import compose
from zs_bench.problems import lines
from zs_bench.validation.from_source import references_from_source
from zs_bench.validation.references import gather_references

INPUT, INDICES = compose(TASKS["qasper"], "An article.", "Why?")
GOOD = {"id": "a", "pid": "a_0", "input": INPUT, "output": "So.", **INDICES._asdict()}


def row(**changes):
    return {**GOOD, "truncation_seperator": "... cut\n\n", **changes}


def read(*rows, task=TASKS["qasper"]):
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    examples, warnings = read_examples(InputFile.in_memory("qasper.jsonl", text.encode()), task)
    assert not warnings
    return examples


def test_rows_with_one_id_are_one_example_in_the_order_in_which_ids_first_appear():
    examples = read(row(id="b"), row(), row(id="b", pid="a_1", output="Thus."))
    assert [(example.id, example.references, example.pids) for example in examples] == [
        ("b", ["So.", "Thus."], ["a_0", "a_1"]),
        ("a", ["So."], ["a_0"]),
    ]


def test_a_row_has_no_reference_one_or_several():
    without = {key: value for key, value in row(id="b").items() if key != "output"}
    examples = read(row(output=None), without, row(id="c", output=["So.", "Thus."]))
    assert [example.references for example in examples] == [[], [], ["So.", "Thus."]]


@pytest.mark.parametrize("index", [None, "12", 1.5, True, [1]])
def test_one_index_field_that_is_no_whole_number_makes_all_four_missing(index):
    example = read(row(query_start_index=index, inner_docs_start_indices=[index]))[0]
    assert (example.indices, example.inner_docs_start_indices) == (None, None)


def test_examples_of_scrolls_about_one_document_share_its_text():
    rows = [{"id": str(i), "input": f"Why {i}?\n\nA long document.", "output": "So."} for i in range(2)]
    first, second = read(*rows, task=SCROLLS.tasks["qasper"])
    assert (first.input, first.document) == (rows[0]["input"], "A long document.")
    assert first.document is second.document


def test_a_lone_surrogate_becomes_the_replacement_character():
    (example,) = read(r'{"id": "a", "input": "x\ud800y", "output": "\udfff"}')
    assert (example.input, example.references) == ("x\ufffdy", ["\ufffd"])


#: Rows that cannot be read, and what is said of them, of files and of sources.
FAULTS = {
    "{": "qasper: the JSON ends too early; is the file complete? {}, line 2",
    '{"pid": "a_0", "input": "x", "output": "y"}': "qasper: the row has no 'id': {}, line 2: its "
    "keys: pid, input, output",
    '{"id": 7, "input": "x", "output": "y"}': "qasper: The ID is a number. Write it in quotes: {}, line 2: 7",
    '{"id": "7", "input": "x", "output": 60}': "qasper: The reference is a number, not a text. Take references of a "
    "split that has them: 7 ({}, line 2: 60)",
    '{"id": "7", "input": "x", "output": ["y", {}]}': "qasper: The reference is an empty object, not a text. Take "
    "references of a split that has them: 7 ({}, line 2)",
}
#: Those of examples alone.
OF_EXAMPLES = {
    '{"id": "7", "output": "y"}': "qasper: The row has no 'input': 7 ({}, line 2)",
    '{"id": "7", "input": 1, "output": "y"}': "qasper: The input is a number, not a text: 7 ({}, line 2)",
    '{"id": "a", "input": "x"}': "qasper: An earlier row of the ID has another input. Keep one: a ({}, line 2)",
}


@pytest.mark.parametrize(("line", "message"), [*FAULTS.items(), *OF_EXAMPLES.items()])
def test_a_row_that_cannot_be_read_has_the_same_words_in_a_file_an_upload_and_a_source(line, message, tmp_path):
    path = write(tmp_path / "data" / "qasper" / "validation.jsonl", f"{json.dumps(row())}\n{line}\n")
    in_source = references_from_source(tmp_path / "data", ["qasper"]).problems
    assert lines(in_source) == [message.format("data/qasper/validation.jsonl")]
    for name, names in (("validation.jsonl", None), ("qasper.jsonl", ["qasper.jsonl"])) if line in FAULTS else ():
        read = gather_references(*open_inputs([path], names))
        faults = read.faults(TASKS["qasper"], None if names else "validation")
        assert lines([*read.problems, *faults]) == [message.format(name)]
    with pytest.raises(UnusableInput, match="qasper: "):
        load_examples(tmp_path / "data", "qasper")


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
