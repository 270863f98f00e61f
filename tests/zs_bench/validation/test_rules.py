"""Everything that can be wrong with an answer file, kind by kind: what is found, what is offered, what is repaired."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sick_files import FEW_IDS, TEST_IDS, examined, healthy, known, repaired, reported

from zs_bench.files import limits
from zs_bench.validation.known_ids import IdList, KnownIds
from zs_bench.validation.rules import OFFERED
from zs_bench.validation.validate import repair
from zs_metric.errors import ZeroScrollsError
from zs_metric.version import VERSION

FINDINGS = Path(__file__).parents[2] / "golden" / "findings.txt"
GOV, QASPER = FEW_IDS["gov_report"], FEW_IDS["qasper"]
TRIO = ("qasper", "qmsum", "quality")


def of(task: str, *ids: str) -> KnownIds:
    return known({task: ids})


def answers(task: str, *keys: str) -> dict[str, Any]:
    return {f"preds_{task}.json": {key: f"to {key}" for key in keys}}


CASES: dict[str, tuple[dict[str, Any], KnownIds, list[tuple[str, str, str]]]] = {
    "task-name": (
        {"a.json": {"gov-report": {GOV[0]: "a"}, "Gov Report": {GOV[1]: "b"}}},
        of("gov_report", *GOV[:2]),
        [("gov_report", GOV[0], "a"), ("gov_report", GOV[1], "b")],
    ),
    "task-by-ids": ({"run1.json": {"7_0": "a", "8": "b"}}, known({"qasper": ["7", "8"], "quality": ["7"]}),
                    [("qasper", "7", "a"), ("qasper", "8", "b")]),
    "task-by-ids, several": (
        {"run.csv": "id,prediction\n7,a\n8_0,b\n9,c\n5,d\n6,e\nx,f\nq,g\n"},
        known({"qasper": ["7", "8", "q"], "quality": ["9", "5", "6", "q"]}),
        [("qasper", "7", "a"), ("qasper", "8", "b"), ("quality", "9", "c"), ("quality", "5", "d"),
         ("quality", "6", "e"), ("run", "x", "f"), ("run", "q", "g")],
    ),
    "task-by-ids, with one misspelt": (
        {"run.csv": "id,prediction\n7a,a\n8a,b\n9A,c\n"},
        known({"qasper": ["7a", "8a", "9a"]}),
        [("qasper", "7a", "a"), ("qasper", "8a", "b"), ("qasper", "9a", "c")],
    ),
    "other-benchmark": ({"a.json": {"contract_nli": {"1": "a"}, "qasper": {"7": "b"}}}, of("qasper", "7"),
                     [("qasper", "7", "b")]),
    "unquoted-comma": ({"a.csv": "Task,ID,Prediction\nqasper,7,yes, it is\n"}, of("qasper", "7"),
                       [("qasper", "7", "yes, it is")]),
    "unquoted-comma, semicolons": ({"a.csv": "Task;ID;Prediction\nqasper;7;yes; it is\n"}, of("qasper", "7"),
                                   [("qasper", "7", "yes; it is")]),
    "number-id": ({"a.jsonl": '{"task": "space_digest", "id": 182528, "prediction": "5%"}'},
                  of("space_digest", "182528"), [("space_digest", "182528", "5%")]),
    "pid, in place of an id": ({"qasper.jsonl": [{"pid": "7_0", "prediction": "a"}]}, of("qasper", "7"),
                               [("qasper", "7", "a")]),
    "by-order": (
        {"narrativeqa.jsonl": [{"pred": "a", "answers": ["x", "y"]}, {"pred": "b", "answers": ["z"]}]},
        KnownIds([IdList("r", "test", {"narrative_qa": {"7": ["x", "y"], "8": ["z"]}})]),
        [("narrative_qa", "7", "a"), ("narrative_qa", "8", "b")],
    ),
    "ids-differ": (answers("qasper", "zs-qasper-7", "zs-qasper-8"), of("qasper", "7", "8", "9"),
                   [("qasper", "7", "to zs-qasper-7"), ("qasper", "8", "to zs-qasper-8")]),
    "ids-differ, more at the end": (answers("qasper", "7.txt", "8.txt"), of("qasper", "7", "8"),
                                    [("qasper", "7", "to 7.txt"), ("qasper", "8", "to 8.txt")]),
    "ids-differ, less in front": (answers("qasper", "7", "8"), of("qasper", "q-7", "q-8"),
                                  [("qasper", "q-7", "to 7"), ("qasper", "q-8", "to 8")]),
    "ids-differ, less at the end": (answers("qasper", "a", "b"), of("qasper", "a-x", "b-x"),
                                    [("qasper", "a-x", "to a"), ("qasper", "b-x", "to b")]),
    "ids-differ, capitals": (answers("qasper", "A_1", "B_1"), of("qasper", "a-1", "b-1"),
                             [("qasper", "a-1", "to A_1"), ("qasper", "b-1", "to B_1")]),
    "id-spelling": (answers("gov_report", "\ufeff CRS_r40000 ", GOV[1]), of("gov_report", *GOV[:2]),
                    [("gov_report", GOV[0], "to \ufeff CRS_r40000 "), ("gov_report", GOV[1], f"to {GOV[1]}")]),
    "pid": (answers("gov_report", "crs_R40000_0"), of("gov_report", GOV[0]),
            [("gov_report", GOV[0], "to crs_R40000_0")]),
    "id-spelling, a spreadsheet's": (answers("narrative_qa", "3858.0", "38", "182,528", "5"),
                                     of("narrative_qa", "3858", "0038", "182528", "5"),
                                     [("narrative_qa", "3858", "to 3858.0"), ("narrative_qa", "0038", "to 38"),
                                      ("narrative_qa", "182528", "to 182,528"), ("narrative_qa", "5", "to 5")]),
    "other-split, another task": ({"preds_quality.json": {"7": "a", "8": "b"}},
                                  known({"qasper": ["7"], "quality": ["8"]}), [("quality", "8", "b")]),
    "other-split": (answers("qasper", "7", "v"), known({"qasper": ["7"]}, {"qasper": ["v"]}),
                    [("qasper", "7", "to 7")]),
    "other-split, its pid": (answers("qasper", "7", "v_0"), known({"qasper": ["7"]}, {"qasper": ["v"]}),
                             [("qasper", "7", "to 7")]),
    "unknown": (answers("qasper", "7", "x"), of("qasper", "7"), [("qasper", "7", "to 7")]),
    "not-a-text": ({"space_digest.json": '{"1": 50, "2": ["5%"], "3": [7.50]}'}, of("space_digest", "1", "2", "3"),
                   [("space_digest", "1", "50"), ("space_digest", "2", "5%"), ("space_digest", "3", "7.50")]),
    "nul": ({"qasper.json": {"7": "a\0b"}}, of("qasper", "7"), [("qasper", "7", "a b")]),
    "nothing-word": ({"qasper.json": {"7": " NaN\n"}}, of("qasper", "7"), [("qasper", "7", "")]),
    "nothing-word, the official one": ({"qasper.json": {"7": "!@#$%^&*()"}}, of("qasper", "7"), [("qasper", "7", "")]),
    "doubled": ({"qasper.json": '{"7": "a", "7": "a"}'}, of("qasper", "7"), [("qasper", "7", "a")]),
    "conflict": ({"qasper.json": '{"7": "a", "7": "b"}'}, of("qasper", "7"), [("qasper", "7", "b")]),
}  # fmt: skip


def test_each_kind_is_found_and_repaired_when_it_is_safe_or_accepted() -> None:
    for name, (files, ids, expected) in CASES.items():
        kind, checked = name.partition(",")[0], examined(files, ids)
        repairs = [problem.repair for problem in checked.problems if problem.kind == kind]
        assert {made.safe for made in repairs if made} == {kind not in OFFERED}, name
        done = repair(checked, () if kind not in OFFERED else [kind])
        assert [tuple(answer) for answer in done.answers] == expected, name
        assert len(done.changes) >= len(repairs), name
        assert kind not in [problem.kind for problem in done.problems], name
        if kind in OFFERED:
            left = repair(checked)
            assert kind in [problem.kind for problem in left.problems], name
            assert not any(change.endswith("dropped") for change in left.changes), name


ROWS_OF_TWO = KnownIds([IdList("r", "test", {"qasper": {"7": ["x", "y"]}})])
WITHOUT: dict[str, tuple[dict[str, Any], KnownIds]] = {
    "unknown-task, by ids that are mostly unknown": (answers("run", "7", "x"), of("qasper", "7")),
    "unknown-task, by no known ids": (answers("run", "7"), KnownIds()),
    "two prefixes": (answers("qasper", "a-7", "b-8"), of("qasper", "7", "8")),
    "two numbers that are longer": (answers("qasper", "11", "12"), of("qasper", "1", "2")),
    "two numbers with an underscore": (answers("qasper", "1_0", "2_0"), of("qasper", "1", "2")),
    "the header": ({"a.csv": "\ufefftask;id;prediction\r\nqasper;7;a\r\n"}, of("qasper", "7")),
    "unknown-task": (answers("hellaswag", "1"), of("qasper", "7")),
    "unknown-task, a list": ({"a.jsonl": [{"task": ["qasper"], "id": "1", "prediction": "a"}]}, KnownIds()),
    "pid of no id": ({"qasper.jsonl": [{"pid": "9_0", "prediction": "a"}]}, of("qasper", "7")),
    "no id": ({"qasper.jsonl": [{"pred": "a", "answers": []}]}, of("qasper", "x", "y")),
    "a pid of another split is no pid of this one": (
        answers("book_sum_sort", "glory_0"),
        known({"book_sum_sort": ["glory"]}, {"book_sum_sort": ["glory_0"]}),
    ),
    "row-per-reference": (answers("qasper", "1", "2"), ROWS_OF_TWO),
    "row-per-reference, no ids": ({"qasper.jsonl": [{"pred": "a"}, {"pred": "b"}]}, ROWS_OF_TWO),
    "fewer rows than references": (answers("qasper", "1"), ROWS_OF_TWO),
    "as many rows as references, but no more than examples": (
        answers("qasper", "1"),
        KnownIds([IdList("r", "test", {"qasper": {"7": ["x"]}})]),
    ),
    "not-an-id": ({"a.jsonl": [{"task": "qasper", "id": None, "prediction": "a"}]}, of("qasper", "7")),
    "not-an-id, too long": (answers("qasper", "x" * 1_001), of("qasper", "7")),
    "null": ({"qasper.json": {"7": None}}, of("qasper", "7")),
    "not-a-text": ({"qasper.json": {"7": ["a", "b"]}}, of("qasper", "7")),
    "not-a-text, others": (
        {"qasper.jsonl": [{"id": str(n), "prediction": value} for n, value in enumerate(([], {"d": 1}, True))]},
        KnownIds(),
    ),
    "too-long": ({"qasper.json": {"7": "a" * (limits.MAX_TEXT + 1)}}, of("qasper", "7")),
    "empty": ({"qasper.json": {"7": " "}}, of("qasper", "7")),
    "unreadable": ({"qasper.json": "{"}, of("qasper", "7")),
    "not-read": ({"a.csv": 'Task,ID,Prediction\nqasper,7,"a\n'}, of("qasper", "7")),
    "nothing": ({"a.csv": "Task,ID,Prediction\n"}, KnownIds()),
}


def hub(ids: dict[str, list[str]], split: str = "test") -> KnownIds:
    return KnownIds([IdList("Hub, x at 1", split, ids)])


def each(*tasks: str) -> dict[str, Any]:
    return {f"preds_{task}.json": {"7": "a"} for task in tasks}


TWO = {task: FEW_IDS[task] for task in ("qasper", "qmsum")}
SPLITS = known({"qasper": ["7"]}, {"qasper": ["v"]}).lists
#: Files whose verdict has another reason.
VERDICTS: dict[str, tuple[dict[str, Any], KnownIds]] = {
    "one answer of each of four tasks is missing": (
        {f"preds_{task}.json": {ids[0]: "a"} for task, ids in FEW_IDS.items()},
        known({task: ids[: 2 if place < 4 else 1] for place, (task, ids) in enumerate(FEW_IDS.items())}),
    ),
    "one task of three has ids": (each(*TRIO), of("qasper", "7")),
    "four tasks of five have no ids": (each(*TRIO, "squality", "musique"), of("qasper", "7")),
    "no task has an answer": ({"notes.json": {"7": "a"}}, known(FEW_IDS)),
    "two splits": (answers("qasper", "v"), KnownIds(SPLITS, by_overlap=True)),
    "a list without a split": (answers("qasper", "7"), known({"qasper": ["7"]}, split=None)),
    "the benchmark's, of two tasks": (healthy(TWO), hub(TWO)),
    "the benchmark's, of another split": (healthy(FEW_IDS), hub(FEW_IDS, "validation")),
    "the benchmark's, too few ids": (healthy(FEW_IDS), hub(FEW_IDS)),
    "the benchmark's, too few ids of one task": (
        healthy(TEST_IDS | {"qasper": QASPER}), hub(TEST_IDS | {"qasper": QASPER}),
    ),
}  # fmt: skip


def said_of(name: str, files: dict[str, Any], ids: KnownIds) -> Iterator[str]:
    """What a validation says, a line for each problem, and its verdict."""
    diagnosis = examined(files, ids)
    for one in diagnosis.problems if name not in VERDICTS else ():
        places = [str(place) for place in (one.place, one.other) if place]
        shown = (one.kind, *places, one.task, one.id and one.id[:20], one.message, one.detail and one.detail[:80])
        yield " | ".join([name, *(str(part) for part in shown if part), "error" if one.is_error else "warning"])
        yield f"    {one.repair.what}: {one.repair.becomes}" if one.repair else "    no repair"
    yield f"{name} -> {diagnosis.verdict} {sorted(diagnosis.offers.items())} {[*map(tuple, diagnosis.counts.values())]}"


def test_every_finding_and_every_verdict_is_worded_as_it_should_be() -> None:
    """Each line of `golden/findings.txt` is read before it is changed."""
    cases = [*((name, case[:2]) for name, case in CASES.items()), *WITHOUT.items(), *VERDICTS.items()]
    said = [line for name, (files, ids) in cases for line in said_of(name, files, ids)]
    assert said == FINDINGS.read_text(encoding="utf-8").splitlines()


def test_of_several_answers_to_one_id_the_last_text_counts_as_in_the_official_check() -> None:
    for answers_, accepted, texts, left in (
        ('{"7_0": "a", "7_1": "a", "8_0": "b", "8_1": "c"}', (), ["a", "b", "c"], [("conflict", "qasper", "8")]),
        ('{"7": "a", "7": "b", "7": "a", "8": "c"}', ["conflict"], ["a", "c"], []),
        ('{"7": "a", "7": null, "8": "c"}', ["conflict"], ["a", "c"], [("null", "qasper", "7")]),
    ):
        done = repaired({"qasper.json": answers_}, of("qasper", "7", "8"), accepted)
        assert ([answer.text for answer in done.answers], reported(done.problems)) == (texts, left)


def test_a_validation_as_json_has_its_files_counts_and_problems() -> None:
    checked = examined({"qasper.json": '{"7": "a", "x": "b"}'}, of("qasper", "7"))
    problem = {"repair": {"what": "row dropped", "safe": False, "becomes": None}, "kind": "unknown", "task": "qasper",
               "id": "x", "file": "qasper.json", "row": None, "message": "Unknown ID", "refuses": True}  # fmt: skip
    numbers = {
        "ready": False,
        "verdict": "not ready: to be repaired: unknown (1)",
        "tasks": {"qasper": {"answers": 1, "ids": 1, "published": 500}},
    }
    assert checked.as_dict() == {
        "schema": "zero-scrolls-verify/1",
        "version": VERSION,
        "ids": [{"source": "a source", "split": "test"}],
        "files": [{"file": "qasper.json", "format": "JSON, one task", "rows": 2}],
        **numbers,
        "problems": [problem],
        "problems_left_out": 0,
    }
    assert repair(checked).repairs_as_dict() == {**numbers, "changes": [], "left": [problem]}
    done = repair(checked, ["unknown"]).repairs_as_dict()
    assert (done["ready"], done["changes"], done["left"]) == (True, ["qasper.json, qasper, 'x': row dropped"], [])


def test_a_kind_that_is_not_offered_is_refused_with_the_likely_name() -> None:
    with pytest.raises(ZeroScrollsError, match="no repair 'conflicts'; did you mean 'conflict'"):
        repaired(healthy(FEW_IDS), known(FEW_IDS), ["conflicts"])
    with pytest.raises(ZeroScrollsError, match="no repair 'all'; they are other-benchmark, "):
        repaired(healthy(FEW_IDS), known(FEW_IDS), ["all"])


def test_a_header_that_the_official_check_refuses_is_reported_and_gone_when_the_file_is_written_anew() -> None:
    for header in ("Task,ID,Prediction", '"Task","ID","Prediction"', "\ufeffTask,ID,Prediction"):
        assert examined({"a.csv": f"{header}\r\nqasper,7,a\r\n"}, of("qasper", "7")).problems == []
    for header, row in (("task,id,prediction", "qasper,7,a"), ("Task,ID,Prediction,Score", "qasper,7,a,1")):
        files = {"a.csv": f"{header}\n{row}\n"}
        (problem,) = examined(files, of("qasper", "7")).problems
        assert (problem.kind, problem.detail, problem.is_error) == ("header", header, True)
        done = repaired(files, of("qasper", "7"))
        assert (len(done.changes), done.problems) == (1, [])
