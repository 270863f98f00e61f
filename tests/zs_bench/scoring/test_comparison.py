"""Comparisons of systems agree with slow, plain computations from the texts, and report partial overlap."""

from itertools import product
from pathlib import Path
from statistics import fmean

import pytest
from compared_systems import KNOWN, ONE, TWO, systems
from written_files import score

from zs_bench.reports import comparison
from zs_bench.reports.comparison import compare
from zs_bench.reports.comparison_text import warnings
from zs_bench.scoring.pairing import SystemComparison
from zs_metric import ZeroScrollsError, score_example, score_task


@pytest.fixture
def match(tmp_path: Path) -> SystemComparison:
    (found,) = compare(systems(tmp_path, one=ONE, two=TWO)).comparisons
    return found


def plain_difference(task: str, one: list[str], two: list[str], ids: list[str]) -> float:
    """The difference of two systems on these examples, scored again from the texts."""
    references = [KNOWN[task][key] for key in ids]
    return score_task(task, one, references).score - score_task(task, two, references).score


def texts(task: str) -> tuple[list[str], list[str], list[str]]:
    ids = list(KNOWN[task])
    return [ONE[task][key] for key in ids], [TWO[task][key] for key in ids], ids


@pytest.mark.parametrize("task", KNOWN)
def test_the_difference_and_its_p_value_are_those_of_answers_swapped_and_scored_anew(
    match: SystemComparison, task: str
) -> None:
    one, two, ids = texts(task)
    found, observed = match.tasks[task].comparison, plain_difference(task, one, two, ids)
    assert found.difference == pytest.approx(observed, abs=1e-9)
    swapped = []
    for swaps in product([False, True], repeat=len(ids)):
        sides = [(b, a) if swap else (a, b) for a, b, swap in zip(one, two, swaps, strict=True)]
        swapped.append(abs(plain_difference(task, [a for a, _ in sides], [b for _, b in sides], ids)))
    assert found.p_value == pytest.approx(fmean(value >= abs(observed) - 1e-9 for value in swapped))


def test_the_interval_is_that_of_examples_drawn_again_and_scored_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zs_bench.statistics.paired_comparison.FEWEST_EXAMPLES", 2)
    (match,) = compare(systems(tmp_path, one=ONE, two=TWO)).comparisons
    one, two, ids = texts("qmsum")
    drawn = [
        plain_difference("qmsum", [one[i] for i in chosen], [two[i] for i in chosen], [ids[i] for i in chosen])
        for chosen in product(range(3), repeat=3)
    ]
    found = match.tasks["qmsum"].comparison.interval
    assert found is not None
    # one of 27 ways is the lowest, one the highest, and 1/27 is more than 2.5 %
    assert (found.low, found.high) == pytest.approx((min(drawn), max(drawn)))


@pytest.mark.parametrize("task", KNOWN)
def test_wins_ties_losses_and_the_examples_are_those_of_single_answers(match: SystemComparison, task: str) -> None:
    one, two, ids = texts(task)
    pairs = {
        key: (score_example(task, a, KNOWN[task][key]).score, score_example(task, b, KNOWN[task][key]).score)
        for key, a, b in zip(ids, one, two, strict=True)
    }
    found = match.tasks[task]
    assert found.comparison.wins == sum(a > b for a, b in pairs.values())
    assert found.comparison.losses == sum(a < b for a, b in pairs.values())
    assert found.comparison.ties == len(ids) - found.comparison.wins - found.comparison.losses
    for row in found.examples:
        assert (row.first, row.second) == pytest.approx(pairs[row.id])
    apart = [row.difference for row in found.examples]
    assert apart == sorted(apart, reverse=True) == pytest.approx([row.first - row.second for row in found.examples])


def test_the_mean_is_that_of_the_tasks_and_its_interval_one_of_its_own(match: SystemComparison) -> None:
    assert match.mean is not None
    differences = [found.comparison.difference for found in match.tasks.values()]
    assert match.mean.comparison.difference == pytest.approx(fmean(differences))
    assert match.mean.scores[0] == pytest.approx(fmean(found.scores[0] for found in match.tasks.values()))
    assert match.mean.comparison.wins == sum(found.comparison.wins for found in match.tasks.values())
    assert match.mean.comparison.interval is None, "its tasks have three and four examples"


def test_the_other_way_round_everything_changes_sides(tmp_path: Path, match: SystemComparison) -> None:
    (turned,) = compare(systems(tmp_path, two=TWO, one=ONE)).comparisons
    for task, found in match.tasks.items():
        other = turned.tasks[task]
        assert other.comparison.difference == -found.comparison.difference
        assert (other.comparison.p_value, other.comparison.wins) == (found.comparison.p_value, found.comparison.losses)
        assert other.examples[0].id == found.examples[-1].id


