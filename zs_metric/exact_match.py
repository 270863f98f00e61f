r"""Exact match: whether the prediction equals a reference (SCROLLS, arXiv 2201.03533; QuALITY, ContractNLI).

Both texts are normalised as for F1 but without transliteration, in this order: lowercase; drop the characters of
`string.punctuation`; blank out the words a, an, the (`\b(a|an|the)\b`); squeeze whitespace. 100 points if the
prediction equals any reference, else 0.

Conventions of the released evaluator, kept: the whole prediction counts, so that "Entailment, because …" is not
`Entailment`; in QuALITY the text of the option is compared, so that its letter alone is wrong; two texts that are empty
after normalisation are equal.
"""

from collections.abc import Collection, Sequence

from .accuracy import is_letter_alone
from .f1 import SCROLLS_NORMALIZATION, normalize, why_empty
from .results import ExampleResult


def score_exact_match(
    prediction: str, references: Sequence[str], *, steps: Collection[str] = SCROLLS_NORMALIZATION
) -> ExampleResult:
    """100 points if the normalised prediction equals a normalised reference, else 0; `steps` as in `score_f1`.

    >>> score_exact_match("not mentioned.", ["Not mentioned"]).score
    100.0
    >>> score_exact_match("Contradiction, because it says so", ["Contradiction"]).reason
    'the whole answer must equal a reference; this one contains other words too'
    """
    parsed = normalize(prediction, steps)
    truths = [normalize(text, steps) for text in references]
    if parsed in truths:
        return ExampleResult(100.0, parsed, None, truths.index(parsed))
    if is_letter_alone(prediction):
        reason = "the answer is a letter; the text of the option is compared"
    elif any(truth and f" {truth} " in f" {parsed} " for truth in truths):
        reason = "the whole answer must equal a reference; this one contains other words too"
    else:
        reason = why_empty(prediction, parsed) or "not equal to any reference"
    return ExampleResult(0.0, parsed or None, reason, 0)
