"""The folder of a run, given where answers are expected: its answers are read as such, and the rest is its account."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatch
from typing import Any

from zs_bench.files.opened_file import Source
from zs_bench.problems import short
from zs_bench.prompts.variants import CANONICAL, CLOSED_BOOK
from zs_bench.runs.account import TaskAccount, account, prompts_of
from zs_bench.runs.folder import latest
from zs_bench.runs.journal import Record, read_journal, read_sessions
from zs_bench.runs.outcomes import OK
from zs_bench.runs.settings import Settings

#: The account of a run in a signature when nothing happened to its prompts.
WHOLE = "whole"
_SETTINGS = [field.name for field in fields(Settings)]


@dataclass(frozen=True, slots=True)
class RunAccount:
    """What a run's folder says of the run that the answers are from."""

    settings: Mapping[str, Any]
    tasks: Mapping[str, TaskAccount]

    def of(self, names: Iterable[str]) -> Mapping[str, TaskAccount]:
        """The accounts of these tasks."""
        return {name: self.tasks[name] for name in names if name in self.tasks}

    @property
    def variant(self) -> str:
        """The form of the prompts."""
        return str(self.settings.get("variant") or CANONICAL)

    @property
    def title(self) -> str:
        """The name of the model, with the form of the prompts if it is another than the canonical one."""
        model = short(str(self.settings.get("model") or "a model"))
        return model if self.variant == CANONICAL else f"{model}, {self.variant}"

    @property
    def answered(self) -> bool:
        """Whether every prompt has an answer."""
        return all(one.answered == one.prompts for one in self.tasks.values())

    @property
    def whole(self) -> bool:
        """The same, and none was cut by the server."""
        return self.answered and not any(one.cut_by_server for one in self.tasks.values())

    def in_short(self, names: Iterable[str]) -> tuple[str, ...]:
        """The account of these tasks for a signature: the form of the prompts if it is another than the
        canonical one, and how many had something happen to them.

        >>> one = TaskAccount(5, {"ok": 3, "overflow": 2}, cut_by_server=("q1",))
        >>> RunAccount({}, {"qasper": one}).in_short(["qasper"])
        ('overflow2', 'cut1')
        >>> RunAccount({"variant": "closed-book"}, {}).in_short([])
        ('closed-book',)
        """
        tasks = list(self.of(names).values())
        counts = {status: sum(one.statuses.get(status, 0) for one in tasks) for status in _lost(tasks)}
        counts["not-asked"] = sum(one.not_asked for one in tasks)
        counts["cut"] = sum(len(one.cut_by_server) for one in tasks)
        counts["trimmed"] = sum(one.trimmed for one in tasks)
        counts["think-dropped"] = sum(one.think_dropped for one in tasks)
        happened = [f"{name}{count}" for name, count in counts.items() if count]
        return (*([self.variant] if self.variant != CANONICAL else []), *happened) or (WHOLE,)


def _lost(tasks: Iterable[TaskAccount]) -> list[str]:
    return sorted({status for one in tasks for status in one.statuses} - {OK})


def without_document(first: RunAccount | None, second: RunAccount | None) -> int | None:
    """Which of two runs of one model (0 or 1) was asked without the document; `None` unless exactly one was.

    >>> read = RunAccount({"model": "m"}, {})
    >>> without_document(read, RunAccount({"model": "m", "variant": "closed-book"}, {}))
    1
    >>> without_document(read, RunAccount({"model": "n", "variant": "closed-book"}, {}))
    """
    if first is None or second is None or first.settings.get("model") != second.settings.get("model"):
        return None
    closed = [run.variant == CLOSED_BOOK for run in (first, second)]
    return closed.index(True) if sum(closed) == 1 else None


def other_settings(first: RunAccount | None, second: RunAccount | None) -> list[str]:
    """The settings in which two runs differ, a phrase each.

    >>> other_settings(RunAccount({"model": "m", "seed": 1}, {}), RunAccount({"model": "m"}, {}))
    ['seed 1 against none']
    """
    if first is None or second is None:
        return []
    pairs = {name: (first.settings.get(name), second.settings.get(name)) for name in _SETTINGS}
    return [
        f"{name.replace('_', ' ')} {' against '.join(short(str('none' if one is None else one)) for one in pair)}"
        for name, pair in pairs.items()
        if pair[0] != pair[1]
    ]


def split_run_files(sources: Iterable[Source]) -> tuple[list[Source], list[Source]]:
    """The files that may hold answers, and those that runs keep beside theirs: `run.json` and the journals.

    A folder is that of a run when both are in it.
    """
    everything = list(sources)
    described = {one.path.parent for one in everything if one.path.name == "run.json"}
    journalled = {one.path.parent for one in everything if _is_journal(one)}
    runs = described & journalled
    ours = [one for one in everything if one.path.parent in runs and (one.path.name == "run.json" or _is_journal(one))]
    return [one for one in everything if one not in ours], ours


def _is_journal(source: Source) -> bool:
    return fnmatch(source.path.name, "journal*.jsonl")


def read_account(sources: Sequence[Source]) -> RunAccount | None:
    """The account in the files of a run; `None` without any.

    Raises:
        UnusableInput: when a file cannot be opened.
    """
    records: list[Record] = []
    sessions: list[Mapping[str, Any]] = []
    settings: Mapping[str, Any] = {}
    for source in sources:
        with source.opened() as stream:
            if source.path.name == "run.json":
                settings = _settings(stream.read())
                continue
            lines = stream.readlines()
        records += read_journal(lines)
        sessions += read_sessions(lines)
    if not sources:
        return None
    return RunAccount(settings, account(latest(records).values(), prompts_of(sessions)))


def _settings(data: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    settings = found.get("settings") if isinstance(found, dict) else None
    return settings if isinstance(settings, dict) else {}
