"""Comparisons of scored systems: which examples are compared, what differs, which answers changed; and groups."""

from dataclasses import replace
from statistics import fmean

import pytest
from compared_systems import KNOWN, ONE, TWO, systems
from written_files import score

from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.dataset.rows import Example
from zs_bench.reports import comparison
from zs_bench.reports.comparison import compare, warnings
from zs_bench.run_records import RunAccount, TaskAccount
from zs_bench.scoring.compare import NO_POSITION, QUARTERS, by_length, by_position, score_groups
from zs_bench.scoring.scored import run_scores
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
        assert outcome.comparison == plain
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
    qmsum = {"qmsum": {str(i): f"a cat {i}" for i in range(60)}}
    references |= qmsum
    margins = {"mean": 1.5, "quality": 10, "qasper": 90}
    result = match(references, margins, one=references, two=many(60, 1) | qmsum)
    assert (result.tasks["quality"].margin, result.tasks["qmsum"].margin, result.mean.margin) == (10, 1.5, 1.5)
    assert (result.tasks["quality"].kind, result.mean.kind) == ("as good", "undecided")
    assert [result.holds(name) for name in margins] == [False, True, False]
    part = {"quality": dict(list(references["quality"].items())[:-1])}
    lacking = match(references, {"quality": 50}, partial=True, one=references, two=part | qmsum)
    assert (lacking.tasks["quality"].kind, lacking.holds("quality")) == ("undecided", False)


def test_a_margin_of_the_average_is_that_of_the_only_task_of_all_systems_and_refused_for_the_same_several(match):
    references, qmsum = many(60, 0), {"qmsum": {str(i): f"a cat {i}" for i in range(60)}}
    alone = match(references, {"average": 10}, one=references, two=many(60, 1))
    assert (alone.margins, alone.tasks["quality"].margin, alone.holds("quality")) == ({"quality": 10}, 10, True)
    own = match(references, {"average": 90, "quality": 2}, one=references, two=many(60, 1))
    assert (own.margins, own.holds("quality")) == ({"quality": 2}, False), "its own margin stays"
    both = references | qmsum
    with pytest.raises(
        ZeroScrollsError, match=r"all 10 tasks, and all systems have the same 2: give mean=2 .* qmsum=2 "
    ):
        match(both, {"average": 2}, one=both, two=both)
    lacking = match(both, {"average": 2}, one=both, two=references)
    assert (lacking.margins, lacking.holds("average")) == ({"average": 2}, False), "the new one lacks a task"


def test_p_values_of_several_systems_are_corrected_for_their_number_and_those_of_tasks_for_both(tmp_path):
    references = {**many(200, 0), "qmsum": {str(i): f"a cat {i}" for i in range(20)}}
    worse = {"qmsum": references["qmsum"] | {str(i): f"cat {i}" for i in range(2)}, **many(200, 7)}
    scored = systems(tmp_path, references, one=references, two=worse, three=worse, four=references)
    two, three, four = compare(scored).comparisons
    task, mean = two.tasks["quality"], two.mean
    assert mean.corrected == pytest.approx(2 * mean.comparison.p_value), "identical answers have no test"
    assert task.corrected == two.corrected["quality"] == pytest.approx(4 * task.comparison.p_value)
    assert (task.corrected_for, mean.corrected_for) == ("all tasks and systems", "all systems")
    assert (four.mean.corrected, three.mean.corrected) == (None, mean.corrected)
    named = compare(scored, {"quality": 1}).comparisons[0].tasks["quality"]
    assert (named.corrected, named.corrected_for) == (pytest.approx(2 * task.comparison.p_value), "all systems")
    (alone,) = compare({name: scored[name] for name in ("one", "two")}).comparisons
    assert (alone.mean.corrected, alone.tasks["quality"].corrected_for) == (None, "all tasks")
    tests = ((task, 4), (mean, 2), (named, 2), (alone.tasks["quality"], 2), (alone.mean, 1))
    for place, (outcome, number) in enumerate(tests):
        loss = outcome.comparison.of_tests(number).detectable
        assert outcome.comparison.detectable == pytest.approx(loss), f"the loss of {place} is that of its own tests"
    assert task.comparison.detectable > named.comparison.detectable > task.comparison.of_tests(1).detectable > 0


