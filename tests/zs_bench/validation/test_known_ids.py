"""The sources of the ids that answers are checked against: exported lists, references, data sources."""

from pathlib import Path
from typing import Any

import pytest
from sick_files import examined, reported
from written_files import write, write_folder, write_zip

from zs_bench.cli import main
from zs_bench.dataset.embedded import load_embedded
from zs_bench.errors import UnusableInput
from zs_bench.files.paths import open_inputs
from zs_bench.problems import Place
from zs_bench.prompts.dissection import document_of
from zs_bench.validation.from_source import ids_of_lists, ids_of_source, references_from_source, with_documents
from zs_bench.validation.references import References, gather_references, ids_of_references
from zs_metric import TASKS

LIST = {"schema": "zero-scrolls-ids/1", "source": "x", "revision": None, "split": "test", "ids": {"qasper": ["7"]}}


def rows(*keys: str, output: str | None = "a") -> list[dict[str, Any]]:
    return [{"id": key, "pid": f"{key}_0", "input": f"Why {key}?", "output": output} for key in keys]


def test_a_list_that_the_data_command_exported_is_read_back(tmp_path: Path) -> None:
    out = tmp_path / "ids.json"
    assert main(["data", "--source", "embedded", "--ids", str(out)]) == 0
    (ids,) = ids_of_lists([out]).lists
    assert {task: list(keys) for task, keys in ids.ids.items()} == {
        task: [example.id for example in load_embedded(task)] for task in TASKS
    }
    assert str(ids) == "validation split of embedded examples"


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        b"\xff\xfe",
        {**LIST, "schema": "zero-scrolls-ids/2"},
        {**LIST, "ids": {}},
        {**LIST, "ids": ["7"]},
        {**LIST, "ids": {"qasper": "7"}},
        {**LIST, "ids": {"qasper": [7]}},
    ],
)
def test_an_invalid_list_of_ids_is_refused_with_the_way_to_make_one(tmp_path: Path, content: Any) -> None:
    with pytest.raises(UnusableInput, match=r"ids\.json .* a list of ids .* zero-scrolls data --ids"):
        ids_of_lists([write(tmp_path / "ids.json", content)])


def known_of(folder: Path, files: dict[str, Any], split: str | None = None) -> Any:
    return ids_of_references(gather_references(*open_inputs([write_folder(folder, files)])), split)


def test_of_references_of_several_splits_that_of_the_answers_is_taken_or_the_one_asked_for(tmp_path: Path) -> None:
    files = {"qasper/test.jsonl": rows("7"), "qasper/validation.jsonl": rows("8")}
    fitting, asked = known_of(tmp_path, files), known_of(tmp_path, files, "test")
    assert (fitting.by_overlap, asked.by_overlap) == (True, False)
    assert [str(one) for one in asked.lists] == ["test split of the references", "validation split of the references"]
    assert asked.lists[0].ids == {"qasper": {"7": ["a"]}}
    assert ids_of_references(References(), benchmark="scrolls").benchmark.name == "scrolls"
    assert not examined({"qasper.json": {"8": "a"}}, fitting).problems
    assert reported(examined({"qasper.json": {"8": "a"}}, asked).problems) == [
        ("other-split", "qasper", "8"),
        ("missing", "qasper", "7"),
    ]


def test_a_split_that_the_references_lack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="no references of the split 'train'; they are test"):
        known_of(tmp_path / "a", {"qasper/test.jsonl": rows("7")}, "train")
    with pytest.raises(UnusableInput, match="they are of no named split"):
        known_of(tmp_path / "b", {"qasper.jsonl": rows("7")}, "test")


def test_a_folder_of_few_tasks_without_a_test_split_is_checked_against_its_validation_split(tmp_path: Path) -> None:
    write_folder(tmp_path, {"qasper/validation.jsonl": rows("8")})
    known = ids_of_source(tmp_path)
    assert [(one.split, one.ids) for one in known.lists] == [("validation", {"qasper": {"8": ["a"]}})]
    assert known.problems == []


def test_a_task_without_data_is_reported_and_the_others_are_checked(tmp_path: Path) -> None:
    write_folder(tmp_path, {"qasper/test.jsonl": rows("7"), "quality/validation.jsonl": rows("8")})
    known = ids_of_source(tmp_path, tasks=["qasper", "quality", "musique"])
    findings = examined({"qasper.json": {"7": "a"}}, known).problems
    assert reported(findings) == [("no-ids", "quality", None), ("no-ids", "musique", None)]
    assert known.only(["qasper"]).problems == []


