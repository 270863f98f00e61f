"""A board as submitters and readers use it. What its owner does is in `owner.py`."""

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from zs_bench.problems import counted
from zs_bench.progress import Progress
from zs_bench.validation.references import References
from zs_lab.board import (
    Allowance,
    BoardError,
    Duplicate,
    Entry,
    LimitReached,
    NoSuchEntry,
    NotAccepted,
    Settings,
    Submitter,
    UnknownCode,
)
from zs_lab.board.cleaning import clean_details, clean_settings, look_alike, now, read_run_file
from zs_lab.board.database import Database
from zs_lab.board.schema import (
    ACTS,
    ENTRIES,
    PREDICTIONS,
    REFERENCES,
    SCORES,
    STATE,
    SUBMITTERS,
    add_to_state,
    pack,
    pack_references,
    read_state,
    unpack_references,
)
from zs_lab.board.scores import Comparisons, Scores, Submission, read_submission, score, scores_of_row
from zs_lab.board.standing import Kept, Phase, described, listed, new_scores, read_kept
from zs_metric.tasks import Benchmark, Task, find_benchmark

#: What the names of submitters who are signed in to the Hugging Face Hub begin with.
HUB = "hf:"
_LARGEST_ID = 2**31
Paths = str | Path | Iterable[str | Path]


def create(place: str | Path, references: References, benchmark: Benchmark, settings: Settings) -> "Board":
    """Create the tables and store the references; called by `create_board`, which says what it raises."""
    content = pack_references(references, benchmark)
    state = {"benchmark": benchmark.name, "settings": json.dumps(asdict(settings)), "key": secrets.token_hex(32)}
    state |= {"references": "1", "official": str(int(is_official(references))), "revision": "0", "changes": "0"}
    database = Database(place)
    with database.creating() as connection:
        connection.execute(insert(REFERENCES).values(id=1, added=now(), content=content))
        connection.execute(insert(STATE), [{"name": name, "value": value} for name, value in state.items()])
    return Board(place)


def settings_of(state: Mapping[str, str]) -> Settings:
    """Return the owner's settings in the rows of `STATE`."""
    return clean_settings(Settings(**json.loads(state["settings"])))


def is_official(references: References) -> bool:
    """Return whether the references are those of the benchmark's dataset on the Hub."""
    return (references.about.get("source") or "").startswith("Hub")


def hash_of_code(code: str) -> str:
    """Return the hash that is kept of a submission code. Codes are random and long, so one round suffices."""
    return hashlib.sha256(code.strip().encode("utf-8", "replace")).hexdigest()


def averaged_tasks(tasks: Mapping[str, Task]) -> list[str]:
    """Return the tasks of the average: the averaged ones of the benchmark, or all if there are none of these."""
    return [name for name, task in tasks.items() if task.averaged] or list(tasks)


