"""A comparison as text: the verdicts, the JSON, the terminal, Markdown and LaTeX."""

from pathlib import Path

import pytest
from compared_systems import ONE, TWO, systems
from shipped import as_shipped
from written_files import score

from zs_bench.reports import comparison
from zs_bench.reports.comparison import compare
from zs_bench.reports.comparison_text import p_value, verdict
from zs_bench.scoring.pairing import Outcome, SystemComparison
from zs_bench.statistics.bootstrap import Interval
from zs_bench.statistics.paired_comparison import PairedComparison


@pytest.fixture
def match(tmp_path: Path) -> SystemComparison:
    (found,) = compare(systems(tmp_path, one=ONE, two=TWO)).comparisons
    return found


def outcome(difference: float, p: float, more: int | None, ends: tuple[float, float] | None = None) -> Outcome:
    interval = Interval(*ends, 95, 1000, 1, None) if ends else None
    return Outcome((50 + difference, 50), PairedComparison(difference, interval, p, False, 10_000, 3, 2, 1, more))


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (outcome(5.26, 0.0123, 0, (1.24, 9.8)), "one is better by 5.3 points [1.2, 9.8], p = 0.012"),
        (outcome(-5.26, 0.0002, 0, (-9.8, -1.24)), "two is better by 5.3 points [1.2, 9.8], p = 0.0002"),
        (
            outcome(-1.0, 0.46, 1234, (-4.0, 2.02)),
            (
                "no clear difference: two leads by 1.0 points [-2.0, 4.0], p = 0.460; "
                "about 1,200 more examples would be needed"
            ),
        ),
        (
            outcome(1.0, 0.06, 0, (0.0, 2.0)),
            ("no clear difference: one leads by 1.0 points [0.0, 2.0], p = 0.060; a few more examples may be enough"),
        ),
        (
            outcome(1.0, 1.0, None),
            "no clear difference: one leads by 1.0 points, p = 1.000; a single document says nothing about others",
        ),
        (outcome(0.0, 1.0, None, (0.0, 0.0)), "no difference"),
    ],
)
def test_the_verdict_is_a_sentence_about_the_better_one(found: Outcome, sentence: str) -> None:
    assert verdict(found, "one", "two") == sentence


def test_the_number_of_examples_needed_is_reported_only_where_the_two_are_not_separated() -> None:
    assert outcome(5, 0.01, 12).more_examples is None
    assert outcome(5, 0.2, 12).more_examples == 12


def test_a_small_p_value_is_never_shown_as_zero() -> None:
    assert [p_value(p) for p in (1.0, 0.0123, 0.0012, 0.0001)] == ["1.000", "0.012", "0.001", "0.0001"]


# Data


def test_the_json_has_what_was_found_and_is_read_back_equal(tmp_path: Path, match: SystemComparison) -> None:
    both = systems(tmp_path, one=ONE, two=TWO)
    data = comparison.as_json(compare(both))
    assert as_shipped(data) == data
    assert list(data) == ["schema", "version", "systems", "matches"]
    assert [row["signature"] for row in data["systems"]] == [str(found.signature()) for found in both.values()]
    reported = data["matches"][0]
    keys = "first second tasks mean not_compared without_document signatures_differ settings_differ warnings"
    assert list(reported) == keys.split()
    quality, found = reported["tasks"]["quality"], match.tasks["quality"]
    assert quality["difference"] == found.comparison.difference
    assert quality["interval"] is None, "four examples are too few for an interval"
    assert quality["examples"][0] == {"id": "2_a", "scores": [100, 0], "difference": 100}
    assert (quality["n"], quality["total"], quality["separated"]) == (4, 4, False)
    assert quality["verdict"] == verdict(found, "one", "two")
    assert "examples" not in reported["mean"]


def test_the_same_systems_give_the_same_data_twice(tmp_path: Path) -> None:
    both = systems(tmp_path, one=ONE, two=TWO)
    assert comparison.as_json(compare(both)) == comparison.as_json(compare(both))


def test_the_markdown_has_a_row_of_numbers_and_a_verdict_per_task(tmp_path: Path) -> None:
    lines = comparison.as_markdown(compare(systems(tmp_path, one=ONE, two=TWO))).splitlines()
    assert lines[0] == "| task | one | two | wins-ties-losses | verdict |"
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| QMSum", "| QuALITY", "| mean of 2 tasks"]
    assert "| QuALITY | 75.0000 | 50.0000 | 2-1-1 | no clear difference: one leads by 25.0 points, " in lines[3]


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
