"""The view of ROUGE: the three types, the geometric mean, and both texts with what they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from .markup import NOTHING, html, join, table
from .why_words import typography

TYPES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
# The positions of the switch: the class of its marks, its title, and its count in the data.
_KINDS = (
    ("u", "Words", "unigram"),
    ("b", "Pairs of words", "bigram"),
    ("l", "Longest common subsequence", "lcs"),
)


def rouge(explanation: Mapping[str, Any], longest: int) -> Markup:
    """All of it; the switch is three radio buttons and needs no script."""
    view = explanation["view"]
    heads = ("Type", "#Precision", "#Recall", "#F", "#Ref.")
    rows = [_type(name, part) for name, part in view["types"].items()]
    mean = view["geometric_mean"]
    factors = join((f"{value:.4f}" for value in mean["factors"].values()), " × ")
    return (
        table("ROUGE types", heads, rows)
        + html('<p class="zs-sum">∛({}) = <strong>{:.4f}</strong></p>', factors, mean["value"])
        + typography(view, explanation["score"])
        + _sides(view, longest)
        + _references(view["references"])
    )


def _type(name: str, part: Mapping[str, Any]) -> Markup:
    return html(
        '<tr><th scope="row">{}</th><td class="num">{:.2f}</td><td class="num">{:.2f}</td><td class="num">{:.4f}</td>'
        '<td class="num">{}</td></tr>',
        TYPES[name],
        part["precision"],
        part["recall"],
        part["fmeasure"],
        part["best_reference"] + 1,
    )


def _sides(view: Mapping[str, Any], longest: int) -> Markup:
    """The texts under their switch. `method="dialog"` outside of a dialog: the key Enter sends nothing anywhere."""
    winners = [
        _side(f"Reference {winner['reference'] + 1}, best for {_listed(winner['types'])}", winner, longest)
        for winner in view["winners"]
        if winner["text"] is not None
    ]
    return html(
        '<form class="zs-rouge" method="dialog"><fieldset><legend>Shared with the best reference</legend>{}</fieldset>'
        '<div class="zs-sides{}">{}{}</div></form>',
        join(_switch(view)),
        "" if winners else " alone",
        _side("Answer", view["answer"], longest),
        html("<div>{}</div>", join(winners)) if winners else NOTHING,
    )


def _switch(view: Mapping[str, Any]) -> Iterator[Markup]:
    for key, title, name in _KINDS:
        off = name == "lcs" and view["lcs_omitted"]
        yield html(
            '<label><input type="radio" name="kind" class="{}"{}{}> {} ({})</label>',
            key,
            Markup(" checked") if key == "u" else "",
            Markup(" disabled") if off else "",
            title,
            "not marked" if off else f"{view['answer']['shared'][name]:,}",
        )


def _listed(types: Sequence[str]) -> str:
    return "all three types" if len(types) == len(TYPES) else " and ".join(TYPES[name] for name in types)


def _side(title: str, side: Mapping[str, Any], longest: int) -> Markup:
    tokens = f"{side['words']:,} token{'' if side['words'] == 1 else 's'}"
    return html(
        '<div><h4>{} <small>{}</small></h4><p class="zs-text" tabindex="0">{}</p></div>',
        title,
        tokens,
        _marked_text(side, longest),
    )


def _marked_text(side: Mapping[str, Any], longest: int) -> Markup:
    """A text with its tokens marked by what they share; the switch decides which marks show."""
    text, end, pieces = side["text"], 0, []
    for start, stop, *flags in side["tokens"]:
        if stop > longest:
            break
        classes = " ".join(key for (key, _, _), flag in zip(_KINDS, flags, strict=True) if flag)
        if classes:
            pieces += [text[end:start], html('<mark class="{}">{}</mark>', classes, text[start:stop])]
            end = stop
    stop = max(end, longest)
    rest = text[end:stop] + (" …" if len(text) > stop else "")
    return join([*pieces, rest]) or Markup('<span class="zs-none">empty</span>')


def _references(references: Sequence[Mapping[str, Any]]) -> Markup:
    """What each reference gave; the table names only those that won."""
    if len(references) < 2:
        return NOTHING
    rows = [
        html(
            '<tr><th scope="row">{}</th><td class="num">{:,}</td>{}</tr>',
            i + 1,
            reference["words"],
            join(html('<td class="num">{:.2f}</td>', reference[name]) for name in TYPES),
        )
        for i, reference in enumerate(references)
    ]
    heads = ("Reference", "#Tokens", *(f"#{title}" for title in TYPES.values()))
    return html("<h4>Against each reference</h4>{}", table("Scores against each reference", heads, rows))
