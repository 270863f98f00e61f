"""Seconds from the click on a link to the page until a key is taken and until the first score, as a table:

    PYTHONPATH=tests/support python tests/browser/measure_start.py

The app is started for it, behind HTTP/2 with TLS as a Space is. Each request waits as many milliseconds as the first
column says (Chromium's emulation). The second visit has the browser's cache. Each number is the least of three visits.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from chromium import FLAGS, chromium
from http2_proxy import http2
from playwright.sync_api import sync_playwright
from slow_network import at_distance
from started_app import started_app

VISITS = {"try": ("tab=try&task=narrative_qa", "#try-answer textarea", "#try-card"),
          "answer": ("tab=answer&task=qasper", "#answer-text textarea", "#answer-card")}  # fmt: skip
# Focus the box as soon as it can be, and note when a key has stayed in it, and when its score is there.
WATCH = """([box, card]) => {
  let before;
  const look = () => {
    const input = document.querySelector(box), score = document.querySelector(card);
    if (!window.focusable && input) {
      input.focus();
      if (document.activeElement === input && !input.disabled) {
        window.focusable = performance.now();
        input.value = "";
        before = score.innerHTML;
      }
    }
    if (window.focusable && !window.key && input?.value.endsWith("roof")) window.key = performance.now();
    const isShown = window.key && score.ariaBusy !== "true" && score.querySelector("[data-score]");
    if (isShown && score.innerHTML !== before && !window.scored) window.scored = performance.now();
    if (!window.scored) requestAnimationFrame(look);
  };
  look();
}"""


def visit(browser, url: str, tab: str, milliseconds: int) -> list[tuple[float, float]]:
    """A first and a repeated visit: for each the seconds until a key and until the score."""
    query, box, card = VISITS[tab]
    context, found = browser.new_context(locale="en-US", reduced_motion="reduce"), []
    context.set_default_timeout(120_000)
    for _ in range(2):
        page = context.new_page()
        with at_distance(page, milliseconds):
            page.add_init_script(f"addEventListener('DOMContentLoaded', () => ({WATCH})({[box, card]!r}))")
            page.goto(f"{url}/?__theme=light&{query}", wait_until="commit")
            page.wait_for_function("window.focusable")
            page.keyboard.type("roof")
            page.wait_for_function("window.scored")
            found.append(tuple(page.evaluate("[window.focusable, window.scored]")))
        page.wait_for_timeout(1_000)  # what comes late is for the cache
        page.close()
    context.close()
    return found


def main() -> None:
    """Print the table."""
    args = sys.argv[1:]
    latencies = [int(text) for text in args[0].split(",")] if args else [0, 100, 250, 600]
    print("tab     ms   first: key  score  second: key  score", flush=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        with started_app(Path(*args[1:]), folder / "log") as inside, http2(inside, folder) as (url, trust):
            browser = playwright.chromium.launch(executable_path=chromium(), args=[*FLAGS, trust])
            for tab in VISITS:
                for milliseconds in latencies:
                    visits = [visit(browser, url, tab, milliseconds) for _ in range(3)]
                    least = [min(v[i][j] for v in visits) / 1000 for i in range(2) for j in range(2)]
                    print(f"{tab:7}{milliseconds:4}", *(f"{second:10.2f}" for second in least), flush=True)
            browser.close()


if __name__ == "__main__":
    main()