def test_randomisation_stands_beside_the_interval_and_decides_nothing(match, tmp_path):
    references = {"qmsum": {str(i): f"a cat {i} b{i} c{i} d{i}" for i in range(60)}}
    worse = {str(i): f"{i} x y" if i else "none" for i in range(6)}
    two = {"qmsum": references["qmsum"] | worse}
    scored = systems(tmp_path, references, one=references, two=two)
    plain, beside = compare(scored), compare(scored, test="randomization")
    outcome, before = beside.comparisons[0].tasks["qmsum"], plain.comparisons[0].tasks["qmsum"]
    assert 0 < outcome.randomization < 0.05
    assert replace(outcome, randomization=None) == before
    assert comparison.as_json(beside)["test"] == "ar:10000|seed:1"
    data = comparison.as_json(beside)["matches"][0]
    assert data["tasks"]["qmsum"]["p_randomization"] == outcome.randomization
    assert comparison.as_json(plain)["test"] is None
    with pytest.raises(ZeroScrollsError, match="no test 'bootstrap'; it is 'randomization'"):
        compare(scored, test="bootstrap")


def test_where_rouge_2_is_0_on_every_answer_of_both_no_change_can_be_seen_and_a_warning_says_so(match):
    references = {"qmsum": {str(i): f"cat{i} dog{i}" for i in range(20)}}
    one, two = ({"qmsum": {key: text.format(key) for key in references["qmsum"]}} for text in ("cat{0}", "dog{0}"))
    (warning,) = warnings(match(references, one=one, two=two))
    assert warning == "qmsum: ROUGE-2 is 0 on every answer of both, so that all score 0 and no change can be seen"
    assert warnings(match(references, one=one, two=one)) == warnings(match(references, one=one, two=references)) == []


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
    one = result.systems["one"]
    instance = score(tmp_path / "x", {"answers.json": TWO}, KNOWN, rouge_aggregation="instance")
    of_scrolls = score(tmp_path / "y", {"answers.json": TWO}, KNOWN, benchmark="scrolls")
    for others, why in (
        ({}, "two or more systems"),
        ({"one\x1b": one, "one\\x1b": one}, "different names"),
        ({"two": of_scrolls}, "different benchmarks"),
        ({"two": instance}, "score them by the same one"),
    ):
        with pytest.raises(ZeroScrollsError, match=why):
            compare({"one": one, **others})


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


def example(key, document, *references):
    """An example of SCROLLS, whose inputs are the question, an empty line and the document."""
    return Example(SCROLLS.tasks["qasper"], key, f"Why?\n\n{document}", list(references), [None])


def test_lengths_are_put_into_quarters_named_by_their_words():
    for words, groups in (
        (range(1, 9), ["2 to 3 words"] * 2 + ["4 to 5 words"] * 2 + ["6 to 7 words"] * 2 + ["8 to 9 words"] * 2),
        ((5, 4, 3, 2, 1), ["5 to 6 words", "5 to 6 words", "4 words", "3 words", "2 words"]),
        ((9, 1), ["10 words", "2 words"]),
        ((1, 1, 1, 1, 1), ["2 words"] * 5),
        ((1,), ["2 words"]),
    ):
        group_of = by_length([example(str(place), "word " * count) for place, count in enumerate(words)])
        assert [group_of[str(place)] for place in range(len(groups))] == groups


def document(*texts):
    """A hundred words, with each text after so many of them."""
    words = ["x"] * 100
    for place, text in texts:
        words[place : place + len(text.split())] = text.split()
    return " ".join(words)


