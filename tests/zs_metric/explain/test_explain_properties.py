"""What holds for the explanation of every text: the ledger adds up, repairs are real, the data is JSON."""

import json
from typing import Any

import pytest
from every_task import every_scorer, metric_of
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.reports.explain_text import render
from zs_metric import score_example, score_task
from zs_metric.explain import PARTS, explain, ledger_of_task

# Python's own str, lone surrogates included, and a soup of what scorers and explanations look for.
anything = st.text(st.characters(exclude_categories=()), max_size=60)
morsels = (
    "the,a,A,B.,(C),d,answer is ,Answer: ,1,2,12,60,0.4,%, %,％, percent, out of ,sixty ,positive,negative,of ,1) "
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
    """An answer and readable references; half the time the answer is made of a reference's own words, shuffled."""
    endings = st.sampled_from(ENDINGS.get(metric, ("",)))
    one = st.tuples(texts, endings).map("".join)
    references = draw(st.lists(one, min_size=1, max_size=3))
    shuffled = st.permutations(draw(st.sampled_from(references)).split()).map(" ".join)
    return draw(texts | shuffled), references


def explained(data: st.DataObject, benchmark: str, task: str) -> dict[str, Any]:
    return explain(task, *data.draw(answers(metric_of(benchmark, task))), benchmark=benchmark)


@every_scorer()
@given(data=st.data())
def test_the_parts_add_up_to_the_lost_points_and_none_is_negative(
    benchmark: str, task: str, data: st.DataObject
) -> None:
    explanation = explained(data, benchmark, task)
    assert list(explanation["ledger"]) == list(PARTS)
    assert sum(explanation["ledger"].values()) == pytest.approx(100 - explanation["score"], rel=0, abs=1e-9)
    assert min(explanation["ledger"].values()) >= -1e-9


@every_scorer()
@given(data=st.data())
def test_an_unreadable_answer_loses_everything_to_format(benchmark: str, task: str, data: st.DataObject) -> None:
    explanation = explained(data, benchmark, task)
    if explanation["parsed"] is None:
        assert explanation["ledger"]["format"] == 100


@every_scorer()
@given(data=st.data())
def test_the_score_is_the_official_one(benchmark: str, task: str, data: st.DataObject) -> None:
    prediction, references = data.draw(answers(metric_of(benchmark, task)))
    explanation = explain(task, prediction, references, benchmark=benchmark)
    result = score_example(task, prediction, references, benchmark=benchmark)
    assert (explanation["score"], explanation["reason"]) == (result.score, result.reason)


@every_scorer()
@given(data=st.data())
def test_a_repair_scores_what_is_said_and_more_than_the_answer(benchmark: str, task: str, data: st.DataObject) -> None:
    prediction, references = data.draw(answers(metric_of(benchmark, task)))
    explanation = explain(task, prediction, references, benchmark=benchmark)
    scores = [repair["score"] for repair in explanation["what_if"]]
    assert scores == sorted(scores, reverse=True)
    for repair in explanation["what_if"]:
        result = score_example(task, repair["answer"], references, benchmark=benchmark)
        assert repair["score"] == result.score > explanation["score"]


@every_scorer()
@given(data=st.data())
def test_the_explanation_is_strict_json(benchmark: str, task: str, data: st.DataObject) -> None:
    explanation = explained(data, benchmark, task)
    assert json.loads(json.dumps(explanation, allow_nan=False)) == explanation


@every_scorer(metrics=["rouge", "f1", "accuracy", "exp_similarity", "concordance_index"])
@given(data=st.data())
def test_the_explanation_can_be_read_out(benchmark: str, task: str, data: st.DataObject) -> None:
    assert render(explained(data, benchmark, task)).startswith(f"{task}: ")


@every_scorer()
@given(data=st.data())
def test_the_ledger_of_a_task_is_the_mean_of_its_answers(benchmark: str, task: str, data: st.DataObject) -> None:
    pairs = data.draw(st.lists(answers(metric_of(benchmark, task)), min_size=1, max_size=4))
    predictions, references = [answer for answer, _ in pairs], [texts for _, texts in pairs]
    ledger = ledger_of_task(task, predictions, references, benchmark=benchmark)
    single = [explain(task, *pair, benchmark=benchmark) for pair in pairs]
    means = {part: sum(one["ledger"][part] for one in single) / len(single) for part in PARTS}
    assert ledger["ledger"] == pytest.approx(means, rel=0, abs=1e-9)
    assert [one["ledger"] for one in ledger["examples"]] == [one["ledger"] for one in single]
    assert ledger["score"] + sum(ledger["ledger"].values()) == pytest.approx(100, rel=0, abs=1e-9)
    corpus = score_task(task, predictions, references, benchmark=benchmark).score
    assert ledger["score"] + ledger["aggregation"] == pytest.approx(corpus, rel=0, abs=1e-9)
    assert 0 <= ledger["in_format"] <= 1
    assert json.loads(json.dumps(ledger, allow_nan=False)) == ledger
