"""Where in a document an output's word pairs occur, drawn as a strip with a tick for each."""

from markupsafe import Markup

from zs_bench.dataset.spread import Spread
from zs_bench.reports.html.environment import render

#: The resolution of the strip: word pairs at the same position share a tick.
PLACES = 1000


def strip(spread: Spread, what: str = "the answer") -> Markup:
    """The strip, with a band of one standard deviation around the mean place, and a sentence that says the same.

    Args:
        spread: the places of the word pairs.
        what: the name of the output in the sentence.
    """
    last = max(spread.words - 1, 1)
    ticks = sorted({round(place / last * PLACES) for place in spread.places})
    sentence = spread_sentence(spread, what)
    return render("strip.html", sentence=sentence, ticks=ticks, places=PLACES, band=_band(spread), words=spread.words)


def spread_sentence(spread: Spread, what: str = "the answer") -> str:
    """The spread in a sentence; words are counted from 1.

    >>> spread_sentence(Spread((3, 40, 900), 5, 1200, 413.2))
    '3 of 5 word pairs of the answer occur in the document, between words 4 and 901 of 1,200 (spread: 413 words).'
    >>> spread_sentence(Spread((), 2, 1200, None))
    'None of the 2 word pairs of the answer occurs in the document of 1,200 words.'
    """
    if not spread.bigrams:
        return f"{what[:1].upper()}{what[1:]} has fewer than two words: no word pairs to look for in the document."
    document = f"the document of {words(spread.words)}"
    if not spread.found:
        none = f"None of the {spread.bigrams} word pairs" if spread.bigrams > 1 else "The only word pair"
        return f"{none} of {what} {'occurs' if spread.bigrams > 1 else 'does not occur'} in {document}."
    first, last = spread.places[0] + 1, spread.places[-1] + 1
    if spread.found == 1:
        one = f"1 of {spread.bigrams} word pairs" if spread.bigrams > 1 else "The only word pair"
        return f"{one} of {what} occurs in {document}, first at word {first:,}."
    return (
        f"{spread.found} of {spread.bigrams} word pairs of {what} occur in the document, between words {first:,} and "
        f"{last:,} of {spread.words:,} (spread: {words(spread.deviation or 0)})."
    )


def words(count: float) -> str:
    """A number of words.

    >>> words(2944.3), words(0.5), words(1)
    ('2,944 words', '0.5 words', '1 word')
    """
    return f"{number(count)} word{'' if count == 1 else 's'}"


def number(count: float) -> str:
    """A number, with one decimal if it is below 10 and not whole.

    >>> number(10.4), number(4.04)
    ('10', '4.0')
    """
    return f"{count:,.0f}" if count >= 10 or count == int(count) else f"{count:.1f}"


def _band(spread: Spread) -> tuple[float, float] | None:
    """The left end and the width of the band in percent of the strip."""
    if not spread.deviation:
        return None
    last = max(spread.words - 1, 1)
    mean = sum(spread.places) / spread.found
    low, high = (min(max(mean + side * spread.deviation, 0), last) / last * 100 for side in (-1, 1))
    return low, high - low
