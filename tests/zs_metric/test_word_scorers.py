"""The scorers that compare words, F1 and ROUGE: their parts, the reason for a 0, and the best reference."""

import sys
from typing import Any

import pytest

from zs_metric import ExampleResult, score_example
from zs_metric.f1 import NORMALIZATION, SCROLLS_NORMALIZATION, score_f1
from zs_metric.rouge import _TOKEN, score_rouge


def scored(task: str, prediction: str, *references: str) -> ExampleResult:
    return score_example(task, prediction, references)


def understood(task: str, prediction: str, *references: str) -> tuple[Any, str | None]:
    result = scored(task, prediction, *references)
    return result.parsed, result.reason


def test_f1_shows_the_normalised_answer_and_its_precision_and_recall() -> None:
    result = scored("qasper", "The cat, the CAT!", "dog", "a cat sat down")
    assert (result.parsed, result.best_reference, result.reason) == ("cat cat", 1, None)
    assert (result.precision, result.recall, result.score) == pytest.approx((50, 100 / 3, 40))


@pytest.mark.parametrize(
    ("prediction", "parsed", "reason"),
    [
        ("“Paris”", '"paris"', "no word in common with any reference"),
        ("The", None, "nothing is left of the answer after normalisation"),
        ("?!", None, "nothing is left of the answer after normalisation"),
    ],
)
def test_an_answer_without_overlap_is_explained(prediction: str, parsed: str | None, reason: str) -> None:
    result = scored("musique", prediction, "Paris", "the")
    assert (result.score, result.precision, result.recall) == (0, 0, 0)
    assert (result.parsed, result.reason) == (parsed, reason)


def test_scrolls_compares_without_transliteration() -> None:
    steps = (NORMALIZATION, SCROLLS_NORMALIZATION)
    assert [score_f1("Beyoncé", ["Beyonce"], steps=some).score for some in steps] == [100, 0]


def test_each_rouge_type_has_its_own_best_reference() -> None:
    rouge = score_rouge("a b c d e f", ["f e d c b a", "a b x y z w"]).rouge
    assert rouge is not None
    assert {name: part.best_reference for name, part in rouge.items()} == {"rouge1": 0, "rouge2": 1, "rougeL": 1}


def test_rouge_shows_precision_and_recall_in_points() -> None:
    rouge = scored("qmsum", "one two three four", "one two").rouge
    assert rouge is not None
    assert rouge["rouge1"][:3] == pytest.approx((50, 100, 200 / 3))
    assert rouge["rouge2"][:3] == pytest.approx((100 / 3, 100, 50))


@pytest.mark.parametrize(
    ("prediction", "parsed", "reason"),
    [
        ("…!", None, "no word in the answer (ROUGE reads the letters a to z and digits only)"),
        ("Привет мир", None, "no word in the answer (ROUGE reads the letters a to z and digits only)"),
        ("dogs", "dogs", "no word in common with any reference"),
        (
            "cat the",
            "cat the",
            "no two neighbouring words in common with any reference, so ROUGE-2 and the geometric mean are 0",
        ),
    ],
)
def test_a_rouge_of_0_is_explained(prediction: str, parsed: str | None, reason: str) -> None:
    assert scored("gov_report", prediction, "the cat sat").score == 0
    assert understood("gov_report", prediction, "the cat sat") == (parsed, reason)


def test_rouge_calls_an_answer_wordless_exactly_when_its_lowercase_has_no_ascii_letter_or_digit() -> None:
    ascii_words = set("abcdefghijklmnopqrstuvwxyz0123456789")
    everything = map(chr, range(sys.maxunicode + 1))
    assert not [c for c in everything if bool(_TOKEN.search(c)) != bool(ascii_words & set(c.lower()))]
