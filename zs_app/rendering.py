"""The templates of the page, in `zs_app/templates`; they share the macros and filters of the reports' templates."""

from markupsafe import Markup

from zs_app import words
from zs_bench.reports.html import Value, environment

_TEMPLATES = environment("zs_app")
_TEMPLATES.globals["words"] = words


def render(template: str, **values: Value) -> Markup:
    """Render a template with escaped values; `words` has the texts of the page.

    >>> "<b>" in render("links.html", links=[("<b>", "https://example.org", "")], first="")
    False
    """
    return Markup(_TEMPLATES.get_template(template).render(values))  # noqa: S704  (escaped)


def part(name: str, *values: Value) -> Markup:
    """Render a macro of `parts.html` with escaped values.

    >>> part("facts", "a < b")
    Markup('<p class="zs-facts">a &lt; b</p>')
    """
    return Markup(getattr(_TEMPLATES.get_template("parts.html").module, name)(*values))  # noqa: S704  (escaped)
