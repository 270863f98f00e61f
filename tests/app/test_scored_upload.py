"""A scored file is stored, and found by the id that the browser holds."""

import json

import httpx
from requests_to_app import HTTP


def upload(url, name, content):
    sent = httpx.post(f"{url}/gradio_api/upload", files={"files": (name, json.dumps(content))}, **HTTP)
    return [{"path": sent.json()[0], "meta": {"_type": "gradio.FileData"}}]


def event(app, elem_id, name):
    component = next(i for i, block in app.blocks.items() if getattr(block, "elem_id", None) == elem_id)
    return next(i for i, fn in app.fns.items() if (component, name) in fn.targets and fn.fn)


def run(url, index, data, session="a-visitor"):
    body = {"data": data, "fn_index": index, "session_hash": session}
    return httpx.post(f"{url}/gradio_api/run/x", json=body, **HTTP).json()


def test_a_scored_file_is_found_by_its_id_in_any_session_until_it_is_deleted(app, url):
    files = (
        upload(url, "p.json", {"qasper": {"a": "yes", "b": "no"}}),
        upload(url, "r.json", {"qasper": {"a": ["yes"], "b": ["yes"]}}),
    )
    asked = {"stamp": "7", "benchmark": "zero_scrolls"}
    go = event(app, "file-go", "click")
    data = [*files, None, "files", False, json.dumps(asked)]
    with httpx.Client(**HTTP) as client:
        body = {"data": data, "fn_index": go, "session_hash": "a-visitor"}
        client.post(f"{url}/gradio_api/queue/join", json=body)
        with client.stream("GET", f"{url}/gradio_api/queue/data?session_hash=a-visitor") as stream:
            lines = [json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: ")]
    result = next(one for one in lines if one["msg"] == "process_completed")["output"]["data"][-1]
    again = [line for line in json.dumps(lines).split() if "data-stamp" in line]
    assert again, lines
    look = event(app, "file-query", "change")
    query = {"result": result, "list": True, "key": "k", "low": 0, "high": 100}
    found = run(url, look, [json.dumps(query)], session="another")["data"]
    assert "2 of 2" in str(found)
    assert "is no longer kept" not in str(found)
    gone = run(url, look, [json.dumps({**query, "result": "0" * 64})])
    assert "no longer kept; score the file again" in gone["error"]
    for wrong in ("", "[]", "{", "7", "[" * 3_000):
        assert "not what the page sends" in run(url, look, [wrong])["error"]
