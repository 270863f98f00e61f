r"""Exact match: whether the answer is a reference, word for word (SCROLLS, arXiv 2201.03533; QuALITY, ContractNLI).

Both texts are normalised as for F1 but without transliteration, in this order: lowercase; drop the characters of
`string.punctuation`; blank out the words a, an, the (`\b(a|an|the)\b`); squeeze whitespace. 100 points when the answer
is equal to any reference, else 0.

Conventions of the released evaluator, kept: the whole answer counts, so that "Entailment, because …" is not
`Entailment`; in QuALITY the option's text is compared, so that its letter alone is wrong; two texts of which nothing is
left are equal.
"""

from __future__ import annotations

from collections.abc import Sequence

from .accuracy import is_letter_alone
from .f1 import SCROLLS_NORMALIZATION, normalize, why_unread
from .results import ExampleResult


def score_exact_match(prediction: str, references: Sequence[str]) -> ExampleResult:
    """100 when the normalised answer is a normalised reference, else 0.

    Args:
        prediction: the answer.
        references: at least one text.

    >>> score_exact_match("not mentioned.", ["Not mentioned"]).score
    100.0
    >>> score_exact_match("Contradiction, because it says so", ["Contradiction"]).reason
    'the whole answer must be equal to a reference; it holds one and other words'
    """
    parsed = normalize(prediction, SCROLLS_NORMALIZATION)
    truths = [normalize(text, SCROLLS_NORMALIZATION) for text in references]
    if parsed in truths:
        return ExampleResult(100.0, parsed, None, truths.index(parsed))
    return ExampleResult(0.0, parsed or None, _why_wrong(prediction, parsed, truths), 0)


def _why_wrong(prediction: str, parsed: str, truths: Sequence[str]) -> str:
    if is_letter_alone(prediction):
        return "the answer is a letter; the text of the option is compared"
    if any(truth and f" {truth} " in f" {parsed} " for truth in truths):
        return "the whole answer must be equal to a reference; it holds one and other words"
    return why_unread(prediction, parsed) or "not equal to any reference"
