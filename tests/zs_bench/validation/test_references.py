"""References and ids from files, lists and sources: what is read, what is refused, and of which benchmark it is."""

import gc
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sick_files import examined, reported, sources
from written_files import score, write, write_folder, write_zip

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.benchmarks.zero_scrolls import BENCHMARK as ZERO_SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import load_embedded
from zs_bench.dataset.source import Source
from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_bench.validation.from_source import (
    ids_of_lists,
    ids_of_source,
    read_hard_ids,
    references_from_source,
    with_documents,
)
from zs_bench.validation.references import References, gather_references
from zs_metric import score_benchmark
from zs_start.cli import main

LIST = {"schema": "zero-scrolls-ids/1", "source": "x", "revision": None, "split": "test", "ids": {"qasper": ["7"]}}


def rows(*ids: str, output: str | None = "a") -> list[dict[str, Any]]:
    return [{"id": id_, "pid": f"{id_}_0", "input": f"Why {id_}?", "output": output} for id_ in ids]


def texts(read: References) -> dict[str, Any]:
    return {
        task: {split: {id_: each.texts for id_, each in by_id.items()} for split, by_id in splits.items()}
        for task, splits in read.by_task.items()
    }


def references(files: dict[str, Any], benchmark: str = "zero_scrolls") -> References:
    return gather_references(sources(files), benchmark=benchmark)


def test_a_list_that_the_data_command_exported_is_read_back(tmp_path: Path) -> None:
    out = tmp_path / "ids.json"
    assert main(["data", "--source", "embedded", "--ids", str(out)]) == 0
    own = write(tmp_path / "own.json", LIST | {"source": 3, "split": 3})
    first, second = ids_of_lists([out, own]).lists
    assert first.ids == {task: [example.id for example in load_embedded(task)] for task in TASKS}
    assert (str(first), str(second)) == ("embedded examples, written for this package", "own.json")


def test_an_invalid_list_is_refused_with_its_name_and_its_form(tmp_path: Path) -> None:
    wrong_lists = ({"schema": "zero-scrolls-ids/2"}, {"ids": {}}, {"ids": ["7"]}, {"ids": {"qasper": "7"}})
    for content in ("{", "[]", b"\xff\xfe", *(LIST | wrong for wrong in wrong_lists), LIST | {"ids": {"qasper": [7]}}):
        with pytest.raises(UnusableInput, match=r"ids\.json .* a list of ids .* zero-scrolls data --ids"):
            ids_of_lists([write(tmp_path / "ids.json", content)])
    for content in ("", "[1, 2]", '{"a": 1}', "[]", b"\xff\xfe", '["a"'):
        with pytest.raises(UnusableInput, match=r"hard\.txt .* a list of hard ids: a JSON list of texts, one id"):
            read_hard_ids(write(tmp_path / "hard.txt", content))
    articles = [
        {"questions": [{"question_unique_id": id_, "difficult": hard} for id_, hard in (("a", 1), ("x", 0))]},
        {"questions": [{"question_unique_id": "b", "difficult": 1}]},
    ]
    for content in ("a\nb\n", ' ["a", "b"]', articles):
        assert read_hard_ids(write(tmp_path / "hard.txt", content)) == ["a", "b"]


def test_an_article_of_quality_that_cannot_be_read_is_named_with_its_line(tmp_path: Path) -> None:
    article = {"article": "one line\u2028of a poem", "questions": [{"question_unique_id": "a", "difficult": 1}]}
    whole = json.dumps(article, ensure_ascii=False) + "\n"
    assert read_hard_ids(write(tmp_path / "hard.jsonl", whole)) == ["a"]
    message = (
        r"hard\.jsonl cannot be read \(hard\.jsonl, line 2: the JSON ends too early; .*\); give a list of hard ids"
    )
    with pytest.raises(UnusableInput, match=message):
        read_hard_ids(write(tmp_path / "hard.jsonl", whole + whole[:40]))


