"""The board on the page and in the endpoints: who may do what, and that no response has private data."""

import asyncio
import json
import logging
import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import worker_jobs
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError
from packaged_files import run_without
from requests_to_app import HTTP
from started_app import free_port

from zs_app.server.workers import run_job
from zs_bench.cli import main
from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS
from zs_bench.scoring.score_files import read_references
from zs_lab.board import NoBoard, Settings, Submitter, UnknownCode, create_board, owner, serving, words
from zs_lab.board import page as board_tab
from zs_lab.board.database import ENTRIES, add_to_state
from zs_lab.board.serving import Upload, check_upload, submit_upload

ROOT = Path(__file__).parents[3]
SECRETS = ("zqxone", "zqxtwo", "zqxthree")
REFERENCES = {
    "qasper": {"q1": [f"{SECRETS[0]} walked"], "q2": [f"{SECRETS[1]} ran"], "q3": [SECRETS[2]]},
    "space_digest": {f"s{i}": ["37%" if i % 2 else "61%"] for i in range(40)},
}
PREDICTION = "kept prediction of the first team"


def predictions(text: str) -> dict[str, dict[str, str]]:
    return {task: dict.fromkeys(by_id, f"{text} 50%") for task, by_id in REFERENCES.items()}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The app with a board of two submitters, in this process: its address, database, codes, and a client."""
    from zs_app.launch import launch_options
    from zs_app.page import build

    folder = tmp_path_factory.mktemp("board")
    (folder / "references.json").write_text(json.dumps(REFERENCES), encoding="utf-8")
    place = folder / "board.sqlite"
    board = create_board(
        place,
        read_references([folder / "references.json"]),
        settings=Settings(title="Shared task", per_day=50, in_all=90),
    )
    codes = [owner.invite(board, name)[0] for name in ("first team", "attacker")]
    before = os.environ.get("ZS_BOARD")
    os.environ["ZS_BOARD"] = str(place)
    app = build()
    where = {"server_name": "127.0.0.1", "server_port": free_port()}
    app.launch(prevent_thread_lock=True, quiet=True, inbrowser=False, **where, **launch_options())
    url = app.local_url.rstrip("/")
    client = Client(url, verbose=False)
    yield SimpleNamespace(app=app, url=url, board=board, place=place, folder=folder, codes=codes, client=client)
    client.close()
    app.close(verbose=False)
    os.environ.pop("ZS_BOARD")
    os.environ.update({"ZS_BOARD": before} if before else {})


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Responses without delay, except in the test of the delay."""
    monkeypatch.setattr(board_tab, "STEP", 0.01)


@pytest.fixture(scope="module")
def entry(served, tmp_path_factory):
    """The first team's entry, through the endpoint."""
    return submit(served, tmp_path_factory.mktemp("first"), PREDICTION, served.codes[0], system="<b>A</b>")["entry"]


def submit(served, folder: Path, text: str, code: str, **options: str) -> dict[str, Any]:
    file = folder / "predictions.json"
    file.write_text(json.dumps(predictions(text)), encoding="utf-8")
    given = {"run": None, "system": "B", "link": "", "note": "", **options}
    answer: dict[str, Any] = served.client.predict([handle_file(file)], code=code, api_name="/board_submit", **given)
    return answer


def call(served, name: str, data: Any) -> Any:
    """The reply of a function that the script of the tab calls."""
    components = served.app.blocks.values()
    (component,) = [
        block for block in components if "own_entries" in [f.__name__ for f in getattr(block, "server_fns", [])]
    ]
    body = {"component_id": component._id, "fn_name": name, "data": data, "session_hash": "somebody"}
    kind = {"content-type": "application/json"}
    answer = httpx.post(f"{served.url}/gradio_api/component_server/", content=json.dumps(body), headers=kind, **HTTP)
    assert answer.status_code < 500, answer.text
    return answer.json()


def followed(served, job: str) -> Any:
    """What a job says at its end."""
    while call(served, "progress", {"job_id": job})["state"] in ("waiting", "running"):
        pass
    return call(served, "outcome", {"job_id": job})


