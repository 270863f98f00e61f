"""What a scorer says besides the number: what it read, why it is not more, which reference won."""

import json
import sys
from itertools import permutations
from typing import Any

import pytest

from zs_metric import TASKS, ExampleResult, score_example
from zs_metric.f1 import score_f1
from zs_metric.rouge import score_rouge

READABLE = {"quality": "B", "space_digest": "60%", "book_sum_sort": "1, 2, 3"}
TASK_NAMES = list(TASKS)


def scored(task: str, prediction: str, *references: str) -> ExampleResult:
    return score_example(task, prediction, references)


def understood(task: str, prediction: str, *references: str) -> tuple[Any, str | None]:
    result = scored(task, prediction, *references)
    return result.parsed, result.reason


@pytest.mark.parametrize("task", TASK_NAMES)
@pytest.mark.parametrize("prediction", ["", " \n\t"])
def test_an_empty_answer_scores_0_and_is_called_empty(task: str, prediction: str) -> None:
    result = scored(task, prediction, READABLE.get(task, "some words"))
    assert (result.score, result.parsed, result.reason) == (0, None, "the answer is empty")


@pytest.mark.parametrize("task", TASK_NAMES)
def test_a_fully_earned_score_needs_no_reason(task: str) -> None:
    reference = READABLE.get(task, "some words")
    assert (scored(task, reference, reference).score, scored(task, reference, reference).reason) == (100, None)


@pytest.mark.parametrize("task", TASK_NAMES)
def test_every_result_can_be_written_as_json(task: str) -> None:
    data = scored(task, "B 60% 2, 1, 3 some words", READABLE.get(task, "some words")).as_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert {"score", "parsed", "reason"} <= set(data)


def test_a_result_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        scored("quality", "B", "B").score = 100.0  # type: ignore[misc]


# accuracy


@pytest.mark.parametrize(
    ("prediction", "parsed", "reason"),
    [
        ("Answer: (C)", "C", "the first letter found is C, not B"),
        ("A good answer is B", "A", "the first letter found is A (here the word “A”), not B"),
        ("A or B", "A", "the first letter found is A (here the word “A”), not B"),
        ("A) B", "A", "the first letter found is A, not B"),
        ("A B C", "A", "the first letter found is A, not B"),
        ("b", None, "no option letter (a capital A, B, C or D standing alone) in the answer"),
        ("E", None, "no option letter (a capital A, B, C or D standing alone) in the answer"),
        ("B_1 Bob", None, "no option letter (a capital A, B, C or D standing alone) in the answer"),
    ],
)
def test_a_wrong_letter_is_explained(prediction: str, parsed: str | None, reason: str) -> None:
    assert scored("quality", prediction, "B").score == 0
    assert understood("quality", prediction, "B") == (parsed, reason)


def test_the_letter_of_any_reference_is_right_and_each_is_named_once() -> None:
    assert scored("quality", "C", "B", "(C) text of C").best_reference == 1
    assert understood("quality", "D", "B", "C", "B") == ("D", "the first letter found is D, not B or C")


# exponential similarity


@pytest.mark.parametrize(
    ("prediction", "parsed", "reason"),
    [
        ("55%", 55, "55% was read; the reference is 60%"),
        ("40% are positive, 60% are not", 40, "40% was read; the reference is 60%"),
        ("59.5%", 59.5, "59.5% was read; the reference is 60%"),
        ("60.%", 60, None),
        ("-60%", 60, None),
        ("٦٠%", 60, None),
        ("1,060%", 60, "60% was read: a percentage begins after the comma"),
        ("about 60 %", None, "no percentage in the answer (a space before the % sign is not read)"),
        ("0.6", None, "no percentage in the answer (digits directly followed by %)"),
        ("sixty percent", None, "no percentage in the answer (digits directly followed by %)"),
    ],
)
def test_what_was_read_as_a_percentage_is_said(prediction: str, parsed: float | None, reason: str | None) -> None:
    assert understood("space_digest", prediction, "60%") == (parsed, reason)


