"""The view of an answer that must equal a reference: both texts normalised, and the words in which they differ."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_metric.explain import explain, losses_of_task
from zs_metric.explain.parts import LIST_LIMIT
from zs_metric.f1 import SCROLLS_NORMALIZATION, normalize

words = st.lists(st.sampled_from(["the", "cat", "Sat", "“on”", "a", "mat!", "naïve"]), max_size=8).map(" ".join)


def view(prediction: str, *references: str) -> dict[str, Any]:
    data: dict[str, Any] = explain("quality", prediction, references, benchmark="scrolls").as_dict()["view"]
    return data


def differing(tokens: list[dict[str, Any]]) -> list[str]:
    return [one["token"] for one in tokens if not one["shared"]]


def test_the_words_that_differ_are_those_not_shared() -> None:
    shown = view("He quickly left a big town", "He left the small town early")
    assert [one["token"] for one in shown["answer_tokens"]] == ["he", "quickly", "left", "big", "town"]
    assert differing(shown["answer_tokens"]) == ["quickly", "big"]
    assert differing(shown["reference_tokens"]) == ["small", "early"]


def test_words_in_another_order_differ() -> None:
    shown = view("town left", "left town")
    assert len(differing(shown["answer_tokens"])) == len(differing(shown["reference_tokens"])) == 1


@given(words, words)
def test_the_words_shared_are_the_same_in_the_same_order(answer: str, reference: str) -> None:
    shown = view(answer, reference)
    mine, theirs = (
        [one["token"] for one in shown[side] if one["shared"]] for side in ("answer_tokens", "reference_tokens")
    )
    assert mine == theirs


@given(words, words)
def test_nothing_differs_exactly_when_the_answer_is_right(answer: str, reference: str) -> None:
    explanation = explain("quality", answer, reference, benchmark="scrolls").as_dict()
    shown = explanation["view"]
    nothing = not differing(shown["answer_tokens"]) and not differing(shown["reference_tokens"])
    assert nothing == (explanation["score"] == 100)


@given(words)
def test_the_last_step_leaves_what_the_scorer_compares(text: str) -> None:
    shown = view(text, text)
    assert [step["name"] for step in shown["steps"]] == list(SCROLLS_NORMALIZATION)
    assert shown["steps"][-1]["text"] == shown["reference_steps"][-1]["text"] == normalize(text, SCROLLS_NORMALIZATION)


@pytest.mark.parametrize("task", ["qasper", "narrative_qa"])
def test_f1_of_scrolls_is_explained_without_transliteration(task: str) -> None:
    shown = explain(task, "a Café", "the cafe", benchmark="scrolls").as_dict()["view"]
    assert [step["name"] for step in shown["steps"]] == list(SCROLLS_NORMALIZATION)
    assert (shown["steps"][-1]["text"], shown["reference_steps"][-1]["text"]) == ("café", "cafe")
    assert (shown["answer_tokens"], shown["shared"]) == ([{"token": "café", "shared": False}], 0)


def test_the_nearest_reference_is_shown_where_none_is_equal_and_the_equal_one_otherwise() -> None:
    assert view("he left town", "she stayed", "he left early")["best_reference"] == 1
    assert view("he left", "he left town", "He left!")["best_reference"] == 1
    assert view("nothing", "she stayed", "he left")["best_reference"] == 0


def test_every_reference_shows_its_own_score() -> None:
    assert view("he left", "he stayed", "He left.")["references"] == [
        {"text": "he stayed", "score": 0},
        {"text": "He left.", "score": 100},
    ]


def test_the_characters_that_cost_the_points_are_pointed_out() -> None:
    shown = view("He left “early” – at dawn", "He left early at dawn")
    assert shown["lenient_score"] == 100
    assert [one["character"] for one in shown["typography"]] == ["“", "”", "–"]


def test_of_a_long_answer_the_first_words_are_compared_and_it_is_said() -> None:
    shown = view("word " * (LIST_LIMIT + 5), "word " * (LIST_LIMIT + 5) + "more")
    assert len(shown["answer_tokens"]) == len(shown["reference_tokens"]) == LIST_LIMIT
    assert not differing(shown["answer_tokens"])
    assert f"only the first {LIST_LIMIT:,} of {LIST_LIMIT + 5:,} words of the answer are listed" in shown["omitted"]


def test_a_repair_is_named_for_what_it_leaves_out() -> None:
    answer = "Reasons follow. Answer: (C) He left; the others stayed."
    changes = {
        one["answer"]: one["change"]
        for one in explain("quality", answer, "he left", benchmark="scrolls").as_dict()["what_if"]
    }
    assert changes == {"He left": "the first clause of what follows “answer:” without the option's letter"}


def test_an_empty_piece_is_no_repair() -> None:
    explanation = explain("quality", ", the rest", "the", benchmark="scrolls").as_dict()
    assert (explanation["what_if"], explanation["ledger"]["content"]) == ([], 100)


def test_the_ledger_of_a_scrolls_task_counts_its_own_scores() -> None:
    answers, references = ["Entailment", "Entailment.", "Not mentioned", "entailment it is"], ["Entailment"] * 4
    losses = losses_of_task("contract_nli", answers, references, benchmark="scrolls")
    assert (losses.score, losses.mean.content, losses.aggregation) == (50, 50, 0)
