"""The score card of a prediction and its explanation (`zs_metric.explain`) as HTML.

An explanation has the template of its metric or the generic one. The two charts are inline SVG, about as wide as a
phone, so that their text is not scaled down there.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from markupsafe import Markup

from zs_bench.benchmarks import Task
from zs_bench.problems import counted
from zs_bench.reports.explain_text import sentences
from zs_bench.reports.html import cut, marked, render
from zs_metric.explain import Explanation
from zs_metric.explain.accuracy import AccuracyView
from zs_metric.explain.exp_similarity import ExpSimilarityView
from zs_metric.explain.parts import Part
from zs_metric.explain.rouge import MarkedText
from zs_metric.results import ExampleResult

#: The most characters of a text that are drawn, and the most ids whose slopes are.
LONGEST_SHOWN, MOST_IDS = 6_000, 60


def score_card(task: Task, result: ExampleResult) -> Markup:
    return render("score_card.html", task=task, result=result, read=read_in(result, 300))


def read_in(result: ExampleResult, longest: int) -> Markup:
    """Return what the scorer read in a prediction; of a text longer than that, and for ROUGE, the number of words."""
    parsed = result.parsed
    if parsed is None:
        return Markup('<span class="zs-none">nothing</span>')
    if isinstance(parsed, float):
        return Markup(f"{parsed:.10g}%")  # noqa: S704  (a number)
    if isinstance(parsed, str) and (result.rouge or len(parsed) > longest):
        return Markup(counted(len(parsed.split()), "word"))  # noqa: S704  (a number)
    text = ", ".join(map(str, parsed[:MOST_IDS])) if isinstance(parsed, tuple) else str(parsed)
    return Markup('<code dir="auto">{}</code>').format(cut(text, longest))


def why(explanation: Explanation, *, longest: int = LONGEST_SHOWN, brief: bool = False) -> Markup:
    """Return the view of the metric, the loss breakdown and the what-ifs, of texts at most `longest` characters.

    With `brief` without the sentences on what the score means, which then stand elsewhere.
    """
    return render(
        "explanations/frame.html",
        explanation=explanation,
        view=explanation.view,
        templates=[f"explanations/{name}.html" for name in (explanation.task.metric.name, "generic")],
        longest=longest,
        sentences=[] if brief else sentences(explanation),
        spans=_spans(explanation.view),
        curve={"x": _x, "y": _y, "line": _line},
        slopes=_slopes,
        marked_tokens=_marked_tokens,
    )


def _spans(view: Part) -> list[tuple[int, int, str]]:
    """Return what to mark in the answer: what was read, else what a reader would have read."""
    if isinstance(view, AccuracyView):
        spans = [(letter.start, letter.end, "hit" if letter.first else "faint") for letter in view.letters]
    elif isinstance(view, ExpSimilarityView):
        spans = [(*view.span, "hit")] if view.span else []
    else:
        return []
    return spans or ([(view.would_be.start, view.would_be.end, "faint")] if view.would_be else [])


def _marked_tokens(side: MarkedText, longest: int) -> Markup:
    """Return a text with its tokens marked by what they share; the switch decides which marks show."""
    spans = [
        (start, stop, " ".join(kind for kind, flag in zip("ubl", flags, strict=True) if flag))
        for start, stop, *flags in side.tokens
        if stop <= longest and any(flags)
    ]
    return marked(side.text or "", spans, longest, whole=True)


def _x(percent: float) -> float:
    """Return where a percentage is on the curve, in units of the drawing."""
    return 30 + 276 * min(max(percent, 0), 100) / 100


def _y(score: float) -> float:
    return 12 + 128 * (1 - score / 100)


@lru_cache(maxsize=256)  # the reference stays the same while an answer is typed
def _line(truth: float, half: float) -> str:
    """Return the curve's points: the score halves every `half` points from the reference."""
    percents = sorted({*range(101), min(max(truth, 0), 100)})
    return " ".join(f"{_x(p):.1f},{_y(100 * 2 ** (-abs(p - truth) / half)):.1f}" for p in percents)


def _slopes(truth: Sequence[int], order: Sequence[int]) -> tuple[set[int], list[tuple[float, float]]] | None:
    """Return the ids whose lines between two permutations cross another, and where; `None` for other or long orders."""
    if len(truth) > MOST_IDS or len(set(truth)) != len(truth) or sorted(truth) != sorted(order):
        return None
    crossed, crossings = set[int](), []
    for (i, a), (j, b) in combinations(enumerate(order.index(id_) for id_ in truth), 2):
        if a > b:  # the lines from row i to row a and from row j to row b
            crossed |= {truth[i], truth[j]}
            share = (j - i) / ((j - i) + (a - b))
            crossings.append((52 + 216 * share, 36 + 24 * (i + (a - i) * share)))
    return crossed, crossings
