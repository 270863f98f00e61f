"""The view of an F1 answer: steps, tokens, references, the characters that cost points."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_metric.explain import explain
from zs_metric.explain.f1 import CHANGES
from zs_metric.f1 import NORMALIZATION, normalize

words = st.lists(st.sampled_from(["the", "cat", "Sat", "“on”", "a", "mat!", "naïve"]), max_size=8).map(" ".join)


def view(prediction: str, *references: str) -> dict[str, Any]:
    data: dict[str, Any] = explain("qasper", prediction, references).as_dict()["view"]
    return data


def step(name: str, prediction: str) -> dict[str, Any]:
    return next(one for one in view(prediction, "x")["steps"] if one["name"] == name)


def test_every_step_of_the_normalisation_is_shown() -> None:
    assert list(CHANGES) == list(NORMALIZATION) == [one["name"] for one in view("The “Cat”, sat", "x")["steps"]]


@given(words)
def test_the_last_step_leaves_what_the_scorer_reads(text: str) -> None:
    shown = view(text, text)
    assert shown["steps"][-1]["text"] == shown["reference_steps"][-1]["text"] == normalize(text)


def test_the_steps_tell_what_they_removed_and_replaced() -> None:
    text = "The  Cat, sat — on\na mat."
    assert step("lowercase", text)["replaced"] == [["The", "the"], ["Cat,", "cat,"]]
    assert step("punctuation", text)["removed"] == [",", "."]
    assert step("articles", text)["removed"] == ["the", "a"]
    assert step("whitespace", text)["removed"] == ["   ", "\n  "]
    assert step("transliteration", text)["replaced"] == [["—", "--"]]
    assert step("transliteration", text)["text"] == "cat sat -- on mat"


def test_the_changes_of_a_step_are_pairs_without_whitespace() -> None:
    steps = {one.name: one.changes for one in explain("qasper", "The  cat.", "x").view.steps}
    assert (steps["lowercase"], steps["punctuation"], steps["whitespace"]) == ([("The", "the")], [(".", None)], [])


def test_a_token_is_marked_as_often_as_both_sides_have_it() -> None:
    shown = view("ha ha ha no", "ha ha yes")
    assert [one["shared"] for one in shown["answer_tokens"]] == [True, True, False, False]
    assert [one["token"] for one in shown["reference_tokens"] if one["shared"]] == ["ha", "ha"]


@given(words, words)
def test_the_marked_tokens_are_those_behind_precision_and_recall(answer: str, reference: str) -> None:
    shown = view(answer, reference)
    for tokens, share in (("answer_tokens", shown["precision"]), ("reference_tokens", shown["recall"])):
        marked = sum(one["shared"] for one in shown[tokens])
        assert marked == shown["shared"] == pytest.approx(share / 100 * len(shown[tokens]))


def test_every_reference_shows_its_own_score_and_the_best_is_named() -> None:
    shown = view("yes", "no", "yes indeed")
    assert [(one["text"], round(one["score"], 4)) for one in shown["references"]] == [
        ("no", 0),
        ("yes indeed", 66.6667),
    ]
    assert shown["best_reference"] == 1


def test_only_the_characters_that_cost_points_are_pointed_out() -> None:
    shown = view("“Café” – at the café", "Cafe - at cafe")
    assert [(one["character"], one["ascii"], one["in_answer"]) for one in shown["typography"]] == [
        ("“", '"', 1),
        ("”", '"', 1),
        ("–", "-", 1),
    ]
    assert shown["typography"][2] | {"places": shown["typography"][2]["places"]} == {
        "character": "–",
        "name": "en dash",
        "ascii": "-",
        "in_answer": 1,
        "in_references": 0,
        "places": [7],
    }
    assert shown["lenient_score"] == 100


def test_typography_of_the_reference_is_pointed_out_too() -> None:
    explanation = explain("musique", "John's house", "John’s house").as_dict()
    assert explanation["ledger"]["typography"] == 50
    assert [(one["in_answer"], one["in_references"]) for one in explanation["view"]["typography"]] == [(0, 1)]
    assert explanation["what_if"] == []


def test_no_character_is_pointed_out_where_none_costs_points() -> None:
    shown = view("“café”", "“cafe”")
    assert shown["typography"] == []
    assert shown["lenient_score"] == 100


def test_where_no_character_is_to_blame_alone_all_are_named() -> None:
    shown = view("b— x", "b x", "b- x")
    assert [one["character"] for one in shown["typography"]] == ["—"]
    shown = view("…b x", "b x", "b x…")
    assert [one["character"] for one in shown["typography"]] == ["…"]
    # Leniently either dash alone brings the one word that is shared.
    both = explain("qasper", "b– b—", ["b"]).as_dict()
    assert both["ledger"]["typography"] > 0
    assert {one["character"] for one in both["view"]["typography"]} == {"–", "—"}
