r"""Accuracy of a multiple-choice answer (ZeroSCROLLS section 3.3; QuALITY).

The letter of the prediction and that of the reference is the first match of `\b[A-D]\b`, case-sensitive. 100 points if
the two are equal, else 0. Convention of the released evaluator, kept: the article in "A good answer is B" is read as
option A.
"""

import re
from collections.abc import Sequence

from .results import ExampleResult
from .texts import read_references

LETTER = re.compile(r"\b[A-D]\b")
_ALONE = re.compile(r"[\W_]*[A-D][\W_]*")
# Before these words an A is the option ("A is tempting"), before any other lowercase word the article.
_ARTICLE = re.compile(r"A (?!(?:is|was|and|or|but|because|since|as|seems|would|could|may|might|has|does)\b)[a-z]")


def read_letter(text: str) -> str | None:
    """Return the option letter the evaluator reads, or `None`.

    >>> read_letter("Answer: (C)"), read_letter("d")
    ('C', None)
    """
    match = LETTER.search(text)
    return match.group() if match else None


def score_accuracy(prediction: str, references: Sequence[str]) -> ExampleResult:
    """100 points if the prediction's letter is that of a reference, else 0; UnreadableReference if one has no letter.

    >>> score_accuracy("A good answer is B", ["B"]).reason
    'the first letter found is A (here the word “A”), not B'
    """
    letters = read_references(read_letter, references, "it has no option letter A, B, C or D")
    parsed = read_letter(prediction)
    if parsed in letters:
        return ExampleResult(100.0, parsed, None, letters.index(parsed))
    article = " (here the word “A”)" if is_article(prediction) else ""
    reason = f"the first letter found is {parsed}{article}, not {' or '.join(dict.fromkeys(letters))}"
    if parsed is None:
        nothing = "no option letter (a capital A, B, C or D standing alone) in the answer"
        reason = nothing if prediction.strip() else "the answer is empty"
    return ExampleResult(0.0, parsed, reason, 0)


def is_article(text: str) -> bool:
    """Return whether the first letter found is the article "A", followed by a lowercase word."""
    match = LETTER.search(text)
    return match is not None and _ARTICLE.match(text, match.start()) is not None


def is_letter_alone(text: str) -> bool:
    """Return whether the text is an option letter and nothing else.

    >>> is_letter_alone("(C)."), is_letter_alone("Answer: C")
    (True, False)
    """
    return _ALONE.fullmatch(text) is not None
