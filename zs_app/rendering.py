"""The templates of the page, in `zs_app/templates`; they share the macros and filters of the reports' templates."""

from __future__ import annotations

from markupsafe import Markup

from zs_app import words
from zs_bench.reports.html.environment import environment


def render(template: str, **values: object) -> Markup:
    """Render a template with escaped values; it also has the texts of the page as `words`.

    >>> "<b>" in render("links.html", links={"<b>": "https://example.org"})
    False
    """
    return Markup(environment("zs_app").get_template(template).render(values, words=words))  # noqa: S704  (escaped)