@pytest.mark.parametrize(("place", "quarter"), [(0, 0), (24, 0), (25, 1), (49, 1), (50, 2), (75, 3), (98, 3)])
def test_the_position_is_the_quarter_of_the_document_in_which_the_words_of_the_reference_occur(place, quarter):
    assert by_position([example("a", document((place, "the answer")), "The answer")]) == {"a": QUARTERS[quarter]}


def test_the_position_is_that_of_the_median_word_pair_and_groups_come_in_the_order_of_the_document():
    late = example("late", document((0, "the answer"), (80, "answer is here")), "The answer is here")
    early = example("early", "a b c d e f g h", "a b")
    none = [example("one word", "x y z", "x"), example("other words", "x y z", "no such")]
    groups = {"early": QUARTERS[0], "late": QUARTERS[3], "one word": NO_POSITION, "other words": NO_POSITION}
    assert list(by_position([*none, late, early]).items()) == list(groups.items())


def test_a_group_is_scored_as_the_task_is_with_its_documents_and_its_aggregation(tmp_path):
    references = {"quality": {f"{10000 + i // 4}_ABCDEFGH_{i}": "A" for i in range(40)}}
    answers = {"quality": {key: "AB"[i % 2] for i, key in enumerate(references["quality"])}}
    (scored,) = systems(tmp_path, references, one=answers).values()
    task = scored.scored["quality"]
    halves = score_groups(task, {key: text + " answered" for key, text in answers["quality"].items()})
    points = {name: (group.examples, group.score) for name, group in halves.items()}
    assert points == {"A answered": (20, 100.0), "B answered": (20, 0.0)}
    (whole,) = score_groups(task, dict.fromkeys(answers["quality"], "all")).values()
    assert (whole.examples, whole.score, whole.interval) == (40, task.score, task.interval)
    assert whole.interval.clusters == 10
    assert list(score_groups(task, {task.answers[0].id: "first", "99": "other"})) == ["first"]
    texts = {"qmsum": {"1": "a b c", "2": "d e f"}}
    (scored,) = systems(tmp_path / "qmsum", texts, one={"qmsum": {"1": "a b x", "2": "d e f"}}).values()
    task, groups = scored.scored["qmsum"], dict.fromkeys(texts["qmsum"], "all")
    for how in ("corpus", "instance"):
        score = score_task("qmsum", *task.texts, rouge_aggregation=how).score
        assert score_groups(task, groups, how)["all"].score == score


def test_a_run_is_also_scored_without_its_cut_prompts_and_with_its_lost_ones(tmp_path):
    references = {"qmsum": {str(i): "a b c" for i in range(4)}, "qasper": {"1": "a", "2": "b"}}
    answers = {"qmsum": {"0": "a b c", "1": "a b x", "2": "x"}, "qasper": {"1": "a", "2": "b"}}
    (scored,) = systems(tmp_path, references, partial=True, one=answers).values()
    assert run_scores(scored) == {}

    def of_run(tasks, how="corpus"):
        read = replace(scored.validation.read, run=RunAccount({}, tasks))
        return run_scores(replace(scored, validation=replace(scored.validation, read=read), rouge_aggregation=how))

    for how in ("corpus", "instance"):
        (scores,) = of_run({"qmsum": TaskAccount(4, {}, cut_by_server=("2",))}, how).values()
        uncut = score_task("qmsum", ["a b c", "a b x"], ["a b c"] * 2, rouge_aggregation=how).score
        lost = score_task("qmsum", ["a b c", "a b x", "x", ""], ["a b c"] * 4, rouge_aggregation=how).score
        assert scores == {"without_cut": uncut, "lost_as_empty": pytest.approx(lost)}
    scores = of_run({"qmsum": TaskAccount(4, {}, cut_by_server=("0", "1", "2")), "qasper": TaskAccount(2, {})})
    assert scores["qmsum"]["without_cut"] is None
    assert scores["qasper"] == {"without_cut": None, "lost_as_empty": None}
