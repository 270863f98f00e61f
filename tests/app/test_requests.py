"""The running app as raw HTTP sees it: what is closed, refused, limited and sent with each response."""

import asyncio
import json
import logging
import socket
from pathlib import Path

import httpx
import pytest
from requests_to_app import HTTP, post
from starlette.requests import ClientDisconnect

from zs_app import api, words
from zs_app.server import heads, limits, middleware, uploads
from zs_app.server.security_headers import security_headers
from zs_app.server.temporary_files import upload_folder
from zs_metric.errors import ZeroScrollsError

AWAY = "http://files.example.org/x.csv"
EVENT = {"data": ["quality", "B", ["B"]]}


def file(path):
    return {"path": path, "meta": {"_type": "gradio.FileData"}}


def upload(url, *files, **headers):
    return httpx.post(f"{url}/gradio_api/upload", files=[("files", named) for named in files], headers=headers, **HTTP)


def raw(url, head, body=b"", timeout=20):
    """The whole answer to a request written by hand, once the server has closed the connection."""
    with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])), timeout=timeout) as line:
        line.sendall("".join(f"{text}\r\n" for text in (*head, "")).encode() + body)
        return line.makefile().read()


# The routes of Gradio that are open; another one outside its API, of a newer release, has to be looked at.
OPEN = """
/ /assets/{path} /config /favicon.ico /gradio_api/api/{api_name} /gradio_api/app_id /gradio_api/call/v2/{api_name}
/gradio_api/call/v2/{api_name}/{event_id} /gradio_api/call/{api_name} /gradio_api/call/{api_name}/{event_id}
/gradio_api/cancel /gradio_api/component_server /gradio_api/heartbeat/{session_hash}
/gradio_api/info /gradio_api/login_check /gradio_api/openapi.json /gradio_api/queue/data /gradio_api/queue/join
/gradio_api/queue/status /gradio_api/reset /gradio_api/run/{api_name} /gradio_api/startup-events /gradio_api/theme.css
/gradio_api/upload /gradio_api/upload_progress /manifest.json /pwa_icon /pwa_icon/{size} /robots.txt /static/{path}
/svelte/{path} /theme.css
"""


def test_every_route_of_gradio_is_known_and_those_that_nothing_uses_are_closed(app, url):
    paths = [path for path in app.app.openapi()["paths"] if not path.startswith(("/zs/", "/reports/"))]
    closed = [path for path in paths if path.rstrip("/") not in OPEN.split() and path != "/"]
    assert {path.rstrip("/") or "/" for path in paths} - set(closed) == set(OPEN.split())
    with_line_feeds = ["/gradio_api/file=/etc/passwd%0A", "/monitoring/summary%0A", "/gradio_api/token%0A"]
    closed += ["/gradio_api/profiling/traces", "/gradio_api/mcp/sse", "/gradio_api/mcp/messages/", "/docs"]
    for path in [*closed, *with_line_feeds, "/gradio_api/of_a_later_release"]:
        for method in ("GET", "POST", "HEAD"):
            assert httpx.request(method, url + path.replace("{", "").replace("}", ""), **HTTP).status_code in (404, 405)


def test_what_would_be_kept_logged_or_checked_for_nobody_is_refused(url):
    def tool(**params):
        return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    long_name = f"{upload_folder()}/{64 * '0'}/{300 * 'a'}"
    for route, body, why in (
        ("run/score_answer", {"data": ["qasper", "a", ["a"], None, "b"]}, "there are 5 values; give at most 4"),
        ("run/score_answer", {**EVENT, "session_hash": ["x"]}, "session_hash is a list or an object"),
        ("mcp/", tool(name="a" * 201, arguments={}), "the name of a tool is longer than 200 characters"),
        ("mcp/", tool(name="x\nERROR: y", arguments={}), "or cannot be printed"),
        ("mcp/", tool(name="score_answer", arguments={"references": [1] * 101}), "there are 101 references"),
        (
            "mcp/",
            tool(name="x", arguments={"predictions": [1] * 50_000}),
            "give a tool at most 50,000, or upload a file",
        ),
        ("run/score_answer", {"data": [[[]] * 1_000_001]}, "the body holds more than 1,000,000 lists and objects"),
        ("queue/join", {"data": [1] * 4_000_002}, "or 4,000,000 commas"),
        ("run/score_file", {"data": [[file(long_name)], []]}, "a file must have been uploaded here"),
        ("run/score_file", {"data": [[file(long_name[:-300] + "a\0")], []]}, "a file must have been uploaded here"),
    ):
        answer = post(url, route, **body)
        assert (answer.status_code in (400, 403, 413), why in answer.json()["error"]) == (True, True), (
            route,
            answer.text,
        )
    answer = httpx.get(f"{url}/gradio_api/upload_progress?upload_id={101 * 'a'}", **HTTP)
    assert (answer.status_code, answer.json()["error"]) == (400, "upload_id is longer than 100 characters")