def test_of_references_of_several_splits_that_of_the_answers_is_taken_or_the_one_asked_for() -> None:
    both = references({"qasper/test.jsonl": rows("7"), "qasper/validation.jsonl": rows("8")})
    fitting, asked = both.known_ids(ZERO_SCROLLS), both.known_ids(ZERO_SCROLLS, "validation")
    assert [str(each) for each in asked.lists] == ["validation split of the references", "test split of the references"]
    assert {task: [*ids] for task, ids in asked.lists[0].ids.items()} == {"qasper": ["8"]}
    assert examined({"qasper.json": {"7": "a"}}, fitting).splits == {"qasper": "test"}
    wrong = [("other-split", "qasper", "7"), ("missing", "qasper", "8")]
    assert reported(examined({"qasper.json": {"7": "a"}}, asked).problems) == wrong
    with pytest.raises(UnusableInput, match="no references of the split 'train'; they are test, validation"):
        both.known_ids(ZERO_SCROLLS, "train")
    with pytest.raises(UnusableInput, match="they are of no named split"):
        references({"qasper.jsonl": rows("7")}).known_ids(ZERO_SCROLLS, "test")


def test_of_a_source_the_test_split_is_checked_against_and_the_others_are_recognised(tmp_path: Path) -> None:
    data = write_folder(tmp_path, {"qasper/validation.jsonl": rows("8")})
    ids = ids_of_source(data)
    assert ([(each.split, each.ids) for each in ids.lists], ids.problems) == (
        [("validation", {"qasper": {"8": ["a"]}})],
        [],
    )
    write_folder(tmp_path, {"qasper/test.jsonl": rows("7"), "qasper/train.jsonl": "{", "quality/validation.jsonl": []})
    ids = ids_of_source(data, tasks=["qasper", "quality", "musique"])
    splits = [("test", {"qasper": {"7": ["a"]}}), ("validation", {"qasper": {"8": ["a"]}})]
    assert [(each.split, each.ids) for each in ids.lists] == splits
    absent = [("no-ids", "quality", None), ("no-ids", "musique", None)]
    assert reported(examined({"qasper.json": {"7": "a"}}, ids).problems) == absent
    only = ids.only(["quality"])
    assert ([each.ids for each in only.lists], reported(only.problems)) == ([{}, {}], absent[:1])
    assert [each.split for each in ids_of_source(data, "validation", tasks=["qasper"]).lists] == ["validation", "test"]


