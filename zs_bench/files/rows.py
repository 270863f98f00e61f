"""Rows, from whatever file, in the shape of this project or in one that other tools write.

| format | id | answer | reference |
|---|---|---|---|
| lm-evaluation-harness samples | `id` of `doc` | `filtered_resps`, else `resps` | `output` of `doc` |
| OpenAI batch replies | `custom_id`, `<task>/<id>` | `content` of the first choice | |
| Every Eval Ever samples | `sample_id` | `raw` of `output` | |
| LongBench rows | `_id`, else `id`, else by order | `pred` | `answers` |
| L-Eval rows | by order | `<model>_pred` | `gt` |
| any others | `id`, else `pid` of an answer | `prediction` | `output` or `references` |

The fields of the last, and the columns of tables, may have other usual names (`USUAL`).

The harness (`samples_<task>_<time>.jsonl`) keeps the data's row as `doc`; a list of responses is read if it holds one
text. It writes a row per filter of the task; by default those of the first in the file are read. Its `target` is the
reference converted to a text, so it is not used. A batch reply that is an error, or that a filter withheld, holds no
answer, whatever text it has.

The scripts of LongBench and L-Eval write no id, but the references beside each prediction. As references, such rows get
their line as id; as predictions, they are matched by order where each carries the references of its place.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from zs_bench.benchmarks import Benchmark
from zs_bench.errors import UnknownColumns, UnusableInput
from zs_bench.files.entries import Entry, Found, ReadFile, canonical_task, known_task
from zs_bench.files.json_text import JsonNumber, JsonObject, fields, first, with_whole_numbers, written
from zs_bench.problems import Place, Problem, short
from zs_metric.texts import clean_text

#: What tools call them in lowercase, the likeliest first; the first name is ours.
USUAL = {
    "id": "id _id example_id question_id qid query_id key",
    "prediction": "prediction predicted_answer pred output response completion generation answer model_output "
    "generated_text",
    "references": "output references reference answers answer target gold",
    "task": "task task_name dataset",
    "score": "score f1 acc accuracy exact_match em rouge rougel",
}
# The grades of Inspect, as numbers.
_GRADES = {"C": "1", "P": "0.5", "I": "0", "N": "0"}
_HOLDS = {"id": "the IDs", "prediction": "the answers", "references": "the references"}


def likely_columns(header: Iterable[str]) -> dict[str, list[str]]:
    """The columns that may hold each, the likeliest first.

    A row with `input` or `pid` is one of the data, whose `output` is a reference and no answer.

    >>> likely_columns(["QID", "response", "input", "output"])["prediction"]
    ['response']
    """
    by_name = {name.strip().lower(): name for name in reversed(list(header))}
    likely = {ours: [by_name[name] for name in names.split() if name in by_name] for ours, names in USUAL.items()}
    if not by_name.keys().isdisjoint({"input", "pid"}):
        likely["prediction"] = [name for name in likely["prediction"] if name.strip().lower() != "output"]
    return likely


def guess_columns(header: Iterable[str]) -> dict[str, str]:
    """The columns that probably hold `id`, `prediction` and `task`, without those for which none is likely.

    >>> guess_columns(["QID", "question", "response"])
    {'id': 'QID', 'prediction': 'response'}
    """
    likely = likely_columns(header)
    return {ours: likely[ours][0] for ours in ("id", "prediction", "task") if likely[ours]}


def find_columns(header: Iterable[str], named: Mapping[str, str], text: str = "prediction") -> dict[str, str]:
    """The columns that hold `id`, the text (`prediction` or `references`) and `task`, without those that are not there.

    They are those that the user has `named`, else those of our names, else the only likely one. Raises
    `UnknownColumns` where several are likely.
    """
    header = list(header)
    likely, found = likely_columns(header), dict[str, str]()
    answers = [named["prediction"]] if "prediction" in named else likely["prediction"]
    if text == "references" and len(answers) == 1 and len(likely[text]) > 1:  # `output` may be either
        likely[text] = [name for name in likely[text] if name not in answers]
    for ours in ("id", text, "task"):
        names = [named[ours]] * (named[ours] in header) if ours in named else likely[ours]
        if len(names) > 1 and ours in ("id", "prediction") and names[0].strip().lower() != ours:
            both = " and ".join(repr(short(clean_text(name, "header"))) for name in names[:2])
            raise UnknownColumns(f"{both} may both hold {_HOLDS[ours]}. Say which one does")
        if names:
            found[ours] = names[0]
    return found


def unknown_columns(header: Iterable[str], named: Mapping[str, str], text: str = "prediction") -> UnknownColumns:
    """The error of columns or fields of which none is known to hold the text, or none the ids."""
    header = list(header)
    shown = repr(short(clean_text(",".join(header[:10]), "header")))
    if lacking := [repr(short(name)) for name in named.values() if name not in header]:
        return UnknownColumns(f"there is no column {' and no '.join(lacking)}; the columns are {shown}")
    if text == "prediction" and {"input", "output"} <= {name.lower() for name in header}:
        return UnknownColumns(f"these are rows of the data, with input and output, and no answers: {shown}")
    held = find_columns(header, named, text)
    what = " and none ".join(_HOLDS[ours] for ours in ("id", text) if ours not in held)
    return UnknownColumns(f"no column is known to hold {what}; the columns are {shown}")


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


def score_columns(header: Iterable[str], named: Mapping[str, str], others: Iterable[str] = ()) -> list[str]:
    """The columns that may hold a recorded score, the likeliest first."""
    by_name = {name.strip().lower(): name for name in header}
    names = (named.get("score", ""), *USUAL["score"].split(), *others)
    return [by_name[name.lower()] for name in names if name.lower() in by_name]


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
    """

    format: str
    plain: Callable[[Row, Benchmark], Row | None]
    carries: bool = False
    variant: str | None = None


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
    if "custom_id" not in row or "response" not in row or "prediction" in row:
        return None
    name, response = row["custom_id"], fields(row["response"])
    task, slash, id_ = name.partition("/") if isinstance(name, str) else ("", "", name)
    status, choice = response.get("status_code"), first(fields(response.get("body")).get("choices"))
    failed = isinstance(status, JsonNumber) and status.text != "200"
    withheld = failed or choice.get("finish_reason") == "content_filter"
    answer = None if withheld else fields(choice.get("message")).get("content")
    ids = {"task": task, "id": id_} if slash and known_task(task, benchmark) else {"id": name}
    return {**ids, "prediction": answer}


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
    names = {"task": "task", "id": "_id" if "_id" in row else "id", "prediction": "pred", "references": "answers"}
    return {ours: row[theirs] for ours, theirs in names.items() if theirs in row}


