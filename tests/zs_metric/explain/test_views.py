"""The view of each metric: what was read, where, what is shared with the best reference, what a person would read."""

from itertools import combinations, compress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_metric import score_example
from zs_metric.explain import explain, parts
from zs_metric.explain.concordance_index import discordant_pairs
from zs_metric.explain.parts import LIST_LIMIT, TEXT_LIMIT, shared_in_order
from zs_metric.rouge import tokens

words = st.lists(st.sampled_from(["the", "cat", "Sat", "“on”", "a", "mat!", "naïve"]), max_size=8).map(" ".join)
letters = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "naïve", "“f”"]), min_size=1, max_size=14).map(" ".join)


def view(task: str, prediction: str, *references: str) -> dict[str, Any]:
    """The view; a task of SCROLLS is named `scrolls/qasper`."""
    benchmark, _, name = task.rpartition("/")
    data: dict[str, Any] = explain(name, prediction, references, benchmark=benchmark or "zero_scrolls").as_dict()
    return data["view"]


def marked(text: dict[str, Any], column: int) -> list[str]:
    return [text["text"][token[0] : token[1]] for token in text["tokens"] if token[column]]


def tokens_where(side: list[dict[str, Any]], *, shared: bool) -> list[str]:
    return [one["token"] for one in side if one["shared"] == shared]


@given(words, words)
def test_the_marked_tokens_are_those_behind_precision_and_recall_and_in_exact_match_the_difference(
    answer: str, reference: str
) -> None:
    shown = view("qasper", answer, reference)
    for side, share in (("answer_tokens", shown["precision"]), ("reference_tokens", shown["recall"])):
        count = len(tokens_where(shown[side], shared=True))
        assert count == shown["shared"] == pytest.approx(share / 100 * len(shown[side]))
    shown = view("scrolls/quality", answer, reference)
    mine, theirs = shown["answer_tokens"], shown["reference_tokens"]
    assert tokens_where(mine, shared=True) == tokens_where(theirs, shared=True)
    differing = tokens_where(mine, shared=False) + tokens_where(theirs, shared=False)
    assert (not differing) == (shown["references"][0]["score"] == 100)


def test_whatever_is_cut_is_named() -> None:
    ids, others = ", ".join(map(str, range(LIST_LIMIT + 2))), "99999998, 99999999"
    words, letters, long = "w " * (LIST_LIMIT + 2), "x" * 201, "x " * TEXT_LIMIT
    no_repair = "no repair is tried on a prediction of more than 50,000 characters"
    for task, prediction, reference, cuts in (
        (
            *("book_sum_sort", ids, ids),
            [
                *("2,000 of 2,002 ids of the answer", "2,000 of 2,002 ids of the reference"),
                *("2,000 of 2,002 places", "2,000 of 2,002 ids that were read"),
            ],
        ),
        ("book_sum_sort", others, ids, ["2,000 of 2,002 missing ids", "2,000 of 2,002 ids of the reference"]),
        ("book_sum_sort", f"{ids}, {ids}", ids, ["2,000 of 2,002 repeated ids", *["ids of the"] * 2, "ids that were"]),
        ("book_sum_sort", ids, others, ["2,000 of 2,002 foreign ids", "ids of the answer", "ids that were read"]),
        ("quality", "A " * 201, "B", ["200 of 201 letters"]),
        ("quality", long, "B", [no_repair, "50,000 of 100,000 characters of the answer"]),
        ("space_digest", long, "40%", [no_repair, "50,000 of 100,000 characters of the answer"]),
        ("qasper", words, words, ["2,000 of 2,002 words of the answer", "2,000 of 2,002 words of the reference"]),
        ("scrolls/quality", words, f"{words} more", ["words of the answer", "words of the reference"]),
        ("qasper", letters, f"{letters} y", ["200 characters of long words of the answer", "words of the reference"]),
        ("qasper", letters[1:], letters[1:], []),
        ("qasper", "x", long, ["words of the reference", "50,000 of 100,000 characters of reference 1"]),
        ("gov_report", "x y", "w " * 5_001, ["5,000 of 5,001 words of reference 1"]),
        ("gov_report", "w " * 5_001, "x y", ["5,000 of 5,001 words of the answer"]),
        ("gov_report", "x y", long, ["50,000 of 100,000 characters of reference 1", "5,000 of 50,000 words of"]),
        ("gov_report", long, "x y", [no_repair, "characters of the answer", "words of the answer", "what was read"]),
    ):
        omitted = view(task, prediction, reference)["omitted"]
        assert len(omitted) == len(cuts), omitted
        assert all(cut in note for cut, note in zip(cuts, omitted, strict=True)), omitted
    pairs = ", ".join(map(str, range(100)))
    many = view("book_sum_sort", ", ".join(map(str, range(99, -1, -1))), pairs)
    assert (len(many["discordant"]), many["discordant_count"], many["in_order"]) == (500, 4950, 0)
    assert many["omitted"] == ["only the first 500 of 4,950 pairs out of order are listed"]
    id_list = ids.split(", ")
    swapped = [id_list[1], id_list[0], *id_list[2:-2], id_list[-1], id_list[-2]]
    cut = view("book_sum_sort", ", ".join(swapped), ids)
    assert (cut["discordant"], cut["discordant_count"]) == ([[0, 1]], 2)
    assert len(cut["order"]) == len(cut["places"]) == LIST_LIMIT
    everything = view("qasper", " ".join(map(chr, range(0xC0, 0x180))) + " x “y”", "y")
    assert len(everything["typography"]) == 40
    endless = explain("space_digest", "9" * 400 + "%", "40%").as_dict()
    assert endless["parsed"] == endless["view"]["value"] == pytest.approx(1.7976931348623157e308)


