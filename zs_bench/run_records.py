"""The records of a run, as they are read and counted: its journal, and by task what was answered, cut, trimmed or lost.

The folder of a run, which is read as answers:

| file | what is in it |
|---|---|
| `run.json` | the settings, and each session: its time, its server, the parameters that the server refused |
| `journal.jsonl`, `journal.<i>-of-<n>.jsonl` | how every prompt ended, of the whole run or of a shard |
| `answers/preds_<task>.json` | the answers, as `{id: answer}`; written again from the journals |

A journal has one line for each prompt that has ended. The last value of a line is a checksum of what stands before it;
older journals have none. A line with another checksum is damaged. An incomplete line, as a crash leaves it, is skipped,
and so is one that is no record: a journal may come from anybody.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from fnmatch import fnmatch
from statistics import fmean, median
from typing import Any
from zlib import crc32

from zs_bench.files.input_files import InputFile
from zs_bench.problems import short
from zs_bench.prompts import CANONICAL, CLOSED_BOOK, Settings

OK, OVERFLOW, ALL_REASONING, REFUSED, FAILED = "ok", "overflow", "all-reasoning", "refused", "failed"
#: Final statuses of a prompt; only `ok` has an answer.
STATUSES = (OK, OVERFLOW, ALL_REASONING, REFUSED, FAILED)
#: The flags of an answer.
AT_LENGTH, THINK_DROPPED, UNCLOSED_THINK, EMPTY = "stopped-at-length", "think-dropped", "unclosed-think", "empty-answer"


@dataclass(frozen=True, slots=True)
class Completion:
    """How a prompt ended; `answer` is `None` for any status but `ok`, and `usage` counts tokens as the server does."""

    status: str
    answer: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    model: str | None = None
    fingerprint: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Completion):
    """How a prompt ended, and what was sent.

    Attributes:
        prompt, characters: the hash and the length of what was sent.
        kept: share of the document that trimming left, 0 to 1.
        seconds: from the first attempt to the end.
        time: when it ended, in ISO 8601.
    """

    task: str
    id: str
    prompt: str
    characters: int = 0
    kept: float = 1.0
    seconds: float = 0.0
    attempts: int = 0
    time: str | None = None

    @property
    def key(self) -> tuple[str, str]:
        return self.task, self.id


_NUMBERS, _COUNTS = {"kept", "seconds"}, {"characters", "attempts"}
_SIMPLE = {column.name for column in fields(Record)} - {"flags", "usage"}


_CHECKSUM = re.compile(rb',"crc32":"([0-9a-f]{8})"}\s*$')


def with_checksum(line: str) -> str:
    """Return a line, an object of JSON in ASCII, with its checksum.

    >>> with_checksum('{"a":1}')
    '{"a":1,"crc32":"a702fc6e"}'
    """
    return f'{line[:-1]},"crc32":"{crc32(line[:-1].encode("ascii")):08x}"}}'


def read_journal(lines: Iterable[bytes]) -> Iterator[Record | Mapping[str, Any] | bytes]:
    """Yield the records of a journal and the facts of its sessions, in its order, and the lines that are damaged.

    A line without a checksum is damaged after one that has it. Other lines are skipped.
    """
    has_checksums = False
    for line in lines:
        checksum = _CHECKSUM.search(line)
        if crc32(line[: checksum.start()]) != int(checksum[1], 16) if checksum else has_checksums:
            yield line
            continue
        has_checksums |= checksum is not None
        data = next(_read_objects([line]), {})
        if isinstance(session := data.get("session"), dict):
            yield session
            continue
        flags, usage = data.get("flags") or [], data.get("usage") or {}
        values = {name: data[name] for name in _SIMPLE if data.get(name) is not None}
        is_record = values.keys() >= {"task", "id", "prompt", "status"} and values["status"] in STATUSES
        of_type = all(_fits(name, value) for name, value in values.items())
        if is_record and of_type and isinstance(flags, list) and isinstance(usage, dict):
            counts = {name: count for name, count in usage.items() if is_count(count)}
            yield Record(**values, flags=tuple(map(str, flags)), usage=counts)


def _fits(name: str, value: object) -> bool:
    if name in _COUNTS:
        return is_count(value)
    return isinstance(value, int | float if name in _NUMBERS else str)


def is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < 2**53


def _read_objects(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the JSON object of each line that is not blank, empty for a line that holds none."""
    for line in filter(bytes.strip, lines):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        yield data if isinstance(data, dict) else {}


