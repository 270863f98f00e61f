"""Properties of every text: the plain scorer agrees, the explanation adds up, and what it marks is what was scored."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, compress
from typing import Any

import pytest
from every_task import every_scorer, metric_of
from hypothesis import given
from hypothesis import strategies as st
from plain_scorer import plain_score, rouge_tokens
from shipped import as_shipped

from zs_bench.benchmarks import find_task
from zs_bench.reports.explain_text import render
from zs_metric import ExampleResult, score_example, score_task
from zs_metric.explain import CAUSES, explain, losses_of_task
from zs_metric.explain.concordance_index import discordant_pairs
from zs_metric.explain.parts import shared_in_order, to_ascii
from zs_metric.metrics import NamedMetric
from zs_metric.rouge import tokens
from zs_metric.scoring import score_text

# Python's own str, lone surrogates included, and a soup of what scorers and explanations look for.
anything = st.text(st.characters(exclude_categories=()), max_size=60)
morsels = (
    "the,The,An,a,A,B.,(C),d,AB,answer is ,Answer: ,1,2,12,07,60,0.4,%, %,％, percent, out of ,sixty ,positive,"
    "negative,of ,1) ,<think>,</think>,not A but C,cat ,Cat sat "
)
soup = st.lists(
    st.sampled_from(
        [*morsels.split(","), *"_'-.>,\n\t\x1c “”’—…éßİ\u212a½²٣３\u0301\u00a0\u200b\ud800\udfff\ufffd😀", "9" * 330]
    ),
    max_size=30,
).map("".join)
texts = anything | soup
#: What a reference ends in where the scorer must be able to read it.
ENDINGS = {"accuracy": (" B", "\n(C)"), "exp_similarity": ("5%", " 40.5%"), "concordance_index": (" 1", ", 2, 3")}


@st.composite
def answers(draw: st.DrawFn, metric: str) -> tuple[str, list[str]]:
    """A prediction and readable references; sometimes it is one of these, or made of its words, shuffled."""
    endings = st.sampled_from(ENDINGS.get(metric, ("",)))
    references = draw(st.lists(st.tuples(texts, endings).map("".join), min_size=1, max_size=4))
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
def test_any_text_scores_what_the_plain_scorer_says_and_its_explanation_adds_up(
    benchmark: str, task: str, data: st.DataObject
) -> None:
    prediction, references = data.draw(answers(metric_of(benchmark, task)))
    agrees(task, prediction, references, benchmark)

    def official(text: str) -> ExampleResult:
        return score_example(task, text, references, benchmark=benchmark)

    explained = explain(find_task(task, benchmark=benchmark), prediction, references)
    explanation = explained.as_dict()
    assert as_shipped(explanation) == explanation
    assert render(explained).startswith(f"{task}: ")
    assert (explanation["score"], explanation["reason"]) == (official(prediction).score, official(prediction).reason)
    losses = explanation["losses"]
    assert [name for name in CAUSES if name in losses] == list(losses)
    assert sum(losses.values()) == pytest.approx(100 - explanation["score"], rel=0, abs=1e-8)
    assert min(losses.values(), default=0) >= 0
    if explained.stop and "typography" not in explained.losses:
        assert official(explained.prediction[: explained.stop.offset]).score == explained.stop.score
    scores = [repair["score"] for repair in explanation["what_if"]]
    assert scores == sorted(scores, reverse=True)
    for repair in explanation["what_if"]:
        assert repair["score"] == official(repair["answer"]).score > explanation["score"]


@every_scorer()
@given(data=st.data())
def test_the_losses_of_any_task_are_the_means_of_its_predictions(
    benchmark: str, task: str, data: st.DataObject
) -> None:
    pairs = data.draw(st.lists(answers(metric_of(benchmark, task)), min_size=1, max_size=4))
    columns = [answer for answer, _ in pairs], [texts for _, texts in pairs]
    its = find_task(task, benchmark=benchmark)
    losses, single = losses_of_task(its, *columns), [explain(its, *pair) for pair in pairs]
    assert [example.losses for example in losses.examples] == [example.losses for example in single]
    means = {cause: sum(example.losses.get(cause, 0) for example in single) / len(single) for cause in CAUSES}
    assert losses.mean == pytest.approx({cause: points for cause, points in means.items() if points})
    assert losses.score + sum(losses.mean.values()) == pytest.approx(100, rel=0, abs=1e-8)
    corpus = score_task(task, *columns, benchmark=benchmark).score
    assert losses.score + losses.aggregation == pytest.approx(corpus, rel=0, abs=1e-9)
    assert losses.in_format is None or 0 <= losses.in_format <= 1


def test_numbers_at_the_limits_of_python_score_what_the_plain_scorer_says() -> None:
    for id_ in ("7" * 4300, "0" * 4299 + "7"):
        agrees("book_sum_sort", f"{id_}, 1", [f"{id_}, 1"])
    for id_ in ("7" * 4301, "0" * 4300 + "7", "0" * 4299 + "7"):
        agrees("book_sum_sort", f"{id_}, 1", ["7, 1"])
    for number in ("9" * 400, "1" + "0" * 308, "0" * 400 + "40", "40." * 99, "39." + "9" * 400):
        for reference in ("40%", "8" * 400 + "%", "39." + "9" * 400 + "%"):
            agrees("space_digest", f"{number}%", [reference])


@given(text=texts)
def test_the_rouge_tokens_of_any_text_are_those_scored_and_stand_where_they_say(text: str) -> None:
    marked = tokens(text)
    assert [token for token, _, _ in marked] == rouge_tokens(text)
    assert [rouge_tokens(text[start:end]) for _, start, end in marked] == [[token] for token, _, _ in marked]


@given(st.data(), st.lists(st.integers(0, 5), min_size=2, max_size=12))
def test_repeated_ids_are_matched_as_the_plain_scorer_matches_them(data: st.DataObject, truth: list[int]) -> None:
    answer, reference = (", ".join(map(str, order)) for order in (data.draw(st.permutations(truth)), truth))
    agrees("book_sum_sort", answer, [reference])


words = st.lists(
    st.sampled_from(["the", "cat", "Sat,", "“on”", "a", "mat.", "naïve", "\n", "北京", "x–y"]), max_size=12
).map(" ".join)


@pytest.mark.parametrize(("task", "ends"), [("qasper", r"\S+"), ("gov_report", r".+?(?:[.!?](?=\s)|$)")])
@given(prediction=words, references=st.lists(words, min_size=1, max_size=3))
def test_no_earlier_stop_scores_more_than_the_one_that_is_found(
    task: str, ends: str, prediction: str, references: list[str]
) -> None:
    explanation = explain(find_task(task), prediction, references)
    written = to_ascii if explanation.is_lenient else str
    starts = (written(prediction[: match.end()]) for match in re.finditer(ends, prediction.rstrip(), re.MULTILINE))
    scores = [score_example(task, text, list(map(written, references))).score for text in starts]
    reached = explanation.stop.score if explanation.stop else explanation.better.score
    assert reached == pytest.approx(max([*scores, explanation.better.score]), rel=0, abs=1e-7)


def test_an_explanation_scores_the_prediction_once_and_then_only_what_it_shows() -> None:
    metric, counted = find_task("qasper").metric, list[str]()

    def score_all(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[ExampleResult]:
        counted.extend(predictions)
        return metric.score_all(predictions, references)

    counting = NamedMetric("qasper", replace(metric, score_all=score_all))
    for prediction, references, calls in (
        ("the cat", ["the cat"], 1),
        ("the", ["a"], 1),
        ("cat sat there", ["cat sat"], 3),  # and what stopping earlier would score
        ("cat sat there", ["cat sat", "dog", "mat"], 6),  # and each of the references alone
        ("cat sat. The answer is: cat, yes", ["cat"], 8),  # and what follows “answer:”
        ("“cat”", ["cat", "“sat”", "it's"], 7),  # leniently, in ASCII, its words alone, and each of the references
    ):
        counted.clear()
        assert explain(counting, prediction, references).score == score_text(metric, prediction, references).score
        assert len(counted) == calls, (prediction, counted)


def texts_of(side: Sequence[dict[str, Any]], *, shared: bool) -> list[str]:
    return [token["token"] for token in side if token["shared"] == shared]


@given(words, words)
def test_the_marked_tokens_of_any_texts_are_those_behind_the_scores(answer: str, reference: str) -> None:
    f1 = explain(find_task("qasper"), answer, reference).as_dict()["view"]
    for side, share in (("answer_tokens", f1["precision"]), ("reference_tokens", f1["recall"])):
        count = len(texts_of(f1[side], shared=True))
        assert count == f1["shared"] == pytest.approx(share / 100 * len(f1[side]))
    match = explain(find_task("quality", benchmark="scrolls"), answer, reference).as_dict()["view"]
    mine, theirs = match["answer_tokens"], match["reference_tokens"]
    assert texts_of(mine, shared=True) == texts_of(theirs, shared=True)
    assert (not texts_of([*mine, *theirs], shared=False)) == (match["references"][0]["score"] == 100)
    rouge, result = (
        explain(find_task("squality"), answer, reference).as_dict()["view"],
        score_example("squality", answer, reference),
    )
    assert result.rouge is not None
    for name, kind in (("rouge1", "unigram"), ("rougeL", "lcs")):
        expected = pytest.approx(result.rouge[name].precision / 100 * len(tokens(answer)), rel=0, abs=1e-6)
        assert rouge["answer"]["shared"][kind] == rouge["winners"][0]["shared"][kind] == expected
    assert rouge["lcs"] == rouge["answer"]["shared"]["lcs"]


@given(st.lists(st.integers(0, 4), max_size=40), st.lists(st.integers(0, 4), max_size=40))
def test_the_marks_are_a_common_subsequence_of_the_greatest_length(first: list[int], second: list[int]) -> None:
    marks = shared_in_order(first, second)
    assert marks is not None
    mine, theirs = ([*compress(*side)] for side in zip((first, second), marks, strict=True))
    lengths = [0] * (len(second) + 1)
    for item in first:
        row = [0]
        for j, other in enumerate(second):
            row.append(lengths[j] + 1 if item == other else max(lengths[j + 1], row[j]))
        lengths = row
    assert mine == theirs
    assert len(mine) == lengths[-1]


@given(st.permutations(range(12)))
def test_the_listed_pairs_are_all_the_inversions(places: list[int]) -> None:
    expected = {(i, j) for i, j in combinations(range(12), 2) if places[i] > places[j]}
    assert set(discordant_pairs(places)) == expected
