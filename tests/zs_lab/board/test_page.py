"""The board on the page and in the endpoints: who may do what, and that no response has private data."""

import asyncio
import base64
import csv
import json
import logging
import re
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
import worker_jobs
from boards import invited
from gradio_client import Client
from gradio_client.exceptions import AppError
from requests_to_app import HTTP
from started_app import launched
from written_files import write

from zs_app.server.jobs import run_job
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS
from zs_bench.scoring.score_files import read_references
from zs_lab.board import (
    BoardSettings,
    NoBoard,
    NotAccepted,
    Submitter,
    UnknownCode,
    create_board,
    owner,
    page,
    serving,
    words,
)
from zs_lab.board.serving import Submitted, check_upload, submit_upload
from zs_start.cli import main

ROOT = Path(__file__).parents[3]
SECRETS = ("zqxone", "zqxtwo", "zqxthree")
REFERENCES = {
    "qasper": {"q1": [f"{SECRETS[0]} walked"], "q2": [f"{SECRETS[1]} ran"], "q3": [SECRETS[2]]},
    "space_digest": {f"s{i}": ["37%" if i % 2 else "61%"] for i in range(40)},
}
PREDICTION = "kept prediction of the first team"


def predictions(folder, text):
    content = {task: dict.fromkeys(by_id, f"{text} 50%") for task, by_id in REFERENCES.items()}
    return write(folder / "predictions.json", content)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The app with a board of two submitters and an entry, in this process: its address, database, codes, a client."""
    folder = tmp_path_factory.mktemp("board")
    place, settings = folder / "board.sqlite", BoardSettings(title="Shared task", per_day=50, in_all=90)
    board = create_board(place, read_references([write(folder / "references.json", REFERENCES)]), settings=settings)
    codes = [owner.invite(board, name)[0] for name in ("first team", "attacker")]
    entry = board.submit(board.submitter_of(codes[0]), system="<b>A</b>", predictions=predictions(folder, PREDICTION))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZS_BOARD", str(place))
        patch.setattr(page, "STEP", 0.01)
        with launched() as app, closing(Client(url := app.local_url.rstrip("/"), verbose=False)) as client:
            names = {"app": app, "url": url, "board": board, "place": place, "codes": codes, "client": client}
            yield SimpleNamespace(entry=entry.id, **names)


def call(served, name, **data):
    """The reply of a function that the script of the tab calls."""
    (component,) = [
        block
        for block in served.app.blocks.values()
        if "own_entries" in [function.__name__ for function in getattr(block, "server_fns", [])]
    ]
    body = {"component_id": component._id, "fn_name": name, "data": data, "session_hash": "somebody"}
    kind = {"content-type": "application/json"}
    answer = httpx.post(f"{served.url}/gradio_api/component_server/", content=json.dumps(body), headers=kind, **HTTP)
    assert answer.status_code in (200, 403), answer.text
    return answer.json()


def finished(served, act, upload, code):
    """What a job says at its end, or why it cannot start."""
    reply = call(served, "start", act=act, upload=upload, code=code)
    if "job" not in reply:
        return reply
    while (job := call(served, "progress", job_id=reply["job"]))["state"] in ("waiting", "running"):
        pass
    return job.get("made") or {"error": job["message"]}


def attacks(served):
    """What an attacker gives for an argument: another's number and code, paths, addresses, wrong kinds."""
    files = [served.place, served.place.with_name("references.json"), "http://example.org/x.json"]
    uploads = [{"path": str(path), "meta": {"_type": "gradio.FileData"}} for path in files]
    return [
        *(served.entry, str(served.entry), -1, 10**30, 1.5, True, None, "", [], {}, [served.entry], "' OR 1=1 --"),
        *(served.codes[1], "zs-" + "A" * 32, "first team", "hf:first team", *map(str, files), *uploads, uploads),
    ]


