"""An explanation without what its references say, for a report that may leave the house.

What is taken out is taken out of the data, before anything is drawn or written. The score and the marks on the answer
stay: who reads that an answer has 100 points, or which of its words are shared, learns that much about the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from zs_metric.explain.typography import to_ascii

_View = dict[str, Any]


def without_references(explanation: Mapping[str, Any]) -> dict[str, Any]:
    """The explanation (`zs_metric.explain`) without texts, letters, percentages and orders of references.

    They are `None` or empty in its view; its reason does not name them; of what-ifs whose answer is not a piece of the
    answer itself, since it was put together with the reference's help, only the change and the score are left.

    >>> from zs_metric.explain import explain
    >>> told = without_references(explain("space_digest", "55%", "60%"))
    >>> told["score"], told["reason"], told["view"]["truth"]
    (70.71067811865476, '55% was read', None)
    """
    metric = explanation["metric"]
    return {
        **explanation,
        "reason": _reason(metric, explanation["reason"]),
        "what_if": [*_what_if(metric, explanation)],
        "view": _VIEWS[metric](explanation["view"]),
    }


def _words(view: Mapping[str, Any]) -> _View:
    references = [{**reference, "text": None} for reference in view["references"]]
    return {**view, "reference_tokens": None, "reference_steps": [], "references": references}


def _rouge(view: Mapping[str, Any]) -> _View:
    return {**view, "winners": [{**winner, "text": None, "tokens": []} for winner in view["winners"]]}


def _accuracy(view: Mapping[str, Any]) -> _View:
    return {**view, "reference_letters": []}


def _exp_similarity(view: Mapping[str, Any]) -> _View:
    return {**view, "truth": None, "truths": []}


def _concordance_index(view: Mapping[str, Any]) -> _View:
    return {**view, "truth": None, "places": [], "discordant": []}


_VIEWS: Mapping[str, Callable[[Mapping[str, Any]], _View]] = {
    "f1": _words,
    "exact_match": _words,
    "rouge": _rouge,
    "accuracy": _accuracy,
    "exp_similarity": _exp_similarity,
    "concordance_index": _concordance_index,
}
# Where the scorer's reason begins to tell of the reference.
_TELLS = {"accuracy": ", not ", "exp_similarity": "; the reference is "}


def _reason(metric: str, reason: str | None) -> str | None:
    return reason and (reason.partition(_TELLS[metric])[0] if metric in _TELLS else reason)


def _what_if(metric: str, explanation: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    for change in explanation["what_if"]:
        own = metric not in ("f1", "exact_match", "rouge") or _is_piece(change["answer"], explanation["view"]["answer"])
        yield {**change, "answer": change["answer"] if own else None}


def _is_piece(text: str, answer: str | Mapping[str, Any]) -> bool:
    whole = answer if isinstance(answer, str) else answer["text"]
    return text in whole or text in to_ascii(whole)