def test_the_nearest_percentage_wins() -> None:
    result = scored("space_digest", "55%", "10%", "60%", "90%")
    assert (result.best_reference, round(result.score, 4)) == (1, 70.7107)


def test_a_percentage_too_large_for_a_float_scores_0_and_still_becomes_json() -> None:
    result = scored("space_digest", "9" * 400 + "%", "60%")
    assert (result.score, result.parsed) == (0, float("inf"))
    assert json.loads(json.dumps(result.as_dict(), allow_nan=False))["parsed"] is None


# concordance index


@pytest.mark.parametrize(
    ("prediction", "parsed", "reason"),
    [
        ("2, 1, 3", (2, 1, 3), "1 of 3 pairs are out of order"),
        ("3, 2, 1", (3, 2, 1), "3 of 3 pairs are out of order"),
        ("1, 2", (1, 2), "not a permutation: 1 id is missing: 3"),
        ("1", (1,), "not a permutation: 2 ids are missing: 2, 3"),
        ("1, 2, 3, 3", (1, 2, 3, 3), "not a permutation: 1 id is repeated: 3"),
        ("The 4 in order: 1, 2, 3", (4, 1, 2, 3), "not a permutation: 1 id is not in the list: 4"),
        ("1.2.3", (123,), "not a permutation: 3 ids are missing: 1, 2, 3; 1 id is not in the list: 123"),
        ("none of them", None, "no ids in the answer"),
        ("٣, ٢, ١", None, "no ids in the answer"),
        ("1" * 4301, None, "a number of more than 4300 digits makes the answer unreadable"),
    ],
)
def test_an_order_that_is_not_perfect_is_explained(prediction: str, parsed: Any, reason: str) -> None:
    assert understood("book_sum_sort", prediction, "1, 2, 3") == (parsed, reason)


def test_a_reason_stays_short_whatever_the_ids() -> None:
    ids = ", ".join(map(str, range(1, 1001)))
    assert scored("book_sum_sort", "none 0", ids).reason == (
        "not a permutation: 1000 ids are missing: 1, 2, 3, 4, 5, 6, …; 1 id is not in the list: 0"
    )
    assert "a huge number" in str(scored("book_sum_sort", "9" * 4300, "1").reason)


def test_a_repeated_id_is_not_a_permutation() -> None:
    assert scored("book_sum_sort", "1, 1, 3", "1, 2, 3").score == 0


def test_an_id_that_the_reference_repeats_is_matched_occurrence_by_occurrence() -> None:
    assert scored("book_sum_sort", "1, 1, 2", "1, 1, 2").score == 100
    assert scored("book_sum_sort", "1, 2, 1", "1, 1, 2").score == pytest.approx(200 / 3)


def test_the_nearest_order_wins() -> None:
    assert scored("book_sum_sort", "1, 2, 3", "3, 2, 1", "1, 3, 2").best_reference == 1


# F1


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
    assert [score_f1("Beyoncé", ["Beyonce"], transliterate=on).score for on in (True, False)] == [100, 0]


# ROUGE


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
    from zs_metric.rouge import _TOKEN

    ascii_words = set("abcdefghijklmnopqrstuvwxyz0123456789")
    everything = map(chr, range(sys.maxunicode + 1))
    assert not [c for c in everything if bool(_TOKEN.search(c)) != bool(ascii_words & set(c.lower()))]


# every scorer


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_best_reference_counts_in_any_order(task: str) -> None:
    answer = {"quality": "C", "space_digest": "42%", "book_sum_sort": "3, 2, 1"}.get(task, "many kind words")
    references = [READABLE.get(task, "no such thing"), answer, {"quality": "D"}.get(task, "7% off")]
    assert {scored(task, answer, *order).score for order in permutations(references)} == {100}


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_first_of_equal_references_is_named(task: str) -> None:
    reference = READABLE.get(task, "some words")
    result = scored(task, reference, reference, reference)
    named = {part.best_reference for part in result.rouge.values()} if result.rouge else {result.best_reference}
    assert named == {0}
