"""The view of the concordance index: the slopes of a permutation, or what keeps an answer from being one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from .markup import NOTHING, cut, html, join
from .why_charts import slopes

_FAULTS = {"missing": "missing", "repeated": "repeated", "not in the list": "foreign"}


def concordance_index(explanation: Mapping[str, Any], longest: int) -> Markup:
    """The chart with the count of pairs in order; of a non-permutation the ids at fault, and what was meant."""
    view = explanation["view"]
    if not view["permutation"]:
        return _not_a_permutation(view, longest)
    title = f"{view['in_order']:,} of {view['pairs']:,} pairs in order"
    drawn = _chart(view, view["order"], title) or html('<p class="zs-soft">Read: {}</p>', _ids(view["order"], longest))
    return html("<h4>{}</h4>{}", title, drawn)


def _not_a_permutation(view: Mapping[str, Any], longest: int) -> Markup:
    faults = ((name, view[key]) for name, key in _FAULTS.items() if view[key])
    items = [html("<li><strong>{}</strong>: {}</li>", name, _ids(ids, 240)) for name, ids in faults]
    items += [_fused(piece) for piece in view["fused"][:6]]
    would, meant = view["would_be"], NOTHING
    if would:
        told = html('<p class="zs-soft">Read as {}: {:.4f}</p>', would["how"], would["score"])
        drawn = _chart(view, would["order"], would["how"]) or html("<p>{}</p>", _ids(would["order"], longest))
        meant = html("<h4>The order that was meant, perhaps</h4>{}{}", told, drawn)
    return html(
        '<h4>Not a permutation of the ids</h4><ul class="zs-list">{}</ul>{}',
        join(items),
        meant,
    )


def _chart(view: Mapping[str, Any], order: Sequence[int], told: str) -> Markup:
    return NOTHING if view["truth"] is None else slopes(view["truth"], order, told)


def _fused(piece: Mapping[str, Any]) -> Markup:
    return html(
        "<li><code>{}</code> was read as <strong>{}</strong>: what stands between the numbers is deleted</li>",
        cut(piece["text"], 60),
        piece["read"],
    )


def _ids(ids: Sequence[int], longest: int) -> str:
    return cut(", ".join(map(str, ids)), longest)
