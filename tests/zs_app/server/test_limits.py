"""The limits of texts that are scored in the server, where long ones take turns."""

import threading

import pytest
from growth import grows_faster_than_linearly

from zs_app.server import limits
from zs_app.server.limits import Busy, TooLong, explain_within_limits, is_explained, score_within_limits
from zs_bench.benchmarks import BENCHMARKS, find_task
from zs_metric.errors import ZeroScrollsError
from zs_metric.rouge import Engine
from zs_metric.scoring import score_text

REPORT, QASPER, QUALITY = map(find_task, ("gov_report", "qasper", "quality"))


def test_a_text_at_a_limit_is_scored_and_beyond_it_refused_with_the_limit_and_the_next_step(monkeypatch):
    for answer, references, words in (
        ("a" * 1_000_001, ["a"], "the answer has 1,000,001 characters, more than the 1,000,000"),
        ("a", ["a" * 600_000] * 2, "the references together have 1,200,000 characters"),
        ("a", "a" * 1_000_001, "the references together have 1,000,001 characters"),
        ("a", ["a"] * 101, "there are 101 references, more than the 100"),
        ("a " * 30_000, ["a " * 30_000], "more than 500,000,000 pairs here; shorten the texts"),
    ):
        for limited in (score_within_limits, explain_within_limits):
            with pytest.raises(TooLong, match=words) as refused:
                limited(REPORT, answer, references)
            assert "score a file instead, or use the command line" in str(refused.value)
    assert score_within_limits(QASPER, "b", ["b"]) == score_text(QASPER.metric, "b", ["b"])
    assert score_within_limits(QASPER, "a" * 1_000_000, ["b"] * 99 + ["a" * 999_901]).score == 0
    assert score_within_limits(QASPER, "a " * 400_000, ["a " * 400_000]).score == 0  # articles; not compared pairwise
    assert score_within_limits(REPORT, "x " * 400_000, ["x " * 1_000]).score > 0
    monkeypatch.setattr(limits, "engine", lambda: Engine("rouge-score 0.1.2", lambda *_: []))
    assert score_within_limits(REPORT, "a " * 2_000, ["a " * 2_000]).score == 100
    with pytest.raises(TooLong, match="4,000,000 pairs"):
        score_within_limits(REPORT, "a " * 2_000, ["a " * 2_001])


def test_values_that_are_not_texts_are_left_to_the_scorers_checks():
    for wrong in (None, 7, {"a": 1}, [None], ["a", 7]):
        with pytest.raises(ZeroScrollsError, match="references"):
            score_within_limits(QASPER, "a", wrong)
        with pytest.raises(ZeroScrollsError, match="prediction"):
            score_within_limits(QASPER, wrong, ["a"])


def test_an_explanation_has_tighter_limits():
    assert is_explained("a" * 50_000, ["a" * 200_000])
    assert is_explained("a" * 50_000, ["a" * 1_990] * 40)
    for answer, references in (("a" * 50_001, ["a"]), ("a" * 50_000, ["a" * 1_990] * 41), ("a", ["a" * 200_001])):
        with pytest.raises(TooLong, match="limited to answers of 50,000 characters"):
            explain_within_limits(QASPER, answer, references)


def test_two_long_texts_are_scored_at_a_time_and_short_ones_never_wait(monkeypatch):
    monkeypatch.setattr(limits, "_SLOTS", threading.BoundedSemaphore(1))
    monkeypatch.setattr(limits, "_MAX_WAIT", 0.05)
    with limits._limited(QUALITY, "a" * 100_000, ["b"]):
        with pytest.raises(Busy, match="try again in a moment"):
            score_within_limits(QUALITY, "B" * 100_001, ["B"])
        assert score_within_limits(QUALITY, "B" * 99_999, ["B"]).score == 0
    assert score_within_limits(QUALITY, "B " * 100_001, ["B"]).score == 100


#: The longest of these, in seconds, in an attack with many characters and tasks.
SLOWEST = [("zero_scrolls", "musique", "½", score_within_limits), ("scrolls", "quality", "—", explain_within_limits)]
ATOMS = ["½", "—", "1%", "a ", "A) ", "the ", "1, ", "\n", " ", "no.", "(", "Ⅷ", "<think>", "answer: "]


def grows(benchmark, task, atom, function, size):
    scored = find_task(task, benchmark=benchmark)
    reference = "A" if scored.metric.name == "accuracy" else "1, 2" if task == "book_sum_sort" else "60%"
    return grows_faster_than_linearly(lambda text: function(scored, text, [reference]), lambda n: atom * n, size)


@pytest.mark.parametrize(("benchmark", "task", "atom", "function"), SLOWEST)
def test_the_time_of_the_slowest_answers_grows_with_their_length(benchmark, task, atom, function):
    assert not grows(benchmark, task, atom, function, 48_000)


@pytest.mark.slow
@pytest.mark.parametrize("atom", ATOMS)
@pytest.mark.parametrize("function", [score_within_limits, explain_within_limits])
def test_the_time_of_any_answer_grows_with_its_length(atom, function):
    for task in BENCHMARKS["zero_scrolls"].tasks.values():
        assert not grows("zero_scrolls", task.name, atom, function, 48_000 // len(atom)), task


def test_a_room_is_given_back_and_is_not_refused_to_small_bodies():
    room = limits.Room(100_000)
    with room.held() as hold, room.held() as other:
        hold(60_000)
        other(limits.SMALL_BODY)
        with pytest.raises(limits.Busy, match="holds other large calls; try again"):
            other(1)
        with pytest.raises(limits.Busy):
            hold(1)
    with room.held() as hold:
        hold(100_000)
