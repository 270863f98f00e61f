"""Typographic characters written in ASCII, for diagnosis only.

Converted are punctuation marks (curly quotes, dashes, the ellipsis, …), Latin letters with accents, ligatures,
full-width and other compatibility forms of ASCII letters and digits. Combining accents and invisible joiners are
dropped. Other characters stay, so that no word of another script turns into a Latin one.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection
from functools import lru_cache

from unidecode import unidecode

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SIGNS = {"−": "-", "ʼ": "'", "´": "'"}  # typed for a hyphen and an apostrophe, but not punctuation in Unicode
_DROPPED = re.compile("[\u0300-\u036f\u00ad\u200c\u200d\u2060\ufeff]")


def to_ascii(text: str, *, keep: Collection[str] = ()) -> str:
    """The text with its typographic characters in ASCII, except those of `keep`.

    >>> to_ascii("“Ｐａｒｉｓ” – a café…")
    '"Paris" - a cafe...'
    """
    if text.isascii():
        return text
    return _NOT_ASCII.sub(lambda match: match.group() if match.group() in keep else ascii_form(match.group()), text)


@lru_cache(maxsize=4096)
def ascii_form(character: str) -> str:
    """The ASCII form of a typographic character; any other character unchanged."""
    if character in _SIGNS:
        return _SIGNS[character]
    if _DROPPED.match(character):
        return ""
    if unicodedata.category(character)[0] == "P" or unicodedata.name(character, "").startswith("LATIN "):
        return unidecode(character) or character
    form = unicodedata.normalize("NFKC", character)
    written_wide = unicodedata.category(character)[0] in "LN" or "\uff01" <= character <= "\uff5e"
    return form if form.isascii() and written_wide else character


def typographic(text: str) -> Counter[str]:
    """The typographic characters of a text with their counts, in order of appearance."""
    return Counter(character for character in _NOT_ASCII.findall(text) if ascii_form(character) != character)
