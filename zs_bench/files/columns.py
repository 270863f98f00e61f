"""What the columns of tables and the fields of rows are called that hold id, answer, task or references."""

from collections.abc import Iterable, Mapping

from zs_bench.errors import UnknownColumns
from zs_bench.problems import short
from zs_metric.texts import clean_text

#: What tools call them in lowercase, the likeliest first; the first name is ours.
USUAL = {
    "id": "id _id example_id question_id qid query_id key",
    "prediction": "prediction predicted_answer pred output response completion generation answer model_output "
    "generated_text",
    "references": "output references reference answers answer target gold",
    "task": "task task_name dataset",
}
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
