"""The piece of a wordy answer that may be all that was meant: what follows "answer:", the first sentence."""

from __future__ import annotations

import re

_NAMED = re.compile(r"\banswer(?:\s{0,3}:|\s{1,3}is\b\s{0,3}:?)\s{0,9}(?=\S)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")


def named_answer(text: str) -> str | None:
    """What follows "answer:" or "answer is" on its line, or `None`.

    >>> named_answer("Yes. The answer is: 7 days.")
    '7 days.'
    """
    match = _NAMED.search(text)
    return text[match.end() :].partition("\n")[0].strip() if match else None


def first_sentence(text: str) -> str:
    """The text up to the end of its first sentence or line.

    >>> first_sentence("Entailment. The term is 2.5 years.")
    'Entailment'
    """
    return _SENTENCE_END.split(text.strip(), maxsplit=1)[0]