@pytest.mark.parametrize(
    "message",
    [
        {"id": 1, "method": "tools/call", "params": {"name": 5, "arguments": {"prediction": "my secret"}}},
        {"method": "notifications/none", "params": {"text": "my secret"}},
        {"id": 7, "result": {"text": "my secret"}},
        {"id": 7, "error": {"code": 1, "message": "my secret"}},
    ],
    ids=["request", "notification", "result", "error"],
)
def test_a_wrong_message_of_an_agent_is_not_logged_with_its_values(url, caplog, capfd, message):
    kinds = {"accept": "application/json, text/event-stream"}
    for body in (message, {"id": 2, "method": "tools/list"}):
        httpx.post(f"{url}/gradio_api/mcp/", json={"jsonrpc": "2.0", **body}, headers=kinds, **HTTP)
    assert "secret" not in caplog.text + "".join(capfd.readouterr())


@pytest.mark.parametrize("module", [middleware, api])
def test_large_calls_wait_for_others_and_small_ones_do_not(url, monkeypatch, module):
    def body(size):
        return json.dumps({"data": [{"quality": {"a": size * "B"}}, {"quality": {"a": ["B"]}}]}).encode()

    def score(size):
        kind = {"content-type": "application/json"}
        return httpx.post(f"{url}/gradio_api/run/score_predictions", content=body(size), headers=kind, **HTTP).json()

    monkeypatch.setattr(module, "_ROOM", limits.Room(len(body(100_000)) - 1))
    assert score(100_000)["error"] == "the server holds other large calls; try again in a few minutes"
    for size in (99_999, 40_000, 99_999):  # each gives its room back
        assert "tasks" in score(size)["data"][0]


def test_what_is_nested_too_deeply_is_a_sentence(url):
    for levels, message in ((900, "the values are nested too deeply"), (90, "references[0] is [[[")):
        answer = post(url, "run/score_answer", data=["qasper", "a", json.loads(levels * "[" + levels * "]")])
        assert answer.json()["error"].startswith(message)


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("/zs/monitoring", None),
        ("/zs/zs/monitoring", None),
        ("/zs/gradio_api/token", None),
        ("zs/config", None),
        ("/zs/config", "/config"),
        ("/config", "/config"),
    ],
)
def test_a_path_below_the_address_of_the_page_is_checked_as_any_other(path, seen):
    asked, sent = [], []

    async def app(scope, receive, send):
        asked.append(scope["path"])

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "root_path": "/zs", "path": path, "headers": [], "query_string": b""}
    asyncio.run(middleware.RequestChecks(app, {})(scope, None, send))
    assert asked == ([seen] if seen else [])
    assert [message["status"] for message in sent[:1]] == ([] if seen else [404])


def test_a_websocket_is_closed():
    sent = []

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    asyncio.run(middleware.RequestChecks(None, {})({"type": "websocket"}, receive, send))
    assert sent == [{"type": "websocket.close"}]


def test_the_icon_is_made_in_two_sizes_since_one_of_100_000_pixels_would_take_all_memory(url):
    sizes = {
        size: httpx.get(f"{url}/pwa_icon/{size}", **HTTP).status_code for size in ("192", "512", "513", "0192", "-1")
    }
    assert sizes == {"192": 200, "512": 200, "513": 404, "0192": 404, "-1": 404}


