"""Properties of every explanation: the losses add up, repairs have the scores stated, the data is JSON."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from every_task import every_scorer, metric_of
from hypothesis import given
from hypothesis import strategies as st
from shipped import as_shipped

from zs_bench.reports.explain_text import render
from zs_metric import score_example, score_task
from zs_metric.explain import CAUSES, explain, losses_of_task
from zs_metric.explain.loss_breakdown import LEDGER
from zs_metric.explain.parts import to_ascii
from zs_metric.results import ExampleResult
from zs_metric.tasks import find_task

# Python's own str, lone surrogates included, and a soup of what scorers and explanations look for.
anything = st.text(st.characters(exclude_categories=()), max_size=60)
morsels = (
    "the,a,A,B.,(C),d,answer is ,Answer: ,1,2,12,60,0.4,%, %,％, percent, out of ,sixty ,positive,negative,of ,1) ,"
    "<think>,</think>,not A but C"
)
soup = st.lists(
    st.sampled_from(
        [*morsels.split(","), *",-.>\n\t _'“”’—…éßİ\u212a²٣３\u0301\u200b\ud800😀", ", ", "cat ", "Cat sat ", "9" * 330]
    )
).map("".join)
texts = anything | soup
ENDINGS = {"accuracy": (" B", " (C)"), "exp_similarity": (" 60%", " 40%"), "concordance_index": (" 1", ", 2, 3")}


@st.composite
def answers(draw: st.DrawFn, metric: str) -> tuple[str, list[str]]:
    """A prediction and readable references; half the time it is made of a reference's own words, shuffled."""
    endings = st.sampled_from(ENDINGS.get(metric, ("",)))
    one = st.tuples(texts, endings).map("".join)
    references = draw(st.lists(one, min_size=1, max_size=3))
    shuffled = st.permutations(draw(st.sampled_from(references)).split()).map(" ".join)
    return draw(texts | shuffled), references


@every_scorer()
@given(data=st.data())
def test_the_losses_add_up_and_stops_and_repairs_have_the_scores_of_the_official_scorer(
    benchmark: str, task: str, data: st.DataObject
) -> None:
    prediction, references = data.draw(answers(metric_of(benchmark, task)))

    def official(text: str) -> ExampleResult:
        return score_example(task, text, references, benchmark=benchmark)

    explained = explain(task, prediction, references, benchmark=benchmark)
    explanation = explained.as_dict()
    assert as_shipped(explanation) == explanation
    assert render(explained).startswith(f"{task}: ")
    assert (explanation["score"], explanation["reason"]) == (official(prediction).score, official(prediction).reason)
    for losses, names in ((explanation["losses"], CAUSES), (explanation["ledger"], LEDGER)):
        assert [name for name in names if name in losses] == list(losses)
        assert sum(losses.values()) == pytest.approx(100 - explanation["score"], rel=0, abs=1e-8)
        assert min(losses.values(), default=0) >= 0
    assert (explanation["ledger"]["length"] > 0) == (explained.stop is not None)
    if explained.stop and "typography" not in explained.losses:
        assert official(explained.prediction[: explained.stop.offset]).score == explained.stop.score
    scores = [repair["score"] for repair in explanation["what_if"]]
    assert scores == sorted(scores, reverse=True)
    for repair in explanation["what_if"]:
        assert repair["score"] == official(repair["answer"]).score > explanation["score"]


@every_scorer()
@given(data=st.data())
def test_the_losses_of_a_task_are_the_means_of_its_predictions(benchmark: str, task: str, data: st.DataObject) -> None:
    pairs = data.draw(st.lists(answers(metric_of(benchmark, task)), min_size=1, max_size=4))
    predictions, references = [answer for answer, _ in pairs], [texts for _, texts in pairs]
    losses = losses_of_task(task, predictions, references, benchmark=benchmark)
    single = [explain(task, *pair, benchmark=benchmark) for pair in pairs]
    means = {cause: sum(one.losses.get(cause, 0) for one in single) / len(single) for cause in CAUSES}
    assert losses.mean == pytest.approx({cause: points for cause, points in means.items() if points})
    assert [one.losses for one in losses.examples] == [one.losses for one in single]
    assert losses.score + sum(losses.mean.values()) == pytest.approx(100, rel=0, abs=1e-8)
    corpus = score_task(task, predictions, references, benchmark=benchmark).score
    assert losses.score + losses.aggregation == pytest.approx(corpus, rel=0, abs=1e-9)
    ledger = losses.as_ledger()
    for part in LEDGER:
        assert ledger[part] == pytest.approx(sum(one.as_dict()["ledger"][part] for one in single) / len(single))
    assert losses.in_format is None or 0 <= losses.in_format <= 1


words = st.lists(
    st.sampled_from(["the", "cat", "Sat,", "“on”", "a", "mat.", "naïve", "\n", "北京", "x–y"]), max_size=12
)
sentences = words.map(" ".join)


@pytest.mark.parametrize(("task", "ends"), [("qasper", r"\S+"), ("gov_report", r".+?(?:[.!?](?=\s)|$)")])
@given(prediction=sentences, references=st.lists(sentences, min_size=1, max_size=3))
def test_no_earlier_stop_scores_more_than_the_one_that_is_found(
    task: str, ends: str, prediction: str, references: list[str]
) -> None:
    (explanation,) = losses_of_task(task, [prediction], [references]).examples
    offsets = [match.end() for match in re.finditer(ends, prediction.rstrip(), re.MULTILINE)]
    written = to_ascii if explanation.is_lenient else str
    scored = (written(prediction[:offset]) for offset in offsets)
    scores = [score_example(task, text, list(map(written, references))).score for text in scored]
    stop = explanation.stop
    best = max([*scores, explanation.better.score])
    assert (stop.score if stop else explanation.better.score) == pytest.approx(best, rel=0, abs=1e-7)


def test_an_explanation_scores_the_prediction_once_and_then_only_what_it_shows() -> None:
    task = find_task("qasper")
    metric, counted = task.metric, list[str]()

    def score_all(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[ExampleResult]:
        counted.extend(predictions)
        return metric.score_all(predictions, references)

    counting = replace(task, metric=replace(metric, score_all=score_all))
    for prediction, references, calls in (
        ("the cat", ["the cat"], 1),
        ("the", ["a"], 1),
        ("cat sat there", ["cat sat"], 3),  # and what stopping earlier would score
        ("cat sat there", ["cat sat", "dog", "mat"], 6),  # and each of the references alone
        ("cat sat. The answer is: cat, yes", ["cat"], 8),  # and what follows “answer:”
        ("“cat”", ["cat", "“sat”", "it's"], 7),  # leniently, in ASCII, its words alone, and each of the references
    ):
        counted.clear()
        assert explain(counting, prediction, references).score == score_example(task, prediction, references).score
        assert len(counted) == calls, (prediction, counted)
