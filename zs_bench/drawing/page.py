"""The page around what is drawn, as one file: no script, no request, light or dark as its reader's system is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from markupsafe import Markup

from zs_metric.texts import clean_text

from . import DARK, REPORT, STYLE
from .markup import html, join

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>{}</title><style>
{}</style></head>
<body class="zs-page"><main>{}</main></body></html>
"""


def page(title: str, parts: Iterable[Markup]) -> str:
    """The page with its parts from above to below."""
    return clean_text(str(html(_HEAD, title, _style(), join(parts))), "page")


def _style() -> Markup:
    """The style sheets; dark colours where the reader's system is dark."""
    style, dark, report = (path.read_text(encoding="utf-8") for path in (STYLE, DARK, REPORT))
    dark = re.sub(r"^\.dark\b", ":root", dark, flags=re.MULTILINE)
    return Markup("{}@media (prefers-color-scheme: dark) {{\n{}}}\n{}").format(*map(Markup, (style, dark, report)))
