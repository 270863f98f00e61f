"""No regular expression of the packages takes a visitor's text longer than in proportion to its length."""

import re

import pytest
from growth import grows_faster_than_linearly
from regular_expressions import PACKAGES, expressions, has_repeat_of_repeat, hostile_units, written

#: Those that no visitor's text meets.
OTHERS = {r"'.* ([A-Z])(?: WITH .*)?'": "the names of characters in Unicode's data"}
#: Repeats of repeats that divide a text in one way only: what begins a part cannot go on in the one before.
DIVIDED = (
    r"(?:[.,]\d*)*%",
    r"(https?://)?(\*\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?",
    r"[\w-][\w. -]*(/[\w-][\w. -]*)+",
    r"\W*[0-9]+(?:[\s,]+[0-9]+)*\W*",
)


def test_a_repeat_of_a_repeat_is_found():
    for pattern, is_one in (("(a+)+", True), (r"(?:(\s*)b)*", True), ("((a+))*", True), ("(a+){2,}", True)):
        assert has_repeat_of_repeat(pattern) == is_one
    for pattern in ("(a+)?", "(a{1,3})+", r"(\(+)", "([(+]+)", "(ab)+", "(a+){2}"):
        assert not has_repeat_of_repeat(pattern), pattern


def test_no_expression_repeats_a_repeat_but_those_that_are_looked_at():
    assert sorted({text for text in written() if has_repeat_of_repeat(text)}) == sorted(DIVIDED)


def test_a_quadratic_expression_is_noticed():
    slow, fast = re.compile(r"\d+%"), re.compile(r"(?<!\d)\d+%")
    for pattern, grows in ((slow, True), (fast, False)):
        assert grows_faster_than_linearly(pattern.search, "1".__mul__, 20_000) == grows


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_the_time_of_every_expression_grows_with_the_text_and_not_faster(package):
    grown = []
    for each in expressions(package):
        if each.source in OTHERS:
            continue
        for unit in hostile_units(each.pattern):
            if grows_faster_than_linearly(
                each.consume, lambda size, unit=unit: unit * (size // len(unit)) + "\0", 8_192
            ):
                grown.append((each.module, each.source, unit))
                break
    assert grown == []
