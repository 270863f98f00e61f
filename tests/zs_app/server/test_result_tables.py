"""Scored files are kept for a while, filtered and opened without being loaded, and found only by their id."""

import json
import time
from types import SimpleNamespace

import pytest

from zs_app.server import result_tables
from zs_app.server.result_tables import (
    ANY,
    Filter,
    ResultGone,
    answer_at,
    download,
    find_answers,
    kept_page,
    kept_report,
    new_result,
    place_of,
    score_counts,
    shared_prefixes,
    write_answers,
    write_result,
)
from zs_app.server.temporary_files import remove_old_files
from zs_metric import TASKS


@pytest.fixture(autouse=True)
def uploads(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "uploads"))
    return tmp_path / "uploads"


def row(task, name, score, lost_to="content", *, answer="an answer", references=("a reference",)):
    result = SimpleNamespace(score=score, reason="a reason")
    return SimpleNamespace(
        task=TASKS[task], id=name, answer=answer, references=list(references), result=result, lost_to=lost_to
    )


ROWS = [
    row("qasper", "q1", 0.0, "format", answer="Nothing of İstanbul"),
    row("quality", "b1", 0.0, "content", answer="B", references=["C: \ud800 broken"]),
    row("qasper", "q2", 55.5, "length", references=["STRASSE", "other"]),
    row("quality", "b2", 100.0, "", answer="C"),
]


SECOND = [
    row("quality", "b1", 100.0, "", answer="C"),
    row("quality", "b2", 60.0, "misread", answer="Was C"),
    row("qasper", "q2", 55.5),
    row("quality", "b3", 10.0, answer="alone"),
]


def written(rows, second=(), patterns=()):
    path = new_result()
    write_result(path, {"benchmark": "scrolls"}, {"report": "<p>"}, downloads={"r.csv": "é\ud800"}, scored=b"pickle")
    write_answers(path, rows, second, patterns)
    return path.stem


@pytest.fixture
def result():
    return written(ROWS)


@pytest.fixture
def compared():
    return written(ROWS, SECOND, [("quality", "lost", ["b2"]), ("quality", "gained", ["b1"])])


def ids(result, **wanted):
    return [one.id for one in find_answers(result, Filter(**wanted))[0]]


FILTERS = [
    ({}, ["q1", "b1", "q2", "b2"]),
    ({"task": "qasper"}, ["q1", "q2"]),
    ({"lost_to": "content"}, ["b1"]),
    ({"low": 50, "high": 99}, ["q2"]),
    ({"low": 55.5, "high": 55.5}, ["q2"]),
    ({"low": 55.5 + 1e-10, "high": 100}, ["q2", "b2"]),
    ({"low": None, "high": None}, ["q1", "b1", "q2", "b2"]),
    ({"text": "straße"}, ["q2"]),
    ({"text": "i̇STANBUL"}, ["q1"]),
    ({"text": "Q2"}, ["q2"]),
    ({"text": "' OR 1 --"}, []),
    ({"text": "%"}, []),
    ({"text": "\ud800"}, ["b1"]),
    ({"text": None, "task": "x"}, []),
]


def test_a_filter_finds_the_answers_that_pass_it_worst_first(result):
    for wanted, found in FILTERS:
        assert ids(result, **wanted) == found, wanted


def test_the_list_shows_the_beginning_of_long_texts_and_the_numbers_of_rows(result):
    rows, found, total = find_answers(result, Filter(task="qasper"), 1)
    assert ([one.id for one in rows], found, total) == (["q1"], 2, 4)
    long = written([row("qasper", "i" * 500, 1 / 3, answer="a" * 500)])
    ((one,), _, _) = find_answers(long, Filter())
    assert (len(one.id), one.score, len(one.prediction)) == (500, 1 / 3, 300)
    assert answer_at(long, Filter(), 0)[0].prediction == "a" * 500


@pytest.mark.parametrize(
    ("order", "down", "found"),
    [
        ("score", True, ["b2", "q2", "q1", "b1"]),
        ("id", False, ["b1", "b2", "q1", "q2"]),
        ("prediction", False, ["b1", "b2", "q1", "q2"]),
        ("score; DROP TABLE answers", False, ["q1", "b1", "q2", "b2"]),
    ],
)
def test_the_list_is_sorted_and_the_opened_answer_is_of_that_order(result, order, down, found):
    wanted = Filter(order=order, down=down)
    assert ids(result, order=order, down=down) == found
    assert [answer_at(result, wanted, place)[0].id for place in range(4)] == found


