"""The folder of a run: written by the run, and read as answers.

| file | what is in it |
|---|---|
| `run.json` | the settings, and each session: its time, its server, the parameters that the server refused |
| `journal.jsonl`, `journal.<i>-of-<n>.jsonl` | how every prompt ended, of the whole run or of a shard |
| `answers/preds_<task>.json` | the answers, as `{id: answer}`; written again from the journals |
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from zs_bench.files.opened_file import Source
from zs_bench.files.writing import write_whole
from zs_bench.problems import UnusableInput
from zs_bench.runs.account import RunAccount, account, differing, prompts_of
from zs_bench.runs.completions import FAILED, OK
from zs_bench.runs.journal import Journal, Record, read_journal, read_sessions
from zs_bench.runs.requests import Request, Settings, Shard
from zs_metric.version import VERSION

SCHEMA = "zero-scrolls-run/1"
#: The names of the files that a run keeps beside its answers.
_RUN, _JOURNALS = "run.json", "journal*.jsonl"

Records = dict[tuple[str, str], Record]


class RunFolder:
    """The folder of a run, made when it does not exist.

    Raises:
        UnusableInput: when the folder holds something else, or a run with other settings.
    """

    def __init__(self, path: str | Path, settings: Settings) -> None:
        self.path = Path(path)
        self._settings = settings
        if self.path.exists() and not self.path.is_dir():
            raise UnusableInput(f"{str(path)!r} is not a folder; give --out the name of one")
        if (self.path / _RUN).exists():
            self._check()
        elif self.path.is_dir() and any(self.path.iterdir()):
            raise UnusableInput(f"the folder {str(path)!r} is not empty and not of a run; give --out a new one")
        self.path.mkdir(parents=True, exist_ok=True)
        if not (self.path / _RUN).exists():
            self.write_run()

    def _check(self) -> None:
        schema, there = _schema_and_settings((self.path / _RUN).read_bytes())
        if schema != SCHEMA:
            what = f"is not the description of a run ({SCHEMA})"
            raise UnusableInput(f"{str(self.path / _RUN)!r} {what}; give --out a new folder")
        found = differing(there, asdict(self._settings))
        differences = "; ".join(f"{name}: {one} there, {other} here" for name, one, other in found)
        if differences and self.records():  # a run that has asked nothing yet may still be changed
            raise UnusableInput(
                f"{str(self.path)!r} holds a run with other settings ({differences}); "
                "repeat its settings to go on with it, or give --out a new folder"
            )

    def journal(self, shard: Shard | None = None, secret: str | None = None) -> Journal:
        """The journal to append to; `run.json` has the settings of the process that appends."""
        name = "journal.jsonl" if shard is None else f"journal.{shard[0]}-of-{shard[1]}.jsonl"
        journal = Journal(self.path / name, secret)
        self.write_run()
        return journal

    def records(self) -> Records:
        """The records of all prompts that have ended, from the journals of all shards."""
        return latest(record for lines in self._journals() for record in read_journal(lines))

    def _journals(self) -> list[list[bytes]]:
        """The lines of each journal."""
        return [path.read_bytes().splitlines() for path in sorted(self.path.glob(_JOURNALS))]

    def write_run(self) -> None:
        """Write `run.json`: the settings, and the sessions that the journals name."""
        sessions = [session for lines in self._journals() for session in read_sessions(lines)]
        data = {"schema": SCHEMA, "version": VERSION, "settings": asdict(self._settings), "sessions": sessions}
        write_whole(self.path / _RUN, json.dumps(data, ensure_ascii=False, indent=1) + "\n")

    def write_answers(self) -> None:
        """Write the answers of each task to a file of its own."""
        answers: dict[str, dict[str, str | None]] = {}
        for record in self.records().values():
            if record.status == OK:
                answers.setdefault(record.task, {})[record.id] = record.answer
        folder = self.path / "answers"
        folder.mkdir(exist_ok=True)
        for task, by_id in answers.items():
            write_whole(folder / f"preds_{task}.json", json.dumps(by_id, ensure_ascii=False, indent=1) + "\n")


def latest(records: Iterable[Record]) -> Records:
    """The last record of each prompt; an answer is replaced only by another answer."""
    found: Records = {}
    for record in records:
        earlier = found.get(record.key)
        if earlier is None or earlier.status != OK or earlier.prompt != record.prompt or record.status == OK:
            found[record.key] = record
    return found


def unanswered(requests: Sequence[Request], records: Records, again: Collection[str] = ()) -> list[Request]:
    """The requests that are still to be sent: those never sent, those that failed, and those of a status in `again`."""
    open_statuses = {FAILED, *again}
    found = [(request, records.get(request.key)) for request in requests]
    return [one for one, last in found if last is None or last.prompt != one.digest or last.status in open_statuses]


def split_run_files(sources: Iterable[Source]) -> tuple[list[Source], list[Source]]:
    """The files that may hold answers, and those that runs keep beside answers: `run.json` and the journals.

    A folder is that of a run when both are in it.
    """
    everything = list(sources)
    described = {one.path.parent for one in everything if one.path.name == _RUN}
    journals = [one for one in everything if fnmatch(one.path.name, _JOURNALS)]
    runs = described & {one.path.parent for one in journals}
    ours = [one for one in everything if one.path.parent in runs and (one.path.name == _RUN or one in journals)]
    return [one for one in everything if one not in ours], ours


def read_account(sources: Sequence[Source]) -> RunAccount | None:
    """The account in the files of a run; `None` without any.

    Raises:
        UnusableInput: when a file cannot be opened.
    """
    if not sources:
        return None
    records: list[Record] = []
    sessions: list[Mapping[str, Any]] = []
    settings: Mapping[str, Any] = {}
    for source in sources:
        with source.opened() as stream:
            content = stream.read()
        if source.path.name == _RUN:
            _, settings = _schema_and_settings(content)
        else:
            records += read_journal(content.splitlines())
            sessions += read_sessions(content.splitlines())
    return RunAccount(settings, account(latest(records).values(), prompts_of(sessions)))


def _schema_and_settings(content: bytes) -> tuple[object, Mapping[str, Any]]:
    """What is in a `run.json`; nothing when it is damaged."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    found = found if isinstance(found, dict) else {}
    settings = found.get("settings")
    return found.get("schema"), settings if isinstance(settings, dict) else {}
