"""How long inputs and outputs are, in words (SCROLLS, Table 1 and Figure 1).

A word is what stands between blanks. The input is the whole field `input`: with the question, and in ZeroSCROLLS with
instruction and headers, for that is what the data calls so and what a model reads. The output is one reference.
"""

from __future__ import annotations


def count_words(text: str) -> int:
    """How many words the text has.

    >>> count_words("Who — or what — was it?")
    7
    """
    return len(text.split())


def count_words_around(text: str, document: str, words: int) -> int:
    """How many words a text has in which a document of so many `words` stands: `count_words(text)`, but faster.

    NarrativeQA asks some fifty questions of each book; its words need to be counted once.

    >>> count_words_around("Story: Long ago. Question: When?", "Long ago.", 2)
    5
    """
    before, found, after = text.partition(document) if document else (text, "", "")
    if not found:
        return count_words(text)
    glued = _share_a_word(before, document) + _share_a_word(document, after)
    return count_words(before) + words + count_words(after) - glued


def _share_a_word(left: str, right: str) -> bool:
    """Whether the last word of the left text goes on in the right one."""
    return bool(left and right) and not left[-1].isspace() and not right[0].isspace()
