r"""F1: the word overlap of a prediction and a reference (ZeroSCROLLS section 3.3; Qasper, NarrativeQA, MuSiQue).

Both texts are normalised, in this order: lowercase; drop the characters of `string.punctuation`; blank out the words
a, an, the (`\b(a|an|the)\b`); squeeze whitespace; transliterate to ASCII (`unidecode`); split at whitespace.
F1 = 2PR / (P + R) over the multiset overlap of the tokens; it is 0 without overlap, also for two empty texts. The best
reference counts.

Convention of the released evaluator, kept: transliteration comes *last*, so that curly quotes and dashes, which are
not ASCII punctuation, are turned into ASCII and stay in the token: `“Paris”` becomes `"paris"`, which is not `paris`.
The F1 of SCROLLS (2022; Qasper, NarrativeQA) is the same without the transliteration.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from unidecode import unidecode

from .results import ExampleResult

_DROP_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(a|an|the)\b")

# The most characters of a text whose normalised form is kept.
_SHORT = 1000

#: The steps of the normalisation in their order, by name.
NORMALIZATION: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "lowercase": str.lower,
        "punctuation": lambda text: text.translate(_DROP_PUNCTUATION),
        "articles": lambda text: _ARTICLE.sub(" ", text),
        "whitespace": lambda text: " ".join(text.split()),
        "transliteration": lambda text: text if text.isascii() else " ".join(unidecode(text).split()),
    }
)
#: The steps of SCROLLS, for F1 and for exact match.
SCROLLS_NORMALIZATION = tuple(name for name in NORMALIZATION if name != "transliteration")


def normalize(text: str, steps: Collection[str] = NORMALIZATION) -> str:
    """Return the text as it is compared, its tokens separated by single spaces; `steps` are names of `NORMALIZATION`.

    >>> normalize("The Cat, sat!"), normalize("“Café”"), normalize("“Café”", SCROLLS_NORMALIZATION)
    ('cat sat', '"cafe"', '“café”')
    """
    normalized = _normalized if len(text) <= _SHORT else _normalized.__wrapped__
    return normalized(text, tuple(steps))


@lru_cache(4096)  # references come again with each answer, and with each change of one that is tried
def _normalized(text: str, steps: tuple[str, ...]) -> str:
    for name in steps:
        text = NORMALIZATION[name](text)
    return text


def score_f1(prediction: str, references: Sequence[str], *, steps: Collection[str] = NORMALIZATION) -> ExampleResult:
    """F1 of one prediction against its best reference, in points; `steps` are those of the normalisation.

    >>> score_f1("yes", ["no", "yes indeed"]).score
    66.66666666666666
    """
    parsed = normalize(prediction, steps)
    words = parsed.split()
    counts = Counter(words)
    best, best_precision, best_recall, index = 0.0, 0.0, 0.0, 0
    for i, text in enumerate(references):
        truth = normalize(text, steps).split()
        if common := counts.keys() & truth:
            wanted = Counter(truth)
            shared = sum([min(counts[word], wanted[word]) for word in common])
            precision, recall = shared / len(words), shared / len(truth)
            f1 = 2 * precision * recall / (precision + recall)
            if f1 > best:
                best, best_precision, best_recall, index = f1, precision, recall, i
    reason = None if best else why_empty(prediction, parsed) or "no word in common with any reference"
    parts = {"precision": 100 * best_precision, "recall": 100 * best_recall}
    return ExampleResult(100 * best, parsed or None, reason, index, parts)


def why_empty(prediction: str, parsed: str) -> str | None:
    """Return why nothing is left of a prediction that was normalised to `parsed`; `None` if something is."""
    if not prediction.strip():
        return "the answer is empty"
    return None if parsed else "nothing is left of the answer after normalisation"
