"""The view of a summary: marks that agree with the engine, the subsequence, the references that won."""

from itertools import compress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_scorer import rouge_tokens

from zs_metric import score_example
from zs_metric.explain import explain, parts
from zs_metric.explain.parts import shared_in_order
from zs_metric.rouge import tokens

words = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "naïve", "“f”"]), max_size=14).map(" ".join)
some_words = words.filter(lambda text: len(tokens(text)) > 0)
COLUMNS = {"rouge1": 2, "rouge2": 3, "rougeL": 4}


def view(prediction: str, *references: str) -> dict[str, Any]:
    data: dict[str, Any] = explain("squality", prediction, references).as_dict()["view"]
    return data


def marked(text: dict[str, Any], column: int) -> list[str]:
    return [text["text"][token[0] : token[1]] for token in text["tokens"] if token[column]]


@given(st.text(st.characters(exclude_categories=["Cs"])) | st.text("aA1 İ\u212aéß-_\u0307", max_size=20))
def test_the_tokens_in_place_are_the_tokens_of_the_scorer(text: str) -> None:
    assert [token for token, _, _ in tokens(text)] == rouge_tokens(text)


@given(some_words, some_words)
def test_the_marked_subsequence_is_as_long_as_the_engine_says(answer: str, reference: str) -> None:
    shown, result = view(answer, reference), score_example("squality", answer, [reference])
    assert result.rouge is not None
    numerator = result.rouge["rougeL"].precision / 100 * len(tokens(answer))
    assert shown["lcs"] == pytest.approx(numerator, rel=0, abs=1e-6)
    mine, theirs = marked(shown["answer"], 4), marked(shown["winners"][0], 4)
    assert [word.lower() for word in mine] == [word.lower() for word in theirs]


@given(st.lists(st.integers(0, 4), max_size=40), st.lists(st.integers(0, 4), max_size=40))
def test_the_marks_are_a_common_subsequence_of_the_greatest_length(first: list[int], second: list[int]) -> None:
    marks = shared_in_order(first, second)
    assert marks is not None
    mine, theirs = ([*compress(*side)] for side in zip((first, second), marks, strict=True))
    assert mine == theirs
    lengths = [0] * (len(second) + 1)
    for item in first:
        row = [0]
        for j, other in enumerate(second):
            row.append(lengths[j] + 1 if item == other else max(lengths[j + 1], row[j]))
        lengths = row
    assert len(mine) == lengths[-1]


@given(some_words, some_words)
def test_the_marked_words_are_those_behind_rouge_1(answer: str, reference: str) -> None:
    shown = view(answer, reference)
    part = shown["types"]["rouge1"]
    assert shown["answer"]["shared"]["unigram"] == pytest.approx(part["precision"] / 100 * len(tokens(answer)))
    assert shown["winners"][0]["shared"]["unigram"] == shown["answer"]["shared"]["unigram"]


def test_both_words_of_a_shared_pair_are_marked() -> None:
    shown = view("police killed the gunman", "police kill the gunman")
    assert [marked(shown["answer"], column) for column in (2, 3, 4)] == [
        ["police", "the", "gunman"],
        ["the", "gunman"],
        ["police", "the", "gunman"],
    ]
    assert shown["answer"]["shared"] == {"unigram": 3, "bigram": 2, "lcs": 3}


def test_each_type_is_marked_with_the_reference_that_won_it() -> None:
    shown = view("a b c d e f", "f e d c b a", "e f x c d y a b z", "a x c y e z")
    assert [(winner["reference"], winner["types"]) for winner in shown["winners"]] == [
        (0, ["rouge1"]),
        (1, ["rouge2"]),
        (2, ["rougeL"]),
    ]
    assert [[len(marked(winner, column)) for column in (2, 3, 4)] for winner in shown["winners"]] == [
        [6, 0, 0],
        [0, 6, 0],
        [0, 0, 3],
    ]
    assert marked(shown["answer"], 4) == ["a", "c", "e"]


def test_the_geometric_mean_is_shown_with_its_factors() -> None:
    explanation = explain("gov_report", "police killed the gunman", "police kill the gunman").as_dict()
    mean = explanation["view"]["geometric_mean"]
    assert {name: round(factor, 2) for name, factor in mean["factors"].items()} == {
        "rouge1": 75,
        "rouge2": 33.33,
        "rougeL": 75,
    }
    assert mean["value"] == explanation["score"]


def test_every_reference_shows_its_score_of_each_type() -> None:
    scores = view("a b", "a b", "b a c")["references"]
    assert scores[0] == {"words": 2, "rouge1": 100, "rouge2": 100, "rougeL": 100}
    assert scores[1]["words"] == 3
    assert scores[1]["rouge2"] == 0


def test_above_the_limit_the_subsequence_is_left_out_and_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PAIR_LIMIT", 11)
    shown = view("a b c", "a b c d")
    assert (shown["lcs"], shown["lcs_omitted"]) == (None, True)
    assert marked(shown["answer"], 4) == []
    assert marked(shown["answer"], 2) == ["a", "b", "c"]
    assert shown["omitted"] == ["the longest common subsequence is not marked: more than 4,000,000 pairs of words"]


def test_a_character_of_two_lowercase_letters_does_not_shift_the_offsets() -> None:
    shown = view("İİ İstanbul is big", "istanbul is big")
    assert marked(shown["answer"], 2) == ["is", "big"]
