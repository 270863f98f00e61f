"""Systems compared: against slow, plain computations from the texts; verdicts; what is said of overlap."""

import json
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from written_files import score

from zs_bench.reports import comparison
from zs_bench.reports.comparison import compare
from zs_bench.reports.comparison_text import p_value, verdict, warnings
from zs_bench.reports.matches import Match, Outcome
from zs_bench.reports.scored import ScoredFile
from zs_bench.statistics.bootstrap import Interval
from zs_bench.statistics.duel import Duel
from zs_metric import ZeroScrollsError, score_example, score_task

KNOWN = {
    "qmsum": {"m1": ["a cat sat on the mat", "the cat"], "m2": "dogs bark at night", "m3": "it rains all day"},
    "quality": {"1_a": "A", "2_a": "B", "3_a": "C", "4_a": "D"},
}
ONE = {
    "qmsum": {"m1": "a cat sat on a mat", "m2": "dogs bark", "m3": "it rains"},
    "quality": {"1_a": "A", "2_a": "B", "3_a": "C", "4_a": "A"},
}
TWO = {
    "qmsum": {"m1": "the cat sat", "m2": "dogs bark at night", "m3": "snow all day"},
    "quality": {"1_a": "A", "2_a": "C", "3_a": "A", "4_a": "D"},
}


def systems(folder: Path, known: Any = KNOWN, *, partial: bool = False, **answers: Any) -> dict[str, ScoredFile]:
    return {
        name: score(folder / name, {"answers.json": content}, known, partial=partial)
        for name, content in answers.items()
    }


@pytest.fixture
def match(tmp_path: Path) -> Match:
    (found,) = compare(systems(tmp_path, one=ONE, two=TWO)).matches
    return found


def plain_difference(task: str, one: list[str], two: list[str], ids: list[str]) -> float:
    """The difference of two systems' answers to these examples, scored anew from the texts."""
    references = [KNOWN[task][key] for key in ids]
    return score_task(task, one, references).score - score_task(task, two, references).score


def texts(task: str) -> tuple[list[str], list[str], list[str]]:
    ids = list(KNOWN[task])
    return [ONE[task][key] for key in ids], [TWO[task][key] for key in ids], ids


@pytest.mark.parametrize("task", KNOWN)
def test_the_difference_and_its_p_value_are_those_of_answers_swapped_and_scored_anew(match: Match, task: str) -> None:
    one, two, ids = texts(task)
    found, observed = match.tasks[task].duel, plain_difference(task, one, two, ids)
    assert found.difference == pytest.approx(observed, abs=1e-9)
    swapped = []
    for swaps in product([False, True], repeat=len(ids)):
        sides = [(b, a) if swap else (a, b) for a, b, swap in zip(one, two, swaps, strict=True)]
        swapped.append(abs(plain_difference(task, [a for a, _ in sides], [b for _, b in sides], ids)))
    assert found.p_value == pytest.approx(fmean(value >= abs(observed) - 1e-9 for value in swapped))


def test_the_interval_is_that_of_examples_drawn_again_and_scored_anew(match: Match) -> None:
    one, two, ids = texts("qmsum")
    drawn = [
        plain_difference("qmsum", [one[i] for i in chosen], [two[i] for i in chosen], [ids[i] for i in chosen])
        for chosen in product(range(3), repeat=3)
    ]
    found = match.tasks["qmsum"].duel.interval
    assert found is not None
    # one of 27 ways is the lowest, one the highest, and 1/27 is more than 2.5 %
    assert (found.low, found.high) == pytest.approx((min(drawn), max(drawn)))


@pytest.mark.parametrize("task", KNOWN)
def test_wins_ties_losses_and_the_examples_are_those_of_single_answers(match: Match, task: str) -> None:
    one, two, ids = texts(task)
    pairs = {
        key: (score_example(task, a, KNOWN[task][key]).score, score_example(task, b, KNOWN[task][key]).score)
        for key, a, b in zip(ids, one, two, strict=True)
    }
    found = match.tasks[task]
    assert found.duel.wins == sum(a > b for a, b in pairs.values())
    assert found.duel.losses == sum(a < b for a, b in pairs.values())
    assert found.duel.ties == len(ids) - found.duel.wins - found.duel.losses
    for row in found.examples:
        assert (row.first, row.second) == pytest.approx(pairs[row.id])
    apart = [row.difference for row in found.examples]
    assert apart == sorted(apart, reverse=True) == pytest.approx([row.first - row.second for row in found.examples])