def test_an_entry_is_listed_and_only_its_submitter_can_withdraw_it(served, entry, tmp_path):
    mine = submit(served, tmp_path, "37 other words", served.codes[1])
    assert mine["left"] == {"today": 49, "in_all": 89}
    listed = served.client.predict(api_name="/board_entries")["entries"]
    assert {one["id"] for one in listed} == {entry["id"], mine["entry"]["id"]}
    for code, number in ((served.codes[1], entry["id"]), (served.codes[0], 99), ("zs-guess", entry["id"])):
        with pytest.raises(AppError):
            served.client.predict(number, code, api_name="/board_withdraw")
    gone = served.client.predict(mine["entry"]["id"], served.codes[1], api_name="/board_withdraw")
    assert gone["entry"]["state"] == "withdrawn"
    history = served.client.predict(served.codes[1], api_name="/board_history")["entries"]
    assert [(one["id"], one["state"]) for one in history] == [(mine["entry"]["id"], "withdrawn")]
    assert [one["id"] for one in served.client.predict(api_name="/board_entries")["entries"]] == [entry["id"]]


def attacks(served, entry) -> list[Any]:
    """What an attacker gives for an argument: another's number and code, paths, addresses, wrong kinds."""
    files = [served.place, served.folder / "references.json", f"{served.place}-wal", "http://example.org/x.json"]
    known = [{"path": str(path), "meta": {"_type": "gradio.FileData"}} for path in files]
    return [
        *(entry["id"], str(entry["id"]), -1, 10**30, 1.5, True, None, "", [], {}, [entry["id"]], "' OR 1=1 --"),
        *(served.codes[1], "zs-" + "A" * 32, "first team", "hf:first team", *map(str, files), *known, known),
    ]


def test_no_endpoint_event_file_error_or_log_carries_a_reference_or_a_prediction(served, entry, capfd, caplog):
    """Every endpoint and event, with another submitter's entry, with paths and addresses."""
    caplog.set_level(logging.INFO)
    heard = [httpx.get(f"{served.url}{page}", **HTTP).text for page in ("/", "/config", "/gradio_api/info")]
    heard += [json.dumps(served.client.predict(api_name="/board_entries"))]
    endpoints = [fn for fn in served.app.fns.values() if fn.fn and fn.fn.__module__.startswith("zs_lab.board.")]
    assert len(endpoints) == 5
    kind = {"content-type": "application/json"}
    with httpx.Client(base_url=f"{served.url}/gradio_api/", headers=kind, **HTTP) as client:
        for given in attacks(served, entry):
            heard.append(json.dumps(call(served, "leaderboard", {"by": given})))
            for code in (given, served.codes[1]):
                heard.append(json.dumps(call(served, "own_entries", {"code": code, "withdraw": given})))
                for upload in (given, {"predictions": [given]}, {"predictions": [], "run": given, "system": given}):
                    asked = {"act": "check", "upload": upload, "code": code}
                    reply = call(served, "start", asked)
                    heard.append(json.dumps(followed(served, reply["job"]) if "job" in reply else reply))
            for fn in endpoints:
                for data in ([given] * len(fn.inputs), [given, *[served.codes[1]] * (len(fn.inputs) - 1)]):
                    body = {"data": data, "fn_index": fn._id, "session_hash": "attacker"}
                    heard.append(client.post("run/x", content=json.dumps(body)).text)
        for path in (served.place, served.folder, served.folder / "references.json", f"{served.place}-wal"):
            answer = client.get(f"file={path}")
            assert answer.status_code in (403, 404)
            heard.append(answer.text)
    printed = capfd.readouterr()
    everything = "\n".join([*heard, printed.out, printed.err, caplog.text])
    assert "This code is not valid" in everything  # the attacks have reached the board
    assert str(entry["id"]) in everything
    for secret in (*SECRETS, PREDICTION, served.codes[0]):
        assert secret not in everything
    assert served.board.entries()[0].id == entry["id"]


def test_a_submission_is_answered_at_a_whole_multiple_of_a_step(served, entry, tmp_path, monkeypatch):
    """How long scoring takes depends on the references."""
    monkeypatch.setattr(board_tab, "STEP", 1.0)
    began = time.monotonic()
    with pytest.raises(AppError, match="submitted these predictions before"):
        submit(served, tmp_path, PREDICTION, served.codes[0])
    assert time.monotonic() - began >= board_tab.STEP


def test_an_error_of_the_database_names_no_file_of_the_server(served, monkeypatch):
    monkeypatch.setenv("ZS_BOARD", str(served.folder / "none.sqlite"))
    with pytest.raises(AppError, match="The board is unavailable") as raised:
        served.client.predict(api_name="/board_entries")
    assert "none.sqlite" not in str(raised.value)


