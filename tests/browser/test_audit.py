"""The labelling page in a browser: by keyboard alone, through a reload, and blind."""

import shutil
import threading
from contextlib import contextmanager

import pytest
from file_tab import listed
from made_up_answers import made_up
from playwright.sync_api import expect

from zs_lab.audit.check import read_check, read_labels
from zs_lab.audit.command import LabelServer
from zs_start.cli import main

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Made-up answers of two systems."""
    return made_up(tmp_path_factory.mktemp("answers"))


@pytest.fixture
def folder(answers, tmp_path):
    """The folder of a sample of sixty answers."""
    run, out = str(answers.files["wordy"]), str(tmp_path / "check")
    assert main(["audit", "draw", run, "--source", str(answers.data), "--size", "60", "--out", out]) == 0
    return tmp_path / "check"


@contextmanager
def served(folder, earlier=None):
    """Serve the labelling page of a folder, at the address of an earlier server if one is given."""
    with LabelServer(folder, read_check(folder), earlier.server_address[1] if earlier else 0) as server:
        server.root = earlier.root if earlier else server.root
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def label_page(new_context):
    """A page that keeps what it requests; its errors fail the test."""
    page, errors, requests = new_context().new_page(), [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: requests.append((request.url, request.post_data or "")))
    page.requests = requests
    yield page
    assert not errors


def begin(page, name="Ann"):
    """Start by keyboard."""
    page.locator("#annotator:focus").wait_for()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    page.locator("#card:focus").wait_for()


@pytest.mark.slow
def test_sixty_answers_are_labelled_by_keyboard_through_a_reload_and_none_is_lost(label_page, folder, navigate):
    with served(folder) as server:
        label_page.goto(server.address())
        begin(label_page)
        keys = "112113"
        for number in range(60):
            assert f"{number + 1} of 60" in label_page.locator("#place").inner_text()
            label_page.keyboard.press(keys[number % 6])
            if number == 29:
                label_page.keyboard.press("u")
                label_page.keyboard.press(keys[number % 6])
                navigate(label_page.reload)
                label_page.locator("#card:focus").wait_for()
        label_page.locator("#done:focus").wait_for()
        assert label_page.locator("#done-text").inner_text().startswith("40 right, 10 wrong, 10 cannot tell.")
        label_page.locator("#report").click()
        label_page.get_by_text("belong to right answers").wait_for()
    labels, check = read_labels(folder.glob("labels-Ann.jsonl")), read_check(folder)
    assert [(label.id, label.answer) for label in labels] == [
        (check.ids[place], answer) for place, answer in check.cards
    ]
    verdicts = {"1": "right", "2": "wrong", "3": "cannot tell"}
    assert [label.verdict for label in labels] == [verdicts[keys[number % 6]] for number in range(60)]
    assert all(label.seconds >= 0 for label in labels)


@pytest.mark.slow
def test_neither_the_page_nor_its_requests_contain_score_or_system_before_the_end(label_page, folder):
    with served(folder) as server:
        label_page.goto(server.address())
        begin(label_page)
        reference = label_page.locator("#references li").inner_text()
        label_page.keyboard.press("d")  # the document, on demand
        assert label_page.locator("blockquote").filter(has_text=reference).first.is_visible()
        seen = [label_page.content()]
        for _ in range(59):
            label_page.keyboard.press("1")
            assert not label_page.locator("#passages").is_visible()
            seen.append(label_page.locator("main").inner_html())
        replies = "".join(map("".join, label_page.requests))
        for text in (*seen, replies):
            assert not any(word in text for word in ("wordy", "preds_qasper", "stratum", '"score', "lost points"))
        report = f"{server.address()}report?annotator=Ann"  # closed until the end, whoever asks
        while (text := label_page.request.get(report).text()) != "1 answer left to label.":
            assert "answers left to label." in text  # the last labels are on their way
        assert label_page.request.get(report.replace(server.root, "/")).status == 404


def test_the_file_alone_keeps_labels_in_the_browser_and_saves_them_as_a_file(label_page, folder, navigate):
    label_page.goto((folder / "label.html").as_uri())
    label_page.locator("#few").check()
    label_page.locator("#annotator").focus()
    begin(label_page, "Bob")
    for _ in range(15):
        label_page.keyboard.press("2")
    label_page.get_by_text("16 of 30").wait_for()
    navigate(label_page.reload)
    label_page.locator("#card:focus").wait_for()
    assert label_page.locator("#place").inner_text() == "16 of 30"
    for _ in range(15):
        label_page.keyboard.press("3")
    with label_page.expect_download() as download:
        label_page.locator("#download").click()
    download.value.save_as(folder / download.value.suggested_filename)
    assert [url for url, _ in label_page.requests if not url.startswith(("file:", "blob:", "data:"))] == []
    labels = read_labels(folder.glob("labels-Bob.jsonl"))
    assert [label.verdict for label in labels] == ["wrong"] * 15 + ["cannot tell"] * 15


@pytest.mark.slow
def test_labels_that_could_not_be_saved_on_disk_are_sent_again(label_page, folder):
    with served(folder) as server:
        label_page.goto(server.address())
        begin(label_page)
        label_page.keyboard.press("1")
    label_page.keyboard.press("2")
    label_page.get_by_text("Not on disk yet, but kept in this browser").wait_for()
    with served(folder, server):
        label_page.locator("#trouble:empty").wait_for(state="attached")
    assert [label.verdict for label in read_labels(folder.glob("labels-*.jsonl"))] == ["right", "wrong"]


@pytest.mark.slow
def test_on_the_page_a_scored_file_gives_the_page_to_label_with_and_the_labels_the_report(
    open_page, label_page, answers, tmp_path
):
    page = open_page(query="&tab=file")
    page.locator("#file-files input[type=file]").set_input_files(answers.files["wordy"])
    references = shutil.copy(answers.data / "qasper" / "validation.jsonl", tmp_path / "qasper.jsonl")
    page.locator("#file-files input[type=file]").set_input_files(references)
    listed(page, "references").wait_for()
    assert not page.locator("#audit").is_visible()
    page.locator("#file-score").click()
    page.locator("#file-report .zs-total").wait_for()
    page.locator("#audit summary").click()
    page.locator("#audit [name=size]").fill("40")
    page.locator("#audit button").click()
    expect(page.locator("#audit-status")).to_contain_text("The questions of 40 answers are not known here")
    with page.expect_download() as download:
        page.locator("#audit-status a").click()
    download.value.save_as(tmp_path / download.value.suggested_filename)
    label_page.goto((tmp_path / "label-qasper.html").as_uri())
    begin(label_page)
    for number in range(40):
        label_page.keyboard.press("12"[number % 2])
    with label_page.expect_download() as download:
        label_page.locator("#download").click()
    download.value.save_as(tmp_path / "labels-Ann.jsonl")
    page.locator("#audit input[type=file]").set_input_files(tmp_path / "labels-Ann.jsonl")
    page.locator("#audit-report p").filter(has_text="belong to right answers.").wait_for()
    report = page.locator("#audit-report").inner_text()
    assert "40 of 200 examples labelled by Ann" in report
    (tmp_path / "labels.jsonl").write_text('{"id": "a"}', encoding="utf-8")
    page.locator("#audit input[type=file]").set_input_files(tmp_path / "labels.jsonl")
    page.get_by_text("labels.jsonl, line 1: task, answer").wait_for()
    assert page.locator("#audit-report").inner_text() == report
