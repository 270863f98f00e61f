"""Prediction files scored against reference files: what is refused, what is scored, and what is said."""

from pathlib import Path
from typing import Any

import pytest
from written_files import official_csv, reported, score, write, write_folder, write_zip

from zs_bench.scoring.score_files import read_references, score_against, score_files
from zs_bench.scoring.scored import ScoredFile
from zs_metric import TASKS, ZeroScrollsError

QUALITY = {"1": "A", "2": "B", "3": "C"}
QASPER = {"7": ["yes", "no"], "8": "a cat"}
REFERENCES = {"quality": QUALITY, "qasper": QASPER}
REFERENCE_OF = {"quality": "B", "space_digest": "60%", "book_sum_sort": "1, 2, 3"}


def scores(scored: ScoredFile) -> dict[str, float | None]:
    return {name: None if task.result is None else task.result.score for name, task in scored.tasks.items()}


def complete(quality: Any = QUALITY, qasper: Any = None) -> dict[str, Any]:
    return {"preds_quality.json": quality, "preds_qasper.json": qasper or {"7": "no", "8": "a dog"}}


def test_answers_are_joined_by_id_whatever_their_order_and_scored_in_that_of_the_references(tmp_path: Path) -> None:
    scored = score(tmp_path, complete({"3": "C", "1": "A", "2": "D"}), REFERENCES)
    assert scores(scored) == {"qasper": 50.0, "quality": pytest.approx(200 / 3)}
    quality = scored.tasks["quality"]
    assert (quality.ids, quality.predictions, quality.references) == (
        ["1", "2", "3"],
        ["A", "D", "C"],
        [["A"], ["B"], ["C"]],
    )
    assert not scored.problems
    assert not scored.refused


def test_ten_tasks_give_the_benchmarks_average_and_nine_do_not(tmp_path: Path) -> None:
    references = {task: {"1": REFERENCE_OF.get(task, "a few words")} for task in TASKS}
    rows = [(task, "1", REFERENCE_OF.get(task, "a few words")) for task in TASKS]
    whole = score(tmp_path / "ten", {"a.csv": official_csv(rows)}, references).result
    assert whole is not None
    assert (whole.score, whole.missing_tasks) == (100.0, [])
    nine = score(tmp_path / "nine", {"a.csv": official_csv(rows[1:])}, references).result
    assert nine is not None
    assert (nine.score, nine.mean_of_tasks, nine.missing_tasks) == (None, 100.0, ["gov_report"])


