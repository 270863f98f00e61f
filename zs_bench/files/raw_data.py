"""The data of the tasks as their authors publish them, read as references with the ids of the benchmark.

| data | file | id | references |
|---|---|---|---|
| SQuALITY | a story a line | `passage_id`, number of the question | the responses |
| QuALITY | an article a line | `question_unique_id` | the letter of `gold_label`; in SCROLLS, the option's text |
| QMSum | a meeting a line | split, kind and number of the query in the file: `va-sq-1`, `va-gq-5` | the answer |
| Qasper | an object of papers | `question_id` | each annotator's answer, as its authors' evaluator writes it |
| ContractNLI | `documents` and `labels` | `id` of the document, key of the hypothesis | the choice |
| NarrativeQA | `qaps.csv` | `document_id`, number of the question in its document, from 0 | both answers |

QMSum's queries are numbered through the file, in a meeting the specific ones first. In the order of the file that
SCROLLS was made of, these are its ids; of other versions they are not. NarrativeQA's have the form of SCROLLS' ids, and
are assumed to count as these do; ZeroSCROLLS has others, in no file of it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from zs_bench.errors import UnusableInput
from zs_bench.files.entries import Entry, Found, ReadFile
from zs_bench.files.json_text import fields, first, written
from zs_bench.problems import Problem
from zs_metric.metrics import ACCURACY

_Row = Mapping[str, Any]
_Made = Counter[str | None]
_Rows = Iterable[tuple[int, _Row | UnusableInput]]
_QAPS = {"document_id", "set", "question", "answer1", "answer2"}


class RawExample(NamedTuple):
    """An example in raw data: its id, what stands for its references, and the name of its document."""

    id: str | None
    references: list[Any]
    document: str | None


class RawData(NamedTuple):
    """The published data of a task.

    Attributes:
        title: the name of the data, for people.
        looks_so: whether a row, or the object that is the file, is of these data.
        examples: those of a row; takes the file and how many examples of each document came before.
        note: a warning about the ids, if they are not in the file.
    """

    task: str
    title: str
    looks_so: Callable[[_Row], bool]
    examples: Callable[[_Row, ReadFile, _Made], Iterator[RawExample]]
    note: str = ""


def recognise(row: _Row, file: ReadFile) -> RawData | None:
    """The data that a row or object is of, where references are read; else `None`."""
    if file.text != "references" or file.has_inputs:
        return None
    return next((data for data in RAW if data.looks_so(row)), None)


def is_table(head: bytes) -> bool:
    """Whether a table's first line is that of NarrativeQA's `qaps.csv`."""
    return {*head.decode("utf-8-sig", "replace").strip().split(",")} >= _QAPS


def peek(rows: _Rows, file: ReadFile) -> tuple[RawData | None, _Rows]:
    """The data that the rows are of, by the first of them, and all rows."""
    rows = iter(rows)
    start = [*next(([row] for row in rows), [])]
    row = start[0][1] if start else UnusableInput("")
    return (None if isinstance(row, UnusableInput) else recognise(row, file)), chain(start, rows)


def read_raw(data: RawData, rows: _Rows, file: ReadFile) -> Found:
    """Every example of the rows as an entry of the data's task; `rows` may be one object, without a number."""
    file.format, made = f"{data.title}'s own data", Counter[str | None]()
    if data.note:
        yield Problem("raw-ids", data.note, data.task, place=file.place(None), is_error=False)
    for number, row in rows:
        place = file.place(number or None)
        if isinstance(row, UnusableInput) or not data.looks_so(row):
            error = row if isinstance(row, UnusableInput) else UnusableInput(f"the row is none of {data.title}'s data")
            yield file.unreadable(error.message, place.row, data.task, detail=error.detail)
            continue
        for id_, references, document in data.examples(row, file, made):
            made[document] += 1
            yield Entry(data.task, id_, references or None, place, file.split, document=document)


def _list(value: object) -> list[Any]:
    return value if type(value) is list else []


def _id(*parts: object) -> str | None:
    """The parts of an id, joined by `_`; `None` if one is no text or number."""
    texts = [part if isinstance(part, str) else written(part) for part in parts]
    return None if None in texts else "_".join(filter(None, texts))


def _squality(row: _Row, _: ReadFile, __: _Made) -> Iterator[RawExample]:
    passage = written(fields(row["metadata"]).get("passage_id"))
    for question in map(fields, row["questions"]):
        texts = [fields(response).get("response_text") for response in _list(question.get("responses"))]
        yield RawExample(_id(passage, question.get("question_number")), texts, passage)


