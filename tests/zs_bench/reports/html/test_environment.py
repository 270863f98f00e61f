"""The templates: values are escaped, a missing value is an error, and tables have aligned numbers."""

from typing import Any

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from zs_bench.reports.html import Column, environment, render


def test_texts_are_escaped_and_markup_is_not() -> None:
    drawn = render("notice.html", kind="error", title="<b>", lines=[Markup("<i>x</i>"), "a & b"])
    assert "&lt;b&gt;" in drawn
    assert "<li><i>x</i></li><li>a &amp; b</li>" in drawn


def test_a_value_that_is_not_given_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        render("notice.html", kind="info")


def test_the_table_aligns_numbers_and_marks_its_heads_for_sorting() -> None:
    macros: Any = environment().get_template("macros.html").module
    drawn = macros.table("Scores", [Column("Task"), ("Score", "num")], [["Qasper", "7"]])
    assert '<th scope="col" class="num" data-sort="number">Score</th>' in drawn
    assert '<tbody><tr><th scope="row">Qasper</th><td class="num">7</td></tr></tbody>' in drawn
