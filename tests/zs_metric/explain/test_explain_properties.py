"""Properties of every explanation: the ledger adds up, repairs have the scores stated, the data is JSON."""

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
from zs_metric.explain import PARTS, explain, losses_of_task
from zs_metric.explain.loss_breakdown import best_stop
from zs_metric.explain.scored import score_predictions
from zs_metric.results import ExampleResult
from zs_metric.tasks import find_task

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


@every_scorer()
@given(data=st.data())
def test_the_parts_add_up_none_is_negative_and_the_score_is_the_official_one(
    benchmark: str, task: str, data: st.DataObject
) -> None:
    """And an unreadable answer loses its points to format where a format is expected; all of it is strict JSON."""
    prediction, references = data.draw(answers(metric_of(benchmark, task)))
    found = explain(task, prediction, references, benchmark=benchmark)
    result = score_example(task, prediction, references, benchmark=benchmark)
    explanation = found.as_dict()
    assert as_shipped(explanation) == explanation
    assert render(found).startswith(f"{task}: ")
    assert (explanation["score"], explanation["reason"]) == (result.score, result.reason)
    ledger = explanation["ledger"]
    assert list(ledger) == list(PARTS)
    assert sum(ledger.values()) == pytest.approx(100 - explanation["score"], rel=0, abs=1e-9)
    assert min(ledger.values()) >= -1e-9
    if explanation["parsed"] is None:
        has_form = explanation["metric"] in ("accuracy", "exp_similarity", "concordance_index")
        is_letter = "the answer is a letter" in result.reason
        assert ledger["format" if has_form or is_letter else "content"] == 100


@every_scorer()
@given(data=st.data())
def test_stops_and_repairs_are_scored_by_the_scorer_and_going_on_is_never_counted(
    benchmark: str, task: str, data: st.DataObject
) -> None:
    prediction, references = data.draw(answers(metric_of(benchmark, task)))
    explanation = explain(task, prediction, references, benchmark=benchmark)
    losses = explanation.losses
    assert (losses.length > 0) == (losses.stop is not None)
    assert not (losses.length and losses.length_up_to)
    assert 0 <= losses.length_up_to <= losses.content + 1e-9
    if losses.stop and not losses.typography:
        text = explanation.prediction[: losses.stop.offset]
        stopped = score_example(task, text, references, benchmark=benchmark).score
        assert stopped == losses.stop.score == pytest.approx(explanation.score + losses.length, rel=0, abs=1e-9)
    repairs = explanation.as_dict()["what_if"]
    scores = [repair["score"] for repair in repairs]
    assert scores == sorted(scores, reverse=True)
    for repair in repairs:
        result = score_example(task, repair["answer"], references, benchmark=benchmark)
        assert repair["score"] == result.score > explanation.score


@every_scorer()
@given(data=st.data())
def test_the_ledger_of_a_task_is_the_mean_of_its_answers(benchmark: str, task: str, data: st.DataObject) -> None:
    pairs = data.draw(st.lists(answers(metric_of(benchmark, task)), min_size=1, max_size=4))
    predictions, references = [answer for answer, _ in pairs], [texts for _, texts in pairs]
    losses = losses_of_task(task, predictions, references, benchmark=benchmark)
    single = [explain(task, *pair, benchmark=benchmark).losses for pair in pairs]
    means = {part: sum(getattr(one, part) for one in single) / len(single) for part in PARTS}
    assert losses.mean.as_dict() == pytest.approx(means, rel=0, abs=1e-9)
    assert [one.losses for one in losses.examples] == single
    assert losses.score + sum(losses.mean.as_dict().values()) == pytest.approx(100, rel=0, abs=1e-9)
    corpus = score_task(task, predictions, references, benchmark=benchmark).score
    assert losses.score + losses.aggregation == pytest.approx(corpus, rel=0, abs=1e-9)
    assert losses.in_format is None or 0 <= losses.in_format <= 1
    assert as_shipped(losses.as_dict()) == losses.as_dict()


words = st.lists(
    st.sampled_from(["the", "cat", "Sat,", "“on”", "a", "mat.", "naïve", "\n", "北京", "x–y"]), max_size=12
)
sentences = words.map(" ".join)


@pytest.mark.parametrize(("task", "ends"), [("qasper", r"\S+"), ("gov_report", r".+?(?:[.!?](?=\s)|$)")])
@given(prediction=sentences, references=st.lists(sentences, min_size=1, max_size=3))
def test_no_earlier_stop_scores_more_than_the_one_that_is_found(
    task: str, ends: str, prediction: str, references: list[str]
) -> None:
    scored = score_predictions(find_task(task), [prediction], [references])[0]
    offsets = [match.end() for match in re.finditer(ends, prediction.rstrip(), re.MULTILINE)]
    scores = [scored.better_score(prediction[:offset]) for offset in offsets]
    found = best_stop(scored)
    best = max([*scores, scored.better.score])
    assert (found.score if found else scored.better.score) == pytest.approx(best, rel=0, abs=1e-7)


@pytest.mark.parametrize(
    ("prediction", "references", "calls"),
    [
        ("the cat", ["the cat"], 1),
        ("the cat", ["the cat sat"], 1),
        ("cat sat there", ["cat sat"], 2),  # stopping after “cat sat”
        ("cat sat there", ["cat sat", "dog", "mat"], 5),  # and each of the references alone
        ("cat sat. The answer is: cat, yes", ["cat"], 3),  # and what follows “answer:”
    ],
)
def test_an_explanation_scores_the_answer_once_and_then_only_what_it_shows(
    monkeypatch: pytest.MonkeyPatch, prediction: str, references: list[str], calls: int
) -> None:
    counted: list[str] = []

    def score_all(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[ExampleResult]:
        counted.extend(predictions)
        return metric.score_all(predictions, references)

    task = find_task("qasper")
    metric = task.metric
    counting = replace(task, metric=replace(metric, score_all=score_all))
    assert explain(counting, prediction, references).score == score_example(task, prediction, references).score
    assert len(counted) == calls
    assert counted.count(prediction) == (len(references) + 1 if len(references) > 1 else 1)
