"""The tab "Try a task", without a browser."""

from zs_app.tabs.try_task import LEAST, show


def test_a_limit_that_is_still_being_typed_cuts_like_the_least_one():
    typed, least = (show("embedded quality 0", "canonical", limit, "words") for limit in (1, LEAST))
    assert typed[1:3] == least[1:3]
    assert "Cut to" in str(typed[2])
