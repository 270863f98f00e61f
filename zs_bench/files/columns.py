"""What the columns of tables and the fields of rows are called that hold id, answer, task, references or a score."""

from collections.abc import Iterable, Mapping
from typing import Any

from zs_bench.errors import UnknownColumns
from zs_bench.files.json_text import JsonNumber, fields
from zs_bench.problems import short
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
        ours_first = ours == "references" or (names and names[0].strip().lower() == ours)
        if len(names) > 1 and not ours_first and ours != "task":
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
    for field in score_columns(row, {"score": named}, others):
        if number := _number(row[field]):
            return field, number
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