@pytest.mark.slow
def test_no_endpoint_event_file_error_or_log_carries_a_reference_or_a_prediction(served, capfd, caplog):
    """Every endpoint and event, with another submitter's entry, with paths and addresses."""
    caplog.set_level(logging.INFO)
    replies = [httpx.get(f"{served.url}{path}", **HTTP).text for path in ("/", "/config", "/gradio_api/info")]
    replies += [json.dumps(served.client.predict(api_name="/board_entries"))]
    endpoints = [fn for fn in served.app.fns.values() if fn.fn and fn.fn.__module__.startswith("zs_lab.board.")]
    assert len(endpoints) == 5
    parameters = served.client.view_api(return_format="dict")["named_endpoints"]["/board_submit"]["parameters"]
    assert [parameter["parameter_name"] for parameter in parameters] == [
        "predictions",
        "run",
        "system",
        "link",
        "note",
        "code",
    ]
    kind = {"content-type": "application/json"}
    with httpx.Client(base_url=f"{served.url}/gradio_api/", headers=kind, **HTTP) as client:
        for value in attacks(served):
            replies.append(json.dumps(call(served, "leaderboard", by=value)))
            for code in (value, served.codes[1]):
                replies.append(json.dumps(call(served, "own_entries", code=code, withdraw=value)))
                for upload in (value, {"predictions": [value]}, {"predictions": [], "run": value, "system": value}):
                    replies.append(json.dumps(finished(served, "check", upload, code)))
            for fn in endpoints:
                for data in ([value] * len(fn.inputs), [value, *[served.codes[1]] * (len(fn.inputs) - 1)]):
                    body = {"data": data, "fn_index": fn._id, "session_hash": "attacker"}
                    replies.append(client.post("run/x", content=json.dumps(body)).text)
        for path in (served.place, served.place.parent, served.place.with_name("references.json")):
            answer = client.get(f"file={path}")
            assert answer.status_code in (403, 404)
            replies.append(answer.text)
    printed = capfd.readouterr()
    everything = "\n".join([*replies, printed.out, printed.err, caplog.text])
    assert "This code is not valid" in everything  # the attacks have reached the board
    assert [secret for secret in (*SECRETS, PREDICTION, served.codes[0]) if secret in everything] == []
    assert served.board.entries()[0].id == served.entry


def test_an_error_of_the_database_names_no_file_of_the_server(served, monkeypatch):
    monkeypatch.setenv("ZS_BOARD", str(served.place.with_name("none.sqlite")))
    with pytest.raises(AppError, match="The board is unavailable") as raised:
        served.client.predict(api_name="/board_entries")
    assert "none.sqlite" not in str(raised.value)


def test_a_sign_in_counts_in_a_space_only(served, monkeypatch):
    """Elsewhere Gradio's sign-in is a mock that makes everybody the owner of the server's token."""
    profile = SimpleNamespace(username="someone")
    for variables in ({}, {"SPACE_ID": "owner/space"}):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(UnknownCode, match="Enter your submission code"):
            serving.submitter("", profile)
    monkeypatch.setenv("SYSTEM", "spaces")
    with pytest.raises(UnknownCode, match="someone is not on the list of this board"):
        serving.submitter("", profile)
    assert owner.invite(served.board, "hf:someone") == ("", "hf:someone may submit in a Space, signed in.", 0)
    assert serving.submitter("", SimpleNamespace(username="Someone")).name == "hf:someone"
    with pytest.raises(UnknownCode, match="Sign in"):
        serving.submitter("", None)


def test_only_a_board_that_is_named_and_there_is_in_the_app(tmp_path, monkeypatch):
    from zs_app.page import build
    from zs_start.annexes import annexes

    monkeypatch.delenv("ZS_BOARD", raising=False)
    app = build(annexes())
    assert not [fn.api_name for fn in app.fns.values() if "board" in str(fn.api_name)]
    assert not [block.elem_id for block in app.blocks.values() if "board" in str(block.elem_id)]
    monkeypatch.setenv("ZS_BOARD", str(tmp_path / "none.sqlite"))
    with pytest.raises(NoBoard, match=r"^there is no board at"):
        build(annexes())


