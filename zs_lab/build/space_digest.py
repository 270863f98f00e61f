"""SpaceDigest from reviews with ratings (ZeroSCROLLS section 3.1.3).

One example is 50 reviews of one place without their ratings, and asks for the percentage of positive ones. Of five
points, 4 and more are positive, 2 and less negative; those between are left out. On another scale the limits are at the
same shares. The places with the most reviews are taken. The paper does not say which reviews of a place it took: here
they are drawn, the same text only once.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from zs_bench.benchmarks import find_task
from zs_bench.errors import UnusableInput
from zs_bench.problems import short
from zs_lab.build.reading import Record
from zs_lab.build.samples import EmptySample, NewExample, NewSample, Options, option, recent, seeded_random, text_of
from zs_lab.build.tell_tales import REVIEW_TELL_TALES, find_hits, without_sentences


@dataclass(frozen=True, slots=True)
class ReviewOptions(Options):
    """How SpaceDigest is built; `mask` leaves out the sentences that state a rating."""

    place: str = option("Column of the place.", default="place")
    rating: str = option("Column of the rating.", default="rating")
    text: str = option("Column of the text.", default="text")
    scale: str = option("Lowest and highest rating.", default="1-5")
    reviews: int = option("Reviews per example.", default=50)
    size: int = option("Maximum number of examples.", default=500)
    balance: bool = option("Draw the percentages evenly from 0 to 100.", default=False)
    mask: bool = False


class _Review(NamedTuple):
    text: str
    positive: bool
    day: list[date]


def build_space_digest(records: Iterable[Record], options: ReviewOptions, seed: int = 0) -> NewSample:
    """Return the examples; raises `UnusableInput` for a column that does not exist, and without a place to use."""
    sample, total = NewSample(find_task("space_digest")), options.reviews
    places = _places(records, options, sample)
    unbalanced = []
    for place in sorted(places, key=lambda place: (-len(places[place]), place)):
        if len(sample.examples) == options.size:
            sample.drop("places beyond the size asked for")
            continue
        if len(places[place]) < total:
            sample.drop(f"places with fewer than {total} reviews")
            continue
        positive = [review for review in places[place] if review.positive]
        negative = [review for review in places[place] if not review.positive]
        low, high = max(0, total - len(negative)), min(total, len(positive))  # of positive reviews in an example
        if (low, high) != (0, total):
            unbalanced.append(f"{short(place)} only from {percentage(low, total)} to {percentage(high, total)}")
        drawn = seeded_random(seed, place)
        if options.balance:
            share = drawn.randint(low, high)
            reviews = drawn.sample(positive, share) + drawn.sample(negative, total - share)
        else:
            reviews = drawn.sample(positive + negative, total)
        drawn.shuffle(reviews)
        units = [f"Review {number}:\n{review.text}" for number, review in enumerate(reviews, start=1)]
        reference = percentage(sum(review.positive for review in reviews), total)
        days = [day for review in reviews for day in review.day]
        sample.examples.append(NewExample(short(place, 100), units, [reference], days=days))
    if not sample.examples:
        raise EmptySample(f"no place has {total} reviews that can be used; give more, or --reviews N", sample)
    if options.balance and unbalanced:
        sample.notes.append(
            f"--balance could not draw evenly from 0 to 100 % for {len(unbalanced)} of {len(sample.examples)} places, "
            f"which have too few positive or negative reviews: {', '.join(unbalanced[:3])}."
        )
    return sample


def percentage(positive: int, total: int) -> str:
    """Return the reference.

    >>> percentage(31, 50), percentage(1, 3)
    ('62%', '33.33%')
    """
    return f"{round(100 * positive / total, 2):g}%"


def _places(records: Iterable[Record], options: ReviewOptions, sample: NewSample) -> dict[str, list[_Review]]:
    """Return the reviews of each place that can be used; the sample keeps their tell-tales."""
    places: dict[str, list[_Review]] = {}
    seen: set[tuple[str, str]] = set()
    scale = re.fullmatch(r"(\d+)-(\d+)", options.scale.replace(" ", ""))
    lowest, highest = map(int, scale.groups()) if scale else (0, 0)
    if lowest >= highest:
        why = f"--scale {short(options.scale)!r} is not a scale"
        raise UnusableInput(f"{why}; write the lowest and highest rating as 1-10")
    negative, positive = lowest + (highest - lowest) / 4, highest - (highest - lowest) / 4
    off_scale = f"reviews without a rating from {lowest} to {highest}"
    columns = {options.place: "--place", options.rating: "--rating", options.text: "--text"}
    for number, record, day in recent(records, options, sample, columns):
        place, text, written = (text_of(record, column) for column in (options.place, options.text, options.rating))
        rating = _rating(written, highest)
        if not place or not text:
            sample.drop("reviews without a place or a text")
        elif rating is None or not lowest <= rating <= highest:
            is_first = off_scale not in sample.named
            sample.drop(off_scale, f"the first: {written!r}; --scale names others" if is_first else None)
        elif negative < rating < positive:
            sample.drop(f"neutral reviews (rating between {negative:g} and {positive:g})")
        elif (place, text) in seen:
            sample.drop("reviews that a place has twice")
        else:
            hits = find_hits(f"{place}, review {number}", text, REVIEW_TELL_TALES)
            sample.hits += hits
            usable = without_sentences(text) if options.mask else text
            if hits and not options.accept:
                sample.drop("reviews with a passage that may state a rating")
            elif usable:
                places.setdefault(place, []).append(_Review(usable, rating >= positive, day))
            else:
                sample.drop("reviews of which --mask left nothing")
        seen.add((place, text))
    return places


def _rating(text: str, highest: int) -> float | None:
    """Return a rating such as "4" or "4 of 5 bubbles"; `None` if it is none, or out of another number."""
    match = re.fullmatch(r"(\d+(?:[.,]\d+)?)(?:\s*(?:/|of|out of)\s*(\d+))?(?:\s*[a-z]+)?", text.lower())
    return float(match[1].replace(",", ".")) if match and match[2] in (None, str(highest)) else None