def test_a_test_split_that_is_the_validation_split_over_again_has_no_ids_to_check_against(tmp_path: Path) -> None:
    same = rows("7")
    write_zip(tmp_path / "qasper.zip", {"qasper/test.jsonl": same, "qasper/validation.jsonl": same})
    known = ids_of_source(tmp_path, tasks=["qasper"])
    (problem,) = known.problems
    assert problem.message.startswith("The IDs were not checked: the test split is the validation split over again")
    references = references_from_source(tmp_path, ["qasper"], "test")
    assert [one.kind for one in ids_of_references(references).problems] == ["test-is-validation"]


def test_documents_come_from_a_source_for_the_tasks_that_it_has(tmp_path: Path) -> None:
    (first, _) = load_embedded("squality")
    files = {"squality.json": {first.id: "a", "x": "b"}, "quality.json": {"1": "A"}}
    known = gather_references(*open_inputs([write_folder(tmp_path, files)]))
    joined = with_documents(known, "embedded")
    assert joined.documents == {("squality", None, first.id): document_of(first)}
    assert joined.tasks == known.tasks
    (problem,) = joined.problems
    assert (problem.kind, problem.task, problem.is_error) == ("no-inputs", "quality", False)
    assert problem.message == (
        "the inputs were not read, so examples of one document count as independent (no ID of the references is in "
        "embedded examples, validation)"
    )
    (lacking,) = with_documents(
        known, write_folder(tmp_path / "data", {"squality/test.jsonl": rows(first.id)})
    ).problems
    assert lacking.task == "quality"


def test_hard_questions_keep_their_places_and_documents() -> None:
    known = References({"quality": {"test": {"1": ["A"], "2": ["B"]}, None: {"3": ["C"]}}})
    known.places["quality", "test", "2"] = [Place("q.jsonl", 2)]
    known.documents["quality", "test", "2"] = known.documents["qasper", "test", "2"] = "story"
    hard = known.with_hard_questions(["2", "4"])
    assert hard.tasks == known.tasks | {"quality_hard": {"test": {"2": ["B"]}}}
    assert hard.places == known.places | {("quality_hard", "test", "2"): [Place("q.jsonl", 2)]}
    assert hard.documents == known.documents | {("quality_hard", "test", "2"): "story"}
    (none,) = known.with_hard_questions(["4"]).problems
    assert (none.kind, none.task) == ("hard-ids", "quality_hard")
    assert none.message == "None of the hard IDs is in the references of quality. Check the list"
    assert References().with_hard_questions(["4"]).problems == []


def test_of_a_folder_the_test_split_is_checked_against_and_the_other_recognised(tmp_path: Path) -> None:
    write_folder(tmp_path, {"qasper/test.jsonl": rows("7"), "qasper/validation.jsonl": rows("8")})
    known = ids_of_source(tmp_path, tasks=["qasper"])
    assert [(one.split, one.ids) for one in known.lists] == [
        ("test", {"qasper": {"7": ["a"]}}),
        ("validation", {"qasper": {"8": ["a"]}}),
    ]
    assert [one.split for one in ids_of_source(tmp_path, "validation", tasks=["qasper"]).lists] == [
        "validation",
        "test",
    ]


def test_references_of_a_source_say_where_they_are_from_and_which_examples_have_none(tmp_path: Path) -> None:
    write_folder(tmp_path / "data", {"qasper/validation.jsonl": [*rows("7"), *rows("8", output=None)]})
    found = references_from_source(tmp_path / "data", ["qasper", "musique"])
    assert found.about == {"source": "your folder data", "split": "validation", "revision": None}
    assert found.tasks == {"qasper": {"validation": {"7": ["a"], "8": []}}}
    (null,) = found.unlabelled["qasper", "validation"]
    assert (null.kind, null.task, null.id) == ("null-reference", "qasper", "8")
    assert null.message == "The example has no reference. Take a split or revision that has them"
    (absent,) = found.problems
    assert (absent.kind, absent.task) == ("no-data", "musique")
    assert absent.message.startswith("data has no data of musique; it should have")


def test_references_that_the_metric_cannot_read_are_named_with_their_rows(tmp_path: Path) -> None:
    lines = [{"id": "1", "output": "B"}, {"id": "1", "output": "no letter"}, {"id": "2", "output": "none"}]
    known = gather_references(*open_inputs([write_folder(tmp_path, {"quality/test.jsonl": lines})]))
    found = known.unreadable(TASKS["quality"], "test")
    assert [(one.kind, one.id, one.place and one.place.row, one.detail) for one in found] == [
        ("unreadable-reference", "1", 2, "'no letter'"),
        ("unreadable-reference", "2", 3, "'none'"),
    ]
    assert found[0].message.startswith("A reference cannot be read: ")
    assert found[0].message.endswith(". Correct it")
