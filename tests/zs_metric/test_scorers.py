"""What every scorer says beside the score: what was read, the reason, the best reference.

`readings.jsonl` has, by hand, what is read in a prediction and the reason for its score; a task of SCROLLS is named
`scrolls/contract_nli` there.
"""

import json
import random
import sys
from itertools import permutations
from pathlib import Path

import pytest
from every_task import every_scorer, metric_of
from shipped import as_shipped

from zs_metric import ExampleResult, score_example
from zs_metric.concordance_index import concordance
from zs_metric.rouge import _TOKEN, score_rouge

READABLE = {"accuracy": "B", "exp_similarity": "60%", "concordance_index": "1, 2, 3"}


def scored(task: str, prediction: str, *references: str) -> ExampleResult:
    benchmark, _, name = task.rpartition("/")
    return score_example(name, prediction, references, benchmark=benchmark or "zero_scrolls")


def test_what_was_read_and_the_reason_for_the_score_are_said() -> None:
    lines = (Path(__file__).parent / "readings.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) > 50
    for row in map(json.loads, lines):
        result = scored(row["task"], row["prediction"], *row["references"])
        assert (as_shipped(result.parsed), result.reason) == (row["parsed"], row["reason"]), row
    unreadable = scored("book_sum_sort", "1" * 4301, "1, 2, 3")
    reason = "a number of more than 4300 digits makes the answer unreadable"
    assert (unreadable.parsed, unreadable.reason) == (None, reason)
    many = scored("book_sum_sort", ", ".join(map(str, range(99, -1, -1))), ", ".join(map(str, range(100))))
    assert many.reason == "4950 of 4950 pairs are out of order"


@every_scorer()
def test_the_first_perfect_reference_counts_wherever_it_stands_and_the_result_is_json(
    benchmark: str, task: str
) -> None:
    metric = metric_of(benchmark, task)
    readable = READABLE.get(metric, "some words")
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
    assert scored("scrolls/contract_nli", "He left!", "She left", "he left").best_reference == 1
    assert scored("book_sum_sort", "1, 2, 3", "3, 2, 1", "1, 3, 2").best_reference == 1
    nearest = scored("space_digest", "55%", "10%", "60%", "90%")
    assert (nearest.best_reference, round(nearest.score, 4)) == (1, 70.7107)
    rouge = score_rouge(["a b c d e f"], [["f e d c b a", "a b x y z w"]])[0].rouge
    assert rouge is not None
    assert [part.best_reference for part in rouge.values()] == [0, 1, 1]
    assert scored("qasper", "nothing", "a", "b").best_reference == 0


def test_precision_and_recall_are_points() -> None:
    result = scored("qasper", "The cat, the CAT!", "dog", "a cat sat down")
    assert (result.parsed, result.best_reference, result.reason) == ("cat cat", 1, None)
    assert (result.precision, result.recall, result.score) == pytest.approx((50, 100 / 3, 40))
    rouge = scored("qmsum", "one two three four", "one two").rouge
    assert rouge is not None
    assert rouge["rouge1"][:3] == pytest.approx((50, 100, 200 / 3))
    assert rouge["rouge2"][:3] == pytest.approx((100 / 3, 100, 50))


def test_numbers_that_json_cannot_hold_are_shipped() -> None:
    endless = scored("space_digest", "9" * 400 + "%", "60%")
    assert (endless.score, endless.parsed) == (0, float("inf"))
    assert as_shipped(endless.as_dict())["parsed"] == sys.float_info.max
    parsed = scored("book_sum_sort", f"{2**53}, {2**53 - 1}", "1, 2").as_dict()["parsed"]
    assert parsed == [str(2**53), 2**53 - 1]


def test_a_long_order_and_repeated_ids_are_counted_pair_by_pair() -> None:
    truth = list(range(2_400))
    order = random.Random(1).sample(truth, len(truth))
    agree = sum(order[j] < order[i] for i in range(len(order)) for j in range(i))
    assert concordance(order, truth) == pytest.approx(100 * agree / (2_400 * 2_399 / 2), abs=1e-9)
    assert concordance((1, 2, 1), (1, 1, 2)) == pytest.approx(200 / 3)
    assert concordance((1, 1, 3), (1, 2, 3)) == 0


def test_rouge_calls_a_prediction_wordless_exactly_when_its_lowercase_has_no_ascii_letter_or_digit() -> None:
    ascii_words = set("abcdefghijklmnopqrstuvwxyz0123456789")
    everything = map(chr, range(sys.maxunicode + 1))
    assert not [c for c in everything if bool(_TOKEN.search(c)) != bool(ascii_words & set(c.lower()))]
