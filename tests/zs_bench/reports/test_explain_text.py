"""An explanation as text: every view, one fact per line."""

import pytest

from zs_bench.reports.explain_text import FEW, render
from zs_metric.explain import explain


def lines(task, prediction, *references):
    benchmark = "scrolls" if task == "contract_nli" else "zero_scrolls"
    return render(explain(task, prediction, references, benchmark=benchmark)).splitlines()


IDS, BLAMED = ", ".join(map(str, range(1, 10))), "in ASCII, 1 in the prediction and 0 in the references."
#: Task, answer and references, and the whole text.
WHOLE = [
    (
        ("musique", "“Paris”, the capital\nof France", "x", "Paris, France"),
        "musique: 33.33 of 100 points (f1).",
        "Lost 66.67 points: typography 33.33, words too many 33.33.",
        'What if: typographic characters written in ASCII, “"Paris", the capital of France”: 66.67 points.',
        "Answer: “Paris”, the capital of France",
        'Words of the answer, those shared in brackets: "paris" capital of [france]',
        "Words of reference 2: paris [france]",
        "Shared: 1. Precision 25.00, recall 50.00.",
        f"Typographic: “ (left double quotation mark), '\"' {BLAMED}",
        f"Typographic: ” (right double quotation mark), '\"' {BLAMED}",
        "With ASCII in their place on both sides: 66.67 points.",
        "Reference 1: 0.00 points: “x”.",
        "Reference 2: 33.33 points: “Paris, France”.",
    ),
    (
        ("squality", "Police killed the old gunman.", "police kill the gunman", "police killed a man"),
        "squality: 50.26 of 100 points (rouge).",
        "Lost 49.74 points: words missing 26.70, words too many 23.04.",
        "Reference 1 has 4 words, the prediction 5 (125%).",
        "Nobody reaches 100: averages over the task are naive baseline 10.5, GPT-4 (2023) 22.6, human 23.6.",
        "ROUGE-1: precision 60.00, recall 75.00, F 66.67, with reference 1.",
        "ROUGE-2: precision 25.00, recall 33.33, F 28.57, with reference 2.",
        "ROUGE-L: precision 60.00, recall 75.00, F 66.67, with reference 1.",
        "Score: the cube root of 66.67 x 28.57 x 66.67, 50.26.",
        "Reference 1, 4 words: ROUGE-1 66.67, ROUGE-2 0.00, ROUGE-L 66.67.",
        "Reference 2, 4 words: ROUGE-1 44.44, ROUGE-2 28.57, ROUGE-L 44.44.",
        "Words of the answer shared one by one: 3 of 5.",
        "Words of the answer shared in pairs of neighbours: 2 of 5.",
        "Words of the answer shared in the longest common subsequence: 3 of 5.",
        "Answer, shared pairs of words in brackets: [Police killed] the old gunman.",
        "Reference 1, the best for ROUGE-1, ROUGE-L: police kill the gunman",
        "Reference 2, the best for ROUGE-2: [police killed] a man",
    ),
    (
        ("quality", "C or D?", "D"),
        "quality: 0.00 of 100 points (accuracy).",
        "Why: the first letter found is C, not D.",
        "Lost 100.00 points: two options 100.00.",
        "Answer: [C] or D?",
        "Read: C, the first letter that stands alone. Also there: D.",
        "Reference: D.",
    ),
    (
        ("book_sum_sort", IDS, IDS),
        "book_sum_sort: 100.00 of 100 points (concordance_index).",
        "Nothing was lost.",
        f"Read: {IDS}.",
        f"Reference: {IDS}.",
        "In order: 36 of 36 pairs.",
    ),
]


@pytest.mark.parametrize("case", WHOLE)
def test_an_answer_is_read_out_step_by_step(case):
    question, *text = case
    assert lines(*question) == text


#: The last lines of the text.
LAST = [
    (
        ("quality", "d", "D"),
        "Read: no letter.",
        "A person would read D (a lowercase letter): 100.00 points.",
        "Reference: D.",
    ),
    (
        ("space_digest", "so 55%", "60%"),
        "Answer: so [55%]",
        "Read: 55%. Reference: 60%. They are 5 points apart; every 10 points halve the score.",
    ),
    (
        ("space_digest", "40", "60%"),
        "Read: no percentage. Reference: 60%.",
        "A person would read 40% (a number without the percent sign): 25.00 points.",
    ),
    (
        ("book_sum_sort", "3, 1, 2", "1, 2, 3"),
        "In order: 1 of 3 pairs.",
        "Out of order: 3 before 1, 3 before 2.",
    ),
    (
        ("book_sum_sort", "1-2, 9999999999999", "1, 2, 3"),
        "Not a permutation: missing 1, 2, 3; foreign 12, a huge number.",
        "A person would read 1, 2 (the longest list in the answer, alone): 0.00 points.",
        "Note: ids above 1,000,000,000,000 are shown as that number.",
    ),
    (("book_sum_sort", "", "1, 2"), "Not a permutation: missing 1, 2."),
    (
        ("contract_nli", "Entailment, yes", "Entailment"),
        "Answer: Entailment, yes",
        "Words of the answer, those shared in brackets: [entailment] yes",
        "Words of reference 1: [entailment]",
        "Reference 1: 0.00 points: “Entailment”.",
    ),
]


@pytest.mark.parametrize("case", LAST)
def test_what_was_read_is_told_from_what_a_person_would_read(case):
    question, *text = case
    assert lines(*question)[-len(text) :] == text


def test_long_answers_and_lists_are_cut():
    (what_if,) = (line for line in lines("qasper", "yes " * 30 + "no " * 30, "yes " * 30) if line.startswith("What if"))
    assert what_if == "What if: the answer up to “… yes yes yes yes yes”: 100.00 points."
    ids = [str(i) for i in range(1, 31)]
    out_of_order = lines("book_sum_sort", ", ".join(reversed(ids)), ", ".join(ids))[-1]
    assert out_of_order.count(" before ") == FEW
    assert out_of_order.endswith(", ….")


@pytest.mark.parametrize("task", ["qasper", "gov_report", "quality", "space_digest", "book_sum_sort"])
def test_an_empty_answer_and_a_huge_one_are_read_out(task):
    reference = {"quality": "B", "space_digest": "40%", "book_sum_sort": "1, 2"}.get(task, "cat sat")
    assert "Why: the answer is empty." in lines(task, "", reference)
    huge = lines(task, "1, cat “ " * 10_000, reference)
    assert any(line.startswith(("Note: only the first ", "Note: no repair ")) for line in huge)
    assert len("\n".join(huge)) < 300_000
