"""Prompts and inputs split into their parts, and joined again unchanged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_templates import TEMPLATES
from real_answers import REAL

from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import Example, load_embedded, read_examples
from zs_bench.errors import PromptFormatError
from zs_bench.files.input_files import InputFile
from zs_bench.inputs import Indices, compose, document_of_row, split, split_query

REAL_ROWS = REAL / "rows"
HEADERS = [text for fixed in TEMPLATES.values() for text in (fixed.context_header, fixed.query_header) if text]
OPTIONS = "\n\n (A) One\n (B) Two\n (C) Three\n (D) Four"

texts = st.lists(st.text(max_size=20) | st.sampled_from([*HEADERS, "\n\n", "\n", "Answer:\n"]), max_size=8).map("".join)
plain = st.text("ab \n.é😀\u2028", max_size=40)
lines = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1, max_size=40)


def composed(task, document, query):
    template = TEMPLATES[task]
    asked = None if template.query_header is None else query
    return compose(TASKS[task], document, asked, summaries=9 if "{N}" in template.instruction else None)


def joined(parts):
    return "".join(segment.text for segment in parts.segments)


@pytest.mark.parametrize("task", TEMPLATES)
@given(document=texts, query=texts)
def test_index_fields_find_any_document_and_any_query(task, document, query):
    (text, indices), template = composed(task, document, query), TEMPLATES[task]
    parts = split(TASKS[task], text, indices)
    assert (parts.document, parts.query) == (document, query if template.query_header else None)
    assert parts.instruction == template.instruction.replace("{N}", "9")
    assert (parts.response_header, joined(parts), parts.notes) == (template.response_header, text, ())


@pytest.mark.parametrize("task", TEMPLATES)
@given(document=plain, query=plain)
def test_headers_find_what_the_index_fields_would(task, document, query):
    text, indices = composed(task, document, query)
    parts = split(TASKS[task], text)
    assert (parts.indices, parts.segments) == (indices, split(TASKS[task], text, indices).segments)
    assert parts.notes == ("the index fields are missing; the prompt was split by its headers",)


@given(st.sampled_from(list(TEMPLATES)), texts, texts, st.tuples(*[st.integers(-9, 999)] * 4))
def test_whatever_the_index_fields_are_the_prompt_comes_back_unchanged(task, document, query, numbers):
    text, _ = composed(task, document, query)
    assert joined(split(TASKS[task], text, Indices(*numbers))) == text


@pytest.mark.real
@pytest.mark.skipif(not REAL_ROWS.is_dir(), reason="no real rows: not part of the project")
def test_real_rows_are_taken_apart_by_their_headers_and_come_back_unchanged():
    files = sorted(REAL_ROWS.glob("*.jsonl"))
    assert files
    for path in files:
        for example in read_examples(InputFile.in_memory(path.name, path.read_bytes()), TASKS[path.stem])[0]:
            parts = example.parts
            assert parts.notes
            assert joined(parts) == example.input == compose(TASKS[path.stem], parts.document, parts.query)[0]


@pytest.mark.parametrize("field", Indices._fields)
@pytest.mark.parametrize("shift", [-1, 1])
def test_an_index_field_that_is_one_off_is_not_trusted(field, shift):
    text, indices = composed("qasper", "An article.", "Why?")
    wrong = indices._replace(**{field: getattr(indices, field) + shift})
    parts = split(TASKS["qasper"], text, wrong)
    assert parts.notes == ("the index fields do not fit the text; the prompt was split by its headers",)
    assert (parts.document, parts.query) == ("An article.", "Why?")


def test_without_index_fields_the_first_context_header_and_the_last_query_header_count():
    document = "One.\n\nStory:\nTwo.\n\nQuestion:\nNot this one?\n\nAnswer:\nNo."
    parts = split(TASKS["narrative_qa"], composed("narrative_qa", document, "This one?")[0])
    assert (parts.document, parts.query) == (document, "This one?")


def test_a_prompt_whose_last_line_break_was_stripped_is_taken_apart_all_the_same():
    text, indices = composed("gov_report", "A report.", "")
    parts = split(TASKS["gov_report"], text.rstrip(), indices)
    assert (parts.document, joined(parts), parts.notes) == ("A report.", text.rstrip(), ())
    assert joined(split(TASKS["gov_report"], text.rstrip())) == text.rstrip()


# SCROLLS


@given(st.sampled_from(list(SCROLLS.all_tasks.values())), lines, st.text("ab \n.é😀\u2028()ABCD", max_size=60))
def test_an_input_of_scrolls_comes_apart_as_it_was_put_together(task, line, document):
    query = None if "gov" in task.name or "screen" in task.name else line + OPTIONS * task.name.startswith("quality")
    example = Example(task, "x", compose(task, document, query)[0], [], [])
    parts = example.parts
    assert (parts.query, parts.document, joined(parts)) == (query, document, example.input)
    assert (parts.instruction, parts.response_header, parts.notes) == ("", "", ())
    assert (example.query, example.document, example.separator) == (query or "", document, "")


@given(st.sampled_from(list(SCROLLS.all_tasks.values())), st.text(max_size=40) | plain)
def test_any_input_comes_back_unchanged_or_is_refused_with_a_reason(task, text):
    try:
        parts = split(task, text)
    except PromptFormatError as error:
        assert f"is it a row of {task}?" in str(error)  # noqa: PT017
    else:
        assert joined(parts) == text


def test_the_first_options_are_the_question_s_and_an_empty_line_more_is_the_document_s():
    parts = split_query(SCROLLS.tasks["quality"], f"Why?\n{OPTIONS}\n\n\nShe chose.{OPTIONS}\n\nEnd.")
    assert parts == (f"Why?\n{OPTIONS}", f"\nShe chose.{OPTIONS}\n\nEnd.")


def test_equal_documents_have_equal_names_whatever_is_asked():
    examples = load_embedded("contract_nli", benchmark="scrolls")
    names = [example.document_name for example in examples]
    assert names[0] == names[1] != names[2]
    for name in ("contract_nli", "scrolls_contract_nli"):
        assert document_of_row(name, {"input": examples[0].input}) == names[0]
    assert document_of_row("contract_nli", {"input": "Nothing."}) is None


FOUR = "no question with four options (A) to (D), a line each, before an empty line"


@pytest.mark.parametrize(
    ("task", "text", "lacks"),
    [
        (TASKS["qasper"], "", "no 'Article:' on a line of its own after an empty line"),
        (TASKS["qasper"], "Do.\n\nArticle: x\n\nQuestion:\nWhy?\n\nAnswer:\n", "no 'Article:' on a line of its own"),
        (TASKS["qasper"], "Do.\n\nArticle:\nx\n\nQuestion:\nWhy?\n", "no 'Answer:' as its last line, after an empty"),
        (TASKS["qasper"], "Do.\n\nArticle:\nx\n\nQuestion:\nWhy?\n\nAnswer:\nyes", "no 'Answer:' as its last line"),
        (TASKS["qasper"], "Do.\n\nArticle:\n\nAnswer:\n", "no 'Answer:' as its last line"),
        (TASKS["qasper"], "Do.\n\nArticle:\nx\n\nQ:\nWhy?\n\nAnswer:\n", "no 'Question:' on a line of its own between"),
        (TASKS["qasper"], "Do.\n\nQuestion:\n\n\nArticle:\nx\n\nAnswer:\n", "no 'Question:' on a line of its own"),
        (SCROLLS.tasks["qasper"], "A question and no document", "no query before an empty line"),
        (SCROLLS.tasks["contract_nli"], "\n\nA contract", "no query before an empty line"),
        (SCROLLS.tasks["quality"], "Why?\n\nA story.", FOUR),
        (SCROLLS.tasks["quality"], "Why?\n\n (A) x\n (B) y\n (C) z\n\nA story.", FOUR),
        (SCROLLS.all_tasks["quality_hard"], f"Why?{OPTIONS}", FOUR),
    ],
)
def test_what_cannot_be_taken_apart_says_what_was_looked_for(task, text, lacks):
    with pytest.raises(PromptFormatError) as raised:
        split(task, text, name="x")
    for part in (f"{task}: the ", "of 'x' cannot be split into parts: ", lacks, f"; is it a row of {task}?"):
        assert part in str(raised.value)
