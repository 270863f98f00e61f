"""The tables of other people's scorers in benchmarks/other-scorers.md, and LongBench's packages beside ours."""

import os
import subprocess
import sys
from pathlib import Path

import longbench_packages
import make_scoreboard
import pytest

ROOT = Path(__file__).parents[1]


def test_a_scorer_that_fails_or_differs_is_counted_and_the_page_has_the_stated_values() -> None:
    def lazy(prediction: str, references: object) -> dict[str, float]:
        if not prediction:
            raise ValueError
        return {"score": 100.0}

    row = make_scoreboard.Row("rouge-score", "lazy", "accuracy", lambda: lazy)
    _, _, metric, agrees, example = make_scoreboard.compare(row)
    cases = [case for case in make_scoreboard.cases() if case["metric"] == "accuracy"]
    right = [case for case in cases if case["score"] == 100]
    assert (metric, agrees) == ("accuracy", f"{len(right)} of {len(cases)}")
    assert example
    assert make_scoreboard.stated_table().markdown() in make_scoreboard.PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "arguments"), [("scoreboard", "--check"), ("longbench-packages", "--cases 5000 --seed 1")]
)
def test_the_tables_are_made_again_byte_for_byte_and_what_replaces_packages_is_equal_to_them(
    target: str, arguments: str
) -> None:
    if sys.version_info < (3, 11):
        pytest.skip("Inspect needs Python 3.11")
    environment = ROOT / ".cache" / "scorers" / "stamp"
    if not (environment.exists() or os.environ.get("ZS_REQUIRE_HARNESSES")):
        pytest.skip("the scorers are not installed: make scoreboard")
    make = ["make", target, f"ARGS={arguments}", f"PYTHON={sys.executable}"]
    done = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_differs_from_a_package_is_said_and_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ratio = longbench_packages.our_ratio
    for other in (ratio, lambda prediction, reference: (ratio(prediction, reference)[0] + 1,)):
        monkeypatch.setattr(longbench_packages, "PAIRS", {"a": (other, ratio, longbench_packages.line)})
        assert longbench_packages.main(["--cases", "20"]) == (0 if other is ratio else 1)
    equal, differs = capsys.readouterr().out.splitlines()
    assert "a, random texts: 20 of 20 equal" in equal
    assert "a, random texts: 0 of 20 equal" in differs
    assert "there" in differs.rpartition("; ")[2]
