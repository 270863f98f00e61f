"""Rows without ids: the question that each answers, the ids made for them, runs in one file, and what follows."""

import csv
import io
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from written_files import write

from zs_bench.benchmarks import Task, find_benchmark
from zs_bench.errors import UnusableInput
from zs_bench.files.entries import Identity
from zs_bench.files.recognition import Recognised
from zs_bench.files.rows_without_ids import identity_of, name_rows, runs_of
from zs_bench.reports.comparison import warnings
from zs_bench.reports.report import missing_in_words
from zs_bench.scoring.compare import compare_systems
from zs_bench.scoring.score_files import score, score_files, score_systems
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.validation.verify import verify
from zs_start.cli import main


@pytest.fixture(autouse=True)
def _of_zero_scrolls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Score as ZeroSCROLLS whatever the files look like: these rows are LongBench's, which has other sizes."""
    for module in ("zs_bench.files.recognition", "zs_bench.scoring.score_files"):
        monkeypatch.setattr(f"{module}.recognise", lambda *_: Recognised(find_benchmark(), ""))


def rows(numbers: Sequence[int], answer: Callable[[int], str] = lambda _: "red", **more: Any) -> list[dict[str, Any]]:
    """Rows as LongBench's script writes them; the reference of every third question is "red"."""
    texts = [["red"] if n % 3 == 0 else [f"text {n}"] for n in numbers]
    return [
        {"pred": answer(n), "answers": text, "all_classes": None, "length": 100 + n, **more}
        for n, text in zip(numbers, texts, strict=True)
    ]


def identities(text: str) -> list[Identity]:
    """A question a letter, of each of which more than its references is known."""
    return [Identity(letter, "r") for letter in text]


def qasper(scored: ScoredFile) -> ScoredTask:
    return scored.tasks["qasper"]


def kinds(scored: ScoredFile) -> list[tuple[str, bool]]:
    return [(problem.kind, problem.is_error) for problem in scored.problems]


def test_an_id_depends_on_references_and_length_alone_whatever_their_order_and_file() -> None:
    both = identity_of(["b", "a"], ["7"])
    assert both == identity_of(["a", "b"], ["7"])
    assert identity_of(["a"]) == identity_of("a")
    others = [identity_of(["a", "b"], ["8"]), identity_of(["a", "b"]), identity_of(["ab"], ["7"]), identity_of(["a"])]
    assert len({each.question for each in (both, *others) if each}) == 5
    assert [identity_of(value) for value in (None, [], [None], ["a", 7])] == [None] * 4


LETTERS = "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize(
    ("text", "questions", "runs"),
    [
        (LETTERS, 26, 1),
        (LETTERS[:25] + "a", 26, 1),  # two questions with the same references and length
        (LETTERS[:20] + "fc", 22, 1),
        (LETTERS * 2, 26, 2),
        (LETTERS[:25] * 2 + "bb", 26, 2),  # two questions alike, in two runs
        (LETTERS * 3, 26, 3),
        (LETTERS[:3] + LETTERS, 26, 2),  # begun again after three rows
        (LETTERS[:3] + LETTERS * 2, 26, 3),
        (LETTERS[:3] * 2 + LETTERS, 26, 3),
        (LETTERS + LETTERS[::-1], 26, 2),  # in another order
        ("".join(letter * 2 for letter in LETTERS), 26, 2),  # written by two processes at once
        (LETTERS[0] + LETTERS, 27, 1),  # a single row can be chance
        ("ab" * 30 + "c", 61, 1),  # what is known does not tell questions apart
        ("aaaa", 4, 1),
        ("", 0, 0),
    ],
)
def test_runs_in_one_file_are_told_apart_by_how_their_questions_repeat(text: str, questions: int, runs: int) -> None:
    named = name_rows(identities(text))
    assert (len({each.question for each in named}), len({each.run for each in named})) == (questions, runs)
    assert len({each.id for each in named}) == len(text)
    assert [each.id for each in named if each.again is None] == list(dict.fromkeys(each.question for each in named))


@pytest.mark.parametrize(
    ("labels", "runs"),
    [("yn" * 10 + "y", 1), ("yynynnyyny" * 2, 2), ("xyxy", 2), ("xyz" * 4, 4), ("yyyy", 1), ("yynn", 1), ("xyyx", 1)],
)
def test_labels_that_say_nothing_else_are_runs_only_if_the_whole_file_is_one_part_again(labels: str, runs: int) -> None:
    assert len({*runs_of([Identity(label, label) for label in labels])}) == runs