@given(letters, letters)
def test_the_marks_of_a_summary_agree_with_the_engine(answer: str, reference: str) -> None:
    shown, result = view("squality", answer, reference), score_example("squality", answer, [reference])
    assert result.rouge is not None
    for name, kind in (("rouge1", "unigram"), ("rougeL", "lcs")):
        expected = pytest.approx(result.rouge[name].precision / 100 * len(tokens(answer)), rel=0, abs=1e-6)
        assert shown["answer"]["shared"][kind] == shown["winners"][0]["shared"][kind] == expected
    assert shown["lcs"] == shown["answer"]["shared"]["lcs"]
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


def test_a_summary_is_marked_with_the_reference_that_won_each_type(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = view("squality", "İİ police killed the gunman", "police kill the gunman")
    pair = ["the", "gunman"]
    assert [marked(shown["answer"], column) for column in (2, 3, 4)] == [["police", *pair], pair, ["police", *pair]]
    assert shown["answer"]["shared"] == {"unigram": 3, "bigram": 2, "lcs": 3}
    shown = view("squality", "a b c d e f", "f e d c b a", "e f x c d y a b z", "a x c y e z")
    winners = [(one["reference"], one["types"], [len(marked(one, i)) for i in (2, 3, 4)]) for one in shown["winners"]]
    assert winners == [(0, ["rouge1"], [6, 0, 0]), (1, ["rouge2"], [0, 6, 0]), (2, ["rougeL"], [0, 0, 3])]
    assert marked(shown["answer"], 4) == ["a", "c", "e"]
    scores = view("squality", "a b", "a b", "b a c")["references"]
    assert scores[0] == {"words": 2, "rouge1": 100, "rouge2": 100, "rougeL": 100}
    assert (scores[1]["words"], scores[1]["rouge2"]) == (3, 0)
    mean = view("gov_report", "police killed the gunman", "police kill the gunman")["geometric_mean"]
    assert [round(factor, 2) for factor in mean["factors"].values()] == [75, 33.33, 75]
    assert mean["value"] == pytest.approx((75 * 75 * 100 / 3) ** (1 / 3))
    monkeypatch.setattr(parts, "PAIR_LIMIT", 11)
    shown = view("squality", "a b c", "a b c d")
    assert (shown["lcs"], shown["lcs_omitted"], marked(shown["answer"], 4)) == (None, True, [])
    assert marked(shown["answer"], 2) == ["a", "b", "c"]
    assert shown["omitted"] == ["the longest common subsequence is not marked: more than 4,000,000 pairs of words"]


@given(st.permutations(range(12)))
def test_the_listed_pairs_are_all_the_inversions(places: list[int]) -> None:
    expected = {(i, j) for i, j in combinations(range(12), 2) if places[i] > places[j]}
    assert {(i, j) for i, j in discordant_pairs(places)} == expected
