"""Accessibility checks with axe."""

import re

from axe_playwright_python.sync_playwright import Axe

# Gradio's own, which cannot be set from here: (rule, what its target matches): why it does no harm.
GRADIO = {
    ("nested-interactive", r'\.icon-button\[aria-label="Add files"\]'): "File: a button in a button, both upload",
    ("label-title-only", r"\.search-input"): "Dataframe: its search field is named by its title, which is read out",
}


def check(page, rules=None):
    """Fail if axe finds anything, by all its rules or only these."""
    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    violations = [
        (violation["impact"], violation["id"], " ".join(node["target"]), node["html"][:200])
        for violation in Axe().run(page, options=options).response["violations"]
        for node in violation["nodes"]
        if violation["impact"] != "minor"
    ]
    left = [finding for finding in violations if not _is_gradios(finding[1], finding[2])]
    assert not left, left


def _is_gradios(rule, target):
    return any(rule == name and re.search(pattern, target) for name, pattern in GRADIO)


def check_both_themes(page):
    """Check the page in light and, for its colours, in dark, once no reply is waited for; restores the theme."""
    page.wait_for_function("![...document.querySelectorAll('[aria-busy=true]')].some((part) => part.checkVisibility())")
    for rules in (None, ["color-contrast"]):
        check(page, rules)
        page.evaluate("document.body.classList.toggle('dark')")
        page.wait_for_function("document.getAnimations().every((one) => one.playState !== 'running')")
