"""Comparisons of scored systems: which examples are compared, what differs, which answers changed."""

from dataclasses import replace
from statistics import fmean

import pytest
from compared_systems import KNOWN, ONE, TWO, systems
from written_files import score

from zs_bench.reports import comparison
from zs_bench.reports.comparison import compare, warnings
from zs_bench.statistics.intervals import columns
from zs_bench.statistics.paired_comparison import Pair, compare_on_benchmark
from zs_metric import ZeroScrollsError, score_example, score_task


@pytest.fixture
def match(tmp_path):
    """Compare two systems, `one` with `two`."""

    def run(references=KNOWN, margins=None, **options):
        (comparison,) = compare(systems(tmp_path, references, **options), margins).comparisons
        return comparison

    return run


def many(count, wrong, stories=100):
    """Answers to questions of QuALITY, all A but the first ones; so many stories."""
    return {"quality": {f"{10 + i % stories}123_ABCDEFGH_{i}": "B" if i < wrong else "A" for i in range(count)}}


def test_the_numbers_are_those_of_the_texts_scored_again_and_the_answers_that_changed_are_named(match):
    result = match(one=ONE, two=TWO)
    for task, references in KNOWN.items():
        outcome, ids = result.tasks[task], list(references)
        texts = [[answers[task][key] for key in ids] for answers in (ONE, TWO)]
        scored = [score_task(task, column, [references[key] for key in ids]) for column in texts]
        assert outcome.scores == pytest.approx([each.score for each in scored], abs=1e-9)
        plain = compare_on_benchmark({"": Pair(*(columns(each.examples) for each in scored))})
        assert replace(outcome.comparison, unseen=plain.unseen, most=plain.most) == plain
        best = max(row.first.result.score for row in outcome.examples)
        assert outcome.comparison.most == (100 if task == "quality" else best)
        for row in outcome.examples:
            for answer, answers in ((row.first, ONE), (row.second, TWO)):
                assert answer.result == score_example(task, answers[task][answer.id], references[answer.id])
        apart = [row.difference for row in outcome.examples]
        assert apart == sorted(apart)
        assert outcome.comparison.wins == sum(difference > 0 for difference in apart)
    quality, qmsum = result.tasks["quality"], result.tasks["qmsum"]
    outcomes = quality, qmsum
    assert result.mean.comparison.difference == pytest.approx(fmean(each.comparison.difference for each in outcomes))
    assert result.mean.scores == pytest.approx([fmean(each.scores[side] for each in outcomes) for side in (0, 1)])
    assert (sorted(quality.lost), quality.gained, quality.identical) == (["2_a", "3_a"], ["4_a"], 1)
    assert (qmsum.lost, qmsum.gained, qmsum.identical) == ([], ["m2"], 0)


def test_examples_of_one_story_stay_together(match):
    references, worse = many(40, 0, stories=8), many(40, 0, stories=8)
    worse["quality"] |= {key: "B" for key in references["quality"] if key[1] in "123"}
    assert match(references, one=references, two=worse).tasks["quality"].comparison.interval.clusters == 8


def test_a_margin_is_that_of_the_task_or_of_the_average_and_holds_only_when_shown(match):
    references = many(60, 0)
    result = match(references, {"average": 2, "quality": 10}, one=references, two=many(60, 1))
    assert (result.tasks["quality"].margin, result.mean.margin) == (10, 2)
    assert (result.tasks["quality"].kind, result.mean.kind) == ("as good", "undecided")
    assert [result.holds(name) for name in ("quality", "qasper", "average")] == [True, False, False]
    whole = match(references, {"average": 100}, one=many(60, 1), two=references)
    assert (whole.mean.kind, whole.holds("average")) == ("as good", False), "one task of ten is not the average"
    part = {"quality": dict(list(references["quality"].items())[:-1])}
    lacking = match(references, {"quality": 50}, partial=True, one=references, two=part)
    assert (lacking.tasks["quality"].kind, lacking.holds("quality")) == ("undecided", False)


def test_the_mean_of_the_tasks_that_were_run_can_have_a_margin_if_both_have_them_all(match):
    references = {**many(60, 0), "qmsum": {str(i): f"a cat {i}" for i in range(60)}}
    result = match(references, {"mean": 4}, one=references, two={**references, **many(60, 1)})
    assert (result.mean.kind, result.holds("mean"), result.tasks["quality"].margin) == ("as good", True, 4)
    lacking = match(references, {"mean": 90}, one=references, two=many(60, 0))
    assert (lacking.mean.kind, lacking.holds("mean")) == ("identical", False)


