"""The view of each metric: what was read, where, what is shared with the best reference, what a person would read."""

from itertools import combinations, compress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_metric import score_example
from zs_metric.explain import explain, parts
from zs_metric.explain.concordance_index import discordant_pairs, meant_order
from zs_metric.explain.exp_similarity import meant_percentage
from zs_metric.explain.parts import LIST_LIMIT, TEXT_LIMIT, shared_in_order
from zs_metric.rouge import tokens

words = st.lists(st.sampled_from(["the", "cat", "Sat", "“on”", "a", "mat!", "naïve"]), max_size=8).map(" ".join)
letters = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "naïve", "“f”"]), min_size=1, max_size=14).map(" ".join)


def view(task: str, prediction: str, *references: str, benchmark: str = "zero_scrolls") -> dict[str, Any]:
    data: dict[str, Any] = explain(task, prediction, references, benchmark=benchmark).as_dict()["view"]
    return data


def marked(text: dict[str, Any], column: int) -> list[str]:
    return [text["text"][token[0] : token[1]] for token in text["tokens"] if token[column]]


def tokens_where(side: list[dict[str, Any]], *, shared: bool) -> list[str]:
    return [one["token"] for one in side if one["shared"] == shared]


def test_f1_marks_a_token_as_often_as_both_sides_have_it() -> None:
    shown = view("qasper", "ha ha ha no", "ha ha yes")
    assert [one["shared"] for one in shown["answer_tokens"]] == [True, True, False, False]
    assert tokens_where(shown["reference_tokens"], shared=True) == ["ha", "ha"]


@given(words, words)
def test_the_marked_tokens_are_those_behind_precision_and_recall(answer: str, reference: str) -> None:
    shown = view("qasper", answer, reference)
    for side, share in (("answer_tokens", shown["precision"]), ("reference_tokens", shown["recall"])):
        count = len(tokens_where(shown[side], shared=True))
        assert count == shown["shared"] == pytest.approx(share / 100 * len(shown[side]))


def test_every_reference_shows_its_own_score_and_the_best_is_named() -> None:
    shown = view("qasper", "yes", "no", "yes indeed")
    assert shown["references"] == [{"text": "no", "score": 0}, {"text": "yes indeed", "score": pytest.approx(200 / 3)}]
    assert shown["best_reference"] == 1
    for prediction, references, best in (
        ("he left town", ["she stayed", "he left early"], 1),
        ("he left", ["he left town", "He left!"], 1),
        ("nothing", ["she stayed", "he left"], 0),
    ):
        assert view("quality", prediction, *references, benchmark="scrolls")["best_reference"] == best


def test_typographic_characters_are_listed_where_ascii_scores_more() -> None:
    shown = view("qasper", "“Café” – at the café", "Cafe - at cafe")
    assert [one["character"] for one in shown["typography"]] == ["“", "é", "”", "–"]
    assert shown["typography"][3] == {
        "character": "–",
        "name": "en dash",
        "ascii": "-",
        "in_answer": 1,
        "in_references": 0,
    }
    assert shown["lenient_score"] == 100
    assert view("qasper", "“café”", "“cafe”")["typography"] == []
    of_reference = explain("musique", "John's house", "John’s house").as_dict()
    assert [(one["in_answer"], one["in_references"]) for one in of_reference["view"]["typography"]] == [(0, 1)]
    assert of_reference["what_if"] == []
    everything = view("qasper", " ".join(map(chr, range(0xC0, 0x180))) + " x “y”", "y")
    assert len(everything["typography"]) == 40


@given(words, words)
def test_exact_match_shares_the_same_words_in_the_same_order_and_all_of_them_if_it_is_right(
    answer: str, reference: str
) -> None:
    explanation = explain("quality", answer, reference, benchmark="scrolls").as_dict()
    mine, theirs = explanation["view"]["answer_tokens"], explanation["view"]["reference_tokens"]
    assert tokens_where(mine, shared=True) == tokens_where(theirs, shared=True)
    differing = tokens_where(mine, shared=False) + tokens_where(theirs, shared=False)
    assert (not differing) == (explanation["score"] == 100)


