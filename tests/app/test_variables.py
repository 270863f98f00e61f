"""Every variable of the app that a document names, and every option of `zero-scrolls app`, in a process of its own."""

import os
import re
import socket
import subprocess
import sys

import httpx
import pytest
from boards import make_board
from make_space import ROOT
from model_stand_in import StandIn, serving
from requests_to_app import HTTP, call_function
from started_app import call, free_port, started_app
from written_files import write

from zs_app import words
from zs_bench.commands import CommandParser
from zs_start.app_command import declare

DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
#: Variables of the tests, which no process of the app reads.
OF_TESTS = {"ZS_REAL"}
TEXT = "It rained all day."
PROMPT = """
[tasks.who.prompt]
instruction = "You are given a text and a question."
context_header = "Text:"
query_header = "Question:"
"""
ROW = {"id": "1", "pid": "1_0", "input": "You are given a text and a question.\n\nText:\nAda wrote it.\n\n"}
ROW |= {"output": "Ada"}
ROW["input"] += "Question:\nWho?\n\nAnswer:\n"
EXAMPLE = {"task": "team_facts/who", "example": 0, "variant": "canonical", "budget": 16_384, "tokenizer": "words"}


def team(folder, more=""):
    """The file of `docs/own-benchmark.md`, word for word, and perhaps more."""
    page = (ROOT / "docs" / "own-benchmark.md").read_text(encoding="utf-8")
    text = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[0]
    return str(write(folder / "team.toml", text + more))


def example(url, source):
    """The parts of "Try a task" for the benchmark of one's own."""
    return call_function(url, "example", {"source": source, **EXAMPLE})


def html_of(url):
    """The HTML of the page's parts, which Gradio sends as JSON texts."""
    return httpx.get(url, **HTTP).text.replace('\\"', '"')


def check_page_with_a_benchmark_of_ones_own(url):
    page = html_of(url)
    assert "Team facts · 2 tasks" in page
    (examples,) = set(re.findall(r'data-examples="([^"]+)"', page))
    assert httpx.get(f"{url}/{examples}team_facts-who.json", **HTTP).json() == []
    assert words.SOURCE_NO_EXAMPLES.format("who") in example(url, "embedded")["sheet"]
    answer = {"task": "who", "prediction": "Ada", "references": ["Ada"], "benchmark": "team_facts"}
    assert call(url, "score_answer", **answer)["score"] == 100
    values = [{"who": {"1": "Ada"}, "digest": {"1": TEXT}}, {"who": {"1": ["Ada"]}, "digest": {"1": [TEXT]}}]
    assert call(url, "score_predictions", *values, False, "team_facts")["score"] == 100


def check_own_benchmark(url, folder):
    check_page_with_a_benchmark_of_ones_own(url)
    assert "Ada wrote it." in example(url, "data")["sheet"]
    assert "You are given a text" in example(url, "data")["prompt"]


def check_page(url, folder):
    assert 'value="data"' not in html_of(url)


def check_data(url, folder):
    assert 'value="data"' in html_of(url)


def check_frames(url, folder):
    assert "https://example.org" in httpx.get(url, **HTTP).headers["content-security-policy"]


def check_board(url, folder):
    assert call(url, "board_entries")["entries"] == []


def check_model(url, folder):
    body = {"source": "embedded", "task": "qasper", "example": 0, "variant": "canonical"}
    assert "Ask m" in httpx.get(url, **HTTP).text
    for answered in (True, False):  # one question a day
        reply = httpx.post(f"{url}/zs/ask", json=body, **HTTP).text
        assert ("Behind the clock" in reply, "1 times within a day" in reply) == (answered, not answered)


def check_sign_in(url, folder):
    reply = httpx.post(f"{url}/zs/ask", json={"source": "embedded", "task": "qasper", "example": 0, "variant": "chat"})
    assert words.ASK_SIGN_IN in reply.json()["error"]


