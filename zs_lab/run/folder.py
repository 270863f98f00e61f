"""The folder of a run, as the run writes it; each line of its journals is parsed once.

`zs_bench.run_records.folder` describes the files, and reads the folder of anybody's run.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from zs_bench.errors import UnusableInput
from zs_bench.files.writing import write_whole
from zs_bench.requests import Request
from zs_bench.run_records.account import RunAccount, differing
from zs_bench.run_records.completions import FAILED, OK
from zs_bench.run_records.folder import JOURNALS, RUN_FILE, SCHEMA, JournalContent, Records, schema_and_settings
from zs_bench.run_records.settings import Settings
from zs_lab.run.journal import Journal
from zs_lab.run.prompts import Shard
from zs_metric.version import VERSION


class RunFolder:
    """The folder of a run, made when it does not exist.

    Raises:
        UnusableInput: when the folder holds something else, or a run with other settings.
    """

    def __init__(self, path: str | Path, settings: Settings) -> None:
        self.path = Path(path)
        self._settings = settings
        self._content = JournalContent()
        self._ends: dict[str, int] = {}  # of the whole lines of each journal that were read
        if self.path.exists() and not self.path.is_dir():
            raise UnusableInput(f"{str(path)!r} is not a folder; give --out the name of one")
        if (self.path / RUN_FILE).exists():
            self._check()
        elif self.path.is_dir() and any(self.path.iterdir()):
            raise UnusableInput(f"the folder {str(path)!r} is not empty and not of a run; give --out a new one")
        self.path.mkdir(parents=True, exist_ok=True)
        if not (self.path / RUN_FILE).exists():
            self.write_run()

    def _check(self) -> None:
        schema, there = schema_and_settings((self.path / RUN_FILE).read_bytes())
        if schema != SCHEMA:
            what = f"is not the description of a run ({SCHEMA})"
            raise UnusableInput(f"{str(self.path / RUN_FILE)!r} {what}; give --out a new folder")
        pairs = differing(there, asdict(self._settings))
        differences = "; ".join(f"{name}: {value} there, {other} here" for name, value, other in pairs)
        if differences and self.records():  # a run that has asked nothing yet may still be changed
            raise UnusableInput(
                f"{str(self.path)!r} holds a run with other settings ({differences}); "
                "repeat its settings to go on with it, or give --out a new folder"
            )

    def journal(self, shard: Shard | None = None, secret: str | None = None) -> Journal:
        """Return the journal to append to; `run.json` has the settings of the process that appends."""
        name = "journal.jsonl" if shard is None else f"journal.{shard.number}-of-{shard.total}.jsonl"
        journal = Journal(self.path / name, secret)
        self.write_run()
        return journal

    def records(self) -> Records:
        """Return the records of all prompts that have ended, from the journals of all shards."""
        self._read_new_lines()
        return self._content.records

    def account(self) -> RunAccount:
        """Return the account of the run as it is in the journals."""
        self._read_new_lines()
        return self._content.account(asdict(self._settings))

    def _read_new_lines(self) -> None:
        """Read what was appended to the journals since they were read last, by this process or by those of shards."""
        for path in sorted(self.path.glob(JOURNALS)):
            with path.open("rb") as file:
                file.seek(self._ends.setdefault(path.name, 0))
                self._content.add(self._whole_lines(path.name, file))

    def _whole_lines(self, name: str, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines; one without an end, which may be incomplete, is read again the next time."""
        for line in lines:
            self._ends[name] += len(line) if line.endswith(b"\n") else 0
            yield line

    def write_run(self) -> None:
        """Write `run.json`: the settings, and the sessions that the journals name."""
        self._read_new_lines()
        run: dict[str, Any] = {"schema": SCHEMA, "version": VERSION, "settings": asdict(self._settings)}
        run["sessions"] = self._content.sessions
        write_whole(self.path / RUN_FILE, json.dumps(run, ensure_ascii=False, indent=1) + "\n")

    def write_answers(self) -> None:
        """Write the answers of each task to a file of its own."""
        answers: dict[str, dict[str, str | None]] = {}
        for _, record in sorted(self.records().items()):  # the same file, whatever came first
            if record.status == OK:
                answers.setdefault(record.task, {})[record.id] = record.answer
        folder = self.path / "answers"
        folder.mkdir(exist_ok=True)
        for task, by_id in answers.items():
            write_whole(folder / f"preds_{task}.json", json.dumps(by_id, ensure_ascii=False, indent=1) + "\n")


def unanswered(requests: Sequence[Request], records: Records, again: Collection[str] = ()) -> list[Request]:
    """Return the requests that are still to be sent: never sent, failed, or with a status in `again`."""
    open_statuses = {FAILED, *again}
    last = [(request, records.get(request.key)) for request in requests]
    return [
        request
        for request, record in last
        if record is None or record.prompt != request.digest or record.status in open_statuses
    ]
