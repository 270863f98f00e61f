"""The routes beside Gradio's: script modules, and the calls of the server functions of the page's components."""

import re
from urllib.parse import quote

import httpx
import pytest
from written_files import write

from zs_app import component
from zs_app.jobs import Upload, score_upload
from zs_app.result_tables import new_result


@pytest.fixture
def modules(tmp_path, monkeypatch):
    (tmp_path / "answer.js").write_text("export const a = 1;\n" * 100, encoding="utf-8")
    monkeypatch.setattr(component, "STATIC", tmp_path)


def test_script_modules_are_compressed_and_kept_by_browsers_until_they_change(url, modules):
    answer = httpx.get(f"{url}/{component.static_url('answer.js')}", headers={"Accept-Encoding": "br"})
    assert (answer.status_code, "javascript" in answer.headers["content-type"]) == (200, True)
    assert (answer.headers["content-encoding"], "immutable" in answer.headers["cache-control"]) == ("br", True)
    older = httpx.get(f"{url}/zs/older/answer.js")
    assert (older.text[:16], older.headers["cache-control"]) == ("export const a =", "no-cache")


def test_nothing_outside_the_folder_of_modules_is_sent(url, modules):
    for name in ("other.js", "", "%2e%2e/page.py", "..%2fpage.py", "/etc/passwd"):
        assert httpx.get(f"{url}/zs/x/{name}").status_code == 404, name


def test_a_report_is_made_and_downloaded_by_the_id_of_its_result(url, tmp_path):
    file, path = write(tmp_path / "p.json", {"qasper": {"a": "é"}}), new_result()
    upload = Upload([str(file)], [str(file)], "files", False, "zero_scrolls", names=["é & b"])
    score_upload(upload, path, lambda *_: None)
    answer = httpx.get(f"{url}/reports/{path.stem}/é---b-report.csv")
    assert ("qasper" in answer.text, answer.headers["content-type"]) == (True, "application/octet-stream")
    assert answer.headers["content-disposition"] == f"attachment; filename*=utf-8''{quote('é---b-report.csv')}"
    for wrong in (f"{path.stem}/page", f"{'0' * 64}/r.csv", "../x", f"{path.stem}/"):
        assert httpx.get(f"{url}/reports/{wrong}").status_code == 404, wrong


def test_the_page_is_compressed_and_names_in_its_header_the_files_that_browsers_keep(url):
    page = httpx.get(url, headers={"Accept-Encoding": "gzip"})
    assert 4 * int(page.headers["content-length"]) < len(page.content)
    files = re.findall("<([^>]+)>", page.headers["link"])
    assert {"page.js", "try.js", "calls.js", "page.css"} < {file.rpartition("/")[2] for file in files}
    fonts = [file for file in files if file.endswith(".woff2")]
    assert [len(httpx.get(f"{url}/{file}").raise_for_status().content) > 10_000 for file in fonts] == [True, True]
    kept = [file for file in files if file not in fonts]
    kept.append(re.search(r'data-examples=\\"(zs/[^"\\]+)\\"', page.text)[1] + "musique.json")
    for file in kept:
        assert "immutable" in httpx.get(f"{url}/{file}").raise_for_status().headers["cache-control"], file
    assert httpx.get(f"{url}/zs/older/page.css").headers["cache-control"] == "no-cache"
    assert "link" not in httpx.get(f"{url}/{kept[0]}").headers
