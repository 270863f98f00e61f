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
    benchmark = "scrolls" if task == "contract_nli" else "zero_scrolls"
    return read_html(why(explain(task, prediction, references, benchmark=benchmark)))


def test_every_metric_of_every_benchmark_has_a_template() -> None:
    metrics = {task.metric.name for one in BENCHMARKS.values() for task in one.all_tasks.values()}
    assert {f"explanations/{metric}.html" for metric in metrics} <= set(environment().list_templates())


@pytest.mark.parametrize(
    ("task", "prediction", "references", "hits", "texts"),
    [
        (
            *("narrative_qa", "the Old clock, behind it", ["Behind the pendulum of the old clock", "In the clock"], 6),
            [
                "3 words shared: precision 75.00, recall 60.00; F1 = 2 · P · R / (P + R) = 66.6667",
                "Behind the pendulum of the old clock 66.7, the best",
            ],
        ),
        (
            "musique",
            "“Paris”",
            ["Paris"],
            0,
            ["Typography costs 100.0 points", '“ left double quotation mark is not "'],
        ),
        ("qasper", "the a an", ["yes"], 0, ["100.00 words missing", "no word is left"]),
        (
            *("qasper", "concurrent instructions, as the paper says", ["concurrent instructions"], 4),
            ["All words of reference 1 are in the prediction", "100.0 the answer up to “concurrent instructions,”"],
        ),
        ("squality", "one two three four", ["one two five six", "four three two one"], 0, ["best for ROUGE-2"]),
        (
            *("quality", "A good answer is B, not D", ["B"], 1),
            ["The first letter alone is the article “A”", "The answer names B as its answer", "Reference: B"],
        ),
        ("quality", "b) the mill", ["B"], 0, ["A reader would see B (a lowercase letter)"]),
        ("space_digest", "so " * 3_000 + "it is 55% in all", ["60%"], 1, ["it is 55% in all"]),
        (
            *("book_sum_sort", "2-1-3", ["1, 2, 3"], 0),
            ["missing : 1, 2, 3", "not in the list : 213", "The order that was probably meant"],
        ),
        ("contract_nli", "Entailment, yes", ["Entailment"], 2, ["Word by word"]),
    ],
)
def test_every_view_marks_what_counted_and_says_it_in_words(
    task: str, prediction: str, references: list[str], hits: int, texts: list[str]
) -> None:
    view = drawn(task, prediction, *references)
    assert view.classes["hit"] == hits
    assert [text for text in texts if text not in view.text] == []


def test_rouge_shows_three_types_their_mean_both_texts_and_a_switch() -> None:
    found = drawn("squality", "the cat sat on the mat", "a cat sat on a mat", "the mat was red")
    assert found.tags["table"] == 2
    assert [label for label in found.labels if "ROUGE" in label] == ["ROUGE types"]
    assert "Words (4)" in found.text
    assert "∛(" in found.text
    assert found.tags["input"] == 3
    assert "Reference 1, best for all three types 6 tokens" in found.text
    assert found.classes["u"] > found.classes["b"] > 0


def test_the_longest_common_subsequence_of_huge_texts_is_off_and_says_so() -> None:
    words = " ".join(f"w{i}" for i in range(3_000))
    found = drawn("gov_report", words, words)
    assert "Longest common subsequence (not marked)" in found.text
    assert ("disabled", None) in found.attributes


def test_the_curve_tells_in_words_what_it_draws() -> None:
    found = drawn("space_digest", "about 55% of them", "60%")
    assert found.labels[1:] == [
        "Score by percentage: 100 at the reference 60%, half every 10 points; the answer's 55% gives 70.7107"
    ]
    assert "reference 60% answer 55%: 70.71" in found.text
    would = drawn("space_digest", "55 percent", "60%")
    assert "55% would have given 70.7107" in would.labels[1]
    assert "A reader would see 55%" in would.text


def test_slopes_cross_once_for_each_pair_out_of_order() -> None:
    found = drawn("book_sum_sort", "2, 1, 3, 5, 4", "1, 2, 3, 4, 5")
    assert found.classes["cross"] == 2
    assert found.classes["slope"] == 5
    assert found.classes["out"] == 4
    assert "8 of 10 pairs in order; true order 1, 2, 3, 4, 5; answer 2, 1, 3, 5, 4" in found.labels


def test_more_ids_than_fit_are_listed_and_not_drawn() -> None:
    truth = ", ".join(map(str, range(1, 102)))
    found = drawn("book_sum_sort", truth, truth)
    assert found.tags["svg"] == 0
    assert "5,050 of 5,050 pairs in order" in found.text


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
