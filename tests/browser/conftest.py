"""A real headless Chromium that watches for errors and outside requests."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import chain

import page_actions
import pytest
from chromium import FLAGS, chromium

# Milliseconds for what the page does; files are scored by processes that give way to all others of a busy machine.
WITHIN = 60_000
FOCUS = "`${document.hasFocus()}, ${document.activeElement?.outerHTML.slice(0, 200)}`"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test says what its pages showed."""
    report = yield
    if report.failed and call.when == "call":
        contexts = getattr(item.funcargs.get("browser"), "contexts", [])
        for page in chain.from_iterable(context.pages for context in contexts):
            with suppress(page_actions.Error):  # of a page that is no longer there
                report.sections.append((f"the page {page.url}", page.inner_text("body", timeout=5_000)))
                report.sections.append(("has the focus at", page.evaluate(FOCUS)))
    return report


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium; without one the browser tests are skipped, or fail where ZS_REQUIRE_BROWSER is set."""
    path = chromium()
    if path is None:
        message = "NO CHROMIUM: the browser tests did not run; install it with: apt-get install chromium"
        if os.environ.get("ZS_REQUIRE_BROWSER"):
            pytest.fail(message)
        pytest.skip(message)
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=WITHIN)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def context(browser):
    """One context for all pages, so that they share the cache."""
    with browser.new_context(locale="en-US", reduced_motion="reduce", accept_downloads=True) as context:
        context.set_default_timeout(WITHIN)
        yield context


@pytest.fixture
def new_context(browser):
    """Make a context of one's own, closed after the test."""
    with ExitStack() as contexts:

        def new(**options):
            context = contexts.enter_context(browser.new_context(**options))
            context.set_default_timeout(WITHIN)
            return context

        yield new


@pytest.fixture
def navigate(record_property):
    """Reload a page or go through its history, as in `navigate(page.go_back)`; the end of the run says how often the
    browser had to be asked again."""
    return partial(page_actions.navigate, refused=partial(record_property, "protocol error"))


@pytest.fixture
def open_page(context, url):
    """Open the page: `open_page(width=…, dark=…, query=…, wire=…)`; its errors and outside requests fail the test."""
    with _pages(context, url) as open_:
        yield open_


@pytest.fixture(scope="module")
def open_shared_page(context, url):
    """The same for a page that the tests of a module share, since loading it takes longer than most of them."""
    with _pages(context, url) as open_:
        yield open_


@contextmanager
def _pages(context, url):
    pages, bad = [], []

    def open_(*, width=1280, height=900, dark=False, query="", wire=None):
        page = context.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.on("pageerror", lambda error: bad.append(f"pageerror {error}"))
        address = wire.url if wire else url
        if not wire:  # the browser writes of a lost connection
            page.on("console", lambda message: bad.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: bad.append(request.url) if not _own(request.url, address) else None)
        theme = "dark" if dark else "light"
        page.goto(f"{address}/?__theme={theme}{query}", wait_until="commit")
        page.locator("#try-answer:not([inert] *) textarea").first.wait_for(state="attached")  # its script is there
        page.locator("#tabs #try-side").wait_for(state="attached")  # in Gradio's page
        page.locator("#zs-frame [data-ready]").wait_for(state="attached")  # the script of the tabs and links
        if tab := re.search("tab=(answer|file|results)", query):
            page.locator(f"#zs-{tab[1]} [data-ready]").wait_for()
        return page

    yield open_
    for page in pages:
        page.close()
    assert not bad, bad


def _own(address: str, url: str) -> bool:
    return address.startswith((url, "data:", "blob:"))


@pytest.fixture
def page(open_page):
    """The page, wide and light."""
    return open_page()


@pytest.fixture(scope="module")
def shared_page(open_shared_page):
    """The page, wide and light, as the previous test left it."""
    return open_shared_page()
