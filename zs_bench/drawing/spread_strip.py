"""Where in a document an output lives: the document as a strip, a tick at each word pair, and the spread as a band."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from zs_bench.statistics.spread import Spread

from .markup import NOTHING, html, join

#: The strip has so many places: word pairs of a long document that fall on one of them are one tick.
PLACES = 1000


def strips(found: Sequence[Spread], what: str = "reference") -> Markup:
    """A strip for each output; several are numbered: "reference 1".

    Args:
        found: the spreads of the outputs in one document.
        what: what people call an output.
    """
    alone = len(found) == 1
    return join(strip(one, f"the {what}" if alone else f"{what} {i}") for i, one in enumerate(found, start=1))


def strip(spread: Spread, what: str = "the answer") -> Markup:
    """The document from its first word to its last, with the places at which the output's word pairs stand.

    The band reaches one standard deviation to either side of the places' mean. What is seen is told in a sentence too.

    Args:
        spread: where they stand.
        what: what people call the output, within a sentence.
    """
    told = spread_sentence(spread, what)
    ends = html('<p class="ends"><span>word 1</span><span>word {:,}</span></p>', spread.words) if spread.words else ""
    return html(
        '<figure class="zs-strip"><div role="img" aria-label="{}">{}</div>{}<p>{}</p></figure>',
        told,
        _band(spread) + join(html('<i style="left:{:.1f}%"></i>', at / PLACES * 100) for at in _ticks(spread)),
        ends,
        told,
    )


def spread_sentence(spread: Spread, what: str = "the answer") -> str:
    """The spread for people; words are counted from 1.

    >>> spread_sentence(Spread((3, 40, 900), 5, 1200, 413.2))[:67]
    '3 of 5 word pairs of the answer stand in the document of 1,200 word'
    >>> spread_sentence(Spread((), 2, 1200, None))
    'None of the 2 word pairs of the answer stands in the document of 1,200 words.'
    """
    if not spread.bigrams:
        return f"{what[:1].upper()}{what[1:]} has fewer than two words: no word pairs to look for in the document."
    document = f"the document of {words(spread.words)}"
    if not spread.found:
        none = f"None of the {spread.bigrams} word pairs" if spread.bigrams > 1 else "The only word pair"
        return f"{none} of {what} {'stands' if spread.bigrams > 1 else 'does not stand'} in {document}."
    first, last = spread.places[0] + 1, spread.places[-1] + 1
    if spread.found == 1:
        one = f"1 of {spread.bigrams} word pairs" if spread.bigrams > 1 else "The only word pair"
        return f"{one} of {what} stands in {document}, first at word {first:,}: a single place, with a spread of 0."
    return (
        f"{spread.found} of {spread.bigrams} word pairs of {what} stand in {document}, from word {first:,} to word "
        f"{last:,}. Their spread, the standard deviation of these places: {words(spread.deviation or 0)}."
    )


def words(count: float) -> str:
    """A number of words for people.

    >>> words(2944.3), words(0.5), words(1)
    ('2,944 words', '0.5 words', '1 word')
    """
    return f"{number(count)} word{'' if count == 1 else 's'}"


def number(count: float) -> str:
    """A number for people: whole from 10 on, below with one decimal unless it is whole.

    >>> number(10.4), number(4.04)
    ('10', '4.0')
    """
    return f"{count:,.0f}" if count >= 10 or count == int(count) else f"{count:.1f}"


def _ticks(spread: Spread) -> list[int]:
    """The places on the strip, 0 to 1000."""
    last = max(spread.words - 1, 1)
    return sorted({round(place / last * PLACES) for place in spread.places})


def _band(spread: Spread) -> Markup:
    if not spread.deviation:
        return NOTHING
    last = max(spread.words - 1, 1)
    mean = sum(spread.places) / spread.found
    low, high = (min(max(mean + side * spread.deviation, 0), last) / last * 100 for side in (-1, 1))
    return html('<b style="left:{:.2f}%;width:{:.2f}%"></b>', low, high - low)