@pytest.fixture
def fetches(monkeypatch):
    """Every address that Gradio would fetch for a caller, or look up; all attempts are caught."""
    asked = []

    async def caught(address, **_):
        asked.append(address)
        raise ValueError("caught")

    monkeypatch.setattr("gradio.processing_utils.async_ssrf_protected_download", caught)
    monkeypatch.setattr("gradio.route_utils.safehttpx.async_validate_url", caught)
    return asked


# How a caller can name the endpoint that takes files, or hide a file where none is expected.
CALLS = {
    "run": ("run/score_file", lambda data: {"data": data}),
    "run by index": ("run/x", lambda data: {"data": data, "fn_index": "INDEX"}),
    "call by name": ("call/v2/score_file", lambda data: {"predictions": data[0], "references": data[1]}),
    "queue": ("queue/join", lambda data: {"data": data, "fn_index": "INDEX", "session_hash": "attacker"}),
    "nested": ("run/score_answer", lambda data: {"data": ["qasper", "a", data[0]]}),
    "server function": ("component_server", lambda data: {"data": {"a": data[0]}, "component_id": 1, "fn_name": "x"}),
    "agent": ("mcp/", lambda data: {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "score_answer", "arguments": {"task": "qasper", "prediction": "a", "references": data[0]}}}),
}  # fmt: skip
WRITTEN = {
    "plain": lambda text: text.encode(),
    "escaped": lambda text: text.replace("path", "p\\u0061th").replace("meta", "met\\u0061").encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
}


def call(app, url, name, data, written="plain"):
    route, body = CALLS[name]
    index = next(i for i, fn in app.fns.items() if fn.api_name == "score_file")
    text = json.dumps(body(data)).replace('"INDEX"', str(index))
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    return httpx.post(f"{url}/gradio_api/{route}", content=WRITTEN[written](text), headers=headers, **HTTP)


def test_an_address_or_a_file_of_the_server_given_as_an_upload_is_refused_and_never_fetched(app, url, fetches):
    for path in (AWAY, "HTTPS://x.example.org", "/etc/passwd", "app.py", "", "/proc/self/environ"):
        for name in CALLS:
            for written in WRITTEN:
                answer = call(app, url, name, [[file(path)], [file(path)], False], written)
                assert (answer.status_code, "uploaded here" in answer.text) == (403, True), (path, name, written)
    for route in ("file={}", "file/{}", "proxy={}", "file%3D{}", "file={}%00"):
        for address in (AWAY, "//x.example.org/y", "/etc/passwd", "..", "/proc/self/environ"):
            assert httpx.get(f"{url}/gradio_api/{route.format(address)}", **HTTP).status_code in (403, 404)
    assert not fetches


def test_a_page_of_another_site_cannot_upload_and_an_upload_has_a_name_that_nobody_can_guess(url):
    for headers, status in (
        ({}, 200), ({"origin": url}, 200), ({"sec-fetch-site": "same-origin", "origin": "https://proxied.org"}, 200),
        ({"origin": "https://evil.example"}, 403), ({"origin": "null"}, 403), ({"sec-fetch-site": "cross-site"}, 403),
    ):  # fmt: skip
        assert upload(url, ("a.json", b"{}"), **headers).status_code == status, headers
    (path,) = upload(url, ("qasper.json", b'{"a": "secret answer"}')).json()
    assert len(Path(path).parent.name) == 64


