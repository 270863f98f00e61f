"""The forms of a prompt, and the answer cut at its closing tag. Literals typed from the paper's experiments."""

import pytest
from prompt_templates import TEMPLATES

from zs_bench.dataset.embedded import load_embedded
from zs_bench.dataset.rows import Example
from zs_bench.errors import UnknownVariant
from zs_bench.prompts.composition import compose
from zs_bench.prompts.dissection import dissect
from zs_bench.prompts.trimming import Budget, trim
from zs_bench.prompts.variants import answer_tag, cut_at_tag, make_prompt
from zs_metric.tasks import SCROLLS, TASKS

TAGS = {
    "qasper": ("Answer", "answer"),
    "narrative_qa": ("Answer", "answer"),
    "quality": ("Answer", "answer"),
    "musique": ("Answer", "answer"),
    "space_digest": ("Percentage of Positive Reviews", "percentage_of_positive_reviews"),
    "book_sum_sort": ("Summary IDs in Correct Order", "summary_ids_in_correct_order"),
}
EMBEDDED = [pytest.param(example, id=example.id) for task in TASKS for example in load_embedded(task)]


def example_of(task: str) -> Example:
    """A document of two words, and the question "Why?" where there is one."""
    fixed = TEMPLATES[task]
    query = None if fixed.query_header is None else "Why?"
    text, indices = compose(TASKS[task], "Two words.", query, summaries=3 if task == "book_sum_sort" else None)
    return Example(TASKS[task], "x", text, [], [], indices)


def test_the_chat_form_of_a_question_asks_for_no_explanation_and_has_no_response_header() -> None:
    assert make_prompt(example_of("squality"), "chat").text == (
        "You are given a story and a question. Answer the question in a paragraph.\n\n"
        "Story:\nTwo words.\n\n"
        "Question:\nWhy?"
    )
    assert make_prompt(example_of("narrative_qa"), "chat").text == (
        "You are given a story, which can be either a novel or a movie script, and a question. Answer the question as "
        "concisely as you can, using a single phrase if possible. Do not provide any explanation.\n\n"
        "Story:\nTwo words.\n\n"
        "Question:\nWhy?"
    )


@pytest.mark.parametrize("example", EMBEDDED)
def test_the_chat_form_is_the_input_up_to_the_end_of_the_query_plus_the_sentence(example: Example) -> None:
    assert example.indices is not None
    instruction, rest = example.input[: example.indices.query_end_index].split("\n\n", 1)
    addition = " Do not provide any explanation." if example.task.name in TAGS else ""
    assert make_prompt(example, "chat").text == f"{instruction}{addition}\n\n{rest}"


@pytest.mark.parametrize("task", TAGS)
def test_the_claude_form_asks_for_tags_and_opens_the_answer(task: str) -> None:
    kind, tag = TAGS[task]
    prompt, chat = make_prompt(example_of(task), "claude"), make_prompt(example_of(task), "chat")
    asked = f"Do not provide any explanation, and please highlight your final {kind.lower()} with <{tag}></{tag}> tags."
    inner = chat.text.replace("Do not provide any explanation.", asked)
    assert prompt.text == f"\n\nHuman: {inner}\n\nAssistant: {kind}: <{tag}>"
    assert prompt.messages == [
        {"role": "user", "content": inner},
        {"role": "assistant", "content": f"{kind}: <{tag}>"},
    ]


def test_an_unknown_variant_is_named_with_the_likely_one() -> None:
    with pytest.raises(UnknownVariant, match="no variant 'Claud'; did you mean 'claude'"):
        make_prompt(example_of("qasper"), "Claud")
    with pytest.raises(UnknownVariant, match="no variant 'x'; the variants are canonical, chat, claude"):
        make_prompt(example_of("qasper"), "x")


@pytest.mark.parametrize("task", TASKS)
def test_an_answer_is_cut_at_the_closing_tag_of_its_task(task: str) -> None:
    tag = TAGS[task][1] if task in TAGS else "answer"
    answer = f" so </other> it is</{tag}>, because</{tag}>"
    assert cut_at_tag(answer, TASKS[task]) == (" so </other> it is" if task in TAGS else answer)


def test_tasks_of_scrolls_have_the_tags_of_zero_scrolls_and_a_task_of_its_own_has_none() -> None:
    assert {name: answer_tag(task) for name, task in SCROLLS.all_tasks.items()} == {
        **dict.fromkeys(["gov_report", "summ_screen_fd", "qmsum", "contract_nli"]),
        **dict.fromkeys(["qasper", "narrative_qa", "quality", "quality_hard"], "answer"),
    }
    assert cut_at_tag("Entailment</answer>", SCROLLS.tasks["contract_nli"]) == "Entailment</answer>"


@pytest.mark.parametrize("task", TASKS)
def test_closed_book_is_the_canonical_prompt_without_its_document(task: str) -> None:
    for example in load_embedded(task):
        text = make_prompt(example, "closed-book").text
        assert example.document not in text
        assert text.startswith(dissect(example).instruction + "\n\n")
        assert example.input.endswith(text.removeprefix(dissect(example).instruction))
        assert trim(make_prompt(example, "closed-book"), Budget(5000, 10)).kept == 1.0
