"""Groups of a task's examples: by the length of the input, and by where in the document the answer is."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.compared_systems import systems
from zs_bench.dataset.rows import Example
from zs_bench.run_records.account import RunAccount, TaskAccount
from zs_bench.scoring.groups import NO_POSITION, QUARTERS, by_length, by_position, run_scores, score_groups
from zs_metric import score_task
from zs_metric.tasks import SCROLLS

QASPER = SCROLLS.all_tasks["qasper"]


def example(key: str, document: str, *references: str) -> Example:
    """An example of SCROLLS, whose inputs are the question, an empty line and the document."""
    return Example(QASPER, key, f"Why?\n\n{document}", list(references), [None])


def test_lengths_are_put_into_quarters_named_by_their_words() -> None:
    examples = [example(str(i), "word " * i) for i in range(1, 9)]
    groups = by_length(examples)
    assert [groups[str(i)] for i in range(1, 9)] == [
        *["2 to 3 words"] * 2,
        *["4 to 5 words"] * 2,
        *["6 to 7 words"] * 2,
        *["8 to 9 words"] * 2,
    ]


def test_the_quarters_follow_the_lengths_and_not_the_ids() -> None:
    groups = by_length([example(name, "word " * words) for name, words in zip("edcba", (1, 2, 3, 4, 5), strict=True)])
    assert groups == {"e": "2 words", "d": "3 words", "c": "4 words", "b": "5 to 6 words", "a": "5 to 6 words"}
    assert by_length([example("a", "word " * 9), example("b", "word")]) == {"b": "2 words", "a": "10 words"}


def test_inputs_of_one_length_are_one_group() -> None:
    assert set(by_length([example(str(i), "word") for i in range(5)]).values()) == {"2 words"}
    assert by_length([example("a", "word")]) == {"a": "2 words"}


@pytest.mark.parametrize(("place", "quarter"), [(0, 0), (24, 0), (25, 1), (49, 1), (50, 2), (75, 3), (98, 3)])
def test_the_position_is_the_quarter_of_the_document_in_which_the_words_of_the_reference_occur(
    place: int, quarter: int
) -> None:
    words = ["x"] * 100
    words[place : place + 2] = ["the", "answer"]
    assert by_position([example("a", " ".join(words), "The answer")]) == {"a": QUARTERS[quarter]}


def test_the_position_is_that_of_the_median_word_pair() -> None:
    words = ["x"] * 100
    words[0:2], words[80:83] = ["the", "answer"], ["answer", "is", "here"]
    assert by_position([example("a", " ".join(words), "The answer is here")]) == {"a": QUARTERS[3]}


def test_an_answer_of_one_word_or_of_other_words_has_no_position() -> None:
    assert set(by_position([example("a", "x y z", "x"), example("b", "x y z", "no such")]).values()) == {NO_POSITION}


def test_groups_come_in_the_order_of_the_document() -> None:
    late, early = example("a", "x " * 9 + "the end", "the end"), example("b", "the start" + " x" * 9, "the start")
    assert list(by_position([late, early])) == ["b", "a"]


def test_a_group_is_scored_as_the_task_is_and_all_examples_in_one_group_have_its_score(tmp_path: Path) -> None:
    answers = {str(i): "A" if i % 2 else "B" for i in range(20)}
    known = {"quality": {str(i): "A" for i in range(20)}}
    (scored,) = systems(tmp_path, known, one={"quality": answers}).values()
    task = scored.scored["quality"]
    halves = score_groups(task, {key: "odd" if int(key) % 2 else "even" for key in answers})
    assert {name: (one.examples, one.score) for name, one in halves.items()} == {"even": (10, 0.0), "odd": (10, 100.0)}
    (whole,) = score_groups(task, dict.fromkeys(answers, "all")).values()
    assert (whole.examples, whole.score, whole.interval) == (20, task.score, task.interval)


def test_a_group_has_the_documents_and_the_aggregation_of_its_task(tmp_path: Path) -> None:
    known = {"quality": {f"{10000 + i // 4}_X_{i}": "A" for i in range(40)}}
    (scored,) = systems(tmp_path, known, one=known).values()
    (group,) = score_groups(scored.scored["quality"], dict.fromkeys(known["quality"], "all")).values()
    assert group.interval
    assert group.interval.clusters == 10
    texts = {"qmsum": {"1": "a b c", "2": "d e f"}}
    (scored,) = systems(tmp_path / "qmsum", texts, one={"qmsum": {"1": "a b x", "2": "d e f"}}).values()
    task, groups = scored.scored["qmsum"], dict.fromkeys(texts["qmsum"], "all")
    corpus, instance = (score_groups(task, groups, how)["all"].score for how in ("corpus", "instance"))
    assert corpus == task.score
    assert instance == score_task("qmsum", task.predictions, task.references, rouge_aggregation="instance").score


def test_a_run_is_also_scored_without_its_cut_prompts_and_with_its_lost_ones(tmp_path: Path) -> None:
    known = {"qmsum": {str(i): "a b c" for i in range(4)}, "qasper": {"1": "a", "2": "b"}}
    answers = {"qmsum": {"0": "a b c", "1": "a b x", "2": "x"}, "qasper": {"1": "a", "2": "b"}}
    (scored,) = systems(tmp_path, known, partial=True, one=answers).values()
    assert run_scores(scored) == {}

    def of_run(tasks: dict[str, TaskAccount], how: str = "corpus") -> dict[str, dict[str, float | None]]:
        read = replace(scored.validation.read, run=RunAccount({}, tasks))
        return run_scores(replace(scored, validation=replace(scored.validation, read=read), rouge_aggregation=how))

    cut = {"qmsum": TaskAccount(4, {}, cut_by_server=("2",))}
    texts = ["a b c", "a b x"], ["a b c"] * 2
    for how in ("corpus", "instance"):
        (scores,) = of_run(cut, how).values()
        assert scores["without_cut"] == score_task("qmsum", *texts, rouge_aggregation=how).score
        lost = score_task("qmsum", [*texts[0], "x", ""], ["a b c"] * 4, rouge_aggregation=how).score
        assert scores["lost_as_empty"] == pytest.approx(lost)
    every = {"qmsum": TaskAccount(4, {}, cut_by_server=("0", "1", "2")), "qasper": TaskAccount(2, {})}
    assert of_run(every)["qmsum"]["without_cut"] is None
    assert of_run(every)["qasper"] == {"without_cut": None, "lost_as_empty": None}


def test_ids_without_a_group_and_groups_without_an_answer_are_left_out(tmp_path: Path) -> None:
    known = {"quality": {"1": "A", "2": "A"}}
    (scored,) = systems(tmp_path, known, one={"quality": {"1": "A", "2": "B"}}).values()
    assert list(score_groups(scored.scored["quality"], {"1": "first", "9": "other"})) == ["first"]
