"""Spreads as strips: what they say, and where their marks stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markup_check import Reader, read_html

from zs_bench.dataset.measures import spread
from zs_bench.reports.html.charts import PLACES, strip

HOSTILE = "<img src=x onerror=alert(1)></p>\"'&amp; {0} {name}"


def places(found: Reader, prefix: str = "left:") -> list[float]:
    styles = [value or "" for name, value in found.attributes if name == "style"]
    return [float(style[len(prefix) : style.index("%")]) for style in styles if style.startswith(prefix)]


def test_a_strip_has_a_tick_at_each_place_and_the_spread_as_a_band() -> None:
    found = read_html(strip(spread("a b x x x x x x c d e", "a b c d")))
    assert (found.tags["i"], found.tags["b"]) == (2, 1)
    assert places(found)[1:] == [0.0, 80.0]
    sentence = "2 of 3 word pairs of the answer occur in the document, between words 1 and 9 of 11 (spread: 4 words)."
    assert sentence in found.text


def test_what_is_drawn_is_described_in_words() -> None:
    found = read_html(strip(spread("a b c", "a b"), "the hypothesis"))
    assert found.labels[0] in found.text
    assert found.labels[0].startswith(
        "The only word pair of the hypothesis occurs in the document of 3 words, first at"
    )


@pytest.mark.parametrize(
    ("document", "output", "reported"),
    [
        ("a b c", "x y z", "None of the 2 word pairs of the answer occurs in the document of 3 words."),
        ("a b c", "x y", "The only word pair of the answer does not occur in the document of 3 words."),
        ("a b c", "a", "The answer has fewer than two words: no word pairs to look for in the document."),
        ("", "x y", "The only word pair of the answer does not occur in the document of 0 words."),
        ("a b c", "a b x", "1 of 2 word pairs of the answer occurs in the document of 3 words, first at word 1."),
    ],
)
def test_a_strip_without_a_spread_says_why(document: str, output: str, reported: str) -> None:
    found = read_html(strip(spread(document, output)))
    assert reported in found.text
    assert found.tags["b"] == 0


def test_a_long_output_has_no_more_ticks_than_the_strip_has_places() -> None:
    document = " ".join(f"w{i}" for i in range(5000))
    assert read_html(strip(spread(document, document))).tags["i"] == PLACES + 1


@given(st.text(alphabet="ab ", max_size=60), st.text(alphabet="ab ", max_size=20))
def test_every_mark_stands_within_the_strip(document: str, output: str) -> None:
    found = read_html(strip(spread(document, output)))
    assert all(0 <= place <= 100 for place in places(found))


def test_no_name_becomes_markup() -> None:
    drawn = strip(spread("a b", "a b"), HOSTILE)
    assert "<img src=x" in read_html(drawn).text
