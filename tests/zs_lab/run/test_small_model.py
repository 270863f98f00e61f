"""A real language model behind a real server, on this machine."""

import json
from pathlib import Path

import pytest
from run_folders import records
from small_model import DEMO, NAME, served

from zs_bench.cli import main

pytestmark = pytest.mark.slow


def options(url: str, out: Path, *more: str) -> list[str]:
    return ["run", "--base-url", url, "--model", NAME, "--out", str(out), "--concurrency", "1", *DEMO, *more]


def test_a_run_is_complete_and_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    with served() as url:
        assert main(options(url, out)) == 0
    assert len({record.key for record in records(out)}) == len(records(out)) == 4
    assert all(record.answer and record.usage["prompt_tokens"] > 100 for record in records(out))
    (session,) = json.loads((out / "run.json").read_text())["sessions"]
    assert session["model_entry"]["meta"]["n_ctx"] > 0
    assert "qasper         2         2" in capsys.readouterr().out
    assert main(["score", str(out), "--source", "embedded", "--quiet"]) == 0


def test_a_prompt_over_the_window_of_a_real_server_is_no_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(window=256) as url:
        assert main(options(url, tmp_path / "run")) == 1
        assert "does not fit into the model's window" in capsys.readouterr().err
        assert main(options(url, tmp_path / "run", "--skip-preflight")) == 1
    assert {record.status for record in records(tmp_path / "run")} <= {"ok", "overflow"}
    assert any(record.status == "overflow" and record.answer is None for record in records(tmp_path / "run"))
