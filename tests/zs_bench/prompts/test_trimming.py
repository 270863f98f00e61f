"""Prompts cut to a budget: the paper's formula, worked by hand and as a property."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.benchmarks.longbench import BENCHMARK as LONGBENCH
from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import Example
from zs_bench.errors import BudgetTooSmall
from zs_bench.inputs import compose
from zs_bench.prompts import PRESETS, VARIANTS, Budget, Trimmed, make_prompt, trim
from zs_bench.token_counts import WORDS

# squality: 14 words of instruction, "Story:", the document, "Question:" and two words, "Answer:"; separator 8 words
HEAD, SEPARATOR, TAIL = 15, 8, 4
#: A tokenizer with a token per character.
LETTERS = SimpleNamespace(name="letters", count=len, cut=lambda text, n: text[:n])


def squality(words, variant="canonical", separator=None):
    text, indices = compose(TASKS["squality"], " ".join(f"w{i}" for i in range(1, words + 1)), "Who spoke?")
    return make_prompt(Example(TASKS["squality"], "x", text, [], [], indices, separator), variant)


@given(st.integers(1, 60), st.integers(0, 9), st.text("ab c", max_size=30), st.text("de", max_size=9))
def test_a_prompt_of_longbench_loses_its_middle_and_keeps_both_halves_of_the_tokens(context, answer, document, query):
    task = LONGBENCH.tasks["trec"]
    text, indices = compose(task, document, query)
    prompt = make_prompt(Example(task, "x", text, [], [], indices))
    half = max(0, context - answer) // 2
    if half < 1:
        with pytest.raises(BudgetTooSmall, match=f"give {answer + 2}"):
            trim(prompt, Budget(context, answer), LETTERS)
        return
    trimmed = trim(prompt, Budget(context, answer), LETTERS)
    assert trimmed.prompt.text == text[:half] + text[-half:]
    assert (trimmed.cut, trimmed.tokens, trimmed.full_tokens) == (True, 2 * half, len(text))
    assert [part for part, _ in trimmed.prompt.segments].count("separator") == 1
    kept = sum(len(text) for part, text in trimmed.prompt.segments if part == "document")
    assert (trimmed.kept_tokens, trimmed.document_tokens) == (kept, len(document))
    assert trimmed.kept == (kept / len(document) if document else 1)


def test_a_prompt_of_context_minus_answer_tokens_stays_whole():
    trimmed = trim(squality(100), Budget(119 + 30, 30))
    assert (trimmed.cut, trimmed) == (False, Trimmed(squality(100), "words", 119, 119, 100, 100, 1.0))


def test_one_token_more_is_cut_by_the_formula():
    trimmed = trim(squality(100), Budget(118 + 30, 30))
    # 148 - (8 + 4) - 30 - 1 = 105 words before the query, 15 of them instruction and header
    assert (trimmed.cut, trimmed.kept_tokens, trimmed.full_tokens) == (True, 105 - HEAD, 119)
    assert trimmed.prompt.text == (
        "You are given a story and a question. Answer the question in a paragraph.\n\nStory:\n"
        + " ".join(f"w{i}" for i in range(1, 91))
        + "... [The rest of the story is omitted]\n\nQuestion:\nWho spoke?\n\nAnswer:\n"
    )
    # the separator's dots stand at the last word, so that the whole has one word less than its parts
    assert trimmed.tokens == HEAD + 90 + SEPARATOR + TAIL - 1


@pytest.mark.parametrize(
    ("variant", "left", "start", "end"),
    [
        # 118 - (8 + 3) - 30 - 1 - 9 = 67, of which 15 are instruction and header
        ("chat", 67, "You are given", "w52... [The rest of the story is omitted]\n\nQuestion:\nWho spoke?"),
        # "Human:" and "Assistant:" besides separator and query: 118 - (8 + 3 + 2) - 30 - 1 = 74
        ("claude", 74, "\n\nHuman: You are given a story", " omitted]\n\nQuestion:\nWho spoke?\n\nAssistant:"),
    ],
)
def test_the_forms_for_chat_models_are_cut_as_in_the_paper(variant, left, start, end):
    trimmed = trim(squality(100, variant), Budget(118, 30))
    assert trimmed.kept_tokens == left - HEAD
    assert trimmed.prompt.text.startswith(start)
    assert trimmed.prompt.text.endswith(end)
    assert f"w{left - HEAD}... [The rest of the story is omitted]\n\n" in trimmed.prompt.messages[0]["content"]


def test_the_separator_of_the_row_takes_precedence_over_the_templates():
    text = trim(squality(100, separator="[cut]\n\n"), Budget(100, 10)).prompt.text
    assert ("[cut]\n\nQuestion:" in text, "omitted" in text) == (True, False)


def test_a_budget_that_does_not_hold_the_rest_of_the_prompt_tells_the_least_that_works():
    with pytest.raises(BudgetTooSmall) as raised:
        trim(squality(100), Budget(57, 30))
    assert raised.value.least == HEAD + SEPARATOR + TAIL + 1 + 30 == 58
    assert str(raised.value) == (
        "squality: 57 tokens do not hold the prompt of 'x' without its document; "
        "the least budget that works is 58, 30 of it for the answer"
    )
    trimmed = trim(squality(100), Budget(58, 30))
    assert (trimmed.kept, trimmed.kept_tokens) == (0.0, 0)
    assert "Story:\n... [The rest" in trimmed.prompt.text


def test_the_least_budget_of_a_short_document_is_that_of_the_whole_prompt():
    with pytest.raises(BudgetTooSmall) as raised:
        trim(squality(2), Budget(10, 5))
    assert raised.value.least == HEAD + 2 + TAIL + 5
    assert not trim(squality(2), Budget(raised.value.least, 5)).cut


def test_an_input_of_scrolls_is_cut_at_its_end_and_refused_where_its_query_does_not_fit():
    prompt = make_prompt(Example(SCROLLS.tasks["qasper"], "x", "Who? Why?\n\none two three four", [], []))
    assert not trim(prompt, Budget(6, 0)).cut
    assert trim(prompt, Budget(5, 0)).prompt.segments[:2] == (("query", "Who? Why?\n\n"), ("document", "one two"))
    with pytest.raises(BudgetTooSmall, match="the least budget that works is 3"):
        trim(prompt, Budget(2, 0))
    assert trim(prompt, Budget(3, 0)).kept_tokens == 0


@given(
    words=st.integers(0, 60),
    context=st.integers(0, 150),
    answer=st.integers(0, 40),
    variant=st.sampled_from(list(VARIANTS)),
    tokenizer=st.sampled_from([WORDS, LETTERS]),
)
def test_what_is_trimmed_fits_and_keeps_everything_but_the_document(words, context, answer, variant, tokenizer):
    scale = 1 if tokenizer is WORDS else 6
    prompt, budget = squality(words, variant), Budget(context * scale, answer * scale)
    try:
        trimmed = trim(prompt, budget, tokenizer)
    except BudgetTooSmall as error:
        least, too_small = error.least, budget.context
        budget = Budget(least, budget.answer)
        trimmed = trim(prompt, budget, tokenizer)
        assert least > too_small
    assert trimmed.tokens + budget.answer <= budget.context
    assert 0 <= trimmed.kept <= 1
    kept = [segment for segment in trimmed.prompt.segments if segment.part not in ("document", "separator")]
    assert kept == [segment for segment in prompt.segments if segment.part != "document"]
    whole, left = (dict(each.segments).get("document", "") for each in (prompt, trimmed.prompt))
    assert whole.startswith(left)


def test_the_budgets_are_those_of_the_papers_runs():
    budgets = dict(zip(TASKS, (1024, 512, 512, 512, 128, 64, 10, 32, 36, 256), strict=True))
    assert {name: task.answer_budget for name, task in TASKS.items()} == budgets
    assert {name: (preset.budget(TASKS["qasper"]), preset.variant) for name, preset in PRESETS.items()} == {
        "davinci003": (Budget(4096, 128), "canonical"),
        "chatgpt": (Budget(4096, 128), "chat"),
        "gpt-4": (Budget(8192, 128), "chat"),
        "claude": (Budget(8000, 128), "claude"),
        "open-models": (Budget(8192, 0), "canonical"),
    }
