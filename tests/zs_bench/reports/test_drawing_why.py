"""Explanations as HTML: what each view shows, and that no text of a visitor becomes markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markup_check import Reader, read_html

from zs_bench.reports.html import environment
from zs_bench.reports.html.explanation import why
from zs_metric.explain import explain
from zs_metric.tasks import BENCHMARKS

HOSTILE = "<img src=x onerror=alert(1)></p>\"'&amp; {0} {name} \u202e\x00 55% A 3, 1, 2 the end"


def drawn(task: str, prediction: str, *references: str) -> Reader:
    return read_html(why(explain(task, prediction, references)))


def test_every_metric_of_every_benchmark_has_a_template() -> None:
    metrics = {task.metric.name for one in BENCHMARKS.values() for task in one.all_tasks.values()}
    assert {f"explanations/{metric}.html" for metric in metrics} <= set(environment().list_templates())


def test_f1_shows_the_shared_words_and_every_reference() -> None:
    found = drawn("narrative_qa", "the Old clock, behind it", "Behind the pendulum of the old clock", "In the clock")
    assert found.classes["hit"] == 6
    assert "3 words shared: precision 75.00, recall 60.00; F1 = 2 · P · R / (P + R) = 66.6667" in found.text
    assert "Behind the pendulum of the old clock 66.7, the best" in found.text


def test_typography_that_costs_points_is_named_with_the_score_without_it() -> None:
    found = drawn("musique", "“Paris”", "Paris")
    assert "100.00 typography" in found.text
    assert "Typography costs 100.0 points: 100.0 without" in found.text
    assert '“ left double quotation mark is not "' in found.text


def test_an_answer_with_nothing_left_after_normalisation_is_explained_as_such() -> None:
    found = drawn("qasper", "the a an", "yes")
    assert "100.00 words missing" in found.text
    assert "no word is left" in found.text


def test_rouge_shows_three_types_their_mean_both_texts_and_a_switch() -> None:
    found = drawn("squality", "the cat sat on the mat", "a cat sat on a mat", "the mat was red")
    assert found.tags["table"] == 2
    assert [label for label in found.labels if "ROUGE" in label] == ["ROUGE types"]
    assert "Words (4)" in found.text
    assert "∛(" in found.text
    assert found.tags["input"] == 3
    assert "Reference 1, best for all three types 6 tokens" in found.text
    assert found.classes["u"] > found.classes["b"] > 0


def test_a_reference_that_won_one_type_alone_says_which() -> None:
    found = drawn("squality", "one two three four", "one two five six", "four three two one")
    assert "best for ROUGE-1" in found.text
    assert "best for ROUGE-2" in found.text


def test_the_longest_common_subsequence_of_huge_texts_is_off_and_says_so() -> None:
    words = " ".join(f"w{i}" for i in range(3_000))
    found = drawn("gov_report", words, words)
    assert "Longest common subsequence (not marked)" in found.text
    assert ("disabled", None) in found.attributes


def test_accuracy_marks_the_letter_read_and_names_the_article() -> None:
    found = drawn("quality", "A good answer is B, not D", "B")
    assert (found.classes["hit"], found.classes["faint"]) == (1, 2)
    assert "The first letter alone is the article “A”" in found.text
    assert "The answer names B as its answer" in found.text
    assert "What would have scored more 100.0 the letter that the answer names, alone: B" in found.text
    assert "Reference: B" in found.text


def test_a_letter_that_only_a_human_would_read_is_marked_faintly() -> None:
    found = drawn("quality", "b) the mill", "B")
    assert (found.classes["hit"], found.classes["faint"]) == (0, 1)
    assert "A reader would see B (a lowercase letter)" in found.text


def test_the_curve_tells_in_words_what_it_draws() -> None:
    found = drawn("space_digest", "about 55% of them", "60%")
    assert found.labels[1:] == [
        "Score by percentage: 100 at the reference 60%, half every 10 points; the answer's 55% gives 70.7107"
    ]
    assert "reference 60% answer 55%: 70.71" in found.text
    would = drawn("space_digest", "55 percent", "60%")
    assert "55% would have given 70.7107" in would.labels[1]
    assert "A reader would see 55%" in would.text


def test_a_late_percentage_is_shown_with_its_context() -> None:
    found = drawn("space_digest", "so " * 3_000 + "it is 55% in all", "60%")
    assert found.classes["hit"] == 1
    assert "it is 55% in all" in found.text


def test_slopes_cross_once_for_each_pair_out_of_order() -> None:
    found = drawn("book_sum_sort", "2, 1, 3, 5, 4", "1, 2, 3, 4, 5")
    assert found.classes["cross"] == 2
    assert found.classes["slope"] == 5
    assert found.classes["out"] == 4
    assert "8 of 10 pairs in order; true order 1, 2, 3, 4, 5; answer 2, 1, 3, 5, 4" in found.labels


def test_a_list_that_is_no_permutation_tells_its_faults_and_what_was_meant() -> None:
    found = drawn("book_sum_sort", "2-1-3", "1, 2, 3")
    for reported in (
        "missing : 1, 2, 3",
        "not in the list : 213",
        "The order that was probably meant",
    ):
        assert reported in found.text
    assert found.classes["slope"] == 3


def test_more_ids_than_fit_are_listed_and_not_drawn() -> None:
    truth = ", ".join(map(str, range(1, 102)))
    found = drawn("book_sum_sort", truth, truth)
    assert found.tags["svg"] == 0
    assert "5,050 of 5,050 pairs in order" in found.text


def test_exact_match_shows_the_words_in_which_the_answer_differs() -> None:
    found = read_html(why(explain("contract_nli", "Entailment, yes", ["Entailment"], benchmark="scrolls")))
    assert "Word by word" in found.text
    assert found.classes["hit"] == 2


@pytest.mark.parametrize("task", ["narrative_qa", "qmsum", "quality", "space_digest", "book_sum_sort"])
def test_a_hostile_answer_stays_text(task: str) -> None:
    reference = {"quality": "B", "space_digest": "40%", "book_sum_sort": "1, 2, 3"}.get(task, "<b onload=x>the end</b>")
    found = drawn(task, HOSTILE, reference)
    assert "img" not in found.tags
    if task != "book_sum_sort":
        assert "img" in found.text


TEXTS = st.text(max_size=40) | st.text("ABCD abcd 0123456789%,.-“”’é<>&\"'{}", max_size=60)


@pytest.mark.parametrize(
    ("task", "reference"),
    [
        ("narrative_qa", "The café's “end”"),
        ("gov_report", "one two three, and the end of it"),
        ("quality", "B"),
        ("space_digest", "45.5%"),
        ("book_sum_sort", "2, 1, 3, 4"),
    ],
)
@given(prediction=TEXTS)
def test_any_answer_is_drawn_as_whole_html(task: str, reference: str, prediction: str) -> None:
    drawn(task, prediction, reference)
    drawn(task, prediction, reference, reference + " 7")


def test_an_answer_that_goes_on_too_long_is_shown_where_to_stop() -> None:
    found = drawn("qasper", "concurrent instructions, as the paper says", "concurrent instructions")
    assert "words too many All words of reference 1 are in the prediction; the 3 others cost" in found.text
    assert "100.0 the answer up to “concurrent instructions,”" in found.text
