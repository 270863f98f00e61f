"""Everything that can be wrong with an answer file, kind by kind: what is reported, offered and repaired."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sick_files import FEW_IDS, TEST_IDS, examined, healthy, listed

from zs_bench.dataset.source import Source
from zs_bench.files import limits
from zs_bench.validation.known_ids import IdList, KnownIds
from zs_bench.validation.rules import OFFERED
from zs_bench.validation.validate import Validation, repair
from zs_metric.errors import ZeroScrollsError
from zs_metric.version import VERSION

FINDINGS = Path(__file__).parents[2] / "golden" / "findings.txt"
GOV, QASPER = FEW_IDS["gov_report"], FEW_IDS["qasper"]
HEADER = "Task,ID,Prediction\n"


def ids(task: str, *names: str) -> KnownIds:
    return listed({task: names})


def answers(task: str, *ids: str) -> dict[str, Any]:
    return {f"preds_{task}.json": {id_: f"to {id_}" for id_ in ids}}


def numbered(shape: str, start: int, end: int) -> dict[str, Any]:
    return answers("qasper", *map(shape.format, range(start, end)))


def rows(name: str, *values: dict[str, Any]) -> dict[str, Any]:
    return {f"{name}.jsonl": list(values)}


def referenced(ids: dict[str, list[str]], task: str = "qasper", source: str = "r") -> KnownIds:
    return KnownIds([IdList(Source("files", label=source), "test", {task: ids})])


def hub(ids: dict[str, list[str]], split: str = "test") -> KnownIds:
    return KnownIds([IdList(Source("hub", "x", "1", label="Hub, x at 1"), split, ids)])


def each(*tasks: str) -> dict[str, Any]:
    return {f"preds_{task}.json": {"7": "a"} for task in tasks}


PRED = {"pred": "a", "answers": ["x", "y"]}
NUMBERED = [{"id": 0, "prediction": "a"}, {"id": 1, "prediction": "b"}]
TRIO = ("qasper", "qmsum", "quality")
TWO = {task: FEW_IDS[task] for task in ("qasper", "qmsum")}
#: What is checked against which ids.
CASES: dict[str, tuple[dict[str, Any], KnownIds]] = {
    "nothing wrong": (healthy(TWO), listed(TWO)),
    "task name": ({"a.json": {"gov-report": {GOV[0]: "a"}, "Gov Report": {GOV[1]: "b"}}}, ids("gov_report", *GOV[:2])),
    "task by ids": ({"run1.json": {"7_0": "a", "8": "b"}}, listed({"qasper": ["7", "8"], "quality": ["7"]})),
    "tasks by ids": (
        {"run.csv": "id,prediction\n7,a\n8_0,b\n9,c\n5,d\n6,e\nx,f\nq,g\n"},
        listed({"qasper": ["7", "8", "q"], "quality": ["9", "5", "6", "q"]}),
    ),
    "task by ids, one misspelt": ({"run.csv": "id,prediction\n7a,a\n8a,b\n9A,c\n"}, ids("qasper", "7a", "8a", "9a")),
    "task by ids, one number": (rows("run", {"id": 7, "prediction": "a"}, {"prediction": "b"}), ids("qasper", "7")),
    "a name that the ids contradict": (answers("quality", "7_0", "8"), ids("qasper", "7", "8")),
    "a name that half of the ids contradict": (answers("quality", "7", "8", "x"), listed(
        {"qasper": ["7"], "quality": ["8"]}
    )),
    "two tasks in the name": (answers("qasper_qmsum", "7"), KnownIds()),
    "two tasks in the name, and known ids": (answers("qasper_qmsum", "7", "8"), ids("qasper", "7", "8")),
    "no task, ids mostly unknown": (answers("run", "7", "x"), ids("qasper", "7")),
    "no task, no known ids": (answers("run", "7"), KnownIds()),
    "unknown task": (answers("hellaswag", "1"), ids("qasper", "7")),
    "unknown task, a list": (rows("a", {"task": ["qasper"], "id": "1", "prediction": "a"}), KnownIds()),
    "other benchmark": ({"a.json": {"contract_nli": {"1": "a"}, "qasper": {"7": "b"}}}, ids("qasper", "7")),
    "unquoted comma": ({"a.csv": f"{HEADER}qasper,7,yes, it is\n"}, ids("qasper", "7")),
    "unquoted semicolon": ({"a.csv": "Task;ID;Prediction\nqasper;7;yes; it is\n"}, ids("qasper", "7")),
    "quote not closed": ({"a.csv": f'{HEADER}qasper,7,"a\n'}, ids("qasper", "7")),
    "header": ({"a.csv": "\ufefftask;id;prediction\r\nqasper;7;a\r\n"}, ids("qasper", "7")),
    "header, a column more": ({"a.csv": "Task,ID,Prediction,Score\nqasper,7,a,1\n"}, ids("qasper", "7")),
    "header, quoted": ({"a.csv": '"Task","ID","Prediction"\r\nqasper,7,a\r\n'}, ids("qasper", "7")),
    "number as id": (rows("a", {"task": "space_digest", "id": 18, "prediction": "5%"}), ids("space_digest", "18")),
    "by references": (
        rows("narrativeqa", PRED, {"pred": "b", "answers": "z"}),
        referenced({"7": ["x", "y"], "8": ["z"]}, "narrative_qa"),
    ),
    "by references, in another order, twice and not known": (
        rows("qasper", *({"pred": text, "answers": text} for text in "yxxz")),
        referenced({"7": ["x"], "8": ["y"], "9": ["q"]}),
    ),
    "by references, none of them known": (rows("qasper", PRED), referenced({"7": ["x", "z"]})),
    "by references, against ids alone": (rows("qasper", PRED), ids("qasper", "7")),
    "by references, twice in one file": (
        rows("qasper", *({"pred": str(n), "answers": "xyz"[n % 3]} for n in range(6))), KnownIds(),
    ),
    "row per reference": (answers("qasper", "1", "2"), referenced({"7": ["x", "y"]})),
    "row per reference, no ids": (rows("qasper", {"pred": "a"}, {"pred": "b"}), referenced({"7": ["x", "y"]})),
    "fewer rows than references": (answers("qasper", "1"), referenced({"7": ["x", "y"]})),
    "as many rows as references": (answers("qasper", "1"), referenced({"7": ["x"]})),
    "not an id": (rows("a", {"task": "qasper", "id": None, "prediction": "a"}), ids("qasper", "7")),
    "id too long": (answers("qasper", "x" * 1_001, "y" * 1_000), ids("qasper", "y" * 1_000)),
    "rows without ids, as many as references": (
        rows("qasper", {"answer": "a"}, {"answer": "b"}), ids("qasper", "x", "y"),
    ),
    "a list of texts": ({"qasper.json": '["a", "b"]'}, ids("qasper", "x", "y")),
    "the numbers of the rows, from 0": (rows("qasper", *NUMBERED), ids("qasper", "x", "y")),
    "the numbers of the rows, from 1": (answers("qasper", "1", "2", "3"), ids("qasper", "x", "y", "z")),
    "numbers that are ids": (answers("qasper", "0", "1"), ids("qasper", "1", "0")),
    "numbers out of order": (answers("qasper", "2", "1"), ids("qasper", "x", "y")),
    "fewer rows without ids than references": (rows("qasper", {"answer": "a"}), ids("qasper", "x", "y")),
    "NaN": ({"qasper.json": '{"7": NaN}'}, ids("qasper", "7")),
    "no header": ({"qasper.csv": "7,yes\n8,no\n"}, ids("qasper", "7", "8")),
    "no header, with tasks": ({"a.csv": "qasper,7,yes\nqasper,8,no\n"}, ids("qasper", "7", "8")),
    "other columns": ({"qasper.csv": "nr,says\n7,yes\n"}, ids("qasper", "7")),
    "fields of others": (
        rows("qasper", {"question_id": "7", "predicted_answer": "a", "predicted_evidence": []}), ids("qasper", "7"),
    ),
    "a row for each id": ({"qasper.json": {"7": {"prediction": "a", "score": 1}}}, ids("qasper", "7")),
    "one of two fields": (rows("qasper", {"id": "7", "response": "a", "output": "b"}), ids("qasper", "7")),
    "rows of the data": (rows("qasper", {"id": "7", "input": "?", "output": "b"}), ids("qasper", "7")),
    "no id": (rows("qasper", {"pred": "a", "answers": []}), ids("qasper", "x", "y")),
    "ids with a prefix": (answers("qasper", "zs-qasper-7", "zs-qasper-8"), ids("qasper", "7", "8", "9")),
    "ids with a suffix": (answers("qasper", "7.txt", "8.txt"), ids("qasper", "7", "8")),
    "ids without a prefix": (answers("qasper", "7", "8"), ids("qasper", "q-7", "q-8")),
    "ids without a suffix": (answers("qasper", "a", "b"), ids("qasper", "a-x", "b-x")),
    "ids in capitals": (answers("qasper", "A_1", "B_1"), ids("qasper", "a-1", "b-1")),
    "one id with a prefix": (answers("qasper", "a-7"), ids("qasper", "7")),
    "two prefixes": (answers("qasper", "a-7", "b-8"), ids("qasper", "7", "8")),
    "longer numbers": (answers("qasper", "11", "12"), ids("qasper", "1", "2")),
    "numbers with an underscore": (answers("qasper", "1_0", "2_0"), ids("qasper", "1", "2")),
    "two spellings of one id": (answers("qasper", "A_1", "a_1", "B_1"), ids("qasper", "a-1", "b-1", "c-1")),
    "ids one too high": (numbered("q-{:03}", 1, 12), ids("qasper", *(f"q-{n:03}" for n in range(11)))),
    "ids one too low": (numbered("{}", 0, 3), ids("qasper", "1", "2", "3")),
    "ids two too high, but for one that is missing": (numbered("{}", 3, 10), ids("qasper", *map(str, range(8)))),
    "ids of two documents one too high": (
        answers("quality", *(f"{doc}_{n}" for doc in "ab" for n in (1, 2))),
        ids("quality", "a_0", "a_1", "b_0", "b_1"),
    ),
    "one id is unknown and another missing": (answers("qasper", "1", "2", "9"), ids("qasper", "1", "2", "3")),
    "an unknown id beyond the last, and none missing": (numbered("{}", 0, 4), ids("qasper", "0", "1", "2")),
    "another part of the data": (numbered("{}", 5, 15), ids("qasper", *map(str, range(10)))),
    "a few answers that could be shifted by one or two": (
        answers("qasper", "5", "8", "10"),
        ids("qasper", *map(str, range(10))),
    ),
    "id spelling": (answers("gov_report", "\ufeff CRS_r40000 ", GOV[1]), ids("gov_report", *GOV[:2])),
    "id spelling, a spreadsheet's": (
        answers("narrative_qa", "3858.0", "38", "182,528", "5"),
        ids("narrative_qa", "3858", "0038", "182528", "5"),
    ),
    "id spelling of two": (answers("qasper", "A", "x"), ids("qasper", "a", "a ", "x")),
    "pid": (answers("gov_report", "crs_R40000_0"), ids("gov_report", GOV[0])),
    "pid, in place of an id": (rows("qasper", {"pid": "7_0", "prediction": "a"}), ids("qasper", "7")),
    "pid of no id": (rows("qasper", {"pid": "9_0", "prediction": "a"}), ids("qasper", "7")),
    "pid, an id of another split": (
        answers("book_sum_sort", "glory_0"),
        listed({"book_sum_sort": ["glory"]}, {"book_sum_sort": ["glory_0"]}),
    ),
    "id of another task": ({"preds_quality.json": {"7": "a", "8": "b"}}, listed({"qasper": ["7"], "quality": ["8"]})),
    "ids of another split": (answers("qasper", "7", "v", "w_0"), listed({"qasper": ["7"]}, {"qasper": ["v", "w"]})),
    "unknown id": (answers("qasper", "7", "x"), ids("qasper", "7")),
    "null": ({"qasper.json": {"7": None}}, ids("qasper", "7")),
    "not a text": ({"space_digest.json": '{"1": 50, "2": ["5%"], "3": [7.50]}'}, ids("space_digest", "1", "2", "3")),
    "no text": (
        rows("qasper", *({"id": str(n), "prediction": x} for n, x in enumerate((["a", "b"], [], {}, {"d": 1}, True)))),
        KnownIds(),
    ),
    "too long": ({"qasper.json": {"7": "a" * (limits.MAX_TEXT + 1), "8": "a" * limits.MAX_TEXT}}, KnownIds()),
    "NUL": ({"qasper.json": {"7": "a\0b"}}, ids("qasper", "7")),
    "a word for nothing": ({"qasper.json": {"7": " NaN\n", "8": "!@#$%^&*()"}}, ids("qasper", "7", "8")),
    "unfinished": ({"qasper.json": {"7": "<think> so"}}, ids("qasper", "7")),
    "empty": ({"qasper.json": {"7": "\n", "8": "\t"}}, ids("qasper", "7", "8")),
    "doubled": ({"qasper.json": '{"7": "a", "7": "a"}'}, ids("qasper", "7")),
    "conflict": ({"qasper.json": '{"7": "a", "7": "b", "7": "a", "8": "c"}'}, ids("qasper", "7", "8")),
    "conflict with a null": ({"qasper.json": '{"7": "a", "7": null}'}, ids("qasper", "7")),
    "conflict of pids": ({"qasper.json": {"7_0": "a", "7_1": "a", "8_0": "b", "8_1": "c"}}, ids("qasper", "7", "8")),
    "not JSON": ({"qasper.json": "{"}, ids("qasper", "7")),
    "nothing": ({"a.csv": HEADER}, KnownIds()),
    "tasks missing": (answers("quality", *FEW_IDS["quality"]), listed(FEW_IDS)),
    "an answer of each of four tasks is missing": (
        {f"preds_{task}.json": {ids[0]: "a"} for task, ids in FEW_IDS.items()},
        listed({task: ids[: 2 if place < 4 else 1] for place, (task, ids) in enumerate(FEW_IDS.items())}),
    ),
    "one task of three has ids": (each(*TRIO), ids("qasper", "7")),
    "four tasks of five have no ids": (each(*TRIO, "squality", "musique"), ids("qasper", "7")),
    "a list without a split": (answers("qasper", "7"), listed({"qasper": ["7"]}, split=None)),
    "the benchmark's, of two tasks": (healthy(TWO), hub(TWO)),
    "the benchmark's, of another split": (healthy(FEW_IDS), hub(FEW_IDS, "validation")),
    "the benchmark's, too few ids": (healthy(FEW_IDS), hub(FEW_IDS)),
    "the benchmark's, too few ids of one task": (
        healthy(TEST_IDS | {"qasper": QASPER}), hub(TEST_IDS | {"qasper": QASPER}),
    ),
}  # fmt: skip


def said(validation: Validation) -> Iterator[str]:
    for problem in validation.problems[:8]:
        places = [str(place) for place in (problem.place, problem.other) if place]
        shown = (problem.kind, *places, problem.task, problem.id and problem.id[:20], problem.message)
        yield " | ".join([*filter(None, (*shown, (problem.detail or "")[:80])), *["warning"][problem.is_error :]])
        if problem.repair:
            made, what = "safe" if problem.repair.safe else "offered", problem.repair.what
            yield f"    {made}: {what} {problem.repair.becomes}"
    counts = {task: tuple(count) for task, count in validation.counts.items()}
    yield f"-> {validation.verdict}; {validation.offers}; {[*counts.items()][:4]}"


def story(name: str) -> Iterator[str]:
    """What a validation says of a case, and what the safe repairs, all of them, and a filling make of it."""
    files, ids = CASES[name]
    validation = examined(files, ids)
    yield f"# {name}"
    yield from said(validation)
    results: list[Any] = []
    for title, done in {
        "repaired": repair(validation),
        "all repaired": repair(validation, OFFERED),
        "filled": repair(validation, fill_missing=True),
    }.items():
        texts = [(task, id_[:20], text[:20]) for task, id_, text in done.answers[:6]]
        left = ", ".join(sorted({problem.kind for problem in done.problems}))
        results.append((texts, left, done.changes[:3]))
        if results.index(results[-1]) == len(results) - 1:
            yield f"{title}: {len(done.answers)} {texts} {done.changes[:3]}; left: {left}; {done.verdict}"


def test_every_case_is_reported_and_repaired_as_it_should_be() -> None:
    """Each line of `golden/findings.txt` is read before it is changed."""
    assert [line for name in CASES for line in story(name)] == FINDINGS.read_text(encoding="utf-8").splitlines()


def test_a_validation_as_json_has_its_files_counts_and_problems() -> None:
    checked = examined({"qasper.json": '{"7": "a", "x": "b"}'}, ids("qasper", "7"))
    problem = {"repair": {"what": "row dropped", "safe": False, "becomes": None}, "kind": "unknown",
               "family": "unknown", "task": "qasper", "id": "x", "file": "qasper.json", "row": None,
               "message": "Unknown ID", "refuses": True}  # fmt: skip
    numbers = {
        "ready": False,
        "verdict": "not ready: to be repaired: unknown (1)",
        "tasks": {"qasper": {"answers": 1, "ids": 1, "published": 500}},
    }
    assert checked.as_dict() == {
        "schema": "zero-scrolls-verify/2",
        "version": VERSION,
        "ids": [{"source": "a source", "split": "test"}],
        "files": [{"file": "qasper.json", "format": "JSON, one task", "rows": 2}],
        **numbers,
        "problems": [problem],
        "problems_left_out": 0,
    }
    assert repair(checked).repairs_as_dict() == {**numbers, "changes": [], "left": [problem]}
    many = examined({"qasper.json": dict.fromkeys(map(str, range(10_003)), "")}).as_dict()
    assert (len(many["problems"]), many["problems_left_out"]) == (10_000, 3)


@pytest.mark.parametrize(
    ("kind", "says"), [("conflicts", "; did you mean 'conflict'"), ("all", "; they are other-benchmark, unknown, ")]
)
def test_a_kind_that_is_not_offered_is_refused_with_the_likely_name(kind: str, says: str) -> None:
    with pytest.raises(ZeroScrollsError, match=f"no repair '{kind}'{says}"):
        repair(examined(healthy(TWO), listed(TWO)), [kind])
