"""The golden rows and the sample have the same scores, readings and reasons in every report, to the last digit."""

import json

import pytest
from gradio_client import handle_file
from kept_results import exported
from scored_cases import check, inputs
from written_files import write

from zs_app import jobs
from zs_app.jobs import Upload
from zs_app.result_tables import new_result
from zs_bench.benchmarks import BENCHMARKS
from zs_start.cli import main


@pytest.mark.parametrize("benchmark", [name for name, row in BENCHMARKS.items() if row.file("examples")])
def test_the_command_the_endpoints_and_the_page_report_the_scorers_numbers(benchmark, client, tmp_path, monkeypatch):
    contents = dict(zip(("predictions", "references"), inputs(benchmark), strict=True))
    paths = {name: str(write(tmp_path / f"{name}.json", content)) for name, content in contents.items()}
    out = tmp_path / "report.json"
    arguments = [paths["predictions"], "--references", paths["references"], "--benchmark", benchmark]
    assert main(["score", *arguments, "--quiet", "--json", str(out)]) == 0
    check(json.loads(out.read_text(encoding="utf-8")), benchmark)

    uploads = ([handle_file(path)] for path in paths.values())
    check(client.predict(*uploads, benchmark=benchmark, api_name="/score_file"), benchmark)
    check(client.predict(*contents.values(), benchmark=benchmark, api_name="/score_predictions"), benchmark)

    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "uploads"))
    result = new_result()
    upload = Upload([paths["predictions"]], [paths["references"]], "files", False, benchmark)
    jobs.score_upload(upload, result, lambda *_: None)
    check(json.loads(exported(result.stem, "predictions-report.json")), benchmark)
