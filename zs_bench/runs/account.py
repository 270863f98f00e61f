"""What became of the prompts of a run, counted by task: which were answered, and what is to be known of the answers."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any

from zs_bench.runs.journal import Record, is_count
from zs_bench.runs.outcomes import AT_LENGTH, OK, STATUSES, THINK_DROPPED

#: A text of more characters per token than this was not read whole: English has four to five, and no tokenizer reaches
#: eight over a whole document.
CHARACTERS_PER_TOKEN = 8.0
#: From how many counts on a run's own median is trusted, and how far from it a count is suspicious.
_ENOUGH, _FAR = 5, 2.0
#: Different prompts that the server counts alike, when these differ in length by this factor, were cut to its window.
_ALIKE, _SPREAD = 3, 1.2

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class TaskAccount:
    """The prompts of a task, counted.

    Attributes:
        prompts: of the run, as far as is known.
        cut_by_server: ids of prompts that the server seems to have read in part only.
        trimmed: how many prompts were trimmed before they were sent.
        kept: the mean share of the document that these kept, 0 to 1; `None` without any.
        stopped_at_length: ids of answers that end where the limit of tokens was.
        think_dropped: how many answers came with thoughts in them, which were taken out.
        tokens: sums of the server's counts, by their names.
    """

    prompts: int
    statuses: Mapping[str, int]
    cut_by_server: tuple[str, ...] = ()
    trimmed: int = 0
    kept: float | None = None
    stopped_at_length: tuple[str, ...] = ()
    think_dropped: int = 0
    tokens: Mapping[str, int] = field(default_factory=dict)

    @property
    def answered(self) -> int:
        """How many have an answer."""
        return self.statuses.get(OK, 0)

    @property
    def not_asked(self) -> int:
        """How many have not come to an end yet."""
        return max(0, self.prompts - sum(self.statuses.values()))

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON-able data."""
        return {
            "prompts": self.prompts,
            **{status.replace("-", "_"): self.statuses.get(status, 0) for status in STATUSES},
            "not_asked": self.not_asked,
            "cut_by_server": list(self.cut_by_server),
            "trimmed": self.trimmed,
            "kept": self.kept,
            "stopped_at_length": list(self.stopped_at_length),
            "think_dropped": self.think_dropped,
            "tokens": dict(self.tokens),
        }


def account(records: Iterable[Record], prompts: Mapping[str, int]) -> dict[str, TaskAccount]:
    """The account of each task, in the order of `prompts` (how many each task has)."""
    records = list(records)
    cut = cut_by_server(records)
    tasks = dict.fromkeys([*prompts, *(record.task for record in records)])
    return {
        task: _of_task([record for record in records if record.task == task], prompts.get(task, 0), cut)
        for task in tasks
    }


def _of_task(records: list[Record], prompts: int, cut: set[Key]) -> TaskAccount:
    trimmed = [record.kept for record in records if record.kept < 1]
    tokens: Counter[str] = Counter()
    for record in records:
        tokens.update(record.usage)
    return TaskAccount(
        max(prompts, len(records)),
        dict(Counter(record.status for record in records)),
        tuple(record.id for record in records if record.key in cut),
        len(trimmed),
        round(fmean(trimmed), 4) if trimmed else None,
        tuple(record.id for record in records if record.status == OK and AT_LENGTH in record.flags),
        sum(THINK_DROPPED in record.flags for record in records),
        dict(tokens),
    )


def cut_by_server(records: Iterable[Record]) -> set[Key]:
    """The prompts that the server seems to have cut, though it answered, by the number of tokens that it says it read.

    >>> short = Record("qasper", "1", "", "ok", characters=400, usage={"prompt_tokens": 100})
    >>> long = Record("qasper", "2", "", "ok", characters=40_000, usage={"prompt_tokens": 4_096})
    >>> cut_by_server([short, long])
    {('qasper', '2')}
    """
    counted = {one.key: (one.characters, one.usage["prompt_tokens"]) for one in records if _has_count(one)}
    if not counted:
        return set()
    ratios = {key: characters / tokens for key, (characters, tokens) in counted.items()}
    limit = CHARACTERS_PER_TOKEN
    if len(ratios) >= _ENOUGH:
        limit = min(limit, _FAR * median(ratios.values()))
    return {key for key, ratio in ratios.items() if ratio > limit} | _at_the_window(counted)


def _has_count(record: Record) -> bool:
    return record.characters > 0 and record.usage.get("prompt_tokens", 0) > 0


def _at_the_window(counted: Mapping[Key, tuple[int, int]]) -> set[Key]:
    """Prompts of different lengths of which the server read the same, largest number of tokens."""
    most = max(tokens for _, tokens in counted.values())
    alike = {key: characters for key, (characters, tokens) in counted.items() if tokens == most}
    spread = max(alike.values()) / min(alike.values())
    return set(alike) if len(alike) >= _ALIKE and spread > _SPREAD else set()


def prompts_of(sessions: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many prompts each task has, from what the sessions say: shards add up, repeated sessions do not."""
    by_shard: dict[str, dict[str | None, int]] = {}
    for session in sessions:
        prompts, shard = session.get("prompts"), session.get("shard")
        for task, count in prompts.items() if isinstance(prompts, dict) else ():
            if is_count(count):
                by_shard.setdefault(task, {})[shard if isinstance(shard, str) else None] = count
    return {task: counts[None] if None in counts else sum(counts.values()) for task, counts in by_shard.items()}
