"""The report of a scored file: as JSON that fits its schema, as a table for a terminal, as CSV, signed."""

import copy
import csv
import io
import json
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import ValidationError
from report_schema import SCHEMA_FILE, validated, validator
from shipped import as_shipped
from written_files import official_csv, score, write

from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS, load_embedded
from zs_bench.reports import report
from zs_bench.reports.report import format_interval, one_decimal
from zs_bench.reports.tables import safe_cell
from zs_bench.scoring.score_files import score_against, score_files
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.scoring.signature import reference_hash
from zs_bench.statistics.columns import columns
from zs_bench.statistics.intervals import Interval, benchmark_interval, interval
from zs_metric import TASKS, score_task

REFERENCES = {
    "gov_report": {"1": "the cat sat on the mat", "2": ["dogs bark", "a dog barks"]},
    "quality": {"1": "A", "2": "B"},
    "space_digest": {"1": "60%"},
    "book_sum_sort": {"1": "1, 2, 3"},
}
ANSWERS = {
    "gov_report": {"1": "a cat sat", "2": "dogs"},
    "quality": {"1": "(A)", "2": ""},
    "space_digest": {"1": "55%"},
    "book_sum_sort": {"1": "2, 1, 3"},
}
#: Six stories of two questions, and ten questions whose documents are not known.
MANY = {
    "quality": {f"{story}_Q_{i}": "A" for story in ("11", "22", "33", "44", "55", "66") for i in range(2)},
    "qmsum": {f"m{i}": ["a cat sat on the mat", f"cat {i}"] for i in range(10)},
}
MANY_ANSWERS = {
    "quality": {key: "AB"[key.startswith(("11", "22"))] for key in MANY["quality"]},
    "qmsum": {key: f"a cat {'sat on ' * (i % 3)}" for i, key in enumerate(MANY["qmsum"])},
}


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> ScoredFile:
    return score(tmp_path_factory.mktemp("scored"), {"answers.json": ANSWERS}, REFERENCES)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> ScoredFile:
    return score(tmp_path_factory.mktemp("many"), {"answers.json": MANY_ANSWERS}, MANY)


def test_the_json_report_has_the_promised_keys_and_no_rounding(scored: ScoredFile) -> None:
    data = report.as_json(scored)
    assert as_shipped(data) == data
    first = "schema version benchmark engine rouge_aggregation signature partial score mean_of_tasks interval "
    last = "missing_tasks refused_tasks references files post tasks patterns problems problems_left_out"
    assert list(data) == (first + last).split()
    assert (data["score"], data["refused_tasks"], data["partial"]) == (None, [], False)
    assert data["missing_tasks"] == [task for task in TASKS if task not in ANSWERS]
    exact = [task["score"] for task in data["tasks"].values()]
    assert data["mean_of_tasks"] == pytest.approx(sum(exact) / 4, abs=1e-12)
    result = score_task("space_digest", ["55%"], ["60%"])
    assert data["tasks"]["space_digest"] == {
        "score": result.score,
        "interval": None,
        "signature": str(scored.signature("space_digest")),
        "metrics": result.metrics,
        "n": 1,
        "total": 1,
        "partial": False,
        "split": None,
        "missing": [],
        "unknown": [],
        "examples": [{"id": "1", **result.examples[0].as_dict()}],
    }