def test_the_calls_in_the_docs_run(served, tmp_path):
    text = (ROOT / "docs/board.md").read_text(encoding="utf-8")
    code = text.partition("```python\n")[2].partition("```")[0]
    number = len(owner.submissions(served.board)) + 1
    for written, meant in (
        ("http://127.0.0.1:7860", served.url),
        ('"preds.csv"', repr(str(predictions(tmp_path, "walked 40")))),
        ("zs-…", owner.invite(served.board, "reader")[0]),
        ("entry=1", f"entry={number}"),
    ):
        assert written in code
        code = code.replace(written, meant)
    names = {}
    exec(code, names)
    names["client"].close()
    assert [kept.state for kept in owner.submissions(served.board) if kept.entry.id == number] == ["withdrawn"]


def test_no_job_imports_gradio(tmp_path):
    """It would take each job some seconds and 140 MB."""
    upload = Submitted([str(SAMPLE_PREDICTIONS)], None, "system")
    for job in (submit_upload, check_upload):
        arguments = (str(tmp_path), Submitter(1, "me"), upload)
        assert asyncio.run(run_job(worker_jobs.imported_by, job, *arguments)) == []


def test_a_check_returns_what_was_read_and_what_is_left_and_names_the_uploads(served, tmp_path):
    who, file = served.board.submitter_of(served.codes[1]), predictions(tmp_path, "checked")
    for upload in (Submitted([str(file)]), Submitted([str(file)], system="<b>A</b>")):
        read, left = check_upload(str(served.place), who, upload, None)
        assert (read, left) == ("43 predictions, 2 tasks", served.board.allowance(who))
    with pytest.raises(NotAccepted, match="looks alike"):
        check_upload(str(served.place), who, Submitted([str(file)], system="<B>a</B>"), None)


def test_the_head_says_what_the_board_is_about_and_its_dates(served, monkeypatch):
    about = {"description": "About <long> texts", "contact": "a@example.org", "data": "https://example.org/inputs"}
    owner.change_settings(served.board, opens="2026-01-01", closes="2099-12-01", rules="No test data", **about)
    for said in (
        "About &lt;long&gt; texts",
        "Qasper (3), SpaceDigest (40)",
        "2 tasks, 43 examples. 50 submissions a day and 90 in all.",
        'href="https://example.org/inputs"',
        "a@example.org",
        "No test data",
    ):
        assert said in page.head()
    for time_, said in (
        ("2025-12-31T23:59:59Z", "Submissions open on 2026-01-01 00:00 UTC. Submissions are open until 2099-12-01"),
        ("2026-01-01T00:00:00Z", "90 in all. Submissions are open until 2099-12-01 00:00 UTC.</p>"),
        ("2099-12-01T00:00:00Z", "90 in all. Submissions closed on 2099-12-01 00:00 UTC.</p>"),
    ):
        monkeypatch.setattr(page, "now", lambda time_=time_: time_)
        assert said in page.head()