def test_a_test_split_that_is_the_validation_split_over_again_has_no_ids_to_check_against(tmp_path: Path) -> None:
    write_zip(tmp_path / "qasper.zip", {f"qasper/{split}.jsonl": rows("7") for split in ("test", "validation")})
    (problem,) = ids_of_source(tmp_path, tasks=["qasper"]).problems
    assert problem.message.startswith("The IDs were not checked: the test split is the validation split over again")
    unfit = references_from_source(tmp_path, ["qasper"], "test")
    assert [problem.kind for problem in unfit.problems] == ["not-all"]
    assert [problem.kind for problem in unfit.faults(TASKS["qasper"], "test")] == ["test-is-validation"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the open files of a process are not listed here")
def test_a_zip_whose_ids_cannot_be_checked_is_closed_at_once(tmp_path: Path) -> None:
    def is_open() -> bool:
        return str(tmp_path / "qasper.zip") in {
            os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")
        }

    write_zip(tmp_path / "qasper.zip", {f"qasper/{split}.jsonl": rows("7") for split in ("test", "validation")})
    gc.disable()
    try:
        assert ids_of_source(tmp_path, tasks=["qasper"]).problems
        assert not is_open()
    finally:
        gc.enable()


def test_references_of_a_source_say_where_they_are_from_and_which_examples_have_none(tmp_path: Path) -> None:
    write_folder(tmp_path / "data", {"qasper/validation.jsonl": [*rows("7"), *rows("8", output=None)]})
    read = references_from_source(tmp_path / "data", ["qasper", "musique"])
    assert read.source == Source("files", split="validation", label="your folder data")
    assert texts(read) == {"qasper": {"validation": {"7": ["a"], "8": []}}}
    assert reported(read.faults(TASKS["qasper"], "validation")) == [("null-reference", "qasper", "8")]
    (absent,) = read.problems
    assert (absent.kind, absent.task) == ("no-data", "musique")
    assert absent.message.startswith("data has no data of musique; it should have")


def test_documents_come_from_a_source_for_the_tasks_that_it_has(tmp_path: Path) -> None:
    (first, _) = load_embedded("squality")
    read = references({"squality.json": {first.id: "a", "x": "b"}, "quality.json": {"1": "A"}})
    joined = with_documents(read, "embedded")
    documents = {id_: each.document for id_, each in joined.of("squality", None).items()}
    assert documents == {first.id: first.document_name, "x": None}
    assert texts(joined) == texts(read)
    (problem,) = joined.problems
    assert (problem.kind, problem.task, problem.is_error) == ("no-inputs", "quality", False)
    assert "(no ID of the references is in embedded examples)" in problem.message
    data = write_folder(tmp_path, {"squality/test.jsonl": rows(first.id)})
    assert [problem.task for problem in with_documents(read, data).problems] == ["quality"]


def test_documents_that_are_given_are_the_only_ones_and_one_that_is_lacking_is_named() -> None:
    read = references({"squality.jsonl": rows("1", "2")})
    some, none = read.with_documents({"squality": {"1": "d"}}), read.with_documents({})
    assert [(each.kind, each.task, each.id, each.is_error) for each in some.problems] == [
        ("no-inputs", "squality", "2", False)
    ]
    assert ([each.document for each in some.of("squality", None).values()], none.problems) == (["d", None], [])
    assert [each.leaves_documents_out for each in (read, some, none)] == [False, False, True]


def test_rows_of_one_id_are_several_references_and_invalid_ones_are_kept_until_they_are_needed() -> None:
    long = "a" * (limits.MAX_TEXT + 1)
    outputs = {"7": "a", "8": "b", "9": None, "a": 3, "b": [], "c": long[1:], "d": long}
    lines = [{"id": id_, "output": output} for id_, output in [*outputs.items(), ("7", "c")]]
    read = references({"qasper/test.jsonl": lines})
    assert not read.problems
    by_id = read.of("qasper", "test")
    assert (by_id["7"].texts, by_id["8"].texts) == (["a", "c"], ["b"])
    assert [place.row for place in by_id["7"].places] == [1, 8]
    kept = read.faults(TASKS["qasper"], "test")
    assert [(each.kind, each.id, each.place.row, each.message.split(".")[0], each.detail) for each in kept] == [
        ("null-reference", "9", 3, "The reference is null, not a text", None),
        ("not-a-text", "a", 4, "The reference is a number, not a text", "3"),
        ("not-a-text", "b", 5, "The reference is an empty list, not a text", None),
        ("too-long", "d", 7, "The reference is longer than 2,000,000 characters", None),
    ]


def test_references_of_another_task_are_a_warning_and_of_a_misspelt_one_or_without_ids_an_error() -> None:
    wrong = {"contract_nli.json": {"1": "a"}, "all.json": {"Qasper": {"1": "a"}, "qmsum": {"1": "a"}}}
    wrong["hellaswag.json"] = {"1": "a"}
    read = references({**wrong, "qasper.jsonl": [{"output": "a"}]})
    assert sorted((each.kind, each.is_error, each.repair) for each in read.problems) == [
        ("other-benchmark", False, None),
        ("task-name", True, None),
        ("unknown-task", False, None),
        ("unreadable", True, None),
    ]
    assert texts(read) == {"qmsum": {None: {"1": ["a"]}}}
    scrolls = references(
        {"contract_nli.json": {"1": "a"}, "samples_scrolls_qasper_2026-06-03T10-20.jsonl": rows("7")}, "scrolls"
    )
    assert ([*scrolls.by_task], scrolls.problems) == (["contract_nli", "qasper"], [])


def test_references_that_the_metric_cannot_read_are_named_with_their_rows() -> None:
    lines = [{"id": "1", "output": "B"}, {"id": "1", "output": "no letter"}, {"id": "2", "output": "none"}]
    read = references({"quality/test.jsonl": lines, "qmsum.json": {"1": "?"}})
    unreadable = read.faults(TASKS["quality"], "test")
    assert [(each.kind, each.id, each.place and each.place.row, each.detail) for each in unreadable] == [
        ("unreadable-reference", "1", 2, "'no letter'"),
        ("unreadable-reference", "2", 3, "'none'"),
    ]
    assert read.faults(TASKS["qmsum"], None) == []
    hard = read.with_documents({"quality": {"1": "story"}}).with_hard_questions(["1"], BENCHMARKS["scrolls"])
    assert texts(hard) == texts(read) | {"quality_hard": {"test": {"1": ["B", "no letter"]}}}
    assert hard.of("quality_hard", "test")["1"] == replace(read.of("quality", "test")["1"], document="story")
    assert references({}).with_hard_questions(["1"], BENCHMARKS["scrolls"]) == References()
    with pytest.raises(UnusableInput, match="ZeroSCROLLS has no task of hard questions"):
        read.with_hard_questions(["1"], ZERO_SCROLLS)


# --- SCROLLS, and one benchmark given as the other -----------------------------------------------------------------


TEXTS: dict[str, dict[str, list[str]]] = {
    "gov_report": {"g1": ["a cat sat on a mat"]},
    "summ_screen_fd": {"s1": ["they meet and part"]},
    "qmsum": {"q1": ["they chose the red button"]},
    "qasper": {"p1": ["café", "a café in Rome"], "p2": ["no"]},
    "narrative_qa": {"n1": ["the night watchman"]},
    "quality": {"1_x_1": ["It was a dream"], "1_x_2": ["A boat"], "2_y_1": ["Nobody knew"]},
    "contract_nli": {"c1": ["Entailment"], "c2": ["Not mentioned"]},
}
ANSWERS = {task: {id_: texts[0][:7] for id_, texts in by_id.items()} for task, by_id in TEXTS.items()}
ANSWERS["quality"] = {"1_x_1": "it was a dream.", "1_x_2": "B", "2_y_1": "nobody knew"}


def test_a_file_of_scrolls_scores_as_the_metric_does_with_hard_questions_that_are_not_averaged(tmp_path: Path) -> None:
    columns = {task: (list(ANSWERS[task].values()), list(texts.values())) for task, texts in TEXTS.items()}
    metric = score_benchmark(columns, benchmark="scrolls")
    files, options = {"answers.json": ANSWERS}, {"benchmark": "scrolls", "hard_ids": ["1_x_2", "2_y_1", "9_z_1"]}
    scored = score(tmp_path / "1", files, TEXTS, **options)
    assert scored.result is not None
    assert scored.result.score == metric.score == pytest.approx(sum(t.score for t in metric.tasks.values()) / 7)
    assert (scored.refused, scored.interval) == ({}, score(tmp_path, files, TEXTS, benchmark="scrolls").interval)
    hard = scored.tasks["quality_hard"]
    assert ([answer.id for answer in hard.answers], hard.score) == (["1_x_2", "2_y_1"], 50.0)
    answers = {"a.json": {"quality": ANSWERS["quality"]}}
    (absent,) = score(tmp_path / "2", answers, TEXTS, benchmark="scrolls", hard_ids=["x"]).problems
    assert (absent.kind, absent.task) == ("hard-ids", "quality_hard")
    own = {"a.json": {"quality": ANSWERS["quality"], "quality_hard": {"1_x_2": "B"}}}
    refused = score(tmp_path / "3", own, TEXTS, **options).refused
    said = "quality_hard: quality_hard is scored from the answers of quality. Leave its own answers out: answers/a.json"
    assert refused == {"quality_hard": said}


@pytest.mark.parametrize("letter", ["B", "(B)", "(B) a boat", "B. a boat"])
def test_references_of_the_other_benchmark_are_recognised(letter: str, tmp_path: Path) -> None:
    answers, letters = {"a.json": {"quality": ANSWERS["quality"]}}, {"quality": dict.fromkeys(TEXTS["quality"], letter)}
    for benchmark, texts, is_error in (("zero_scrolls", TEXTS, False), ("scrolls", letters, True)):
        scored = score(tmp_path / benchmark, answers, texts, benchmark=benchmark)
        (other,) = (each for each in scored.problems if (each.kind, each.task) == ("other-benchmark", "quality"))
        assert (other.is_error, other.benchmark != benchmark) == (is_error, True)
        assert f"as in {BENCHMARKS[other.benchmark].title}. Score the file as" in other.message
        assert scored.tasks["quality"].result is None
    assert not score(tmp_path / "letters", answers, letters).problems
    assert not score(tmp_path / "texts", answers, TEXTS, benchmark="scrolls").problems
