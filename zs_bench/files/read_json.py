"""JSON, one object for a task (`{id: value}`) or for several (`{task: {id: value}}`) or a log; JSONL, a row a line.

The rows of a JSONL file have the shape of this project's own, or one that other tools write:

| format | id | answer | reference |
|---|---|---|---|
| lm-evaluation-harness samples | `id` of `doc` | `filtered_resps`, else `resps` | `output` of `doc` |
| OpenAI batch replies | `custom_id`, `<task>/<id>` | `content` of the first choice | |
| Every Eval Ever samples | `sample_id` | `raw` of `output` | |
| LongBench rows | `_id`, else `id`, else by order | `pred` | `answers` |
| L-Eval rows | by order | `<model>_pred` | `gt` |
| JSONL rows | `id`, else `pid` of an answer | `prediction` | `output` or `references` |

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
from zs_bench.files.json_text import EMPTY, JsonNumber, JsonObject, decode, fields, first, kind, parse, refuse_binary
from zs_bench.files.read_inspect import read_samples
from zs_bench.inputs import document_of_row
from zs_bench.problems import Place, Problem, short
from zs_metric.errors import did_you_mean

_MARK = b"\xef\xbb\xbf"
Row = Mapping[str, Any]


class Shape(NamedTuple):
    """How rows of a format look.

    Attributes:
        plain: returns the row in this project's own shape, with only the fields that it has; `None` for a row of
            another format.
        carries: whether rows of predictions carry their references, by which rows without ids are matched.
        variant: the field that distinguishes several rows for one answer.
    """

    format: str
    plain: Callable[[Row], Row | None]
    carries: bool = False
    variant: str | None = None


def _harness_sample(row: Row) -> Row | None:
    if not isinstance(row.get("doc"), JsonObject) or not ("resps" in row or "filtered_resps" in row):
        return None
    answer = row["filtered_resps"] if "filtered_resps" in row else row["resps"]
    while type(answer) is list and len(answer) == 1:  # a longer list is not an answer
        answer = answer[0]
    return {**{key: value for key, value in row["doc"] if key in ("id", "input", "output")}, "prediction": answer}


def _batch_reply(row: Row) -> Row | None:
    if "custom_id" not in row or "response" not in row or "prediction" in row:
        return None
    name, response = row["custom_id"], fields(row["response"])
    task, slash, id_ = name.partition("/") if isinstance(name, str) else ("", "", name)
    status, choice = response.get("status_code"), first(fields(response.get("body")).get("choices"))
    failed = isinstance(status, JsonNumber) and status.text != "200"
    withheld = failed or choice.get("finish_reason") == "content_filter"
    answer = None if withheld else fields(choice.get("message")).get("content")
    return {**({"task": task, "id": id_} if slash and known_task(task) else {"id": name}), "prediction": answer}


def _eee_sample(row: Row) -> Row | None:
    """A record of an answer; one that came in several turns, or several times, holds no single text."""
    if not {"sample_id", "evaluation_name", "interaction_type"} <= row.keys():
        return None
    texts, task = fields(row.get("output")).get("raw"), canonical_task(row["evaluation_name"])
    answer = texts[0] if isinstance(texts, list) and len(texts) == 1 else None
    return {**({"task": task} if task else {}), "id": row["sample_id"], "prediction": answer}


def _longbench_row(row: Row) -> Row | None:
    if not ("pred" in row or {"_id", "answers"} <= row.keys()) or "prediction" in row:
        return None
    id_ = "_id" if "_id" in row else "id"
    return _renamed(row, {"task": "task", "id": id_, "prediction": "pred", "references": "answers"})


def _l_eval_row(row: Row) -> Row | None:
    predictions = [key for key in row if key.endswith("_pred")]
    if "gt" not in row or len(predictions) != 1:
        return None
    return {"prediction": row[predictions[0]], "references": row["gt"]}


def _renamed(row: Row, names: Mapping[str, str]) -> Row:
    return {ours: row[theirs] for ours, theirs in names.items() if theirs in row}


#: The shapes, in the order in which they are tried; the last fits any row.
SHAPES = (
    Shape("lm-evaluation-harness samples", _harness_sample, variant="filter"),
    Shape("OpenAI batch replies", _batch_reply),
    Shape("Every Eval Ever samples", _eee_sample),
    Shape("LongBench rows", _longbench_row, carries=True),
    Shape("L-Eval rows", _l_eval_row, carries=True),
    Shape("JSONL rows", lambda row: row),
)


def read_json(stream: IO[bytes], file: ReadFile) -> Found:
    """Every id of every task as an entry."""
    data = stream.read(limits.MAX_WHOLE + 1)
    if len(data) > limits.MAX_WHOLE:
        raise UnusableInput(f"the file is larger than {limits.size(limits.MAX_WHOLE)}")
    if not data.strip():
        raise UnusableInput(EMPTY)
    value, place = parse(decode(data)), Place(file.name)
    if not isinstance(value, JsonObject):
        raise UnusableInput(f"the file holds {kind(value)}; it must hold {{id: …}} or {{task: {{id: …}}}}")
    content = fields(value)
    if isinstance(content.get("eval"), JsonObject) and isinstance(content.get("samples"), list):
        file.format = "Inspect log"
        yield from read_samples(content, content["samples"], file)
        return
    if {"evaluation_id", "evaluation_results"} <= content.keys():
        message = "a record of Every Eval Ever holds scores; the answers are in its _samples.jsonl"
        yield Problem("not-read", message, place=place, is_error=False)
        return
    by_task = _is_by_task(value, file)
    file.format = "JSON, all tasks" if by_task else "JSON, one task"
    for task, entries in value if by_task else [(None, value)]:
        if not isinstance(entries, JsonObject):
            message = f"a task holds {kind(entries)}; it must hold {{id: …}}"
            yield file.unreadable(message, None, task, detail=task)
        elif not entries:
            yield Nothing(task or file.task)
        else:
            yield from (Entry(task, id_, text, place, file.split) for id_, text in entries)


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
    refuse_binary(file.head)
    stream.seek(len(_MARK) if file.head.startswith(_MARK) else 0)
    shape: Shape | None = None
    empty, variant, has_variants = True, None, False
    for number, line in enumerate(iter(partial(_line, stream), b""), 1):
        if not line.strip():
            continue
        empty, place = False, Place(file.name, number)
        try:
            row = _row(line)
        except UnusableInput as error:
            yield file.unreadable(error.message, number, file.task, detail=error.detail)
            continue
        if shape is None:
            named = Shape("JSONL rows", partial(_renamed, names=file.columns))
            shape = named if file.columns else next(shape for shape in SHAPES if shape.plain(row) is not None)
            file.format, file.header, variant = shape.format, tuple(row), row.get(shape.variant or "")
        plain = shape.plain(row)
        if plain is None:
            message = f"the row is not like the first, one of {shape.format}; put each kind into its own file"
            yield file.unreadable(message, number, file.task, detail=_keys(row))
        elif not shape.variant or row.get(shape.variant) == variant:
            yield _entry(row, plain, shape, place, file)
        elif not has_variants:
            has_variants = True
            message = "the file holds every answer once for each filter; those of its first filter are read"
            yield Problem("filters", message, known_task(file.task), place=place, is_error=False)
    if empty:
        if not known_task(file.task):
            raise UnusableInput(EMPTY)
        yield Nothing(file.task)


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


def _entry(row: Row, plain: Row, shape: Shape, place: Place, file: ReadFile) -> Entry | Problem:
    task, text = plain.get("task"), next((key for key in file.keys if key in plain), "")
    id_ = "pid" if "id" not in plain and "pid" in plain and text == "prediction" else "id"
    if text and id_ in plain:
        document = document_of_row(task or file.task, plain) if text == "output" else None
        return Entry(task, plain[id_], plain[text], place, file.split, document)
    if text == "references" and shape.carries:
        return Entry(task, str(place.row), plain[text], place, file.split)
    names = ["id"] if text or id_ not in plain else file.keys
    lacking = "the row has no " + " or ".join(repr(file.columns.get(name, name)) for name in names)
    if shape.carries and id_ not in plain:
        lacking += "; add the id of each example, or give this file as the references too, since its rows hold them"
    fault = file.unreadable(lacking, place.row, task or file.task, plain.get("id"), _keys(row))
    return Entry(task, None, plain[text], place, references=plain.get("references"), fault=fault) if text else fault


def _keys(row: Row) -> str:
    return short(f"its keys: {', '.join(row)}" if row else "it has no keys")
