"""What tests do on the page in one step."""

import re

from playwright.sync_api import Error, expect

from zs_app import words

KEYS = 30  # milliseconds between two keys
# How far parts of the page have moved by themselves since it was opened, what is about to be drawn included.
LAYOUT_SHIFT = """async () => {
    for (const frame of [1, 2]) await new Promise(requestAnimationFrame);
    return new Promise((done) => new PerformanceObserver((list) => done(
        list.getEntries().filter((entry) => !entry.hadRecentInput).reduce((sum, { value }) => sum + value, 0)
    )).observe({ type: "layout-shift", buffered: true }) || setTimeout(() => done(0), 500));
}"""


def show_only_whole(page):
    """Have the page hidden until it is whole however long that takes, instead of ten seconds at most."""
    limit = "zs-late 0s 10s"

    def without_limit(route):
        reply = route.fetch()
        assert limit in reply.text()
        route.fulfill(response=reply, body=reply.text().replace(limit, "zs-late 0s 600s"))

    page.route("**/?*", without_limit)


def navigate(go, refused):
    """Reload a page or go through its history. While the browser replaces one page by another, its protocol may refuse
    this, having done nothing: then `refused` is called with the error, and the browser is asked once more."""
    try:
        go(wait_until="domcontentloaded")
    except Error as error:
        if "Protocol error" not in str(error):
            raise
        refused(str(error))
        go(wait_until="domcontentloaded")


def open_tab(page, name):
    """Open the tab of that name in the address: answer, file, results; and wait for its script."""
    page.get_by_role("tab", name=getattr(words, f"{name.upper()}_TAB"), exact=True).click()
    page.locator(f"#zs-{name} [data-ready]").wait_for()


def choose_benchmark(page, title):
    """Choose a benchmark by its title in the menu at the top."""
    page.locator("#benchmark").select_option(title.lower().replace("zeroscrolls", "zero_scrolls"))


def choose_task(page, title):
    """Choose a task by its title in "Try a task"."""
    page.locator("#try-task").get_by_text(title, exact=True).click()


def choose_answer_task(page, title):
    """Choose a task by its title in "Score an answer"."""
    menu = page.locator("#answer-task select")
    menu.select_option(menu.locator("option", has_text=re.compile(f"^{title} ")).get_attribute("value"))


def choose_example(page, place):
    """Choose an example of the task in "Try a task", counted from 0."""
    page.locator("#try-example select").select_option(str(place))


def chosen(page, menu):
    """The chosen label of a menu of "Try a task"."""
    return page.locator(f"#try-{menu} label:has(:checked)")


def unfold(page, part):
    """Open or close a folded part of "Try a task": why, reveal, prompt."""
    page.locator(f"#try-{part} > summary").click()


def try_first_example(page, title="QuALITY", benchmark="ZeroSCROLLS"):
    """Bring a page that other tests have used to the first example of a task, with nothing typed."""
    page.evaluate("sessionStorage.clear()")
    page.get_by_role("tab", name=words.TRY_TAB).click()
    choose_benchmark(page, benchmark)
    choose_task(page, "GovReport" if title != "GovReport" else "QMSum")  # the chosen one would keep its example
    choose_task(page, title)
    expect(chosen(page, "task")).to_contain_text(title)
    expect(page.locator("#try-asked")).not_to_have_attribute("aria-busy", "true")
