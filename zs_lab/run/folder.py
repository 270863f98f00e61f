"""The folder of a run, as the run writes it; each line of its journals is parsed once.

`zs_bench.run_records` describes the files, and reads the folder of anybody's run.
"""

import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from fnmatch import fnmatch
from pathlib import Path
from typing import IO, Any

from zs_bench.errors import UnusableInput
from zs_bench.files.writing import write_whole
from zs_bench.prompts import Request, Settings
from zs_bench.run_records import (
    FAILED,
    JOURNALS,
    OK,
    RUN_FILE,
    SCHEMA,
    JournalContent,
    Record,
    RunAccount,
    differing,
    schema_and_settings,
    with_checksum,
)
from zs_lab.run.prompts import Shard
from zs_lab.run.transport import without_secret
from zs_metric.version import VERSION

try:
    import fcntl
except ImportError:  # Windows, where two runs in one folder are not noticed
    fcntl = None  # type: ignore[assignment]


class RunFolder:
    """The folder of a run, made when it does not exist; `UnusableInput` when it holds something else, or a run with
    other settings.
    """

    def __init__(self, path: str | Path, settings: Settings) -> None:
        self.path, self.settings = Path(path), settings
        self._content = JournalContent()
        self._ends: dict[str, int] = {}  # of the whole lines of each journal that were read
        run_file = self.path / RUN_FILE
        if self.path.exists() and not self.path.is_dir():
            raise UnusableInput(f"{str(path)!r} is not a folder; give --out the name of one")
        if not run_file.exists():
            others = self.path.is_dir() and [path for path in self.path.iterdir() if not fnmatch(path.name, JOURNALS)]
            if others:  # journals alone are those of shards, copied
                raise UnusableInput(f"the folder {str(path)!r} is not empty and not of a run; give --out a new one")
            self.path.mkdir(parents=True, exist_ok=True)
            self.write_run()
        schema, earlier = schema_and_settings(run_file.read_bytes())
        if schema != SCHEMA:
            raise UnusableInput(
                f"{str(run_file)!r} is not the description of a run ({SCHEMA}); give --out a new folder"
            )
        pairs = differing(earlier, asdict(settings))
        differences = "; ".join(f"{name}: {value} there, {other} here" for name, value, other in pairs)
        if differences and self.records():  # a run that has asked nothing yet may still be changed
            raise UnusableInput(
                f"{str(path)!r} holds a run with other settings ({differences}); "
                "repeat its settings to go on with it, or give --out a new folder"
            )

    @contextmanager
    def journal(
        self, shard: Shard | None = None, secret: str | None = None
    ) -> Iterator[Callable[[Record | Mapping[str, Any]], None]]:
        """Open the journal; the function appends a record, or the facts of a session, and never writes the secret.

        Each line is flushed. A later line about a session with the same start replaces an earlier one. `run.json` gets
        the settings of the process that appends. Raises `UnusableInput` when another process appends to it.
        """
        path = self.path / ("journal.jsonl" if shard is None else f"journal.{shard.number}-of-{shard.total}.jsonl")
        try:
            with path.open("a+b") as file:
                _lock(file)
                if file.tell():
                    file.seek(-1, os.SEEK_END)
                    if file.read() != b"\n":  # the last line is incomplete
                        file.write(b"\n")
                self.write_run()

                def append(entry: Record | Mapping[str, Any]) -> None:
                    data = asdict(entry) if isinstance(entry, Record) else {"session": dict(entry)}
                    line = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
                    line = without_secret(line, secret and json.dumps(secret)[1:-1])
                    file.write(with_checksum(line).encode("ascii") + b"\n")
                    file.flush()

                yield append
        except OSError as error:  # such as that of a full disk
            error.filename = error.filename or str(path)
            raise

    def records(self) -> Mapping[tuple[str, str], Record]:
        """Return the records of all prompts that have ended, from the journals of all shards."""
        return self._read().records

    def account(self) -> RunAccount:
        return self._read().account(asdict(self.settings))

    def _read(self) -> JournalContent:
        """Read what was appended to the journals since they were read last, by this process or by those of shards."""
        for path in sorted(self.path.glob(JOURNALS)):
            with path.open("rb") as file:
                file.seek(self._ends.setdefault(path.name, 0))
                self._content.add(self._whole_lines(path.name, file))
        return self._content

    def _whole_lines(self, name: str, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines; one without an end, which may be incomplete, is read again the next time."""
        for line in lines:
            self._ends[name] += len(line) if line.endswith(b"\n") else 0
            yield line

    def write_run(self) -> None:
        """Write `run.json`: the settings, and the sessions that the journals name."""
        about = {"schema": SCHEMA, "version": VERSION, "settings": asdict(self.settings)}
        self._write_json(RUN_FILE, {**about, "sessions": self._read().sessions})

    def write_answers(self) -> None:
        answers: dict[str, dict[str, str | None]] = {}
        for _, record in sorted(self.records().items()):  # the same file, whatever came first
            if record.status == OK:
                answers.setdefault(record.task, {})[record.id] = record.answer
        (self.path / "answers").mkdir(exist_ok=True)
        for task, by_id in answers.items():
            self._write_json(f"answers/preds_{task}.json", by_id)

    def _write_json(self, name: str, data: Mapping[str, Any]) -> None:
        write_whole(self.path / name, json.dumps(data, ensure_ascii=False, indent=1) + "\n")

    def unanswered(self, requests: Sequence[Request], again: Collection[str] = ()) -> list[Request]:
        """Return the requests that are still to be sent: never sent, failed, or with a status in `again`."""
        records, to_send = self.records(), {FAILED, *again}
        last = [(request, records.get(request.key)) for request in requests]
        return [
            request
            for request, record in last
            if record is None or record.prompt != request.digest or record.status in to_send
        ]

    def damaged(self, requests: Sequence[Request]) -> list[Request]:
        """Return the requests without an answer that a damaged line of a journal is about."""
        content = self._read()
        lines = b"\n".join(content.damaged)
        lost = [request for request in requests if lines and request.key not in content.records]
        return [row for row in lost if row.digest.encode() in lines or f'"id":{json.dumps(row.id)}'.encode() in lines]


def shard_totals(path: str | Path | None) -> set[int]:
    """Return into how many parts the run in that folder was split, by the names of its journals."""
    journals = Path(path).glob(JOURNALS) if path else ()
    return {int(match[1]) for journal in journals if (match := re.search(r"-of-(\d+)\.jsonl$", journal.name))}


def _lock(file: IO[bytes]) -> None:
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            why = f"another process writes to {file.name!r}"
            raise UnusableInput(f"{why}; wait for its end, or take another --out") from None