def _l_eval_row(row: Row, _: Benchmark) -> Row | None:
    predictions = [key for key in row if key.endswith("_pred")]
    if "gt" not in row or len(predictions) != 1:
        return None
    return {"prediction": row[predictions[0]], "references": row["gt"]}


#: The shapes of other tools, in the order in which they are tried.
SHAPES = (
    Shape("lm-evaluation-harness samples", _harness_sample, variant="filter"),
    Shape("OpenAI batch replies", _batch_reply),
    Shape("Every Eval Ever samples", _eee_sample),
    Shape("LongBench rows", _longbench_row, carries=True),
    Shape("L-Eval rows", _l_eval_row, carries=True),
)


def read_rows(rows: Rows, file: ReadFile, container: str) -> Found:
    """Every row as an entry, in the shape of the first readable one; `container` names the format of others.

    Of several rows for one answer, those of the first variant in the file are read.
    """
    shape: Shape | None = None
    read, seen, said = file.columns.get("filter"), dict[str, None](), set[str]()
    for number, row in rows:
        if isinstance(row, UnusableInput):
            yield file.unreadable(row.message, number, file.task, detail=row.detail)
            continue
        if shape is None:
            shapes = () if file.named(row).keys() - {"filter", "score"} else SHAPES
            file.header, file.first = tuple(row), tuple(map(str, row.values()))
            shape = next((each for each in shapes if each.plain(row, file.benchmark) is not None), None)
            shape = shape or _own(row, file, container)
            file.format = shape.format
        plain = shape.plain(row, file.benchmark)
        if plain is None:
            message = f"the row is not like the first, one of {shape.format}; put each kind into its own file"
            yield file.unreadable(message, number, file.task, detail=_keys(row))
            continue
        if shape.variant:
            name = written(row.get(shape.variant)) or ""
            read = name if read is None else read
            seen[name] = None
            for kind, message in _on_filters(row, read, seen).items():
                if kind not in said:
                    said.add(kind)
                    task = known_task(file.task, file.benchmark)
                    yield Problem("filters", message, task, place=file.place(number), is_error=False)
            if name != read:
                continue
        yield _entry(row, plain, shape, file.place(number), file)
    if seen and read not in seen:
        found = f"no row has the filter {read!r}; the filters are {', '.join(map(repr, seen))}"
        yield file.unreadable(found, None, file.task)


