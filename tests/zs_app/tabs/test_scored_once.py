"""Each key typed scores the answer once, since the explanation includes the score."""

import asyncio
import threading

import pytest

from zs_app.tabs import score_answer, score_cards, try_task
from zs_app.tabs.examples import task_of


@pytest.fixture
def calls(monkeypatch):
    """The names of the scoring functions called."""
    made = []
    for name in ("score_within_limits", "explain_within_limits"):
        real = getattr(score_cards, name)
        monkeypatch.setattr(
            score_cards,
            name,
            lambda *given, _real=real, _name=name, **named: made.append(_name) or _real(*given, **named),
        )
    return made


@pytest.mark.parametrize("value", ["qasper", "gov_report", "scrolls/contract_nli"])
def test_an_answer_to_an_example_is_scored_once(value, calls):
    asyncio.run(try_task.try_answer("embedded", value, 0, "A, 50% of 1, 2"))
    assert calls == ["explain_within_limits"]


def test_a_pasted_answer_is_scored_once_a_long_one_without_explanation_and_none_not_at_all(calls):
    asyncio.run(try_task.try_answer("embedded", "quality", 0, ""))
    asyncio.run(score_answer.score("qasper", "", ["no"]))
    assert calls == []
    assert 'data-score="66.6667"' in asyncio.run(score_answer.score("qasper", "yes", ["no", "", "yes indeed"]))["html"]
    assert "100.0" in score_cards.scored(task_of("quality"), "B " * 50_000, ["B"]).card
    assert calls == ["explain_within_limits", "score_within_limits"]


def test_the_card_of_an_example_does_not_give_its_reference_away():
    for text in ("D", "A good answer is B"):
        score = asyncio.run(try_task.try_answer("embedded", "quality", 0, text))
        assert "not C" not in score["card"]
        assert "C" in score["why"]


@pytest.mark.parametrize(
    ("source", "task", "answer", "in_the_loop"),
    [
        ("embedded", "quality", "B", True),
        ("embedded", "quality", "B " * 400_000, False),
        ("embedded", "squality", "long references", False),
        ("hub", "quality", "B", False),
    ],
)
def test_only_short_texts_that_are_at_hand_are_scored_in_the_event_loop(source, task, answer, in_the_loop, monkeypatch):
    threads = []

    def example_score(*_):
        threads.append(threading.current_thread())
        return score_cards.nothing_yet(), ""

    monkeypatch.setattr(try_task, "example_score", example_score)
    asyncio.run(try_task.try_answer(source, task, 0, answer))
    assert (threads == [threading.current_thread()]) is in_the_loop
