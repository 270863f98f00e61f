"""The ten canonical prompts and their other forms, byte for byte; typed from the paper, not built from our table."""

from dataclasses import replace

import pytest
from prompt_templates import TEMPLATES

from zs_bench.benchmarks.longbench import BENCHMARK as LONGBENCH
from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import Example, load_embedded
from zs_bench.errors import PromptFormatError, UnknownName
from zs_bench.inputs import compose
from zs_bench.prompts import Budget, answer_tag, cut_at_tag, make_prompt, trim
from zs_metric.errors import ZeroScrollsError

DOCUMENT, QUERY = "Once.\n\nUpon a time.", "Who was it?"

PROMPTS = {
    "gov_report": (
        "You are given a report by a government agency. Write a one-page summary of the report.\n\n"
        "Report:\n{D}\n\nSummary:\n"
    ),
    "summ_screen_fd": (
        "You are given a script of a TV episode. Summarize the episode in a paragraph.\n\n"
        "Episode Script:\n{D}\n\nSummary:\n"
    ),
    "qmsum": (
        "You are given a meeting transcript and a query containing a question or instruction. Answer the query in "
        "one or more sentences.\n\n"
        "Transcript:\n{D}\n\nQuery:\n{Q}\n\nAnswer:\n"
    ),
    "squality": (
        "You are given a story and a question. Answer the question in a paragraph.\n\n"
        "Story:\n{D}\n\nQuestion:\n{Q}\n\nAnswer:\n"
    ),
    "qasper": (
        "You are given a scientific article and a question. Answer the question as concisely as you can, using a "
        "single phrase or sentence if possible. If the question cannot be answered based on the information in the "
        'article, write "unanswerable". If the question is a yes/no question, answer "yes", "no", or '
        '"unanswerable".\n\n'
        "Article:\n{D}\n\nQuestion:\n{Q}\n\nAnswer:\n"
    ),
    "narrative_qa": (
        "You are given a story, which can be either a novel or a movie script, and a question. Answer the question "
        "as concisely as you can, using a single phrase if possible.\n\n"
        "Story:\n{D}\n\nQuestion:\n{Q}\n\nAnswer:\n"
    ),
    "quality": (
        "You are provided a story and a multiple-choice question with 4 possible answers (marked by A, B, C, D). "
        "Choose the best answer by writing its corresponding letter (either A, B, C, or D).\n\n"
        "Story:\n{D}\n\nQuestion and Possible Answers:\n{Q}\n\nAnswer:\n"
    ),
    "musique": (
        "You are given several paragraphs from Wikipedia and a question. Answer the question as concisely as you "
        "can, using a single phrase if possible. If the question cannot be answered based on the information in the "
        'paragraphs, write "unanswerable".\n\n'
        "Paragraphs:\n{D}\n\nQuestion:\n{Q}\n\nAnswer:\n"
    ),
    "space_digest": (
        "You are given a list of reviews about a specific hotel. Each review is either positive or negative. What is "
        "the percentage of positive reviews (e.g. 60%, 34%, etc.)?\n\n"
        "Reviews:\n{D}\n\nPercentage of Positive Reviews:\n"
    ),
    "book_sum_sort": (
        "You are given 12 summaries of chapters or parts of a novel, in a shuffled order, where each summary is "
        "denoted by a numerical ID (e.g. Summary 1, Summary 3, etc.). Reorder the summaries according to the "
        "original order of chapters/parts in the novel by writing a list of length 12 of the summary IDs (e.g. if "
        'you were given 5 summaries, one possible answer could be "5, 1, 3, 4, 2").\n\n'
        "Summaries:\n{D}\n\nSummary IDs in Correct Order:\n"
    ),
}
#: What the separators say of the rest, in the order of the tasks.
OMITTED = (
    *("report is", "episode script is", "transcript is", "story is", "article is"),
    *("story is", "story is", "paragraphs are", "reviews are", "summaries are"),
)


EMBEDDED = [pytest.param(example, id=example.id) for task in TASKS for example in load_embedded(task)]
TAGS = {
    **dict.fromkeys(["qasper", "narrative_qa", "quality", "musique"], ("Answer", "answer")),
    "space_digest": ("Percentage of Positive Reviews", "percentage_of_positive_reviews"),
    "book_sum_sort": ("Summary IDs in Correct Order", "summary_ids_in_correct_order"),
}
NO_EXPLANATION = " Do not provide any explanation"


def composed(task, document=DOCUMENT):
    query = QUERY if "{Q}" in PROMPTS[task] else None
    return compose(TASKS[task], document, query, summaries=12 if task == "book_sum_sort" else None)


def test_prompts_and_separators_are_those_of_the_paper_byte_for_byte():
    assert list(TEMPLATES) == list(PROMPTS) == list(TASKS)
    for (task, prompt), kind in zip(PROMPTS.items(), OMITTED, strict=True):
        assert composed(task)[0].encode() == prompt.format(D=DOCUMENT, Q=QUERY).encode()
        assert TEMPLATES[task].separator == f"... [The rest of the {kind} omitted]\n\n"


