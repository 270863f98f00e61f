"""An explanation without its references: nothing that only they contain is left in the data or the HTML."""

import json
import re

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
    data = json.dumps(explanation.as_dict(), ensure_ascii=False)
    return f"{data} {why(explanation)} {explanation}".casefold()


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
    view = without("musique", "John's ‘house’", "John’s house “x”").as_dict()["view"]
    assert [one["character"] for one in view["typography"]] == ["‘", "’"]


def test_only_what_ifs_that_are_pieces_of_the_answer_stay() -> None:
    for prediction, kept in (
        ("Paris. That is a city in the north", ("the answer up to “Paris.”", "Paris.")),
        ("“Paris”", ("typographic characters written in ASCII", '"Paris"')),
    ):
        assert [(one.change, one.answer) for one in without("musique", prediction, "Paris").what_if] == [kept]
    pair = "musique", "It is paris, I think", "Paris."
    best = explain(*pair).what_if[0]
    assert (best.change, best.answer, best.score) == (QUOTED, "paris", 100.0)
    assert QUOTED not in [one.change for one in without(*pair).what_if]


def test_the_reason_keeps_what_tells_nothing_of_the_reference() -> None:
    for task, prediction, reference, reason in (
        ("book_sum_sort", "3, 1", "3, 1, 777", "not a permutation"),
        ("quality", "A good answer is not B", "C", "the first letter found is A (here the word “A”)"),
        ("space_digest", "I say 55%", "61.375%", "55% was read"),
        ("space_digest", "87.0.0%", "61.375%", "only 0% was read, the part of the number after a point"),
        ("space_digest", "none", "61.375%", "no percentage in the answer (digits directly followed by %)"),
        ("space_digest", "61.375%", "61.375%", None),
    ):
        explanation = without(task, prediction, reference)
        assert explanation.reason == reason
        assert "svg" not in why(explanation)
        assert "Reference" not in why(explanation)
    for prediction in ("4, 3, 2, 1", "4-3-2-1", "1, 1", "none"):
        assert "3, 1, 4, 2" not in shown(without("book_sum_sort", prediction, "3, 1, 4, 2"))
    assert without("space_digest", "39%", "40%").losses.keys() == {"wrong percentage"}


def test_the_scores_and_the_sentence_stay_as_they_are() -> None:
    whole = explain("narrative_qa", "the old clock", ["an old clock", "a clock"])
    left = whole.without_references()
    for name in ("score", "losses", "parsed", "sentence", "stop"):
        assert getattr(left, name) == getattr(whole, name)
    assert (whole.with_references, left.with_references) == (True, False)
    references = left.as_dict()["view"]["references"]
    assert references == [{**one, "text": None} for one in whole.as_dict()["view"]["references"]]
