"""What submitters can learn about private references: next to nothing about a single question."""

import json
import math
import random
import re
import shutil
import sqlite3
from dataclasses import asdict, replace
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from boards import EXAMPLES, KNOWN, MANY, invited, make_board, predictions, submit
from hypothesis import given, settings
from hypothesis import strategies as st
from written_files import write

from zs_bench.scoring.score_files import read_references
from zs_lab.board import BoardSettings, LimitReached, NotAccepted, create_board, open_board, owner
from zs_lab.board.board import CHECKS_OF_EACH
from zs_lab.board.database import write_state
from zs_lab.board.records import AVERAGE
from zs_lab.board.scores import NOISE, Rule, Score, described

ROOT = Path(__file__).parents[3]
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
        self.board = make_board(folder, references=references, settings=BoardSettings(per_day=each, in_all=each))

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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    board = make_board(tmp_path, settings=BoardSettings(in_all=1))
    first, second = (submit(board, tmp_path, 20, name).tasks["quality"] for name in "AB")
    assert first != second
    owner.rescore(board, yes=True)
    assert {entry.tasks["quality"] for entry in board.entries()} == {first, second}
    place = tmp_path / "references.json"
    owner.rescore(board, references=[place], yes=True)  # the same ones
    assert {entry.tasks["quality"] for entry in board.entries()} == {first, second}
    corrected = json.loads(place.read_text(encoding="utf-8"))
    last = list(corrected["quality"])[-1]
    corrected["quality"][last] = ["A" if "A" not in corrected["quality"][last] else "B"]
    place.write_text(json.dumps(corrected), encoding="utf-8")
    owner.rescore(board, references=[place], yes=True)
    assert {entry.tasks["quality"] for entry in board.entries()} & {first, second} == set()


def test_the_page_has_the_price_that_follows_from_the_rule():
    """A difference of two shown averages is the exact one plus the noise of all tasks of both, before it is rounded."""
    page = (ROOT / "benchmarks" / "board-noise.md").read_text(encoding="utf-8").partition("**The price.**")[2]
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if re.match(r"\| \d", line)]
    assert len(rows) == 7
    for in_all, count, size, *said in rows:
        tasks = tuple(f"task {number}" for number in range(int(count)))
        rule, scores = (
            Rule(False, int(in_all), "", tasks, tasks, frozenset()),
            dict.fromkeys(tasks, Score(int(size), (50.0,))),
        )
        of_both = math.hypot(*(rule.noise(task, score) for task, score in scores.items())) * 2**0.5 / len(tasks)
        noise, margin = NormalDist(0, of_both), rule.margins(scores)[AVERAGE]
        assert said == [f"{100 * noise.cdf(gain):.0f} ({100 * noise.cdf(gain - margin):.0f})" for gain in (1, 2, 5)]


def test_entries_of_one_number_before_and_after_a_backup_is_restored_have_other_noise(tmp_path):
    """The difference of two such entries would be exact."""
    board = make_board(tmp_path, settings=BoardSettings(in_all=1))
    place, backup = board.database.file, tmp_path / "backup.sqlite"
    owner.backup(board, str(backup))
    shown = []
    for right, wrong in ((20, "no idea"), (20, "NO IDEA"), (21, "no idea")):
        shutil.copy(backup, place)
        board = open_board(place)
        entry = board.submit(invited(board), system="S", predictions=predictions(tmp_path, right, wrong=wrong))
        assert entry.id == 1
        shown.append(tuple(entry.tasks.values()))
    assert len({value for pair in shown for value in pair}) == 6
    shutil.copy(backup, place)
    again = open_board(place).submit(invited(board), system="S", predictions=predictions(tmp_path, 20))
    assert tuple(again.tasks.values()) == shown[0]  # nothing new is learned


def test_references_that_are_corrected_again_after_a_restored_backup_have_other_noise(tmp_path):
    board, backup, shown = make_board(tmp_path, settings=BoardSettings(in_all=1)), tmp_path / "backup.sqlite", []
    submit(board, tmp_path, 20)
    owner.backup(board, str(backup))
    for letter in "BC":
        shutil.copy(backup, board.database.file)
        board = open_board(board.database.file)
        corrected = {**KNOWN, "quality": {**KNOWN["quality"], "story0_q": letter}}
        owner.rescore(board, references=[write(tmp_path / "corrected.json", corrected)], yes=True)
        shown.append(board.entries()[0].tasks["space_digest"])
    assert shown[0] != shown[1]


def test_a_board_of_the_version_before_keeps_its_numbers_and_draws_new_ones_for_new_entries(tmp_path):
    place = tmp_path / "board.sqlite"
    with sqlite3.connect(place) as old:  # made at 008515b
        old.executescript(Path(__file__).with_name("board_of_version_3.sql").read_text(encoding="utf-8"))
    old.close()
    before = {1: (81.5, 45.7), 2: (31.9, 35.4), 3: (45.3, 47.7)}  # what that version showed
    for _ in range(2):
        board = open_board(place)
        entries = {kept.entry.id: described(kept, board.state.rule) for kept in owner.submissions(board)}
        assert {id_: tuple(entry.tasks.values()) for id_, entry in entries.items()} == before
        assert owner.rescore(board, yes=True).text == "0 entries changed."
    owner.change_settings(board, per_day=100)
    assert board.check(board.submitter_of(owner.invite(board, "B")[0]), answers_of(board, tmp_path)).texts
    other = {**references_of(board), "quality": {id_: ["A", "B"] for id_ in references_of(board)["quality"]}}
    owner.rescore(board, references=[write(tmp_path / "other.json", other)], yes=True)
    assert all(kept.drawn_from for kept in owner.submissions(board))


