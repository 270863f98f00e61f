"""HTML from templates: every value put in is escaped, unless it is `Markup` itself."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup


def html(template: str, /, *values: object, **named: object) -> Markup:
    """The template, written by us, with the values put in escaped.

    >>> html("<b>{}</b>", "a < b")
    Markup('<b>a &lt; b</b>')
    """
    return Markup(template).format(*values, **named)  # noqa: S704


def join(pieces: Iterable[Markup | str], between: str = "") -> Markup:
    """The pieces one after another, those that are no `Markup` escaped."""
    return Markup(between).join(pieces)  # noqa: S704
