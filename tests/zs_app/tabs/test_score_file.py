"""The server functions of "Score a file", called as its script calls them."""

import asyncio

import pytest
from kept_results import report_of
from starlette.requests import Request
from written_files import write

from zs_app import api, words
from zs_app.component import server_function
from zs_app.jobs import report_on_files
from zs_app.server.temporary_files import new_folder, upload_folder
from zs_app.tabs import results, score_file
from zs_app.tabs.examples import task_of
from zs_app.tabs.score_file import MAX_FILES, check_files, upload_of
from zs_bench.benchmarks import own
from zs_metric.errors import UnknownBenchmark

VISITOR = Request({"type": "http", "client": ("192.0.2.1", 7)})


@pytest.fixture(autouse=True)
def uploads(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "uploads"))


def uploaded(name, content):
    return str(write(new_folder() / name, content))


async def call(function, **fields):
    return await server_function(function)(fields, VISITOR)


async def scored(**asked):
    started = await call(score_file.start_scoring, asked={"benchmark": "zero_scrolls", **asked})
    if "error" in started:
        return started
    while (job := await call(score_file.progress, job_id=started["job"]))["state"] in ("waiting", "running"):
        pass
    return job.get("made") or {"error": job["message"], **job}


def test_files_are_scored_and_listed_and_the_next_ones_leave_the_first_report():
    async def run():
        files = {
            "predictions": [uploaded("p.json", {"qasper": {"a": "yes", "b": "no"}})],
            "references": [uploaded("r.json", {"qasper": {"a": ["yes"], "b": ["yes"]}})],
        }
        first = await scored(**files)
        again = await scored(**files, second=files["predictions"], compare=True)
        return first, again, await call(score_file.answers, query={"result": again["result"], "low": "1", "most": 9})

    first, again, answers = asyncio.run(run())
    assert (first["names"], again["answers"], again["names"]) == (["p"], 2, ["p (A)", "p (B)"])
    assert "1 of 2 answers" in answers["list"]
    assert 'data-score="100.0000"' in answers["opened"]
    assert report_of(first["result"])["tasks"]["qasper"]["score"] == 50  # for "Results"


def test_what_cannot_be_scored_is_said(tmp_path):
    path = uploaded("p.json", {"qasper": {"a": "yes"}})
    gone = uploaded("gone.json", {})
    (upload_folder() / gone).unlink()
    (tmp_path / "own.json").write_text("{}", encoding="utf-8")
    for asked, message in [
        ({}, words.FILE_FIRST),
        ({"predictions": [path]}, words.FILE_FIRST_REFERENCES),
        ({"predictions": [path], "references": [path], "compare": True}, words.COMPARE_FIRST),
        ({"predictions": [path], "references": [gone]}, "choose gone.json again"),
        ({"predictions": [path], "source": "/etc"}, "No source '/etc'"),
        ({"predictions": [path] * 41, "references": [path]}, "41 files, more than 40"),
        ({"benchmark": "scrols"}, "scrols"),
        ({"predictions": [str(tmp_path / "own.json")], "references": [path]}, "choose own.json again"),
        ({"sample": True, "compare": True, "second": ["/etc/passwd"]}, "choose passwd again"),
        ({"predictions": path}, "not what the page sends"),
        ({"accept": ["x"] * 99}, "not what the page sends"),
    ]:
        reply = asyncio.run(scored(**asked))
        assert message in reply["error"], asked
        if message.startswith("choose "):
            assert [path.rpartition("/")[2] for path in reply["gone"]] == [message.split()[1]]  # for the page


