"""Scores, explanations and reports drawn as HTML and inline SVG: no script, no request, nothing of a page around it."""

from pathlib import Path

#: The style of what is drawn, its colours where an element of the class `dark` is around it, and that of a report.
STYLE, DARK, REPORT = (Path(__file__).with_name(name) for name in ("style.css", "dark.css", "report.css"))
#: What a page needs that draws something.
STYLES = (STYLE, DARK)
