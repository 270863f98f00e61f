"""The repaired file of an upload: what it is called, and what is in it."""

from pathlib import Path

import pytest
from written_files import write

from zs_app.jobs import Upload, score_upload
from zs_app.server.result_tables import download, kept_page, new_result
from zs_metric.tasks import BENCHMARKS


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_the_repaired_file_has_the_name_of_its_own_benchmark(
    benchmark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "uploads"))
    answers = write(tmp_path / "answers.json", {"Qasper": {"7_0": "yes"}})
    references = write(tmp_path / "known.json", {"qasper": {"7": ["yes"]}})
    upload = Upload([str(answers)], [str(references)], "files", False, benchmark, repaired=True)
    new = new_result()
    score_upload(upload, new, lambda *_: None)
    text = download(new.stem, f"{benchmark}_predictions.csv")
    assert text == b'"Task","ID","Prediction"\n"qasper","7","yes"\n'
    assert "read as qasper" in kept_page(new.stem)["more"]