def test_examples_of_one_story_stay_together(tmp_path: Path) -> None:
    known = {"quality": {f"{story}_{i}": "A" for story in "12345678" for i in range(5)}}
    one = {"quality": dict.fromkeys(known["quality"], "A")}
    two = {"quality": {key: "B" if key[0] in "123" else "A" for key in known["quality"]}}
    (found,) = compare(systems(tmp_path, known, one=one, two=two)).comparisons
    assert found.tasks["quality"].comparison.interval is not None
    assert found.tasks["quality"].comparison.interval.clusters == 8
    assert found.tasks["quality"].comparison.p_value == 0.25  # of the eight swaps of three stories two are as extreme


# Several systems


def test_several_systems_are_each_compared_with_the_first(tmp_path: Path) -> None:
    found = compare(systems(tmp_path, one=ONE, two=TWO, three=ONE))
    assert [(match.first, match.second) for match in found.comparisons] == [("one", "two"), ("one", "three")]
    text = comparison.as_text(found)
    assert "one and two: 7 examples answered by both, in 2 tasks." in text
    assert "quality: no difference." in text


def test_one_system_cannot_be_compared_nor_two_aggregations(tmp_path: Path) -> None:
    with pytest.raises(ZeroScrollsError, match="two or more systems"):
        compare(systems(tmp_path, one=ONE))
    other = score(tmp_path / "x", {"answers.json": TWO}, KNOWN, rouge_aggregation="instance")
    with pytest.raises(ZeroScrollsError, match="score them by the same one"):
        compare({**systems(tmp_path, one=ONE), "two": other})


# Overlap


def test_only_examples_answered_by_both_are_compared_and_a_warning_says_so(tmp_path: Path) -> None:
    part_one = {"quality": {key: ONE["quality"][key] for key in ("1_a", "2_a", "3_a")}}
    part_two = {"quality": {key: TWO["quality"][key] for key in ("2_a", "3_a", "4_a")}}
    (match,) = compare(systems(tmp_path, partial=True, one=part_one, two=part_two)).comparisons
    found = match.tasks["quality"]
    assert (found.only_first, found.only_second, found.total, found.partial) == (["1_a"], ["4_a"], 4, True)
    assert {row.id for row in found.examples} == {"2_a", "3_a"}
    assert found.scores == (100, 0)
    assert warnings(match) == [
        (
            "quality: 2 of 4 examples were answered by both; 1 only by one (1_a); 1 only by two (4_a); "
            "only those by both are compared"
        )
    ]


def test_what_differs_in_the_signatures_is_said(tmp_path: Path) -> None:
    part = {"quality": {"1_a": "A"}}
    (match,) = compare(systems(tmp_path, partial=True, one=ONE, two=part)).comparisons
    assert match.differ == ["answers: 4 of 4 against 1 of 4 examples (the rest is left out of the score)"]
    assert any("the two were not scored in the same way: answers: 4 of 4" in line for line in warnings(match))


def test_other_references_are_never_compared_in_silence(tmp_path: Path) -> None:
    other = {"quality": {**KNOWN["quality"], "4_a": "A"}}
    both = {**systems(tmp_path, one={"quality": ONE["quality"]}), **systems(tmp_path, other, two=TWO)}
    (match,) = compare(both).comparisons
    assert len(match.differ) == 1
    assert "other examples or other reference texts" in match.differ[0]
    assert match.differ[0] in comparison.as_text(compare(both))


def test_tasks_that_one_lacks_or_that_were_refused_are_named_and_the_rest_compared(tmp_path: Path) -> None:
    two = {"quality": TWO["quality"], "qmsum": {"m1": "x"}, "space_digest": {"1": "5%"}}
    (match,) = compare(systems(tmp_path, one=ONE, two=two)).comparisons
    assert list(match.tasks) == ["quality"]
    assert match.not_compared == {"qmsum": "refused for two", "space_digest": "no answers of one; refused for two"}
    assert "mean of" not in comparison.as_text(compare(systems(tmp_path, one=ONE, two=two)))


def test_nothing_in_common_is_said_and_has_no_mean(tmp_path: Path) -> None:
    one, two = {"quality": {"1_a": "A"}}, {"quality": {"2_a": "A"}}
    found = compare(systems(tmp_path, partial=True, one=one, two=two))
    assert found.comparisons[0].mean is None
    assert found.comparisons[0].not_compared == {"quality": "no example was answered by both"}
    assert "not compared, no example was answered by both: quality" in comparison.as_text(found)
    assert comparison.as_json(found)["matches"][0]["mean"] is None