class Board:
    """An open board; from `create_board` or `open_board`. It can be used by several threads and processes at once."""

    def __init__(self, place: str | Path) -> None:
        self.database = Database(place)
        self.database.check()
        self.benchmark: Benchmark = find_benchmark(self.state()["benchmark"])
        self._references: tuple[int, References] | None = None
        self._scores: dict[int, tuple[str, Scores]] = {}
        self._listed: dict[bool, tuple[object, list[Entry]]] = {}
        self._compared: dict[bool, dict[str, Comparisons]] = {False: {}, True: {}}

    def state(self) -> dict[str, str]:
        """Return the rows of `schema.STATE`: private."""
        with self.database.reading() as connection:
            return read_state(connection)

    @property
    def settings(self) -> Settings:
        """What the owner has decided, as of now."""
        return settings_of(self.state())

    @property
    def references(self) -> tuple[int, References]:
        """The id of the current references, and the references themselves, which are private."""
        with self.database.reading() as connection:
            number = int(read_state(connection)["references"])
            if self._references is None or self._references[0] != number:
                content = connection.execute(select(REFERENCES.c.content).where(REFERENCES.c.id == number))
                self._references = number, unpack_references(content.scalar_one(), self.benchmark)
        return self._references

    @property
    def tasks(self) -> dict[str, Task]:
        """The tasks that are scored, in the benchmark's order."""
        return {name: self.benchmark.all_tasks[name] for name in self.references[1].tasks}

    @property
    def sizes(self) -> dict[str, int]:
        """The number of examples of each task."""
        return {task: sum(map(len, splits.values())) for task, splits in self.references[1].tasks.items()}

    @property
    def average_title(self) -> str:
        """The title of the average: the benchmark's score, or a mean over fewer tasks."""
        names = averaged_tasks(self.tasks)
        whole = set(names) == set(self.benchmark.tasks)
        return f"{self.benchmark.title} score" if whole else f"Mean of {counted(len(names), 'task')}"

    def submitter_of(self, code: str) -> Submitter:
        """Return the submitter with this submission code.

        Raises:
            UnknownCode: for an unknown or a revoked code.
        """
        return self._submitter(SUBMITTERS.c.code_hash == hash_of_code(code), "This code is not valid. Codes come from")

    def hub_submitter(self, user: str) -> Submitter:
        """Return the submitter for a user of the Hugging Face Hub; the caller has verified the sign-in.

        Raises:
            UnknownCode: when the owner has not invited that user, or has revoked the invitation.
        """
        alike = SUBMITTERS.c.alike == look_alike(HUB + user.replace("\0", ""))
        return self._submitter(alike, f"{user} is not on the list of this board. Ask")

    def _submitter(self, which: Any, refusal: str) -> Submitter:
        with self.database.reading() as connection:
            row = connection.execute(select(SUBMITTERS).where(which)).one_or_none()
        if row is None or row.revoked:
            raise UnknownCode(f"{refusal} the organisers.")
        return Submitter(row.id, row.name)

    def allowance(self, submitter: Submitter) -> Allowance:
        """Return how many submissions the submitter has left."""
        with self.database.reading() as connection:
            return self._allowance(connection, submitter, now())

    @staticmethod
    def _allowance(connection: Connection, submitter: Submitter, time: str) -> Allowance:
        settings = settings_of(read_state(connection))
        count = select(func.count()).where(ENTRIES.c.submitter == submitter.id)
        in_all = connection.execute(count).scalar_one()
        today = connection.execute(count.where(ENTRIES.c.submitted >= time[:10])).scalar_one()
        left = max(0, settings.in_all - in_all)
        return Allowance(min(left, max(0, settings.per_day - today)), left)

    def _check_allowance(self, connection: Connection, submitter: Submitter, time: str) -> None:
        """Refuse a submission at that time; raises `UnknownCode`, or `LimitReached` with what to do."""
        state = read_state(connection)
        settings = settings_of(state)
        if settings.opens and time < settings.opens:
            raise LimitReached(f"Submissions open on {readable(settings.opens)}.")
        if settings.closes and time >= settings.closes:
            raise LimitReached(f"Submissions closed on {readable(settings.closes)}.")
        if not (settings.per_day and settings.in_all):
            raise LimitReached("This board takes no submissions at present. Ask the organisers.")
        if int(state["changes"]) >= settings.changes:
            many = f"all {settings.changes:,} new scores that its organisers allow"
            raise LimitReached(f"This board has shown {many}, and takes no more submissions. Ask them.")
        revoked = select(SUBMITTERS.c.revoked).where(SUBMITTERS.c.id == submitter.id)
        if connection.execute(revoked).scalar_one():
            raise UnknownCode("You may not submit any more. Ask the organisers.")
        left = self._allowance(connection, submitter, time)
        if not left.in_all:
            raise LimitReached(f"All your {settings.in_all} submissions are used. Ask the organisers for more.")
        if not left.today:
            raise LimitReached(
                f"All your {settings.per_day} submissions of today are used. The next day begins at 00:00 UTC."
            )

    def check(
        self, submitter: Submitter, predictions: Paths, names: Iterable[str] | None = None, system: str = ""
    ) -> Submission:
        """Check prediction files and the name of the system, if there is one, as `submit` does, without submitting.

        Raises:
            NotAccepted, LimitReached, Duplicate, UnusableInput: as `submit`.
        """
        with self.database.reading() as connection:
            self._check_allowance(connection, submitter, now())
        paths = [predictions] if isinstance(predictions, (str, Path)) else predictions
        single = self.settings.single_tasks
        read = read_submission(paths, self.references[1], self.benchmark, names, single_tasks=single)
        with self.database.reading() as connection:
            self._check_new(connection, submitter, read, system)
        return read

    @staticmethod
    def _check_new(connection: Connection, submitter: Submitter, read: Submission, system: str) -> None:
        """Refuse the submitter's own predictions (nothing is said about those of others), and a look-alike name."""
        same = (ENTRIES.c.submitter == submitter.id) & (ENTRIES.c.predictions_hash == read.hash)
        earlier = connection.execute(select(ENTRIES.c.id).where(same)).first()
        if earlier:
            raise Duplicate(f"You have submitted these predictions before, as entry {earlier.id}. Submit others.")
        for other in connection.execute(select(ENTRIES.c.system).distinct()).scalars():
            if other != system and look_alike(other) == look_alike(system):
                raise NotAccepted(f"there is a system {other!r} already, which looks alike; give that name or another")

    def submit(
        self,
        submitter: Submitter,
        *,
        system: str,
        predictions: Paths,
        names: Iterable[str] | None = None,
        run: str | Path | None = None,
        link: str | None = None,
        note: str | None = None,
        progress: Progress | None = None,
    ) -> Entry:
        """Check, score and keep a submission.

        Limits, duplicates and the rule are decided in the transaction that writes the entry. `names` replace the files'
        own in messages; the public settings of `run`, a `run.json`, are shown beside the entry.

        Returns:
            The entry as it is kept. Unless some score is clearly better than this submitter's last shown one, its state
            is `NO_CHANGE` and it has no scores.

        Raises:
            NotAccepted: when something is wrong with the predictions or the details; nothing was scored.
            LimitReached: when the board is not open, or no submissions are left.
            Duplicate: when the submitter has submitted these predictions before.
            UnusableInput: for a path that does not exist.
        """
        details: dict[str, Any] = clean_details(system, link, note)
        settings_of_run = read_run_file(run) if run else {}
        number, references = self.references
        read = self.check(submitter, predictions, names, system=details["system"])
        details["run"] = json.dumps({**read.run, **settings_of_run})
        scores = self.score(read, references, progress)
        with self.database.writing() as connection:
            time = now()
            check_references(connection, number)
            self._check_allowance(connection, submitter, time)
            self._check_new(connection, submitter, read, details["system"])
            last = self._last_shown(connection, submitter)
            earlier = self._scores_of(connection, last.values())
            new = new_scores(scores, {n: earlier[entry].by_name[n] for n, entry in last.items() if entry in earlier})
            entry = add_entry(connection, submitter.id, details, read, scores=scores, references=number, time=time)
            shown = {**last, **dict.fromkeys(new, entry)} if new else {}
            connection.execute(update(ENTRIES).where(ENTRIES.c.id == entry).values(shown=json.dumps(shown)))
            add_to_state(connection, "changes", len(new))
        return self._own(submitter, entry)

    def score(self, read: Submission, references: References, progress: Progress | None = None) -> Scores:
        """Return the scores of accepted predictions: private."""
        key, averaged = self.state()["key"], averaged_tasks(self.tasks)
        return score(read.texts, references, self.benchmark, key=key, averaged=averaged, progress=progress)

    @staticmethod
    def _last_shown(connection: Connection, submitter: Submitter) -> dict[str, int]:
        """Return by name the entry whose score was shown last, withdrawn or not."""
        mine = (ENTRIES.c.submitter == submitter.id) & (ENTRIES.c.shown != "{}")
        rows = connection.execute(select(ENTRIES.c.shown).where(mine).order_by(ENTRIES.c.id.desc()).limit(1))
        last: dict[str, int] = json.loads(rows.scalar() or "{}")
        return last

    def _scores_of(self, connection: Connection, entries: Iterable[int]) -> dict[int, Scores]:
        """Return the scores of these entries by their ids, without damaged ones; unchanged ones are cached."""
        which = SCORES.c.entry.in_([*entries])
        times = {
            row.entry: row.scored for row in connection.execute(select(SCORES.c.entry, SCORES.c.scored).where(which))
        }
        old = [entry for entry, time in times.items() if self._scores.get(entry, (None,))[0] != time]
        averaged = averaged_tasks(self.tasks)
        for row in connection.execute(select(SCORES).where(SCORES.c.entry.in_(old))):
            try:
                scores = scores_of_row(row.points, row.effects, row.signature, averaged)
            except (ValueError, TypeError, AttributeError):
                times.pop(row.entry)
            else:
                self._scores[row.entry] = row.scored, scores
        return {entry: self._scores[entry][1] for entry in times}

    def phase(self, settings: Settings) -> Phase:
        """Return what may be shown now."""
        ended = bool(settings.closes) and now() >= settings.closes
        return Phase(sealed=settings.hidden_until_end and not ended, exact=settings.exact_at_end and ended)

    def kept(self, connection: Connection, submitter: int | None = None) -> tuple[list[Kept], dict[int, Scores]]:
        """Return the entries as they are kept, of all or of one submitter, and their scores: private."""
        kept = read_kept(connection, submitter)
        return kept, self._scores_of(connection, [one.entry.id for one in kept])

    def entries(self, *, every: bool = False) -> list[Entry]:
        """Return the best entry of each system with its rank, the best first; `every`: all that are shown."""
        tasks = list(self.tasks)
        with self.database.reading() as connection:
            state = read_state(connection)
            phase = self.phase(settings_of(state))
            as_of = (state["revision"], state["references"], phase)
            if every not in self._listed or self._listed[every][0] != as_of:
                self._listed[every] = (
                    as_of,
                    listed(*self.kept(connection), tasks, phase, every=every, before=self._compared[every]),
                )
        return list(self._listed[every][1])

    def history(self, submitter: Submitter) -> list[Entry]:
        """Return all entries of a submitter, the newest first; ranks are among the best of all systems."""
        ranked, tasks = {entry.id: entry for entry in self.entries()}, list(self.tasks)
        with self.database.reading() as connection:
            phase = self.phase(settings_of(read_state(connection)))
            kept, scores = self.kept(connection, submitter.id)
        by_id = {one.entry.id: one for one in kept}
        own = [described(one, by_id, scores, tasks, phase) for one in kept]
        return [ranked.get(entry.id, entry) for entry in reversed(own)]

    def withdraw(self, submitter: Submitter, entry: int) -> Entry:
        """Take an entry off the board. It still counts for the limits.

        Raises:
            NoSuchEntry: when the submitter has no such entry.
        """
        own = (ENTRIES.c.id == entry) & (ENTRIES.c.submitter == submitter.id)
        with self.database.writing() as connection:
            usable = type(entry) is int and 0 < entry < _LARGEST_ID
            row = connection.execute(select(ENTRIES.c.withdrawn).where(own)).one_or_none() if usable else None
            if row is None:
                raise NoSuchEntry(f"You have no entry {entry!r:.20}. Give the number of one in your history.")
            if row.withdrawn is None:
                connection.execute(update(ENTRIES).where(own).values(withdrawn=now()))
                add_to_state(connection, "revision")
        return self._own(submitter, entry)

    def announcements(self) -> list[tuple[str, str]]:
        """Return what the owner has announced, the newest first: the time and a sentence."""
        public = select(ACTS).where(ACTS.c.public == 1).order_by(ACTS.c.id.desc())
        with self.database.reading() as connection:
            return [(row.time, f"{row.act}. {row.why}".strip()) for row in connection.execute(public)]

    def _own(self, submitter: Submitter, entry: int) -> Entry:
        return next(one for one in self.history(submitter) if one.id == entry)


