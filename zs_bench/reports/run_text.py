"""What became of the prompts of a run, and what a run would cost, as tables for a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from zs_bench.problems import counted
from zs_bench.reports.tables import text_table
from zs_bench.runs.account import TaskAccount
from zs_bench.runs.estimate import TaskEstimate
from zs_bench.runs.replies import ALL_REASONING, FAILED, OVERFLOW, REFUSED

_HEAD = ("task", "prompts", "answered", "overflow", "all reasoning", "refused", "failed", "not asked")


def account_text(tasks: Mapping[str, TaskAccount]) -> str:
    """The table of statuses by task, and a sentence for everything else that is to be known."""
    rows = [(name, *map(_count, _cells(one))) for name, one in tasks.items()]
    return "\n".join([*text_table([_HEAD, *rows], right=range(1, len(_HEAD))), *_notes(tasks)])


def _cells(one: TaskAccount) -> tuple[int, ...]:
    lost = [one.statuses.get(status, 0) for status in (OVERFLOW, ALL_REASONING, REFUSED, FAILED)]
    return (one.prompts, one.answered, *lost, one.not_asked)


def _count(number: int) -> str:
    return f"{number:,}"


def _notes(tasks: Mapping[str, TaskAccount]) -> Iterator[str]:
    for what, counts in {
        "Cut by the server, which did not read the whole prompt": {k: len(t.cut_by_server) for k, t in tasks.items()},
        "Stopped at the length limit": {k: len(t.stopped_at_length) for k, t in tasks.items()},
        "Thoughts taken out of the answer": {k: t.think_dropped for k, t in tasks.items()},
    }.items():
        if any(counts.values()):
            yield f"{what}: {', '.join(f'{task} {count:,}' for task, count in counts.items() if count)}."
    trimmed = [f"{k} {t.trimmed:,} ({t.kept:.0%} of the document kept)" for k, t in tasks.items() if t.kept is not None]
    if trimmed:
        yield f"Trimmed before they were sent: {', '.join(trimmed)}."
    if tokens := tokens_sentence(tasks):
        yield tokens


def tokens_sentence(tasks: Mapping[str, TaskAccount]) -> str:
    """How many tokens were read and written, as the server counted them; empty where it did not."""
    sums = {name: sum(t.tokens.get(name, 0) for t in tasks.values()) for name in _TOKENS}
    counts = ", ".join(f"{sums[name]:,} {title}" for name, title in _TOKENS.items() if sums[name])
    return f"Tokens: {counts}." if counts else ""


def account_sentence(tasks: Mapping[str, TaskAccount]) -> str:
    """How many prompts were answered, and how many of these were not read whole.

    >>> account_sentence({"qasper": TaskAccount(5, {"ok": 3, "overflow": 2}, cut_by_server=("q1",))})
    '3 of 5 prompts answered, 1 cut by the server'
    """
    prompts = sum(one.prompts for one in tasks.values())
    cut = sum(len(one.cut_by_server) for one in tasks.values())
    trimmed = sum(one.trimmed for one in tasks.values())
    parts = [f"{sum(one.answered for one in tasks.values()):,} of {counted(prompts, 'prompt')} answered"]
    parts += [f"{count:,} {what}" for count, what in ((cut, "cut by the server"), (trimmed, "trimmed before")) if count]
    return ", ".join(parts)


_TOKENS = {
    "prompt_tokens": "read",
    "cached_tokens": "of them from a cache",
    "completion_tokens": "written",
    "reasoning_tokens": "of them reasoning",
}


def estimate_text(
    tasks: Sequence[TaskEstimate], price: tuple[float, float] | None = None, *, exact: bool = False
) -> str:
    """The table of prompts, tokens, prompts over the window and price by task, with a sum.

    Args:
        tasks: at least one.
        price: per million tokens of prompt and of answer; `None` leaves the column out.
        exact: whether a tokenizer counted, rather than words.
    """
    total = TaskEstimate(
        "all",
        sum(one.prompts for one in tasks),
        sum(one.documents for one in tasks),
        sum(one.tokens for one in tasks),
        max(one.longest for one in tasks),
        sum(one.answer_tokens for one in tasks),
        None if tasks[0].over_window is None else sum(one.over_window or 0 for one in tasks),
    )
    head = ("task", "prompts", "documents", "tokens", "longest", "answers", "over window", "price")
    rows = [_estimate_cells(one, price) for one in (*tasks, total)]
    kept = [i for i in range(len(head)) if any(row[i] for row in rows)]
    table = [[row[i] for i in kept] for row in (head, *rows)]
    counted = "by the tokenizer" if exact else "as four thirds of the words"
    note = (
        f"Tokens are counted {counted}; 'answers' is the most that may be generated, and the price the most it costs."
    )
    return "\n".join([*text_table(table, right=range(1, len(kept))), note])


def _estimate_cells(one: TaskEstimate, price: tuple[float, float] | None) -> tuple[str, ...]:
    over = "" if one.over_window is None else _count(one.over_window)
    cost = "" if price is None else f"{one.price(*price):,.2f}"
    numbers = (one.prompts, one.documents, one.tokens, one.longest, one.answer_tokens)
    return (one.task, *map(_count, numbers), over, cost)
