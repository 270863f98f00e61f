"""What every scorer says beside the score: what was read, the reason, the best reference."""

import random
import sys
from itertools import permutations
from typing import Any

import pytest
from every_task import every_task, metric_of
from shipped import as_shipped

from zs_metric import ExampleResult, score_example
from zs_metric.concordance_index import concordance
from zs_metric.f1 import NORMALIZATION, SCROLLS_NORMALIZATION, score_f1
from zs_metric.rouge import _TOKEN, score_rouge

READABLE = {"accuracy": "B", "exp_similarity": "60%", "concordance_index": "1, 2, 3"}
NO_LETTER = "no option letter (a capital A, B, C or D standing alone) in the answer"
NO_PERCENTAGE = "no percentage in the answer (digits directly followed by %)"
NO_WORD = "no word in the answer (ROUGE reads the letters a to z and digits only)"
NOT_EQUAL = "not equal to any reference"
OTHER_WORDS = "the whole answer must equal a reference; this one contains other words too"
A_LETTER = "the answer is a letter; the text of the option is compared"
NOTHING_LEFT = "nothing is left of the answer after normalisation"
# The task, the references, and for each prediction what is read in it and the reason for its score.
UNDERSTOOD: tuple[tuple[str, list[str], dict[str, tuple[Any, str | None]]], ...] = (
    (
        "quality",
        ["B"],
        {
            "Answer: (C)": ("C", "the first letter found is C, not B"),
            "A good answer is B": ("A", "the first letter found is A (here the word “A”), not B"),
            "A is tempting, B is right": ("A", "the first letter found is A, not B"),
            "A) B": ("A", "the first letter found is A, not B"),
            "b": (None, NO_LETTER),
            "E": (None, NO_LETTER),
            "B_1 Bob": (None, NO_LETTER),
        },
    ),
    ("quality", ["B", "C", "B"], {"D": ("D", "the first letter found is D, not B or C")}),
    (
        "space_digest",
        ["60%"],
        {
            "40% are positive, 60% are not": (40, "40% was read; the reference is 60%"),
            "59.5%": (59.5, "59.5% was read; the reference is 60%"),
            "60.%": (60, None),
            "-60%": (60, None),
            "٦٠%": (60, None),
            "1,060%": (60, "only 60% was read, the part of the number after a comma"),
            "87.0.60%": (0.6, "only 0.6% was read, the part of the number after a point"),
            "about 60 %": (None, "no percentage in the answer (a space before the % sign is not read)"),
            "0.6": (None, NO_PERCENTAGE),
            "sixty percent": (None, NO_PERCENTAGE),
        },
    ),
    (
        "book_sum_sort",
        ["1, 2, 3"],
        {
            "2, 1, 3": ((2, 1, 3), "1 of 3 pairs is out of order"),
            "3, 2, 1": ((3, 2, 1), "3 of 3 pairs are out of order"),
            "1, 2": ((1, 2), "not a permutation: 1 id is missing: 3"),
            "1": ((1,), "not a permutation: 2 ids are missing: 2, 3"),
            "1, 2, 3, 3": ((1, 2, 3, 3), "not a permutation: 1 id is repeated: 3"),
            "The 4 in order: 1, 2, 3": ((4, 1, 2, 3), "not a permutation: 1 id is not in the list: 4"),
            "1.2.3": ((123,), "not a permutation: 3 ids are missing: 1, 2, 3; 1 id is not in the list: 123"),
            "none of them": (None, "no ids in the answer"),
            "٣, ٢, ١": (None, "no ids in the answer"),
            "1" * 4301: (None, "a number of more than 4300 digits makes the answer unreadable"),
        },
    ),
    (
        "book_sum_sort",
        [", ".join(map(str, range(1, 1001)))],
        {
            "0": (
                (0,),
                "not a permutation: 1000 ids are missing: 1, 2, 3, 4, 5, 6, …; 1 id is not in the list: 0",
            )
        },
    ),
    (
        "book_sum_sort",
        ["1, 2, 3, 4, 5, 6"],
        {"7": ((7,), "not a permutation: 6 ids are missing: 1, 2, 3, 4, 5, 6; 1 id is not in the list: 7")},
    ),
    (
        "musique",
        ["Paris", "the"],
        {
            "“Paris”": ('"paris"', "no word in common with any reference"),
            "The": (None, NOTHING_LEFT),
            "?!": (None, NOTHING_LEFT),
        },
    ),
    (
        "gov_report",
        ["the cat sat"],
        {
            "…!": (None, NO_WORD),
            "Привет мир": (None, NO_WORD),
            "dogs": ("dogs", "no word in common with any reference"),
            "cat the": (
                "cat the",
                "no two neighbouring words in common with any reference, so ROUGE-2 and the geometric mean are 0",
            ),
        },
    ),
    (
        "contract_nli",
        ["She left", "he left"],
        {
            "He stayed.": ("he stayed", NOT_EQUAL),
            "“He left”": ("“he left”", NOT_EQUAL),
            "He left, then": ("he left then", OTHER_WORDS),
            "The answer is: he left": ("answer is he left", OTHER_WORDS),
            "he has left": ("he has left", NOT_EQUAL),
            "B": ("b", A_LETTER),
            "(A)": (None, A_LETTER),
            "the": (None, NOTHING_LEFT),
            "…!": ("…", NOT_EQUAL),
            "He left!": ("he left", None),
        },
    ),
    ("contract_nli", ["the"], {"A": ("", None), "He left": ("he left", NOT_EQUAL)}),
)


def scored(task: str, prediction: str, *references: str) -> ExampleResult:
    return score_example(
        task, prediction, references, benchmark="scrolls" if task == "contract_nli" else "zero_scrolls"
    )