def test_balanced_labels_in_a_random_order_are_no_runs() -> None:
    labels = [*"abcdefghijklmnopqrst"] * 10
    random.Random(7).shuffle(labels)
    assert {*runs_of([Identity(label, label) for label in labels])} == {0}


def test_a_run_appended_to_itself_is_scored_with_all_rows_counts_questions_and_says_so(tmp_path: Path) -> None:
    first, second = rows(range(12)), rows(range(12), lambda n: "red" if n < 6 else "blue")
    once = score(write(tmp_path / "once" / "qasper.jsonl", first))
    path = write(tmp_path / "qasper.jsonl", [*first, *second])
    for scored in (score(path), score(path, path)):
        task = qasper(scored)
        assert task.score == pytest.approx(25.0)
        assert (task.answered, task.total, len(task.answers)) == (12, 12, 24)
        assert task.interval is not None
        assert task.interval.clusters == 12
        assert kinds(scored) == [("by-references", False), ("repeated-questions", False)]
        assert scored.problems[1].message == (
            "Every question stands 2 times: two runs in one file? All 24 rows are scored; rows 1 to 12 alone: 33.3; "
            "rows 13 to 24 alone: 16.7"
        )
        signatures = [each.signature() for each in (scored, once)]
        assert [each.parts["n"] for each in signatures if each] == [("12/12",)] * 2
        assert [each.parts["rows"] for each in signatures if each] == [("24",), ("",)]
        assert len({each.parts["data"] for each in signatures if each}) == 1
    same = score(write(tmp_path / "same" / "qasper.jsonl", first * 2))
    assert qasper(same).interval == pytest.approx(qasper(once).interval, abs=0) or (
        qasper(same).interval is not None
        and qasper(once).interval is not None
        and qasper(same).interval.low == pytest.approx(qasper(once).interval.low, abs=3)
    )


def test_a_run_that_was_begun_again_counts_each_question_once(tmp_path: Path) -> None:
    path = write(tmp_path / "qasper.jsonl", [*rows(range(3), lambda _: "blue"), *rows(range(12))])
    scored = score(path)
    assert (qasper(scored).answered, qasper(scored).total, len(qasper(scored).answers)) == (12, 12, 15)
    assert scored.problems[1].message == (
        "3 of 12 questions stand more than once: was the run begun again? All 15 rows are scored; rows 4 to 15 alone: "
        "33.3"
    )


def test_two_rows_twice_are_two_questions(tmp_path: Path) -> None:
    two = [{"pred": "the red house", "answers": ["a red house"]}, {"pred": "yes", "answers": ["no"]}]
    scored = score(write(tmp_path / "qasper.jsonl", two * 2))
    assert (qasper(scored).score, qasper(scored).answered, qasper(scored).total) == (50.0, 2, 2)
    assert "Every question stands 2 times: two runs in one file?" in scored.problems[1].message


def test_questions_that_only_look_alike_are_no_warning(tmp_path: Path) -> None:
    """As in LongBench's Qasper, where two pairs of 200 questions have equal references and lengths."""
    alike = rows([*range(40), 25, 26])
    scored = score(write(tmp_path / "qasper.jsonl", alike))
    assert (qasper(scored).answered, qasper(scored).total, kinds(scored)) == (42, 42, [("by-references", False)])
    assert qasper(scored).interval is not None
    assert qasper(scored).interval.clusters is None


def test_systems_in_other_orders_are_compared_question_by_question(tmp_path: Path) -> None:
    right = rows(range(12), lambda n: "red" if n % 3 == 0 else f"text {n}")
    wrong = rows(range(12), lambda _: "red")
    first = write(tmp_path / "a" / "qasper.jsonl", right)
    second = write(tmp_path / "b" / "qasper.jsonl", wrong[::-1])
    for references in (None, [first], [second], [first, second]):
        systems = score_systems({"a": first, "b": second}, references)
        outcome = compare_systems(*systems.items()).tasks["qasper"]
        assert outcome.scores == pytest.approx((100.0, 100 / 3))
        assert (outcome.total, outcome.comparison.ties, outcome.comparison.losses) == (12, 4, 8)
        assert not outcome.partial
        assert all(row.first.references == row.second.references for row in outcome.examples)


OTHER_LENGTHS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "without": lambda row: {name: value for name, value in row.items() if name != "length"},
    "another": lambda row: {**row, "length": 2 * row["length"] + 1000},
    "with a question": lambda row: {**row, "question": f"Who? {row['length']}"},
}