def test_a_sign_in_counts_in_a_space_only(served, monkeypatch):
    """Elsewhere Gradio's sign-in is a mock that makes everybody the owner of the server's token."""
    from gradio.utils import get_space

    profile = SimpleNamespace(username="someone")
    with pytest.raises(UnknownCode, match="Enter your submission code"):
        serving.submitter("", profile)
    monkeypatch.setenv("SPACE_ID", "owner/space")
    with pytest.raises(UnknownCode, match="Enter your submission code"):  # Gradio's sign-in is a mock then, too
        serving.submitter("", profile)
    monkeypatch.setenv("SYSTEM", "spaces")
    assert get_space() == "owner/space"
    with pytest.raises(UnknownCode, match="someone is not on the list of this board"):
        serving.submitter("", profile)
    owner.invite(served.board, "hf:someone")
    assert serving.submitter("", profile).name == "hf:someone"
    with pytest.raises(UnknownCode, match="Sign in"):
        serving.submitter("", None)


def test_without_the_variable_there_is_no_board(monkeypatch):
    from zs_app.page import build, tabs

    monkeypatch.delenv("ZS_BOARD", raising=False)
    page = build()
    assert not [fn.api_name for fn in page.fns.values() if "board" in str(fn.api_name)]
    assert not [block.elem_id for block in page.blocks.values() if "board" in str(block.elem_id)]
    assert "board" not in tabs()


def test_a_missing_board_is_reported_at_the_start(tmp_path, monkeypatch):
    from zs_app.page import build

    monkeypatch.setenv("ZS_BOARD", str(tmp_path / "none.sqlite"))
    with pytest.raises(NoBoard, match=r"^there is no board at"):
        build()


def test_the_calls_in_the_docs_run(served, tmp_path):
    text = (ROOT / "docs/board.md").read_text(encoding="utf-8")
    code = text.partition("```python\n")[2].partition("```")[0]
    file = tmp_path / "preds.json"
    file.write_text(json.dumps(predictions("walked 40")), encoding="utf-8")
    number = len(owner.submissions(served.board)) + 1
    for written, meant in (
        ("http://127.0.0.1:7860", served.url),
        ('"preds.csv"', repr(str(file))),
        ("zs-…", owner.invite(served.board, "reader")[0]),
        ("entry=1", f"entry={number}"),
    ):
        assert written in code
        code = code.replace(written, meant)
    known: dict[str, Any] = {}
    exec(code, known)
    known["client"].close()
    assert [one.entry.state for one in owner.submissions(served.board) if one.entry.id == number] == ["withdrawn"]


def test_no_job_imports_gradio(tmp_path):
    """It would take each job some seconds and 140 MB."""
    upload = Upload([str(SAMPLE_PREDICTIONS)], None, "system")
    for job in (submit_upload, check_upload):
        arguments = (str(tmp_path), Submitter(1, "me"), upload)
        assert asyncio.run(run_job(worker_jobs.imported_by, job, *arguments)) == []


def test_the_head_says_what_the_board_is_about_its_dates_and_what_was_corrected(served):
    about = {"description": "About <long> texts", "contact": "a@example.org", "data": "https://example.org/inputs"}
    owner.change_settings(served.board, per_day=40, closes="2099-12-01", rules="No test data", **about)
    try:
        page = board_tab.head()
    finally:
        owner.change_settings(served.board, per_day=50, closes="")
    for said in (
        "About &lt;long&gt; texts",
        "Qasper (3 examples), SpaceDigest (40 examples)",
        "40 a day and 90 in all",
        "Submissions are open until 2099-12-01 00:00 UTC.",
        'href="https://example.org/inputs"',
        "a@example.org",
        "No test data",
    ):
        assert said in page


