"""Exact match: what was read, the reason for the score, and the best reference."""

import pytest

from zs_metric import score_example


@pytest.mark.parametrize(
    ("prediction", "parsed", "reason"),
    [
        ("He stayed.", "he stayed", "not equal to any reference"),
        ("“He left”", "“he left”", "not equal to any reference"),
        (
            "He left, then",
            "he left then",
            "the whole answer must equal a reference; this one contains other words too",
        ),
        (
            "The answer is: he left",
            "answer is he left",
            "the whole answer must equal a reference; this one contains other words too",
        ),
        ("he has left", "he has left", "not equal to any reference"),
        ("B", "b", "the answer is a letter; the text of the option is compared"),
        ("(A)", None, "the answer is a letter; the text of the option is compared"),
        ("the", None, "nothing is left of the answer after normalisation"),
        ("…!", "…", "not equal to any reference"),
        (" ", None, "the answer is empty"),
    ],
)
def test_an_answer_that_equals_no_reference_is_explained(prediction: str, parsed: str | None, reason: str) -> None:
    result = score_example("quality", prediction, ["She left", "he left"], benchmark="scrolls")
    assert (result.score, result.parsed, result.reason) == (0, parsed, reason)


def test_the_reference_that_is_equal_is_named() -> None:
    result = score_example("quality", "He left!", ["She left", "he left"], benchmark="scrolls")
    assert (result.score, result.best_reference, result.reason) == (100, 1, None)


def test_a_reference_of_which_nothing_is_left_is_in_no_answer() -> None:
    result = score_example("quality", "He left", ["The"], benchmark="scrolls")
    assert result.reason == "not equal to any reference"


def test_an_answer_equal_to_a_reference_of_which_nothing_is_left_was_read_as_nothing() -> None:
    assert score_example("quality", "A", ["the"], benchmark="scrolls").parsed == ""
