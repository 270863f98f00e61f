"""Problems as sentences and as data; errors that survive the way between processes."""

import importlib
import pickle
import pkgutil

from hypothesis import given
from hypothesis import strategies as st

import zs_bench
from zs_bench.errors import BudgetTooSmall
from zs_bench.problems import Place, Problem, lines
from zs_metric import ZeroScrollsError

SCREEN = 80 * 24
DOUBLED = "Duplicate ID with the same answer; it counts once"


def test_problems_alike_are_one_sentence_with_the_first_ids_and_rows():
    nulls = [Problem("null", "The answer is null", "qasper", str(i), Place("a.csv", i)) for i in range(1, 501)]
    assert lines(nulls) == ["qasper, 500 answers: The answer is null: 1, 2, 3, … (a.csv, lines 1 to 500)"]
    assert lines(nulls[:3]) == ["qasper: The answer is null: 1 (a.csv, line 1), 2 (a.csv, line 2), 3 (a.csv, line 3)"]
    unread = [Problem("unreadable", "no id", place=Place("a.jsonl", row), detail="keys: a") for row in range(2, 9)]
    assert lines(unread) == ["7 rows: no id: a.jsonl, lines 2 to 8; keys: a"]
    files = [Problem("crlf", "line ends", place=Place(f"{name}.csv")) for name in "abcde"]
    assert lines(files) == ["5 files: line ends: a.csv, b.csv, c.csv, 2 other files"]
    assert lines(files[:4]) == ["4 files: line ends: a.csv, b.csv, c.csv, 1 other file"]
    tasks = [Problem("missing-task", "no answers", task, detail="9 ids") for task in ("qasper", "qmsum", "a", "b")]
    assert lines(tasks) == ["4 tasks: no answers: qasper, qmsum, a, … (9 ids each)"]


def test_the_same_warning_about_several_tasks_is_one_sentence_and_an_error_is_one_of_each_task():
    tasks = ("qasper", "qmsum", "quality")
    empty = [
        Problem("empty", "Empty", task, str(i), Place(f"{task}.json"), is_error=False) for task in tasks for i in "12"
    ]
    assert lines(empty) == [
        "qasper 2, qmsum 2, quality 2, 6 answers: Empty: 1, 2, … (qasper.json, qmsum.json, quality.json)"
    ]
    assert len(lines(empty[:4])) == 2
    assert len(lines([Problem("null", "Null", task, "1") for task in tasks])) == 3


def test_a_duplicate_is_reported_with_both_places_and_a_file_that_repeats_ten_others_once():
    conflict = Problem("conflict", "two answers", "qasper", "7", Place("a.json"), Place("b.csv", 3), detail="'x'")
    assert lines([conflict]) == ["qasper: two answers: 7 (a.json and b.csv, line 3: 'x')"]
    repeats = [
        Problem("doubled", DOUBLED, f"t{task}", f"{task}{i}", Place(f"preds_{task}.json"), Place("all.csv", 1))
        for task in range(10)
        for i in range(50)
    ]
    files = "preds_0.json, all.csv, preds_1.json, 8 other files"
    assert lines(repeats) == [f"500 answers: {DOUBLED}: 00, 01, 02, … ({files})"]


def test_a_thousand_kinds_of_problem_are_reported_as_twenty_and_a_number():
    reported = lines(Problem("unknown-task", f"{i} is no task", place=Place("a.csv", i)) for i in range(1_000))
    assert len(reported) == 21
    assert reported[-1] == "… and 980 more problems of other kinds; the JSON report lists them"


@given(st.lists(st.builds(Problem, st.just("x"), st.just("wrong"), st.just("qasper"), st.text(), detail=st.text())))
def test_whatever_is_wrong_a_sentence_is_printable_and_no_longer_than_a_screen(problems):
    assert all(line.isprintable() and len(line) < SCREEN for line in lines(problems))


def test_a_problem_as_data_has_its_place_and_what_else_is_known():
    data = Problem("conflict", "two answers", "qasper", "7", Place("b.csv", 3), Place("a.json"), detail="x").as_dict()
    where = {"file": "b.csv", "row": 3, "other_file": "a.json", "other_row": None}
    what = {"kind": "conflict", "family": "conflict", "task": "qasper", "id": "7", "detail": "x", "refuses": True}
    assert data == where | what | {"message": "two answers"}
    data = Problem("pid", "read", family="unknown").as_dict()
    assert (data["kind"], data["family"]) == ("pid", "unknown")


def below(kind):
    for each in kind.__subclasses__():
        yield each
        yield from below(each)


def test_every_error_survives_pickling():
    for module in pkgutil.walk_packages(zs_bench.__path__, "zs_bench."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    kinds = {kind for kind in below(ZeroScrollsError) if kind.__module__.startswith("zs_bench")}
    assert BudgetTooSmall in kinds
    for kind in kinds:
        error = kind.__new__(kind, "something is wrong")
        error.__dict__["place"] = 3
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.__dict__) == (kind, "something is wrong", {"place": 3})
    again = pickle.loads(pickle.dumps(BudgetTooSmall("too small", 7)))
    assert (str(again), again.least) == ("too small", 7)
