"""A comparison in sentences and tables: the verdict first, the JSON, Markdown and LaTeX."""

from pathlib import Path

from compared_systems import ONE, TWO, systems
from shipped import as_shipped
from written_files import score

from zs_bench.reports import comparison
from zs_bench.reports.comparison import compare, headline, verdict
from zs_bench.scoring.pairing import Outcome
from zs_bench.statistics.intervals import Interval
from zs_bench.statistics.paired_comparison import PairedComparison


def outcome(
    difference: float, p: float, ends: tuple[float, float], margin: float | None = None, most_lost: float = 0.0
) -> Outcome:
    found = PairedComparison(difference, Interval(*ends), most_lost, p, 30, 20, 50)
    return Outcome((50 + difference, 50), found, margin)


def test_a_verdict_without_a_margin_is_about_the_better_one() -> None:
    cases = {
        "one is better by 5.3 points [1.2, 9.8], p = 0.012": outcome(5.26, 0.0123, (1.24, 9.8)),
        "two is better by 5.3 points [1.2, 9.8], p = 0.0002": outcome(-5.26, 0.0002, (-9.8, -1.24)),
        "no clear difference: two leads by 1.0 points [-2.0, 4.0], p = 0.460; about 1,800 more examples would decide "
        "(190 to far more)": outcome(-1.0, 0.46, (-4.0, 2.02)),
        "no clear difference: equal scores [-1.0, 1.0], p = 1.000": outcome(0.0, 1.0, (-1.0, 1.0)),
    }
    assert [verdict(found, "one", "two") for found in cases.values()] == list(cases)
    few = PairedComparison(25.0, None, None, None, 2, 1, 1, "fewer than 10 examples")
    assert (
        verdict(Outcome((75, 50), few), "one", "two") == "undecided, fewer than 10 examples: one leads by 25.0 points"
    )


def test_a_verdict_at_a_margin_is_about_the_second_system() -> None:
    within = "as good as A within 2 points"
    cases = {
        "B is better than A: a gain of 1.0 points [0.2, 1.9], p = 0.010": (-1.0, 0.01, (-1.9, -0.2), 2.0),
        f"B is {within}: a loss of 0.5 points [-0.9, 1.9], of less than 1.6 with 95 % confidence": (
            *(0.5, 0.3, (-0.9, 1.9), 2.0, 1.6),
        ),
        f"B is {within}: a gain of 0.5 points [-0.1, 1.9], no loss with 95 % confidence": (
            *(-0.5, 0.07, (-1.9, 0.1), 2.0, -0.01),
        ),
        f"B is {within}: equal scores [-0.9, 1.9], a loss of less than 1.6 with 95 % confidence": (
            *(-1e-14, 1.0, (-1.9, 0.9), 2.0, 1.6),
        ),
        f"B is worse than A, and not shown to be {within}: a loss of 2.0 points [1.0, 3.0], p = 0.001": (
            *(2.0, 0.001, (1.0, 3.0), 2.0, 2.9),
        ),
        # ((1.645 + 0.842) * (6 / 3.92) / (2 - 0.5)) squared is 6.43, and there are 100 examples
        f"undecided whether B is {within}: a loss of 0.5 points [-2.5, 3.5]; "
        "about 540 more examples would decide (58 to far more)": (0.5, 0.7, (-2.5, 3.5), 2.0, 3.0),
    }
    assert [verdict(outcome(*found), "A", "B") for found in cases.values()] == list(cases)


def test_the_text_begins_with_the_verdict_and_names_the_answers_that_changed(tmp_path: Path) -> None:
    found = compare(systems(tmp_path, one=ONE, two=TWO), {"average": 2})
    lines = comparison.as_text(found).splitlines()
    assert lines[0] == headline(found.comparisons[0])
    assert lines[0].startswith("Mean of 2 tasks: undecided, fewer than 10 examples: one leads by ")
    assert "one and two: 7 examples answered by both, in 2 tasks." in lines
    assert "- quality: 2 right to wrong (2_a, 3_a), 1 wrong to right (4_a); 1 of 4 texts are identical" in lines
    assert next(line for line in lines if line.startswith("quality ")).split()[-1] == "2-1-1"
    assert next(line for line in lines if line.startswith("mean of 2 tasks ")).split()[-1] == "–", "no wins of its own"
    assert all(line.isprintable() for line in lines)


def test_the_json_has_what_was_found(tmp_path: Path) -> None:
    both = systems(tmp_path, one=ONE, two=TWO)
    data = comparison.as_json(compare(both, {"quality": 5}))
    assert as_shipped(data) == data == comparison.as_json(compare(both, {"quality": 5}))
    assert list(data) == ["schema", "version", "systems", "matches"]
    assert [row["signature"] for row in data["systems"]] == [str(found.signature()) for found in both.values()]
    (reported,) = data["matches"]
    keys = "first second tasks mean not_compared without_document signatures_differ settings_differ warnings"
    assert list(reported) == keys.split()
    quality = reported["tasks"]["quality"]
    assert {name: quality[name] for name in ("difference", "interval", "p_value", "p_holm", "kind", "margin")} == {
        "difference": 25,
        "interval": None,
        "p_value": None,
        "p_holm": None,
        "kind": "undecided",
        "margin": 5,
    }
    assert (quality["n"], quality["wins"], quality["lost"], quality["identical"]) == (4, 2, ["2_a", "3_a"], 1)
    assert quality["examples"][0] == {"id": "2_a", "scores": [100, 0], "difference": 100}
    assert (reported["mean"]["wins"], reported["mean"]["margin"]) == (None, None)


def test_the_markdown_has_a_row_of_numbers_and_a_verdict_per_task(tmp_path: Path) -> None:
    lines = comparison.as_markdown(compare(systems(tmp_path, one=ONE, two=TWO))).splitlines()
    assert lines[0] == "| task | one | two | wins-ties-losses | verdict |"
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| QMSum", "| QuALITY", "| mean of 2 tasks"]
    assert "| QuALITY | 75.0000 | 50.0000 | 2-1-1 | undecided, fewer than 10 examples: one leads by " in lines[3]


def test_hostile_names_and_ids_stay_on_their_line(tmp_path: Path) -> None:
    known = {"quality": {"a|b\n\x1b[2J": "A", "c": "B"}}
    hostile = {"o|n\ne\x1b": known, "two": {"quality": {"a|b\n\x1b[2J": "B", "c": "B"}}}
    found = {name: score(tmp_path / str(i), {"a.json": a}, known) for i, (name, a) in enumerate(hostile.items())}
    text, table = comparison.as_text(compare(found)), comparison.as_markdown(compare(found))
    assert "\x1b" not in text
    assert table.splitlines()[0] == "| task | o\\|n\\\\ne\\\\x1b | two | wins-ties-losses | verdict |"
