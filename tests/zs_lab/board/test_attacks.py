"""What submitters can learn about private references: nothing about a single question."""

import json
import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from boards import EXAMPLES, MANY, invited, make_board, submit
from written_files import official_csv, write

from zs_lab.board import NO_CHANGE, SHOWN, Entry, NotAccepted, Settings, Submitter, owner
from zs_lab.board.board import Board
from zs_lab.board.scores import _draw, with_average
from zs_lab.board.standing import Kept, apply_rule
from zs_metric import score_example

#: The references of three tasks as large as the benchmark's, scored by accuracy and F1.
TASKS = ("quality", "qasper", "musique")
LARGE = {task: {f"{task}{i}": "A" if task == "quality" else f"word{i}" for i in range(500)} for task in TASKS}
#: The references of a task as large as the benchmark's.
HOTELS = {f"h{i}": f"{(i * 37) % 101}%" for i in range(500)}


@pytest.fixture
def hotels(tmp_path: Path) -> Board:
    return make_board(tmp_path, references={"space_digest": HOTELS})


def give(board: Board, submitter: Submitter, folder: Path, answers: Mapping[str, Mapping[str, str]]) -> Entry:
    rows = [(task, id_, text) for task, by_id in answers.items() for id_, text in by_id.items()]
    return board.submit(submitter, system="S", predictions=write(folder / "p.csv", official_csv(rows)))


def give_hotels(board: Board, folder: Path, answers: dict[str, str]) -> Entry:
    return give(board, invited(board, "Attacker"), folder, {"space_digest": answers})


def numbers(entry: Entry) -> list[float]:
    """Every score in what an entry shows."""
    data = entry.as_dict()
    return [value for value in (data["average"], *data["tasks"].values()) if value is not None]


def test_the_rounding_is_the_finest_with_which_an_attack_at_full_size_gains_nothing_significant(tmp_path: Path) -> None:
    """The attacker knows some answers for sure, adds enough of them to be clearly better, and tries one more each time.

    A fact is whether the tried answer is right, which a coin decides. The attacker knows the exact score without it,
    concludes from each new score which of the two exact scores is nearer, and guesses where no new score is shown. From
    exact scores the conclusion is always right. With the board's step of 2 points, 55 of 100 facts are judged right,
    which is no significant gain over guessing (50) for the 96 facts of one attack; with the next finer step, 1 point,
    60 of 100 are, and it is one. The same submissions are shown with 50 secrets, so that the shares are certain.
    """
    board = make_board(tmp_path, references=LARGE, settings=Settings(per_day=20, changes=10_000))
    coins, tries = random.Random(1), {}

    def attack(submitter: Submitter, sure: int, spent: int) -> None:
        right = {task: coins.random() < 0.5 for task in TASKS}
        answers = {
            task: {id_: text if i < sure else "junk" for i, (id_, text) in enumerate(LARGE[task].items())}
            for task in TASKS
        }
        for task in TASKS:
            tried = f"{task}{spent}"
            answers[task][tried] = LARGE[task][tried] if right[task] else "nothing"
        tries[give(board, submitter, tmp_path, answers).id] = (sure + 0.5) / 5, right

    one = invited(board, "one")
    for round_ in range(20):
        attack(one, sure=30 + 14 * round_, spent=400 + round_)
    for account in range(12):
        attack(invited(board, f"account {account}"), sure=30 + 3 * account, spent=430 + account)
    kept = owner.submissions(board)

    def facts(shown: Iterable[Kept], number: str) -> list[bool]:
        """Whether each fact that a new score tells is judged right."""
        new = [(each, task) for each in shown for task, entry in each.shown.items() if entry == each.entry.id]
        judged = [(each, task) for each, task in new if task in TASKS]
        exact = [(getattr(each.scores[task], number) > tries[each.entry.id][0], each, task) for each, task in judged]
        return [is_more == tries[each.entry.id][1][task] for is_more, each, task in exact]

    assert all(facts(kept, "exact"))
    tried = len(tries) * len(TASKS)
    for step, gains in ((2.0, False), (1.0, True)):
        judged: list[bool] = []
        for secret in range(50):
            judged += facts(apply_rule(redrawn(each, f"{secret} {each.entry.id}", step) for each in kept), "shown")
        assert len(judged) > 0.6 * 50 * tried  # the attack does see many new scores
        right = (sum(judged) + (50 * tried - len(judged)) / 2) / (50 * tried)
        assert (right > 0.5 + 1.645 * 0.5 / tried**0.5) == gains, right
    steps = {task: one.step for each in kept for task, one in each.scores.items()}
    assert steps == {**dict.fromkeys(TASKS, 2.0), "average": 1.0}


