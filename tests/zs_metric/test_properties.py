"""Properties of every text: range, perfect answers, order of references, agreement with the second scorer."""

from itertools import combinations

import pytest
from every_task import every_scorer, every_task, metric_of
from hypothesis import given
from hypothesis import strategies as st
from plain_scorer import (
    plain_score,
    rouge_tokens,
    scrolls_normalized,
    without_surrogates,
    zero_scrolls_normalized,
)

from zs_metric import score_example
from zs_metric.concordance_index import concordance
from zs_metric.rouge import tokens

# Python's own str, lone surrogates included, and a soup of what the scorers look for.
anything = st.text(st.characters(exclude_categories=()), max_size=60)
morsels = [*"aAdD12%.,-_' “”—éß½²٣３\n\t\x1c\u0130\u212a\u00a0\u2003\ud800\udfff\ufffd\U0001f600"]
morsels += ["the", "An", "B.", "(C)", "AB", "12", "07", "60", " %", ", ", "E\u0301", "cat", "Cat", "sat", "the cat"]
soup = st.lists(st.sampled_from(morsels), max_size=30).map("".join)
texts = anything | soup
READABLE_ENDINGS = {
    "accuracy": (" B", "\n(C)"),
    "exp_similarity": ("5%", " 40.5%"),
    "concordance_index": ("1", ", 2, 3"),
}
NORMALIZED = {"zero_scrolls": zero_scrolls_normalized, "scrolls": scrolls_normalized}


def reference_texts(metric: str) -> st.SearchStrategy[str]:
    """Any text, ending in something readable where the scorer must be able to read a reference."""
    if metric not in READABLE_ENDINGS:
        return texts
    return st.tuples(texts, st.sampled_from(READABLE_ENDINGS[metric])).map("".join)


@st.composite
def answers(draw: st.DrawFn, metric: str) -> tuple[str, list[str]]:
    """An answer and its references; half the time the answer is made of a reference's own words, shuffled."""
    references = draw(st.lists(reference_texts(metric), min_size=1, max_size=4))
    shuffled = st.permutations(draw(st.sampled_from(references)).replace(",", " , ").split()).map(" ".join)
    return draw(texts | shuffled), references


def points(task: str, prediction: str, references: list[str], benchmark: str = "zero_scrolls") -> dict[str, float]:
    """The score and, for ROUGE, its types."""
    result = score_example(task, prediction, references, benchmark=benchmark)
    types = {name: part.fmeasure for name, part in result.rouge.items()} if result.rouge else {}
    return {**types, "score": result.score}


def plain_points(
    task: str, prediction: str, references: list[str], benchmark: str = "zero_scrolls"
) -> dict[str, float]:
    plain = plain_score(task, prediction, references, benchmark=benchmark)
    if not isinstance(plain, dict):
        return {"score": plain}
    return {**{name: plain[name] for name in ("rouge1", "rouge2", "rougeL")}, "score": plain["geometric_mean"]}


@every_scorer()
@given(data=st.data())
def test_any_text_scores_between_0_and_100(benchmark: str, task: str, data: st.DataObject) -> None:
    prediction, references = data.draw(answers(metric_of(benchmark, task)))
    assert all(0 <= value <= 100 for value in points(task, prediction, references, benchmark).values())


@every_task()
@given(data=st.data())
def test_any_text_scores_what_the_plain_scorer_says(benchmark: str, task: str, data: st.DataObject) -> None:
    prediction, references = data.draw(answers(metric_of(benchmark, task)))
    expected = plain_points(task, prediction, references, benchmark)
    assert points(task, prediction, references, benchmark) == pytest.approx(expected, rel=0, abs=1e-9)


