"""Problems as sentences: similar ones together, none longer than a screen."""

from hypothesis import given
from hypothesis import strategies as st

from zs_bench.problems import Place, Problem, lines

SCREEN = 80 * 24


def null(key: str, row: int, task: str = "qasper") -> Problem:
    return Problem("null", "The answer is null. Write a text", task, key, Place("a.csv", row))


def test_problems_alike_are_one_sentence_with_the_first_ids_and_rows() -> None:
    (line,) = lines(null(str(i), i) for i in range(1, 501))
    assert line == "qasper, 500 answers: The answer is null. Write a text: 1, 2, 3, … (a.csv, lines 1 to 500)"
    unread = [
        Problem("unreadable", "no id", None, None, Place("a.jsonl", row), detail="keys: a") for row in range(2, 9)
    ]
    assert lines(unread) == ["7 rows: no id: a.jsonl, lines 2 to 8; keys: a"]
    files = [Problem("crlf", "line ends", place=Place(f"{name}.csv")) for name in "abcde"]
    assert lines(files) == ["5 files: line ends: a.csv, b.csv, c.csv, 2 other files"]
    assert lines(files[:4]) == ["4 files: line ends: a.csv, b.csv, c.csv, 1 other file"]


def test_a_duplicate_is_reported_with_both_places_and_contents() -> None:
    conflict = Problem("conflict", "two answers", "qasper", "7", Place("a.json"), Place("b.csv", 3), detail="'x'")
    assert lines([conflict]) == ["qasper: two answers: 7 (a.json and b.csv, line 3: 'x')"]


def doubled(key: str, task: str, earlier: str, later: str = "all.csv") -> Problem:
    message = "Duplicate ID with the same answer; it counts once"
    return Problem("doubled", message, task, key, Place(earlier), Place(later, 1), is_error=False)


def test_a_file_that_repeats_ten_others_is_reported_in_one_short_sentence() -> None:
    problems = [doubled(f"{task}{i}", f"t{task}", f"preds_{task}.json") for task in range(10) for i in range(50)]
    assert lines(problems) == [
        "Duplicate ID with the same answer; it counts once: all.csv repeats 500 IDs of preds_0.json and 9 other files"
    ]


def test_a_thousand_kinds_of_problem_are_reported_as_twenty_and_a_number() -> None:
    reported = lines(Problem("unknown-task", f"{i} is no task", place=Place("a.csv", i)) for i in range(1_000))
    assert len(reported) == 21
    assert reported[-1] == "… and 980 more problems of other kinds; the JSON report lists them"


@given(st.lists(st.builds(Problem, st.just("x"), st.just("wrong"), st.just("qasper"), st.text(), detail=st.text())))
def test_whatever_is_wrong_a_sentence_is_printable_and_no_longer_than_a_screen(problems: list[Problem]) -> None:
    for line in lines(problems):
        assert line.isprintable()
        assert len(line) < SCREEN


def test_a_problem_as_data_has_its_place_and_what_else_is_known() -> None:
    data = Problem("conflict", "two answers", "qasper", "7", Place("b.csv", 3), Place("a.json"), detail="x").as_dict()
    assert data == {
        "kind": "conflict",
        "task": "qasper",
        "id": "7",
        "file": "b.csv",
        "row": 3,
        "other_file": "a.json",
        "other_row": None,
        "detail": "x",
        "message": "two answers",
        "refuses": True,
    }
