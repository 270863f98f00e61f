"""Properties of every text: agreement with the second scorer, what was read, the tokens of ROUGE."""

import pytest
from every_task import every_scorer, metric_of
from hypothesis import given
from hypothesis import strategies as st
from plain_scorer import plain_score, rouge_tokens

from zs_metric import score_example
from zs_metric.rouge import tokens

# Python's own str, lone surrogates included, and a soup of what the scorers look for.
anything = st.text(st.characters(exclude_categories=()), max_size=60)
morsels = [*"aAdD12%.,-_' “”—éß½²٣３\n\t\x1c\u0130\u212a\u00a0\u2003\ud800\udfff\ufffd\U0001f600"]
morsels += ["the", "An", "B.", "(C)", "AB", "12", "07", "60", " %", ", ", "E\u0301", "cat", "Cat", "sat", "the cat"]
soup = st.lists(st.sampled_from(morsels), max_size=30).map("".join)
texts = anything | soup
#: What a reference ends in where the scorer must be able to read it.
ENDINGS = {"accuracy": (" B", "\n(C)"), "exp_similarity": ("5%", " 40.5%"), "concordance_index": ("1", ", 2, 3")}


@st.composite
def answers(draw: st.DrawFn, metric: str) -> tuple[str, list[str]]:
    """An answer and its references; sometimes the answer is a reference, or made of its words, shuffled."""
    one = st.tuples(texts, st.sampled_from(ENDINGS.get(metric, ("",)))).map("".join)
    references = draw(st.lists(one, min_size=1, max_size=4))
    reference = draw(st.sampled_from(references))
    shuffled = st.permutations(reference.replace(",", " , ").split()).map(" ".join)
    return draw(texts | shuffled | st.just(reference)), references


def agrees(task: str, prediction: str, references: list[str], benchmark: str = "zero_scrolls") -> None:
    """Check the score and, for ROUGE, its types, and that a prediction in which nothing was read has a reason."""
    result = score_example(task, prediction, references, benchmark=benchmark)
    plain = plain_score(task, prediction, references, benchmark=benchmark)
    types = {name: part.fmeasure for name, part in result.rouge.items()} if result.rouge else {}
    points = {**types, "geometric_mean": result.score}
    assert points == pytest.approx(plain if isinstance(plain, dict) else {"geometric_mean": plain}, rel=0, abs=1e-9)
    assert 0 <= result.score <= 100
    assert result.parsed is not None or (result.score == 0 and result.reason)
    assert result.reason or result.score > 0


@every_scorer()
@given(data=st.data())
def test_any_text_scores_what_the_plain_scorer_says(benchmark: str, task: str, data: st.DataObject) -> None:
    prediction, references = data.draw(answers(metric_of(benchmark, task)))
    agrees(task, prediction, references, benchmark)


def test_numbers_at_the_limits_of_python_score_what_the_plain_scorer_says() -> None:
    for id_ in ("7" * 4300, "0" * 4299 + "7"):
        agrees("book_sum_sort", f"{id_}, 1", [f"{id_}, 1"])
    for id_ in ("7" * 4301, "0" * 4300 + "7", "0" * 4299 + "7"):
        agrees("book_sum_sort", f"{id_}, 1", ["7, 1"])
    for number in ("9" * 400, "1" + "0" * 308, "0" * 400 + "40", "40." * 99, "39." + "9" * 400):
        for reference in ("40%", "8" * 400 + "%", "39." + "9" * 400 + "%"):
            agrees("space_digest", f"{number}%", [reference])


@given(text=texts)
def test_the_rouge_tokens_shown_are_those_scored_and_stand_where_they_say(text: str) -> None:
    found = tokens(text)
    assert [token for token, _, _ in found] == rouge_tokens(text)
    assert [rouge_tokens(text[start:end]) for _, start, end in found] == [[token] for token, _, _ in found]


@given(st.data(), st.lists(st.integers(0, 5), min_size=2, max_size=12))
def test_repeated_ids_are_matched_as_the_plain_scorer_matches_them(data: st.DataObject, truth: list[int]) -> None:
    answer, reference = (", ".join(map(str, order)) for order in (data.draw(st.permutations(truth)), truth))
    agrees("book_sum_sort", answer, [reference])
