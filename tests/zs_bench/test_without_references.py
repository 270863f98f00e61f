"""An explanation without its references: nothing that only they say is left in the data."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.drawing.why import why
from zs_bench.reports.without_references import without_references
from zs_metric.explain import explain

OWN = ["quokka", "zyzzyva", "Quux’s", "crwth"]
COMMON = ["red", "clock", "of", "the", "answer", "is:", "café", "“end”", "."]
words = st.lists(st.sampled_from([*OWN, *COMMON]), min_size=1, max_size=9).map(" ".join)
answers = st.lists(st.sampled_from(COMMON), max_size=12).map(" ".join)


def told(task: str, prediction: str, *references: str) -> dict[str, Any]:
    return without_references(explain(task, prediction, references))


@pytest.mark.parametrize("task", ["narrative_qa", "gov_report"])
@given(prediction=answers, references=st.lists(words, min_size=1, max_size=3))
def test_no_word_of_a_reference_that_is_not_the_answers_is_left(
    task: str, prediction: str, references: list[str]
) -> None:
    data = told(task, prediction, *references)
    shown = (json.dumps(data, ensure_ascii=False) + why(data)).casefold()
    assert not [word for word in ("quokka", "zyzzyva", "quux", "crwth") if word in shown]


def test_the_texts_of_exact_match_are_left_out_too() -> None:
    data = without_references(explain("contract_nli", "No", ["Quokka entailment"], benchmark="scrolls"))
    assert "quokka" not in (json.dumps(data) + why(data)).casefold()


def test_a_what_if_put_together_from_the_words_that_are_shared_loses_its_text() -> None:
    data = told("musique", "It is Paris. Right in France!", "Paris in France")
    assert {change["change"]: change["answer"] for change in data["what_if"]} == {
        "cut to the reference's length, no shared word lost": None
    }
    assert "100.0000</strong> cut to the reference&#39;s length, no shared word lost</li>" in why(data)


def test_a_what_if_that_is_a_piece_of_the_answer_keeps_its_text() -> None:
    data = told("musique", "Paris. That is a city in the north", "Paris")
    assert "Paris" in [change["answer"] for change in data["what_if"]]


def test_a_what_if_in_ascii_keeps_its_text() -> None:
    assert [change["answer"] for change in told("musique", "“Paris”", "Paris")["what_if"]] == ['"Paris"']


def test_neither_the_letter_nor_the_reason_that_names_it_is_left() -> None:
    data = told("quality", "A good answer is not B", "C")
    assert data["reason"] == "the first letter found is A (here the word “A”)"
    assert data["view"]["reference_letters"] == []
    assert "Reference" not in why(data)


def test_the_percentage_of_the_reference_is_neither_told_nor_drawn() -> None:
    data = told("space_digest", "I say 55%", "61.375%")
    assert "61.375" not in json.dumps(data)
    assert "61.375" not in why(data)
    assert "svg" not in why(data)
    assert data["reason"] == "55% was read"


@pytest.mark.parametrize(
    ("prediction", "reason"),
    [
        ("87.0.0%", "0% was read: a percentage begins after the second point"),
        ("none", "no percentage in the answer (digits directly followed by %)"),
        ("61.375%", None),
    ],
)
def test_a_reason_that_tells_nothing_of_the_reference_stays(prediction: str, reason: str | None) -> None:
    assert told("space_digest", prediction, "61.375%")["reason"] == reason


@pytest.mark.parametrize("prediction", ["4, 3, 2, 1", "4-3-2-1", "1, 1", "none"])
def test_the_true_order_is_neither_told_nor_drawn(prediction: str) -> None:
    data = told("book_sum_sort", prediction, "3, 1, 4, 2")
    assert "3, 1, 4, 2" not in json.dumps(data) + why(data)
    assert data["view"]["truth"] is None
    assert data["view"]["discordant"] == data["view"]["places"] == []
    assert "svg" not in why(data)


def test_the_scores_stay_as_they_are() -> None:
    whole = explain("narrative_qa", "the old clock", ["an old clock", "a clock"])
    left = without_references(whole)
    assert (left["score"], left["ledger"], left["parsed"]) == (whole["score"], whole["ledger"], whole["parsed"])
    assert [one["score"] for one in left["view"]["references"]] == [one["score"] for one in whole["view"]["references"]]
