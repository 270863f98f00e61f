"""Why this score: what `zs_metric.explain` returns, drawn. Nothing is computed here but places on the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from .markup import html, join
from .why_charts import curve, slopes

LEDGER_WORDS = {
    "format": "format: not read as it was meant",
    "typography": "typography: quotes, dashes, accents",
    "length": "length",
    "content": "content",
}
FAULTS = {"missing": "missing", "repeated": "repeated", "not in the list": "foreign"}
_LONGEST_SHOWN = 6_000


def why(explanation: Mapping[str, Any]) -> Markup:
    """The ledger, the what-ifs and the view of the metric."""
    view = _VIEWS[explanation["metric"]](explanation)
    omitted = join(html('<p class="zs-soft">{}</p>', line) for line in explanation["view"]["omitted"])
    return html(
        '<section class="zs-why" aria-label="Why this score">{}{}{}{}</section>',
        ledger(explanation["score"], explanation["ledger"], explanation["length_direction"]),
        what_if(explanation["what_if"]),
        view,
        omitted,
    )


def ledger(score: float, parts: Mapping[str, float], direction: str | None = None) -> Markup:
    """The 100 points as one bar: what was scored, and what the rest was lost to."""
    lost = {name: value for name, value in parts.items() if value >= 0.005}
    pieces = [("score", score), *lost.items()]
    bar = join(html('<b class="{}" style="width:{:.2f}%"></b>', *piece) for piece in pieces)
    if not lost:
        return html('<div class="zs-ledger"><div class="bar" aria-hidden="true">{}</div></div>', bar)
    items = join(
        html('<li><i class="{}"></i>{:.2f} {}</li>', name, value, _lost_to(name, direction))
        for name, value in lost.items()
    )
    return html(
        '<div class="zs-ledger"><h4>{:.2f} points lost</h4><div class="bar" aria-hidden="true">{}</div>'
        "<ul>{}</ul></div>",
        sum(lost.values()),
        bar,
        items,
    )


def _lost_to(name: str, direction: str | None) -> str:
    return f"length: {direction}" if name == "length" and direction else LEDGER_WORDS[name]


def what_if(changes: Sequence[Mapping[str, Any]]) -> Markup:
    """The scores that repaired answers would have had; never part of the official one."""
    if not changes:
        return Markup("")
    items = join(
        html(
            "<li><strong>{:.4f}</strong> with {}: <q>{}</q></li>",
            change["score"],
            change["change"],
            _cut(change["answer"], 160),
        )
        for change in changes
    )
    return html('<div class="zs-whatif"><h4>It would have been</h4><ul>{}</ul></div>', items)


def _f1(explanation: Mapping[str, Any]) -> Markup:
    view = explanation["view"]
    rows = join(_step(step) for step in view["steps"])
    steps = html(
        '<div class="zs-scroll" tabindex="0" role="region" aria-label="Normalisation, step by step">'
        '<table class="zs-table">'
        "<thead><tr><th>Step</th><th>What it changed</th><th>The answer then</th></tr></thead>"
        "<tbody>{}</tbody></table></div>",
        rows,
    )
    typography = join(
        html(
            "<li><code>{}</code> {} stays in the token as <code>{}</code></li>",
            found["character"],
            found["name"],
            found["ascii"],
        )
        for found in view["typography"][:8]
    )
    costs = view["lenient_score"] > explanation["score"] + 0.005
    note = (
        html(
            '<div class="zs-whatif"><h4>Typography that costs points: {:.4f} without</h4><ul>{}</ul></div>',
            view["lenient_score"],
            typography,
        )
        if costs
        else Markup("")
    )
    return html(
        "<h4>Words shared</h4>{}{}<h4>The normalisation</h4>{}{}",
        _tokens("Answer", view["answer_tokens"]) + _tokens("Best reference", view["reference_tokens"]),
        note,
        steps,
        _references(view["references"], view["best_reference"]),
    )


def _step(step: Mapping[str, Any]) -> Markup:
    removed = [html("<del>{}</del>", text) for text in step["removed"][:12] if text.strip()]
    replaced = [html("<del>{}</del> → <ins>{}</ins>", *pair) for pair in step["replaced"][:6]]
    changes = join([*removed, *replaced], ", ") or Markup('<span class="soft">nothing</span>')
    return html(
        "<tr><th scope='row'>{}</th><td class='wrap'>{}</td><td class='wrap'><code>{}</code></td></tr>",
        step["name"],
        changes,
        _cut(step["text"], 400),
    )


def _tokens(title: str, tokens: Sequence[Mapping[str, Any]]) -> Markup:
    shown = join(
        (
            html('<mark class="hit">{}</mark>' if token["shared"] else "<span>{}</span>", token["token"])
            for token in tokens[:400]
        ),
        " ",
    )
    more = "" if len(tokens) <= 400 else f" … {len(tokens):,} words in all"
    count = sum(token["shared"] for token in tokens)
    return html(
        '<p class="zs-tokens"><span class="soft">{} ({} of {} shared)</span> {}{}</p>',
        title,
        count,
        len(tokens),
        shown or Markup('<span class="zs-none">nothing left</span>'),
        more,
    )


def _references(references: Sequence[Mapping[str, Any]], best: int) -> Markup:
    if len(references) < 2:
        return Markup("")
    items = join(
        html(
            "<li{}>{} <span class='soft'>{:.4f}{}</span></li>",
            Markup(' class="best"') if i == best else "",
            _cut(reference["text"], 200),
            reference["score"],
            ", the best" if i == best else "",
        )
        for i, reference in enumerate(references)
    )
    return html('<h4>Against each reference</h4><ul class="zs-list">{}</ul>', items)


_ROUGE_KINDS = (
    ("u", "Words", "unigram"),
    ("b", "Pairs of words", "bigram"),
    ("l", "Longest common subsequence", "lcs"),
)
_ROUGE_NAMES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}


def _rouge(explanation: Mapping[str, Any]) -> Markup:
    view = explanation["view"]
    rows = join(
        html(
            '<tr><th scope="row">{}</th><td class="num">{:.2f}</td><td class="num">{:.2f}</td>'
            '<td class="num">{:.4f}</td><td class="num">{}</td></tr>',
            _ROUGE_NAMES[name],
            part["precision"],
            part["recall"],
            part["fmeasure"],
            part["best_reference"] + 1,
        )
        for name, part in view["types"].items()
    )
    factors = join((f"{value:.4f}" for value in view["geometric_mean"]["factors"].values()), " × ")
    table = html(
        '<div class="zs-scroll" tabindex="0" role="region" aria-label="ROUGE types"><table class="zs-table"><thead><tr>'
        '<th>Type</th><th class="num">Precision</th><th class="num">Recall</th><th class="num">F-measure</th>'
        '<th class="num">Best reference</th></tr></thead><tbody>{}</tbody></table></div>'
        '<p class="zs-sum">∛({}) = <strong>{:.4f}</strong></p>',
        rows,
        factors,
        view["geometric_mean"]["value"],
    )
    switch = join(
        html(
            '<label><input type="radio" name="kind" class="{}"{}> {} ({})</label>',
            key,
            Markup(" checked") if key == "u" else "",
            title,
            view["answer"]["shared"][name],
        )
        for key, title, name in _ROUGE_KINDS
    )
    winners = join(
        _marked_text(f"Reference {w['reference'] + 1}, best for {', '.join(_ROUGE_NAMES[t] for t in w['types'])}", w)
        for w in view["winners"]
    )
    return table + html(
        '<form class="zs-rouge"><fieldset><legend>Shared with the best reference</legend>{}</fieldset>'
        '<div class="zs-sides">{}<div>{}</div></div></form>',
        switch,
        _marked_text("Answer", view["answer"]),
        winners,
    )


def _marked_text(title: str, side: Mapping[str, Any]) -> Markup:
    """A text with its tokens marked by what they share; the switch decides which marks show."""
    text, end, pieces = side["text"], 0, []
    for start, stop, *flags in side["tokens"]:
        if start > _LONGEST_SHOWN:
            break
        classes = " ".join(key for (key, _, _), flag in zip(_ROUGE_KINDS, flags, strict=True) if flag)
        token = html('<mark class="{}">{}</mark>', classes, text[start:stop]) if classes else text[start:stop]
        pieces += [html("{}", text[end:start]), html("{}", token)]
        end = stop
    rest = text[end : end + 200] + (" …" if len(text) > end + 200 else "")
    return html(
        '<div><h4>{} <small>{} words</small></h4><p class="zs-text" tabindex="0">{}{}</p></div>',
        title,
        f"{side['words']:,}",
        join(pieces),
        rest,
    )


def _accuracy(explanation: Mapping[str, Any]) -> Markup:
    view = explanation["view"]
    spans = [(found["start"], found["end"], "hit" if found["first"] else "faint") for found in view["letters"]]
    trap = (
        Markup('<p class="zs-soft">The first letter alone is the article “A”: the evaluator reads option A.</p>')
        if view["article_trap"]
        else Markup("")
    )
    return html(
        '<h4>The letter read, and the others</h4><p class="zs-text">{}</p>{}<p class="zs-soft">Reference: {}</p>',
        _with_spans(view["answer"], spans),
        trap,
        ", ".join(view["reference_letters"]),
    )


def _exp_similarity(explanation: Mapping[str, Any]) -> Markup:
    view = explanation["view"]
    would = view["would_be"]
    spans = [(*view["span"], "hit")] if view["span"] else [(would["start"], would["end"], "faint")] if would else []
    would_text = (
        html(
            '<p class="zs-soft">A reader would see {:g}% ({}); the evaluator reads digits directly followed by %.</p>',
            would["value"],
            would["how"],
        )
        if would
        else Markup("")
    )
    return html(
        '<h4>The percentage read</h4><p class="zs-text">{}</p>{}{}',
        _with_spans(view["answer"], spans),
        would_text,
        curve(view, explanation["score"]),
    )


def _concordance(explanation: Mapping[str, Any]) -> Markup:
    view = explanation["view"]
    if view["permutation"]:
        title = f"{view['in_order']} of {view['pairs']} pairs in order"
        return html("<h4>{}</h4>{}", title, slopes(view["truth"], view["order"], title))
    faults = [(name, view[FAULTS[name]]) for name in FAULTS if view[FAULTS[name]]]
    items = join(
        html("<li><strong>{}</strong>: {}</li>", name, _cut(", ".join(map(str, ids)), 240)) for name, ids in faults
    )
    fused = join(
        html(
            "<li><code>{}</code> was read as <strong>{}</strong></li>",
            _cut(piece["text"], 60),
            _cut(str(piece["read"]), 60),
        )
        for piece in view["fused"][:6]
    )
    would = view["would_be"]
    chart = (
        html("<h4>The order that was meant, perhaps</h4>{}", slopes(view["truth"], would["order"], would["how"]))
        if would
        else Markup("")
    )
    return html(
        '<h4>Not a permutation of the {} ids</h4><ul class="zs-list">{}{}</ul>{}',
        len(view["truth"]),
        items,
        fused,
        chart,
    )


def _with_spans(text: str, spans: Iterable[tuple[int, int, str]]) -> Markup:
    """The text with the spans marked, cut around the first of them when it is long."""
    spans = list(spans)
    start = max(0, spans[0][0] - 300) if spans and len(text) > _LONGEST_SHOWN else 0
    stop, end, pieces = start + _LONGEST_SHOWN, start, ["… " if start else ""]
    for begin, finish, kind in spans:
        if end <= begin and finish <= stop:
            pieces += [
                html("{}", text[end:begin]),
                html('<mark class="{}">{}</mark>', kind, text[begin:finish]),
            ]
            end = finish
    return join([*pieces, html("{}", text[end:stop]), " …" if len(text) > stop else ""])


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


_VIEWS: Mapping[str, Callable[[Mapping[str, Any]], Markup]] = {
    "f1": _f1,
    "rouge": _rouge,
    "accuracy": _accuracy,
    "exp_similarity": _exp_similarity,
    "concordance_index": _concordance,
}
