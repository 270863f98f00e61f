r"""How long a regular expression of somebody else may take: an upper bound, read from its text before it is used.

Python's `re` tries one way after another to match a text. The number of ways is bounded by the repeats and alternatives
of the expression: `(a+)+` has no useful bound, `^doc(\d+)_` about one way for each character.
"""

import math
import re

#: The most ways in which an expression may match a text of this length, and those in which it may match all ids.
LENGTH, MOST_WAYS, MOST_WAYS_OF_ALL = 40, 10_000_000, 1_000_000_000
#: What to write instead of an expression that has more.
SIMPLER = r"begin it with ^, and repeat characters or sets of them, no group that has a repeat or | in it: '^(.+)_\d+$'"
# What a group may begin with; a comment, or flags; one set of characters; a repeat.
_OPENING = re.compile(r"\((?:\?(?:P<\w+>|P=|<[=!]|\(\w+\)|[a-zA-Z-]*:|[=!>]))?")
_COMMENT = re.compile(r"\(\?(?:#[^)]*|[a-zA-Z]+)\)")
_SET = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_REPEAT = re.compile(r"(?:([*+?])|\{(?!\})([0-9]*)(?:(,)([0-9]*))?\})[?+]?")


def ways(pattern: str, length: int) -> float:
    r"""Return at most how many ways there are to match the expression to a text of that many characters.

    It is infinite for a repeat of what itself matches in several ways, and for the flag x, which hides repeats.

    Args:
        pattern: a regular expression that `re.compile` accepts.
        length: of the text in which it is searched for.

    >>> ways(r"\A(\d+)_x", 40), ways(r"(\d+)_x", 40), ways("^(a+)+$", 40), ways("^(a|aa)*(b)", 40)
    (41.0, 861.0, inf, inf)
    """
    if re.search(r"\(\?[a-zA-Z-]*x", pattern):
        return math.inf
    anchored = re.match(r"(?:\(\?[a-zA-Z]+\))?(?:\^|\\A)", pattern) is not None
    parts = _Parts(pattern, length)
    found, _ = parts.alternatives(0 if anchored else 1)
    whole = found + (0.0 if anchored and parts.branches == 1 else math.log(length + 1))
    return math.inf if whole > 700 else round(math.exp(whole), 6)


class _Parts:
    """Reads an expression from its start; each method returns the logarithm of a number of ways, and of open repeats.

    The j-th open repeat of a way counts (n + j) / j, so that k of them count as often as k ends can be put into a text
    of n characters in their order.
    """

    def __init__(self, pattern: str, length: int) -> None:
        self._pattern, self._length, self._place, self.branches = pattern, length, 0, 1

    def alternatives(self, opened: int) -> tuple[float, int]:
        """Read up to the end of the group; what its alternatives allow adds up."""
        found, after = [], []
        while True:
            one, count = self._sequence(opened)
            found.append(one)
            after.append(count)
            if not self._pattern.startswith("|", self._place):
                self.branches = len(found)
                most = max(found)
                return (most if math.isinf(most) else most + math.log(sum(math.exp(x - most) for x in found))), max(
                    after
                )
            self._place += 1

    def _sequence(self, opened: int) -> tuple[float, int]:
        total = inner = 0.0  # of all parts before the last one, and of that
        while self._place < len(self._pattern) and self._pattern[self._place] not in "|)":
            if comment := _COMMENT.match(self._pattern, self._place):
                self._place = comment.end()
            elif repeat := _REPEAT.match(self._pattern, self._place):
                self._place = repeat.end()
                inner = self._repeated(inner, repeat, opened)
                opened += 1
            else:
                total += inner
                inner, opened = self._atom(opened)
        return total + inner, opened

    def _atom(self, opened: int) -> tuple[float, int]:
        character = self._pattern[self._place]
        if character == "(":
            opening = _OPENING.match(self._pattern, self._place)
            self._place = opening.end() if opening else self._place + 1
            found = self.alternatives(opened)
            self._place += 1
            return found
        chosen = _SET.match(self._pattern, self._place) if character == "[" else None
        self._place = chosen.end() if chosen else self._place + 1 + (character == "\\")
        return 0.0, opened

    def _repeated(self, inner: float, repeat: "re.Match[str]", opened: int) -> float:
        """The ways of a part that is repeated, of which once has `inner`."""
        sign, least, comma, most = repeat.groups()
        low = {"*": 0, "+": 1, "?": 0}.get(sign or "", int(least or 0))
        open_ended = sign in ("*", "+") or bool(comma and not most)
        high = math.inf if open_ended else 1 if sign else int(most or least or 0) if comma else low
        inner *= high if inner and high > 1 else 1
        times = min(high - low, self._length)
        return inner + math.log(1 + min(times, self._length / (opened + 1) if open_ended else times))