#: What is set, and what then works; `{}` is a folder with what the settings name.
VARIABLES = [
    ({"ZS_BENCHMARK": "{}/team.toml", "ZS_DATA": "{}/rows"}, check_own_benchmark),
    ({"ZS_FRAME_ANCESTORS": "https://example.org https://*.example.com"}, check_frames),
    ({"ZS_BOARD": "{}/board.sqlite"}, check_board),
    (
        {"ZS_MODEL_URL": "MODEL", "ZS_MODEL": "m", "ZS_MODEL_KEY_VARIABLE": "A_KEY", "A_KEY": "k"}
        | {"ZS_MODEL_WORDS": "4000", "ZS_MODEL_PER_VISITOR": "1", "ZS_MODEL_PER_DAY": "9"},
        check_model,
    ),
    (
        {"ZS_MODEL_URL": "MODEL", "ZS_MODEL": "m", "ZS_MODEL_SIGN_IN": "1"}
        | {"HF_ENDPOINT": "MODEL", "HF_TOKEN": "hf_of_this_machine"},
        check_sign_in,
    ),
]
OPTIONS = [
    (["--port", "PORT"], check_page),
    (["--host", "127.0.0.1"], check_page),
    (["--data", "{}/rows"], check_data),
    (["--board", "{}/board.sqlite"], check_board),
]
#: What is wrong with a variable, and what is said at the start.
WRONG = [
    ({"ZS_BENCHMARK": "nosuch.toml"}, "ZS_BENCHMARK: nosuch.toml cannot be read"),
    ({"ZS_DATA": "no such"}, "ZS_DATA: there is no folder or ZIP 'no such'"),
    ({"ZS_BOARD": "nosuch.sqlite"}, "nosuch.sqlite"),
    ({"ZS_FRAME_ANCESTORS": "a;b"}, "ZS_FRAME_ANCESTORS: 'a;b' is no host"),
    ({"ZS_MODEL_URL": "http://127.0.0.1:9/v1"}, "ZS_MODEL_URL is set, and ZS_MODEL is not; give the name of the model"),
    (
        {"ZS_MODEL_URL": "http://127.0.0.1:9/v1", "ZS_MODEL": "m", "ZS_MODEL_WORDS": "many"},
        "ZS_MODEL_WORDS is 'many'; give a whole number",
    ),
    (
        {"ZS_MODEL_URL": "http://127.0.0.1:9/v1", "ZS_MODEL": "m", "ZS_MODEL_SIGN_IN": "yes"},
        "ZS_MODEL_SIGN_IN is 'yes'; give 1, or unset it",
    ),
    ({"GRADIO_SERVER_PORT": "http"}, "'http' is no port; give a whole number from 1 to 65535"),
    (
        {"GRADIO_SERVER_NAME": "192.0.2.1", "GRADIO_SERVER_PORT": "7999"},
        "this machine cannot listen on 192.0.2.1, port",
    ),
]


def test_each_variable_and_option_in_the_documents_is_in_the_tables_of_this_module():
    named = {name for path in DOCUMENTS for name in re.findall(r"\bZS_\w+", path.read_text(encoding="utf-8"))}
    started = {name for settings, _ in VARIABLES for name in settings}
    assert {name for name in named if not name.startswith("ZS_REQUIRE_")} - OF_TESTS <= started
    command = CommandParser(prog="app")
    declare(command)
    declared = set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", command.format_help(), re.MULTILINE))
    assert declared - {"--help"} == {option for options, _ in OPTIONS for option in options if option.startswith("--")}


@pytest.fixture
def folder(tmp_path):
    team(tmp_path, PROMPT)
    write(tmp_path / "rows" / "who" / "validation.jsonl", [ROW])
    make_board(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_app_starts_with_the_benchmark_of_the_document(tmp_path):
    with started_app(ROOT, tmp_path / "log", ZS_BENCHMARK=team(tmp_path)) as url:
        check_page_with_a_benchmark_of_ones_own(url)


@pytest.mark.slow
@pytest.mark.parametrize(("settings", "check"), VARIABLES)
def test_the_app_starts_with_each_variable_and_does_what_the_document_says(settings, check, folder):
    with serving(StandIn(message=lambda _: {"content": "Behind the clock"})) as model:
        places = {"MODEL": model.url}
        if "HF_ENDPOINT" in settings:
            places["HF_ENDPOINT"] = model.url.removesuffix("/v1")
        set_ = {name: places.get(text, text).format(folder) for name, text in settings.items()}
        with started_app(ROOT, folder / "log", **set_) as url:
            check(url, folder)


@pytest.mark.slow
@pytest.mark.parametrize(("options", "check"), OPTIONS)
def test_the_command_starts_the_app_with_each_option(options, check, folder):
    port = str(free_port())
    given = [port if text == "PORT" else text.format(folder) for text in options]
    with started_app(folder, folder / "log", *given, **({} if port in given else {"GRADIO_SERVER_PORT": port})) as url:
        check(url, folder)


@pytest.mark.slow
@pytest.mark.parametrize(("settings", "said"), WRONG)
def test_a_wrong_variable_is_a_sentence_and_status_2(settings, said, tmp_path):
    done = _run(tmp_path, settings, str(ROOT / "app.py"))
    assert (done.returncode, said in done.stderr.decode()) == (2, True), done.stderr.decode()


COMMANDS = [["-m", "zs_start", "app", "--port"], pytest.param(["app.py"], marks=pytest.mark.slow)]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_port_that_is_taken_is_a_sentence_and_status_2(command, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        options = [port] if command[-1] == "--port" else []
        start = [str(ROOT / name) if name == "app.py" else name for name in command]
        done = _run(tmp_path, {} if options else {"GRADIO_SERVER_PORT": port}, *start, *options)
    said = f"zero-scrolls: port {port} is taken by another program; give another with --port, or none for"
    assert (done.returncode, done.stderr.decode().startswith(said)) == (2, True), done.stderr.decode()


@pytest.mark.slow
def test_a_port_that_is_taken_after_it_was_looked_at_is_the_same_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code = f"import zs_app.server.address as a, zs_start.app as b; a.port_to_listen_on = lambda: {port}; b.main()"
        done = _run(tmp_path, {}, "-c", code)
    assert done.returncode == 2, done.stderr.decode()
    assert f"zero-scrolls: port {port} is taken by another program" in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def _run(folder, settings, *command):
    outside = ("GRADIO_", "HF_", "ZS_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(outside)} | settings
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=env, capture_output=True, timeout=300, check=False
    )
