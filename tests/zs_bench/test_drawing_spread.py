"""Spreads as strips and numbers of words as histograms: what they say, and where their marks stand."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markup_check import Reader, read_html

from zs_bench.drawing.histograms import histograms
from zs_bench.drawing.spread_strip import PLACES, strip, strips
from zs_bench.statistics.distribution import Distribution
from zs_bench.statistics.spread import spread

HOSTILE = "<img src=x onerror=alert(1)></p>\"'&amp; {0} {name}"


def places(found: Reader, prefix: str = "left:") -> list[float]:
    styles = [value or "" for name, value in found.attributes if name == "style"]
    return [float(style[len(prefix) : style.index("%")]) for style in styles if style.startswith(prefix)]


def test_a_strip_has_a_tick_at_each_place_and_the_spread_as_a_band() -> None:
    found = read_html(strip(spread("a b x x x x x x c d e", "a b c d")))
    assert (found.tags["i"], found.tags["b"]) == (2, 1)
    assert places(found)[1:] == [0.0, 80.0]
    told = "2 of 3 word pairs of the answer stand in the document of 11 words, from word 1 to word 9. Their spread, "
    assert told + "the standard deviation of these places: 4 words." in found.text


def test_what_is_drawn_is_told_to_those_who_do_not_see_it() -> None:
    found = read_html(strip(spread("a b c", "a b"), "the hypothesis"))
    assert found.labels[0] in found.text
    assert found.labels[0].startswith(
        "The only word pair of the hypothesis stands in the document of 3 words, first at"
    )


@pytest.mark.parametrize(
    ("document", "output", "told"),
    [
        ("a b c", "x y z", "None of the 2 word pairs of the answer stands in the document of 3 words."),
        ("a b c", "x y", "The only word pair of the answer does not stand in the document of 3 words."),
        ("a b c", "a", "The answer has fewer than two words: no word pairs to look for in the document."),
        ("", "x y", "The only word pair of the answer does not stand in the document of 0 words."),
        ("a b c", "a b x", "1 of 2 word pairs of the answer stands in the document of 3 words, first at word 1: a "),
    ],
)
def test_a_strip_without_a_spread_says_why(document: str, output: str, told: str) -> None:
    found = read_html(strip(spread(document, output)))
    assert told in found.text
    assert found.tags["b"] == 0


def test_several_outputs_are_numbered_and_a_single_one_is_not() -> None:
    one = spread("a b c", "x y")
    assert "of reference 2 does not stand" in read_html(strips([one, one])).text
    assert "of the reference does not stand" in read_html(strips([one])).text
    assert strips([]) == ""


def test_a_long_output_has_no_more_ticks_than_the_strip_has_places() -> None:
    document = " ".join(f"w{i}" for i in range(5000))
    assert read_html(strip(spread(document, document))).tags["i"] == PLACES + 1


@given(st.text(alphabet="ab ", max_size=60), st.text(alphabet="ab ", max_size=20))
def test_every_mark_stands_within_the_strip(document: str, output: str) -> None:
    found = read_html(strip(spread(document, output)))
    assert all(0 <= place <= 100 for place in places(found))


def test_nothing_a_name_says_becomes_markup() -> None:
    drawn = strip(spread("a b", "a b"), HOSTILE) + histograms({HOSTILE: Distribution((1.0,))}, HOSTILE)
    assert "<img src=x" in read_html(drawn).text


def test_a_row_of_a_histogram_says_its_numbers_and_holds_them_against_the_paper() -> None:
    rows = {"Qasper": Distribution((100, 1000, 10_000)), "QuALITY": Distribution((5_000,))}
    found = read_html(histograms(rows, "inputs", published={"Qasper": 3531, "QuALITY": None}))
    assert "Qasper 3 inputs: median 1,000 words, mean 3,700 (paper 3,531)" in found.text
    assert "QuALITY 1 input: median 5,000 words, mean 5,000 100 1,000 10,000" in found.text
    assert "the middle 90 % from 190 words to 9,100 words" in found.labels[0]
    assert (found.classes["median"], found.classes["average"]) == (3, 2)


def test_a_bar_stands_where_its_value_does_and_the_tallest_is_the_most_frequent() -> None:
    drawn = histograms({"a": Distribution((10, 10, 100, 1000))}, "inputs")
    bars = [
        (float(x), float(y))
        for x, y in re.findall(r'<b style="left:([0-9.]+)%;width:[0-9.]+%;height:([0-9.]+)%', drawn)
    ]
    assert bars == [(0.0, 100.0), (50.0, 50.0), (95.0, 50.0)]


def test_what_is_under_one_word_stands_in_the_first_bar_and_the_axis_says_so() -> None:
    found = read_html(histograms({"a": Distribution((0.0, 0.5, 20.0))}, "spreads"))
    assert "≤ 1 10 100" in found.text
    assert found.tags["b"] == 2


@given(st.lists(st.floats(0, 1e7), min_size=1, max_size=20), st.none() | st.floats(0, 1e6))
def test_every_bar_and_line_stands_within_its_row(values: list[float], published: float | None) -> None:
    found = read_html(histograms({"a": Distribution(tuple(sorted(values)))}, "inputs", published={"a": published}))
    assert all(0 <= place <= 100 for place in places(found))


def test_without_rows_nothing_is_drawn() -> None:
    assert histograms({}, "inputs") == ""
