"""Rows, from whatever file, in the shape of this project or in one that other tools write.

| format | id | answer | reference |
|---|---|---|---|
| lm-evaluation-harness samples | `id` of `doc` | `filtered_resps`, else `resps` | `output` of `doc` |
| batch replies | `custom_id` or `key`, `<task>/<id>` | see `replies.py` | |
| Every Eval Ever samples | `sample_id` | `raw` of `output` | |
| LongBench rows | `_id`, else `id`, else by its references | `pred` | `answers` |
| L-Eval rows | by its references | `<model>_pred` | `gt` |
| any others | `id`, else `pid` of an answer | `prediction` | `output` or `references` |

The fields of the last, and the columns of tables, may have other usual names (`columns.USUAL`).

The harness (`samples_<task>_<time>.jsonl`) keeps the data's row as `doc`; a list of responses is read if it holds one
text. It writes a row per filter of the task (`_Filters`). Its `target` is the
reference converted to a text, so it is not used. A batch reply that is an error, or that a filter withheld, holds no
answer, whatever text it has.

The scripts of LongBench and L-Eval write no id, but the references beside each prediction: `rows_without_ids`.
References may also be the data of a task as its authors publish them: `raw_data`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from zs_bench.benchmarks import Benchmark
from zs_bench.errors import UnknownColumns, UnusableInput
from zs_bench.files import limits
from zs_bench.files.columns import (
    ALIASES,
    FIRST_ROWS,
    IDS,
    find_columns,
    likely_columns,
    on_other_references,
    on_unread,
    score_columns,
    unknown_columns,
)
from zs_bench.files.entries import Entry, Found, ReadFile
from zs_bench.files.json_text import JsonNumber, JsonObject, fields, with_whole_numbers, written
from zs_bench.files.names import canonical_task, known_task
from zs_bench.files.raw_data import peek, read_raw
from zs_bench.files.replies import choices_in, failure_of, read_batch_reply, stop_of
from zs_bench.files.rows_without_ids import facts_of, identity_of
from zs_bench.problems import Place, Problem, counted, short

# The grades of Inspect, as numbers.
_GRADES = {"C": "1", "P": "0.5", "I": "0", "N": "0"}


def recorded_score(row: Mapping[str, Any], named: str = "", others: Iterable[str] = ()) -> tuple[str, str] | None:
    """The score that a row has recorded: the name of its field, and the number as written.

    The field is that which the user `named`, else the first with a usual name, else the first of `others`.

    >>> recorded_score({"em": False, "F1": JsonNumber("66.7")})
    ('F1', '66.7')
    """
    for column in score_columns(row, {"score": named}, others):
        if number := _number(row[column]):
            return column, number
    return None


def _number(value: Any) -> str | None:
    """The number in a recorded value: a grade, a truth value, or that in an object."""
    if isinstance(value, JsonNumber):
        return value.text
    if isinstance(value, str | bool):
        return _GRADES.get(value, value) if isinstance(value, str) else str(int(value))
    inside = recorded_score(fields(value), "value", ["values"])
    return inside and inside[1]


Row = Mapping[str, Any]
#: The number of a row, and the row or why it cannot be read.
Rows = Iterable[tuple[int, Row | UnusableInput]]


class Shape(NamedTuple):
    """How rows of a format look.

    Attributes:
        plain: returns the row in this project's own shape, with only the fields that it has; `None` for a row of
            another format.
        carries: whether rows of predictions carry their references, by which rows without ids are matched.
        variant: the field that distinguishes several rows for one answer.
        answers: the field of the answers, where there may be others beside it.
        without_ids: the error of a file whose rows have no field that is known to hold their ids.
    """

    format: str
    plain: Callable[[Row, Benchmark], Row | None]
    carries: bool = False
    variant: str | None = None
    answers: str | None = None
    without_ids: UnknownColumns | None = None


def _harness_sample(row: Row, _: Benchmark) -> Row | None:
    if not isinstance(row.get("doc"), JsonObject) or not ("resps" in row or "filtered_resps" in row):
        return None
    answer = _lone(row["filtered_resps"] if "filtered_resps" in row else row["resps"])  # a list is not an answer
    names = {"id": "id", "input": "input", "output": "output", "references": "references", "outputs": "references"}
    return {**{names[key]: value for key, value in row["doc"] if key in names}, "prediction": answer}


def _lone(value: Any) -> Any:
    while type(value) is list and len(value) == 1:
        value = value[0]
    return value


def _batch_reply(row: Row, benchmark: Benchmark) -> Row | None:
    reply = read_batch_reply(row)
    if reply is None:
        return None
    task, slash, id_ = reply.id.partition("/") if isinstance(reply.id, str) else ("", "", reply.id)
    ids = {"task": task, "id": id_} if slash and known_task(task, benchmark) else {"id": reply.id}
    return {**ids, "prediction": reply.answer, "failed": reply.failed}


def _eee_sample(row: Row, benchmark: Benchmark) -> Row | None:
    """A record of an answer; one that came in several turns, or several times, holds no single text."""
    if not {"sample_id", "evaluation_name", "interaction_type"} <= row.keys():
        return None
    texts, task = fields(row.get("output")).get("raw"), canonical_task(row["evaluation_name"], benchmark)
    answer = texts[0] if isinstance(texts, list) and len(texts) == 1 else None
    return {**({"task": task} if task else {}), "id": row["sample_id"], "prediction": answer}


def _longbench_row(row: Row, _: Benchmark) -> Row | None:
    if not ("pred" in row or {"_id", "answers"} <= row.keys()) or "prediction" in row:
        return None
    id_, references = _longbench_fields(tuple(row))
    names = {"task": "task", "id": id_, "prediction": "pred", "references": references}
    return {ours: row[theirs] for ours, theirs in names.items() if theirs in row}


@lru_cache(64)
def _longbench_fields(names: tuple[str, ...]) -> tuple[str, str]:
    """The fields of ids and of references: those of LongBench, else the likely ones."""
    likely = likely_columns(names)
    ids = ["_id"] if "_id" in names else likely["id"] if "id" in names or len(likely["id"]) == 1 else []
    references = ["answers"] if "answers" in names else likely["references"]
    return next(iter(ids), "id"), next(iter(references), "answers")


def _l_eval_row(row: Row, _: Benchmark) -> Row | None:
    predictions = [key for key in row if key.endswith("_pred")]
    if "gt" not in row or len(predictions) != 1:
        return None
    return {"prediction": row[predictions[0]], "references": row["gt"]}


_LONGBENCH = Shape("LongBench rows", _longbench_row, carries=True, answers="pred")
#: The shapes of other tools, in the order in which they are tried.
SHAPES = (
    Shape("lm-evaluation-harness samples", _harness_sample, variant="filter"),
    Shape("batch replies", _batch_reply),
    Shape("Every Eval Ever samples", _eee_sample),
    _LONGBENCH,
    Shape("L-Eval rows", _l_eval_row, carries=True),
)


def read_rows(rows: Rows, file: ReadFile, container: str) -> Found:
    """Every row as an entry, in the shape of the first readable one; `container` names the format of others.

    Of several rows for one answer, those of the first variant in the file are read.
    """
    data, rows = peek(rows, file)
    yield from read_raw(data, rows, file) if data else _read_rows(rows, file, container)


def _read_rows(rows: Rows, file: ReadFile, container: str) -> Found:
    shape: Shape | None = None
    filters, first, several = _Filters(file.columns.get("filter")), list[Row](), 0
    for number, row in rows:
        if isinstance(row, UnusableInput):
            yield file.unreadable(row.message, number, file.task, detail=row.detail)
            continue
        if shape is None:
            file.header, file.first = tuple(row), tuple(map(str, row.values()))
            shape = _shape_of(row, file) or _own(row, file, container)
            file.format = shape.format
        first += [row] * (len(first) < FIRST_ROWS)
        plain = shape.plain(row, file.benchmark)
        if plain is None and (failed := _failed(row, file, number)):
            yield failed
            continue
        if plain is None:
            message = f"the row is not like the first, one of {shape.format}; put each kind into its own file"
            yield file.unreadable(message, number, file.task, detail=_keys(row))
            continue
        if shape.variant and not filters.takes(row, plain, shape.variant):
            continue
        several += choices_in(row) > 1
        entry = _entry(row, plain, shape, file.place(number), file)
        yield with_row(entry, row, file) if isinstance(entry, Entry) else entry
    if several:
        message = f"{counted(several, 'row')} with several choices; that of the lowest index is read"
        yield Problem("choices", message, known_task(file.task, file.benchmark), place=file.place(None), is_error=False)
    if shape and shape.answers:
        on_unread_ = on_unread if file.text == "prediction" else on_other_references
        yield from on_unread_(first, shape.answers, file.named(file.header), Place(file.name))
    if file.text == "prediction":
        yield from filters.problems(file)


class _Filters:
    """Which rows of a log are read that has one for each filter of every answer: by default those of the first filter.

    Logs without the names of filters (lm-evaluation-harness issue 2025) have the same responses in each of these rows.
    Their filters are called 1, 2, … here, and read only if the user says which.
    """

    def __init__(self, asked: str | None) -> None:
        self._asked, self._read = asked, asked
        self._first: dict[str, str] = {}
        self._counts, self._invalid, self._times = Counter[str](), Counter[str](), Counter[int]()
        self._is_named, self._repeats = True, 0

    def takes(self, row: Row, plain: Row, variant: str) -> bool:
        """Whether the row is one of those that are read."""
        name = written(row.get(variant)) or ""
        if variant not in row:
            self._is_named, same = False, hash(repr((row.get("doc"), row.get("resps"))))
            self._times[same] += 1
            name = str(self._times[same])
        self._read = name if self._read is None else self._read
        answer = written(plain.get("prediction")) or ""
        self._counts[name] += 1
        self._invalid[name] += answer == _INVALID
        self._first.setdefault(name, answer)
        texts = _lone(row.get("resps"))
        if type(texts) is list and texts and all(isinstance(text, str) for text in texts):
            self._repeats = self._repeats or len(texts)
        return name == self._read

    def problems(self, file: ReadFile) -> Found:
        """What is to be said of the filters, and of several answers of the model."""
        task, place = known_task(file.task, file.benchmark), file.place(None)
        names = [*self._counts]
        if names and self._read not in names:
            found = f"no row has the filter {self._read!r}; the filters are {', '.join(map(repr, names))}"
            yield file.unreadable(found, None, file.task)
        elif len(names) > 1:
            is_error = not (self._is_named or self._asked)
            file.filters = tuple(name for name in names if is_error or name != self._read)
            gives = "; ".join(map(self._gives, names))
            options = {name: f"--filter {name}{self._finds_most(name)}" for name in names}
            message = f"the file holds every answer once for each filter: {gives}. "
            if not is_error:
                others = " or ".join(option for name, option in options.items() if name != self._read)
                message += f"Those of {self._read!r} are read; for the others, say {others}"
            else:
                message += f"The log does not name its filters; say {' or '.join(options.values())}"
            yield Problem("filters", message, task, place=place, is_error=is_error)
        if self._repeats:
            message = f"the model answered {self._repeats} times; the answer that the filter kept is read"
            yield Problem("filters", message, task, place=place, is_error=False)

    def _gives(self, name: str) -> str:
        if invalid := self._invalid[name]:
            return f"{name!r} gives {_INVALID!r} for {invalid:,} of {counted(self._counts[name], 'answer')}"
        return f"{name!r} gives {short(self._first[name])!r} for the first"

    def _finds_most(self, name: str) -> str:
        """What is said of the filter that finds an answer where each of the others finds fewer."""
        others = [self._invalid[other] for other in self._counts if other != name]
        return ", which finds most answers" if self._invalid[name] < min(others) else ""


# What a filter of lm-evaluation-harness writes where it finds no answer.
_INVALID = "[invalid]"


def _shape_of(row: Row, file: ReadFile) -> Shape | None:
    """The shape of rows like this one, if another tool writes it and the user has named none of its fields.

    The names of fields of the benchmark are read beside those of the flat shapes, which carry references.
    """
    if (file.named(row).keys() & file.columns.keys()) - {"filter", "score"}:
        return None
    shape = next((each for each in SHAPES if each.plain(row, file.benchmark) is not None), None)
    if shape is _LONGBENCH and file.text == "prediction":
        _, references = _longbench_fields(tuple(row))
        file.beside = references if references in row and references != "answers" else ""
    names = {ours: theirs for ours, theirs in file.named(row).items() if ours not in ("filter", "score", "input")}
    if shape is None or not shape.carries or not names:
        return shape
    plain = shape.plain

    def with_own(row: Row, benchmark: Benchmark) -> Row | None:
        read, own = plain(row, benchmark), {ours: row[theirs] for ours, theirs in names.items() if theirs in row}
        return None if read is None and not own else {**(read or {}), **own}

    return shape._replace(plain=with_own, answers=names.get("prediction", shape.answers))


def _own(row: Row, file: ReadFile, container: str) -> Shape:
    """The shape of rows like this one, of no other tool; raises `UnknownColumns` if it has no text, or no named id."""
    named = file.named(row)
    names = find_columns(row, named, file.text)
    if (file.text not in names and not file.has_inputs) or named.get("id", "") not in ("", *row):
        raise unknown_columns(row, named, file.text)
    task, likely = names.get("task", "task"), likely_columns(row)
    other = "references" if file.text == "prediction" else "prediction"
    beside = [named[other]] if other in named else likely[other]
    carries = any(name not in names.values() for name in beside) and not file.has_inputs
    if carries and other == "references":
        names["references"] = file.beside = next(name for name in beside if name not in names.values())

    def plain(row: Row, benchmark: Benchmark) -> Row:
        ours = {ours: row[theirs] for ours, theirs in names.items() if theirs in row}
        if task.lower() != "task" and task not in named.values() and not canonical_task(row.get(task), benchmark):
            ours.pop("task", None)  # the name of something else
        if "id" not in ours and "pid" in row and file.text == "prediction":
            ours["id"] = row["pid"]
        if "references" in ours:
            ours["references"] = _with_aliases(ours["references"], row)
        return ours

    may_have_ids = not ("pid" in row or carries or file.has_inputs) and len(row) > len(names)
    without_ids = None if "id" in names or not may_have_ids else unknown_columns(row, named, file.text)
    return Shape(f"{container} rows", plain, carries, answers=names.get(file.text), without_ids=without_ids)


def _with_aliases(references: Any, row: Row) -> Any:
    """The references with the other names of the same answer, which are further references."""
    aliases = [row[name] for name in ALIASES if type(row.get(name)) is list]
    texts = references if type(references) is list else [references]
    return [*texts, *(text for each in aliases for text in each)] if any(aliases) else references


def _entry(row: Row, plain: Row, shape: Shape, place: Place, file: ReadFile) -> Entry | Problem:
    task, references = plain.get("task"), file.text == "references"
    text = "output" if references and "references" not in plain else file.text
    recorded, facts = None if references else _recorded(row, file), facts_of(row)
    found = Entry(task, None, plain.get(text), place, recorded=recorded, facts=facts)
    if not references:
        found = found._replace(references=plain.get("references"), stop=stop_of(row))
    if "id" in plain and (text in plain or file.has_inputs):
        input_ = file.benchmark.fields.get("input", "input")
        places, data = {input_, "context"} if file.has_inputs else {input_}, None
        given = plain if places.isdisjoint(row) else row
        if references and not places.isdisjoint(given):
            data = {name: with_whole_numbers(value) for name, value in given.items()}
            data |= {"input": given[input_]} if input_ in given else {}
        found = found._replace(id=plain["id"], split=file.split, data=data)
        if not references:
            failed = plain.get("failed") or (failure_of(row) if plain.get(text) is None else "")
            found = found._replace(failed=failed)
            if written(plain["id"]) in (str(place.row), str((place.row or 0) - 1)):  # perhaps not the id
                own = {name for name in row if name in IDS or row[name] is plain.get(text)}
                others = {name: value for name, value in short_fields(row).items() if name not in own}
                found = found._replace(others=others)
        return found
    if text in plain and references and shape.carries:
        identity = identity_of(plain[text], facts)
        id_ = None if identity else str(place.row)
        return found._replace(id=id_, split=file.split, identity=identity, references=plain[text])
    fields_ = short_fields(row).items()
    found = found._replace(others={name: value for name, value in fields_ if row[name] is not plain.get(text)})
    if shape.without_ids and text in plain and "id" not in plain:
        fault = file.unreadable(shape.without_ids.message, place.row, task or file.task)
        fault = replace(fault, kind="columns", family="", columns=shape.without_ids.columns)
        return found._replace(fault=fault, split=file.split if references else found.split)
    by_references = not references and text in plain and "id" not in plain
    if by_references and (identity := identity_of(plain.get("references"), facts)):
        return found._replace(identity=identity)
    names = ["id"] if text in plain or "id" not in plain else ["output", "references"] if references else [file.text]
    lacking = "the row has no " + " or ".join(repr(file.named(row).get(name, name)) for name in names)
    if shape.carries and "id" not in plain:
        lacking += ", nor references that would identify its question; add the id of each example"
    fault = file.unreadable(lacking, place.row, task or file.task, plain.get("id"), _keys(row))
    if text not in plain or references:
        return fault
    return found._replace(fault=fault)


def _failed(row: Row, file: ReadFile, number: int) -> Entry | None:
    """The entry of a failed request among answers of another shape; `None` for a row that does not say so."""
    failed, ids = failure_of(row), likely_columns(row)["id"]
    return Entry(None, row[ids[0]], None, file.place(number), failed=failed) if failed and ids else None


def short_fields(row: Row) -> dict[str, str]:
    """The texts and numbers of a row that may be its id, by their fields."""
    texts = ((name, written(value)) for name, value in row.items())
    return {name: text for name, text in texts if text and len(text) <= limits.MAX_ID}


def with_row(entry: Entry, row: Row, file: ReadFile) -> Entry:
    """The entry with the fields of its row that metrics of the benchmark ask for."""
    names = {name: file.benchmark.fields.get(name, name) for name in file.benchmark.asked()}
    asked = {name: with_whole_numbers(row[theirs]) for name, theirs in names.items() if theirs in row}
    asked = {name: float(value.text) if isinstance(value, JsonNumber) else value for name, value in asked.items()}
    return entry._replace(row=asked) if asked else entry


def _recorded(row: Row, file: ReadFile) -> tuple[str, str] | None:
    metrics = row.get("metrics")  # of the harness
    names = [name for name in metrics if isinstance(name, str)] if type(metrics) is list else []
    return recorded_score({**fields(row.get("evaluation")), **row}, file.named(row).get("score", ""), names)


def _keys(row: Row) -> str:
    return short(f"its keys: {', '.join(row)}" if row else "it has no keys")
