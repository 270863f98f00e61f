"""Answers and references so long that ROUGE-L, which compares each word of one with each of the other, takes seconds.

Such a pair is refused in an upload (`limits.Limits.word_pairs`); a command says that it takes long, and scores it.
"""

from collections.abc import Iterator, Mapping

from zs_bench.files import limits
from zs_bench.problems import Problem, counted
from zs_bench.scoring.scored import ScoredTask
from zs_metric.rouge import words_in

# What one answer to a task has: the words of its text, and of the longest reference.
LongPair = tuple[int, int]


def long_pairs(task: ScoredTask, predictions: Mapping[str, str]) -> dict[str, LongPair]:
    """Return the words of each answer, by id, that has more pairs with a reference's words than an upload may have.

    Few texts are so long that their words need to be counted.
    """
    most, pairs = limits.UPLOADS.word_pairs, dict[str, LongPair]()
    if not task.task.metric.by_types:
        return pairs
    for id_, row in task.references.items():
        answer = predictions.get(id_, "")
        texts = [text for text in row.texts if len(text) * len(answer) > most]
        if texts:
            words, longest = words_in(answer), max(map(words_in, texts))
            if words * longest > most:
                pairs[id_] = words, longest
    return pairs


def in_words(pairs: Mapping[str, LongPair]) -> str:
    """Return how many answers they are, and the words of that with the most pairs."""
    words, longest = max(pairs.values(), key=lambda pair: pair[0] * pair[1])
    return f"{counted(len(pairs), 'answer')} of up to {words:,} words beside references of {longest:,}"


def on_long_pairs(task: ScoredTask, pairs: Mapping[str, LongPair]) -> Iterator[Problem]:
    """The error of each pair that is too long for an upload, or in a command one warning."""
    name, most = task.task.name, limits.current().word_pairs
    for id_, (words, longest) in pairs.items():
        if words * longest > most:
            message = (
                f"ROUGE-L compares each word of the answer with each of a reference, more than {most:,} pairs here. "
                "Shorten the answer, or score it with the command line"
            )
            yield Problem("too-long", message, name, id_, detail=f"{words:,} x {longest:,} words")
    if pairs and all(words * longest <= most for words, longest in pairs.values()):
        message = f"{in_words(pairs)} took long: ROUGE-L compares each word with each"
        yield Problem("took-long", message, name, is_error=False)