@pytest.mark.parametrize("kind", OTHER_LENGTHS)
def test_systems_with_other_lengths_are_compared_on_the_references_alone_which_is_said(
    tmp_path: Path, kind: str
) -> None:
    """As of two tokenizers; of rows with the same references, the first is compared with the first."""
    right = rows(range(12), lambda n: "red" if n % 3 == 0 else f"text {n}")
    others = [OTHER_LENGTHS[kind](row) for row in rows([*range(2, 12), 0, 1], lambda n: "red" if n < 6 else "blue")]
    first = write(tmp_path / "a" / "qasper.jsonl", right)
    second = write(tmp_path / "b" / "qasper.jsonl", others)
    systems = score_systems({"a": first, "b": second})
    outcome = compare_systems(*systems.items()).tasks["qasper"]
    assert outcome.scores == pytest.approx((100.0, 100 / 6))
    assert (outcome.comparison.examples, outcome.partial, len(outcome.unequal)) == (12, False, 0)
    assert all(row.first.references == row.second.references for row in outcome.examples)
    for scored in systems.values():
        assert [problem.message[:58] for problem in scored.problems if problem.kind == "by-references-alone"] == [
            "Not all systems have the same lengths beside the reference"
        ]
        assert not any(problem.is_error for problem in scored.problems)
    against = score(second, first)
    assert (qasper(against).score, qasper(against).answered) == (pytest.approx(100 / 6), 12)
    write(second, [*others, {**others[0], "pred": "green"}])
    outcome = compare_systems(*score_systems({"a": first, "b": second}).items()).tasks["qasper"]
    assert (outcome.comparison.examples, len(outcome.unequal)) == (11, 1)


def test_systems_with_some_equal_lengths_are_compared_by_these(tmp_path: Path) -> None:
    first = write(tmp_path / "a" / "qasper.jsonl", rows(range(12)))
    second = write(tmp_path / "b" / "qasper.jsonl", rows(range(6, 20)))
    systems = score_systems({"a": first, "b": second})
    assert compare_systems(*systems.items()).tasks["qasper"].comparison.examples == 6
    assert "by-references-alone" not in {problem.kind for each in systems.values() for problem in each.problems}


@pytest.mark.parametrize(
    ("again", "compared", "unequal"),
    [([("red", 0)], 12, 0), ([("blue", 0), ("red", 1)], 11, 1), ([("blue", n) for n in range(12)], 0, 12)],
)
def test_questions_that_one_system_answers_more_often_are_left_out_unless_its_answers_are_equal(
    tmp_path: Path, again: list[tuple[str, int]], compared: int, unequal: int
) -> None:
    more = [row for text, n in again for row in rows([n], lambda _, text=text: text)]
    first = write(tmp_path / "a" / "qasper.jsonl", [*more, *rows(range(12))])
    second = write(tmp_path / "b" / "qasper.jsonl", rows(range(12)))
    match = compare_systems(*score_systems({"a": first, "b": second}).items())
    if not compared:
        assert match.not_compared == {"qasper": "no example was answered by both, and as often"}
        return
    outcome = match.tasks["qasper"]
    assert (outcome.comparison.examples, len(outcome.unequal), outcome.partial) == (compared, unequal, compared < 12)


def test_a_comparison_says_by_task_what_rows_of_questions_answered_twice_are_worth_and_what_is_compared(
    tmp_path: Path,
) -> None:
    right = rows(range(12), lambda n: "red" if n % 3 == 0 else f"text {n}")
    first = write(tmp_path / "a" / "qasper.jsonl", right)
    second = write(tmp_path / "b" / "qasper.jsonl", rows([0, 3, 6, *range(12)], lambda _: "red"))
    systems = score_systems({"a": first, "b": second})
    match = compare_systems(*systems.items())
    assert (match.tasks["qasper"].scores, match.differ) == (pytest.approx((100, 100 / 3)), [])
    assert qasper(systems["b"]).score == pytest.approx(100 * 7 / 15)
    sentence = (
        "qasper: b answers 3 of its 12 questions more than once: 46.67 over all its 15 rows, 33.33 over the 12 that "
        "are compared"
    )
    assert [line for line in warnings(match) if "more than once" in line] == [sentence]
    turned = compare_systems(*[*systems.items()][::-1])
    assert [line for line in warnings(turned) if "more than once" in line] == [sentence]
    assert warnings(compare_systems(("b", systems["b"]), ("again", systems["b"]))) == [], "all rows are compared"