def test_scrolls_compares_without_transliteration() -> None:
    shown = view("qasper", "a Café", "the cafe", benchmark="scrolls")
    assert (shown["answer_tokens"], shown["shared"]) == ([{"token": "café", "shared": False}], 0)


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
        ("qasper", letters, f"{letters} y", ["200 characters of long words of the answer", "words of the reference"]),
        ("qasper", letters[1:], letters[1:], []),
        ("qasper", "x", long, ["words of the reference", "50,000 of 100,000 characters of reference 1"]),
        ("gov_report", "x y", "w " * 5_001, ["5,000 of 5,001 words of reference 1"]),
        ("gov_report", "w " * 5_001, "x y", ["5,000 of 5,001 words of the answer"]),
        (
            *("gov_report", "x y", long),
            ["50,000 of 100,000 characters of reference 1", "5,000 of 50,000 words of reference 1 are marked"],
        ),
        ("gov_report", long, "x y", [no_repair, "characters of the answer", "words of the answer", "what was read"]),
    ):
        omitted = view(task, prediction, reference)["omitted"]
        assert len(omitted) == len(cuts), omitted
        assert all(cut in note for cut, note in zip(cuts, omitted, strict=True)), omitted
    long_words = view("quality", words, f"{words} more", benchmark="scrolls")
    assert len(long_words["answer_tokens"]) == len(long_words["reference_tokens"]) == LIST_LIMIT


def test_every_repair_says_what_was_changed() -> None:
    for task, prediction, reference, change in (
        ("book_sum_sort", "2-1-3", "1, 2, 3", "the ids separated by commas"),
        ("book_sum_sort", "1) 2\n2) 1\n3) 3", "1, 2, 3", "the ids without the numbers of the list"),
        ("book_sum_sort", "The 3 in order: 2, 1, 3", "1, 2, 3", "the list of ids alone"),
        ("qasper", "Well. The answer is: yes", "yes", "what follows “answer:” alone"),
        ("gov_report", "Summary of it:\nthe cat sat\non it", "the cat sat on it", "without its first line"),
        ("quality", "the answer is B", "B", None),
        ("quality", "A good one, B", "B", "the letter after the article “A”, alone"),
        ("quality", "b", "B", "a lowercase letter written as a plain capital"),
        ("space_digest", "40 %", "40%", "a percentage in another notation, written as the evaluator reads it"),
    ):
        changes = [repair.change for repair in explain(task, prediction, reference).what_if]
        assert changes[:1] == ([change] if change else []), prediction
    for prediction, change in (
        ("Entailment, since: it says", "the first clause of the answer"),
        ("It says so. Answer: Entailment. Yes", "the first sentence of what follows “answer:”"),
        ("(B) Entailment", "the answer without the option's letter"),
    ):
        (repair,) = explain("contract_nli", prediction, "Entailment", benchmark="scrolls").what_if
        assert (repair.change, repair.answer) == (change, "Entailment")


def test_a_repair_is_named_for_what_it_leaves_out_and_an_empty_piece_is_none() -> None:
    answer = "Reasons follow. Answer: (C) He left; the others stayed."
    explanation = explain("quality", answer, "he left", benchmark="scrolls")
    assert [(one.answer, one.change) for one in explanation.what_if] == [
        ("He left", "the first clause of what follows “answer:” without the option's letter")
    ]
    assert explain("quality", ", the rest", "the", benchmark="scrolls").what_if == ()


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


def test_both_words_of_a_shared_pair_are_marked() -> None:
    shown = view("squality", "İİ police killed the gunman", "police kill the gunman")
    assert [marked(shown["answer"], column) for column in (2, 3, 4)] == [
        ["police", "the", "gunman"],
        ["the", "gunman"],
        ["police", "the", "gunman"],
    ]
    assert shown["answer"]["shared"] == {"unigram": 3, "bigram": 2, "lcs": 3}


def test_each_rouge_type_is_marked_with_the_reference_that_won_it_and_all_have_their_scores() -> None:
    shown = view("squality", "a b c d e f", "f e d c b a", "e f x c d y a b z", "a x c y e z")
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
    scores = view("squality", "a b", "a b", "b a c")["references"]
    assert scores[0] == {"words": 2, "rouge1": 100, "rouge2": 100, "rougeL": 100}
    assert (scores[1]["words"], scores[1]["rouge2"]) == (3, 0)
    explanation = explain("gov_report", "police killed the gunman", "police kill the gunman").as_dict()
    mean = explanation["view"]["geometric_mean"]
    assert [round(factor, 2) for factor in mean["factors"].values()] == [75, 33.33, 75]
    assert mean["value"] == explanation["score"]


