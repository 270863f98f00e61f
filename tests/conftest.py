"""Shared by all tests: separate caches, the same generated texts on every run, and the app on a free port."""

import gc
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import HealthCheck, settings
from started_app import launched

settings.register_profile("the same on every run", derandomize=True, deadline=None, database=None, max_examples=30)
# `make fuzz`: many more, others each time; a failure is tried again first the next time, and printed for keeping.
settings.register_profile(
    "fuzz", deadline=None, max_examples=3_000, print_blob=True, suppress_health_check=list(HealthCheck)
)
# `.ci/run` sets HYPOTHESIS_PROFILE for the coverage: more texts than `make test`, still the same on every run.
settings.register_profile("ci", derandomize=True, deadline=None, database=None, max_examples=100, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "the same on every run"))


def _one_certificate(folder: str) -> str:
    """A file with one of the certificates that every HTTP client of httpx loads when it is made: loading all of them
    takes longer than most requests, and no test leaves this machine."""
    import certifi

    end = "-----END CERTIFICATE-----\n"
    path = os.path.join(folder, "certificate.pem")
    with open(certifi.where(), encoding="utf-8") as bundle, open(path, "w", encoding="utf-8") as certificate:
        certificate.write(bundle.read().partition(end)[0] + end)
    return path


# Set before any other conftest or test module imports evaluate or Gradio, which read these variables once.
_CACHE = tempfile.TemporaryDirectory(prefix="zero-scrolls-tests-", ignore_cleanup_errors=True)
os.environ.update(HF_HOME=_CACHE.name, HF_MODULES_CACHE=os.path.join(_CACHE.name, "modules"), HF_EVALUATE_OFFLINE="1")
os.environ.update(GRADIO_ANALYTICS_ENABLED="False", GRADIO_TEMP_DIR=os.path.join(_CACHE.name, "gradio"))


# The metric as it is where rouge-score-rs is not installed: make plain-rouge.
if os.environ.get("ZS_WITHOUT_FAST_ROUGE"):
    sys.modules["rouge_score_rs"] = None  # type: ignore[assignment]  # an import of it fails


def pytest_configure(config: pytest.Config) -> None:
    """Make the caches, also for a second session in one process, as in the mutation run, and remove them at the end."""
    os.makedirs(_CACHE.name, exist_ok=True)
    os.environ.update(SSL_CERT_FILE=_one_certificate(_CACHE.name))
    gc.disable()  # until the tests are collected
    config.add_cleanup(_CACHE.cleanup)


def pytest_collection_finish() -> None:
    """Imported objects live until the end, so later garbage collections skip them."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: Playwright's event loop keeps running in the thread of the tests, where a later call of
    `asyncio.run` would fail. Of these, the files with many tests come first, so that both workers end together."""
    sizes = Counter(item.path for item in items if item.get_closest_marker("browser"))
    items.sort(key=lambda item: (item.path in sizes, -sizes[item.path]))


def pytest_make_parametrize_id(val: object, argname: str) -> str:
    """Ids in words, the same on every machine and at any time: the texts, numbers and names in a value, cut short, or
    else the name of the argument."""
    text = " ".join(" ".join(_words(val)).split()).encode("unicode_escape").decode()
    return (text if len(text) <= 60 else f"{text[:57]}...") or argname


def _words(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = list(value.items())
    if isinstance(value, list | tuple):
        for part in value:
            yield from _words(part)
    elif value is None or isinstance(value, str | int | float):
        yield str(value)
    elif (name := getattr(value, "__name__", getattr(value, "name", None))) and name != "<lambda>":
        yield str(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how often the browser was asked again."""
    reports = [report for key in ("passed", "failed") for report in terminalreporter.getreports(key)]
    properties = [name for report in reports if report.when == "call" for name, _ in report.user_properties]
    if again := properties.count("protocol error"):
        terminalreporter.write_line(f"protocol errors of the browser, after which it was asked again: {again}")


@pytest.fixture(scope="session")
def app():
    """The app, running in this process on a free port."""
    with launched() as app:
        yield app


@pytest.fixture(scope="session")
def url(app):
    """The address of the app."""
    return app.local_url.rstrip("/")
