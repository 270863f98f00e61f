"""An explanation without its references: nothing that only they contain is left in the data or the HTML."""

import json
import re

import pytest
from every_task import every_scorer, metric_of
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.reports.html.explanation import why
from zs_metric.explain import Explanation, explain
from zs_metric.explain.explanation import QUOTED

OWN = ["quokka", "zyzzyva", "quux’s", "crwth", "ñandú"]
COMMON = ["red", "clock", "of", "the", "answer", "is:", "café", "“end”", ".", "red. ", "Summary:\n"]
#: By metric: the beginnings of references that only they have, and what a reference needs to be readable.
ONLY_THEIRS = {
    "exp_similarity": st.integers(70_001, 70_999).map("{}%".format),
    "concordance_index": st.lists(st.integers(70_001, 70_999), min_size=1, max_size=5).map(
        lambda ids: ", ".join(map(str, ids))
    ),
}
READABLE = {"accuracy": " C"}
numbers = st.sampled_from(["1", "2, 3", "17 of 50", "55%", "0.4", "2-1-3", "A", "b)", "The answer is B", "(D)"])
answers = st.lists(st.sampled_from(COMMON) | numbers, max_size=12).map(" ".join)


@st.composite
def pairs(draw: st.DrawFn, metric: str) -> tuple[str, list[str]]:
    """An answer, and references of which each token is either the answer's or in no answer and no page."""
    answer = draw(answers)
    pieces = st.lists(st.sampled_from([*OWN, *COMMON]), min_size=1, max_size=9).map(" ".join)
    one = ONLY_THEIRS.get(metric, pieces.map(lambda text: text + READABLE.get(metric, "")))
    return answer, draw(st.lists(one, min_size=1, max_size=3))


def without(task: str, prediction: str, *references: str, benchmark: str = "zero_scrolls") -> Explanation:
    return explain(task, prediction, references, benchmark=benchmark).without_references()


def shown(explanation: Explanation) -> str:
    return (json.dumps(explanation.as_dict(), ensure_ascii=False) + str(why(explanation))).casefold()


@every_scorer()
@given(data=st.data())
def test_no_token_of_a_reference_that_is_not_the_answers_is_left(
    benchmark: str, task: str, data: st.DataObject
) -> None:
    answer, references = data.draw(pairs(metric_of(benchmark, task)))
    text = shown(without(task, answer, *references, benchmark=benchmark))
    words = {word for word in ("quokka", "zyzzyva", "quux", "crwth", "ñandú", "nandu") if word in " ".join(references)}
    numbers = set(re.findall("70[0-9]{3}", " ".join(references)))
    assert not [word for word in words if word in text]
    assert not [number for number in numbers if re.search(rf"(?<![\d.]){number}(?!\d)", text)]


def test_a_character_that_only_a_reference_has_is_left_out() -> None:
    pair = "gov_report", "nandu ‘x’", "ñandu x"
    assert "ñ" in shown(explain(*pair))
    assert "ñ" not in shown(without(*pair))
    found = without("musique", "John's ‘house’", "John’s house “x”")
    assert [one.character for one in found.view.typography] == ["‘", "’"]


def test_a_what_if_that_is_a_piece_of_the_answer_stays() -> None:
    found = without("musique", "Paris. That is a city in the north", "Paris")
    assert [(one.change, one.answer) for one in found.what_if] == [("the answer up to “Paris.”", "Paris.")]


def test_the_words_of_a_reference_within_the_answer_are_offered_but_not_published() -> None:
    pair = "musique", "It is paris, I think", "Paris."
    best = explain(*pair).what_if[0]
    assert (best.change, best.answer, best.score) == (QUOTED, "paris", 100.0)
    assert QUOTED not in [one.change for one in without(*pair).what_if]


def test_a_what_if_in_ascii_stays() -> None:
    assert [one.answer for one in without("musique", "“Paris”", "Paris").what_if] == ['"Paris"']


def test_the_ids_that_an_order_lacks_are_not_named() -> None:
    found = without("book_sum_sort", "3, 1", "3, 1, 777")
    assert "777" not in shown(found)
    assert found.reason == "not a permutation"


def test_neither_the_letter_nor_the_reason_that_names_it_is_left() -> None:
    data = without("quality", "A good answer is not B", "C")
    assert data.reason == "the first letter found is A (here the word “A”)"
    assert data.view.reference_letters == ()
    assert "Reference" not in why(data)


def test_the_percentage_of_the_reference_is_neither_told_nor_drawn() -> None:
    data = without("space_digest", "I say 55%", "61.375%")
    assert "61.375" not in shown(data)
    assert "svg" not in why(data)
    assert data.reason == "55% was read"


@pytest.mark.parametrize(
    ("prediction", "reason"),
    [
        ("87.0.0%", "only 0% was read, the part of the number after a point"),
        ("none", "no percentage in the answer (digits directly followed by %)"),
        ("61.375%", None),
    ],
)
def test_a_reason_that_tells_nothing_of_the_reference_stays(prediction: str, reason: str | None) -> None:
    assert without("space_digest", prediction, "61.375%").reason == reason


@pytest.mark.parametrize("prediction", ["4, 3, 2, 1", "4-3-2-1", "1, 1", "none"])
def test_the_true_order_is_neither_told_nor_drawn(prediction: str) -> None:
    data = without("book_sum_sort", prediction, "3, 1, 4, 2")
    assert "3, 1, 4, 2" not in shown(data)
    assert data.view.truth == data.view.discordant == data.view.places == ()
    assert "svg" not in why(data)


def test_the_scores_stay_as_they_are() -> None:
    whole = explain("narrative_qa", "the old clock", ["an old clock", "a clock"])
    left = whole.without_references()
    assert (left.score, left.losses, left.parsed) == (whole.score, whole.losses, whole.parsed)
    assert (whole.with_references, left.with_references) == (True, False)
    assert [one.score for one in left.view.references] == [one.score for one in whole.view.references]
