"""The folder of a run, read as answers.

| file | what is in it |
|---|---|
| `run.json` | the settings, and each session: its time, its server, the parameters that the server refused |
| `journal.jsonl`, `journal.<i>-of-<n>.jsonl` | how every prompt ended, of the whole run or of a shard |
| `answers/preds_<task>.json` | the answers, as `{id: answer}`; written again from the journals |
"""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatch
from typing import Any

from zs_bench.files.opened_file import Source
from zs_bench.run_records.account import RunAccount, account
from zs_bench.run_records.journal import OK, Record, is_count, read_journal, read_objects

SCHEMA = "zero-scrolls-run/1"
#: The names of the files that a run keeps beside its answers.
RUN_FILE, JOURNALS = "run.json", "journal*.jsonl"


class JournalContent:
    """What is in the journals of a run: the last record of each prompt, the facts of each session, damaged lines."""

    def __init__(self) -> None:
        self.records: dict[tuple[str, str], Record] = {}
        self.damaged: list[bytes] = []
        self._sessions: dict[tuple[str, str], Mapping[str, Any]] = {}

    def add(self, lines: Iterable[bytes]) -> None:
        """Read lines of a journal; an answer is replaced only by another answer, a session by one with its start."""
        for entry in read_journal(lines):
            if isinstance(entry, bytes):
                self.damaged.append(entry)
                continue
            if not isinstance(entry, Record):
                self._sessions[str(entry.get("shard")), str(entry.get("started"))] = entry
                continue
            earlier = self.records.get(entry.key)
            if earlier is None or earlier.status != OK or earlier.prompt != entry.prompt or entry.status == OK:
                self.records[entry.key] = entry

    @property
    def sessions(self) -> list[Mapping[str, Any]]:
        """The sessions in their order."""
        return list(self._sessions.values())

    def account(self, settings: Mapping[str, Any]) -> RunAccount:
        """Return the account of a run with these settings; shards add up, repeated sessions do not."""
        by_shard: dict[str, dict[str | None, int]] = {}
        for session in self.sessions:
            prompts, shard = session.get("prompts"), session.get("shard")
            for task, count in prompts.items() if isinstance(prompts, dict) else ():
                if is_count(count):
                    by_shard.setdefault(task, {})[shard if isinstance(shard, str) else None] = count
        totals = {task: counts.get(None, sum(counts.values())) for task, counts in by_shard.items()}
        return RunAccount(settings, account(self.records.values(), totals))


def split_run_files(sources: Iterable[Source]) -> tuple[list[Source], list[Source]]:
    """Return the files that may hold answers, and those of runs: a `run.json` and journals in one folder."""
    files = list(sources)
    described = {file.path.parent for file in files if file.path.name == RUN_FILE}
    runs = described & {file.path.parent for file in files if fnmatch(file.path.name, JOURNALS)}
    others, of_runs = list[Source](), list[Source]()
    for file in files:
        is_of_run = file.path.name == RUN_FILE or fnmatch(file.path.name, JOURNALS)
        (of_runs if is_of_run and file.path.parent in runs else others).append(file)
    return others, of_runs


def read_account(sources: Sequence[Source]) -> RunAccount | None:
    """Return the account in the files of a run, `None` without any; raises `UnusableInput` if one cannot be opened."""
    journals, settings = JournalContent(), dict[str, Any]()
    for source in sources:
        with source.opened() as stream:
            if source.path.name == RUN_FILE:
                settings = dict(schema_and_settings(stream.read())[1])
            else:
                journals.add(stream)
    return journals.account(settings) if sources else None


def schema_and_settings(content: bytes) -> tuple[object, Mapping[str, Any]]:
    """Return what is in a `run.json`; nothing when it is damaged."""
    data = next(read_objects([content]), {})
    settings = data.get("settings")
    return data.get("schema"), settings if isinstance(settings, dict) else {}
