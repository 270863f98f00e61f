"""Files of one benchmark that are given as another's: recognised, and said so.

ZeroSCROLLS and SCROLLS share six tasks, whose ids look alike. What tells them apart is a task that only one of them
has, and QuALITY's references: the letter of the right option in ZeroSCROLLS, its text in SCROLLS.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from zs_bench.files.entries import Entry, Nothing
from zs_bench.problems import Place, Problem
from zs_metric.accuracy import read_letter
from zs_metric.tasks import BENCHMARKS, Benchmark

#: The kind of these problems.
OTHER_BENCHMARK = "other-benchmark"
_Found = TypeVar("_Found", Entry | Nothing | Problem, Entry | Nothing)
# A bare letter, or one that marks an option: `B`, `(B) text`, `B. text`.
_LETTER = re.compile(r"\W*[A-D]([).:].*|\W*)", re.DOTALL)


def bare_task(found: _Found, benchmark: Benchmark) -> _Found:
    """What was found, its task without the benchmark's name, as in `scrolls_qasper` (lm-evaluation-harness)."""
    if isinstance(found, Problem) or not isinstance(found.task, str):
        return found
    bare = found.task.removeprefix(f"{benchmark.name}_")
    return found._replace(task=bare) if bare in benchmark.all_tasks else found


def of_other(task: str, benchmark: Benchmark) -> Benchmark | None:
    """Another benchmark whose task that is, when it is none of this one."""
    others = (other for other in BENCHMARKS.values() if other is not benchmark)
    return next((one for one in others if task.removeprefix(f"{one.name}_") in one.all_tasks), None)


def task_of_other(task: str, benchmark: Benchmark, other: Benchmark, place: Place | None, *, refuses: bool) -> Problem:
    """The problem of a task that another benchmark has and this one has not."""
    message = f"{task} is a task of {other.title}, not of {benchmark.title}; {_ask_for(other)}"
    return Problem(OTHER_BENCHMARK, message, place=place, refuses=refuses)


def references_of_other(task: str, by_id: Mapping[str, Sequence[str]], benchmark: str) -> Problem | None:
    """The problem of QuALITY's references that are the other benchmark's; `None` when they are not.

    Letters under SCROLLS refuse the task. Texts under ZeroSCROLLS are a warning: those without a letter are refused as
    unreadable anyway, and in others one is read.

    >>> references_of_other("quality", {"1_x": ["B"], "2_y": ["(C) a boat"]}, "zero_scrolls") is None
    True
    """
    texts = [text for references in by_id.values() for text in references]
    if task not in ("quality", "quality_hard") or not texts:
        return None
    in_scrolls = benchmark == "scrolls"
    if 2 * sum(map(_is_letter if in_scrolls else _is_text, texts)) <= len(texts):
        return None
    other = BENCHMARKS["zero_scrolls" if in_scrolls else "scrolls"]
    what = "letters" if in_scrolls else "the texts of options"
    message = f"the references are {what}, as {other.title} has them; {_ask_for(other)}, or give the references of "
    return Problem(OTHER_BENCHMARK, message + BENCHMARKS[benchmark].title, task, refuses=in_scrolls)


def _is_letter(text: str) -> bool:
    return _LETTER.fullmatch(text) is not None


def _is_text(text: str) -> bool:
    """Whether no letter is named in it: the article at its beginning is none."""
    return read_letter(text.removeprefix("A ")) is None


def _ask_for(benchmark: Benchmark) -> str:
    """The next step at any door."""
    return f"score the file as {benchmark.title} (in the app under Benchmark, else --benchmark {benchmark.name})"
