"""The limits of texts that are scored in the server's own process.

The time grows in proportion to the texts, but for ROUGE-L's, which grows with the product of their words. Within the
limits a score takes at most two seconds of a slow processor and an explanation one, with the fast ROUGE engine; where
others use the processor, accordingly longer. Files are scored in separate processes with other limits (`workers.py`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import ParamSpec, TypeVar

from zs_app.server.jobs import in_thread
from zs_bench.benchmarks import Task
from zs_bench.files.limits import UPLOADS
from zs_metric.errors import ZeroScrollsError
from zs_metric.explain import Explanation, explain
from zs_metric.results import ExampleResult
from zs_metric.rouge import ENGINES, engine, words_in
from zs_metric.scoring import score_text
from zs_metric.texts import clean_references, clean_text

#: Characters of a prediction, and of all its references together, and the number of these.
MAX_TEXT, MAX_REFERENCES = 1_000_000, 100
#: Characters of a prediction that is explained, and of its references; longer ones are only scored.
MAX_EXPLAINED, MAX_EXPLAINED_REFERENCES = 50_000, 200_000
#: Characters of a prediction that is explained times the number of its references, each of which is compared with it.
MAX_COMPARED = 2_000_000
#: By engine: words of the prediction times words of the references, which ROUGE-L compares pairwise.
MAX_PAIRS = {ENGINES[0]: UPLOADS.word_pairs, ENGINES[1]: 4_000_000}
# The most characters of a prediction and its references that are scored within a few milliseconds.
_SHORT = 2_000
#: Bytes of the bodies that are received and parsed at the same time, and of those that jobs hold; and of a small one.
MAX_RECEIVED, MAX_IN_JOBS, SMALL_BODY = 250_000_000, 250_000_000, 50_000
# Longer texts are scored two at a time; a request waits this many seconds for its turn.
_LONG, _MAX_WAIT = 100_000, 2.0
_SLOTS = BoundedSemaphore(2)
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Room:
    """Room for the bodies of calls in the server's memory, in bytes; small bodies always have some."""

    def __init__(self, size: int) -> None:
        self._left, self._lock = size, Lock()

    @contextmanager
    def held(self) -> Iterator[Callable[[int], None]]:
        """Hold room until the block ends: the function, for each part of a body, as many bytes more.

        It raises `Busy` if there are not as many left, unless the body is small.
        """
        held = 0

        def hold(size: int) -> None:
            nonlocal held
            with self._lock:
                if size > self._left and held + size > SMALL_BODY:
                    raise Busy("the server holds other large calls; try again in a few minutes")
                self._left -= size
                held += size

        try:
            yield hold
        finally:
            with self._lock:
                self._left += held


class TooLong(ZeroScrollsError):
    """Texts that would take too long to score in the server."""


class Busy(ZeroScrollsError):
    """The server is scoring other long texts, or holds other large calls."""


async def without_blocking(
    texts: Iterable[str], function: Callable[_Arguments, _Result], *values: _Arguments.args, **named: _Arguments.kwargs
) -> _Result:
    """Return the result of a function that scores these texts: of short ones at once, since a thread takes longer."""
    if sum(map(len, texts)) <= _SHORT:
        return function(*values, **named)
    return await in_thread(function, *values, **named)


def score_within_limits(task: Task, answer: str, references: Sequence[str]) -> ExampleResult:
    """Return the result of `zs_metric.scoring.score_text`; raises its errors, `TooLong` and `Busy`."""
    with _limited(task, answer, references):
        return score_text(task.metric, answer, references)


def explain_within_limits(task: Task, answer: str, references: Sequence[str]) -> Explanation:
    """Return the explanation of `zs_metric.explain`; raises as `score_within_limits`."""
    with _limited(task, answer, references):
        if not is_explained(answer, references):
            raise TooLong(
                f"explanations are limited to answers of {MAX_EXPLAINED:,} characters and references of "
                f"{MAX_EXPLAINED_REFERENCES:,} together, and of several references to {MAX_COMPARED:,} characters "
                "times references; score_answer scores longer ones"
            )
        return explain(task, answer, references)


def is_explained(answer: str, references: Iterable[str]) -> bool:
    texts = list(references)
    is_short = len(answer) <= MAX_EXPLAINED and sum(map(len, texts)) <= MAX_EXPLAINED_REFERENCES
    return is_short and len(answer) * len(texts) <= MAX_COMPARED


@contextmanager
def _limited(task: Task, answer: str, references: Sequence[str]) -> Iterator[None]:
    """Refuse texts beyond the limits, and let long ones wait for a slot; what is no text raises as in the scorer."""
    answer, texts = clean_text(answer, "prediction"), clean_references(references)
    total, elsewhere = sum(map(len, texts)), "score a file instead, or use the command line"
    for name, length, most, unit in (
        ("the answer has", len(answer), MAX_TEXT, "characters"),
        ("the references together have", total, MAX_TEXT, "characters"),
        ("there are", len(texts), MAX_REFERENCES, "references"),
    ):
        if length > most:
            raise TooLong(f"{name} {length:,} {unit}, more than the {most:,} that are scored at once; {elsewhere}")
    if task.metric.by_types:
        most = next(most for package, most in MAX_PAIRS.items() if engine().name.startswith(f"{package} "))
        # A word has a character at least, so that short texts need not be counted.
        if len(answer) * total > most and words_in(answer) * words_in("\n".join(texts)) > most:
            raise TooLong(
                f"ROUGE-L compares every word of the answer with every word of the references, more than {most:,} "
                f"pairs here; shorten the texts, or {elsewhere}"
            )
    if len(answer) + total <= _LONG:
        yield
    elif _SLOTS.acquire(timeout=_MAX_WAIT):
        try:
            yield
        finally:
            _SLOTS.release()
    else:
        raise Busy("other long texts are being scored; try again in a moment")
