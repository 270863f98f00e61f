"""Groups of a task's examples: by the length of the input, and by where in the document the answer is."""

from dataclasses import replace

import pytest
from compared_systems import systems

from zs_bench.dataset.rows import Example
from zs_bench.run_records.account import RunAccount, TaskAccount
from zs_bench.scoring.groups import NO_POSITION, QUARTERS, by_length, by_position, run_scores, score_groups
from zs_metric import score_task
from zs_metric.tasks import SCROLLS


def example(key, document, *references):
    """An example of SCROLLS, whose inputs are the question, an empty line and the document."""
    return Example(SCROLLS.tasks["qasper"], key, f"Why?\n\n{document}", list(references), [None])


@pytest.mark.parametrize(
    ("words", "groups"),
    [
        (range(1, 9), ["2 to 3 words"] * 2 + ["4 to 5 words"] * 2 + ["6 to 7 words"] * 2 + ["8 to 9 words"] * 2),
        ((5, 4, 3, 2, 1), ["5 to 6 words", "5 to 6 words", "4 words", "3 words", "2 words"]),
        ((9, 1), ["10 words", "2 words"]),
        ((1, 1, 1, 1, 1), ["2 words"] * 5),
        ((1,), ["2 words"]),
    ],
)
def test_lengths_are_put_into_quarters_named_by_their_words(words, groups):
    found = by_length([example(str(place), "word " * count) for place, count in enumerate(words)])
    assert [found[str(place)] for place in range(len(groups))] == groups


@pytest.mark.parametrize(("place", "quarter"), [(0, 0), (24, 0), (25, 1), (49, 1), (50, 2), (75, 3), (98, 3)])
def test_the_position_is_the_quarter_of_the_document_in_which_the_words_of_the_reference_occur(place, quarter):
    words = ["x"] * 100
    words[place : place + 2] = ["the", "answer"]
    assert by_position([example("a", " ".join(words), "The answer")]) == {"a": QUARTERS[quarter]}


def test_the_position_is_that_of_the_median_word_pair_and_groups_come_in_the_order_of_the_document():
    words = ["x"] * 100
    words[0:2], words[80:83] = ["the", "answer"], ["answer", "is", "here"]
    late, early = example("late", " ".join(words), "The answer is here"), example("early", "a b c d e f g h", "a b")
    none = [example("one word", "x y z", "x"), example("other words", "x y z", "no such")]
    groups = {"early": QUARTERS[0], "late": QUARTERS[3], "one word": NO_POSITION, "other words": NO_POSITION}
    assert list(by_position([*none, late, early]).items()) == list(groups.items())


def test_a_group_is_scored_as_the_task_is(tmp_path):
    answers = {str(i): "A" if i % 2 else "B" for i in range(20)}
    (scored,) = systems(tmp_path, {"quality": dict.fromkeys(answers, "A")}, one={"quality": answers}).values()
    task = scored.scored["quality"]
    halves = score_groups(task, {key: "odd" if int(key) % 2 else "even" for key in answers})
    assert {name: (one.examples, one.score) for name, one in halves.items()} == {"even": (10, 0.0), "odd": (10, 100.0)}
    (whole,) = score_groups(task, dict.fromkeys(answers, "all")).values()
    assert (whole.examples, whole.score, whole.interval) == (20, task.score, task.interval)
    assert list(score_groups(task, {"1": "first", "99": "other"})) == ["first"]


def test_a_group_has_the_documents_and_the_aggregation_of_its_task(tmp_path):
    known = {"quality": {f"{10000 + i // 4}_X_{i}": "A" for i in range(40)}}
    (scored,) = systems(tmp_path, known, one=known).values()
    (group,) = score_groups(scored.scored["quality"], dict.fromkeys(known["quality"], "all")).values()
    assert group.interval.clusters == 10
    texts = {"qmsum": {"1": "a b c", "2": "d e f"}}
    (scored,) = systems(tmp_path / "qmsum", texts, one={"qmsum": {"1": "a b x", "2": "d e f"}}).values()
    task, groups = scored.scored["qmsum"], dict.fromkeys(texts["qmsum"], "all")
    for how in ("corpus", "instance"):
        score = score_task("qmsum", task.predictions, task.references, rouge_aggregation=how).score
        assert score_groups(task, groups, how)["all"].score == score


def test_a_run_is_also_scored_without_its_cut_prompts_and_with_its_lost_ones(tmp_path):
    known = {"qmsum": {str(i): "a b c" for i in range(4)}, "qasper": {"1": "a", "2": "b"}}
    answers = {"qmsum": {"0": "a b c", "1": "a b x", "2": "x"}, "qasper": {"1": "a", "2": "b"}}
    (scored,) = systems(tmp_path, known, partial=True, one=answers).values()
    assert run_scores(scored) == {}

    def of_run(tasks, how="corpus"):
        read = replace(scored.validation.read, run=RunAccount({}, tasks))
        return run_scores(replace(scored, validation=replace(scored.validation, read=read), rouge_aggregation=how))

    for how in ("corpus", "instance"):
        (scores,) = of_run({"qmsum": TaskAccount(4, {}, cut_by_server=("2",))}, how).values()
        assert (
            scores["without_cut"] == score_task("qmsum", ["a b c", "a b x"], ["a b c"] * 2, rouge_aggregation=how).score
        )
        lost = score_task("qmsum", ["a b c", "a b x", "x", ""], ["a b c"] * 4, rouge_aggregation=how).score
        assert scores["lost_as_empty"] == pytest.approx(lost)
    found = of_run({"qmsum": TaskAccount(4, {}, cut_by_server=("0", "1", "2")), "qasper": TaskAccount(2, {})})
    assert found["qmsum"]["without_cut"] is None
    assert found["qasper"] == {"without_cut": None, "lost_as_empty": None}
