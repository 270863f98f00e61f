"""What a visitor meets in each tab of a running app, as a table:

    PYTHONPATH=tests/support python tests/browser/measure_page.py http://127.0.0.1:7860

Words and controls are those in the window, without the text to read; the shift is Chromium's layout shift of loading.
"""

from __future__ import annotations

import sys

from chromium import FLAGS, chromium
from playwright.sync_api import sync_playwright

SHIFTS = """window.shift = 0;
new PerformanceObserver(list => list.getEntries().forEach(e => { if (!e.hadRecentInput) window.shift += e.value; }))
  .observe({ type: "layout-shift", buffered: true });"""
SEEN = """() => {
  const inWindow = ({ top, bottom, left, right, width }) =>
    width > 1 && top < innerHeight && bottom > 0 && left < innerWidth && right > 0;
  const isShown = (part) => part.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isSeen = (part) => isShown(part) && inWindow(part.getBoundingClientRect());
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  let words = 0;
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    range.selectNodeContents(text);
    const parent = text.parentElement;
    if (parent.closest("script, style, option, .zs-sheet, .zs-unseen") || !isSeen(parent)) continue;
    if (inWindow(range.getBoundingClientRect())) words += text.data.match(/\\S*\\w\\S*/g)?.length ?? 0;
  }
  const parts = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")];
  const controls = parts.map((part) => part.matches("[type=radio], [type=checkbox]") ? part.closest("label") : part);
  const used = controls.filter((part) => part && isSeen(part) && !part.disabled).length;
  return [words, used, document.documentElement.scrollHeight, window.shift.toFixed(3)];
}"""


def main(url: str) -> None:
    """Print the table for a running app."""
    print("window    tab      words controls height shift")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for width, height in ((1280, 800), (390, 844)):
            for tab in ("try", "answer", "file", "results", "api"):
                page = browser.new_page(viewport={"width": width, "height": height}, locale="en-US")
                page.add_init_script(SHIFTS)
                page.goto(f"{url}/?__theme=light&tab={tab}", wait_until="load")
                page.locator("#tabs [role=tabpanel] :is(textarea, input, button, td) >> visible=true").first.wait_for()
                page.wait_for_timeout(3_000)  # for what moves late
                words, controls, high, shift = page.evaluate(SEEN)
                print(f"{width}x{height}".ljust(9), tab.ljust(8), f"{words:5}{controls:9}{high:7}", shift)
                page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
