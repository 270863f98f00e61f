"""The views of F1 and exact match: the words that are shared, and the normalisation step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from .markup import NOTHING, cut, html, join

_MOST_WORDS = 400


def f1(explanation: Mapping[str, Any], longest: int) -> Markup:
    """Precision and recall as the counts behind them, and what both metrics of words show."""
    view = explanation["view"]
    told = NOTHING
    if view["shared"]:
        told = html(
            '<p class="zs-sum">{} shared: precision {:.2f}, recall {:.2f}; F1 = 2 · P · R / (P + R) = '
            "<strong>{:.4f}</strong></p>",
            _count(view["shared"], "word"),
            view["precision"],
            view["recall"],
            explanation["score"],
        )
    return html("<h4>Words shared</h4>{}{}", _both(view), told) + _normalised(explanation, longest)


def exact_match(explanation: Mapping[str, Any], longest: int) -> Markup:
    """The words in which the answer differs from the nearest reference; it must equal one."""
    return html("<h4>Word by word</h4>{}", _both(explanation["view"])) + _normalised(explanation, longest)


def _normalised(explanation: Mapping[str, Any], longest: int) -> Markup:
    view = explanation["view"]
    texts = [view["answer"], *(step["text"] for step in view["steps"])]
    steps = [_step(step, before, longest) for step, before in zip(view["steps"], texts, strict=False)]
    first = html("<li><strong>as written</strong><code>{}</code></li>", cut(view["answer"], min(longest, 300)))
    return html(
        '{}<h4>The normalisation</h4><ol class="zs-steps">{}{}</ol>{}',
        typography(view, explanation["score"]),
        first,
        join(steps),
        _references(view["references"], view["best_reference"]),
    )


def typography(view: Mapping[str, Any], score: float) -> Markup:
    """The characters that cost points, and the score without them."""
    if view["lenient_score"] <= score + 0.005:
        return NOTHING
    items = join(
        html("<li><code>{}</code> {} is not <code>{}</code></li>", found["character"], found["name"], found["ascii"])
        if found["ascii"]
        else html("<li>{}, which cannot be seen</li>", found["name"])
        for found in view["typography"][:8]
    )
    return html(
        '<div class="zs-whatif"><h4>Typography that costs points: {:.4f} without</h4><ul>{}</ul></div>',
        view["lenient_score"],
        items,
    )


def _step(step: Mapping[str, Any], before: str, longest: int) -> Markup:
    if step["text"] == before:
        return html('<li><strong>{}</strong> <span class="soft">no change</span></li>', step["name"])
    return html(
        "<li><strong>{}</strong> {}<code>{}</code></li>",
        step["name"],
        _changes(step),
        cut(step["text"], min(longest, 300)) or "nothing",
    )


def _changes(step: Mapping[str, Any]) -> Markup:
    removed = [html("<del>{}</del>", cut(text, 40)) for text in step["removed"] if text.strip()]
    replaced = [html("<del>{}</del> → <ins>{}</ins>", cut(old, 40), cut(new, 40)) for old, new in step["replaced"]]
    changes = [*removed, *replaced]
    more = [f"and {len(changes) - 10:,} more"] if len(changes) > 10 else []
    return join([*changes[:10], *more], ", ")


def _both(view: Mapping[str, Any]) -> Markup:
    reference = view["reference_tokens"]
    best = NOTHING if reference is None else _tokens("Best reference", reference)
    return _tokens("Answer", view["answer_tokens"]) + best


def _tokens(title: str, tokens: Sequence[Mapping[str, Any]]) -> Markup:
    shown = join(
        (
            html('<mark class="hit">{}</mark>' if token["shared"] else "<span>{}</span>", token["token"])
            for token in tokens[:_MOST_WORDS]
        ),
        " ",
    )
    return html(
        '<p class="zs-tokens" tabindex="0"><span class="soft">{} ({} of {} shared)</span> {}{}</p>',
        title,
        sum(token["shared"] for token in tokens),
        len(tokens),
        shown or Markup('<span class="zs-none">no word is left</span>'),
        f" … {len(tokens):,} words in all" if len(tokens) > _MOST_WORDS else "",
    )


def _references(references: Sequence[Mapping[str, Any]], best: int) -> Markup:
    if len(references) < 2:
        return NOTHING
    items = join(
        html(
            "<li{}>{} <span class='soft'>{:.4f}{}</span></li>",
            Markup(' class="best"') if i == best else "",
            f"Reference {i + 1}" if reference["text"] is None else cut(reference["text"], 200),
            reference["score"],
            ", the best" if i == best else "",
        )
        for i, reference in enumerate(references)
    )
    return html('<h4>Against each reference</h4><ul class="zs-list">{}</ul>', items)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