#: A text of more characters per token than this was not read whole: English has four to five, and no tokenizer reaches
#: eight over a whole document.
CHARACTERS_PER_TOKEN = 8.0
#: From so many token counts on, a prompt with more than this multiple of their median characters per token was cut.
_MIN_COUNTS, _CUT_FACTOR = 5, 2.0
#: At least three prompts with one token count but 20 % different lengths were cut to the window.
_MIN_ALIKE, _LENGTH_RATIO = 3, 1.2
#: Signature value of a run whose prompts all arrived whole.
WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class TaskAccount:
    """The prompts of a task, counted.

    Attributes:
        cut_by_server, stopped_at_length: ids: read in part only; answers that end where the limit of tokens was.
        kept: the mean share of the document that the trimmed prompts kept, 0 to 1; `None` without any.
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
        return self.statuses.get(OK, 0)

    @property
    def not_asked(self) -> int:
        return max(0, self.prompts - sum(self.statuses.values()))

    def as_dict(self) -> dict[str, Any]:
        others = asdict(self)
        del others["prompts"], others["statuses"]
        statuses = {status.replace("-", "_"): self.statuses.get(status, 0) for status in STATUSES}
        return {"prompts": self.prompts, **statuses, "not_asked": self.not_asked, **others}


def account(records: Iterable[Record], prompts: Mapping[str, int]) -> dict[str, TaskAccount]:
    """Return the account of each task, in the order of `prompts` (how many each task has)."""
    by_task: dict[str, list[Record]] = {task: [] for task in prompts}
    for record in records:
        by_task.setdefault(record.task, []).append(record)
    cut = cut_by_server(record for group in by_task.values() for record in group)
    accounts = {}
    for task, group in by_task.items():
        trimmed = [record.kept for record in group if record.kept < 1]
        tokens: Counter[str] = Counter()
        for record in group:
            tokens.update(record.usage)
        accounts[task] = TaskAccount(
            max(prompts.get(task, 0), len(group)),
            dict(Counter(record.status for record in group)),
            tuple(record.id for record in group if record.key in cut),
            len(trimmed),
            round(fmean(trimmed), 4) if trimmed else None,
            tuple(record.id for record in group if record.status == OK and AT_LENGTH in record.flags),
            sum(THINK_DROPPED in record.flags for record in group),
            dict(tokens),
        )
    return accounts


def cut_by_server(records: Iterable[Record]) -> set[tuple[str, str]]:
    """Return the prompts that the server seems to have cut, judged by the number of tokens that it reports.

    >>> short = Record("ok", task="qasper", id="1", prompt="", characters=400, usage={"prompt_tokens": 100})
    >>> long = Record("ok", task="qasper", id="2", prompt="", characters=40_000, usage={"prompt_tokens": 4_096})
    >>> cut_by_server([short, long])
    {('qasper', '2')}
    """
    sizes = {row.key: (row.characters, row.usage.get("prompt_tokens", 0)) for row in records}
    counted = {key: size for key, size in sizes.items() if min(size) > 0}
    if not counted:
        return set()
    ratios = {key: characters / tokens for key, (characters, tokens) in counted.items()}
    limit = CHARACTERS_PER_TOKEN
    if len(ratios) >= _MIN_COUNTS:
        limit = min(limit, _CUT_FACTOR * median(ratios.values()))
    cut = {key for key, ratio in ratios.items() if ratio > limit}
    # Prompts of different lengths of which the server read the same, largest number of tokens, were cut to its window.
    most = max(tokens for _, tokens in counted.values())
    alike = {key: characters for key, (characters, tokens) in counted.items() if tokens == most}
    at_window = len(alike) >= _MIN_ALIKE and max(alike.values()) / min(alike.values()) > _LENGTH_RATIO
    return cut | set(alike) if at_window else cut


@dataclass(frozen=True, slots=True)
class RunAccount:
    """The settings of a run, and the account of each task."""

    settings: Mapping[str, Any]
    tasks: Mapping[str, TaskAccount]

    @property
    def variant(self) -> str:
        return str(self.settings.get("variant") or CANONICAL)

    @property
    def title(self) -> str:
        """The name of the model, with the form of the prompts unless it is the canonical one."""
        model = short(str(self.settings.get("model") or "a model"))
        return model if self.variant == CANONICAL else f"{model}, {self.variant}"

    @property
    def answered(self) -> bool:
        return all(task.answered == task.prompts for task in self.tasks.values())

    @property
    def whole(self) -> bool:
        """Whether every prompt has an answer, and none was cut by the server."""
        return self.answered and not any(task.cut_by_server for task in self.tasks.values())

    def in_short(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the account of these tasks for a signature: the form of the prompts, and what became of them.

        >>> qasper = TaskAccount(5, {"ok": 3, "overflow": 2}, cut_by_server=("q1",))
        >>> RunAccount({"variant": "closed-book"}, {"qasper": qasper}).in_short(["qasper"])
        ('closed-book', 'overflow2', 'cut1')
        """
        tasks = [self.tasks[name] for name in names if name in self.tasks]
        lost = sorted({status for task in tasks for status in task.statuses} - {OK})
        counts = {status: sum(task.statuses.get(status, 0) for task in tasks) for status in lost}
        counts["not-asked"] = sum(task.not_asked for task in tasks)
        counts["cut"] = sum(len(task.cut_by_server) for task in tasks)
        counts["trimmed"] = sum(task.trimmed for task in tasks)
        counts["think-dropped"] = sum(task.think_dropped for task in tasks)
        variant = [self.variant] if self.variant != CANONICAL else []
        return (*variant, *(f"{name}{count}" for name, count in counts.items() if count)) or (WHOLE,)