def add_entry(
    connection: Connection,
    submitter: int,
    details: Mapping[str, Any],
    read: Submission,
    *,
    scores: Scores,
    references: int,
    time: str,
    baseline: bool = False,
) -> int:
    """Write an entry that shows no score yet, its predictions and its scores; returns its id."""
    about = {"submitter": submitter, "submitted": time, "predictions_hash": read.hash, "shown": "{}"}
    values = {**details, **about, "baseline": int(baseline)}
    entry: int = connection.execute(insert(ENTRIES).values(**values).returning(ENTRIES.c.id)).scalar_one()
    connection.execute(insert(PREDICTIONS).values(entry=entry, content=pack(read.texts)))
    connection.execute(insert(SCORES).values(entry=entry, reference_set=references, scored=time, **scores.as_row()))
    add_to_state(connection, "revision")
    return entry


def check_references(connection: Connection, number: int) -> None:
    """Raise `BoardError` unless the references with this id, which were scored against, are still the current ones."""
    if int(read_state(connection)["references"]) != number:
        raise BoardError("The references were corrected while this was scored. Try again.")


def readable(time: str) -> str:
    """Return a time of the tables as people read it.

    >>> readable("2026-12-01T18:00:00Z")
    '2026-12-01 18:00 UTC'
    """
    return f"{time[:10]} {time[11:16]} UTC"