@pytest.mark.parametrize(
    ("task", "query", "summaries", "message"),
    [
        ("gov_report", "Why?", None, "gov_report has no query; omit it"),
        ("qasper", None, None, "qasper needs a query; give one"),
        ("book_sum_sort", None, None, "book_sum_sort needs a number of summaries; give one"),
        ("quality", "Why?", 4, "quality has no number of summaries; omit it"),
    ],
)
def test_a_part_that_the_task_has_not_or_needs_is_an_error(task, query, summaries, message):
    with pytest.raises(ZeroScrollsError, match=f"^{message}$"):
        compose(TASKS[task], "A text.", query, summaries=summaries)


@pytest.mark.parametrize("task", TASKS)
def test_the_forms_for_chat_models_are_those_of_the_paper(task):
    text, indices = composed(task)
    example = Example(TASKS[task], "x", text, [], [], indices)
    kind, tag = TAGS.get(task, ("", ""))
    asked = f"{NO_EXPLANATION}, and please highlight your final {kind.lower()} with <{tag}></{tag}> tags."
    instruction, rest = text[: indices.query_end_index].split("\n\n", 1)
    with_tags = f"{instruction}{asked if tag else ''}\n\n{rest}"
    turn = f"{kind}: <{tag}>" if tag else ""
    claude = make_prompt(example, "claude")
    assert make_prompt(example, "chat").text == f"{instruction}{f'{NO_EXPLANATION}.' if tag else ''}\n\n{rest}"
    assert claude.text == f"\n\nHuman: {with_tags}\n\nAssistant:{f' {turn}' if tag else ''}"
    messages = [{"role": "user", "content": with_tags}, {"role": "assistant", "content": turn}]
    assert claude.messages == messages[: 2 if tag else 1]
    answer = f" so </other> it is</{tag or 'answer'}>, because</{tag or 'answer'}>"
    assert cut_at_tag(answer, TASKS[task]) == (" so </other> it is" if tag else answer)


@pytest.mark.parametrize("example", EMBEDDED)
def test_closed_book_is_the_canonical_prompt_without_its_document(example):
    prompt, instruction = make_prompt(example, "closed-book"), example.parts.instruction
    assert example.document not in prompt.text
    assert prompt.text.startswith(f"{instruction}\n\n")
    assert example.input.endswith(prompt.text.removeprefix(instruction))
    assert trim(prompt, Budget(5000, 10)).kept == 1.0


def test_tasks_of_scrolls_have_the_tags_of_zero_scrolls_and_a_task_of_its_own_has_none():
    assert {name: answer_tag(task) for name, task in SCROLLS.all_tasks.items()} == {
        **dict.fromkeys(["gov_report", "summ_screen_fd", "qmsum", "contract_nli"]),
        **dict.fromkeys(["qasper", "narrative_qa", "quality", "quality_hard"], "answer"),
    }


def test_the_only_form_of_a_prompt_of_scrolls_is_the_input_as_it_is():
    for example in (example for task in SCROLLS.tasks.values() for example in load_embedded(task)):
        prompt = make_prompt(example)
        assert (prompt.text, prompt.messages) == (example.input, [{"role": "user", "content": example.input}])
    with pytest.raises(UnknownName, match="SCROLLS is for fine-tuning and has no instruction"):
        make_prompt(example, "chat")


@pytest.mark.parametrize(
    ("variant", "message"),
    [("Claud", "no variant 'Claud'; did you mean 'claude'"), ("x", "the variants are canonical, chat, claude")],
)
def test_an_unknown_variant_is_named_with_the_likely_one(variant, message):
    with pytest.raises(UnknownName, match=message):
        make_prompt(load_embedded("qasper")[0], variant)


@pytest.mark.parametrize("task", LONGBENCH.rows, ids=lambda task: task.name)
def test_a_prompt_that_is_one_text_has_the_row_at_its_places_and_is_split_there(task):
    document, query = "One {input}.\n\n{context}", "Which {context}?" if task.has_query else None
    text, indices = compose(task, document, query)
    head, tail = task.prompt.split("{context}")
    assert text == head + document + tail.replace("{input}", query or "")
    example = Example(task, "x", text, [], [], indices)
    assert (example.document, example.query, make_prompt(example).text) == (document, query or "", text)
    for wrong in (None, indices._replace(document_start_index=0), indices._replace(query_end_index=len(text) + 1)):
        other = replace(example, indices=wrong)
        with pytest.raises(PromptFormatError, match="its index fields are missing or do not fit the text"):
            make_prompt(other)
    with pytest.raises(UnknownName, match="is one text, without a variant 'chat'; take 'canonical'"):
        make_prompt(example, "chat")
