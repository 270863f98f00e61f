"""Screenshots of the tabs for the README: `make screenshots`."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path

if __name__ == "__main__":  # not when the doctests are collected; before Gradio is imported
    os.environ.update(GRADIO_ANALYTICS_ENABLED="False", GRADIO_SSR_MODE="False", GRADIO_TEMP_DIR=tempfile.mkdtemp())

from chromium import FLAGS, chromium
from file_tab import load_sample
from page_actions import choose_example, choose_task, open_tab
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

# The first file starts a process.
expect.set_options(timeout=60_000)
FOLDER = Path(__file__).parents[2] / "assets" / "screenshots"


def try_a_task(page: Page) -> None:
    choose_task(page, "NarrativeQA")
    choose_example(page, 1)
    page.get_by_role("button", name="Fill in the sample answer").click()
    expect(page.locator("#try-card .zs-score")).to_be_visible()


def score_an_answer(page: Page) -> None:
    open_tab(page, "answer")
    page.locator("#answer-text textarea").fill("She hid the letters in the clock, behind the pendulum.")
    page.locator("#answer-reference-1 textarea").fill("Behind the pendulum of the old clock")
    page.get_by_role("button", name="Add a reference").click()
    page.locator("#answer-reference-2 textarea").fill("In the clock")
    expect(page.locator("#answer-card .zs-score")).to_be_visible()


def score_a_file(page: Page) -> None:
    load_sample(page)
    page.locator("#per-task [data-task=qasper] button").first.click()
    expect(page.locator("#file-opened")).to_contain_text("1 of 2")


def results(page: Page) -> None:
    score_a_file(page)
    open_tab(page, "results")
    expect(page.locator("#results-table tr[data-own]")).to_be_visible()


SCREENS = {
    "try-a-task": try_a_task,
    "score-an-answer": score_an_answer,
    "score-a-file": score_a_file,
    "results": results,
}


def save(png: bytes, path: Path) -> None:
    """Write a screenshot with a palette, which is a third of the size."""
    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    """Take all screenshots."""
    from zs_app.launch import launch_options
    from zs_app.page import build
    from zs_start.annexes import annexes

    app = build(annexes())
    _, url, _ = app.launch(server_name="127.0.0.1", prevent_thread_lock=True, quiet=True, **launch_options(annexes()))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for name, act in SCREENS.items():
            size = {"width": 1280, "height": 1180 if name == "score-a-file" else 900}
            page = browser.new_page(viewport=size, locale="en-US", reduced_motion="reduce")
            page.goto(f"{url}?__theme=light", wait_until="commit")
            page.locator("#try-answer:not([inert] *) textarea").first.wait_for(state="attached")  # its script is there
            act(page)
            page.wait_for_function("document.fonts.status === 'loaded' && !document.querySelector('[aria-busy=true]')")
            page.mouse.move(0, 0)
            page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
            save(page.screenshot(), FOLDER / f"{name}.png")
        browser.close()
    app.close(verbose=False)


if __name__ == "__main__":
    main()
