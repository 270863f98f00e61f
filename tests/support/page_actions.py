"""What tests do on the page in one step."""

import re


def choose_benchmark(page, title):
    """Choose a benchmark by its title in the menu at the top."""
    page.locator("#benchmark input").click()
    page.get_by_role("option", name=re.compile(f"^{title} ")).click()


def example_choices(page):
    """The examples of the task, as labels to click."""
    return page.locator("#try-example label")