def _quality(row: _Row, file: ReadFile, _: _Made) -> Iterator[RawExample]:
    task = file.benchmark.all_tasks.get("quality")
    by_letter, article = task is None or task.metric is ACCURACY, written(row["article_id"])
    for question in map(fields, row["questions"]):
        options, gold = _list(question.get("options")), written(question.get("gold_label")) or ""
        number = int(gold) - 1 if gold in [*"1234"] else len(options)
        labels = [*"ABCD"][: len(options)] if by_letter else options
        yield RawExample(written(question.get("question_unique_id")), labels[number : number + 1], article)


_SPLITS = {"tr": {"train"}, "va": {"val", "dev", "valid", "validation"}, "te": {"test"}}


def _qmsum(row: _Row, file: ReadFile, made: _Made) -> Iterator[RawExample]:
    words = {*re.findall("[a-z]+", PurePosixPath(file.name).name.lower())}
    splits = [split for split, names in _SPLITS.items() if names & words]
    if len(splits) != 1:
        raise UnusableInput(
            "the ids of QMSum begin with the split, which the file's name does not say; call it qmsum_train.jsonl, "
            "qmsum_val.jsonl or qmsum_test.jsonl"
        )
    meeting = f"meeting {len(made) + 1}"
    for kind in ("specific", "general"):
        for query in map(fields, _list(row.get(f"{kind}_query_list"))):
            yield RawExample(f"{splits[0]}-{kind[0]}q-{made.total() + 1}", [query.get("answer")], meeting)


def _qasper(papers: _Row, _: ReadFile, __: _Made) -> Iterator[RawExample]:
    for paper, content in papers.items():
        for question in map(fields, _list(fields(content).get("qas"))):
            answers = [fields(fields(each).get("answer")) for each in _list(question.get("answers"))]
            yield RawExample(written(question.get("question_id")), [*map(_qasper_answer, answers)], paper)


def _qasper_answer(answer: _Row) -> Any:
    if answer.get("unanswerable") is True:
        return "Unanswerable"
    if spans := _list(answer.get("extractive_spans")):
        return ", ".join(str(written(span) or "") for span in spans)
    if isinstance(answer.get("yes_no"), bool):
        return "Yes" if answer["yes_no"] else "No"
    return answer.get("free_form_answer")


def _contract_nli(data: _Row, _: ReadFile, __: _Made) -> Iterator[RawExample]:
    for document in map(fields, _list(data["documents"])):
        name = _id(document.get("id"))
        annotations = fields(first(document.get("annotation_sets")).get("annotations"))
        for hypothesis, annotation in annotations.items():
            choice = fields(annotation).get("choice")
            yield RawExample(_id(name, hypothesis), ["Not mentioned" if choice == "NotMentioned" else choice], name)


def _narrative_qa(row: _Row, _: ReadFile, made: _Made) -> Iterator[RawExample]:
    document = row["document_id"]
    yield RawExample(f"{document}_{made[document]}", [row["answer1"], row["answer2"]], document)


def _has_questions(row: _Row, beside: str) -> bool:
    return beside in row and bool(_list(row.get("questions")))


#: The data that are a table.
TABLE = RawData(
    "narrative_qa",
    "NarrativeQA",
    lambda row: row.keys() >= _QAPS,
    _narrative_qa,
    "NarrativeQA's file has no IDs; they are made in the form of SCROLLS', of document_id and the number of the "
    "question in its document, from 0. That the file counts as SCROLLS does is assumed, so compare the question of one "
    "ID with the benchmark's. Those of ZeroSCROLLS are other numbers, which stand in no file of NarrativeQA",
)
#: The data of each task.
RAW = (
    RawData(
        "squality",
        "SQuALITY",
        lambda row: _has_questions(row, "metadata") and "passage_id" in fields(row["metadata"]),
        _squality,
    ),
    RawData("quality", "QuALITY", lambda row: _has_questions(row, "article_id"), _quality),
    RawData(
        "qmsum",
        "QMSum",
        lambda row: {"general_query_list", "specific_query_list"} <= row.keys(),
        _qmsum,
        "QMSum's file has no IDs; they are made in the form of SCROLLS', of the split, the kind and the number of the "
        "query in the file. The file's order has changed between versions: with another order these are references of "
        "other queries, so compare the query of one ID with the benchmark's",
    ),
    RawData(
        "qasper",
        "Qasper",
        lambda row: bool(row) and all("qas" in fields(paper) for paper in row.values()),
        _qasper,
    ),
    RawData("contract_nli", "ContractNLI", lambda row: {"documents", "labels"} <= row.keys(), _contract_nli),
    TABLE,
)
