"""How the prompts of a run ended, as a table and sentences for a terminal."""

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import NamedTuple

from zs_bench.problems import counted
from zs_bench.reports.tables import Table
from zs_bench.run_records.account import RunAccount, TaskAccount
from zs_bench.run_records.journal import ALL_REASONING, FAILED, OVERFLOW, REFUSED
from zs_bench.scoring.groups import run_scores
from zs_bench.scoring.scored import ScoredFile


class Count(NamedTuple):
    """A column of the account: its head, and what it counts.

    `sentence` begins the sentence that stands for the column in a terminal; empty where it is a column there too.
    """

    title: str
    of: Callable[[TaskAccount], int]
    sentence: str = ""


def _ended(title: str, status: str) -> Count:
    return Count(title, lambda task: task.statuses.get(status, 0))


TRIMMED = Count("Trimmed before", attrgetter("trimmed"), "Trimmed before they were sent")
COUNTS = (
    Count("Prompts", attrgetter("prompts")),
    Count("Answered", attrgetter("answered")),
    Count(
        "Cut by the server",
        lambda task: len(task.cut_by_server),
        "Cut by the server, which did not read the whole prompt",
    ),
    TRIMMED,
    _ended("Overflow", OVERFLOW),
    _ended("All reasoning", ALL_REASONING),
    _ended("Refused", REFUSED),
    _ended("Failed", FAILED),
    Count("Not asked", attrgetter("not_asked")),
    Count("Length limit", lambda task: len(task.stopped_at_length), "Stopped at the length limit"),
    Count("Thoughts removed", attrgetter("think_dropped"), "Thoughts taken out of the answer"),
)
_TOKENS = {
    "prompt_tokens": "read",
    "cached_tokens": "of them from a cache",
    "completion_tokens": "written",
    "reasoning_tokens": "of them reasoning",
}


def account_text(tasks: Mapping[str, TaskAccount]) -> str:
    """Return the table of statuses by task, and sentences about everything else."""
    columns = [count for count in COUNTS if not count.sentence]
    rows = [(name, *(f"{count.of(task):,}" for count in columns)) for name, task in tasks.items()]
    head = ("task", *(count.title.lower() for count in columns))
    return "\n".join([Table(head, rows, right=range(1, len(head))).text(), *_notes(tasks)])


def _notes(tasks: Mapping[str, TaskAccount]) -> Iterator[str]:
    for count in COUNTS:
        counts = {name: count.of(task) for name, task in tasks.items() if count.sentence and count.of(task)}
        if counts and count is not TRIMMED:
            yield f"{count.sentence}: {', '.join(f'{name} {number:,}' for name, number in counts.items())}."
    trimmed = [f"{k} {t.trimmed:,} ({t.kept:.0%} of the document kept)" for k, t in tasks.items() if t.kept is not None]
    if trimmed:
        yield f"{TRIMMED.sentence}: {', '.join(trimmed)}."
    if tokens := tokens_sentence(tasks):
        yield tokens


def tokens_sentence(tasks: Mapping[str, TaskAccount]) -> str:
    """Return how many tokens were read and written, as the server counted them; empty where it did not."""
    sums = {name: sum(t.tokens.get(name, 0) for t in tasks.values()) for name in _TOKENS}
    counts = ", ".join(f"{sums[name]:,} {title}" for name, title in _TOKENS.items() if sums[name])
    return f"Tokens: {counts}." if counts else ""


def account_sentence(tasks: Mapping[str, TaskAccount]) -> str:
    """Return how many prompts were answered, and how many of these were not read whole.

    >>> account_sentence({"qasper": TaskAccount(5, {"ok": 3, "overflow": 2}, cut_by_server=("q1",))})
    '3 of 5 prompts answered, 1 cut by the server'
    """
    prompts = sum(task.prompts for task in tasks.values())
    cut = sum(len(task.cut_by_server) for task in tasks.values())
    trimmed = sum(task.trimmed for task in tasks.values())
    parts = [f"{sum(task.answered for task in tasks.values()):,} of {counted(prompts, 'prompt')} answered"]
    parts += [f"{count:,} {what}" for count, what in ((cut, "cut by the server"), (trimmed, "trimmed before")) if count]
    return ", ".join(parts)


def run_text(scored: ScoredFile, run: RunAccount) -> str:
    """Return the account of the run's prompts, and its alternative scores."""
    titles = {
        "without_cut": "Without the prompts cut by the server",
        "lost_as_empty": "With lost prompts as empty answers",
    }
    scores = run_scores(scored)
    lines = [f"The run of {run.title}:", account_text(run.tasks)]
    for key, title in titles.items():
        shown = [f"{task} {row[key]:.4f}" for task, row in scores.items() if row[key] is not None]
        lines += [f"{title}: {', '.join(shown)}."] if shown else []
    return "\n".join(lines)