def test_compared_answers_are_found_by_who_was_right_and_by_what_changed(compared):
    for wanted, found in (
        ({}, ["q1", "b1", "q2", "b2", "b3"]),
        ({"order": "difference"}, ["b2", "q2", "b1", "q1", "b3"]),
        ({"verdict": "first"}, ["b2"]),
        ({"verdict": "second"}, ["b1"]),
        ({"verdict": "same"}, ["q2"]),
        ({"verdict": "second-right"}, ["b1"]),
        ({"verdict": "first-right"}, []),
        ({"verdict": "no such", "text": "was c"}, ["b2"]),
        ({"pattern": "quality.lost"}, ["b2"]),
        ({"pattern": "quality.gained"}, ["b1"]),
        ({"pattern": "quality.lo"}, []),
        ({"low": 1}, ["q2", "b2"]),
    ):
        assert ids(compared, **wanted) == found, wanted


def test_an_answer_has_those_of_both_systems_and_of_one_alone_what_there_is(compared):
    both, alone = (answer_at(compared, Filter(text=text), 0)[0] for text in ("b2", "alone"))
    assert (both.prediction, both.score, both.second, both.second_score, both.difference) == ("C", 100, "Was C", 60, 40)
    assert (alone.prediction, alone.score, alone.second, alone.difference) == (None, None, "alone", None)


def test_an_answer_is_found_at_its_place_in_any_order(compared):
    for wanted in (Filter(), Filter(order="difference"), Filter(order="id", down=True), Filter(task="quality")):
        for place, one in enumerate(find_answers(compared, wanted)[0]):
            assert place_of(compared, wanted, one.task, one.id) == place
    assert place_of(compared, Filter(task="qasper"), "quality", "b1") == 0


def test_the_picture_counts_the_scores_that_pass_whatever_their_range(compared):
    assert score_counts(compared, Filter(low=99)) == [2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert score_counts(compared, Filter(task="quality")) == [1, *[0] * 10, 1]


def test_ids_share_what_they_all_begin_with_up_to_a_separator():
    rows = [row("qasper", f"qasper_01{i}", 0.0) for i in range(3)] + [
        row("quality", "b1", 0.0),
        row("quality", "b2", 0.0),
    ]
    assert shared_prefixes(written(rows)) == {"qasper": "qasper_", "quality": ""}


def test_one_answer_is_opened_at_its_place_among_those_that_pass(result):
    answer, count = answer_at(result, Filter(task="quality"), 1)
    assert (answer.id, answer.references, count) == ("b2", ["a reference"], 2)
    assert answer_at(result, Filter(), 1)[0].references == ["C: \ud800 broken"]
    for place in (-1, 4, 10**9):
        assert answer_at(result, Filter(), place) == (None, 4)


def test_a_key_typed_into_a_filter_loads_only_the_rows_shown(result, monkeypatch):
    """Once each key unpickled the whole file."""
    monkeypatch.setattr("pickle.loads", lambda *_: pytest.fail("the whole file was loaded"))
    loaded = []
    monkeypatch.setattr(
        result_tables.json, "loads", lambda text: loaded.append(text) or json.JSONDecoder().decode(text)
    )
    find_answers(result, Filter(text="answer"))
    answer_at(result, Filter(text="answer"), 0)
    assert loaded == [json.dumps(["STRASSE", "other"])]


def test_report_page_and_downloads_are_kept_beside_the_answers(result):
    assert (kept_report(result), kept_page(result)) == ({"benchmark": "scrolls"}, {"report": "<p>"})
    assert download(result, "r.csv").decode() == "é?"
    with pytest.raises(ResultGone):
        download(result, "page")


def test_an_invalid_id_has_no_result(result, uploads):
    unfinished = new_result()
    unfinished.write_bytes(b"")
    for wrong in (None, "", "0" * 64, "../..", "0" * 63 + "/", 7, "/etc", "\0", [], f"{result}\n", unfinished.stem):
        for ask in (kept_report, lambda name: find_answers(name, Filter()), lambda name: answer_at(name, Filter(), 0)):
            with pytest.raises(ResultGone, match="no longer kept; score the file again"):
                ask(wrong)
    assert kept_report(result)


def test_a_result_is_kept_for_an_hour_after_its_last_use_and_other_results_never_evict_it(result, monkeypatch):
    for _ in range(1_001):
        new_result()
    now = time.time()
    monkeypatch.setattr("zs_app.server.temporary_files.time.time", lambda: now + 3_500)
    remove_old_files()
    assert ids(result, task=ANY)
    monkeypatch.setattr("zs_app.server.temporary_files.time.time", lambda: now + 3_700)
    remove_old_files()
    with pytest.raises(ResultGone):
        kept_report(result)
