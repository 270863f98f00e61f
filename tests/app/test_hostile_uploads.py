"""Hostile files sent to the running app: each gets a response, and the server survives."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from hostile_files import hostile_files

from zs_app.server import jobs, uploads, workers
from zs_bench.files import limits

REFERENCES = b'{"quality": {"a": ["B"], "b": ["D"]}, "qasper": {"q": ["yes"]}, "space_digest": {"s": ["50%"]}}'
# A quarter of a million answers take seconds: they have a test of their own.
LONG = ("many-ids", "many-rows")


@pytest.mark.slow
def test_every_hostile_file_gets_a_response_and_the_server_survives(url, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "NICE", 0)  # two hundred jobs that give way to everything would take long
    with httpx.Client(base_url=f"{url}/gradio_api/", timeout=300) as client:

        def uploaded(name, data):
            path = client.post("upload", files={"files": (name, data)}).json()[0]
            return {"path": path, "meta": {"_type": "gradio.FileData"}}

        def report_on(name, data):
            answer = client.post("run/score_file", json={"data": [[uploaded(name, data)], [references], True]})
            return answer.json()["data"][0]

        references = uploaded("references.json", REFERENCES)
        files = [path for path in hostile_files(tmp_path) if not path.parent.name.endswith(LONG)]
        # As many at once as the app has workers, and as many again that wait.
        with ThreadPoolExecutor(2 * jobs.PROCESSES) as pool:
            reports = pool.map(lambda path: report_on(path.name, path.read_bytes()), files)
            for path, report in zip(files, reports, strict=True):
                # Whatever is wrong with it is reported as a problem of the file, not as an error of the server.
                assert report["problems"] or report["tasks"], path
        assert report_on("quality.json", b'{"a": "B", "b": "C"}')["tasks"]["quality"]["score"] == 50


def test_the_limits_of_an_upload_are_below_those_of_the_readers():
    assert uploads.MAX_UPLOAD < limits.MAX_WHOLE < limits.UPLOADS.zip_
