"""What submitters can learn about private references: nothing about a single question."""

import json
import random
import re
from dataclasses import asdict, replace

import pytest
from boards import EXAMPLES, invited, make_board, submit
from written_files import write

from zs_lab.board import NO_CHANGE, SHOWN, LimitReached, Settings, owner
from zs_lab.board.scores import _draw, with_average
from zs_lab.board.standing import apply_rule

#: The references of three tasks as large as the benchmark's, scored by accuracy and F1.
TASKS = ("quality", "qasper", "musique")
LARGE = {task: {f"{task}{i}": "A" if task == "quality" else f"word{i}" for i in range(500)} for task in TASKS}


@pytest.fixture
def large(tmp_path):
    return make_board(tmp_path, references=LARGE, settings=Settings(per_day=20, changes=10_000))


def give(board, folder, right, name="A", **tried):
    """An entry with that many right answers in each task, and the tried ones."""
    answers = {
        task: {id_: text if i < right else "junk" for i, (id_, text) in enumerate(LARGE[task].items())}
        | tried.get(task, {})
        for task in TASKS
    }
    return board.submit(invited(board, name), system="S", predictions=write(folder / "p.json", answers))


def test_the_rounding_is_the_finest_with_which_an_attack_at_full_size_gains_nothing_significant(large, tmp_path):
    """The attacker knows some answers for sure, adds enough of them to be clearly better, and tries one more each time.

    A fact is whether the tried answer is right, which a coin decides. The attacker knows the exact score without it,
    concludes from each new score which of the two exact scores is nearer, and guesses where no new score is shown. From
    exact scores the conclusion is always right. With the board's step of 2 points, 55 of 100 facts are judged right,
    which is no significant gain over guessing (50) for the 96 facts of one attack; with the next finer step, 1 point,
    60 of 100 are, and it is one. The same submissions are shown with 50 secrets, so that the shares are certain.
    """
    coins, tries = random.Random(1), {}
    attacks = [("one", 30 + 14 * number, 400 + number) for number in range(20)]
    attacks += [(f"account {number}", 30 + 3 * number, 430 + number) for number in range(12)]
    for name, sure, spent in attacks:
        right = {task: coins.random() < 0.5 for task in TASKS}
        tried = {task: {f"{task}{spent}": LARGE[task][f"{task}{spent}"] if right[task] else "no"} for task in TASKS}
        tries[give(large, tmp_path, sure, name, **tried).id] = (sure + 0.5) / 5, right
    entries = owner.submissions(large)

    def facts(shown, number):
        """Whether each fact that a new score tells is judged right."""
        new = [(kept, task) for kept in shown for task, entry in kept.shown.items() if entry == kept.entry.id]
        return [
            (getattr(kept.scores[task], number) > tries[kept.entry.id][0]) == tries[kept.entry.id][1][task]
            for kept, task in new
            if task in TASKS
        ]

    assert all(facts(entries, "exact"))
    count = len(tries) * len(TASKS)
    for step, gains in ((2.0, False), (1.0, True)):
        judged = []
        for secret in range(50):
            judged += facts(apply_rule(redrawn(kept, f"{secret} {kept.entry.id}", step) for kept in entries), "shown")
        assert len(judged) > 0.6 * 50 * count  # the attack does see many new scores
        share = (sum(judged) + (50 * count - len(judged)) / 2) / (50 * count)
        assert (share > 0.5 + 1.645 * 0.5 / count**0.5) == gains, share
    steps = {task: score.step for kept in entries for task, score in kept.scores.items()}
    assert steps == {**dict.fromkeys(TASKS, 2.0), "average": 1.0}


def redrawn(kept, secret, step):
    """The entry as a board with another secret rounds its scores to this step."""
    scores = {
        task: score._replace(drawn=score.exact + step * _draw(secret, task), step=step, variance=step**2 / 12)
        for task, score in kept.scores.items()
        if task in TASKS
    }
    return replace(kept, scores=with_average(scores, TASKS))


def test_no_hash_of_the_references_is_shown(board, tmp_path):
    """It would confirm guesses, which are feasible for few examples."""
    entry = submit(board, tmp_path, EXAMPLES)
    (kept,) = owner.submissions(board)
    (hashed,) = re.findall(r"\|data:sha256:([0-9a-f]+)", kept.signature)
    public = [entry, *board.entries(), *board.history(invited(board))]
    assert "|data:board-1|" in entry.signature
    assert hashed not in json.dumps(list(map(asdict, public))) + owner.as_table(board).csv()


def test_one_prediction_among_words_that_score_nothing_shows_no_score(large, tmp_path):
    for number, others in enumerate(("word0", "no idea", ".")):
        answers = {**dict.fromkeys(LARGE["quality"], others), f"quality{number}": "A"}
        entry = give(large, tmp_path, 0, quality=answers)
        assert (entry.state, entry.average, entry.tasks, entry.signature) == (NO_CHANGE, None, {}, None)


def test_another_task_does_not_carry_a_tasks_new_score_with_it(large, tmp_path):
    """The rule holds for each score: one answer changed in a task is not seen however much another task gains."""
    first = give(large, tmp_path, 200)
    gained = dict.fromkeys(list(LARGE["quality"])[200:300], "A")
    second = give(large, tmp_path, 200, quality=gained, qasper={"qasper400": "word400"})
    assert (second.state, second.repeated) == (SHOWN, {"qasper": first.id, "musique": first.id})
    assert [second.tasks[task] == first.tasks[task] for task in TASKS] == [False, True, True]


def test_the_same_predictions_of_a_task_always_have_the_same_rounding(large, tmp_path):
    """Otherwise the mean over several submissions would be exact."""
    entries = [give(large, tmp_path, 333, f"team {i}", musique={"musique499": f"junk {i}"}) for i in range(6)]
    assert len({entry.tasks["quality"] for entry in entries}) == 1


def test_the_board_shows_only_so_many_new_scores(tmp_path):
    board = make_board(tmp_path, settings=Settings(changes=4))
    submit(board, tmp_path, 20)
    submit(board, tmp_path, 39, "B")
    with pytest.raises(LimitReached, match="has shown all 4 new scores that its organisers allow"):
        submit(board, tmp_path, 40, "C")
    owner.change_settings(board, changes=7)
    assert submit(board, tmp_path, 40, "C").state == SHOWN