def test_the_form_checks_asks_once_and_submits(served):
    def said(act: str, content: Any, code: str = served.codes[0], **details: str) -> dict[str, Any]:
        file = {"files": ("predictions.json", json.dumps(content))}
        (path,) = httpx.post(f"{served.url}/gradio_api/upload", files=file, **HTTP).json()
        upload = {"predictions": [path], **details}
        return followed(served, call(served, "start", {"act": act, "upload": upload, "code": code})["job"])

    before = len(owner.submissions(served.board))
    wrong = {task: dict.fromkeys(by_id, "x") for task, by_id in REFERENCES.items()} | {"qasper": {"q0": "x"}}
    for act in ("check", "ask", "submit"):
        refused = said(act, wrong, system="form")
        assert (refused["html"].count("<li>"), refused.keys()) == (2, {"html"})
    assert "must be one line" in said("ask", wrong)["html"]
    assert "This code is not valid" in said("check", wrong, "zs-wrong")["html"]
    right = predictions("sent by the form")
    assert "43 predictions, 2 tasks" in said("check", right)["html"]
    asked = said("ask", right, system="<b>form")
    assert "Submit as “&lt;b&gt;form”: 43 predictions, 2 tasks?" in asked["html"]
    assert asked["ask"]
    assert len(owner.submissions(served.board)) == before
    sent = said("submit", right, system="form")
    assert ("Accepted as entry" in sent["html"], sent["accepted"]) == (True, True)
    assert {"head", "table"} == call(served, "leaderboard", {"by": "average"}).keys()
    own = call(served, "own_entries", {"code": served.codes[0]})["html"]
    assert f'data-withdraw="{before + 1}"' in own
    own = call(served, "own_entries", {"code": served.codes[0], "withdraw": before + 1})["html"]
    assert (f'data-withdraw="{before + 1}"' in own, "withdrawn" in own) == (False, True)


def test_the_board_is_ranked_by_a_task_where_that_is_chosen(served, entry):
    assert board_tab.show("qasper").count("<tr>") == board_tab.show().count("<tr>")
    assert board_tab.show("nonsense") == board_tab.show()


def test_a_damaged_entry_and_a_sealed_board_leave_the_page_and_the_endpoints_working(served, entry):
    with served.board.database.writing() as connection:
        connection.execute(ENTRIES.update().where(ENTRIES.c.id == entry["id"]).values(run='{"model": "a\\ud800b"}'))
        add_to_state(connection, "revision")
    try:
        assert entry["id"] not in {one["id"] for one in served.client.predict(api_name="/board_entries")["entries"]}
        assert "<b>A</b>" not in board_tab.show()
        assert httpx.get(f"{served.url}/config", **HTTP).status_code == 200
    finally:
        with served.board.database.writing() as connection:
            connection.execute(ENTRIES.update().where(ENTRIES.c.id == entry["id"]).values(run="{}"))
            add_to_state(connection, "revision")


def test_a_fault_of_a_call_is_a_sentence(served):
    upload = {"predictions": []}
    for name, data, said in (
        ("own_entries", {"code": ""}, words.CODE_FIRST),
        ("own_entries", {"code": served.codes[0], "withdraw": 99}, "You have no entry 99"),
        ("start", {"act": "check", "code": "", "upload": {"predictions": ["/etc/passwd"]}}, "not what the page sends"),
        ("start", {"act": "check", "code": "", "upload": {"run": "/etc/passwd", **upload}}, "not what the page sends"),
    ):
        assert said in call(served, name, data)["error"]
    job = call(served, "start", {"act": "check", "upload": upload, "code": served.codes[0]})["job"]
    assert words.FILES_FIRST in followed(served, job)["html"]


def test_participants_submit_from_the_command_line(served, tmp_path, monkeypatch, capsys):
    file = tmp_path / "preds.json"
    file.write_text(json.dumps(predictions("from the command line")), encoding="utf-8")
    monkeypatch.setenv("ZS_BOARD_CODE", served.codes[0])
    assert main(["submit", served.url, str(file), "--check"]) == 0
    assert capsys.readouterr().out.startswith("The files can be submitted: 43 predictions, 2 tasks. Submissions left: ")
    assert main(["submit", served.url, str(file), "--system", "mine"]) == 0
    assert "Kept as entry" in capsys.readouterr().out
    assert main(["submit", served.url, str(file), "--system", "mine", "--code", "zs-wrong"]) == 2
    assert "This code is not valid" in capsys.readouterr().err


def test_the_app_says_that_the_annex_is_missing(tmp_path):
    """Where ZS_BOARD is set; without the variable it starts (`test_teardown.py`)."""
    done = run_without(["board"], tmp_path, "-c", "from zs_app.page import build; build()", ZS_BOARD="b.sqlite")
    assert "ZS_BOARD is set, but zs_lab.board is not installed; unset it" in done.stderr