def _on_filters(row: Row, read: str, seen: Iterable[str]) -> dict[str, str]:
    """The messages about several filters, of which one is read, and about several answers of the model."""
    messages, others = {}, [name for name in seen if name != read]
    if read in seen and others:
        messages["filters"] = (
            f"the file holds every answer once for each filter; those of {read!r} are read, "
            f"those of {others[0]!r} with --filter {others[0]}"
        )
    answers = _lone(row.get("resps"))
    if type(answers) is list and answers and all(isinstance(text, str) for text in answers):
        messages["repeats"] = f"the model answered {len(answers)} times; the answer that the filter kept is read"
    return messages


def _own(row: Row, file: ReadFile, container: str) -> Shape:
    """The shape of rows like this one, of no other tool; raises `UnknownColumns` if it has no text."""
    named = file.named(row)
    names = find_columns(row, named, file.text)
    if file.text not in names and not file.has_inputs:
        raise unknown_columns(row, named, file.text)
    task = names.get("task", "task")

    def plain(row: Row, benchmark: Benchmark) -> Row:
        ours = {ours: row[theirs] for ours, theirs in names.items() if theirs in row}
        if task.lower() != "task" and task not in named.values() and not canonical_task(row.get(task), benchmark):
            ours.pop("task", None)  # the name of something else
        if "id" not in ours and "pid" in row and file.text == "prediction":
            ours["id"] = row["pid"]
        return ours

    return Shape(f"{container} rows", plain)


def _entry(row: Row, plain: Row, shape: Shape, place: Place, file: ReadFile) -> Entry | Problem:
    task, references = plain.get("task"), file.text == "references"
    text = "output" if references and "references" not in plain else file.text
    recorded = None if references else _recorded(row, file)
    if "id" in plain and (text in plain or file.has_inputs):
        input_ = file.benchmark.fields.get("input", "input")
        given, data = row if input_ in row else plain, None
        if references and input_ in given:
            data = {name: with_whole_numbers(value) for name, value in given.items()} | {"input": given[input_]}
        return Entry(task, plain["id"], plain.get(text), place, file.split, data, recorded=recorded)
    if text in plain and references and shape.carries:
        return Entry(task, str(place.row), plain[text], place, file.split)
    names = ["id"] if text in plain or "id" not in plain else ["output", "references"] if references else [file.text]
    lacking = "the row has no " + " or ".join(repr(file.named(row).get(name, name)) for name in names)
    if shape.carries and "id" not in plain:
        lacking += "; add the id of each example, or give this file as the references too, since its rows hold them"
    fault = file.unreadable(lacking, place.row, task or file.task, plain.get("id"), _keys(row))
    if text not in plain or references:
        return fault
    return Entry(task, None, plain[text], place, references=plain.get("references"), fault=fault, recorded=recorded)


def _recorded(row: Row, file: ReadFile) -> tuple[str, str] | None:
    metrics = row.get("metrics")  # of the harness
    names = [name for name in metrics if isinstance(name, str)] if type(metrics) is list else []
    return recorded_score({**fields(row.get("evaluation")), **row}, file.named(row).get("score", ""), names)


def _keys(row: Row) -> str:
    return short(f"its keys: {', '.join(row)}" if row else "it has no keys")
