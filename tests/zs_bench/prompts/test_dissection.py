"""Prompts split by their index fields or their headers, and joined again unchanged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_templates import TEMPLATES
from real_answers import REAL

from zs_bench.dataset.rows import Example, read_rows
from zs_bench.errors import PromptFormatError
from zs_bench.prompts.composition import Indices, compose
from zs_bench.prompts.dissection import dissect
from zs_metric.tasks import TASKS

REAL_ROWS = REAL / "rows"

headers = [text for fixed in TEMPLATES.values() for text in (fixed.context_header, fixed.query_header) if text]
texts = st.lists(st.text(max_size=20) | st.sampled_from([*headers, "\n\n", "\n", "Answer:\n"]), max_size=8).map("".join)
plain = st.text("ab \n.é😀\u2028", max_size=40)


def example_of(task: str, document: str, query: str) -> Example:
    fixed = TEMPLATES[task]
    asked = None if fixed.query_header is None else query
    text, indices = compose(TASKS[task], document, asked, summaries=9 if "{N}" in fixed.instruction else None)
    return Example(TASKS[task], "x", text, [], [], indices)


def without_indices(example: Example, indices: Indices | None = None) -> Example:
    return Example(example.task, example.id, example.input, [], [], indices)


@pytest.mark.parametrize("task", TEMPLATES)
@given(document=texts, query=texts)
def test_index_fields_find_any_document_and_any_query(task: str, document: str, query: str) -> None:
    example = example_of(task, document, query)
    parts = dissect(example)
    assert (parts.document, parts.query) == (document, query if TEMPLATES[task].query_header else None)
    assert parts.instruction == TEMPLATES[task].instruction.replace("{N}", "9")
    assert parts.response_header == TEMPLATES[task].response_header
    assert (parts.text, parts.notes) == (example.input, ())


@pytest.mark.parametrize("task", TEMPLATES)
@given(document=plain, query=plain)
def test_headers_find_what_the_index_fields_would(task: str, document: str, query: str) -> None:
    example = example_of(task, document, query)
    parts = dissect(without_indices(example))
    assert parts.indices == example.indices
    assert parts.segments == dissect(example).segments
    assert parts.notes == ("the index fields are missing; the prompt was split by its headers",)


@given(
    task=st.sampled_from(list(TEMPLATES)),
    document=texts,
    query=texts,
    numbers=st.lists(st.integers(-9, 999), min_size=4, max_size=4),
)
def test_whatever_the_index_fields_are_the_prompt_comes_back_unchanged(
    task: str, document: str, query: str, numbers: list[int]
) -> None:
    example = example_of(task, document, query)
    assert dissect(without_indices(example, Indices(*numbers))).text == example.input


@pytest.mark.real
@pytest.mark.skipif(not REAL_ROWS.is_dir(), reason="no real rows: not part of the project")
def test_real_rows_are_taken_apart_by_their_headers_and_come_back_unchanged() -> None:
    files = sorted(REAL_ROWS.glob("*.jsonl"))
    assert files
    for path in files:
        for example in read_rows(path.read_text(encoding="utf-8"), TASKS[path.stem]):
            parts = dissect(example)
            assert parts.notes
            assert parts.text == example.input == compose(TASKS[path.stem], parts.document, parts.query)[0]


@pytest.mark.parametrize("field", Indices._fields)
@pytest.mark.parametrize("shift", [-1, 1])
def test_an_index_field_that_is_one_off_is_not_trusted(field: str, shift: int) -> None:
    example = example_of("qasper", "An article.", "Why?")
    assert example.indices is not None
    wrong = example.indices._replace(**{field: getattr(example.indices, field) + shift})
    parts = dissect(without_indices(example, wrong))
    assert parts.notes == ("the index fields do not fit the text; the prompt was split by its headers",)
    assert (parts.document, parts.query) == ("An article.", "Why?")


def test_without_index_fields_the_first_context_header_and_the_last_query_header_count() -> None:
    document = "One.\n\nStory:\nTwo.\n\nQuestion:\nNot this one?\n\nAnswer:\nNo."
    example = example_of("narrative_qa", document, "This one?")
    parts = dissect(without_indices(example))
    assert (parts.document, parts.query) == (document, "This one?")


def test_a_prompt_whose_last_line_break_was_stripped_is_taken_apart_all_the_same() -> None:
    example = example_of("gov_report", "A report.", "")
    stripped = Example(TASKS["gov_report"], "x", example.input.rstrip(), [], [], example.indices)
    parts = dissect(stripped)
    assert (parts.document, parts.text, parts.notes) == ("A report.", stripped.input, ())
    assert dissect(without_indices(stripped)).text == stripped.input


def test_segments_hold_headers_and_line_breaks() -> None:
    parts = dissect(example_of("qasper", "An article.", "Why?"))
    assert [segment.part for segment in parts.segments] == ["instruction", "document", "query", "response_header"]
    assert [segment.text for segment in parts.segments][1:] == ["An article.\n\n", "Question:\nWhy?\n\n", "Answer:\n"]
    assert parts.segments[0].text == f"{parts.instruction}\n\nArticle:\n"


QASPER = "the prompt of 'x' cannot be split into parts: its index fields are missing, and there is no"


@pytest.mark.parametrize(
    ("text", "looked_for"),
    [
        ("", "'Article:' on a line of its own after an empty line"),
        ("Do.\n\nArticle: text\n\nQuestion:\nWhy?\n\nAnswer:\n", "'Article:' on a line of its own"),
        ("Do.\n\nArticle:\ntext\n\nQuestion:\nWhy?\n", "'Answer:' as its last line, after an empty line"),
        ("Do.\n\nArticle:\ntext\n\nQuestion:\nWhy?\n\nAnswer:\nyes", "'Answer:' as its last line"),
        ("Do.\n\nArticle:\n\nAnswer:\n", "'Answer:' as its last line"),
        ("Do.\n\nArticle:\ntext\n\nQ:\nWhy?\n\nAnswer:\n", "'Question:' on a line of its own between"),
        ("Do.\n\nQuestion:\n\n\nArticle:\ntext\n\nAnswer:\n", "'Question:' on a line of its own between"),
    ],
)
def test_a_prompt_that_cannot_be_taken_apart_says_what_was_looked_for(text: str, looked_for: str) -> None:
    with pytest.raises(PromptFormatError, match=f"^qasper: {QASPER} {looked_for}.*; is it a row of qasper\\?$"):
        dissect(Example(TASKS["qasper"], "x", text, [], []))