def test_uploads_have_a_form_and_limits(app, url, monkeypatch):
    part = b'--x\r\nContent-Disposition: form-data; name="files"%s\r\n\r\n1\r\n--x--\r\n'
    named = part % (b'; filename="' + b"a-" * 3_000 + b'"')
    for charset in ("punycode", "idna", "utf-7", '"PunyCode"'):
        kind = {"content-type": f"multipart/form-data; boundary=x; charset={charset}"}
        answer = httpx.post(f"{url}/gradio_api/upload", content=named, headers=kind, **HTTP)
        assert (answer.status_code, answer.text.endswith("in UTF-8")) == (400, True)
    kind = {"content-type": "multipart/form-data; boundary=x"}
    for no_file in (b"", b"; filename*=punycode''a", b"\r\nContent-Type: text/plain; filename=a"):
        answer = httpx.post(f"{url}/gradio_api/upload", content=part % no_file, headers=kind, **HTTP)
        assert (answer.status_code, answer.text) == (400, "an upload may contain only files")
    first = part.removesuffix(b"--x--\r\n").replace(b"%s", b'; filename="a"')
    kind = {"content-type": "multipart/form-data; boundary=x"}
    for second in (b"--x\r\n\r\n1\r\n--x--\r\n", part % b""):
        assert "only files" in httpx.post(f"{url}/gradio_api/upload", content=first + second, headers=kind, **HTTP).text
    many = [(f"{i}.json", b"{}") for i in range(uploads.MAX_FILES + 1)]
    assert "put them into one ZIP" in upload(url, *many).text
    assert upload(url, *many[1:]).status_code == 200
    monkeypatch.setattr(app, "max_file_size", 1_000)
    assert upload(url, ("a.csv", b"x" * 2_000)).status_code == 413


def test_a_body_beyond_its_limit_is_refused_before_or_while_it_is_read(url, monkeypatch):
    head = ["POST /gradio_api/run/score_answer HTTP/1.1", "host: x", f"content-length: {heads.MAX_EVENT + 1}"]
    answer = raw(url, head)
    assert (" 413 " in answer.splitlines()[0], "8,000,000 bytes" in answer) == (True, True)
    for route, limit in (("run/score_answer", "MAX_EVENT"), ("mcp", "MAX_BODY"), ("upload", "MAX_UPLOADS")):
        monkeypatch.setattr(heads, limit, 100_000)
        kind = "multipart/form-data; boundary=x" if route == "upload" else "application/json"
        start = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'
        pieces = iter([start if route == "upload" else b'"', *[b"a" * 10_000] * 50])
        answer = httpx.post(f"{url}/gradio_api/{route}", content=pieces, headers={"content-type": kind}, **HTTP)
        assert answer.status_code == 413, route


@pytest.mark.parametrize(
    ("error", "status", "logged"),
    [(ValueError("a visitor's text"), 500, True), (OSError(28, "a visitor's text"), 507, False),
     (ClientDisconnect(), 500, False)],
)  # fmt: skip
def test_an_uncaught_error_is_answered_and_logged_without_its_message(caplog, error, status, logged):
    async def failing(scope, receive, send):
        raise error

    async def ask():
        transport = httpx.ASGITransport(middleware.RequestChecks(failing, {}))
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            return [await client.get(f"/gradio_api/{route}") for route in ("info", "upload")]

    for answer in asyncio.run(ask()):
        assert (answer.status_code, answer.headers["connection"]) == (status, "close")
        assert "visitor" not in answer.text + caplog.text
        assert answer.headers["content-type"].startswith(("application/json", "text/plain"))
    assert ("ValueError" in caplog.text) == logged == bool(caplog.records)


def test_jobs_are_those_of_the_address_that_asks(url, monkeypatch):
    async def job(*_, job, size):
        return {"visitor": job.visitor, "size": size}

    monkeypatch.setattr(api, "run_job", job)
    data = {"data": [{"quality": {"a": "B"}}, {"quality": {"a": ["B"]}}, False, "zero_scrolls"]}
    asked = post(url, "run/score_predictions", **data)
    (seen,) = asked.json()["data"]
    assert (seen["visitor"], seen["size"] >= len(asked.request.content)) == ("127.0.0.1", True)
    paths = [[file(path)] for path in upload(url, ("a.json", b"{}"), ("b.json", b"{} ")).json()]
    assert post(url, "run/score_file", data=paths).json()["data"] == [{"visitor": "127.0.0.1", "size": 5}]