SHAPES: dict[str, tuple[Any, dict[str, Any]]] = {
    "instance": (ANSWERS, {"rouge_aggregation": "instance"}),
    "refused": ({"quality": {"1": "A"}}, {}),
    "partial": ({"quality": {"1": "A", "3": "B"}}, {"partial": True}),
    "nothing": ({}, {}),
    "not JSON": ("{", {}),
    "twice": ('{"quality": {"1": "A", "1": "B", "2": null}}', {}),
    "infinite": ({"space_digest": {"1": "9" * 500 + "%"}, "book_sum_sort": {"1": "9" * 5_000}}, {}),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_report_fits_the_schema(tmp_path: Path, shape: str) -> None:
    answers, options = SHAPES[shape]
    data = report.as_json(score(tmp_path, {"answers.json": answers}, REFERENCES, **options))
    assert as_shipped(validated(data)) == data
    if shape == "infinite":
        assert [task["score"] for task in data["tasks"].values()] == [0, 0]


def test_a_report_that_is_wrong_does_not_fit_the_schema_which_has_its_version_and_limit() -> None:
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    assert schema["properties"]["schema"]["const"] == report.SCHEMA
    assert schema["properties"]["problems"]["maxItems"] == report.MAX_PROBLEMS
    sample = report.as_json(score_against([SAMPLE_PREDICTIONS], "embedded"))
    assert list(validated(sample)["tasks"]) == list(TASKS)
    assert sample["references"] == {"source": "embedded examples", "split": "validation", "revision": None}
    for value, *path, key in (
        ("zero-scrolls-report/1", "schema"),
        (101, "score"),
        ("no signature", "signature"),
        ({"low": None}, "interval"),
        (1, "new"),
        (1, "tasks", "qasper", "examples", 0, "new"),
        ({}, "tasks", "qmsum", "examples", 0, "rouge", "rougeLsum"),
        (1.5, "tasks", "quality", "n"),
    ):
        data = copy.deepcopy(sample)
        reduce(getitem, path, data)[key] = value
        with pytest.raises(ValidationError):
            validator().validate(data)


def test_a_refused_task_has_no_score_but_its_missing_and_unknown_ids(tmp_path: Path) -> None:
    file = score(tmp_path, {"quality.json": {"2": "A", "x": "B"}}, REFERENCES)
    data = report.as_json(file)
    assert (data["score"], data["mean_of_tasks"], data["refused_tasks"]) == (None, None, ["quality"])
    quality = data["tasks"]["quality"]
    assert (quality["score"], quality["metrics"], quality["examples"]) == (None, None, [])
    assert (quality["missing"], quality["unknown"], quality["n"], quality["total"]) == (["1"], ["x"], 1, 2)
    assert [problem["kind"] for problem in data["problems"]] == ["unknown", "missing"]
    assert (data["signature"], file.signature()) == (None, None)
    text = report.as_text(file)
    assert "quality  not scored      1/2  accuracy, 1 missing, 1 unknown ID" in text
    assert "No task could be scored." in text
    assert "Signature" not in text
    assert "Not scored:\n- quality: " in text


def test_at_most_ten_thousand_problems_are_listed_those_that_refuse_first_and_the_rest_counted(tmp_path: Path) -> None:
    rows = [("quality", str(i), "") for i in range(11_000)]
    data = report.as_json(score(tmp_path, {"a.csv": official_csv(rows)}, {"quality": {"0": "A", "x": "B"}}))
    assert len(data["problems"]) == 10_000
    assert data["problems_left_out"] == 1 + 10_999 + 11_000 - 10_000
    assert all(problem["refuses"] for problem in data["problems"])


def test_the_table_has_a_line_per_task_with_answers_and_says_why_there_is_no_average(scored: ScoredFile) -> None:
    text = report.as_text(scored)
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line}
    assert rows["quality"] == ["50.0000", "2/2", "accuracy"]
    assert "musique" not in rows
    rouge = "/".join(f"{scored.tasks['gov_report'].result.metrics[f'rouge/rouge{n}']:.2f}" for n in "12L")
    assert rows["gov_report"] == [f"{scored.tasks['gov_report'].score:.4f}", "2/2", "rouge", rouge]
    assert "Mean of 4 of 10 tasks: " in text
    assert "not scored: summ_screen_fd, qmsum, squality, qasper, narrative_qa, musique." in text
    assert "No interval, fewer than 10 examples: all tasks." in text
    assert "aggregation: corpus" in text
    assert "Warnings:\n- quality: Empty answer (scores 0): 2 (answers/answers.json)" in text


def test_partial_is_printed_beside_every_number_it_concerns(tmp_path: Path) -> None:
    answers = {**ANSWERS, "quality": {"1": "A"}}
    partial = score(tmp_path, {"answers.json": answers}, REFERENCES, partial=True)
    lines = report.as_text(partial).splitlines()
    assert [line.split()[0] for line in lines[: lines.index("")] if "partial" in line] == ["quality"]
    assert "(partial: some predictions are missing)" in report.headline(partial)
    assert report.as_json(partial)["partial"] is True


