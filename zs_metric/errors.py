"""What can be wrong with an input, each error naming the thing, the place and the next step.

All errors share the root `ZeroScrollsError`, which is a `ValueError`. Positions count from 0, as Python does:
`predictions[3]` is the fourth answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class ZeroScrollsError(ValueError):
    """The root of every error that an input can cause here."""


class UnknownBenchmark(ZeroScrollsError):
    """A name that is not a benchmark's."""

    def __init__(self, benchmark: object, known: Iterable[str]) -> None:
        super().__init__(_unknown("benchmark", benchmark, list(known)))


class UnknownTask(ZeroScrollsError):
    """A task name that is not one of the benchmark's; `elsewhere` are the benchmarks that have it."""

    def __init__(self, task: object, known: Iterable[str], elsewhere: Iterable[str] = ()) -> None:
        others = " and of ".join(elsewhere)
        advice = f"it is a task of {others}, another benchmark" if others else ""
        super().__init__(_unknown("task", task, list(known), advice))


class NotAText(ZeroScrollsError):
    """Something that is not a string where a text belongs, or not a list where a list of texts belongs.

    `advice` says what belongs there.
    """

    def __init__(
        self, value: object, place: str, advice: str = "not a text; give a string (an empty answer is '')"
    ) -> None:
        super().__init__(f"{place} is {_shown(value)} ({type(value).__name__}), {advice}")


class LengthMismatch(ZeroScrollsError):
    """Predictions, references or task names that do not line up."""

    def __init__(self, **lengths: int) -> None:
        counted = " and ".join(f"{count} {name}" for name, count in lengths.items())
        super().__init__(f"{counted} do not line up; give one list of references (and one task) for each prediction")


class EmptyInput(ZeroScrollsError):
    """Nothing to score."""

    def __init__(self, what: str = "predictions") -> None:
        super().__init__(f"there are no {what} to score; a mean over nothing is not a number")


class UnreadableReference(ZeroScrollsError):
    """A reference in which the scorer can find nothing to compare with: the caller's error, not the answer's.

    Attributes:
        example, reference: the position, `references[example][reference]`; `None` where there is no such level.
    """

    def __init__(self, why: str, text: str | None, reference: int | None = None, example: int | None = None) -> None:
        self.why, self.text, self.reference, self.example = why, text, reference, example
        place = "references" + "".join(f"[{i}]" for i in (example, reference) if i is not None)
        shown = "" if text is None else f": {text[:80]!r}"
        super().__init__(f"{place} cannot be read, {why}{shown}; correct the reference")

    def of_example(self, example: int | None) -> UnreadableReference:
        """The same error with the position of the example it stands in."""
        return UnreadableReference(self.why, self.text, self.reference, example)


def _unknown(kind: str, name: object, known: Sequence[str], advice: str = "") -> str:
    return f"no {kind} {_shown(name)}; {advice or did_you_mean(name, known) or f'the {kind}s are ' + ', '.join(known)}"


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """`"did you mean 'gov_report'?"`, or an empty string when no known name is near."""
    import difflib  # noqa: PLC0415  (a fifth of the package's import time, needed only for a wrong name)

    def bare(text: str) -> str:
        return "".join(filter(str.isalnum, text.lower()))

    by_bare_name = {bare(candidate): candidate for candidate in known}
    near = difflib.get_close_matches(bare(str(name)[:80]), by_bare_name, n=1, cutoff=0.7)
    return f"did you mean {by_bare_name[near[0]]!r}?" if near else ""


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