def without_document(first: RunAccount | None, second: RunAccount | None) -> int | None:
    """Return which of two runs of one model (0 or 1) was asked without the document; `None` unless exactly one was.

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
    """Return the settings in which two runs differ, a phrase each.

    >>> other_settings(RunAccount({"model": "m", "seed": 1}, {}), RunAccount({"model": "m"}, {}))
    ['seed 1 against none']
    """
    if first is None or second is None:
        return []
    differences = differing(first.settings, second.settings)
    return [f"{name.replace('_', ' ')} {value} against {other}" for name, value, other in differences]


def differing(first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the settings in which two runs differ: the name, and both values as they are shown."""
    for name in (setting.name for setting in fields(Settings)):
        if first.get(name) != second.get(name):
            value, other = (short("none" if run.get(name) is None else str(run[name])) for run in (first, second))
            yield name, value, other


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


def split_run_files(sources: Iterable[InputFile]) -> tuple[list[InputFile], list[InputFile]]:
    """Return the files that may hold answers, and those of runs: a `run.json` and journals in one folder."""
    files = list(sources)
    described, logs = ([file for file in files if fnmatch(file.path.name, name)] for name in (RUN_FILE, JOURNALS))
    runs = {file.path.parent for file in described} & {file.path.parent for file in logs}
    of_runs = [file for file in files if file.path.parent in runs and file in (*described, *logs)]
    return [file for file in files if file not in of_runs], of_runs


def read_account(sources: Sequence[InputFile]) -> RunAccount | None:
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
    data = next(_read_objects([content]), {})
    settings = data.get("settings")
    return data.get("schema"), settings if isinstance(settings, dict) else {}