def rows_of(scored: ScoredFile) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(report.as_csv(scored), newline="")))


def test_the_numbers_of_the_csv_are_read_back_equal(scored: ScoredFile, tmp_path: Path) -> None:
    rows = {(row["task"], row["id"]): row for row in rows_of(scored)}
    for name, task in scored.scored.items():
        row = rows[name, ""]
        assert (float(row["score"]), row["answers"], row["level"]) == (task.score, str(len(task.ids)), "task")
        for answer in task.rows():
            row = rows[name, answer["id"]]
            assert (float(row["score"]), row["level"]) == (answer["score"], "answer")
    example = next(scored.tasks["gov_report"].rows())
    assert float(rows["gov_report", "1"]["rougeL"]) == example["rouge"]["rougeL"]["fmeasure"]
    assert rows["book_sum_sort", "1"]["parsed"] == "2, 1, 3"
    formula = score(tmp_path, {"quality.json": {"=1+1": "A"}}, {"quality": {"=1+1": "A"}})
    assert [row["id"] for row in rows_of(formula)] == ["", "'=1+1"]


@given(
    st.one_of(st.text(), st.sampled_from(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "'quoted", "＝1"]))
)
def test_every_text_is_harmless_in_a_cell_and_read_back_once_the_apostrophe_is_removed(text: str) -> None:
    cell = safe_cell(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
    assert cell.removeprefix("'") == text


def test_musique_is_split_into_answerable_and_unanswerable_questions() -> None:
    texts, references = (
        ["Paris", "unanswerable", "Oslo", "Rome"],
        [["Paris"], ["Unanswerable."], ["Rome", "The Rome"], ["n/a", "unanswerable"]],
    )
    task = ScoredTask(TASKS["musique"], score_task("musique", texts, references), [*"1234"], texts, references)
    halves = {"score": 50.0, "n": 2}
    assert report.answerability(task) == {"answerable": halves, "unanswerable": halves}
    task = ScoredTask(TASKS["musique"], score_task("musique", ["x"], ["x"]), ["1"], ["x"], [["x"]])
    assert report.answerability(task)["unanswerable"] == {"score": None, "n": 0}
    tasks = report.as_json(score_against([SAMPLE_PREDICTIONS], "embedded"))["tasks"]
    assert [name for name, row in tasks.items() if "answerability" in row] == ["musique"]


def as_reported(ends: Interval | None) -> dict[str, Any]:
    assert ends is not None
    low_high = {"low": ends.low, "high": ends.high, "level": 95, "clusters": ends.clusters}
    return {**low_high, "resamples": 0, "seed": 0, "method": "arcsine-1"}


def test_the_intervals_are_those_of_the_statistics_with_examples_of_one_story_together(
    many: ScoredFile, tmp_path: Path
) -> None:
    data, text = validated(report.as_json(many)), report.as_text(many)
    parts = {name: (columns(task.result), task.clusters) for name, task in many.tasks.items() if task.result}
    assert parts["quality"][1] == [key.partition("_")[0] for key in many.tasks["quality"].ids]
    assert parts["qmsum"][1] is None
    for name, part in parts.items():
        assert data["tasks"][name]["interval"] == as_reported(interval(*part))
    assert data["interval"] == as_reported(benchmark_interval(parts))
    assert f"quality 66.6667 {format_interval(many.tasks['quality'].interval)} 12/12" in " ".join(text.split())
    assert f"{many.result.mean_of_tasks:.4f} {format_interval(many.interval)}. The" in text  # type: ignore[union-attr]
    assert "From the differences between documents (their number): quality (6)." in text
    assert "From the differences between examples, since it is unknown which share a document: qmsum." in text
    other = score(tmp_path, {"answers.json": MANY_ANSWERS}, MANY, rouge_aggregation="instance").tasks["qmsum"]
    assert other.result
    assert other.interval == interval(columns(other.result, "instance")) != many.tasks["qmsum"].interval


def test_too_few_examples_or_documents_have_no_interval_and_the_report_says_why(tmp_path: Path) -> None:
    nine = {"quality": {f"{i}_x": "A" for i in range(9)}, "qmsum": MANY["qmsum"]}
    scored = score(tmp_path / "nine", {"answers.json": {**nine, "qmsum": MANY_ANSWERS["qmsum"]}}, nine)
    data = report.as_json(scored)
    assert (data["interval"], data["tasks"]["quality"]["interval"]) == (None, None)
    assert data["tasks"]["qmsum"]["interval"] is not None
    assert "No interval, fewer than 10 examples: quality." in report.as_text(scored)
    four = {"quality": {f"{story}1234_ABCDEFGH_{i}": "A" for story in range(4) for i in range(5)}}
    text = report.as_text(score(tmp_path / "four", {"answers.json": four}, four))
    assert "No interval, fewer than 5 documents: all tasks." in text
    assert [one_decimal(points) for points in (-0.04, 0.0, -0.06, 12.25)] == ["0.0", "0.0", "-0.1", "12.2"]


def qasper_row(name: str, document: Any) -> dict[str, Any]:
    text = f"Read.\n\nArticle:\n{document}\n\nQuestion:\nWhat?\n\nAnswer:\n" if document else document
    return {"id": name, "input": text, "output": "rain"}


@pytest.mark.parametrize("last", ["It snows.", None, ""])
def test_questions_on_equal_documents_are_together_where_every_row_has_its_document(tmp_path: Path, last: Any) -> None:
    rows = [qasper_row("q1", "It rains."), qasper_row("q2", "It rains."), qasper_row("q3", last)]
    answers = write(tmp_path / "qasper.json", {"q1": "rain", "q2": "there", "q3": "snow"})
    clusters = score_files([answers], [write(tmp_path / "rows" / "qasper.jsonl", rows)]).tasks["qasper"].clusters
    assert (clusters is not None) == bool(last)
    if clusters:
        assert clusters[0] == clusters[1] != clusters[2]


def test_the_same_references_give_the_same_report_as_files_and_as_a_source(tmp_path: Path) -> None:
    for task in TASKS:
        rows = [{**example.as_dict(), "output": text} for example in load_embedded(task) for text in example.references]
        write(tmp_path / task / "validation.jsonl", rows)
    as_files = report.as_json(score_files([SAMPLE_PREDICTIONS], [tmp_path]))
    as_source = report.as_json(score_against([SAMPLE_PREDICTIONS], tmp_path))
    assert as_files | {"references": None} == as_source | {"references": None}
    assert as_source["references"]["source"] == f"your folder {tmp_path.name}"


def test_every_number_is_signed_with_its_data_and_what_was_left_out(tmp_path: Path) -> None:
    answers = {**MANY_ANSWERS, "qasper": {"1": "x"}}
    data = report.as_json(score(tmp_path / "a", {"answers.json": answers}, MANY))
    assert data["signature"].startswith(f"ZS|tasks:qmsum,quality|data:{reference_hash(MANY)}|n:22/22|")
    quality = reference_hash({"quality": MANY["quality"]})
    assert data["tasks"]["quality"]["signature"].startswith(f"ZS|tasks:quality|data:{quality}|n:12/12|")
    assert data["tasks"]["qasper"]["signature"] is None
    known = {"quality": {"1_x": "A", "2_y": "B", "3_z": None}}
    signature = score(tmp_path / "b", {"quality.json": {"1_x": "A", "9": "B"}}, known, partial=True).signature()
    assert signature
    assert (signature.answers, signature.missing) == (1, 2)
    assert signature.data == reference_hash({"quality": {"1_x": ["A"], "2_y": ["B"]}})
    rows = write(tmp_path / "quality" / "test.jsonl", [{"id": "1_x", "output": "A"}])
    answers = write(tmp_path / "preds_quality.json", {"1_x": "A"})
    signature = score_files([answers], [rows], rouge_aggregation="instance").signature()
    assert signature
    assert (signature.source, signature.rouge) == ("test", "instance")
