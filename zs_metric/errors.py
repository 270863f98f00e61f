"""The errors that an input can cause. Each says what is wrong, where, and what to do next.

All errors derive from `ZeroScrollsError`, a `ValueError`. Positions count from 0: `predictions[3]` is the fourth one.
"""

from collections.abc import Iterable
from typing import Any


class ZeroScrollsError(ValueError):
    """The base class of all errors of this package."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle message and attributes, because the constructors take other arguments."""
        return Exception.__new__, (type(self), *self.args), self.__dict__


class UnknownBenchmark(ZeroScrollsError):
    """The name is not that of a benchmark."""

    def __init__(self, benchmark: object, names: Iterable[str]) -> None:
        super().__init__(unknown("benchmark", benchmark, names))


class UnknownTask(ZeroScrollsError):
    """The benchmark has no task of that name; `elsewhere` are the benchmarks that have one."""

    def __init__(self, task: object, names: Iterable[str], elsewhere: Iterable[str] = ()) -> None:
        others = list(elsewhere)
        step = f"it is a task of {' and of '.join(others)}, {'other benchmarks' if others[1:] else 'another benchmark'}"
        listed = list(names)
        advice = "; ".join(filter(None, (step, did_you_mean(task, listed)))) if others else ""
        super().__init__(unknown("task", task, listed, advice))


class NotAText(ZeroScrollsError):
    """A value that is not a string or not a list of strings, where one is expected; `advice` says what to give."""

    def __init__(
        self, value: object, place: str, advice: str = "not a text; give a string (an empty answer is '')"
    ) -> None:
        super().__init__(f"{place} is {_shown(value)} ({type(value).__name__}), {advice}")


class LengthMismatch(ZeroScrollsError):
    """Predictions, references and task names of different numbers."""

    def __init__(self, **lengths: int) -> None:
        counted = " and ".join(f"{count} {name}" for name, count in lengths.items())
        super().__init__(f"{counted} do not line up; give one list of references (and one task) for each prediction")


class EmptyInput(ZeroScrollsError):
    """There is nothing to score."""

    def __init__(self, what: str = "predictions") -> None:
        super().__init__(f"there are no {what} to score; give at least one")


class UnreadableReference(ZeroScrollsError):
    """A reference that the scorer cannot read: a fault of the data, not of the prediction.

    Its position is `references[example][reference]`; an index that does not apply is `None`, and so is the `text` of an
    empty list of references.
    """

    def __init__(self, why: str, text: str | None, reference: int | None = None, example: int | None = None) -> None:
        self.why, self.text, self.reference, self.example = why, text, reference, example
        place = "references" + "".join(f"[{i}]" for i in (example, reference) if i is not None)
        message = f"{place} is an empty list; give at least one text"
        if text is not None:
            message = f"{place} cannot be read, {why}: {text[:80]!r}; correct the reference"
        super().__init__(message)

    def of_example(self, example: int | None) -> "UnreadableReference":
        """Return the same error, for the example at this position."""
        return UnreadableReference(self.why, self.text, self.reference, example)


def unknown(kind: str, name: object, names: Iterable[str], advice: str = "") -> str:
    """Return the message about an unknown name, with the advice, else the most similar name, else all names."""
    listed = list(names)
    advice = advice or did_you_mean(name, listed) or f"the {kind}s are {', '.join(listed)}"
    return f"no {kind} {_shown(name)}; {advice}"


def did_you_mean(name: object, names: Iterable[str]) -> str:
    """Return a sentence such as "did you mean 'gov_report'?", or "" if no name is similar."""
    import difflib  # noqa: PLC0415  (a fifth of the package's import time, needed only for a wrong name)

    by_bare_name = {"".join(filter(str.isalnum, candidate.lower())): candidate for candidate in names}
    bare_name = "".join(filter(str.isalnum, str(name)[:80].lower()))
    near = difflib.get_close_matches(bare_name, by_bare_name, n=1, cutoff=0.7)
    return f"did you mean {by_bare_name[near[0]]!r}?" if near else ""


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