def test_a_whole_run_may_be_large_and_a_session_has_a_short_name(url):
    long = "x" * (heads.MAX_EVENT + 1)
    assert post(url, "run/score_answer", **EVENT, session_hash="x" * 101).status_code == 400
    assert post(url, "run/score_answer", **EVENT, session_hash="x" * 100).status_code == 200
    queue = f"{url}/gradio_api/queue/data"
    for path in (f"{queue}?session_hash={'x' * 5_000}", f"{url}/gradio_api/heartbeat/{'x' * 5_000}"):
        assert httpx.get(path, **HTTP).json()["error"].startswith("session_hash is")
    for index in (-1, 10**9, "0", 0.0, True):
        answer = post(url, "run/x", **EVENT, fn_index=index)
        assert (answer.status_code, answer.json()["error"]) == (404, "there is no event of this fn_index")
    answer = post(url, "run/score_predictions", data=[{"quality": {"a": long}}, {"quality": {"a": ["B"]}}])
    assert answer.status_code == 200


@pytest.mark.parametrize("route", ["run/score_answer", "upload"])
def test_a_body_that_never_ends_or_drips_is_refused_and_its_connection_closed(url, route, monkeypatch):
    for name in ("MAX_PAUSE", "MAX_SENDING", "MAX_SENDING_FILES"):
        monkeypatch.setattr(middleware, name, 0.3)
    kind = "multipart/form-data; boundary=x" if route == "upload" else "application/json"
    head = [f"POST /gradio_api/{route} HTTP/1.1", "host: x", f"content-type: {kind}", "content-length: 1000"]
    answer = raw(url, head, b"--x\r\n")
    assert (" 408 " in answer.splitlines()[0], "too slowly" in answer) == (True, True)


def test_a_request_with_two_lengths_or_a_strange_host_is_refused(url):
    both = ["content-length: 4", "transfer-encoding: chunked"]
    assert " 400 " in raw(url, ["POST /gradio_api/run/x HTTP/1.1", "host: x", *both], b"0\r\n\r\n").splitlines()[0]
    for host in ('a"><script>', "a/b", "a b", "a:123456", "@evil"):
        assert httpx.get(url, headers={"host": host}, **HTTP).status_code == 400, host


def test_forwarded_hosts_and_schemes_are_not_taken_from_visitors(url, monkeypatch):
    forwarded = {"x-forwarded-host": "evil.example", "x-forwarded-proto": "javascript"}
    page = httpx.get(url, headers=forwarded, **HTTP).text
    assert ("evil.example" in page, "javascript:" in page) == (False, False)
    monkeypatch.setenv("SPACE_HOST", "owner-name.hf.space")
    of_space = {"x-forwarded-host": "owner-name.hf.space", "x-forwarded-proto": "https"}
    assert "https://owner-name.hf.space" in httpx.get(f"{url}/config", headers=of_space, **HTTP).text


def test_every_response_has_security_headers_and_in_a_space_the_hub_may_show_the_page_in_a_frame(url, monkeypatch):
    for path in ("/", "/gradio_api/info", "/gradio_api/proxy=x", "/zs/x/none.js"):
        headers = httpx.get(url + path, **HTTP).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "strict-origin-when-cross-origin"
        assert "default-src 'self'" in headers["content-security-policy"]
    hub = "frame-ancestors 'self' https://huggingface.co https://*.hf.space"
    assert hub not in security_headers()["content-security-policy"]
    monkeypatch.setenv("SPACE_ID", "owner/name")
    assert hub in security_headers()["content-security-policy"]
    monkeypatch.setenv("ZS_FRAME_ANCESTORS", "https://*.example.org  localhost:8000")
    policy = security_headers()["content-security-policy"]
    assert " https://*.example.org localhost:8000; object-src" in policy
    for wrong in ("https://a.org; script-src *", "'unsafe-inline'", "a.org/page", "*", "a,b"):
        monkeypatch.setenv("ZS_FRAME_ANCESTORS", wrong)
        with pytest.raises(ZeroScrollsError, match="is no host; give hosts as in"):
            security_headers()