def test_an_unfinished_run_is_scored_and_what_it_lacks_is_counted(tmp_path: Path) -> None:
    whole = write(tmp_path / "a" / "qasper.jsonl", rows(range(12)))
    part = write(tmp_path / "b" / "qasper.jsonl", rows(range(9)))
    both = score_systems({"a": whole, "b": part})
    assert [(qasper(each).answered, qasper(each).total) for each in both.values()] == [(12, 12), (9, 12)]
    assert kinds(both["b"]) == [("missing", False)] * 3 + [("by-references", False)]
    outcome = compare_systems(*both.items()).tasks["qasper"]
    assert (outcome.comparison.examples, outcome.total, outcome.partial) == (9, 12, True)


def test_a_benchmark_that_says_how_many_questions_a_task_has_says_what_a_run_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Task, "questions_in", lambda _, split: 200 if split is None else None)
    scored = score(write(tmp_path / "qasper.jsonl", rows(range(148))))
    assert (qasper(scored).answered, qasper(scored).total, qasper(scored).partial) == (148, 200, True)
    assert [problem.message for problem in scored.problems if problem.kind == "unfinished"] == [
        "148 of the task's 200 questions have a row. Is the run unfinished?"
    ]
    signature = scored.signature()
    assert signature is not None
    assert signature.parts["n"] == ("148/200",)


def test_many_tasks_without_ids_have_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tasks = ("qasper", "narrativeqa", "musique", "qmsum", "gov_report")
    folder = tmp_path / "run"
    for name in tasks:
        write(folder / f"{name}.jsonl", rows(range(3)))
    assert main(["score", str(folder)]) == 0
    assert capsys.readouterr().out.count("The rows have no ID") == 1


def test_verify_reads_rows_without_ids_and_says_what_is_repeated(tmp_path: Path) -> None:
    path = write(tmp_path / "qasper.jsonl", rows(range(12)) * 2)
    for references in (None, path):
        checked = verify(path, references)
        assert [file.rows for file in checked.read.files] == [24]
        assert checked.counts["qasper"].answers == 24
        assert [problem.kind for problem in checked.problems] == ["by-references", "repeated-questions"]
        assert checked.problems[1].message == (
            "Every question stands 2 times: two runs in one file? All 24 rows are scored; rows 1 to 12 are a whole "
            "run; rows 13 to 24 are a whole run"
        )


def test_a_file_is_never_said_to_be_swapped_with_itself(tmp_path: Path) -> None:
    path = write(tmp_path / "qasper.jsonl", [*rows(range(2)), {"pred": "a"}])
    assert "swapped" not in {problem.kind for problem in score_files([path], [path]).problems}


def test_answers_without_references_beside_them_need_some(tmp_path: Path) -> None:
    path = write(tmp_path / "qasper.jsonl", [{"id": "7", "prediction": "a"}])
    with pytest.raises(UnusableInput, match="give what the answers are scored against"):
        score(path)


