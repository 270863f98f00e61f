"""How the prompts of a run ended, as a table and sentences for a terminal."""

from collections.abc import Callable, Mapping
from operator import attrgetter

from zs_bench.problems import counted
from zs_bench.reports.tables import Table
from zs_bench.run_records import ALL_REASONING, FAILED, OVERFLOW, REFUSED, RunAccount, TaskAccount
from zs_bench.scoring.scored import ScoredFile, run_scores

#: The columns of the account: the head, and what is counted.
COUNTS: Mapping[str, Callable[[TaskAccount], int]] = {
    "Prompts": attrgetter("prompts"),
    "Answered": attrgetter("answered"),
    "Cut by the server": lambda task: len(task.cut_by_server),
    "Trimmed before": attrgetter("trimmed"),
    "Overflow": lambda task: task.statuses.get(OVERFLOW, 0),
    "All reasoning": lambda task: task.statuses.get(ALL_REASONING, 0),
    "Refused": lambda task: task.statuses.get(REFUSED, 0),
    "Failed": lambda task: task.statuses.get(FAILED, 0),
    "Not asked": attrgetter("not_asked"),
    "Length limit": lambda task: len(task.stopped_at_length),
    "Thoughts removed": attrgetter("think_dropped"),
}
# The beginnings of the sentences that stand for some of them in a terminal.
_SENTENCES = {
    "Cut by the server": "Cut by the server, which did not read the whole prompt",
    "Length limit": "Stopped at the length limit",
    "Thoughts removed": "Thoughts taken out of the answer",
    "Trimmed before": "Trimmed before they were sent",
}
_TOKENS = {
    "prompt_tokens": "read",
    "cached_tokens": "of them from a cache",
    "completion_tokens": "written",
    "reasoning_tokens": "of them reasoning",
}
# The alternative scores of a run.
_SCORES = {
    "without_cut": "Without the prompts cut by the server",
    "lost_as_empty": "With lost prompts as empty answers",
}


def run_text(scored: ScoredFile, run: RunAccount) -> str:
    scores, lines = run_scores(scored), [f"The run of {run.title}:", account_text(run.tasks)]
    for key, title in _SCORES.items():
        shown = [f"{task} {row[key]:.4f}" for task, row in scores.items() if row[key] is not None]
        lines += [f"{title}: {', '.join(shown)}."] if shown else []
    return "\n".join(lines)


def account_text(tasks: Mapping[str, TaskAccount]) -> str:
    columns = {title: count for title, count in COUNTS.items() if title not in _SENTENCES}
    rows = [(name, *(f"{count(task):,}" for count in columns.values())) for name, task in tasks.items()]
    text = [Table(("task", *map(str.lower, columns)), rows, right=range(1, len(columns) + 1)).text()]
    for title, sentence in _SENTENCES.items():
        counts = []
        for name, task in tasks.items():
            kept = f" ({task.kept or 0:.0%} of the document kept)" if title == "Trimmed before" else ""
            counts += [f"{name} {count:,}{kept}"] if (count := COUNTS[title](task)) else []
        text += [f"{sentence}: {', '.join(counts)}."] if counts else []
    return "\n".join(filter(None, [*text, tokens_sentence(tasks)]))


def tokens_sentence(tasks: Mapping[str, TaskAccount]) -> str:
    """Return how many tokens were read and written, as the server counted them; empty where it did not."""
    sums = {name: sum(task.tokens.get(name, 0) for task in tasks.values()) for name in _TOKENS}
    counts = ", ".join(f"{sums[name]:,} {title}" for name, title in _TOKENS.items() if sums[name])
    return f"Tokens: {counts}." if counts else ""


def account_sentence(tasks: Mapping[str, TaskAccount]) -> str:
    """Return how many prompts were answered, and how many of these were not read whole."""
    titles = ("Prompts", "Answered", "Cut by the server", "Trimmed before")
    prompts, answered, *others = (sum(map(COUNTS[title], tasks.values())) for title in titles)
    some = [f"{count:,} {title.lower()}" for count, title in zip(others, titles[2:], strict=True) if count]
    return ", ".join([f"{answered:,} of {counted(prompts, 'prompt')} answered", *some])
