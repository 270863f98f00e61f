"""The Jinja2 environment of all HTML, and the frame of a page that is one file: no script, no request, printable.

Values are escaped and a missing value is an error; the templates are package data.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, TemplateNotFound
from markupsafe import Markup

from zs_bench.problems import counted
from zs_bench.reports.html import DARK, REPORT, STYLE
from zs_bench.reports.html.markup import cut
from zs_metric.texts import clean_text


class Column(NamedTuple):
    """The head of a column for the macro `table`: its title, and the class of its cells.

    `kind`: "" for short text, "num" for numbers (aligned right), "wrap" for text that may break, "soft" for asides.
    """

    title: str
    kind: str = ""


def render(template: str, **values: object) -> Markup:
    """The template, a path below `templates/`, with the values put in escaped unless they are `Markup`.

    Raises:
        jinja2.UndefinedError: when the template names a value that was not given.

    >>> from markupsafe import Markup
    >>> "a &lt; b" in render("notice.html", kind="info", title="a < b", lines=[])
    True
    """
    return Markup(environment().get_template(template).render(values))  # noqa: S704 - the environment escapes


def macro(name: str, *arguments: object, **named: object) -> Markup:
    """One macro of `macros.html` called from Python.

    >>> macro("gauge", 50.0, [("human", 80)])[:38]
    Markup('<div class="zs-gauge" role="img" aria-')
    """
    module = environment().get_template("macros.html").module
    return Markup(getattr(module, name)(*arguments, **named))  # noqa: S704 - the environment escapes


def has_template(template: str) -> bool:
    """Whether there is a template of that path below `templates/`.

    >>> has_template("macros.html"), has_template("explanations/no_such_metric.html")
    (True, False)
    """
    try:
        environment().get_template(template)
    except TemplateNotFound:
        return False
    return True


@cache
def environment(*packages: str) -> Environment:
    """The environment with the templates of these packages and those of the reports."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, "zs_bench.reports.html")]),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.do"],
    )
    environment.filters["points"] = "{:.4f}".format
    environment.filters["decimals"] = lambda value, digits=1: f"{value:.{digits}f}"
    environment.filters["signed"] = lambda value, digits=2: f"{value:+.{digits}f}"
    environment.filters["thousands"] = "{:,}".format
    environment.filters["counted"] = counted
    environment.globals["Column"] = Column
    environment.globals["cut"] = cut
    return environment


def page(title: str, parts: Iterable[Markup]) -> str:
    """The page with its parts from top to bottom."""
    return clean_text(str(render("page.html", title=title, style=_style(), body=Markup().join(parts))), "page")


@cache
def _style() -> Markup:
    """The style sheets; dark colours where the reader's system is dark, except on paper."""
    style, dark, report = (path.read_text(encoding="utf-8") for path in (STYLE, DARK, REPORT))
    dark = re.sub(r"^\.dark\b", ":root", dark, flags=re.MULTILINE)
    return Markup(f"{style}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n{report}")  # noqa: S704
