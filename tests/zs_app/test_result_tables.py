"""Scored files are kept for a while, filtered and opened without being loaded, and found only by their id."""

from types import SimpleNamespace

import pytest

from zs_app.result_tables import BINS, Filter, ResultGone, new_result, opened, write_result
from zs_bench.benchmarks.zero_scrolls import TASKS


@pytest.fixture(scope="module", autouse=True)
def uploads(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GRADIO_TEMP_DIR", str(tmp_path_factory.mktemp("uploads")))
        yield


def row(task, name, score, lost_to="content", *, text="an answer", references=("a reference",)):
    result = SimpleNamespace(score=score)
    fields = {"text": text, "references": list(references), "result": result, "lost_to": lost_to}
    return SimpleNamespace(task=TASKS[task], id=name, **fields)


ROWS = [
    row("qasper", "q1", 0.0, "format", text="Nothing of İstanbul"),
    row("quality", "b1", 0.0, "content", text="B", references=["C: \ud800 broken"]),
    row("qasper", "q2", 55.5, "length", references=["STRASSE", "other"]),
    row("quality", "b2", 100.0, "", text="C"),
    None,
]
SECOND = [
    None,
    row("quality", "b1", 100.0, "", text="C"),
    row("qasper", "q2", 55.5),
    row("quality", "b2", 60.0, "misread", text="Was C"),
    row("quality", "b3", 10.0, text="alone"),
]
GROUPS = [("quality", "lost", ["b2"]), ("quality", "gained", ["b1"])]


def written(answers, patterns=()):
    path = new_result()
    write_result(path, {"benchmark": "scrolls"}, {"report": "<p>"}, b"pickle", answers=answers, patterns=patterns)
    return path.stem


def ask(result, name, *values):
    with opened(result) as kept:
        return getattr(kept, name)(*values)


@pytest.fixture(scope="module")
def result(uploads):
    return written([(first, None) for first in ROWS[:4]])


@pytest.fixture(scope="module")
def compared(uploads):
    return written(zip(ROWS, SECOND, strict=True), GROUPS)


@pytest.mark.parametrize(
    ("wanted", "ids", "ids_compared"),
    [
        ({}, "q1 b1 q2 b2", "q1 b1 q2 b2 b3"),
        ({"task": "qasper"}, "q1 q2", "q1 q2"),
        ({"task": "x"}, "", ""),
        ({"lost_to": "content"}, "b1", "b1"),
        ({"low": 50, "high": 99}, "q2", "q2"),
        ({"low": 55.5, "high": 55.5}, "q2", "q2"),
        ({"low": 55.5 + 1e-10, "high": 100}, "q2 b2", "q2 b2"),
        ({"low": 1}, "q2 b2", "q2 b2"),
        ({"text": "straße"}, "q2", "q2"),
        ({"text": "i̇STANBUL"}, "q1", "q1"),
        ({"text": "Q2"}, "q2", "q2"),
        ({"text": "' OR 1 --"}, "", ""),
        ({"text": "%"}, "", ""),
        ({"text": "\ud800"}, "b1", "b1"),
        ({"text": "was c"}, "", "b2"),
        ({"down": True}, "b2 q2 q1 b1", "b2 q2 q1 b1 b3"),
        ({"order": "id"}, "b1 b2 q1 q2", "b1 b2 b3 q1 q2"),
        ({"order": "lost_to"}, "b2 b1 q1 q2", "b2 b1 q1 q2 b3"),
        ({"order": "score; DROP TABLE answers"}, "q1 b1 q2 b2", "q1 b1 q2 b2 b3"),
        ({"order": "difference"}, "q1 b1 q2 b2", "b2 q2 b1 q1 b3"),
        ({"order": "second_score"}, "q1 b1 q2 b2", "b3 q2 b2 b1 q1"),
        ({"verdict": "first"}, "", "b2"),
        ({"verdict": "second"}, "", "b1"),
        ({"verdict": "same"}, "", "q2"),
        ({"verdict": "second-right"}, "", "b1"),
        ({"verdict": "first-right"}, "", ""),
        ({"verdict": "no such"}, "q1 b1 q2 b2", "q1 b1 q2 b2 b3"),
        ({"pattern": "quality.lost"}, "", "b2"),
        ({"pattern": "quality.gained"}, "", "b1"),
        ({"pattern": "quality.lo"}, "", ""),
    ],
)
def test_a_filter_finds_the_answers_that_pass_it_in_the_order_asked_for(result, compared, wanted, ids, ids_compared):
    for kept, expected in ((result, ids.split()), (compared, ids_compared.split())):
        rows, count, total = ask(kept, "answers", Filter(**wanted))
        assert ([row.id for row in rows], count, total) == (expected, len(expected), 4 + (kept == compared))
        for place, row in enumerate(rows):
            assert ask(kept, "place_of", Filter(**wanted), row.task, row.id) == place
            assert ask(kept, "answer", Filter(**wanted), place)[0].id == row.id
        for place in (-1, count, 10**9):
            answer, nearest, number = ask(kept, "answer", Filter(**wanted), place)
            assert (nearest, number) == (0 if place < 0 or not count else count - 1, count)
            assert (answer and answer.id) == (rows[nearest].id if rows else None)


def test_an_answer_that_does_not_pass_has_the_first_place(compared):
    assert ask(compared, "place_of", Filter(task="qasper"), "quality", "b1") == 0


def test_the_list_shows_the_beginning_of_long_texts_and_of_many_rows(result):
    long = written([(row("qasper", "i" * 500, 1 / 3, text="a" * 500), None)])
    ((shown,), _, _) = ask(long, "answers", Filter())
    assert (len(shown.id), shown.score, len(shown.prediction)) == (500, 1 / 3, 300)
    assert ask(long, "answer", Filter(), 0)[0].prediction == "a" * 500
    many = written([(row("qasper", str(i), 0.0), None) for i in range(2_001)])
    assert [len(ask(many, "answers", Filter(), *most)[0]) for most in ((), (5,), (5_000,))] == [100, 5, 2_000]


def test_an_answer_of_half_the_points_counts_as_right():
    pairs = [(row("qasper", "a", 50.0), row("qasper", "a", 49.9)), (row("qasper", "b", 49.9), row("qasper", "b", 50.0))]
    outcomes = [ask(written(pairs), "answers", Filter(verdict=name))[0] for name in ("first-right", "second-right")]
    assert [[answer.id for answer in answers] for answers in outcomes] == [["a"], ["b"]]


def test_an_answer_has_those_of_both_systems_and_of_one_alone_what_there_is(compared):
    both, alone, broken = (ask(compared, "answer", Filter(text=text), 0)[0] for text in ("b2", "alone", "b1"))
    assert both == ("quality", "b2", ["a reference"], "C", 100, "", "Was C", 60, -40)
    assert alone == ("quality", "b3", ["a reference"], None, None, None, "alone", 10, None)
    assert broken.references == ["C: \ud800 broken"]


def test_the_picture_counts_the_scores_that_pass_whatever_their_range(compared):
    assert ask(compared, "score_counts", Filter(low=99)) == [2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert ask(compared, "score_counts", Filter(task="quality")) == [1, *[0] * 10, 1]
    edges = [(row("qasper", str(i), score), None) for i, score in enumerate((0.004, 0.005, 9.999, 10, 99.994, 99.995))]
    assert ask(written(edges), "score_counts", Filter()) == [1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    assert (BINS[:3], BINS[-2:]) == (((0, 0), (0, 10), (10, 20)), ((90, 100), (100, 100)))


def test_ids_share_what_they_all_begin_with_up_to_a_separator():
    rows = [row("qasper", f"qasper_01{i}", 0.0) for i in (0, 1, 22)] + [
        row("quality", f"b{i}_x", 0.0) for i in range(2)
    ]
    assert ask(written((row, None) for row in rows), "shared_prefixes") == {"qasper": "qasper_", "quality": ""}


def test_report_page_and_scored_files_are_kept_beside_the_answers(result):
    with opened(result) as kept:
        assert (kept.report, kept.page, kept.part("systems")) == (
            {"benchmark": "scrolls"},
            {"report": "<p>"},
            b"pickle",
        )
        with pytest.raises(ResultGone):
            kept.part("other")


def test_an_invalid_id_has_no_result(result):
    unfinished = new_result()
    unfinished.write_bytes(b"")
    for wrong in (None, "", "0" * 64, "../..", "0" * 63 + "/", 7, "/etc", "\0", [], f"{result}\n", unfinished.stem):
        with pytest.raises(ResultGone, match="no longer kept; ask for"):
            ask(wrong, "answers", Filter())
