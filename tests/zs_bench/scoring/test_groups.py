"""Groups of a task's examples: by the length of the input, and by where in the document the answer is."""

from dataclasses import replace

import pytest
from compared_systems import systems

from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.dataset.rows import Example
from zs_bench.run_records import RunAccount, TaskAccount
from zs_bench.scoring.compare import NO_POSITION, QUARTERS, by_length, by_position, score_groups
from zs_bench.scoring.scored import run_scores
from zs_metric import score_task


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