def test_the_mean_is_that_of_the_tasks_and_its_interval_one_of_its_own(match: Match) -> None:
    assert match.mean is not None
    differences = [found.duel.difference for found in match.tasks.values()]
    assert match.mean.duel.difference == pytest.approx(fmean(differences))
    assert match.mean.scores[0] == pytest.approx(fmean(found.scores[0] for found in match.tasks.values()))
    assert match.mean.duel.wins == sum(found.duel.wins for found in match.tasks.values())
    assert match.mean.duel.interval is not None


def test_the_other_way_round_everything_changes_sides(tmp_path: Path, match: Match) -> None:
    (turned,) = compare(systems(tmp_path, two=TWO, one=ONE)).matches
    for task, found in match.tasks.items():
        other = turned.tasks[task]
        assert other.duel.difference == -found.duel.difference
        assert (other.duel.p_value, other.duel.wins) == (found.duel.p_value, found.duel.losses)
        assert other.examples[0].id == found.examples[-1].id


def test_examples_of_one_story_stay_together(tmp_path: Path) -> None:
    known = {"quality": {f"{story}_{i}": "A" for story in "12345678" for i in range(5)}}
    one = {"quality": dict.fromkeys(known["quality"], "A")}
    two = {"quality": {key: "B" if key[0] in "123" else "A" for key in known["quality"]}}
    (found,) = compare(systems(tmp_path, known, one=one, two=two)).matches
    assert found.tasks["quality"].duel.interval is not None
    assert found.tasks["quality"].duel.interval.clusters == 8
    assert found.tasks["quality"].duel.p_value == 0.25  # three stories can be swapped: two of eight ways are as extreme


# Several systems


def test_several_systems_are_each_held_against_the_first(tmp_path: Path) -> None:
    found = compare(systems(tmp_path, one=ONE, two=TWO, three=ONE))
    assert [(match.first, match.second) for match in found.matches] == [("one", "two"), ("one", "three")]
    text = comparison.as_text(found)
    assert "one against two: 7 examples answered by both, tasks: 2." in text
    assert "quality: no difference." in text


def test_one_system_cannot_be_compared_nor_two_aggregations(tmp_path: Path) -> None:
    with pytest.raises(ZeroScrollsError, match="two or more systems"):
        compare(systems(tmp_path, one=ONE))
    other = score(tmp_path / "x", {"answers.json": TWO}, KNOWN, rouge_aggregation="instance")
    with pytest.raises(ZeroScrollsError, match="score them by one"):
        compare({**systems(tmp_path, one=ONE), "two": other})


# Overlap


def test_only_examples_answered_by_both_are_compared_and_a_warning_says_so(tmp_path: Path) -> None:
    part_one = {"quality": {key: ONE["quality"][key] for key in ("1_a", "2_a", "3_a")}}
    part_two = {"quality": {key: TWO["quality"][key] for key in ("2_a", "3_a", "4_a")}}
    (match,) = compare(systems(tmp_path, partial=True, one=part_one, two=part_two)).matches
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
    (match,) = compare(systems(tmp_path, partial=True, one=ONE, two=part)).matches
    assert match.differ == ["answers: 4 of 4 against 1 of 4 examples (the rest is left out of the score)"]
    assert any("the two scores rest on different things: answers: 4 of 4" in line for line in warnings(match))


def test_other_references_are_never_compared_in_silence(tmp_path: Path) -> None:
    other = {"quality": {**KNOWN["quality"], "4_a": "A"}}
    both = {**systems(tmp_path, one={"quality": ONE["quality"]}), **systems(tmp_path, other, two=TWO)}
    (match,) = compare(both).matches
    assert len(match.differ) == 1
    assert "other examples or other reference texts" in match.differ[0]
    assert match.differ[0] in comparison.as_text(compare(both))


def test_tasks_that_one_lacks_or_that_were_refused_are_named_and_the_rest_compared(tmp_path: Path) -> None:
    two = {"quality": TWO["quality"], "qmsum": {"m1": "x"}, "space_digest": {"1": "5%"}}
    (match,) = compare(systems(tmp_path, one=ONE, two=two)).matches
    assert list(match.tasks) == ["quality"]
    assert match.not_compared == {"qmsum": "refused for two", "space_digest": "no answers of one; refused for two"}
    assert "mean of 1 task: " in comparison.as_text(compare(systems(tmp_path, one=ONE, two=two)))


def test_nothing_in_common_is_said_and_has_no_mean(tmp_path: Path) -> None:
    one, two = {"quality": {"1_a": "A"}}, {"quality": {"2_a": "A"}}
    found = compare(systems(tmp_path, partial=True, one=one, two=two))
    assert found.matches[0].mean is None
    assert found.matches[0].not_compared == {"quality": "no example was answered by both"}
    assert "quality: not compared, no example was answered by both" in comparison.as_text(found)
    assert comparison.as_json(found)["matches"][0]["mean"] is None


# Words


