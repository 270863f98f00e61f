"""The shapes of a JSONL row: this project's own, and those other tools write, each turned into it by a small function.

| format | id | answer | reference |
|---|---|---|---|
| lm-evaluation-harness samples | `id` of `doc` | `filtered_resps`, else `resps` | `output` of `doc` |
| OpenAI batch replies | `custom_id`, `<task>/<id>` | `content` of the first choice | |
| LongBench rows | `_id`, else `id` | `pred` | `answers` |
| JSONL rows | `id` | `prediction` | `output` or `references` |

The harness (`samples_<task>_<time>.jsonl`) keeps the data's row as `doc`; its lists of responses are read when one text
stands in them. It writes a row per filter of the task; those of the first filter in the file are read. Its `target` is
a text made of whatever the reference was, so it is not taken for one. LongBench's own script writes no id. A batch
reply that is an error, or that a filter withheld, holds no answer, whatever text it has.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from zs_bench.files.entries import known_task
from zs_bench.files.json_text import JsonNumber, JsonObject

Row = Mapping[str, Any]


class Shape(NamedTuple):
    """How rows of a format look.

    Attributes:
        plain: the row in this project's own shape, with only the fields that it has.
        named: for messages, what this format has in place of our keys.
        variant: of several rows for one answer, which one it is.
    """

    format: str
    fits: Callable[[Row], bool]
    plain: Callable[[Row], Row]
    named: Mapping[str, str] = {}
    variant: Callable[[Row], Any] = lambda _: None


def shape_of(row: Row) -> Shape:
    """The first shape that fits the row; the last fits any.

    >>> shape_of({"pred": "yes", "answers": ["yes"]}).format
    'LongBench rows'
    """
    return next(shape for shape in SHAPES if shape.fits(row))


def _is_sample(row: Row) -> bool:
    return isinstance(row.get("doc"), JsonObject) and ("resps" in row or "filtered_resps" in row)


def _sample(row: Row) -> Row:
    doc = dict(row["doc"])
    answer = row["filtered_resps"] if "filtered_resps" in row else row["resps"]
    kept = {key: doc[key] for key in ("id", "input", "output") if key in doc}
    return {**kept, "prediction": _only(answer)}


def _only(value: Any) -> Any:
    """What stands alone in lists in lists; a list of several is left as it is, and no answer."""
    while type(value) is list and len(value) == 1:
        value = value[0]
    return value


def _is_longbench(row: Row) -> bool:
    return "pred" in row and "prediction" not in row


def _longbench(row: Row) -> Row:
    names = {"task": "task", "id": "_id" if "_id" in row else "id", "prediction": "pred", "references": "answers"}
    return {ours: row[theirs] for ours, theirs in names.items() if theirs in row}


def _is_batch_reply(row: Row) -> bool:
    return "custom_id" in row and "response" in row and "prediction" not in row


def _batch_reply(row: Row) -> Row:
    name = row["custom_id"]
    task, slash, key = name.partition("/") if isinstance(name, str) else ("", "", name)
    known = known_task(task) if slash else None
    return {**({"task": known} if known else {}), "id": key if known else name, "prediction": _reply(row["response"])}


def _reply(response: Any) -> Any:
    """The text of a reply; `None` where it has no answer."""
    fields = _fields(response)
    status = fields.get("status_code")
    choices = _fields(fields.get("body")).get("choices")
    choice = _fields(choices[0]) if isinstance(choices, list) and choices else {}
    if (isinstance(status, JsonNumber) and status.text != "200") or choice.get("finish_reason") == "content_filter":
        return None
    return _fields(choice.get("message")).get("content")


def _fields(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, JsonObject) else {}


_SAMPLE_NAMES = {"id": "'id' in its 'doc'", "output": "'output' in its 'doc'"}
_LONGBENCH_NAMES = {"id": "'_id' or 'id'", "references": "'answers'"}

#: The shapes, in the order in which they are tried.
SHAPES = (
    Shape("lm-evaluation-harness samples", _is_sample, _sample, _SAMPLE_NAMES, lambda row: row.get("filter")),
    Shape("OpenAI batch replies", _is_batch_reply, _batch_reply, {"id": "'custom_id'"}),
    Shape("LongBench rows", _is_longbench, _longbench, _LONGBENCH_NAMES),
    Shape("JSONL rows", lambda _: True, lambda row: row),
)
