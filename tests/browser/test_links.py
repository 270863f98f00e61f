"""Links to a state of the app."""

import re
from unittest.mock import Mock
from urllib.parse import parse_qsl, urlsplit

import page_actions
import pytest
from page_actions import choose_benchmark, choose_example, choose_task, chosen, open_tab
from playwright.sync_api import Error, expect

from zs_app import api, words

pytestmark = pytest.mark.browser


def is_named(page, **place):
    """Wait until the address of the page has this query."""
    page.wait_for_url(lambda url: place.items() <= dict(parse_qsl(urlsplit(url).query)).items(), wait_until="commit")


def test_the_address_follows_and_leads_back_also_from_a_wrong_link(open_page, navigate):
    page = open_page(query="&tab=nowhere&task=%3Cscript%3E&example=-1&benchmark=toString")
    selected, note = page.get_by_role("tab", selected=True), page.locator("#link-note")
    text, example = page.locator("#try-answer textarea"), page.locator("#try-example select")
    expect(note).to_contain_text("tab=nowhere, task=<script>, example=-1, benchmark=toString")
    expect(selected).to_have_text("Try a task")
    choose_task(page, "MuSiQue")
    expect(note).to_have_count(0)
    text.fill("Brennick")
    choose_example(page, 1)
    is_named(page, tab="try", task="musique", example="1")
    choose_benchmark(page, "SCROLLS")
    open_tab(page, "answer")
    is_named(page, benchmark="scrolls", tab="answer", task="qasper")
    expect(page.get_by_role("link", name="Data")).to_have_attribute("href", re.compile("tau/scrolls"))
    navigate(page.go_back)
    expect(selected).to_have_text("Try a task")
    expect(chosen(page, "task")).to_contain_text("QuALITY")  # SCROLLS has no MuSiQue
    navigate(page.go_back)
    expect(page.locator("#benchmark")).to_have_value("zero_scrolls")
    expect(chosen(page, "task")).to_contain_text("MuSiQue")
    expect(example).to_have_value("1")
    navigate(page.go_back)
    for _ in range(2):  # the second time after a refresh
        expect(example).to_have_value("0")
        expect(text).to_have_value("Brennick")
        expect(page.locator("#try-card .zs-score")).to_have_attribute("data-score", "100.0000")
        navigate(page.reload)
    navigate(page.go_forward)
    expect(example).to_have_value("1")
    expect(text).to_have_value("")


@pytest.mark.slow
def test_the_link_to_what_is_shown_is_copied(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    choose_task(page, "MuSiQue")
    link = page.locator("[data-copy=address]")
    link.dblclick()
    expect(link).to_have_text("Copied")
    here = page.url.partition("?")[0]
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{here}?tab=try&task=musique&example=0"  # without the theme
    expect(link).to_have_text("Copy link")
    page.evaluate("() => { navigator.clipboard.write = async () => { throw new Error(); }; }")
    link.click()
    expect(link).to_have_text("Not copied: the browser refused")


def test_the_calls_of_the_api_name_this_page_and_are_copied_and_gradio_describes_the_endpoints(open_page, url):
    page = open_page(query="&tab=api")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for title, code in api.snippets().items():
        page.get_by_role("button", name=words.API_COPY_NAMED.format(title)).click()
        copied = "async code => await navigator.clipboard.readText() === code"
        page.wait_for_function(copied, arg=code.replace(api.ADDRESS, url))
    page.route("**/monitoring/summary", lambda route: route.fulfill(json={"functions": {}}))  # closed
    page.get_by_role("button", name="Use via API").click()
    expect(page.get_by_text("Score many answers at once, given as JSON").first).to_be_visible()


def test_only_after_an_error_of_its_protocol_is_the_browser_asked_again():
    refused = []
    lost, late = (
        Error("Protocol error (Page.reload): Not attached to an active page"),
        Error("Timeout 60000ms exceeded."),
    )
    page_actions.navigate(Mock(side_effect=[lost, None]), refused.append)
    assert refused == [str(lost)]
    for outcomes in ([late], [AssertionError()], [lost, lost]):
        with pytest.raises((Error, AssertionError)):
            page_actions.navigate(Mock(side_effect=outcomes), refused.append)
    assert len(refused) == 2
