"""The loss breakdown: the points that a prediction lost, by cause.

The points of the causes (`CAUSES`) are never negative and add up to 100 minus the score. One cause takes the whole loss
of a prediction that

- has an *unfinished thinking*: it opens a thinking tag such as `<think>` and never closes it;
- was *misread*: a person would read an answer in it that the scorer did not. The letter read is the article "A", or the
  prediction names the right one ("A is tempting, but the answer is B", "not A but B"); a percentage is written in
  another notation, or only the tail of a number was read and the whole number scores more (`87.0.0%`); there is a list
  of ids that the scorer would have accepted alone; a prediction that must equal a reference is the letter of an option,
  or a part of it does equal one ("Entailment, because …");
- had *nothing read* in it: no letter, percentage, id or word, and a person would find none either. With a metric that
  has no explanation of its own nobody looked for what a person would find: no class of the list, no number in digits;
- is longer than `TEXT_LIMIT` characters (*not explained*), as is one with a metric that has no explanation of its own;
- lists the *wrong ids*: some are missing, repeated, or not in the list;
- has a *short reference*: none has words (F1) or pairs of words (ROUGE), so that nothing can score.

Otherwise *typography* takes what the lenient scoring gains (`explanation.py`: quotes, dashes, ellipsis, accents,
full-width forms in ASCII, in the prediction and in the references), and the causes of the metric take the rest:

- F1 and ROUGE: *words missing* and *words too many*, the Shapley values of two repairs. With `o` shared words of `n` in
  the prediction and `m` in its best reference, an F-measure is 2o / (n + m). With the missing words added it is
  2m / (n + 2m - o), without the superfluous ones 2o / (o + m), with both repairs 1. Each repair counts with the mean of
  what it gains as the first and as the second. For ROUGE the score is the geometric mean of its three types.
- Accuracy: *two options* when it offers several letters, else *wrong option*. Percentages: *too high* or *too low*.
  Orders: *wrong order*. Exact match: *other text*.
"""

from collections.abc import Callable, Mapping, Sequence

#: The causes, in the order in which reports list them; a loss breakdown has those that took points.
CAUSES = (
    *("unfinished thinking", "misread", "nothing read", "typography", "words missing", "words too many"),
    *("wrong option", "two options", "too high", "too low", "wrong percentage", "wrong order", "wrong ids"),
    *("other text", "short reference", "not explained"),
)
# The points lost, by cause.
Losses = Mapping[str, float]


def missing_and_extra(
    overlaps: Sequence[tuple[float, int, int]], mean: Callable[..., float], lost: float
) -> dict[str, float]:
    """Return the lost points as those of the missing and of the superfluous words.

    `overlaps` are per F-measure the numbers of shared words, of words in the prediction, and in the reference; `mean`
    makes the score in points from F-measures in points.

    >>> missing_and_extra([(1, 3, 1)], float, 50)
    {'words missing': 0.0, 'words too many': 50.0}
    """
    if not all(words for _, _, words in overlaps):
        return {"short reference": lost}
    completed = mean(*(200 * m / (n + 2 * m - o) for o, n, m in overlaps))
    shortened = mean(*(200 * o / (o + m) for o, n, m in overlaps))
    missing = min(max((completed - (100 - lost) + 100 - shortened) / 2, 0.0), lost)
    return {"words missing": missing, "words too many": lost - missing}