def test_uploads_are_told_apart_by_what_they_hold(tmp_path):
    contents = {"a.json": {"qasper": {"a": "yes"}}, "b.json": {"qasper": {"a": ["yes"]}}, "own.toml": {}}
    paths = [uploaded(name, content) for name, content in contents.items()]
    told = asyncio.run(call(score_file.roles, paths=paths, benchmark="zero_scrolls"))
    assert told == {"roles": ["predictions", "references", "definition"]}
    other = asyncio.run(call(score_file.roles, paths=[str(tmp_path / "a.json")], benchmark="zero_scrolls"))
    assert "choose a.json again" in other["error"]
    for named in (OWN, str(write(tmp_path / "server.toml", OWN))):  # a definition, or a path of the server
        refused = asyncio.run(call(score_file.roles, paths=paths, benchmark=named))
        assert "benchmark" in refused["error"], refused
        assert "roles" not in refused, refused
    many = asyncio.run(call(score_file.roles, paths=["x"] * (2 * MAX_FILES + 1), benchmark="zero_scrolls"))
    assert "81 files, more than 80" in many["error"]


def test_the_sample_is_scored_whole_against_its_own_references_whatever_is_chosen_beside_it():
    upload = upload_of({"benchmark": "zero_scrolls", "sample": True, "partial": True, "source": "hub"})
    assert (upload.source, upload.partial, upload.is_sample, len(upload.references)) == ("embedded", False, True, 0)
    check_files(["p"] * MAX_FILES, ["r"], "files", "zero_scrolls")  # one more is too many


def test_a_list_of_a_result_that_is_not_kept_or_not_one_is_refused():
    for query, message in [
        ({"result": "0" * 64}, "no longer kept"),
        ({"result": "../.."}, "no longer kept"),
        ({}, "no longer kept"),
        ({"result": "0" * 5_000}, "not what the page sends"),
    ]:
        reply = asyncio.run(call(score_file.answers, query=query))
        assert (message in reply["error"], reply.get("gone")) == (True, [] if "kept" in message else None), query


def test_a_query_is_read_as_a_form_sends_it_and_a_long_id_loses_its_middle():
    wanted = score_file.read_filter({"low": "5", "high": "", "text": "x", "order": "nowhere", "down": "1", "task": ""})
    assert (wanted.low, wanted.high, wanted.text, wanted.order, wanted.down) == (5, 100, "x", "score", None)
    assert (wanted.task, wanted.lost_to, wanted.verdict, wanted.pattern) == ("any", "any", "any", "any")
    wanted = score_file.read_filter(
        {"low": "1e99", "order": "id", "down": True, "verdict": "same", "lost_to": "misread"}
    )
    assert (wanted.low, wanted.order, wanted.down, wanted.verdict, wanted.lost_to) == (0, "id", True, "same", "misread")
    for length, short in ((22, "x" * 22), (23, f"{'x' * 11}…{'x' * 12}")):
        assert score_file.short_id("x" * length, "") == short


def test_an_answer_is_opened_by_place_or_name_with_its_question_and_the_menus_of_the_report():
    async def run():
        report = await scored(sample=True)
        ask = {"result": report["result"]}
        first = await call(score_file.answers, query={**ask, "most": 100})
        named = await call(score_file.answers, query={**ask, "answer": first["answer"], "order": "score", "down": True})
        beyond = await call(score_file.answers, query={**ask, "place": 99})
        return report, first, named, beyond, await call(score_file.answers, query={**ask, "text": "no such text"})

    report, first, named, beyond, nothing = asyncio.run(run())
    assert (first["count"], first["place"], first["list"].count("<tr data-file")) == (20, 0, 20)
    assert first["list"].count("<small>") == 20
    assert 'style="height:100.0%"' in first["list"]
    assert named["answer"] == first["answer"]
    assert named["place"] > 0
    assert "list" not in named
    assert 'class="zs-asked"' in named["opened"]
    assert (beyond["place"], beyond["answer"] != first["answer"]) == (19, True)
    assert (nothing["answer"], nothing["place"], nothing["count"]) == ("", 0, 0)
    assert words.FILE_NONE in nothing["opened"]
    assert report["filters"].count("<select") == 3
    assert '<option value="musique.3 hops">MuSiQue, 3 hops: 100.0</option>' in report["filters"]
    assert '<option value="qasper">Qasper</option>' in report["filters"]


