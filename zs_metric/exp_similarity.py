r"""Exponential similarity of two percentages (ZeroSCROLLS section 3.3; SpaceDigest).

The percentage of the prediction and that of the reference is the first match of `\d+\.?\d*%` (no space before the
sign), in points. Score = 100 * 2 ** (-|p - q| / 10), which is the paper's d = 2, c = 10 with p as a fraction: every
10 points of distance halve it. A prediction without a match scores 0.

`PERCENTAGE` finds the same spans as the pattern above in linear time; that one is cubic on long runs of digits.
"""

import re
from collections.abc import Sequence

from .results import ExampleResult
from .texts import read_references

PERCENTAGE = re.compile(r"(?<!\d)\d+(?:\.\d*)?%")


def read_percentage(text: str) -> float | None:
    """Return the percentage the evaluator reads, in points, or `None`.

    >>> read_percentage("so 40% are positive, 60% are not"), read_percentage("about 60 %")
    (40.0, None)
    """
    match = PERCENTAGE.search(text)
    return float(match.group()[:-1]) if match else None


def cut_at(text: str) -> str | None:
    """Return the comma or point before which the beginning of a number is not read; `None` if the whole number is.

    >>> cut_at("1,050%"), cut_at("87.0.0%"), cut_at("87.0%")
    (',', '.', None)
    """
    match = PERCENTAGE.search(text)
    before = text[max(0, match.start() - 2) : match.start()] if match else ""
    return before[1] if re.fullmatch(r"\d[,.]", before) else None


def similarity(p: float, q: float) -> float:
    """Exponential similarity of two percentages, in points.

    >>> round(similarity(55, 60), 4)
    70.7107
    """
    return 100.0 if p == q else 100 * 2 ** (-abs(p - q) / 10)


def score_exp_similarity(prediction: str, references: Sequence[str]) -> ExampleResult:
    """Return the similarity to the nearest reference, in points; UnreadableReference if one has no percentage."""
    truths = read_references(read_percentage, references, "it has no percentage such as 60%")
    parsed = read_percentage(prediction)
    if parsed is None:
        return ExampleResult(0.0, None, _why_nothing(prediction), 0)
    scores = [similarity(parsed, truth) for truth in truths]
    best = max(range(len(scores)), key=scores.__getitem__)
    reason = None if parsed == truths[best] else f"{parsed:.10g}% was read; the reference is {truths[best]:.10g}%"
    sign = cut_at(prediction)
    if sign:
        reason = f"only {parsed:.10g}% was read, the part of the number after a {'comma' if sign == ',' else 'point'}"
    return ExampleResult(scores[best], parsed, reason, best)


def _why_nothing(prediction: str) -> str:
    if not prediction.strip():
        return "the answer is empty"
    if re.search(r"\d\s+%", prediction):
        return "no percentage in the answer (a space before the % sign is not read)"
    return "no percentage in the answer (digits directly followed by %)"
