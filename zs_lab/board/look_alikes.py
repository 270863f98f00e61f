"""Names that look like others, by Unicode's security mechanisms (UTS #39), never by their sound.

Characters are compared by Unicode's list of those that look alike, `confusables.txt`, which stands beside this module:
of the packages with that list none is both maintained and light. Capitals, marks above and below letters, spaces,
punctuation and signs are left out, but not what stands between digits: 1.1 is not 11. Letters that the list lacks, such
as small capitals, are those that their Unicode names say: LATIN LETTER SMALL CAPITAL E, BALLOT X.

The letters of a name are of one script, or of Latin with those of Chinese, Japanese or Korean: "highly restrictive".
"""

import re
import unicodedata
from functools import lru_cache
from pathlib import Path

_DATA = Path(__file__).with_name("confusables.txt")
# The last letter in the Unicode name of a Latin letter or a sign: SMALL CAPITAL E, X WITH PALATAL HOOK, BALLOT X.
_NAMED = re.compile(r".* ([A-Z])(?: WITH .*)?")
# What capital I and l look like, and what pairs of letters look like where there is no list of pairs.
_PAIRS = (("i", "l"), ("1", "l"), ("0", "o"), ("vv", "w"), ("cl", "d"))
_WITH_LATIN = ({"CJK", "HIRAGANA", "KATAKANA"}, {"CJK", "BOPOMOFO"}, {"CJK", "HANGUL"})
# The first words of Unicode's names of letters that belong to several scripts, or to none.
_COMMON = {"MODIFIER", "MICRO", "KATAKANA-HIRAGANA", "ALEF", "BET", "GIMEL", "DALET"}
_WIDTHS = ("FULLWIDTH ", "HALFWIDTH ")


def look_alike(name: str, other: str) -> bool:
    """Return whether two names look alike.

    >>> look_alike("System X", "SYSTEM-X."), look_alike("Claude", "C\u04cfaude"), look_alike("Model 1.1", "Model 11")
    (True, True, False)
    >>> look_alike("Llama 2", "Llama Z"), look_alike("\u6a21\u578b", "\u6a21\u5f62")
    (False, False)
    """
    return not _keys(name).isdisjoint(_keys(other))


def mixed_scripts(name: str) -> list[str]:
    """Return the scripts of the letters in a name, in lower case, if they may not stand together.

    >>> mixed_scripts("Qwen \u5343\u95ee"), mixed_scripts("S\u0443stem"), mixed_scripts("\u0430\u0431")
    ([], ['cyrillic', 'latin'], [])
    """
    scripts = {script for letter in name if (script := _script(letter))}
    if len(scripts) <= 1 or any(scripts <= {"LATIN", *others} for others in _WITH_LATIN):
        return []
    return sorted(map(str.lower, scripts))


def _script(letter: str) -> str | None:
    """Return the script of a letter, which is the first word of its Unicode name; `None` for what has none."""
    is_form = unicodedata.decomposition(letter).startswith("<")
    name = unicodedata.name(letter, "")
    if not unicodedata.category(letter).startswith("L") or (is_form and not name.startswith(_WIDTHS)):
        return None
    for width in _WIDTHS:
        name = name.removeprefix(width)
    script = name.split(" ")[0]
    return None if script in _COMMON else "CJK" if script == "IDEOGRAPHIC" else script


@lru_cache(10_000)
def _keys(name: str) -> frozenset[str]:
    """Return what names that look like this one share: its shapes.

    Small letters are also taken as capitals, | as a letter or a line, and 1 as a digit or l.
    """
    keys = set[str]()
    name = name.encode("utf-8", "ignore").decode()  # without lone surrogates
    for text in (name, name.upper(), name.replace("|", " ")):
        capitals = "".join(map(_look, text))
        shapes = "".join(map(_look, capitals.casefold())).casefold()
        for digits in ("0-9", "0-9lo"):
            key = re.sub(f"(?<=[{digits}]) +(?=[{digits}])", ".", shapes).replace(" ", "")
            for pair, one in _PAIRS:
                key = key.replace(pair, one)
            keys.add(key)
    return frozenset(keys)


@lru_cache(10_000)
def _look(character: str) -> str:
    """Return what a character looks like; a space for spaces, punctuation and signs, nothing for marks."""
    is_whole = character in _confusables() or unicodedata.category(character) == "So"
    parts = character if is_whole else unicodedata.normalize("NFKD", character)
    return "".join(_plain(each) for part in parts for each in (part if part in "01" else _shape(part)))


def _shape(character: str) -> str:
    category = unicodedata.category(character)
    name = unicodedata.name(character, "")
    shape = "" if " SMALL CAPITAL " in name else _confusables().get(character, "")
    if category[0] in "PZC" and not (shape.isascii() and shape.isalnum()):
        return " "  # a long dash looks like letters of Japanese and Chinese too
    if shape:
        return shape
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if "SALTIRE" in name:
        return "X"
    named = _NAMED.fullmatch(name) if category == "So" or name.startswith("LATIN ") else None
    return named[1] if named and not character.isascii() else character


def _plain(character: str) -> str:
    """Return a letter, digit or mathematical sign, nothing for a mark on a letter, and a space for anything else."""
    category, name = unicodedata.category(character), unicodedata.name(character, "")
    if category[0] == "M":
        is_kana, is_common = "KATAKANA" in name, name.startswith(("COMBINING ", "VARIATION "))
        return "" if is_common and not is_kana else character
    is_operator = category == "Sm" and (character == "+" or not character.isascii())
    return character if character.isalnum() or is_operator else " "


@lru_cache(1)
def _confusables() -> dict[str, str]:
    """Return the shape of each character that looks like another one."""
    shapes: dict[str, str] = {}
    for line in _DATA.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            shape, characters = (part.split() for part in line.split(":"))
            text = "".join(chr(int(code, 16)) for code in shape)
            shapes |= dict.fromkeys((chr(int(code, 16)) for code in characters), text)
    return shapes