@pytest.mark.parametrize(
    ("task", "prediction", "reference"),
    [
        *(("book_sum_sort", id_ + ", 1", id_ + ", 1") for id_ in ("7" * 4300, "0" * 4299 + "7")),
        *(("book_sum_sort", id_ + ", 1", "7, 1") for id_ in ("7" * 4301, "0" * 4300 + "7", "0" * 4299 + "7")),
        *(
            ("space_digest", number + "%", "40%")
            for number in ("9" * 400, "1" + "0" * 308, "0" * 400 + "40", "40." * 99)
        ),
        *(("space_digest", "40%", number + "%") for number in ("9" * 400, "39." + "9" * 400)),
        ("space_digest", "9" * 400 + "%", "8" * 400 + "%"),
    ],
)
def test_numbers_at_the_limits_of_python_score_what_the_plain_scorer_says(
    task: str, prediction: str, reference: str
) -> None:
    expected = plain_points(task, prediction, [reference])
    assert points(task, prediction, [reference]) == pytest.approx(expected, rel=0, abs=1e-9)


@every_scorer()
@given(data=st.data())
def test_the_order_of_the_references_never_matters(benchmark: str, task: str, data: st.DataObject) -> None:
    prediction, references = data.draw(answers(metric_of(benchmark, task)))
    other_order = data.draw(st.permutations(references))
    assert points(task, prediction, references, benchmark) == points(task, prediction, other_order, benchmark)


@every_scorer()
@given(data=st.data())
def test_a_score_says_why_when_nothing_could_be_read(benchmark: str, task: str, data: st.DataObject) -> None:
    prediction, references = data.draw(answers(metric_of(benchmark, task)))
    result = score_example(task, prediction, references, benchmark=benchmark)
    assert result.parsed is not None or (result.score == 0 and result.reason)
    assert result.reason or result.score > 0


@every_scorer(metrics=["f1"])
@given(text=texts)
def test_a_perfect_f1_answer_scores_100_when_a_token_is_left(benchmark: str, task: str, text: str) -> None:
    left = NORMALIZED[benchmark](without_surrogates(text)).split()
    result = score_example(task, text, [text], benchmark=benchmark)
    assert result.score == pytest.approx(100 if left else 0, rel=0, abs=1e-9)


@every_scorer(metrics=["exact_match"])
@given(text=texts)
def test_any_text_matches_itself_exactly(benchmark: str, task: str, text: str) -> None:
    assert score_example(task, text, [text], benchmark=benchmark).score == 100


@every_scorer(metrics=["rouge"])
@given(text=texts)
def test_a_perfect_rouge_answer_scores_100_when_two_ascii_tokens_are_left(benchmark: str, task: str, text: str) -> None:
    expected = 100 if len(rouge_tokens(text)) >= 2 else 0
    assert score_example(task, text, [text], benchmark=benchmark).score == pytest.approx(expected, rel=0, abs=1e-9)


@given(text=texts)
def test_the_rouge_tokens_shown_are_those_scored_and_stand_where_they_say(text: str) -> None:
    found = tokens(text)
    assert [token for token, _, _ in found] == rouge_tokens(text)
    assert [rouge_tokens(text[start:end]) for _, start, end in found] == [[token] for token, _, _ in found]


@every_scorer(metrics=READABLE_ENDINGS)
@given(data=st.data())
def test_a_readable_reference_given_as_the_answer_scores_100(benchmark: str, task: str, data: st.DataObject) -> None:
    reference = data.draw(reference_texts(metric_of(benchmark, task)))
    assert score_example(task, reference, [reference], benchmark=benchmark).score == 100


@given(st.data(), st.lists(st.integers(0, 10**6), min_size=2, max_size=40, unique=True))
def test_the_concordance_is_the_share_of_all_pairs_in_order(data: st.DataObject, truth: list[int]) -> None:
    order = data.draw(st.permutations(truth))
    place = {identifier: i for i, identifier in enumerate(truth)}
    in_order = [place[earlier] < place[later] for earlier, later in combinations(order, 2)]
    assert concordance(order, truth) == pytest.approx(100 * sum(in_order) / len(in_order), rel=0, abs=1e-9)


@given(st.data(), st.lists(st.integers(0, 5), min_size=2, max_size=12))
def test_repeated_ids_are_matched_as_the_plain_scorer_matches_them(data: st.DataObject, truth: list[int]) -> None:
    answer, reference = (", ".join(map(str, order)) for order in (data.draw(st.permutations(truth)), truth))
    assert points("book_sum_sort", answer, [reference]) == pytest.approx(
        plain_points("book_sum_sort", answer, [reference]), rel=0, abs=1e-9
    )
