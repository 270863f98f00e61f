"""The data of the tasks as their authors publish them are references, with the ids of the benchmark."""

import json
from pathlib import Path
from typing import Any

import pytest
from written_files import problems, write

from zs_bench.scoring.score_files import score_files
from zs_start.cli import main

Q = "question"
SQUALITY = [
    {
        "metadata": {"passage_id": "5", "uid": "u", "license": "none"},
        "document": "A tale.",
        "questions": [
            {
                "question_text": "Who?",
                "question_number": 1,
                "responses": [{"response_text": t} for t in ("a ox", "a cow")],
            },
            {"question_text": "Why?", "question_number": 2, "responses": [{"response_text": "to eat"}]},
        ],
    }
]
QUALITY = [
    {
        "article_id": "6",
        "set_unique_id": "6_XY",
        "article": "A tale.",
        "questions": [
            {Q: "Who?", "question_unique_id": "6_XY_1", "options": ["one", "two", "six", "ten"], "gold_label": 2},
            {Q: "Why?", "question_unique_id": "6_XY_2", "options": ["hay", "tea", "air", "sea"], "gold_label": 4},
        ],
    }
]
MEETING = {"topic_list": [], "meeting_transcripts": [{"speaker": "A", "content": "So."}]}
QMSUM = [
    MEETING
    | {
        "general_query_list": [{"query": "Sum up.", "answer": "all of it"}],
        "specific_query_list": [
            {"query": "Price?", "answer": "two euros"},
            {"query": "Size?", "answer": "rather small"},
        ],
    },
    MEETING | {"general_query_list": [], "specific_query_list": [{"query": "When?", "answer": "next spring"}]},
]


def qasper(*answers: dict[str, Any]) -> list[dict[str, Any]]:
    empty = {"unanswerable": False, "extractive_spans": [], "yes_no": None, "free_form_answer": "", "evidence": []}
    return [{"answer": empty | answer, "worker_id": "w"} for answer in answers]


QASPER = {
    "1909.1": {
        "title": "On hay",
        "qas": [
            {Q: "Which?", "question_id": "7f", "answers": qasper({"extractive_spans": ["hay", "oats"]})},
            {Q: "Is it?", "question_id": "8a", "answers": qasper({"yes_no": False}, {"yes_no": True})},
        ],
    },
    "1909.2": {
        "title": "On oats",
        "qas": [
            {
                Q: "Why?",
                "question_id": "9c",
                "answers": qasper({"unanswerable": True}, {"free_form_answer": "by luck"}),
            },
        ],
    },
}
CHOICES = {"nda-1": {"choice": "NotMentioned", "spans": []}, "nda-7": {"choice": "Entailment", "spans": [2]}}
CONTRACTS = {
    "documents": [{"id": 3, "text": "A contract.", "annotation_sets": [{"annotations": CHOICES}]}],
    "labels": {"nda-1": {"hypothesis": "It ends."}, "nda-7": {"hypothesis": "It holds."}},
}
NARRATIVE_QA = (
    "document_id,set,question,answer1,answer2,question_tokenized,answer1_tokenized,answer2_tokenized\n"
    'ab,test,Who rows?,Ann,"Ann, the elder",x,x,x\nab,test,Where?,home,at home,x,x,x\ncd,test,Who?,Bo,Bob,x,x,x\n'
)
#: The file, its task and benchmark, and the references by id.
FILES: dict[str, tuple[str, Any, str, dict[str, list[str]]]] = {
    "squality": ("dev.jsonl", SQUALITY, "zero_scrolls", {"5_1": ["a ox", "a cow"], "5_2": ["to eat"]}),
    "quality": ("QuALITY.v1.0.1.dev", QUALITY, "zero_scrolls", {"6_XY_1": ["B"], "6_XY_2": ["D"]}),
    "quality (SCROLLS)": ("dev.jsonl", QUALITY, "scrolls", {"6_XY_1": ["two"], "6_XY_2": ["sea"]}),
    "qmsum": (
        "val.jsonl",
        QMSUM,
        "zero_scrolls",
        {
            "va-sq-1": ["two euros"],
            "va-sq-2": ["rather small"],
            "va-gq-3": ["all of it"],
            "va-sq-4": ["next spring"],
        },
    ),
    "qasper": (
        "qasper-dev-v0.3.json",
        QASPER,
        "zero_scrolls",
        {"7f": ["hay, oats"], "8a": ["No", "Yes"], "9c": ["Unanswerable", "by luck"]},
    ),
    "contract_nli": ("test.json", CONTRACTS, "scrolls", {"3_nda-1": ["Not mentioned"], "3_nda-7": ["Entailment"]}),
    "narrative_qa": (
        "qaps.csv",
        NARRATIVE_QA,
        "scrolls",
        {"ab_0": ["Ann", "Ann, the elder"], "ab_1": ["home", "at home"], "cd_0": ["Bo", "Bob"]},
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_the_published_data_of_a_task_are_references(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (file, content, benchmark, texts), task = FILES[name], name.split(maxsplit=1)[0]
    raw = str(write(tmp_path / "raw" / file, content))
    answers = {id_: references[-1] for id_, references in texts.items()}
    answers[next(iter(answers))] = "zzz"
    run = str(write(tmp_path / f"{task}.json", answers))
    assert main(["score", run, "--references", raw, "--benchmark", benchmark, "--quiet", "--only", task]) == 0
    assert float(capsys.readouterr().out) == pytest.approx(100 * (1 - 1 / len(texts)), abs=1e-4)
    scored = score_files([run], [raw], benchmark=benchmark)
    assert {each.id: list(each.references) for each in scored.tasks[task].answers} == texts
    assert len({each.document for each in scored.tasks[task].answers}) < len(texts) or task == "squality"


def test_ids_that_are_made_are_said_to_be_so() -> None:
    for name, (file, content, _, _) in FILES.items():
        found = problems(file, content, "references")
        kinds = [(problem.kind, problem.is_error) for problem in found]
        assert kinds == [("raw-ids", False)] * (name in ("qmsum", "narrative_qa"))


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (
            "qmsum.jsonl",
            QMSUM,
            "ids of QMSum begin with the split, which the file's name does not say; call it qmsum_train",
        ),
        ("train_and_test.jsonl", QMSUM, "ids of QMSum begin with the split"),
        ("dev.jsonl", [*SQUALITY, {"id": "7", "output": "a"}], "the row is none of SQuALITY's data"),
        ("qaps.csv", NARRATIVE_QA + "ef,test,Who?\n", "the row has 3 cells where the header has 8"),
        ("other.csv", "id,output\n7,a\n", ".csv files hold predictions"),
    ],
)
def test_raw_data_that_cannot_be_read_say_why(file: str, content: Any, message: str) -> None:
    assert message in "; ".join(problem.message for problem in problems(file, content, "references"))


def test_questions_without_an_answer_are_refused_with_their_ids(tmp_path: Path) -> None:
    unlabelled = json.loads(json.dumps(QUALITY))
    del unlabelled[0]["questions"][1]["gold_label"]
    run = write(tmp_path / "quality.json", {"6_XY_1": "B", "6_XY_2": "D"})
    scored = score_files([run], [write(tmp_path / "test.jsonl", unlabelled)])
    assert [(each.kind, each.id) for each in scored.problems if each.is_error] == [("null-reference", "6_XY_2")]