OWN = 'name = "own"\n[tasks.who]\ntitle = "Who"\nmetric = "f1"\n[averages.all]\nmean_of = ["who"]\n'


def asked_with(*definitions, **asked):
    """A request with definitions of a benchmark beside its predictions and references."""
    predictions, references = uploaded("p.json", {"who": {"1": "Ada"}}), uploaded("r.json", {"who": {"1": ["Ada"]}})
    paths = [uploaded(f"own{number}.toml", text) for number, text in enumerate(definitions)]
    return {"benchmark": "scrolls", "predictions": [*paths, predictions], "references": [references], **asked}


def test_a_file_that_defines_a_benchmark_beside_the_predictions_is_that_of_the_upload():
    asked = asked_with(OWN)
    upload = upload_of(asked)
    assert (upload.definition, upload.predictions) == (asked["predictions"][0], tuple(asked["predictions"][1:]))
    assert report_on_files(upload, lambda *_: None)["score"] == 100


WRONG_DEFINITIONS = [
    ((OWN, OWN), "files", words.FILE_DEFINITIONS),
    (("0",), "files", "own0.toml, it is not TOML"),
    (('repo = "owner/private"\n' + OWN,), "files", "line 1: repo would be read by the server, with its own rights"),
    *(((OWN,), source, words.FILE_OWN_REFERENCES) for source in ("hub", "embedded", "data")),
]


@pytest.mark.parametrize(("definitions", "source", "said"), WRONG_DEFINITIONS)
def test_a_definition_that_is_wrong_or_has_the_server_read_something_else_is_refused(
    definitions, source, said, tmp_path, monkeypatch
):
    monkeypatch.setenv("ZS_DATA", str(tmp_path))
    assert said in asyncio.run(scored(**asked_with(*definitions, source=source)))["error"]


def test_a_path_of_the_server_beside_the_sample_is_not_read(tmp_path):
    path = write(tmp_path / "secret.toml", "secret = 1")
    upload = upload_of({"benchmark": "zero_scrolls", "sample": True, "predictions": [str(path)]})
    assert (upload.definition, str(path) in upload.predictions) == ("", False)


def test_the_server_itself_parses_no_definition_of_a_visitor_for_any_tab(monkeypatch):
    def refuse(text):
        raise AssertionError(text)

    monkeypatch.setattr(own.tomllib, "loads", refuse)
    monkeypatch.setenv("ZS_BENCHMARK", "")

    async def run():
        asked = asked_with(OWN)
        roles = await call(score_file.roles, paths=asked["predictions"], benchmark="scrolls")
        result = (await scored(**asked))["result"]
        return roles, result, await call(score_file.answers, query={"result": result, "answer": "who/1"})

    roles, result, answers = asyncio.run(run())
    assert (roles["roles"], answers["answer"]) == (["definition", "predictions"], "who/1")
    assert all(text in answers["opened"] for text in ("Who", 'data-score="100.0000"'))
    assert words.RESULTS_OTHER.format("own") in results.verdict("scrolls", report_of(result))
    assert results.published("scrolls", [result], {})["count"]
    assert results.own_line(report_of(result), result, "own").cells[0].points == 100


def test_no_visitor_names_a_file_as_a_benchmark(tmp_path, monkeypatch):
    (tmp_path / "own.toml").write_text('name = "own"\n[tasks.who]\nmetric = "f1"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    calls = (
        lambda: check_files([], [], "files", "own.toml"),
        lambda: task_of("own.toml/who"),
        lambda: results.published("own.toml", [], {}),
        lambda: api.score_answer("who", "Ada", ["Ada"], "own.toml"),
    )
    for call_it in calls:
        with pytest.raises(UnknownBenchmark):
            call_it()