def redrawn(kept: Kept, secret: str, step: float) -> Kept:
    """The entry as a board with another secret rounds its scores to this step."""
    scores = {
        task: replace(one, drawn=one.exact + step * _draw(secret, task), step=step, variance=step**2 / 12)
        for task, one in kept.scores.items()
        if task in TASKS
    }
    return replace(kept, scores=with_average(scores, TASKS))


def test_no_hash_of_the_references_is_shown(board: Board, tmp_path: Path) -> None:
    """It would confirm guesses, which are feasible for few examples."""
    entry = submit(board, tmp_path, EXAMPLES)
    (kept,) = owner.submissions(board)
    (hashed,) = re.findall(r"\|data:sha256:([0-9a-f]+)", str(kept.signature))
    public = [entry, *board.entries(every=True), *board.history(invited(board))]
    assert "|data:board-1|" in str(entry.signature)
    assert hashed not in json.dumps([one.as_dict() for one in public]) + owner.as_table(board).csv()


def test_one_prediction_among_words_that_score_nothing_shows_no_score(hotels: Board, tmp_path: Path) -> None:
    for others, guess in (("no idea", "11%"), (".", "50%"), ("-", "11%")):
        entry = give_hotels(hotels, tmp_path, {**dict.fromkeys(HOTELS, others), "h3": guess})
        assert (entry.state, numbers(entry), entry.signature) == (NO_CHANGE, [], None)


def test_two_constant_answers_do_not_tell_the_percentages_of_space_digest(hotels: Board, tmp_path: Path) -> None:
    # Scored one by one, 0 % and 100 % give the distance from either end, and so every reference.
    low, high = (score_example("space_digest", guess, "62%").score for guess in ("0%", "100%"))
    assert low != high
    first, second = (give_hotels(hotels, tmp_path, dict.fromkeys(HOTELS, guess)) for guess in ("0%", "100%"))
    # The board shows the rounded mean over 500 hotels of the first, and of the second that it is not clearly better.
    assert all(points % first.rounded_to["space_digest"] == 0 for points in numbers(first))
    assert (second.state, numbers(second)) == (NO_CHANGE, [])


def test_another_task_does_not_carry_a_tasks_new_score_with_it(tmp_path: Path) -> None:
    """The rule holds for each score: one answer changed in a task is not seen however much another task gains."""
    board, mine = make_board(tmp_path, references=LARGE), {}
    mine = {
        task: {id_: text if i < 200 else "junk" for i, (id_, text) in enumerate(LARGE[task].items())} for task in TASKS
    }
    submitter = invited(board)
    first = give(board, submitter, tmp_path, mine)
    mine["quality"] |= dict.fromkeys(list(LARGE["quality"])[200:300], "A")
    mine["qasper"]["qasper400"] = "word400"
    second = give(board, submitter, tmp_path, mine)
    assert (second.state, second.repeated) == (SHOWN, {"qasper": first.id, "musique": first.id})
    assert [second.tasks[task] == first.tasks[task] for task in TASKS] == [False, True, True]


def test_a_refusal_says_nothing_of_the_references(hotels: Board, tmp_path: Path) -> None:
    for answers in ({"h3": "11%"}, {f"{id_}x": "1%" for id_ in HOTELS}, dict.fromkeys(HOTELS, "")):
        with pytest.raises(NotAccepted) as refused:
            give_hotels(hotels, tmp_path, answers)
        assert [text for text in HOTELS.values() if len(text) > 2 and text in str(refused.value)] == []


def test_the_same_predictions_of_a_task_always_have_the_same_rounding(tmp_path: Path) -> None:
    """Otherwise the mean over several submissions would be exact."""
    board = make_board(tmp_path, references=LARGE, settings=MANY)
    exact = {
        task: {id_: text if i < 333 else "junk" for i, (id_, text) in enumerate(LARGE[task].items())} for task in TASKS
    }
    shown = []
    for number in range(6):
        exact["musique"]["musique499"] = f"junk {number}"
        shown.append(give(board, invited(board, f"account {number}"), tmp_path, exact).tasks["quality"])
    assert len(set(shown)) == 1


def test_the_board_shows_only_so_many_new_scores(tmp_path: Path) -> None:
    board = make_board(tmp_path, settings=Settings(changes=4))
    submit(board, tmp_path, 20)
    submit(board, tmp_path, 39, "B")
    with pytest.raises(Exception, match="has shown all 4 new scores that its organisers allow"):
        submit(board, tmp_path, 40, "C")
    owner.change_settings(board, changes=9)
    assert submit(board, tmp_path, 40, "C").state == SHOWN
