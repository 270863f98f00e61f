"""The published conformance cases: gathered from the golden tables, complete, and run by `zero-scrolls selftest`."""

import json

import pytest
from make_conformance import PUBLISHED, as_text, conformance_rows

from zs_bench import conformance
from zs_metric import engine, rouge
from zs_metric.version import VERSION

ROWS = conformance_rows()
ANSWER, TASK = (next(row for row in ROWS if row["kind"] == kind) for kind in ("answer", "task"))
ROUGE = next(row for row in ROWS if "rougeL" in row and row["kind"] == "answer")


def test_the_published_file_is_what_the_golden_tables_hold():
    assert PUBLISHED.read_text(encoding="utf-8") == as_text(), "run `make conformance`"


def test_the_selftest_scores_every_case_and_prints_one_line(zero_scrolls):
    done = zero_scrolls("selftest")
    count = len(conformance.cases())
    passed = f"zero-scrolls {VERSION}, {engine().name}: ok: {count} of {count} conformance cases"
    assert (done.status, done.out.startswith(passed), done.out.count("\n"), done.err) == (0, True, 1, "")


@pytest.fixture
def selftest(tmp_path, monkeypatch, zero_scrolls):
    """Run the command with these cases."""

    def run(*cases):
        (tmp_path / "cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases), encoding="utf-8")
        monkeypatch.setattr(conformance, "CASES", tmp_path / "cases.jsonl")
        return zero_scrolls("selftest")

    return run


@pytest.mark.parametrize(
    ("case", "change", "message"),
    [
        (ANSWER, {"score": ANSWER["score"] + 0.0001}, ": score is "),
        (ROUGE, {"rougeL": ROUGE["rougeL"] + 0.0001}, ": rougeL is "),
        (TASK, {"score": TASK["score"] + 0.0001}, ": score is "),
        (TASK, {"instance_score": TASK["instance_score"] + 0.0001}, ": instance_score is "),
        (TASK, {"metrics": {"rouge/rouge1": 1.0}}, "rouge/rouge1 is "),
        (TASK, {"metrics": {"rouge/rougeLsum": 1.0}}, "rouge/rougeLsum is None"),
        (ANSWER, {"references": []}, "references is an empty list"),
    ],
)
def test_a_case_that_differs_fails_the_selftest_and_is_named(case, change, message, selftest):
    done = selftest(ANSWER, case | change)
    assert (done.status, "FAILED: 1 of 2 conformance cases" in done.out) == (1, True)
    assert done.err.startswith(f"{case['task']}, ")
    assert message in done.err


def test_a_selftest_without_cases_fails(selftest):
    assert selftest().status == 1


def test_engines_that_differ_fail_the_selftest_and_one_alone_does_not(monkeypatch, zero_scrolls):
    plain = engine("rouge-score")
    swapped = rouge.Engine("other 1", lambda references, predictions: plain.score_pairs(predictions, references))
    monkeypatch.setattr(conformance, "engine", lambda name=None, **_: plain if name == "rouge-score" else swapped)
    done = zero_scrolls("selftest")
    assert (done.status, "the ROUGE engines differ" in done.out) == (1, True)
    assert "rouge-score-rs and rouge-score differ on (" in done.err

    def missing(_):
        raise ImportError

    monkeypatch.setattr(conformance, "engine", missing)
    done = zero_scrolls("selftest")
    assert (done.status, "only one ROUGE engine is installed" in done.out) == (0, True)
