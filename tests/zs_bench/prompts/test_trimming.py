"""Prompts cut to a budget: the paper's formula, worked by hand and as a property."""

from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.dataset.rows import Example
from zs_bench.errors import BudgetTooSmall, UnknownPreset
from zs_bench.prompts.composition import compose
from zs_bench.prompts.token_counts import WORDS
from zs_bench.prompts.trimming import PRESETS, Budget, find_preset, trim
from zs_bench.prompts.variants import VARIANTS, make_prompt
from zs_bench.tasks import info
from zs_metric.tasks import TASKS

# squality: 14 words of instruction, "Story:", the document, "Question:" and two words, "Answer:"; separator 8 words
HEAD, SEPARATOR, TAIL = 15, 8, 4


def squality(words: int) -> Example:
    text, indices = compose(TASKS["squality"], " ".join(f"w{i}" for i in range(1, words + 1)), "Who spoke?")
    return Example(TASKS["squality"], "x", text, [], [], indices)


class Letters:
    """A tokenizer with a token per character."""

    name = "letters"

    def count(self, text: str) -> int:
        return len(text)

    def cut(self, text: str, n: int) -> str:
        return text[:n]


def test_a_prompt_of_context_minus_answer_tokens_stays_whole() -> None:
    prompt = make_prompt(squality(100))
    trimmed = trim(prompt, Budget(119 + 30, 30))
    assert not trimmed.cut
    assert trimmed.prompt == prompt
    assert (trimmed.tokens, trimmed.full_tokens, trimmed.document_tokens, trimmed.kept_tokens) == (119, 119, 100, 100)
    assert (trimmed.kept, trimmed.tokenizer) == (1.0, "words")


def test_one_token_more_is_cut_by_the_formula() -> None:
    trimmed = trim(make_prompt(squality(100)), Budget(118 + 30, 30))
    # 148 - (8 + 4) - 30 - 1 = 105 words before the query, 15 of them instruction and header
    assert trimmed.cut
    assert trimmed.kept_tokens == 105 - HEAD == 90
    assert trimmed.prompt.text == (
        "You are given a story and a question. Answer the question in a paragraph.\n\nStory:\n"
        + " ".join(f"w{i}" for i in range(1, 91))
        + "... [The rest of the story is omitted]\n\nQuestion:\nWho spoke?\n\nAnswer:\n"
    )
    # the separator's dots stand at the last word, so that the whole has one word less than its parts
    assert trimmed.tokens == HEAD + 90 + SEPARATOR + TAIL - 1 + 0
    assert trimmed.full_tokens == 119


def test_openai_chat_prompts_get_nine_tokens_less_and_have_no_response_header() -> None:
    trimmed = trim(make_prompt(squality(100), "chat"), Budget(118, 30))
    # 118 - (8 + 3) - 30 - 1 - 9 = 67, of which 15 are instruction and header
    assert trimmed.kept_tokens == 67 - HEAD
    assert trimmed.prompt.text.endswith("w52... [The rest of the story is omitted]\n\nQuestion:\nWho spoke?")


def test_the_frame_of_the_claude_form_counts_like_the_response_header() -> None:
    trimmed = trim(make_prompt(squality(100), "claude"), Budget(118, 30))
    # "Human:" and "Assistant:" besides separator and query: 118 - (8 + 3 + 2) - 30 - 1 = 74
    assert trimmed.kept_tokens == 74 - HEAD
    assert trimmed.prompt.text.startswith("\n\nHuman: You are given a story")
    assert trimmed.prompt.text.endswith(" omitted]\n\nQuestion:\nWho spoke?\n\nAssistant:")
    assert trimmed.prompt.messages[0]["content"].startswith("You are given a story")
    assert "w59... [The rest of the story is omitted]\n\nQuestion:" in trimmed.prompt.messages[0]["content"]


def test_the_separator_of_the_row_takes_precedence_over_the_templates() -> None:
    example = squality(100)
    own = Example(TASKS["squality"], "x", example.input, [], [], example.indices, "[cut]\n\n")
    text = trim(make_prompt(own), Budget(100, 10)).prompt.text
    assert "[cut]\n\nQuestion:" in text
    assert "omitted" not in text


def test_a_budget_that_does_not_hold_the_rest_of_the_prompt_tells_the_least_that_works() -> None:
    prompt = make_prompt(squality(100))
    least = HEAD + SEPARATOR + TAIL + 1 + 30
    with pytest.raises(BudgetTooSmall) as raised:
        trim(prompt, Budget(least - 1, 30))
    assert raised.value.least == least == 58
    assert str(raised.value) == (
        "squality: 57 tokens do not hold the prompt of 'x' without its document; "
        "the least budget that works is 58, 30 of it for the answer"
    )
    trimmed = trim(prompt, Budget(least, 30))
    assert (trimmed.kept, trimmed.kept_tokens) == (0.0, 0)
    assert "Story:\n... [The rest" in trimmed.prompt.text


def test_the_least_budget_of_a_short_document_is_that_of_the_whole_prompt() -> None:
    with pytest.raises(BudgetTooSmall) as raised:
        trim(make_prompt(squality(2)), Budget(10, 5))
    assert raised.value.least == HEAD + 2 + TAIL + 5
    assert not trim(make_prompt(squality(2)), Budget(raised.value.least, 5)).cut


@given(
    words=st.integers(0, 60),
    context=st.integers(0, 150),
    answer=st.integers(0, 40),
    variant=st.sampled_from(list(VARIANTS)),
    tokenizer=st.sampled_from([WORDS, Letters()]),
)
def test_what_is_trimmed_fits_and_keeps_everything_but_the_document(
    words: int, context: int, answer: int, variant: str, tokenizer: object
) -> None:
    assert isinstance(tokenizer, (type(WORDS), Letters))
    scale = 1 if tokenizer is WORDS else 6
    prompt, budget = make_prompt(squality(words), variant), Budget(context * scale, answer * scale)
    try:
        trimmed = trim(prompt, budget, tokenizer)
    except BudgetTooSmall as error:
        given_up, budget = budget, Budget(error.least, budget.answer)
        trimmed = trim(prompt, budget, tokenizer)
        assert budget.context > given_up.context
    assert trimmed.tokens + budget.answer <= budget.context
    assert 0 <= trimmed.kept <= 1
    kept = [segment for segment in trimmed.prompt.segments if segment.part not in ("document", "separator")]
    assert kept == [segment for segment in prompt.segments if segment.part != "document"]
    whole, left = (dict(one.segments).get("document", "") for one in (prompt, trimmed.prompt))
    assert whole.startswith(left)


def test_the_budgets_are_those_of_the_papers_runs() -> None:
    budgets = dict(zip(TASKS, (1024, 512, 512, 512, 128, 64, 10, 32, 36, 256), strict=True))
    assert {name: info(task).answer_budget for name, task in TASKS.items()} == budgets
    settings = {
        name: (*astuple(preset.budget(TASKS["qasper"]))[:2], preset.variant) for name, preset in PRESETS.items()
    }
    assert settings == {
        "davinci003": (4096, 128, "canonical"),
        "chatgpt": (4096, 128, "chat"),
        "gpt-4": (8192, 128, "chat"),
        "claude": (8000, 128, "claude"),
        "open-models": (8192, 0, "canonical"),
    }


def test_an_unknown_preset_is_named_with_the_likely_one() -> None:
    with pytest.raises(UnknownPreset, match="no preset 'gpt4'; did you mean 'gpt-4'"):
        find_preset("gpt4")
    with pytest.raises(UnknownPreset, match="the presets are davinci003, chatgpt"):
        find_preset("?")