def test_words_about_one_task_of_several_follow_the_corrected_p_value_unless_it_has_a_margin_of_its_own(match):
    references = {**many(200, 0), "qmsum": {str(i): f"a cat {i}" for i in range(20)}}
    two = {**many(200, 6), "qmsum": references["qmsum"] | {str(i): f"cat {i}" for i in range(2)}}
    kinds = [
        match(references, margins, one=references, two=two).tasks["quality"].kind for margins in ({}, {"quality": 1})
    ]
    assert kinds == ["undecided", "worse"]


def test_p_values_of_several_tasks_are_corrected(match):
    references = {**many(20, 0), "qasper": {str(i): "yes" for i in range(20)}}
    two = {**many(20, 9), "qasper": {str(i): "no" if i < 12 else "yes" for i in range(20)}}
    result = match(references, one=references, two=two)
    quality, qasper = (result.tasks[task].comparison.p_value for task in ("quality", "qasper"))
    assert 0 < qasper < quality < 0.05
    assert result.corrected == pytest.approx({"quality": quality, "qasper": 2 * qasper})


def test_several_systems_are_each_compared_with_the_first_if_they_were_scored_alike(tmp_path):
    result = compare(systems(tmp_path, one=ONE, two=TWO, three=ONE))
    assert [(each.first, each.second) for each in result.comparisons] == [("one", "two"), ("one", "three")]
    with pytest.raises(ZeroScrollsError, match="two or more systems"):
        compare(systems(tmp_path, one=ONE))
    other = score(tmp_path / "x", {"answers.json": TWO}, KNOWN, rouge_aggregation="instance")
    with pytest.raises(ZeroScrollsError, match="score them by the same one"):
        compare({**systems(tmp_path, one=ONE), "two": other})


def test_only_examples_answered_by_both_are_compared_and_a_warning_says_so(match):
    first, second = ({"quality": {key: ONE["quality"][key] for key in ids}} for ids in (("1_a", "2_a"), ("2_a", "4_a")))
    result = match(partial=True, one=first, two=second)
    quality = result.tasks["quality"]
    assert (quality.only_first, quality.only_second, quality.total, quality.partial) == (["1_a"], ["4_a"], 4, True)
    assert ([row.first.id for row in quality.examples], quality.scores) == (["2_a"], (100, 100))
    assert warnings(result)[0] == (
        "quality: 1 of 4 examples were answered by both; 1 only by one (1_a); 1 only by two (4_a); "
        "only those by both are compared"
    )


def test_what_differs_in_the_signatures_is_a_warning(tmp_path, match):
    result = match(partial=True, one=ONE, two={"quality": {"1_a": "A"}})
    assert result.differ == ["answers: 4 of 4 against 1 of 4 examples (the rest is left out of the score)"]
    assert any("the two were not scored in the same way: answers: 4 of 4" in line for line in warnings(result))
    other = {"quality": {**KNOWN["quality"], "4_a": "A"}}
    both = compare({**systems(tmp_path, one={"quality": ONE["quality"]}), **systems(tmp_path, other, two=TWO)})
    (difference,) = both.comparisons[0].differ
    assert "other examples or other reference texts" in difference


def test_tasks_that_cannot_be_compared_are_named_with_the_reason(tmp_path):
    two = {"quality": TWO["quality"], "qmsum": {"m1": "x"}, "space_digest": {"1": "5%"}}
    (result,) = compare(systems(tmp_path, one=ONE, two=two)).comparisons
    assert list(result.tasks) == ["quality"]
    no_data = "No references for this task. Add them, or leave the task out"
    reasons = {
        "qmsum": "refused for two (2 of 3 answers are missing)",
        "space_digest": f"no answers of one; refused for two ({no_data})",
    }
    assert result.not_compared == reasons
    apart = compare(systems(tmp_path, partial=True, one={"quality": {"1_a": "A"}}, two={"quality": {"2_a": "A"}}))
    assert apart.comparisons[0].mean is None
    assert "not compared, no example was answered by both: quality" in comparison.as_text(apart)
