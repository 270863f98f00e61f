"""Why this score: what `zs_metric.explain` returns, drawn by the template of its metric, the generic one otherwise.

Where the explanation holds no text of a reference (`Explanation.without_references`), the part that would show it is
left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from zs_bench.reports.html.environment import has_template, render
from zs_bench.reports.html.explanation_charts import curve, slopes
from zs_bench.reports.html.markup import html, join, marked
from zs_metric.explain import Explanation, Losses
from zs_metric.explain.accuracy import AccuracyView
from zs_metric.explain.exp_similarity import ExpSimilarityView
from zs_metric.explain.parts import Part
from zs_metric.explain.rouge import MarkedText

#: The titles of the causes of loss.
LOSSES = {
    "format": "format: not read as it was meant",
    "typography": "typography: quotes, dashes, accents",
    "length": "length: too long",
    "content": "content",
}
#: The most characters of a text that are drawn.
LONGEST_SHOWN = 6_000
_EMPTY = Markup('<span class="zs-none">empty</span>')


def why(explanation: Explanation, *, longest: int = LONGEST_SHOWN) -> Markup:
    """The loss breakdown, the what-ifs and the view of the metric.

    Args:
        explanation: what to draw.
        longest: the most characters of a text to draw.
    """
    own = f"explanations/{explanation.task.metric.name}.html"
    return render(
        "explanations/frame.html",
        explanation=explanation,
        view=explanation.view,
        view_template=own if has_template(own) else "explanations/generic.html",
        longest=longest,
        bar=[piece for piece in bar(explanation.score, explanation.losses) if piece[1] >= 0.005],
        pieces=[*_pieces(explanation.losses)],
        spans=[*_spans(explanation.view)],
        curve=curve,
        slopes=slopes,
        marked_spans=lambda text, spans, most: marked(text, spans, most) if text.strip() else _EMPTY,
        marked_tokens=_marked_tokens,
    )


def bar(score: float, losses: Losses) -> list[tuple[str, float]]:
    """The 100 points as pieces of a bar; of the content, the part that is perhaps length comes first, for hatching."""
    parts = losses.as_dict()
    parts["content"] -= losses.length_up_to
    return [
        ("score", score),
        *((part, parts[part]) for part in ("format", "typography", "length")),
        ("upto", losses.length_up_to),
        ("content", parts["content"]),
    ]


def _pieces(losses: Losses) -> Iterator[tuple[str, str]]:
    """What the points were lost to, in words, each with the class of its piece of the bar."""
    for part, points in losses.as_dict().items():
        if points >= 0.005:
            yield part, f"{points:.2f} {LOSSES[part]}"
    if losses.length_up_to >= 0.005:
        yield "upto", f"up to {losses.length_up_to:.2f} of these if it went on as precisely as it began"


def _spans(view: Part) -> Iterator[tuple[int, int, str]]:
    """What to mark in the answer: what was read, else what a reader would have read."""
    if isinstance(view, AccuracyView):
        found = [(letter.start, letter.end, "hit" if letter.first else "faint") for letter in view.letters]
    elif isinstance(view, ExpSimilarityView):
        found = [(*view.span, "hit")] if view.span else []
    else:
        return
    yield from found
    if view.would_be and not found:
        yield view.would_be.start, view.would_be.end, "faint"


def _marked_tokens(side: MarkedText, longest: int) -> Markup:
    """A text with its tokens marked by what they share; the switch decides which marks show."""
    text, end, pieces = side.text or "", 0, list[Markup | str]()
    for start, stop, *flags in side.tokens:
        if stop > longest:
            break
        classes = " ".join(kind for kind, flag in zip("ubl", flags, strict=True) if flag)
        if classes:
            pieces += [text[end:start], html('<mark class="{}">{}</mark>', classes, text[start:stop])]
            end = stop
    stop = max(end, longest)
    return join([*pieces, text[end:stop] + (" …" if len(text) > stop else "")]) or _EMPTY