def csv_of(table: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    return text.getvalue()


WRITTEN: dict[str, Callable[[list[str]], str]] = {
    "numpy": lambda texts: str(np.array(texts, dtype=object)),
    "Python": str,
    "JSON": json.dumps,
    "the text of one": lambda texts: texts[0],
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_rows_of_a_table_are_matched_by_the_references_beside_them(tmp_path: Path, kind: str) -> None:
    """As kvpress writes its `predictions.csv`: with the columns of the data, and without ids."""
    own = [["it's red", 'a "red" one'], ["été, \\ or\nnot"], [f"a long reference {'x ' * 40}", "b"]]
    own = [texts[:1] for texts in own] if kind == "the text of one" else own
    table = [[f"Who {n}?", WRITTEN[kind](texts), texts[-1], "qasper"] for n, texts in enumerate(own)]
    header = ["question", "answer", "predicted_answer", "task"]
    path = write(tmp_path / "predictions.csv", csv_of([header, *table]))
    scored = score(path)
    assert qasper(scored).score == 100
    assert [answer.references for answer in qasper(scored).answers] == own
    assert [problem.message for problem in scored.problems if problem.kind == "own-references"] == [
        "No references were given, so the answers are scored against those beside them, in 'answer'"
    ]
    known = write(
        tmp_path / "refs_qasper.jsonl", [{"id": f"q{n}", "output": texts} for n, texts in enumerate(own)][::-1]
    )
    against = score(path, known)
    assert sorted(answer.id for answer in qasper(against).answers) == ["q0", "q1", "q2"]
    assert (qasper(against).score, kinds(against)[0]) == (100, ("by-references", False))


@pytest.mark.parametrize("name", ["answer", "gold_answers", "answers"])
def test_the_field_that_is_taken_for_references_beside_pred_is_named_unless_it_is_longbench_s_own(
    tmp_path: Path, name: str
) -> None:
    path = write(tmp_path / "qasper.jsonl", [{"_id": f"q{n}", name: [f"red {n}"], "pred": "red 1"} for n in (1, 2)])
    scored = score(path)
    assert qasper(scored).score == 75
    assert [problem.message for problem in scored.problems if problem.kind == "own-references"] == [
        f"No references were given, so the answers are scored against those beside them, in '{name}'"
    ] * (name != "answers")
    assert "own-references" not in dict(kinds(score(path, path)))


def test_a_list_of_references_that_is_cut_off_or_empty_is_said(tmp_path: Path) -> None:
    cells = ["['a' 'b']", "['a' ... 'z']", "", "['c']"]
    table = [["question", "answers", "predicted_answer"], *([f"{n}?", cell, "a"] for n, cell in enumerate(cells))]
    scored = score_files([write(tmp_path / "qasper.csv", csv_of(table))])
    (said,) = (each for each in scored.problems if each.is_error)
    why = "a row has no id, and its references are none or no whole list; write lists as JSON, or add the ids"
    assert (said.message, said.detail) == (f"{why} (4 rows for 2 known IDs)", "2 answers")
    texts = [["answers", "predicted_answer"], ["[1] a cat", "a cat"], ["['b']", "b"]]
    answers = qasper(score(write(tmp_path / "texts" / "qasper.csv", csv_of(texts)))).answers
    assert [answer.references for answer in answers] == [["[1] a cat"], ["['b']"]]


def test_a_metric_finds_what_it_asks_for_in_a_table_too(tmp_path: Path) -> None:
    header = ["question", "answers", "predicted_answer", "task", "all_classes", "length"]
    table = [[f"{n}?", "['Food']", "Food or Sport", "trec", "['Food'\n 'Sport']", str(n)] for n in range(3)]
    table.append(["3?", "['Sport']", "Sport", "trec", "['Food'\n 'Sport']", "9"])
    scored = score(write(tmp_path / "predictions.csv", csv_of([header, *table])), benchmark="longbench")
    assert scored.tasks["trec"].score == (50 * 3 + 100) / 4


def test_ids_with_other_references_in_a_second_system_are_said(tmp_path: Path) -> None:
    first = [{"id": str(n), "prediction": "red", "answers": ["red", "rot"]} for n in range(4)]
    second = [{**row, "answers": ["rot", "red"] if row["id"] < "2" else ["green"]} for row in first]
    paths = {name: write(tmp_path / name / "qasper.jsonl", rows) for name, rows in {"a": first, "b": second}.items()}
    for names, points in (("ab", 100), ("ba", 50)):
        systems = score_systems({name: paths[name] for name in names})
        assert [qasper(each).score for each in systems.values()] == [points, points]
        for scored in systems.values():
            (said,) = (problem for problem in scored.problems if problem.kind == "other-references")
            assert said.message == (
                f"2 answers of {names[1]} with other references beside them than in {names[0]}; all are scored against "
                f"those of {names[0]}. Give the references to score against"
            )
            assert (said.id, str(said.place), str(said.other)) == ("2", "qasper.jsonl, line 3", "qasper.jsonl, line 3")
            assert (said.task, said.is_error) == ("qasper", False)
    given = score_systems(paths, write(tmp_path / "known.jsonl", [{"task": "qasper", **row} for row in second]))
    assert {problem.kind for each in given.values() for problem in each.problems}.isdisjoint({"other-references"})


def test_null_answers_of_rows_without_ids_are_counted_apart_from_rows_that_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Task, "questions_in", lambda *_: 200)
    folder = tmp_path / "run"
    write(folder / "qasper-1.jsonl", rows(range(6)))
    write(folder / "qasper-2.jsonl", [{**row, "pred": None} for row in rows(range(6, 12))])
    scored = score_files([folder])
    assert missing_in_words(qasper(scored)) == "6 unusable, 188 without a row"
    assert {
        (problem.kind, problem.place and problem.place.file) for problem in scored.problems if problem.is_error
    } == {("null", "run/qasper-2.jsonl")}
    assert qasper(score(folder, partial=True)).answered == 6


def test_a_misspelt_task_has_its_own_references_after_the_repair(tmp_path: Path) -> None:
    own = [{"task": "narrativeqa", **row} for row in rows(range(3))]
    scored = score_files([write(tmp_path / "all.jsonl", own)])
    assert [kind for kind, is_error in kinds(scored) if is_error] == ["task-name"]


def test_quiet_prints_the_score_against_the_references_beside_the_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(write(tmp_path / "qasper.jsonl", rows(range(3)))), "--quiet"]) == 0
    assert capsys.readouterr().out == "33.3333\n"
