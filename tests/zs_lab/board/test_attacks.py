"""What submitters can learn about private references: next to nothing about a single question."""

import json
import random
import re
from dataclasses import asdict

import numpy as np
import pytest
from boards import EXAMPLES, invited, make_board, submit
from written_files import write

from zs_bench.scoring.score_files import read_references
from zs_lab.board import Settings, create_board, owner
from zs_lab.board.database import write_state
from zs_lab.board.scores import NOISE

SIZE = 400
#: By attacker, a task, its reference, and a right and a wrong answer. By the first three, a hash that ignores case,
#: spaces or unprintable characters takes them for the same; no metric reads the number in the last two.
WAYS = {
    "case": ("quality", "A", lambda _: "A b c d", lambda _: "a B c d"),
    "spaces": ("qasper", "alpha beta", lambda _: "alpha beta", lambda _: "a l p h a b e t a"),
    "dropped characters": ("qasper", "alpha beta", lambda _: "alpha beta", lambda _: "al\u200bpha be\u200bta"),
    "what no metric reads": ("quality", "A", lambda i: f"A, {i}", lambda i: f"B, {i}"),
    "known answers": ("qasper", "alpha beta", lambda _: "alpha beta", lambda i: f"nothing {i}"),
}


def half(count, seed):
    """So many facts in an order by chance, half of them true."""
    facts = [True, False] * (count // 2)
    random.Random(seed).shuffle(facts)
    return facts


class Attack:
    """A board of one task, or with a second one against the refusal of duplicates, and submissions to it."""

    def __init__(self, folder, way, each, *, salted=False):
        self.task, reference, self.right, self.wrong = WAYS[way]
        references = {self.task: {f"q{i}": reference for i in range(SIZE)}}
        references |= {"musique": {"salt": "x"}} if salted else {}
        self.folder, self.salted, self.ids = folder, salted, []
        self.board = make_board(folder, references=references, settings=Settings(per_day=each, in_all=each))

    def submit(self, account, right):
        """Submit with these answers right."""
        number, salt = len(self.ids), {"musique": {"salt": str(len(self.ids))}} if self.salted else {}
        texts = {f"q{i}": (self.right if i in right else self.wrong)(number) for i in range(SIZE)}
        file, submitter = write(self.folder / "p.json", {self.task: texts} | salt), invited(self.board, account)
        self.ids.append(self.board.submit(submitter, system=f"S{number}", predictions=file).id)

    def shown(self, secret):
        """The entries, in their order, as the board with another secret shows them."""
        with self.board.database.writing() as connection:
            write_state(connection, "key", f"secret {secret}")
            write_state(connection, "revision", 1_000 + secret)
        entries = {entry.id: entry for entry in self.board.entries()}
        return [entries[id_] for id_ in self.ids]


def check(judged):
    """No judge is right about more than 60 of 100 answers."""
    for name, hits in judged.items():
        assert len(hits) >= 200
        assert sum(hits) / len(hits) <= 0.6, name


@pytest.mark.parametrize("way", WAYS)
def test_one_account_that_knows_answers_cannot_judge_single_others(tmp_path, way):
    """Each submission has ten known answers more than the last one, and tries one more."""
    truth = half(24, way)
    attack, right = Attack(tmp_path, way, 1 + len(truth), salted=True), {*range(30)}
    attack.submit("A", right)
    for number, is_right in enumerate(truth):
        right |= {*range(30 + 10 * number, 40 + 10 * number)} | ({SIZE - 1 - number} if is_right else set())
        attack.submit("A", right)
    judged = {"differs": [], "rises": []}
    for secret in range(9):
        points = [entry.tasks[attack.task] for entry in attack.shown(secret)]
        steps = list(zip(np.diff(points), truth, strict=True))
        judged["differs"] += [(step != 0) == is_right for step, is_right in steps]
        judged["rises"] += [(step > 10.5 * 100 / SIZE) == is_right for step, is_right in steps]
    check(judged)


@pytest.mark.parametrize("way", WAYS)
def test_twelve_accounts_that_know_answers_cannot_judge_single_others(tmp_path, way):
    """Another has known answers, they have ten more, which is one short of being clearly better, and one tried each."""
    truth = half(12, way)
    attack = Attack(tmp_path, way, 1)
    attack.submit("another", set(range(100)))
    for number, is_right in enumerate(truth):
        attack.submit(f"account {number}", {*range(110)} | ({SIZE - 1 - number} if is_right else set()))
    judged = {"separated": [], "rises": []}
    for secret in range(20):
        first, *others = attack.shown(secret)
        gains = [other.tasks[attack.task] - first.tasks[attack.task] for other in others]
        judged["rises"] += [(gain > 10.5 * 100 / SIZE) == is_right for gain, is_right in zip(gains, truth, strict=True)]
        judged["separated"] += [
            (other.id not in first.not_separated_from) == is_right
            for other, is_right in zip(others, truth, strict=True)
        ]
    check(judged)


@pytest.mark.parametrize(("accounts", "each"), [(1, 20), (12, 5)])
def test_the_best_estimate_from_all_submissions_judges_few_answers_better_than_a_coin(tmp_path, accounts, each):
    """Each submission has a random half of 200 tried answers; they are estimated from all scores together."""
    coins, truth = np.random.default_rng(1), np.array(half(200, "best"))
    attack, chosen = Attack(tmp_path, "known answers", each), []
    for number in range(accounts * each):
        chosen.append(coins.random(len(truth)) < 0.5)
        attack.submit(f"account {number % accounts}", {*np.flatnonzero(chosen[-1] & truth)} | {*range(300, 400)})
    tried, judged = np.array(chosen, float), []
    spread = tried @ tried.T / 4 + np.eye(len(tried)) * (NOISE * each**0.5) ** 2
    for secret in range(5):
        points = np.array([entry.tasks[attack.task] for entry in attack.shown(secret)])
        more = points * SIZE / 100 - 100 - tried.sum(axis=1) / 2
        judged += [*((tried.T @ np.linalg.solve(spread, more) > 0) == truth)]
    check({"estimate": judged})


def test_the_noise_is_that_of_an_entry_and_drawn_again_only_for_corrected_references(tmp_path):
    """If equal predictions had equal noise, an equal score would tell that a changed answer is as wrong as before."""
    board = make_board(tmp_path, settings=Settings(in_all=1))
    first, second = (submit(board, tmp_path, 20, name).tasks["quality"] for name in "AB")
    assert first != second
    owner.rescore(board, yes=True)
    assert {entry.tasks["quality"] for entry in board.entries()} == {first, second}
    owner.rescore(board, references=[tmp_path / "references.json"], yes=True)
    assert {entry.tasks["quality"] for entry in board.entries()} & {first, second} == set()


def test_an_answer_that_is_in_the_scores_of_two_tasks_has_twice_the_variance_in_both(tmp_path):
    """The hard questions of QuALITY are among all of them."""
    ids, noise = [f"story{i}_A_{i}" for i in range(SIZE)], {}
    for tasks in ({"quality": ids}, {"quality_hard": ids[:100]}, {"quality": ids, "quality_hard": ids[:100]}):
        rows = {task: dict.fromkeys(of_task, "Yes, it is") for task, of_task in tasks.items()}
        references = read_references([write(tmp_path / "r.json", rows)], benchmark="scrolls")
        board = create_board(tmp_path / f"{len(noise)}.sqlite", references, benchmark="scrolls")
        file = write(tmp_path / "p.json", {"quality": max(rows.values(), key=len)})
        board.submit(invited(board), system="S", predictions=file)
        (kept,) = owner.submissions(board)
        noise |= {(task, len(tasks)): board.state.rule.noise(task, score) for task, score in kept.scores.items()}
    for task in ("quality", "quality_hard"):
        assert noise[task, 2] == pytest.approx(2**0.5 * noise[task, 1])


def test_no_hash_of_the_references_is_shown(board, tmp_path):
    """It would confirm guesses, which are feasible for few examples."""
    entry = submit(board, tmp_path, EXAMPLES)
    (kept,) = owner.submissions(board)
    (hashed,) = re.findall(r"\|data:sha256:([0-9a-f]+)", kept.signature)
    public = [entry, *board.entries(), *board.history(invited(board))]
    assert "|data:board-1|" in entry.signature
    assert hashed not in json.dumps(list(map(asdict, public))) + owner.as_table(board).csv()


def test_one_rouge_answer_moves_a_score_less_than_the_noise_where_no_other_has_two_words_in_a_row(tmp_path):
    """A geometric mean is steep where one of its three means is 0."""
    words = " ".join(f"word{i}" for i in range(10))
    references = {"gov_report": {f"g{i}": words for i in range(SIZE)}}
    board = make_board(tmp_path, references=references, settings=Settings(per_day=2, in_all=2))
    shuffled = " ".join(sorted(words.split(), reverse=True))
    for tried in (words, shuffled):
        answers = {**dict.fromkeys(references["gov_report"], shuffled), "g0": tried}
        board.submit(invited(board), system=tried, predictions=write(tmp_path / "p.json", {"gov_report": answers}))
    with_it, without = (kept.scores["gov_report"] for kept in owner.submissions(board))
    assert (without.exact, with_it.exact > 3) == (0, True)
    noise = board.state.rule.noise("gov_report", without)
    assert noise == pytest.approx(5 * 2**0.5 * 100 / SIZE)
    for shift in np.linspace(0, 3 * noise, 7):  # a shift of one answer's weight does more
        assert without.after(shift) <= with_it.after(shift) <= without.after(shift + 100 / SIZE) + 1e-9