def references_of(board):
    return {
        task: {id_: each.texts for by_id in splits.values() for id_, each in by_id.items()}
        for task, splits in board.state.references.by_task.items()
    }


def answers_of(board, folder):
    rows = {task: dict.fromkeys(by_id, "A") for task, by_id in references_of(board).items()}
    return write(folder / "answers.json", rows)


def test_checks_of_files_have_a_limit_and_refused_submissions_count_as_checks(tmp_path, monkeypatch):
    assert f"Each submission of a day allows {CHECKS_OF_EACH} checks" in (ROOT / "docs/board.md").read_text("utf-8")
    monkeypatch.setattr("zs_lab.board.board.CHECKS_OF_EACH", 2)
    board = make_board(tmp_path, settings=BoardSettings(per_day=2, in_all=5))
    who, wrong = invited(board), write(tmp_path / "p.json", {"quality": {"x": "A"}})
    for act in (board.check, lambda who, file: board.submit(who, system="S", predictions=file)) * 2:
        with pytest.raises(NotAccepted):
            act(who, wrong)
    for act in (board.check, lambda who, file: board.submit(who, system="S", predictions=file)):
        with pytest.raises(LimitReached, match="All your 4 checks of today are used; each submission, also one"):
            act(who, predictions(tmp_path, 20))
    assert board.allowance(who) == (2, 5)
    assert board.check(invited(board, "B"), predictions(tmp_path, 20)).texts
    monkeypatch.setattr("zs_lab.board.board.now", lambda: "9999-01-01T00:00:00Z")
    assert board.check(who, predictions(tmp_path, 20)).texts


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


#: Two boards with the same ids, whose references differ in texts and number.
PRIVATE = [
    {
        "quality": {f"q{i}": texts[i % 4] for i in range(4)},
        "qasper": {f"p{i}": [f"{texts[i]}{k}" for k in range(count)] for i in range(3)},
    }
    for texts, count in (("ABCD", 1), ("DDAC", 3))
]
_FIELDS = ("answers", "answers", "references", "outputs", "answer", "target", "output")
_TEXTS = st.sampled_from(["A", "B", "D", "A0", "B0", "", None, ["A"], ["A0"], ["D0", "D1", "D2"]])


@st.composite
def submissions(draw):
    """A file of predictions: rows with and without ids, and with their own, no, or somebody's references."""
    task = draw(st.sampled_from(["quality", "qasper"]))
    by_id = draw(st.sampled_from(PRIVATE))[task]
    field, named, carried = (
        draw(st.sampled_from(choices)) for choices in (_FIELDS, ("", "", "id", "n", "pid"), "aaagn")
    )
    by_reference, are_odd = draw(st.booleans()), draw(st.sampled_from([False, False, True]))
    more, rows = draw(st.sampled_from([{}, {"length": 1}, {"input": "x"}])), []
    for number, (id_, texts) in enumerate(by_id.items()):
        for _ in texts if by_reference else texts[:1]:
            row = {"id": {"id": id_}, "n": {"id": number}, "pid": {"id": f"{id_}_0"}}.get(named, {})
            row |= {"pred": draw(_TEXTS) if are_odd else "A"} | more
            rows.append(row | {"a": {field: texts}, "g": {field: draw(_TEXTS)}}.get(carried, {}))
    rows = draw(st.sampled_from([rows, rows, rows[::-1], rows[1:], rows + rows]))
    name = draw(st.sampled_from([task, task, "answers", f"{task}_test"]))
    whole = draw(st.sampled_from([None, None, rows, {task: rows}, {str(i): row for i, row in enumerate(rows)}]))
    if whole is None:
        return f"{name}.jsonl", "".join(json.dumps(row) + "\n" for row in rows)
    return f"{name}.json", json.dumps(whole)


@pytest.fixture(scope="module")
def twins(tmp_path_factory):
    """The two boards, each with a submitter."""
    free = replace(MANY, single_tasks=True)
    made = (make_board(tmp_path_factory.mktemp("twin"), references=each, settings=free) for each in PRIVATE)
    return [(board, invited(board)) for board in made]


def reply_of(call):
    try:
        return str(call())
    except NotAccepted as refused:
        return f"refused: {refused}"


@settings(max_examples=40, deadline=None, database=None, derandomize=True)
@given(submissions())
def test_no_reply_to_files_depends_on_a_private_reference(twins, tmp_path_factory, submission):
    """Rows without ids that carried the right references were matched by these, which told whether all were right."""
    name, content = submission
    file = write(tmp_path_factory.getbasetemp() / "sent" / name, content)
    for act in (
        lambda board, who: board.check(who, file),
        lambda *of: of[0].submit(of[1], system="S", predictions=file).id,
    ):
        first, second = (reply_of(lambda twin=twin, act=act: act(*twin)) for twin in twins)
        assert first == second


def test_rows_without_ids_are_told_so_even_with_the_right_references(tmp_path):
    references = {"quality": {f"q{i}": "ABCD"[i] for i in range(4)}}
    board = make_board(tmp_path, references=references)
    rows = [{"pred": "A", "answers": [text]} for text in references["quality"].values()]
    file = write(tmp_path / "quality.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(
        NotAccepted, match="All 4 rows have no ID, and a board matches predictions by ID alone: give each"
    ):
        board.check(invited(board), file)


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
    board = make_board(tmp_path, references=references, settings=BoardSettings(per_day=2, in_all=2))
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
