"""The HTML report, opened as a file in a real browser."""

import re
from pathlib import Path

import pytest
from compared_systems import systems
from playwright.sync_api import expect

from zs_bench.dataset.rows import EMBEDDED, SAMPLE_PREDICTIONS
from zs_bench.reports.comparison import compare
from zs_bench.reports.html.standalone import comparison_page, html_report
from zs_bench.scoring.score_files import score_files

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    """The report of the sample, with its references."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html_report(score_files([SAMPLE_PREDICTIONS], [EMBEDDED]), references=True), encoding="utf-8")
    return path


@pytest.fixture
def open_report(new_context, path):
    """Open it: `open_report(width=…, dark=…)`; a message in the console and any other request fail the test."""
    bad = []

    def open_(*, width: int = 1280, dark: bool = False):
        scheme = "dark" if dark else "light"
        page = new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
        page.on("pageerror", lambda error: bad.append(str(error)))
        page.on("console", lambda message: bad.append(message.text))
        page.on("request", lambda request: bad.append(request.url) if request.url != path.as_uri() else None)
        page.goto(path.as_uri())
        return page

    yield open_
    assert not bad, bad


def test_it_opens_without_a_script_or_a_request_and_an_answer_opens_by_keyboard(open_report):
    page = open_report()
    expect(page.locator(".zs-total")).to_contain_text("ZeroSCROLLS score")
    expect(page.locator("#per-task .zs-rowbar b")).to_have_count(10)
    page.locator("#gov_report > summary").click()
    example = page.locator("#gov_report details").first
    expect(example.locator(".zs-why")).to_be_hidden()
    example.locator("summary").focus()
    page.keyboard.press("Enter")
    word = example.locator("mark.u:not(.b)").first
    expect(word).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    example.get_by_role("radio", name="Words").first.check()
    expect(word).to_have_css("background-color", "rgb(253, 230, 138)")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", open_report().pdf(format="A4"))) <= 4


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_the_screen_light_and_dark(open_report, dark):
    for width in (1280, 390):
        page = open_report(width=width, dark=dark)
        colour = "rgb(15, 23, 42)" if dark else "rgb(241, 245, 249)"
        expect(page.locator("body")).to_have_css("background-color", colour)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.querySelector('.zs-tasks-box').scrollWidth") <= width, (
            "the table does not scroll"
        )


def test_a_comparison_of_systems_with_long_names_shows_every_column_on_every_screen_and_on_paper(
    new_context, tmp_path_factory
):
    folder = tmp_path_factory.mktemp("compared")
    known = {"quality": dict.fromkeys(map(str, range(40)), "A")}
    wrong = {"quality": dict.fromkeys(map(str, range(40)), "B")}
    first, second = "a-model-of-7b-chat-4k-24", "another-model-of-base-24"
    path = folder / "comparison.html"
    path.write_text(comparison_page(compare(systems(folder, known, **{first: known, second: wrong}))), encoding="utf-8")
    for width, media in ((1280, "screen"), (390, "screen"), (688, "print")):
        page = new_context(viewport={"width": width, "height": 900}).new_page()
        page.emulate_media(media=media)
        page.goto(path.as_uri())
        expect(page.locator("#per-task")).to_contain_text("< 0.0001")
        cut = """box => [...box.querySelectorAll("th, td")]
            .filter(cell => cell.getBoundingClientRect().right > box.getBoundingClientRect().right + 1)
            .map(cell => cell.textContent)"""
        assert page.locator(".zs-tasks-box").evaluate(cut) == [], (width, media)