def test_a_broken_body_is_refused_and_the_server_survives(url):
    deep = b"[" * 100_000 + b"]" * 100_000
    for body in (b"", b"{", deep, b'{"path": ' + deep + b"}", b"\xff\xfe\x00path", b"null", b"7"):
        for route in ("run/score_answer", "queue/join", "call/v2/score_answer", "mcp/", "component_server"):
            kind = {"content-type": "application/json"}
            answer = httpx.post(f"{url}/gradio_api/{route}", content=body, headers=kind, **HTTP)
            assert 400 <= answer.status_code < 500, (route, body[:9])
    assert post(url, "run/score_answer", **EVENT).json()["data"][0]["score"] == 100


def test_a_wrong_call_of_the_endpoint_for_files_is_no_fault_of_the_app(url, caplog, capfd):
    (key,) = upload(url, ("cert.pem", b"x")).json()
    assert (
        "cert.pem: files of this type are not read; give .csv"
        in post(url, "run/score_file", data=[[file(key)]] * 2).text
    )
    assert "Traceback" not in capfd.readouterr().err
    paths = [file(path) for path in upload(url, *((f"{i}.json", b"{}") for i in range(41))).json()]
    assert "41 files, more than 40; put them into one ZIP" in post(url, "run/score_file", data=[paths, paths[:1]]).text
    gone = [[file(path.replace("0.json", "never.json"))] for path in (paths[0]["path"], paths[0]["path"])]
    assert "choose never.json again" in post(url, "run/score_file", data=gone).text
    assert "give at least one file of predictions" in post(url, "run/score_file", data=[]).text
    for data in (["x", []], [[{"path": "/etc/passwd"}], []], [[file(paths[0]["path"]), 1], []], [["x.csv"], paths]):
        assert "first, with handle_file in Python" in post(url, "run/score_file", data=data).text
    assert not [record for record in caplog.records if record.name.startswith("zs_app")]


def test_nothing_that_was_sent_is_logged_or_kept_by_a_session(app, url, capfd, caplog):
    secret = "my unpublished answer"
    caplog.set_level(logging.DEBUG)
    for fn in (fn for fn in app.fns.values() if not fn.preprocess or fn.api_name in ("score_answer", "get_example")):
        post(url, "run/x", data=[secret] * len(fn.inputs), fn_index=fn._id, session_hash=secret)
    post(url, f"run/{secret}", data=[secret])
    post(url, "run/score_file", data=[secret, [secret]])
    post(url, "run/score_answer", data=["quality", "B", [secret]])
    (sent,) = upload(url, (f"{secret}.json", b"x")).json()
    post(url, "run/score_file", data=[[file(sent)], [file(sent)], False])
    assert "no benchmark" in post(url, "run/score_file", data=[[file(sent)], [file(sent)], False, secret]).text
    printed = capfd.readouterr()
    assert secret not in printed.out + printed.err + caplog.text


def test_null_and_omitted_last_values_mean_the_defaults_and_an_unknown_endpoint_is_not_found(url):
    for endpoint, data, key, value in (
        ("score_answer", ["quality", "B", ["B"], None], "score", 100.0),
        ("score_answer", ["quality", "B", ["B"]], "score", 100.0),
        ("get_example", ["qasper", None, None], "index", 0),
        ("get_example", ["qasper"], "index", 0),
        ("score_predictions", [{"quality": {"a": "B"}}, {"quality": {"a": ["B"]}}, None], "partial", False),
    ):
        assert post(url, f"run/{endpoint}", data=data).json()["data"][0][key] == value
    for route in ("run/score_answr", "call/score_answr"):
        answer = post(url, route, data=[])
        assert (answer.status_code, answer.json()["error"][:27]) == (404, "there is no such endpoint; ")


def test_the_page_has_a_title_a_description_and_an_icon_of_our_own(url):
    page = httpx.get(url, **HTTP).text
    assert f'property="og:title" content="{words.TITLE}"' in page
    assert words.DESCRIPTION in page
    assert httpx.get(f"{url}/favicon.ico", **HTTP).headers["content-type"] == "image/png"