def outcome(difference: float, p: float, more: int | None, ends: tuple[float, float] | None = None) -> Outcome:
    interval = Interval(*ends, 95, 1000, 1, None) if ends else None
    return Outcome((50 + difference, 50), Duel(difference, interval, p, False, 10_000, 3, 2, 1, more))


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (outcome(5.26, 0.0123, 0, (1.24, 9.8)), "one is better by 5.3 points [1.2, 9.8], p = 0.012"),
        (outcome(-5.26, 0.0002, 0, (-9.8, -1.24)), "two is better by 5.3 points [1.2, 9.8], p = 0.0002"),
        (
            outcome(-1.0, 0.46, 1234, (-4.0, 2.02)),
            "not separated: two leads by 1.0 points [-2.0, 4.0], p = 0.460; about 1,200 more examples would be needed",
        ),
        (
            outcome(1.0, 0.06, 0, (0.0, 2.0)),
            "not separated: one leads by 1.0 points [0.0, 2.0], p = 0.060; a few more examples may separate them",
        ),
        (
            outcome(1.0, 1.0, None),
            "not separated: one leads by 1.0 points, p = 1.000; from a single document nothing can be said",
        ),
        (outcome(0.0, 1.0, None, (0.0, 0.0)), "no difference"),
    ],
)
def test_the_verdict_is_a_sentence_told_of_the_better_one(found: Outcome, sentence: str) -> None:
    assert verdict(found, "one", "two") == sentence


def test_how_many_more_examples_is_told_only_where_the_two_are_not_separated() -> None:
    assert outcome(5, 0.01, 12).more_examples is None
    assert outcome(5, 0.2, 12).more_examples == 12


def test_a_small_p_value_is_never_told_as_nothing() -> None:
    assert [p_value(p) for p in (1.0, 0.0123, 0.0012, 0.0001)] == ["1.000", "0.012", "0.001", "0.0001"]


# Data


def test_the_json_has_what_was_found_and_is_read_back_equal(tmp_path: Path, match: Match) -> None:
    both = systems(tmp_path, one=ONE, two=TWO)
    data = comparison.as_json(compare(both))
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert list(data) == ["schema", "version", "systems", "matches"]
    assert [row["signature"] for row in data["systems"]] == [str(found.signature()) for found in both.values()]
    told = data["matches"][0]
    assert list(told) == ["first", "second", "tasks", "mean", "not_compared", "signatures_differ", "warnings"]
    quality, found = told["tasks"]["quality"], match.tasks["quality"]
    assert quality["difference"] == found.duel.difference
    assert quality["interval"]["low"] == found.duel.interval.low  # type: ignore[union-attr]
    assert quality["examples"][0] == {"id": "2_a", "scores": [100, 0], "difference": 100}
    assert (quality["n"], quality["total"], quality["separated"]) == (4, 4, False)
    assert quality["verdict"] == verdict(found, "one", "two")
    assert "examples" not in told["mean"]


def test_the_same_systems_give_the_same_data_twice(tmp_path: Path) -> None:
    both = systems(tmp_path, one=ONE, two=TWO)
    assert comparison.as_json(compare(both)) == comparison.as_json(compare(both))


def test_the_markdown_has_a_row_of_numbers_and_a_verdict_per_task(tmp_path: Path) -> None:
    lines = comparison.as_markdown(compare(systems(tmp_path, one=ONE, two=TWO))).splitlines()
    assert lines[0] == "| task | one | two | wins-ties-losses | verdict |"
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| QMSum", "| QuALITY", "| mean of 2 tasks"]
    assert "| QuALITY | 75.0000 | 50.0000 | 2-1-1 | not separated: one leads by 25.0 points " in lines[3]


def test_the_text_names_the_examples_furthest_apart_on_both_sides(tmp_path: Path) -> None:
    text = comparison.as_text(compare(systems(tmp_path, one=ONE, two=TWO)))
    assert "\n- quality: 2_a +100.0, 3_a +100.0, 4_a -100.0\n" in text
    assert all(line.isprintable() for line in text.splitlines())


def test_hostile_names_and_ids_stay_on_their_line(tmp_path: Path) -> None:
    known = {"quality": {"a|b\n\x1b[2J": "A", "c": "B"}}
    hostile = {"o|n\ne\x1b": known, "two": {"quality": {"a|b\n\x1b[2J": "B", "c": "B"}}}
    found = {name: score(tmp_path / str(i), {"a.json": a}, known) for i, (name, a) in enumerate(hostile.items())}
    text, table = comparison.as_text(compare(found)), comparison.as_markdown(compare(found))
    assert "\x1b" not in text
    assert table.splitlines()[0] == "| task | o\\|n\\\\ne\\\\x1b | two | wins-ties-losses | verdict |"
