"""Predictions and references of many files: everything that is wrong is reported with file, row and id."""

import io
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from run_folders import run_of
from sick_files import sources
from written_files import as_bytes

from zs_bench.files import limits
from zs_bench.files.opened_file import Source
from zs_bench.problems import Problem
from zs_bench.run_records.settings import Settings
from zs_bench.validation.known_ids import KnownIds
from zs_bench.validation.predictions import read_predictions
from zs_bench.validation.references import References, gather_references
from zs_bench.validation.validate import Validation, validate, validate_files


def checked(read: list[Source]) -> Validation:
    return validate(read_predictions(read), KnownIds())


def predictions(**files: Any) -> Validation:
    return checked(sources({name.replace("__", "."): content for name, content in files.items()}))


def references(files: dict[str, Any]) -> References:
    return gather_references(sources(files))


def only(problems: list[Problem]) -> Problem:
    (problem,) = problems
    return problem


def test_a_file_that_breaks_off_refuses_every_task_it_held_till_there() -> None:
    class Broken(io.BytesIO):
        def readline(self, *_: Any) -> bytes:
            line = super().readline()
            if not line:
                raise OSError(5, "Input/output error")
            return line

    rows = [{"task": task, "id": "7", "prediction": "A"} for task in ("quality", "qasper")]
    source = Source("a.jsonl", PurePosixPath("a.jsonl"), lambda: Broken(as_bytes(rows)), 1)
    found = checked([source])
    assert [(problem.task, problem.kind) for problem in found.problems] == [
        ("qasper", "unreadable"),
        ("quality", "unreadable"),
    ]


def test_rows_of_one_id_are_several_references_in_their_order_with_their_places() -> None:
    rows = [{"id": "7", "output": "a"}, {"id": "8", "output": "b"}, {"id": "7", "output": "c"}]
    found = references({"qasper/test.jsonl": rows})
    assert found.tasks == {"qasper": {"test": {"7": ["a", "c"], "8": ["b"]}}}
    assert [place.row for place in found.places["qasper", "test", "7"]] == [1, 3]


def test_invalid_references_are_kept_with_their_split_until_they_are_needed() -> None:
    long = "a" * (limits.MAX_TEXT + 1)
    rows = [{"id": "7", "output": None}, {"id": "8", "output": 3}, {"id": "9", "references": []}]
    rows += [{"id": "a", "output": long[1:]}, {"id": "b", "output": long}]
    found = references({"qasper/test.jsonl": rows})
    assert not found.problems
    kept = found.unlabelled["qasper", "test"]
    assert [(one.kind, one.id, one.place and one.place.row, one.message.split(".")[0], one.detail) for one in kept] == [
        ("null-reference", "7", 1, "The reference is null, not a text", None),
        ("not-a-text", "8", 2, "The reference is a number, not a text", "3"),
        ("not-a-text", "9", 3, "The reference is an empty list, not a text", None),
        ("too-long", "b", 5, "The reference is longer than 2,000,000 characters", None),
    ]
    assert {one.message.split(". ")[1] for one in kept[:3]} == {"Take references of a split that has them"}


def test_references_of_another_task_are_a_warning_and_of_a_misspelt_one_an_error() -> None:
    found = references({"contract_nli.json": {"1": "a"}, "all.json": {"Qasper": {"1": "a"}, "qmsum": {"1": "a"}}})
    assert [problem.is_error for problem in found.problems] == [False, True]


@pytest.mark.slow
def test_a_million_ids_are_refused_with_the_limit() -> None:
    rows = (b'"%d":"a"' % i for i in range(1_000_000))
    content = b"{" + b",".join(rows) + b"}"
    found = predictions(qasper__json=content)
    assert only(found.problems).message == "more than 200,000 rows in all; what follows was not read"
    assert len(found.predictions["qasper"]) == limits.MAX_ENTRIES


def test_answers_that_only_the_journal_of_a_run_has_are_reported(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", Settings("m"), {"qasper": {"7": "a", "8": "b"}, "quality": {"1": "A"}})
    assert validate_files([run]).problems == []
    (run / "answers" / "preds_qasper.json").unlink()
    (problem,) = validate_files([run]).problems
    assert (problem.kind, problem.is_error) == ("not-written", False)
    assert problem.message == (
        "the run is not over, or was ended before it wrote all its files of answers; these answers are in its journal "
        "alone: qasper 2. Repeat its command, zero-scrolls run with the same options, which writes them"
    )
    for path in (run / "answers").iterdir():
        path.unlink()
    assert validate_files([run]).problems[0].is_error
    empty = run_of(tmp_path / "empty", Settings("m"), {})
    assert [one.message for one in validate_files([empty]).problems] == ["The run has no answer yet"]
