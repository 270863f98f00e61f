"""The naive answers, the heuristics of SCROLLS, and the human scores: by their definitions, and drawn fairly."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from plain_scorer import cube_root_of_product, plain_rouge

from zs_bench.baselines import human_score, learn, naive_answer, naive_answers
from zs_bench.benchmarks import find_task
from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import Example, load_embedded, read_examples
from zs_bench.files.input_files import InputFile
from zs_bench.inputs import compose
from zs_metric import ZeroScrollsError, score_task

SPANS = {"gov_report": 500, "summ_screen_fd": 200, "qmsum": 50, "squality": 120, "qasper": 15, "narrative_qa": 4}
NUMBERED = " ".join(f"w{i}" for i in range(1000))


def answers_to(task: str, document: str, count: int, seed: int = 0) -> list[str]:
    return [naive_answer(TASKS[task], str(key), document, seed=seed) for key in range(count)]


def test_a_span_has_the_papers_number_of_words_in_a_row_from_any_place_of_the_document() -> None:
    for task, length in SPANS.items():
        spans = [answer for answer in answers_to(task, NUMBERED, 200) if answer.startswith("w")]
        assert spans
        assert all(len(span.split()) == length and f" {span} " in f" {NUMBERED} " for span in spans)
    starts = Counter(answer.split()[0] for answer in answers_to("narrative_qa", "a b c d e f", 3000))
    assert set(starts) == {"a", "b", "c"}
    assert min(starts.values()) > 900
    assert answers_to("gov_report", " just\nthree  words ", 1) == ["just three words"]
    assert answers_to("narrative_qa", "", 1) == [""]


def test_a_task_with_fixed_answers_draws_each_and_a_span_as_often() -> None:
    """ZeroSCROLLS (arXiv 2305.14196), the row "Naive" of Table 3 and its description."""
    for task, choices in (
        ("qasper", ["No", "Unanswerable", "Yes", "span"]),
        ("quality", [*"ABCD"]),
        ("musique", ["Unanswerable"]),
        ("space_digest", ["50%"]),
    ):
        kinds = Counter(answer if answer[0] != "w" else "span" for answer in answers_to(task, NUMBERED, 4000))
        assert sorted(kinds) == choices
        assert all(0.9 < count * len(choices) / 4000 < 1.1 for count in kinds.values())


def test_the_order_given_has_an_id_for_each_summary_of_the_document_and_scores_50_over_all_orders() -> None:
    document = "".join(f"Summary {i}:\nText.\n\n" for i in range(1, 5))
    answer = naive_answer(TASKS["book_sum_sort"], "emma_0", document)
    references = [", ".join(map(str, order)) for order in permutations(range(1, 5))]
    assert answer == "1, 2, 3, 4"
    assert score_task("book_sum_sort", [answer] * 24, references).score == pytest.approx(50)
    mentions = (
        "Summary 1:\nSee Summary 3: later.\n\nSummary 2:\nSummary 9: was lost.\nSummary 2: again.\n\nSummary 3:\nEnd."
    )
    assert naive_answer(TASKS["book_sum_sort"], "emma_0", mentions) == "1, 2, 3"
    with pytest.raises(ZeroScrollsError, match=r"book_sum_sort: the document of 'emma_0' has no line 'Summary 1:'"):
        naive_answer(TASKS["book_sum_sort"], "emma_0", "Once upon a time.")


def test_neither_order_nor_company_nor_references_change_an_answer() -> None:
    for task in TASKS:
        examples = load_embedded(task)
        answers = naive_answers(TASKS[task], examples)
        bare = [replace(e, references=[], indices=None) for e in reversed(examples)]
        assert naive_answers(TASKS[task], bare) == answers
        assert naive_answers(TASKS[task], examples[1:]) == {examples[1].id: answers[examples[1].id]}


def test_seed_task_and_id_each_change_what_is_drawn() -> None:
    first = answers_to("narrative_qa", NUMBERED, 100)
    assert first == answers_to("narrative_qa", NUMBERED, 100)
    assert sum(a == b for a, b in zip(first, answers_to("narrative_qa", NUMBERED, 100, seed=1), strict=True)) < 5
    assert len(set(first)) > 90
    assert (
        naive_answer(TASKS["qmsum"], "1", NUMBERED).split()[0]
        != naive_answer(TASKS["squality"], "1", NUMBERED).split()[0]
    )


def test_the_answer_is_taken_from_the_document_and_not_from_the_rest_of_the_prompt() -> None:
    text, indices = compose(TASKS["squality"], "only these words", "And this question?")
    examples = [Example(TASKS["squality"], "1", text, [], [None], indices)]
    assert naive_answers(TASKS["squality"], examples) == {"1": "only these words"}
    with pytest.raises(ZeroScrollsError, match="the paper has no naive answer to contract_nli of SCROLLS"):
        naive_answers(SCROLLS.tasks["contract_nli"], [])


def example(task: str, name: str, text: str, *outputs: str) -> Example:
    rows = ({"id": name, "pid": f"{name}_{k}", "input": text, "output": output} for k, output in enumerate(outputs))
    source = InputFile.in_memory("a.jsonl", "\n".join(map(json.dumps, rows)).encode())
    return read_examples(source, find_task(task, benchmark="scrolls"))[0][0]


def answers(task: str, training: list[Example], asked: list[Example]) -> list[str]:
    return list(map(learn(find_task(task, benchmark="scrolls"), training), asked))


def test_a_summary_is_the_prefix_in_the_mean_proportion_of_the_training_split() -> None:
    training = [example("gov_report", "a", "x" * 100, "y" * 10), example("gov_report", "b", "x" * 50, "y" * 15)]
    asked = [example("gov_report", "c", "0123456789" * 2, "?")]
    assert answers("gov_report", training, asked) == ["0123"]  # (0.1 + 0.3) / 2 of 20 characters
    both = [example("gov_report", "a", "x" * 100, "y" * 10, "y" * 50)]
    assert answers("gov_report", both, asked) == ["012345"]
    training = [example("qasper", "a", "Why?\n\n" + "x" * 100, "y" * 50)]
    assert answers("qasper", training, [example("qasper", "b", "A long question?\n\nabcd", "?")]) == ["ab"]


def quality(name: str, right: int, options: str = "kmnp") -> Example:
    lines = "\n".join(f" ({letter}) {text}{name}" for letter, text in zip("ABCD", options, strict=True))
    return example("quality", name, f"Which?\n\n{lines}\n\nA story.", f"{options[right]}{name}")


def test_quality_is_answered_with_the_option_that_is_right_most_often() -> None:
    training = [quality("1", 2), quality("2", 2), quality("3", 0)]
    assert answers("quality", training, [quality("7", 1), quality("8", 3, "wxyz")]) == ["n7", "y8"]


def test_the_drawn_answers_stay_the_same_from_version_to_version() -> None:
    drawn = naive_answers(TASKS["quality"], load_embedded("quality"))
    assert drawn == {"s0003_SAMPLE01_1": "B", "s0004_SAMPLE02_1": "C"}
    text = "It was the best of times, it was the worst of times."
    assert naive_answer(TASKS["narrative_qa"], "3858", text) == "It was the best"


def test_contract_nli_is_answered_by_hypothesis_and_an_unknown_one_by_the_commonest_label() -> None:
    def contract(name: str, hypothesis: str, label: str) -> Example:
        return example("contract_nli", name, f"{hypothesis}\n\nA contract {name}.", label)

    training = [
        contract("1", "It may be copied.", "Contradiction"),
        contract("2", "It ends.", "Entailment"),
        contract("3", "It ends.", "Entailment"),
        contract("4", "It ends.", "Not mentioned"),
    ]
    asked = [contract("7", "It may be copied.", "?"), contract("8", "It ends.", "?"), contract("9", "Else.", "?")]
    assert answers("contract_nli", training, asked) == ["Contradiction", "Entailment", "Entailment"]


def test_a_learnt_baseline_is_defined_for_scrolls_and_needs_references_which_are_options() -> None:
    stray = replace(quality("1", 2), references=["neither"])
    with pytest.raises(ZeroScrollsError, match="no reference of the training split is one of its options"):
        answers("quality", [stray], [stray])
    with pytest.raises(ZeroScrollsError, match="is defined for SCROLLS"):
        learn(find_task("qasper"), [])
    with pytest.raises(ZeroScrollsError, match="no references to learn the baseline from"):
        learn(find_task("qasper", benchmark="scrolls"), [])


def plain_human_rouge(references: Sequence[Sequence[str]]) -> float:
    """SQuALITY's human score by the plain scorer, loop by loop."""
    sums = dict.fromkeys(("rouge1", "rouge2", "rougeL"), 0.0)
    for texts in references:
        for i, text in enumerate(texts):
            score = plain_rouge(text, [*texts[:i], *texts[i + 1 :]])
            for kind in sums:
                sums[kind] += score[kind] / len(texts) / len(references)
    root: float = cube_root_of_product(sums)
    return root


UNEQUAL = [
    ["the cat sat on the mat", "a cat sat on a mat", "the cat sat"],
    ["dogs bark at night", "dogs bark loud at night"],
]


def test_the_human_score_is_the_mean_over_examples_of_means_and_for_rouge_its_root_comes_last() -> None:
    line = human_score(TASKS["squality"], UNEQUAL)
    assert line.score == pytest.approx(plain_human_rouge(UNEQUAL), abs=1e-9)
    assert (line.n, line.total) == (2, 2)
    apart = [["a b c d", "a b c d"], ["a x b y", "a z b w"]]
    assert plain_rouge("a x b y", ["a z b w"])["geometric_mean"] == 0
    assert human_score(TASKS["squality"], apart).score == pytest.approx(100 * (0.75 * 0.5 * 0.75) ** (1 / 3))
    assert human_score(TASKS["qasper"], [["yes"] * 4, ["yes", "no"], ["alone"]]) == (50.0, 2, 3)
    assert human_score(TASKS["quality"], [["A"], ["B"]]) == (None, 0, 2)
    assert human_score(TASKS["quality"], []) == (None, 0, 0)
