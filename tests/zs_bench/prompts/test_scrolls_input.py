"""Inputs of SCROLLS split into parts and put together, and as prompts: the query, the document, and nothing else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.dataset.embedded import load_embedded
from zs_bench.dataset.rows import Example
from zs_bench.errors import BudgetTooSmall, PromptFormatError, UnknownVariant
from zs_bench.prompts.composition import compose
from zs_bench.prompts.dissection import Segment, dissect, document_of, document_of_row, split_input
from zs_bench.prompts.trimming import Budget, trim
from zs_bench.prompts.variants import make_prompt
from zs_metric.tasks import BENCHMARKS

TASKS = BENCHMARKS["scrolls"].all_tasks
SUMMARIES = ("gov_report", "summ_screen_fd")
OPTIONS = "\n\n (A) One\n (B) Two\n (C) Three\n (D) Four"
EXAMPLES = [
    pytest.param(example, id=example.id)
    for task in BENCHMARKS["scrolls"].tasks
    for example in load_embedded(task, benchmark="scrolls")
]

documents = st.text("ab \n.é😀\u2028()ABCD", max_size=60)
lines = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1, max_size=40)


def scrolls(task: str, text: str) -> Example:
    return Example(TASKS[task], "x", text, [], [])


def query_of(task: str, line: str) -> str | None:
    return None if task in SUMMARIES else line + OPTIONS if task.startswith("quality") else line


@given(task=st.sampled_from(list(TASKS)), line=lines, document=documents)
def test_what_is_put_together_comes_apart_again(task: str, line: str, document: str) -> None:
    query = query_of(task, line)
    example = scrolls(task, compose(TASKS[task], document, query)[0])
    parts = dissect(example)
    assert (parts.query, parts.document, parts.text) == (query, document, example.input)
    assert (parts.instruction, parts.response_header, parts.notes) == ("", "", ())
    assert (example.query, example.document, example.separator) == (query or "", document, "")


@given(task=st.sampled_from(list(TASKS)), text=st.text(max_size=40) | documents)
def test_any_input_comes_back_unchanged_or_is_refused_with_a_reason(task: str, text: str) -> None:
    try:
        parts = dissect(scrolls(task, text))
    except PromptFormatError as error:
        assert f"is it a row of {task}?" in str(error)  # noqa: PT017
    else:
        assert parts.text == text


@pytest.mark.parametrize(
    ("task", "text", "lacks"),
    [
        ("qasper", "A question and no document", "no query before an empty line"),
        ("contract_nli", "\n\nA contract", "no query before an empty line"),
        ("quality", "Why?\n\nA story.", "no question with four options (A) to (D), a line each, before an empty line"),
        ("quality", "Why?\n\n (A) x\n (B) y\n (C) z\n\nA story.", "no question with four options"),
        ("quality_hard", f"Why?{OPTIONS}", "no question with four options"),
    ],
)
def test_an_input_without_a_query_is_refused(task: str, text: str, lacks: str) -> None:
    with pytest.raises(
        PromptFormatError, match=re.escape(f"{task}: the input of 'x' cannot be split into parts: there is ")
    ):
        dissect(scrolls(task, text))
    with pytest.raises(PromptFormatError, match=re.escape(lacks)):
        _ = scrolls(task, text).query


def test_the_first_options_are_the_question_s_and_an_empty_line_more_is_the_document_s() -> None:
    found = split_input(TASKS["quality"], f"Why?\n{OPTIONS}\n\n\nShe chose.{OPTIONS}\n\nEnd.")
    assert found == (f"Why?\n{OPTIONS}", f"\nShe chose.{OPTIONS}\n\nEnd.")


def test_equal_documents_have_equal_names_whatever_is_asked() -> None:
    first, second, other = load_embedded("contract_nli", benchmark="scrolls")
    names = [document_of(example) for example in (first, second, other)]
    assert names[0] == names[1] != names[2]
    row = {"id": first.id, "input": first.input}
    assert document_of_row("contract_nli", row) == names[0]
    assert document_of_row("contract_nli", {"input": "Nothing."}) is None


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_only_form_of_a_prompt_is_the_input_as_it_is(example: Example) -> None:
    prompt = make_prompt(example)
    assert (prompt.text, prompt.messages) == (example.input, [{"role": "user", "content": example.input}])
    for variant in ("chat", "claude"):
        with pytest.raises(UnknownVariant, match="SCROLLS is for fine-tuning and has no instruction"):
            make_prompt(example, variant)


def test_an_input_that_fits_stays_whole_and_one_whose_query_does_not_fit_is_refused() -> None:
    prompt = make_prompt(scrolls("qasper", "Who? Why?\n\none two three four"))
    assert not trim(prompt, Budget(6, 0)).cut
    assert trim(prompt, Budget(5, 0)).prompt.segments[:2] == (
        Segment("query", "Who? Why?\n\n"),
        Segment("document", "one two"),
    )
    with pytest.raises(BudgetTooSmall, match="the least budget that works is 3") as refused:
        trim(prompt, Budget(2, 0))
    assert trim(prompt, Budget(refused.value.least, 0)).kept_tokens == 0