def test_above_the_limit_the_subsequence_is_left_out_and_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PAIR_LIMIT", 11)
    shown = view("squality", "a b c", "a b c d")
    assert (shown["lcs"], shown["lcs_omitted"], marked(shown["answer"], 4)) == (None, True, [])
    assert marked(shown["answer"], 2) == ["a", "b", "c"]
    assert shown["omitted"] == ["the longest common subsequence is not marked: more than 4,000,000 pairs of words"]


def test_every_letter_is_there_the_first_is_marked_and_the_named_one_is_known() -> None:
    shown = view("quality", "\ud800 A good answer is B, not D", "B", "C")
    assert [(one["start"], one["letter"], one["first"]) for one in shown["letters"]] == [
        (2, "A", True),
        (19, "B", False),
        (26, "D", False),
    ]
    assert (shown["article_trap"], shown["named_letter"], shown["reference_letters"]) == (True, "B", ["B", "C"])
    assert not view("quality", "A is right", "B")["article_trap"]
    for prediction, letter in (
        ("the answer is B", "B"),
        ("Answer: (B)", "B"),
        ("The correct option would be **B**", "B"),
        ("my choice = A.", "A"),
        ("It is not (A), but (C).", "C"),
        ("The answer is A nice day", None),
        ("answer B", None),
        ("the answer is not B", None),
        ("B", None),
    ):
        assert view("quality", prediction, "B")["named_letter"] == letter


def test_a_letter_that_a_person_would_see_is_found() -> None:
    for prediction, span, letter in (
        ("d", (0, 1), "D"),
        ("(a)", (1, 2), "A"),
        ("I'd say b.", (8, 9), "B"),
        ("_C_", (1, 2), "C"),
        ("Ｄ", (0, 1), "D"),
    ):
        would_be = view("quality", prediction, "B")["would_be"]
        assert ((would_be["start"], would_be["end"]), would_be["letter"]) == (span, letter)
    for prediction in ("a nice day", "Bé", "ABCD"):
        assert view("quality", prediction, "B")["would_be"] is None


def test_the_piece_read_as_a_percentage_is_marked_and_the_one_that_was_meant_is_scored() -> None:
    shown = view("space_digest", "so 55% are", "90%", "60%")
    assert (shown["span"], shown["value"], shown["truths"], shown["truth"]) == ([3, 6], 55, [90, 60], 60)
    assert (shown["half_width"], shown["would_be"]) == (10, None)
    would_be = view("space_digest", "I'd say 40 percent", "50%")["would_be"]
    assert (would_be["start"], would_be["end"], would_be["value"], would_be["score"]) == (8, 18, 40, 50)


def test_an_endless_percentage_is_the_largest_number_in_every_form() -> None:
    endless = "9" * 400 + "%"
    explanation = explain("space_digest", endless, "40%").as_dict()
    assert explanation["parsed"] == explanation["view"]["value"] == pytest.approx(1.7976931348623157e308)
    assert score_example("space_digest", endless, "40%").as_dict()["parsed"] == explanation["parsed"]


def test_what_a_person_takes_for_the_percentage() -> None:
    sign, fraction, other, spelt, share = (
        "a number without the percent sign",
        "a fraction of one",
        "a percentage in another notation",
        "a percentage in words",
        "a part of a whole",
    )
    for prediction, answer, how in (
        ("40", "40%", sign),
        ("about 12.5.", "12.5%", sign),
        (".4", "40%", fraction),
        ("1.0", "100%", fraction),
        ("40 per cent of the 50 reviews", "40%", other),
        ("40\u200b%", "40%", other),
        ("1,050 percent", "1050%", other),
        ("forty-five percent", "45%", spelt),
        ("A hundred percent", "100%", spelt),
        ("17/50", "34%", share),
        ("1 of 3", "33.3333%", share),
        ("of the 50 reviews, 17 are", "34%", share),
        ("43 reviews are positive, 7 are negative", "86%", share),
        ("40,5%", "40.5%", "a number read from its middle"),
    ):
        meant = meant_percentage(prediction)
        assert (meant and meant.answer, meant and meant.how) == (answer, how)
    assert [meant.value for text in ("100", "50 of 50", "1 of 1") if (meant := meant_percentage(text))] == [100] * 3
    lone = meant_percentage("about 12.5.")
    assert lone
    assert (lone.start, lone.end) == (6, 10)
    for nothing in ("101", "150", "in 2023", "50 of 17", "3 of 0", "40 or 50", "9" * 12 + ",5%", ""):
        assert meant_percentage(nothing) is None


