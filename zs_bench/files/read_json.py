"""JSON, one object for a task (`{id: value}`) or for several (`{task: {id: value}}`) or a log; JSONL, a row a line.

The rows of a JSONL file have the shape of this project's own, or one that other tools write:

| format | id | answer | reference |
|---|---|---|---|
| lm-evaluation-harness samples | `id` of `doc` | `filtered_resps`, else `resps` | `output` of `doc` |
| OpenAI batch replies | `custom_id`, `<task>/<id>` | `content` of the first choice | |
| LongBench rows | `_id`, else `id`, else by order | `pred` | `answers` |
| Every Eval Ever samples | `sample_id` | `raw` of `output` | |
| L-Eval rows | by order | `<model>_pred` | `gt` |
| JSONL rows | `id` | `prediction` | `output` or `references` |

The harness (`samples_<task>_<time>.jsonl`) keeps the data's row as `doc`; a list of responses is read if it holds one
text. It writes a row per filter of the task; those of the first filter in the file are read. Its `target` is the
reference converted to a text, so it is not used. A batch reply that is an error, or that a filter withheld, holds no
answer, whatever text it has.

The scripts of LongBench and L-Eval write no id, but the references beside each prediction. As references, such rows get
their line as id; as predictions, they are matched by order where each carries the references of its place.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import IO, Any, NamedTuple

from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_bench.files.entries import TASK_NAMES, Entry, Found, Nothing, ReadFile, canonical_task, known_task
from zs_bench.files.json_text import EMPTY, JsonNumber, JsonObject, decode, fields, kind, parse, refuse_binary
from zs_bench.files.read_inspect import is_inspect_log, read_samples
from zs_bench.problems import Place, Problem, short
from zs_bench.prompts.dissection import document_of_row
from zs_metric.errors import did_you_mean

_MARK = b"\xef\xbb\xbf"
Row = Mapping[str, Any]


class Shape(NamedTuple):
    """How rows of a format look.

    Attributes:
        plain: the row in this project's own shape, with only the fields that it has.
        named: for messages, what this format has in place of our keys.
        variant: of several rows for one answer, which one it is.
        carries: whether rows of predictions carry their references, by which rows without ids are matched.
    """

    format: str
    fits: Callable[[Row], bool]
    plain: Callable[[Row], Row]
    named: Mapping[str, str] = {}
    variant: Callable[[Row], Any] = lambda _: None
    carries: bool = False


def _sample(row: Row) -> Row:
    doc = dict(row["doc"])
    answer = row["filtered_resps"] if "filtered_resps" in row else row["resps"]
    while type(answer) is list and len(answer) == 1:  # a longer list is not an answer
        answer = answer[0]
    return {**{key: doc[key] for key in ("id", "input", "output") if key in doc}, "prediction": answer}


def _longbench(row: Row) -> Row:
    names = {"task": "task", "id": "_id" if "_id" in row else "id", "prediction": "pred", "references": "answers"}
    return {ours: row[theirs] for ours, theirs in names.items() if theirs in row}


def _l_eval(row: Row) -> Row:
    (prediction,) = (key for key in row if key.endswith("_pred"))
    return {"prediction": row[prediction], "references": row["gt"]}


def _eee_sample(row: Row) -> Row:
    """A record of an answer; one that came in several turns, or several times, holds no single text."""
    texts = fields(row.get("output")).get("raw")
    answer = texts[0] if isinstance(texts, list) and len(texts) == 1 else None
    task = known_task(row["evaluation_name"]) or canonical_task(row["evaluation_name"])
    return {**({"task": task} if task else {}), "id": row["sample_id"], "prediction": answer}


def _batch_reply(row: Row) -> Row:
    name = row["custom_id"]
    task, slash, key = name.partition("/") if isinstance(name, str) else ("", "", name)
    parts = {"task": task, "id": key} if slash and known_task(task) else {"id": name}
    return {**parts, "prediction": _reply(fields(row["response"]))}


def _reply(response: Row) -> Any:
    """The text of a reply; `None` where it has no answer."""
    status = response.get("status_code")
    choices = fields(response.get("body")).get("choices")
    choice = fields(choices[0]) if isinstance(choices, list) and choices else {}
    if (isinstance(status, JsonNumber) and status.text != "200") or choice.get("finish_reason") == "content_filter":
        return None
    return fields(choice.get("message")).get("content")


#: The shapes, in the order in which they are tried; the last fits any row.
SHAPES = (
    Shape(
        "lm-evaluation-harness samples",
        lambda row: isinstance(row.get("doc"), JsonObject) and ("resps" in row or "filtered_resps" in row),
        _sample,
        {"id": "'id' in its 'doc'", "output": "'output' in its 'doc'"},
        lambda row: row.get("filter"),
    ),
    Shape(
        "OpenAI batch replies",
        lambda row: "custom_id" in row and "response" in row and "prediction" not in row,
        _batch_reply,
        {"id": "'custom_id'"},
    ),
    Shape(
        "Every Eval Ever samples",
        lambda row: {"sample_id", "evaluation_name", "interaction_type"} <= row.keys(),
        _eee_sample,
        {"id": "'sample_id'"},
    ),
    Shape(
        "LongBench rows",
        lambda row: ("pred" in row or {"_id", "answers"} <= row.keys()) and "prediction" not in row,
        _longbench,
        {"id": "'_id' or 'id'", "references": "'answers'"},
        carries=True,
    ),
    Shape(
        "L-Eval rows",
        lambda row: "gt" in row and sum(key.endswith("_pred") for key in row) == 1,
        _l_eval,
        {"references": "'gt'"},
        carries=True,
    ),
    Shape("JSONL rows", lambda _: True, lambda row: row),
)


def read_json(stream: IO[bytes], file: ReadFile) -> Found:
    """Every id of every task as an entry."""
    data = stream.read(limits.MAX_WHOLE + 1)
    if len(data) > limits.MAX_WHOLE:
        raise UnusableInput(f"the file is larger than {limits.size(limits.MAX_WHOLE)}")
    if not data.strip():
        raise UnusableInput(EMPTY)
    value = parse(decode(data))
    if not isinstance(value, JsonObject):
        raise UnusableInput(f"the file holds {kind(value)}; it must hold {{id: …}} or {{task: {{id: …}}}}")
    if is_inspect_log(value):
        file.format = "Inspect log"
        yield from read_samples(value, dict(value)["samples"], file)
        return
    if {"evaluation_id", "evaluation_results"} <= dict(value).keys():
        message = "a record of Every Eval Ever holds scores; the answers are in its _samples.jsonl"
        yield Problem("not-read", message, place=Place(file.name), is_error=False)
        return
    by_task = _is_by_task(value, file)
    file.format = "JSON, all tasks" if by_task else "JSON, one task"
    place = Place(file.name)
    for task, entries in value if by_task else [(file.task, value)]:
        if not isinstance(entries, JsonObject):
            message = f"a task holds {kind(entries)}; it must hold {{id: …}}"
            yield file.unreadable(message, None, task, detail=task)
        elif not entries:
            yield Nothing(task, place)
        else:
            yield from (Entry(task, key, text, place, file.split) for key, text in entries)


def _is_by_task(value: JsonObject, file: ReadFile) -> bool:
    """Whether the keys are tasks: a value is an object, and a key is a task, or like one if the file names none."""
    if not any(isinstance(entries, JsonObject) for _, entries in value):
        return False
    names = [key for key, _ in value[:100]]
    if any(map(known_task, names)):
        return True
    return not known_task(file.task) and any(did_you_mean(name, TASK_NAMES) for name in names)


def read_jsonl(stream: IO[bytes], file: ReadFile) -> Found:
    """Every line as an entry, in the shape of the first readable one; an empty file is a task without answers.

    Of several rows for one answer, those of the first variant in the file are read.
    """
    head = file.head
    refuse_binary(head)
    stream.seek(len(_MARK) if head.startswith(_MARK) else 0)
    shape: Shape | None = None
    empty, variant, variants_reported = True, None, False
    for number, line in enumerate(iter(partial(_line, stream), b""), 1):
        if not line.strip():
            continue
        empty = False
        try:
            row = _row(line)
        except UnusableInput as error:
            yield file.unreadable(error.message, number, file.task, detail=error.detail)
            continue
        if shape is None:
            shape = (
                _mapped(file.columns)
                if file.columns
                else next(candidate for candidate in SHAPES if candidate.fits(row))
            )
            file.format, file.header, variant = shape.format, tuple(row), shape.variant(row)
        if not shape.fits(row):
            message = f"the row is not like the first, one of {shape.format}; put each kind into its own file"
            yield file.unreadable(message, number, file.task, detail=_keys(row))
        elif shape.variant(row) == variant:
            yield _entry(row, shape, number, file)
        elif not variants_reported:
            variants_reported = True
            message = "the file holds every answer once for each filter; those of its first filter are read"
            yield Problem("filters", message, known_task(file.task), place=Place(file.name, number), is_error=False)
    if empty and not known_task(file.task):
        raise UnusableInput(EMPTY)
    if empty:
        yield Nothing(file.task, Place(file.name))


def _mapped(columns: Mapping[str, str]) -> Shape:
    """The shape of rows whose fields the user has named."""
    return Shape(
        "JSONL rows",
        lambda _: True,
        lambda row: {ours: row[theirs] for ours, theirs in columns.items() if theirs in row},
        {ours: repr(theirs) for ours, theirs in columns.items()},
    )


def _line(stream: IO[bytes]) -> bytes:
    """The next line; one that is too long is cut just beyond the limit."""
    line = rest = stream.readline(limits.MAX_LINE_BYTES + 1)
    while rest and not rest.endswith(b"\n"):
        rest = stream.readline(limits.MAX_LINE_BYTES)
    return line


def _row(line: bytes) -> Row:
    if len(line) > limits.MAX_LINE_BYTES:
        raise UnusableInput(f"the line is longer than {limits.size(limits.MAX_LINE_BYTES)}")
    value = parse(decode(line).strip(" \t\r\n"))
    if not isinstance(value, JsonObject):
        raise UnusableInput(f"the line holds {kind(value)}; a row is one JSON object")
    row = dict(value)
    if len(row) < len(value):
        raise UnusableInput("the row has a key twice; keep one")
    return row


def _entry(row: Row, shape: Shape, number: int, file: ReadFile) -> Entry | Problem:
    plain = shape.plain(row)
    task, key = plain.get("task", file.task), next((key for key in file.keys if key in plain), None)
    if key is not None and "id" in plain:
        document = document_of_row(task, plain) if key == "output" else None
        return Entry(task, plain["id"], plain[key], Place(file.name, number), file.split, document)
    if key == "references" and shape.carries:
        return Entry(task, str(number), plain[key], Place(file.name, number), file.split)
    wanted = file.keys if "id" in plain else ("id",)
    lacking = "the row has no " + " or ".join(shape.named.get(name, f"'{name}'") for name in wanted)
    if "pid" in plain and "id" not in plain:
        lacking += "; its 'pid' names one of the example's references, not the example"
    if shape.carries and "id" not in plain:
        lacking += "; add the id of each example, or give this file as the references too, since its rows hold them"
    problem = file.unreadable(lacking, number, task, plain.get("id"), _keys(row))
    if key is None:
        return problem
    carried = plain.get("references") if shape.carries else None
    entry = Entry(task, plain.get("pid"), plain[key], Place(file.name, number), references=carried)
    return file.salvaged(problem, entry, "pid" if "pid" in plain else "no-id")


def _keys(row: Row) -> str:
    return short(f"its keys: {', '.join(row)}" if row else "it has no keys")
