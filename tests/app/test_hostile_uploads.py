"""Hostile files sent to the running app: each gets a response, and the server survives."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from hostile_files import hostile_files

from zs_app.server import jobs, middleware, workers

REFERENCES = b'{"quality": {"a": ["B"], "b": ["D"]}, "qasper": {"q": ["yes"]}, "space_digest": {"s": ["50%"]}}'
# Seconds for an answer on a busy machine.
WITHIN = 300
# A quarter of a million answers take seconds: they have a test of their own.
LONG = ("many-ids", "many-rows")


@pytest.fixture(scope="module")
def client(url):
    with httpx.Client(base_url=f"{url}/gradio_api/", timeout=WITHIN) as client:
        yield client


def uploaded(client, name, data):
    path = client.post("upload", files={"files": (name, data)}).json()[0]
    return {"path": path, "meta": {"_type": "gradio.FileData"}}


def report_on(client, predictions, references):
    """The report, or why there is none."""
    answer = client.post("run/score_file", json={"data": [[predictions], [references], True]})
    assert answer.status_code in (200, 500)
    assert "Traceback" not in answer.text
    data = answer.json()
    return data["data"][0] if "data" in data else data["error"]


@pytest.mark.slow
def test_every_hostile_file_gets_a_response_and_the_server_survives(client, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "NICE", 0)  # two hundred jobs that give way to everything would take long
    references = uploaded(client, "references.json", REFERENCES)
    files = [path for path in hostile_files(tmp_path) if not path.parent.name.endswith(LONG)]

    def answer(path):
        return report_on(client, uploaded(client, path.name, path.read_bytes()), references)

    # As many at once as the app has workers, and as many again that wait.
    with ThreadPoolExecutor(2 * jobs.PROCESSES) as pool:
        for path, found in zip(files, pool.map(answer, files), strict=True):
            # Whatever is wrong with it is reported as a problem of the file, not as an error of the server.
            assert isinstance(found, dict), (path, found)
            assert found["problems"] or found["tasks"], path
    good = uploaded(client, "quality.json", b'{"a": "B", "b": "C"}')
    assert report_on(client, good, references)["tasks"]["quality"]["score"] == 50


def test_the_limits_of_an_upload_are_below_those_of_the_readers():
    from zs_bench.files import limits

    assert middleware.MAX_UPLOAD < limits.MAX_WHOLE < limits.MAX_ZIP_BYTES