FORMATS: dict[str, Any] = {
    "a.csv": official_csv([("quality", key, text) for key, text in QUALITY.items()]),
    "preds_quality.json": QUALITY,
    "quality.json": QUALITY,
    "answers.json": {"quality": QUALITY},
    "answers.jsonl": [{"task": "quality", "id": key, "prediction": text} for key, text in QUALITY.items()],
    "quality.jsonl": [{"id": key, "prediction": text} for key, text in QUALITY.items()],
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_of_predictions_scores_alike_as_a_file_in_a_folder_and_in_a_zip(tmp_path: Path, name: str) -> None:
    folder = write_folder(tmp_path / "run", {name: FORMATS[name]})
    archive = write_zip(tmp_path / "run.zip", {name: FORMATS[name], f"__MACOSX/._{name}": b"\0\5"})
    references = write(tmp_path / "references.json", REFERENCES)
    for path in (folder / name, folder, archive):
        scored = score_files([path], [references])
        assert scores(scored) == {"quality": 100.0}
        assert not scored.problems


ROWS = [{"id": key, "pid": f"{key}_0", "input": "…", "output": text} for key, text in QUALITY.items()]


@pytest.mark.parametrize(
    "files",
    [
        {"quality.jsonl": ROWS},
        {"quality/validation.jsonl": ROWS},
        {"quality/test.jsonl": [{**row, "id": "x" + str(row["id"])} for row in ROWS], "quality/validation.jsonl": ROWS},
        {"quality.json": {key: [text] for key, text in QUALITY.items()}},
        {"references.json": {"quality": QUALITY}},
        {"all.jsonl": [{"task": "quality", **row} for row in ROWS]},
    ],
)
def test_every_form_of_references_scores_alike(tmp_path: Path, files: dict[str, Any]) -> None:
    answers = write(tmp_path / "quality.json", QUALITY)
    folder = write_folder(tmp_path / "references", files)
    archive = write_zip(tmp_path / "quality.zip", files)
    hub = write_folder(tmp_path / "hub", {})
    archive_in_folder = write(hub / "quality.zip", archive.read_bytes()).parent
    for path in (folder, archive, archive_in_folder, *([folder / next(iter(files))] if len(files) == 1 else [])):
        scored = score_files([answers], [path])
        assert scores(scored) == {"quality": 100.0}
        assert not scored.problems


def test_everything_that_is_wrong_is_reported_at_once(tmp_path: Path) -> None:
    rows = [
        ("quality", "1", "A"),
        ("quality", "1", "B"),
        ("quality", "9", "C"),
        ("Qasper", "7", "yes"),
        ("qasper", "7", ""),
    ]
    scored = score(tmp_path, {"a.csv": official_csv(rows), "musique.json": {"5": None}}, REFERENCES)
    assert reported(scored) == [
        ("task-name", "qasper", None),
        ("unknown", "quality", "9"),
        ("null", "musique", "5"),
        ("conflict", "quality", "1"),
        ("conflict", "qasper", "7"),
        ("missing", "qasper", "8"),
        ("missing", "quality", "2"),
        ("missing", "quality", "3"),
        ("no-references", "musique", None),
    ]
    assert reported(scored, is_error=False) == [("empty", "qasper", "7")]
    assert scores(scored) == {"qasper": None, "quality": None, "musique": None}


def test_partial_scores_the_ids_on_both_sides_and_says_so(tmp_path: Path) -> None:
    scored = score(tmp_path, complete({"1": "A", "2": "C", "x": "B"}), REFERENCES, partial=True)
    assert scores(scored) == {"qasper": 50.0, "quality": 50.0}
    assert [(name, task.partial) for name, task in scored.tasks.items()] == [("qasper", False), ("quality", True)]
    assert reported(scored, is_error=False) == [("unknown", "quality", "x"), ("missing", "quality", "3")]
    assert not scored.refused


@pytest.mark.parametrize(("partial", "quality"), [(False, None), (True, 100.0)])
def test_two_predictions_for_an_id_refuse_the_task_and_a_null_only_when_all_are_asked_for(
    tmp_path: Path, *, partial: bool, quality: float | None
) -> None:
    wrong = {"quality.json": '{"1": null, "2": "B", "3": "C"}', "qasper.json": '{"7": "a", "7": "b", "8": "c"}'}
    assert scores(score(tmp_path, wrong, REFERENCES, partial=partial)) == {"qasper": None, "quality": quality}


def test_references_that_are_null_refuse_the_task_with_row_and_id(tmp_path: Path) -> None:
    rows = [{"id": key, "output": None if key == "2" else text} for key, text in QUALITY.items()]
    references = write(tmp_path / "quality" / "test.jsonl", rows)
    scored = score_files([write(tmp_path / "quality.json", QUALITY)], [references])
    (problem,) = scored.problems
    assert (problem.kind, problem.task, problem.id, str(problem.place)) == (
        "null-reference",
        "quality",
        "2",
        "test.jsonl, line 2",
    )


def test_references_that_are_the_word_for_null_are_no_references(tmp_path: Path) -> None:
    known = {"qasper": {"7": "None", "8": "None"}}
    scored = score(tmp_path, {"qasper.json": {"7": "none", "8": "x"}}, known)
    (problem,) = scored.problems
    assert (problem.kind, scored.tasks["qasper"].score) == ("null-reference", None)
    assert problem.message == "Every reference is 'None', written for a missing one. Take a split that has them"
    known["qasper"]["8"] = "yes"
    assert score(tmp_path, {"qasper.json": {"7": "none", "8": "x"}}, known).tasks["qasper"].score == 50


@pytest.mark.parametrize(("task", "bad"), [("quality", "(E)"), ("space_digest", "sixty"), ("book_sum_sort", "one")])
def test_every_reference_that_cannot_be_read_is_reported_with_file_row_and_id(
    tmp_path: Path, task: str, bad: str
) -> None:
    good = REFERENCE_OF[task]
    rows = [{"id": key, "output": text} for key, text in (("1", good), ("2", good), ("2", bad), ("3", bad))]
    references = write(tmp_path / f"{task}.jsonl", rows)
    scored = score_files([write(tmp_path / f"preds_{task}.json", {"1": good, "2": good})], [references])
    found = [(problem.kind, problem.id, str(problem.place)) for problem in scored.problems]
    assert found == [
        ("missing", "3", "None"),
        ("unreadable-reference", "2", f"{task}.jsonl, line 3"),
        ("unreadable-reference", "3", f"{task}.jsonl, line 4"),
    ]
    assert scored.problems[1].message.startswith("A reference cannot be read: it has no ")
    assert scored.problems[1].detail == repr(bad)


def test_in_a_partial_score_a_reference_without_an_answer_may_be_unreadable(tmp_path: Path) -> None:
    references = {"quality": {"1": "A", "2": "(E)", "3": None}}
    scored = score(tmp_path, {"quality.json": {"1": "A"}}, references, partial=True)
    assert scores(scored) == {"quality": 100.0}
    assert not scored.refused


def test_what_is_wrong_with_references_that_are_not_asked_for_is_a_warning(tmp_path: Path) -> None:
    references = write_folder(tmp_path / "references", {"quality.json": QUALITY, "qasper.json": "{"})
    scored = score_files([write(tmp_path / "quality.json", QUALITY)], [references])
    assert scores(scored) == {"quality": 100.0}
    assert reported(scored, is_error=False) == [("unreadable", "qasper", None)]
    assert not scored.refused


def test_progress_is_reported_for_every_task_and_ends_with_one(tmp_path: Path) -> None:
    shares: list[tuple[float, str]] = []
    score(tmp_path, complete(), REFERENCES, progress=lambda share, what: shares.append((share, what)))
    assert shares == [(0.0, "qasper"), (0.5, "quality"), (1.0, "")]
    shares.clear()
    score(tmp_path, complete(), REFERENCES, post=["strip"], progress=lambda share, what: shares.append((share, what)))
    assert shares == [(0.0, "qasper"), (0.25, "quality"), (0.5, "qasper"), (0.75, "quality"), (1.0, "")]


def test_a_source_gives_the_references_of_the_split_that_is_asked_for(tmp_path: Path) -> None:
    def split(answer: str) -> list[dict[str, str]]:
        return [{"id": "7", "input": f"Why {answer}?", "output": answer}]

    data = write_folder(tmp_path / "data", {"qasper/test.jsonl": split("yes"), "qasper/validation.jsonl": split("no")})
    path = write(tmp_path / "all.json", {"qasper": {"7": "yes"}, "quality": {"1": "A"}, "musique": {}})
    for name, points in (("test", 100), ("validation", 0), (None, 0)):
        scored = score_against([path], data, split=name)
        assert scored.tasks["qasper"].score == points
        assert reported(scored) == [("no-data", "quality", None), ("no-data", "musique", None)]
    with pytest.raises(ZeroScrollsError, match="has no revisions"):
        score_against([path], data, revision="main")
    known = write(tmp_path / "qasper.json", {"7": "a"})
    with pytest.raises(ZeroScrollsError, match="has no revisions"):
        score_files([path], [known], source=data, revision="main")
    unread = score_files([path], [known], source=data, split="x").problems
    assert [one.kind for one in unread if "no split 'x'" in one.message] == ["no-inputs"]


def test_ids_that_no_reference_has_are_no_score_in_part_either(tmp_path: Path) -> None:
    scored = score(tmp_path, {"qasper.json": {"x": "yes"}}, REFERENCES, partial=True)
    (problem,) = [one for one in scored.problems if one.is_error]
    assert (problem.kind, problem.task) == ("no-overlap", "qasper")
    assert problem.message == "No ID is in both files. Are the references of this split?"


def test_references_keep_the_names_that_their_files_are_given(tmp_path: Path) -> None:
    path = write(tmp_path / "quality.json", "{")
    assert [str(one.place) for one in read_references([path], ["theirs.json"]).problems] == ["theirs.json"]