def test_the_form_checks_asks_once_and_submits(served):
    def said(act, text="sent by the form", code=served.codes[0], **details):
        content = {task: dict.fromkeys(by_id, text) for task, by_id in REFERENCES.items()}
        content |= {"qasper": {"q0": text}} if text == "wrong" else {}
        file = {"files": ("predictions.json", json.dumps(content))}
        (path,) = httpx.post(f"{served.url}/gradio_api/upload", files=file, **HTTP).json()
        return finished(served, act, {"predictions": [path], **details}, code)

    before = len(owner.submissions(served.board))
    for act in ("check", "ask", "submit"):
        refused = said(act, "wrong", system="form")
        assert (refused["html"].count("<li>"), refused.keys()) == (2, {"html"})
        assert "Not accepted: 3 of the 43 predictions that this board asks for are missing" in refused["html"]
        (ids,) = re.findall('href="data:text/csv;base64,([^"]+)" download="ids.csv"', refused["html"])
        listed = [tuple(row) for row in csv.reader(base64.b64decode(ids).decode().splitlines())]
        assert listed[0] == ("Task", "ID", "Prediction")
        assert {*listed[1:]} == {(task, id_, "") for task, by_id in REFERENCES.items() for id_ in by_id}
    assert "must be one line" in said("ask")["html"]
    refused = said("check", code="zs-wrong")["html"]
    assert ("Not accepted: This code is not valid" in refused, "ids.csv" in refused) == (True, False)
    assert "43 predictions, 2 tasks" in said("check")["html"]
    asked = said("ask", system="<b>form")
    assert "Submit as “&lt;b&gt;form”: 43 predictions, 2 tasks?" in asked["html"]
    assert (asked["ask"], len(owner.submissions(served.board))) == (True, before)
    sent = said("submit", system="form")
    assert (f"Accepted as entry {before + 1}." in sent["html"], sent["accepted"]) == (True, True)
    assert call(served, "leaderboard", by="average").keys() == {"head", "table"}
    button = f'data-withdraw="{before + 1}"'
    assert button in call(served, "own_entries", code=served.codes[0])["html"]
    own = call(served, "own_entries", code=served.codes[0], withdraw=before + 1)["html"]
    assert (button in own, "withdrawn" in own) == (False, True)


def test_the_board_is_ranked_by_a_task_where_that_is_chosen(served, tmp_path):
    content = {task: {id_: text for id_, (text,) in by_id.items()} for task, by_id in REFERENCES.items()}
    content["space_digest"] |= dict.fromkeys(list(content["space_digest"])[:30], "no idea")
    file, submitter = write(tmp_path / "p.json", content), invited(served.board, "right")
    served.board.submit(submitter, system="right", predictions=file)
    first = {by: page.show(by).partition("<summary>")[2][:20] for by in ("average", "nonsense", "space_digest")}
    assert first["average"] == first["nonsense"] != first["space_digest"]


def test_a_fault_of_a_call_is_a_sentence(served):
    for data, said in (
        ({"code": ""}, words.CODE_FIRST),
        ({"code": served.codes[0], "withdraw": 99}, "You have no entry 99"),
    ):
        assert said in call(served, "own_entries", **data)["error"]
    for upload in ({"predictions": ["/etc/passwd"]}, {"run": "/etc/passwd", "predictions": []}):
        assert "choose passwd again" in finished(served, "check", upload, "")["error"]
    assert words.FILES_FIRST in finished(served, "check", {"predictions": []}, served.codes[0])["html"]


@pytest.mark.slow
def test_participants_submit_from_the_command_line_and_are_answered_at_a_whole_multiple_of_a_step(
    served, tmp_path, monkeypatch, capsys
):
    """How long scoring takes depends on the references."""
    command = ["submit", served.url, str(predictions(tmp_path, "from the command line"))]
    monkeypatch.setenv("ZS_BOARD_CODE", served.codes[0])
    assert main([*command, "--check"]) == 0
    assert capsys.readouterr().out.startswith("The files can be submitted: 43 predictions, 2 tasks. Submissions left: ")
    assert main([*command, "--system", "mine"]) == 0
    assert "Kept as entry" in capsys.readouterr().out
    assert main([*command, "--system", "mine", "--code", "zs-wrong"]) == 2
    assert "This code is not valid" in capsys.readouterr().err
    monkeypatch.setattr(page, "STEP", 1.0)
    began = time.monotonic()
    assert main([*command, "--system", "mine"]) == 2
    assert time.monotonic() - began >= page.STEP
    assert "submitted these predictions before" in capsys.readouterr().err
