"""How much is taken: of a request, and of the texts that are scored at once in the server's own process.

Measured on two slow cores, with the fast ROUGE engine: within these bounds a score takes two seconds at most and an
explanation one. A file has other bounds, since it is scored in a process of its own (`workers.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import BoundedSemaphore

from zs_metric.errors import ZeroScrollsError
from zs_metric.explain import Explanation, explain
from zs_metric.results import ExampleResult
from zs_metric.rouge_engines import ENGINES, engine
from zs_metric.scoring import score_example
from zs_metric.tasks import find_task

#: Bytes of one uploaded file, of all files of one upload, and of what an address uploads until it rests for an hour.
MAX_UPLOAD, MAX_UPLOADS, MAX_AN_HOUR = 50_000_000, 200_000_000, 4_000_000_000
#: Bytes of the answers of a whole run as JSON, of what the page sends, of a request that needs no body; and of all
#: bodies that are being read into memory at one time.
MAX_BODY, MAX_EVENT, MAX_SMALL, MAX_HELD = 32_000_000, 8_000_000, 100_000, 300_000_000
#: Files of one upload, bytes of the head of one, characters of the name of a session.
MAX_FILES, MAX_HEAD, MAX_NAME = 100, 8_192, 100
#: Seconds that a body may take, and bytes a second beyond them; seconds within which something of it must come.
MAX_SENDING, MIN_RATE, MAX_PAUSE = 30.0, 200_000, 20.0
#: Characters of an answer, and of all its references together.
MAX_TEXT = 1_000_000
MAX_REFERENCES = 100
#: Characters of an answer that is explained, and of its references; others are scored and not explained.
MAX_EXPLAINED, MAX_EXPLAINED_REFERENCES = 50_000, 200_000
#: Words of the answer times words of the references: ROUGE-L compares each with each. By the engine that is installed.
MAX_PAIRS = {ENGINES[0]: 500_000_000, ENGINES[1]: 4_000_000}
# Texts longer than this are scored two at a time, whoever sends them.
_LONG = 100_000
_SLOTS = BoundedSemaphore(2)
_PATIENCE = 2.0


class TooLong(ZeroScrollsError):
    """Texts that would take too long to be scored at once."""


class Busy(ZeroScrollsError):
    """Other visitors' long texts are being scored."""


def score_at_once(
    task: str, answer: str, references: Sequence[str], *, benchmark: str = "zero_scrolls"
) -> ExampleResult:
    """`zs_metric.score_example`, within the bounds.

    Raises:
        TooLong: with the bound; Busy; and what `score_example` raises.
    """
    check_bounds(task, answer, references, benchmark=benchmark)
    with _slot(answer, references):
        return score_example(task, answer, references, benchmark=benchmark)


def explain_at_once(
    task: str, answer: str, references: Sequence[str], *, benchmark: str = "zero_scrolls"
) -> Explanation:
    """`zs_metric.explain.explain`, within the bounds; raises likewise."""
    check_bounds(task, answer, references, benchmark=benchmark)
    if not is_explained(answer, references):
        raise TooLong(
            f"an answer of up to {MAX_EXPLAINED:,} characters is explained, with references of up to "
            f"{MAX_EXPLAINED_REFERENCES:,} together; this one is scored, not explained"
        )
    with _slot(answer, references):
        return explain(task, answer, references, benchmark=benchmark)


def is_explained(answer: str, references: Iterable[str]) -> bool:
    """Whether the texts are short enough to be explained."""
    return len(answer) <= MAX_EXPLAINED and sum(map(len, references)) <= MAX_EXPLAINED_REFERENCES


def check_bounds(task: str, answer: str, references: Sequence[str], *, benchmark: str = "zero_scrolls") -> None:
    """Refuse texts beyond the bounds; anything but texts is left to the scorer, which names it.

    Raises:
        UnknownTask; TooLong: with the bound and the next step.
    """
    metric = find_task(task, benchmark=benchmark).metric.name
    answer, texts = "".join(_texts(answer)), _texts(references)
    for name, length, most, unit in (
        ("the answer has", len(answer), MAX_TEXT, "characters"),
        ("the references together have", sum(map(len, texts)), MAX_TEXT, "characters"),
        ("there are", len(texts), MAX_REFERENCES, "references"),
    ):
        if length > most:
            raise TooLong(f"{name} {length:,} {unit}, more than the {most:,} that are scored at once; {_ELSEWHERE}")
    if metric == "rouge" and _pairs(answer, texts) > _most_pairs():
        raise TooLong(
            f"ROUGE-L compares every word of the answer with every word of the references, more than "
            f"{_most_pairs():,} pairs here; shorten the texts, or {_ELSEWHERE}"
        )


_ELSEWHERE = "score a file of predictions, or use the command line"
# As the scorer takes words apart: it lowers the text first, and two letters outside ASCII become ASCII ones then.
_WORD = re.compile("[a-z0-9]+")


def too_large(most: int) -> str:
    """That a body has more bytes than are taken."""
    return f"this is larger than {most:,} bytes, the most that is taken"


def _pairs(answer: str, references: Sequence[str]) -> int:
    together = sum(map(len, references))
    if len(answer) * together <= _most_pairs():  # a word has a character at least
        return 0
    return _words(answer) * sum(map(_words, references))


def _words(text: str) -> int:
    return sum(1 for _ in _WORD.finditer(text.lower()))


def _most_pairs() -> int:
    name = engine().name
    return next(most for package, most in MAX_PAIRS.items() if name.startswith(f"{package} "))


def _texts(value: object) -> list[str]:
    """The texts among what a caller gave; all else is for the scorer to refuse."""
    values = value if isinstance(value, (list, tuple)) else [value]
    return [text for text in values if isinstance(text, str)]


@contextmanager
def _slot(answer: str, references: Sequence[str]) -> Iterator[None]:
    """Room for long texts; short ones need none."""
    if sum(map(len, [*_texts(answer), *_texts(references)])) <= _LONG:
        yield
        return
    if not _SLOTS.acquire(timeout=_PATIENCE):
        raise Busy("other long texts are being scored; try again in a moment")
    try:
        yield
    finally:
        _SLOTS.release()
