"""The views of a letter, a percentage and an order: what was read, where, and what was meant."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_metric import score_example
from zs_metric.explain import explain, losses_of_task
from zs_metric.explain.concordance_index import discordant_pairs, meant_order
from zs_metric.explain.exp_similarity import meant_percentage
from zs_metric.explain.parts import LIST_LIMIT


def view(task: str, prediction: str, *references: str) -> dict[str, Any]:
    data: dict[str, Any] = explain(task, prediction, references).as_dict()["view"]
    return data


def test_every_candidate_letter_is_there_and_the_first_is_marked() -> None:
    shown = view("quality", "A good answer is B, not D", "B", "C")
    assert [(one["start"], one["letter"], one["first"]) for one in shown["letters"]] == [
        (0, "A", True),
        (17, "B", False),
        (24, "D", False),
    ]
    assert (shown["article_trap"], shown["named_letter"], shown["reference_letters"]) == (True, "B", ["B", "C"])


@pytest.mark.parametrize(
    ("prediction", "letter"),
    [
        ("the answer is B", "B"),
        ("Answer: (B)", "B"),
        ("The correct option would be **B**", "B"),
        ("my choice = A.", "A"),
        ("The answer is A nice day", None),
        ("answer B", None),
        ("the answer is not B", None),
        ("B", None),
    ],
)
def test_the_letter_that_an_answer_names_is_found(prediction: str, letter: str | None) -> None:
    assert view("quality", prediction, "B")["named_letter"] == letter


@pytest.mark.parametrize(
    ("prediction", "span", "letter"),
    [
        ("d", (0, 1), "D"),
        ("(a)", (1, 2), "A"),
        ("I'd say b.", (8, 9), "B"),
        ("a nice day", None, None),
        ("_C_", (1, 2), "C"),
        ("Ｄ", (0, 1), "D"),
        ("Bé", None, None),
        ("ABCD", None, None),
    ],
)
def test_a_letter_that_a_reader_would_see_is_found(
    prediction: str, span: tuple[int, int] | None, letter: str | None
) -> None:
    would_be = view("quality", prediction, "B")["would_be"]
    assert (would_be and (would_be["start"], would_be["end"])) == span
    assert (would_be and would_be["letter"]) == letter


def test_an_a_before_a_verb_is_an_option_and_no_article() -> None:
    assert not view("quality", "A is right", "B")["article_trap"]
    assert score_example("quality", "A is right", ["B"]).reason == "the first letter found is A, not B"
    assert explain("quality", "A is right", "B").as_dict()["ledger"]["content"] == 100


def test_a_reference_unreadable_in_ascii_leaves_the_lenient_reading_out() -> None:
    explanation = explain("quality", "C", ["B\u0301é"]).as_dict()
    assert explanation["ledger"] == {"format": 0, "typography": 0, "length": 0, "content": 100}
    losses = losses_of_task("quality", ["C", "\uff23? D"], ["B\u0301é", "C"])
    assert losses.mean.as_dict() == {"format": 0, "typography": 50, "length": 0, "content": 50}


def test_the_piece_read_as_a_percentage_is_marked() -> None:
    shown = view("space_digest", "so 55% are", "90%", "60%")
    assert (shown["span"], shown["value"], shown["truths"], shown["truth"]) == ([3, 6], 55, [90, 60], 60)
    assert shown["half_width"] == 10
    assert shown["would_be"] is None


def test_an_endless_percentage_is_shown_as_the_largest_number() -> None:
    explanation = explain("space_digest", "9" * 400 + "%", "40%").as_dict()
    assert explanation["parsed"] == explanation["view"]["value"] == pytest.approx(1.7976931348623157e308)


@pytest.mark.parametrize(
    ("prediction", "answer", "how"),
    [
        ("40", "40%", "a number without the percent sign"),
        ("about 12.5.", "12.5%", "a number without the percent sign"),
        ("150", None, None),
        ("in 2023", None, None),
        (".4", "40%", "a fraction of one"),
        ("1.0", "100%", "a fraction of one"),
        ("40 per cent of the 50 reviews", "40%", "a percentage in another notation"),
        ("40\u200b%", "40%", "a percentage in another notation"),
        ("1,050 percent", "1050%", "a percentage in another notation"),
        ("forty-five percent", "45%", "a percentage in words"),
        ("A hundred percent", "100%", "a percentage in words"),
        ("17/50", "34%", "a part of a whole"),
        ("1 of 3", "33.3333%", "a part of a whole"),
        ("50 of 17", None, None),
        ("3 of 0", None, None),
        ("43 reviews are positive, 7 are negative", "86%", "a part of a whole"),
        ("40 or 50", None, None),
        ("40,5%", "40.5%", "a number read from its middle"),
        ("9" * 12 + ",5%", None, None),
        ("", None, None),
    ],
)
def test_what_a_reader_takes_for_the_percentage(prediction: str, answer: str | None, how: str | None) -> None:
    meant = meant_percentage(prediction)
    assert (meant and meant.answer, meant and meant.how) == (answer, how)


def test_what_would_have_been_read_is_marked_and_scored() -> None:
    would_be = view("space_digest", "I'd say 40 percent", "50%")["would_be"]
    assert (would_be["start"], would_be["end"], would_be["value"], would_be["score"]) == (8, 18, 40, 50)


def test_the_pairs_out_of_order_are_listed_and_counted() -> None:
    shown = view("book_sum_sort", "3, 1, 2, 4", "1, 2, 3, 4")
    assert (shown["pairs"], shown["in_order"], shown["discordant_count"]) == (6, 4, 2)
    assert (shown["discordant"], shown["places"]) == ([[0, 1], [0, 2]], [2, 0, 1, 3])


@given(st.permutations(range(12)))
def test_the_listed_pairs_are_all_the_inversions(places: list[int]) -> None:
    expected = {(i, j) for i, j in combinations(range(12), 2) if places[i] > places[j]}
    assert {(i, j) for i, j in discordant_pairs(places)} == expected


def test_of_many_pairs_out_of_order_500_are_listed_and_all_counted() -> None:
    ids = [str(i) for i in range(100)]
    shown = view("book_sum_sort", ",".join(reversed(ids)), ",".join(ids))
    assert (len(shown["discordant"]), shown["discordant_count"], shown["in_order"]) == (500, 4950, 0)
    assert shown["omitted"] == ["only the first 500 of 4,950 pairs out of order are listed"]


def test_only_pairs_of_listed_ids_are_listed_and_all_counted() -> None:
    ids = [str(i) for i in range(LIST_LIMIT + 9)]
    shown = view("book_sum_sort", ",".join([ids[1], ids[0], *ids[2:-2], ids[-1], ids[-2]]), ",".join(ids))
    assert (shown["discordant"], shown["discordant_count"]) == ([[0, 1]], 2)
    assert len(shown["order"]) == len(shown["places"]) == LIST_LIMIT


def test_the_ids_that_break_a_permutation_are_named() -> None:
    shown = view("book_sum_sort", "2, 1, 3, 3, 9", "2, 1, 3, 4")
    assert (shown["missing"], shown["repeated"], shown["foreign"]) == ([4], [3], [9])
    assert (shown["permutation"], shown["in_order"], shown["discordant"]) == (False, None, [])


def test_a_repeated_id_of_the_truth_has_a_place_each_time() -> None:
    assert view("book_sum_sort", "1, 2, 1", "1, 1, 2")["places"] == [0, 2, 1]


def test_fused_ids_are_shown_with_those_that_were_meant() -> None:
    shown = view("book_sum_sort", "So: 2-1-3.", "1, 2, 3")
    assert shown["fused"] == [{"text": "2-1-3.", "start": 4, "end": 10, "read": 213, "meant": [2, 1, 3]}]
    assert shown["would_be"]["order"] == [2, 1, 3]
    assert round(shown["would_be"]["score"], 4) == 66.6667


def test_a_huge_id_is_shown_as_a_million_million() -> None:
    explanation = explain("book_sum_sort", "1 " + "9" * 4000, "1, 2").as_dict()
    assert explanation["parsed"] == explanation["view"]["order"] == [1, 10**12]
    assert explanation["view"]["foreign"] == [10**12]
    assert explanation["view"]["omitted"] == ["ids above 1,000,000,000,000 are shown as that number"]


def test_a_number_too_long_to_read_is_no_fused_id() -> None:
    assert view("book_sum_sort", f"{'1' * 4000}-{'1' * 4000}", "1, 2")["fused"] == []


@pytest.mark.parametrize(
    ("prediction", "order"),
    [
        ("2,1,3,4, 4 chapters", (2, 1, 3, 4)),
        ("The 4 summaries in order are 2, 1, 3, 4.", (2, 1, 3, 4)),
        ("1. Summary 2\n2. Summary 1\n3. Summary 3\n4. Summary 4", (2, 1, 3, 4)),
        ("I put 7 first: 2>1>3>4", (2, 1, 3, 4)),
        ("In order: 2-1-3 and perhaps 9", (2, 1, 3)),
        (f"{'9' * 30} 2-1", (2, 1)),
        ("2, 1, 3, 4, 5", None),
        ("2, 1", None),
        ("no ids", None),
    ],
)
def test_what_a_reader_takes_for_the_order(prediction: str, order: tuple[int, ...] | None) -> None:
    meant = meant_order(prediction, (2, 1, 3, 4))
    assert (meant and meant.order) == order


def test_a_reference_that_is_matched_in_reverse_is_the_one_shown() -> None:
    shown = view("book_sum_sort", "2, 1", "1, 2, 3", "1, 2")
    assert (shown["best_reference"], shown["permutation"], shown["truth"]) == (1, True, [1, 2])
