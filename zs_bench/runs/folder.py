"""The folder of a run.

| file | what is in it |
|---|---|
| `run.json` | the settings, and of every session when it was, against which server, and what was learned |
| `journal.jsonl`, `journal.<i>-of-<n>.jsonl` | what became of every prompt, of the whole run or of a shard |
| `answers/preds_<task>.json` | the answers, as `{id: answer}`; made anew from the journals |
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from zs_bench.files.writing import write_whole
from zs_bench.problems import UnusableInput
from zs_bench.runs.journal import Journal, Record, as_data, read_journal, read_sessions
from zs_bench.runs.outcomes import FAILED, OK
from zs_bench.runs.requests import Request, Shard
from zs_bench.runs.settings import Settings, differences
from zs_metric.version import VERSION

SCHEMA = "zero-scrolls-run/1"
ANSWERS = "answers"

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
        if self._file.exists():
            self._check()
        elif self.path.is_dir() and any(self.path.iterdir()):
            raise UnusableInput(f"the folder {str(path)!r} holds something else than a run; give --out a new one")
        self.path.mkdir(parents=True, exist_ok=True)
        self.write_run()

    @property
    def _file(self) -> Path:
        return self.path / "run.json"

    def _check(self) -> None:
        there = read_run(self.path).get("settings")
        differ = differences(there if isinstance(there, dict) else {}, self._settings)
        if differ and self.records():  # a run that has asked nothing yet may still be changed
            raise UnusableInput(
                f"{str(self.path)!r} holds a run with other settings ({'; '.join(differ)}); "
                "repeat its settings to go on with it, or give --out a new folder"
            )

    def journal(self, shard: Shard | None = None, secret: str | None = None) -> Journal:
        """The journal to append to."""
        name = "journal.jsonl" if shard is None else f"journal.{shard[0]}-of-{shard[1]}.jsonl"
        return Journal(self.path / name, secret)

    def records(self) -> Records:
        """What became of every prompt so far, from the journals of all shards."""
        return latest(record for path in self._journals() for record in _records_of(path))

    def _journals(self) -> list[Path]:
        return sorted(self.path.glob("journal*.jsonl"))

    def write_run(self) -> None:
        """Write `run.json`: the settings, and the sessions that the journals name."""
        sessions = [session for path in self._journals() for session in _sessions_of(path)]
        data = {"schema": SCHEMA, "version": VERSION, "settings": self._settings.as_dict(), "sessions": sessions}
        write_whole(self._file, json.dumps(data, ensure_ascii=False, indent=1) + "\n")

    def write_answers(self) -> Path:
        """Write the answers of each task to a file of its own; returns their folder."""
        folder = self.path / ANSWERS
        folder.mkdir(exist_ok=True)
        for task, answers in as_data(self.records()).items():
            write_whole(folder / f"preds_{task}.json", json.dumps(answers, ensure_ascii=False, indent=1) + "\n")
        return folder


def read_run(folder: Path) -> Mapping[str, Any]:
    """The contents of `run.json`.

    Raises:
        UnusableInput: when it cannot be read, or is of another kind.
    """
    path = folder / "run.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        data = None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise UnusableInput(f"{str(path)!r} is not the description of a run ({SCHEMA}); give --out a new folder")
    return data


def latest(records: Iterable[Record]) -> Records:
    """The last record of each prompt; an answer is replaced by another answer only."""
    found: Records = {}
    for record in records:
        earlier = found.get(record.key)
        if earlier is None or earlier.status != OK or earlier.prompt != record.prompt or record.status == OK:
            found[record.key] = record
    return found


def unanswered(requests: Sequence[Request], records: Records, again: Collection[str] = ()) -> list[Request]:
    """The requests that are still to be sent: those never sent, those that failed, and those of a status in `again`."""
    return [request for request in requests if _is_open(request, records.get(request.key), again)]


def _is_open(request: Request, record: Record | None, again: Collection[str]) -> bool:
    return record is None or record.prompt != request.digest or record.status == FAILED or record.status in again


def _records_of(path: Path) -> Iterator[Record]:
    with path.open("rb") as file:
        yield from read_journal(file)


def _sessions_of(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open("rb") as file:
        yield from read_sessions(file)
