"""The tab "Try a task", without a browser."""

import pytest

from zs_app.tabs.examples import find_example, sample_answer
from zs_app.tabs.try_task import CASE, LEAST, example, solved_case
from zs_metric import score_example
from zs_metric.explain import explain


def test_a_limit_that_is_still_being_typed_cuts_like_the_least_one():
    typed, least = (example("embedded", "quality", 0, "canonical", limit, "words") for limit in (1, LEAST))
    assert typed == least
    assert "Cut to" in typed["notes"]


def test_the_solved_case_says_what_is_true():
    """Its answer holds the right words, and loses points by the others alone."""
    case, row, answer = solved_case(), find_example(*CASE), sample_answer(*CASE)
    assert explain(row.task, answer, row.references).losses == {"words too many": case["lost"]}
    assert case["lost"] == pytest.approx(100 - case["score"])
    assert case["before"] + case["found"] + case["after"] == answer
    assert case["score"] == score_example(row.task, answer, row.references).score < 50
    assert case["shortened"] == score_example(row.task, case["found"], row.references).score == 100
    assert case["others"] == len(answer.split()) - len(case["found"].split()) > 0
