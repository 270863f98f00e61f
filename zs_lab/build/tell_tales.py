"""Tell-tales: passages of a text that give the answer away, found by patterns and reviewed by a person.

The paper edited its chapter summaries by hand so that none says where it belongs (ZeroSCROLLS section 3.1.3):
"Chapter 8 begins with Jane …" became "This Chapter begins with Jane …", "As the play opens, Hippolytus announces …"
became "Hippolytus announces …". `mask` makes the same replacements where a pattern can. In a review nothing can stand
in for a rating, so `without_sentences` takes out the whole sentence.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

_CONTEXT = 60  # characters of a text that are shown on each side of a passage


class TellTale(NamedTuple):
    """A kind of tell-tale: its name, its pattern, and what replaces it."""

    name: str
    pattern: re.Pattern[str]
    replacement: str | Callable[[re.Match[str]], str] = ""


class Hit(NamedTuple):
    """A passage: whose text it is in, the text, where in it, and the kind."""

    owner: str
    text: str
    start: int
    end: int
    kind: str

    @property
    def context(self) -> tuple[str, str, str]:
        """What precedes the passage, the passage, and what follows it: whole words, up to sixty characters each."""
        before, after = self.text[: self.start], self.text[self.end :]
        if len(before) > _CONTEXT:
            before = "… " + before[-_CONTEXT:].partition(" ")[2]
        if len(after) > _CONTEXT:
            after = after[:_CONTEXT].rpartition(" ")[0] + " …"
        return before, self.text[self.start : self.end], after


_ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
_CARDINALS = "one|two|three|four|five|six|seven|eight|nine|ten"
_SENTENCE = r"(?:^|(?<=[.!?] ))"

_NUMBER = rf"(?:\d{{1,3}}|[IVXLC]{{1,7}}|(?i:twenty(?:-\w+)?|thirty(?:-\w+)?|{_CARDINALS}|eleven|twelve|{_ORDINALS}))"
# In lower case, "takes part one evening" and "a part I know" are no numbers of parts.
_NUMBERED = r"Chapter|CHAPTER|chapter|Part|PART|Book|BOOK|Act|ACT|Scene|scene|Canto|Section|Volume"
_PLACE = f"(?i:{_ORDINALS}|final|last|opening|closing|concluding|next|previous)"
_DIVISION = "(?i:part|book|act|scene|section|volume)"
_WORK = "(?i:play|novel|story|book|narrative|tale|poem)"
_BEGINS = "(?i:opens|begins|starts|ends|closes|concludes)"
_THE = "(?i:the|this)"


def _in_case(text: str) -> Callable[[re.Match[str]], str]:
    """Return what replaces a match by this text, with a capital if the match has one."""
    return lambda match: text[0].upper() + text[1:] if match[0][0].isupper() else text


def _this_part(match: re.Match[str]) -> str:
    this = "these" if match["part"].lower().endswith("s") else "this"
    begins = match.start() == 0 or match.string[: match.start()].rstrip()[-1:] in ".!?"
    return f"{this.capitalize() if begins else this} {match['part']}"


_CHAPTER = (
    rf"\b(?<!for )(?<!under )(?P<part>(?:{_NUMBERED})s?) {_NUMBER}(?:(?: and |[-–]){_NUMBER})?\b"
    r"(?![’'-])(?! (?:bankruptcy|proceedings|protection|filing))"
)
_PLACE_OF_PART = (
    rf"{_THE} {_PLACE} (?P<part>{_DIVISION})\b(?= of {_THE} {_WORK}\b)"
    rf"|(?:{_SENTENCE}|(?<=\b[Ii]n ))(?i:the) {_PLACE} (?P<subject>{_DIVISION})\b(?! of\b)"
)
_AS_IT_OPENS = rf"{_SENTENCE}(?i:as|when) {_THE} {_WORK} {_BEGINS}, (?P<next>\w)"
_IT_OPENS = rf"\b{_THE} {_WORK} {_BEGINS}\b(?=\s*(?:[.,;:]|$|(?:with|in|on|as|when|at|by|after|before)\b))"
_AT_THE_OPENING = rf"\b(?i:at|in|by|near) the (?:beginning|start|opening|middle|close|end) of {_THE} {_WORK}\b"
_FRAME = rf"\b(?:(?:{_THE}|(?i:an?)) )?(?i:prologue|epilogue|foreword|afterword)\b"
_TIME = "beginning or end of the work"

#: What gives the place of a summary in its book away.
SUMMARY_TELL_TALES = (
    TellTale("number of a chapter", re.compile(_CHAPTER), _this_part),
    TellTale("place of a chapter", re.compile(rf"\b(?:{_THE} )?{_PLACE} (?P<part>(?i:chapter|canto))\b"), _this_part),
    TellTale(
        "place of a part",
        re.compile(_PLACE_OF_PART),
        lambda match: _in_case("this ")(match) + (match["part"] or match["subject"]),
    ),
    TellTale(_TIME, re.compile(_AS_IT_OPENS), lambda match: match["next"].upper()),
    TellTale(_TIME, re.compile(_IT_OPENS), _in_case("this part goes on")),
    TellTale(_TIME, re.compile(_AT_THE_OPENING), _in_case("in this part")),
    TellTale("prologue or epilogue", re.compile(_FRAME), _in_case("this part")),
)

_POINTS = rf"(?:10|[0-9](?:[.,]\d)?(?:\s?(?:½|1/2))?|zero|{_CARDINALS})(?: and a half)?"
_ADJECTIVE = "(?:(?:solid|strong|firm|good|high|low|weak) )?"
# What may follow a number that is a rating, and not a count of something.
_NO_NOUN = (
    r"(?=\s*(?:$|[.,;:!?)]|(?:because|since|for|from|as|if|but|and|due|overall|at best|stars?|points?|is|was)\b))"
)
# A class of a hotel, not what a guest says of it.
_NOT_A_CLASS = (
    "(?![ -](?:rated )?(?:hotel|resort|propert|place|price|money|standard|accommod|establish|restaurant|luxury|chain))"
)
_DECIMAL = r"(?:10|[0-9](?:[.,]\d)?(?:\s?(?:½|1/2))?)"
_OUT_OF = rf"\b{_POINTS}\s?(?:/|out of)\s?(?:5|10|five|ten)\b(?!/)(?! (?!stars|points|bubbles)\w+s\b)"
_GIVEN = (
    r"\b(?:giv(?:e|es|en|ing)|gave|rat(?:e|ed|ing)|deserve[sd]?|award(?:ed)?)"
    rf"(?: (?:it|them|this|that|the)(?: \w+)?)? (?:an? )?{_ADJECTIVE}{_POINTS}{_NO_NOUN}"
)
_STARS = "rating in stars"
_BY_NAME = rf"\b(?:rating|rated|score) ?(?:[:=]|of|it)? ?{_POINTS}\b{_NO_NOUN}"
_A_NUMBER = rf"\ban? {_ADJECTIVE}{_DECIMAL}(?=\s*(?:$|[.,;!?]|(?:from|overall|at best)\b))"

#: What gives the rating of a review away.
REVIEW_TELL_TALES = tuple(
    TellTale(kind, re.compile(f"(?i){pattern}"))
    for kind, pattern in (
        ("rating out of a number", _OUT_OF),
        (_STARS, rf"\b{_POINTS}[ -]stars?\b{_NOT_A_CLASS}"),
        (_STARS, r"\b(?:off|minus|lost|loses|deduct\w*) (?:a|one) star\b"),
        (_STARS, rf"\b[0-5](?:[.,]5)?\s?\*+{_NOT_A_CLASS}"),
        (_STARS, "[★☆⭐]+"),
        ("rating by name", _BY_NAME),
        ("rating that is given", _GIVEN),
        ("number of points", _A_NUMBER),
        ("full marks", r"\b(?:full|top) marks\b"),
    )
)


def find_hits(owner: str, text: str, tell_tales: Sequence[TellTale]) -> list[Hit]:
    """Return every tell-tale of a text, in order; of overlapping ones, that of the first kind."""
    hits: list[Hit] = []
    for kind in tell_tales:
        for match in kind.pattern.finditer(text):
            # The next word is matched only to be capitalised.
            end = match.start("next") if "next" in match.groupdict() else match.end()
            if not any(match.start() < hit.end and hit.start < end for hit in hits):
                hits.append(Hit(owner, text, match.start(), end, kind.name))
    return sorted(hits, key=lambda hit: hit.start)


def mask(text: str) -> str:
    """Return a summary with every tell-tale replaced."""
    for kind in SUMMARY_TELL_TALES:
        text = kind.pattern.sub(kind.replacement, text)
    return text


def without_sentences(text: str) -> str:
    """Return a review without the sentences that hold a tell-tale."""
    hits = find_hits("", text, REVIEW_TELL_TALES)
    ends = [match.end() for match in re.finditer(r"(?<![.!?])[.!?]+[\"”')]*\s+|\n+", text)]
    spans = zip([0, *ends], [*ends, len(text)], strict=True)
    kept = [text[a:b] for a, b in spans if not any(hit.start < b and a < hit.end for hit in hits)]
    return "".join(kept).strip()