def test_what_was_read_and_the_reason_for_the_score_are_said() -> None:
    for task, references, rows in UNDERSTOOD:
        for prediction, (parsed, reason) in rows.items():
            result = scored(task, prediction, *references)
            assert (result.parsed, result.reason) == (parsed, reason), prediction[:80]
            assert result.score == 0 or task != "quality"
    huge = scored("book_sum_sort", f"{10**12}, {10**12 - 1}", "1, 2").reason
    assert huge
    assert huge.endswith("not in the list: 999999999999, a huge number")
    seven = scored("book_sum_sort", "0", "1, 2, 3, 4, 5, 6, 7").reason
    assert seven
    assert "7 ids are missing: 1, 2, 3, 4, 5, 6, …;" in seven
    many = scored("book_sum_sort", ", ".join(map(str, range(99, -1, -1))), ", ".join(map(str, range(100))))
    assert many.reason == "4950 of 4950 pairs are out of order"


@every_task()
def test_every_scorer_treats_empty_and_perfect_predictions_and_equal_references_alike(
    benchmark: str, task: str
) -> None:
    metric = metric_of(benchmark, task)
    readable = READABLE.get(metric, "some words")
    for empty in ("", " \n\t"):
        result = score_example(task, empty, readable, benchmark=benchmark)
        assert (result.score, result.parsed, result.reason) == (0, None, "the answer is empty")
        assert result.best_reference == (None if result.rouge else 0)
    perfect = score_example(task, readable, [readable, readable], benchmark=benchmark)
    assert (perfect.score, perfect.reason) == (100, None)
    first = {part.best_reference for part in perfect.rouge.values()} if perfect.rouge else {perfect.best_reference}
    assert first == {0}
    data = score_example(task, "B 60% 2, 1, 3 some words", readable, benchmark=benchmark).as_dict()
    assert as_shipped(data) == data
    assert {"score", "parsed", "reason"} <= set(data)
    answer = {"accuracy": "C", "exp_similarity": "42%", "concordance_index": "3, 2, 1"}.get(metric, "many kind words")
    references = [READABLE.get(metric, "no such thing"), answer, {"accuracy": "D"}.get(metric, "7% off")]
    scores = {score_example(task, answer, order, benchmark=benchmark).score for order in permutations(references)}
    assert scores == {100}


def test_the_reference_that_gave_the_score_is_named() -> None:
    assert scored("quality", "C", "B", "(C) text of C").best_reference == 1
    assert scored("contract_nli", "He left!", "She left", "he left").best_reference == 1
    assert scored("book_sum_sort", "1, 2, 3", "3, 2, 1", "1, 3, 2").best_reference == 1
    nearest = scored("space_digest", "55%", "10%", "60%", "90%")
    assert (nearest.best_reference, round(nearest.score, 4)) == (1, 70.7107)
    rouge = score_rouge("a b c d e f", ["f e d c b a", "a b x y z w"]).rouge
    assert rouge is not None
    assert [part.best_reference for part in rouge.values()] == [0, 1, 1]


def test_precision_and_recall_are_points() -> None:
    result = scored("qasper", "The cat, the CAT!", "dog", "a cat sat down")
    assert (result.parsed, result.best_reference, result.reason) == ("cat cat", 1, None)
    assert (result.precision, result.recall, result.score) == pytest.approx((50, 100 / 3, 40))
    rouge = scored("qmsum", "one two three four", "one two").rouge
    assert rouge is not None
    assert rouge["rouge1"][:3] == pytest.approx((50, 100, 200 / 3))
    assert rouge["rouge2"][:3] == pytest.approx((100 / 3, 100, 50))


def test_scrolls_compares_without_transliteration() -> None:
    steps = (NORMALIZATION, SCROLLS_NORMALIZATION)
    assert [score_f1("Beyoncé", ["Beyonce"], steps=some).score for some in steps] == [100, 0]


def test_numbers_that_json_cannot_hold_are_shipped() -> None:
    endless = scored("space_digest", "9" * 400 + "%", "60%")
    assert (endless.score, endless.parsed) == (0, float("inf"))
    assert as_shipped(endless.as_dict())["parsed"] == sys.float_info.max
    parsed = scored("book_sum_sort", f"{2**53}, {2**53 - 1}", "1, 2").as_dict()["parsed"]
    assert parsed == [str(2**53), 2**53 - 1]


def test_an_id_that_the_reference_repeats_is_matched_occurrence_by_occurrence() -> None:
    assert scored("book_sum_sort", "1, 1, 3", "1, 2, 3").score == 0
    assert scored("book_sum_sort", "1, 1, 2", "1, 1, 2").score == 100
    assert scored("book_sum_sort", "1, 2, 1", "1, 1, 2").score == pytest.approx(200 / 3)


def test_a_long_order_is_counted_as_a_short_one_is() -> None:
    truth = list(range(2_400))
    order = truth[:]
    random.Random(1).shuffle(order)
    pairs = [(i, j) for i in range(len(order)) for j in range(i)]
    agree = sum(order[j] < order[i] for i, j in pairs)
    assert concordance(order, truth) == pytest.approx(100 * agree / len(pairs), abs=1e-9)


def test_a_result_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        scored("quality", "B", "B").score = 100.0  # type: ignore[misc]


def test_rouge_calls_a_prediction_wordless_exactly_when_its_lowercase_has_no_ascii_letter_or_digit() -> None:
    ascii_words = set("abcdefghijklmnopqrstuvwxyz0123456789")
    everything = map(chr, range(sys.maxunicode + 1))
    assert not [c for c in everything if bool(_TOKEN.search(c)) != bool(ascii_words & set(c.lower()))]
