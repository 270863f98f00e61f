"""The published conformance cases: gathered from the golden tables, complete, and run by `zero-scrolls selftest`."""

import json
from pathlib import Path
from typing import Any

import pytest
from make_conformance import PUBLISHED, as_text, conformance_rows

from zs_bench import conformance
from zs_bench.cli import main
from zs_metric import engine, rouge
from zs_metric.version import VERSION


def test_the_published_file_is_what_the_golden_tables_hold() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == as_text(), "run `make conformance`"


def test_this_scorer_conforms_to_every_case() -> None:
    assert [found for case in conformance.cases() if (found := conformance.failure(case))] == []


# The command


def test_the_selftest_prints_one_line_and_exits_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selftest"]) == 0
    out, err = capsys.readouterr()
    (line,) = out.splitlines()
    count = len(conformance.cases())
    assert line.startswith(f"zero-scrolls {VERSION}, {engine().name}: ok: {count} of {count} conformance cases")
    assert err == ""


def with_cases(monkeypatch: pytest.MonkeyPatch, path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.setattr(conformance, "CASES", path)


KEYS = [("answer", "score"), ("answer", "rougeL"), ("task", "score"), ("task", "instance_score")]


@pytest.mark.parametrize(("kind", "key"), KEYS)
def test_a_wrong_number_in_a_case_fails_the_selftest_and_names_the_case(
    kind: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = conformance_rows()
    wrong = next(row for row in rows if row["kind"] == kind and key in row)
    wrong[key] += 0.0001
    with_cases(monkeypatch, tmp_path / "cases.jsonl", rows)
    assert main(["selftest"]) == 1
    out, err = capsys.readouterr()
    assert f"FAILED: {len(rows) - 1} of {len(rows)} conformance cases" in out
    assert f"{wrong['task']}, " in err
    assert f": {key} is " in err


def test_a_wrong_released_key_or_one_that_is_lacking_fails(tmp_path: Path) -> None:
    (case, *_) = (row for row in conformance_rows() if row["kind"] == "task")
    assert "rouge/rouge1 is" in str(conformance.failure({**case, "metrics": {"rouge/rouge1": 1.0}}))
    assert "rouge/rougeLsum is None" in str(conformance.failure({**case, "metrics": {"rouge/rougeLsum": 1.0}}))


def test_a_case_that_cannot_be_scored_is_a_failure_and_not_an_error() -> None:
    case = conformance_rows()[0] | {"references": []}
    assert "references is an empty list" in str(conformance.failure(case))


def test_an_empty_file_of_cases_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with_cases(monkeypatch, tmp_path / "cases.jsonl", [])
    assert main(["selftest"]) == 1
    assert "FAILED: 0 of 0" in capsys.readouterr().out


def test_engines_that_differ_fail_the_selftest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = engine("rouge-score")

    def other(name: str | None = None, **_: Any) -> rouge.Engine:
        swapped = lambda references, predictions: plain.score_pairs(predictions, references)  # noqa: E731
        return plain if name == "rouge-score" else rouge.Engine("other 1", swapped)

    monkeypatch.setattr(conformance, "engine", other)
    assert main(["selftest"]) == 1
    out, err = capsys.readouterr()
    assert "the ROUGE engines differ" in out
    assert "rouge-score-rs and rouge-score differ on (" in err


def test_one_engine_alone_is_said_and_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> None:
        raise ImportError

    monkeypatch.setattr(conformance, "engines_apart", missing)
    assert main(["selftest"]) == 0
    assert "only one ROUGE engine is installed" in capsys.readouterr().out
