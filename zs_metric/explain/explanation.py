"""The explanation of one answer's score, as data: everything that a view or a page of text about it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..errors import UnreadableReference
from ..tasks import Task, find_task
from ..texts import clean_references, clean_text
from . import accuracy, concordance_index, exact_match, exp_similarity, f1, rouge
from .ledger import length_direction, losses
from .marks import TEXT_LIMIT, first_characters
from .readings import Reading, read_all
from .typography import to_ascii


class _Metric(NamedTuple):
    """What explains the answers of one metric."""

    view: Callable[[Reading], dict[str, Any]]
    repairs: Callable[[Reading], Iterator[tuple[str, str]]]


_METRICS: Mapping[str, _Metric] = {
    "rouge": _Metric(rouge.view, rouge.repairs),
    "f1": _Metric(f1.view, f1.repairs),
    "accuracy": _Metric(accuracy.view, accuracy.repairs),
    "exp_similarity": _Metric(exp_similarity.view, exp_similarity.repairs),
    "concordance_index": _Metric(concordance_index.view, concordance_index.repairs),
    "exact_match": _Metric(exact_match.view, exact_match.repairs),
}


def explain(
    task: str, prediction: str, references: str | Iterable[str], *, benchmark: str = "zero_scrolls"
) -> dict[str, Any]:
    """Why an answer has its score.

    Args:
        task: the task's name.
        prediction: the answer.
        references: the references, or one reference as a string.
        benchmark: whose task it is.

    Returns:
        JSON-able data. `task`, `metric`; `score`, `parsed`, `reason` as `score_example` gives them; `ledger`: the lost
        points by cause, `format`, `typography`, `length`, `content`, which add up to 100 minus the score (the rule is
        told in `ledger.py`); `length_direction`: "too long", "too short" or None; `what_if`: repaired answers that
        would have scored more, `{change, answer, score}`, the best first, scored by the same scorer and never mixed
        into the score; `view`: the data of the metric's view, told in its module. All scores are points, all offsets
        count characters of the answer (without lone surrogates, `texts.py`). A huge text or list is cut, and
        `view["omitted"]` says so.

    Raises:
        UnknownBenchmark, UnknownTask, NotAText, UnreadableReference: with the place.

    >>> explain("musique", "“Paris”", "Paris")["ledger"]
    {'format': 0.0, 'typography': 100.0, 'length': 0.0, 'content': 0.0}
    >>> [(repair["answer"], repair["score"]) for repair in explain("space_digest", "40", "40%")["what_if"]]
    [('40%', 100.0)]
    """
    reading = _read(find_task(task, benchmark=benchmark), prediction, references)
    view = _METRICS[reading.task.metric].view(reading)
    return {
        "task": reading.task.name,
        "metric": reading.task.metric,
        "score": reading.result.score,
        "parsed": _parsed(reading, view["omitted"]),
        "reason": reading.result.reason,
        "ledger": losses(reading).as_dict(),
        "length_direction": length_direction(reading),
        "what_if": _what_if(reading, view["omitted"]),
        "view": view,
    }


def _read(task: Task, prediction: str, references: str | Iterable[str]) -> Reading:
    texts = clean_references(references)
    try:
        return read_all(task, [clean_text(prediction, "prediction")], [texts])[0]
    except UnreadableReference as error:
        raise error.of_example(None) from None


def _parsed(reading: Reading, omitted: list[str]) -> Any:
    parsed = reading.result.parsed
    if isinstance(parsed, str):
        return first_characters(parsed, "what was read", omitted)
    if isinstance(parsed, tuple):
        return concordance_index.listed_ids(parsed, "ids that were read", omitted)
    return exp_similarity.finite(parsed)


def _repairs(reading: Reading) -> Iterator[tuple[str, str]]:
    """What could have been written instead: (the change, the answer)."""
    yield "typographic characters written in ASCII", to_ascii(reading.prediction)
    yield from _METRICS[reading.task.metric].repairs(reading)


def _what_if(reading: Reading, omitted: list[str]) -> list[dict[str, Any]]:
    """The repairs that score more than the answer does, the best first."""
    if len(reading.prediction) > TEXT_LIMIT:
        omitted.append(f"no repair is tried on an answer of more than {TEXT_LIMIT:,} characters")
        return []
    changes: dict[str, str] = {}
    for change, answer in _repairs(reading):
        changes.setdefault(answer, change)
    scores = reading.score_answers(list(changes))
    better = [
        {"change": change, "answer": answer, "score": score}
        for (answer, change), score in zip(changes.items(), scores, strict=True)
        if score > reading.result.score
    ]
    return sorted(better, key=lambda repair: -repair["score"])