def test_the_pairs_out_of_order_are_listed_and_counted() -> None:
    shown = view("book_sum_sort", "3, 1, 2, 4", "1, 2, 3, 4")
    assert (shown["pairs"], shown["in_order"], shown["discordant_count"]) == (6, 4, 2)
    assert (shown["discordant"], shown["places"]) == ([[0, 1], [0, 2]], [2, 0, 1, 3])
    assert view("book_sum_sort", "1, 2, 1", "1, 1, 2")["places"] == [0, 2, 1]
    ids = [str(i) for i in range(100)]
    many = view("book_sum_sort", ",".join(reversed(ids)), ",".join(ids))
    assert (len(many["discordant"]), many["discordant_count"], many["in_order"]) == (500, 4950, 0)
    assert many["omitted"] == ["only the first 500 of 4,950 pairs out of order are listed"]
    ids = [str(i) for i in range(LIST_LIMIT + 9)]
    cut = view("book_sum_sort", ",".join([ids[1], ids[0], *ids[2:-2], ids[-1], ids[-2]]), ",".join(ids))
    assert (cut["discordant"], cut["discordant_count"]) == ([[0, 1]], 2)
    assert len(cut["order"]) == len(cut["places"]) == LIST_LIMIT


@given(st.permutations(range(12)))
def test_the_listed_pairs_are_all_the_inversions(places: list[int]) -> None:
    expected = {(i, j) for i, j in combinations(range(12), 2) if places[i] > places[j]}
    assert {(i, j) for i, j in discordant_pairs(places)} == expected


def test_the_ids_that_break_a_permutation_are_named() -> None:
    shown = view("book_sum_sort", "2, 1, 3, 3, 9", "2, 1, 3, 4")
    assert (shown["missing"], shown["repeated"], shown["foreign"]) == ([4], [3], [9])
    assert (shown["permutation"], shown["in_order"], shown["discordant"]) == (False, None, [])
    reverse = view("book_sum_sort", "2, 1", "1, 2, 3", "1, 2")
    assert (reverse["best_reference"], reverse["permutation"], reverse["truth"]) == (1, True, [1, 2])
    huge = explain("book_sum_sort", "1 " + "9" * 4000, "1, 2").as_dict()
    assert huge["parsed"] == huge["view"]["order"] == [1, 10**12]
    assert huge["view"]["omitted"] == ["ids above 1,000,000,000,000 are shown as that number"]


def test_what_a_person_takes_for_the_order() -> None:
    would_be = view("book_sum_sort", "So: 2-1-3.", "1, 2, 3")["would_be"]
    assert (would_be["order"], round(would_be["score"], 4)) == ([2, 1, 3], 66.6667)
    for prediction, order in (
        ("2,1,3,4, 4 chapters", (2, 1, 3, 4)),
        ("The 4 summaries in order are 2, 1, 3, 4.", (2, 1, 3, 4)),
        ("1. Summary 2\n2. Summary 1\n3. Summary 3\n4. Summary 4", (2, 1, 3, 4)),
        ("I put 7 first: 2>1>3>4", (2, 1, 3, 4)),
        ("In order: 2-1-3 and perhaps 9", (2, 1, 3)),
        (f"{'9' * 30} 2-1", (2, 1)),
        ("2, 1, 3, 4, 5", None),
        ("2, 1", None),
        ("no ids", None),
    ):
        meant = meant_order(prediction, (2, 1, 3, 4))
        assert (meant and meant.order) == order
