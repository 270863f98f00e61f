"""A board as submitters and readers use it. What its owner does is in `owner.py`."""

import hashlib
import json
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from zs_bench.benchmarks import Benchmark, Task, find_benchmark
from zs_bench.errors import UnusableInput
from zs_bench.files.reference_texts import Reference
from zs_bench.problems import counted, lines
from zs_bench.validation.references import References, references_of_other
from zs_lab.board import database as db
from zs_lab.board.cleaning import check_scripts, clean_details, clean_settings, now, read_run_file
from zs_lab.board.database import CHECKS, ENTRIES, SUBMITTERS, Database, count_change, read_state
from zs_lab.board.look_alikes import look_alike
from zs_lab.board.records import (
    Allowance,
    BoardEntry,
    BoardError,
    BoardSettings,
    LimitReached,
    NotAccepted,
    Submitter,
    UnknownCode,
)
from zs_lab.board.scores import (
    Points,
    Rule,
    Scores,
    Submission,
    Texts,
    described,
    ids_to_answer,
    listed,
    packed,
    read_kept,
    read_submission,
    score,
)

CHECKS_OF_EACH = 20  # how often files may be checked for each submission of a day
HUB = "hf:"  # what the names of submitters who are signed in to the Hugging Face Hub begin with
_LARGEST_ID = 2**31
Paths = str | Path | Iterable[str | Path]


@dataclass(frozen=True, slots=True)
class State:
    """A board without its entries, as of one transaction: private; `database.STATE` says what the fields are."""

    benchmark: Benchmark
    settings: BoardSettings
    references: References
    number: int
    key: str
    revision: int

    @property
    def tasks(self) -> dict[str, Task]:
        """The tasks that are scored, in the benchmark's order."""
        return {name: self.benchmark.all_tasks[name] for name in self.references.by_task}

    @property
    def sizes(self) -> dict[str, int]:
        """The number of examples of each task."""
        return {task: sum(map(len, splits.values())) for task, splits in self.references.by_task.items()}

    @property
    def averaged(self) -> list[str]:
        """The tasks of the average: the averaged ones of the benchmark, or all if there are none of these."""
        return [name for name, task in self.tasks.items() if task.averaged] or [*self.tasks]

    @property
    def average_title(self) -> str:
        """The title of the average: the benchmark's score, or a mean over fewer tasks."""
        whole = set(self.averaged) == set(self.benchmark.tasks)
        return f"{self.benchmark.title} score" if whole else f"Mean of {counted(len(self.averaged), 'task')}"

    @property
    def rule(self) -> Rule:
        settings = self.settings
        ended = bool(settings.closes) and now() >= settings.closes
        exact = settings.exact or (settings.exact_at_end and ended)
        pairs = [{*pair} for pair in self.benchmark.parts.items()]
        twice = frozenset[str]().union(*(pair for pair in pairs if pair <= self.tasks.keys()))
        submissions, tasks = 0 if exact else max(1, settings.in_all), (*self.tasks,)
        sealed = settings.hidden_until_end and not ended
        return Rule(sealed, submissions, self.key, tasks, (*self.averaged,), twice)

    def drawn_from(self, texts: Texts) -> str:
        """Return a hash of the predictions and their references; the noise in their scores follows from it."""
        splits = {task: next(iter(splits)) for task, splits in self.references.by_task.items() if task in texts}
        references = self.references.hash_of(splits, benchmark=self.benchmark)
        return hashlib.sha256(json.dumps([texts, references], sort_keys=True).encode()).hexdigest()

    def score(self, texts: Texts) -> tuple[Scores, str]:
        """Return the scores of predictions against these references, and their signature; raises as `scores.score`."""
        return score(texts, self.references, self.benchmark)


def create(place: str | Path, references: References, benchmark: Benchmark, settings: BoardSettings) -> "Board":
    """Create the tables and store the references; called by `create_board`, which says what it raises."""
    content = pack_references(references, benchmark)
    settings = clean_settings(settings, title=settings.title or f"{benchmark.title} board")
    state = {"benchmark": benchmark.key, "settings": json.dumps(asdict(settings)), "key": secrets.token_hex(32)}
    state |= {"references": "1", "official": is_official(references, benchmark), "revision": "0"}
    database = Database(place)
    with database.creating() as connection:
        connection.execute(sa.insert(db.REFERENCES).values(id=1, added=now(), content=content))
        connection.execute(sa.insert(db.STATE), [{"name": name, "value": value} for name, value in state.items()])
    return Board(place)


def pack_references(references: References, benchmark: Benchmark) -> bytes:
    """Return the references as the database keeps them; raises `UnusableInput` for what cannot be scored against."""
    wrong = [problem for problem in references.problems if problem.is_error]
    tasks: dict[str, dict[str, Any]] = {}
    for name, task in benchmark.all_tasks.items():
        splits = references.by_task.get(name) or {}
        if len(splits) > 1:
            names = " and ".join(split or "no named split" for split in splits)
            raise UnusableInput(f"the references of {name} are of {names}; give those of one split")
        for split, by_id in splits.items():
            if any(reference.is_of_row for reference in by_id.values()):
                raise UnusableInput(f"the references of {name} have no ids, by which submissions are matched; add them")
            texts = {id_: reference.texts for id_, reference in by_id.items()}
            wrong += references.faults(task, split)
            other = references_of_other(name, texts, benchmark)
            wrong += [other] if other and other.is_error else []
            documents = {id_: reference.document for id_, reference in by_id.items()}
            tasks[name] = {"split": split, "references": texts, "documents": documents}
    if wrong or not tasks:
        raise UnusableInput("; ".join(lines(wrong)) or "no references found; check the files")
    return db.pack({"benchmark": benchmark.key, "tasks": tasks})


def unpack_references(content: bytes, benchmark: Benchmark) -> References:
    """Return the references that `pack_references` packed, the tasks in the benchmark's order."""
    references, tasks = References(), db.unpack(content)["tasks"]
    for name in (name for name in benchmark.all_tasks if name in tasks):
        split, documents = tasks[name]["split"], tasks[name]["documents"]
        by_id = {id_: Reference(texts, document=documents[id_]) for id_, texts in tasks[name]["references"].items()}
        references.by_task[name] = {split: by_id}
    return references


def is_official(references: References, benchmark: Benchmark) -> str:
    """Return "1" if the references are those of the benchmark's dataset on the Hub, else "0"."""
    return str(int(references.source is not None and references.source.is_of(benchmark.repo)))


def hash_of_code(code: str) -> str:
    """Return the hash that is kept of a submission code. Codes are random and long, so one round suffices."""
    return hashlib.sha256(code.strip().encode("utf-8", "replace")).hexdigest()


class Board:
    """An open board; from `create_board` or `open_board`. It can be used by several threads and processes at once."""

    def __init__(self, place: str | Path) -> None:
        self.database = Database(place)
        self.database.check()
        self._references: tuple[int, References] | None = None
        self._listed: tuple[object, tuple[list[BoardEntry], Points]] | None = None

    @property
    def state(self) -> State:
        with self.database.reading() as connection:
            return self.state_at(connection)

    def state_at(self, connection: sa.Connection) -> State:
        rows = read_state(connection)
        benchmark, number = find_benchmark(rows["benchmark"]), int(rows["references"])
        if self._references is None or self._references[0] != number:
            content = connection.execute(sa.select(db.REFERENCES.c.content).where(db.REFERENCES.c.id == number))
            self._references = number, unpack_references(content.scalar_one(), benchmark)
        settings = clean_settings(BoardSettings(**json.loads(rows["settings"])))
        return State(benchmark, settings, self._references[1], number, rows["key"], int(rows["revision"]))

    def submitter_of(self, code: str) -> Submitter:
        """Return the submitter with this submission code; raises `UnknownCode`."""
        return self._submitter(SUBMITTERS.c.code_hash == hash_of_code(code), "This code is not valid. Codes come from")

    def hub_submitter(self, user: str) -> Submitter:
        """Return the submitter for a user of the Hugging Face Hub, whose sign-in was verified; raises `UnknownCode`."""
        same = sa.func.lower(SUBMITTERS.c.name) == (HUB + user.replace("\0", "")).lower()
        return self._submitter(same, f"{user} is not on the list of this board. Ask")

    def _submitter(self, which: sa.ColumnElement[bool], refusal: str) -> Submitter:
        with self.database.reading() as connection:
            row = connection.execute(sa.select(SUBMITTERS).where(which)).one_or_none()
        if row is None or row.revoked:
            raise UnknownCode(f"{refusal} the organisers.")
        return Submitter(row.id, row.name)

    def allowance(self, submitter: Submitter) -> Allowance:
        with self.database.reading() as connection:
            return _allowance(connection, self.state_at(connection).settings, submitter, now())

    def _check_allowance(self, connection: sa.Connection, submitter: Submitter, time: str) -> None:
        """Refuse a submission at that time; raises `UnknownCode`, or `LimitReached` with what to do."""
        revoked = connection.execute(sa.select(SUBMITTERS.c.revoked).where(SUBMITTERS.c.id == submitter.id))
        if revoked.scalar_one():
            raise UnknownCode("You may not submit any more. Ask the organisers.")
        settings = self.state_at(connection).settings
        left, is_closed = _allowance(connection, settings, submitter, time), 0 in (settings.per_day, settings.in_all)
        used = "All your {} submissions of today are used. The next day begins at 00:00 UTC."
        for is_so, why in (
            (time < settings.opens, f"Submissions open on {readable(settings.opens)}."),
            ("" < settings.closes <= time, f"Submissions closed on {readable(settings.closes)}."),
            (is_closed, "This board takes no submissions at present. Ask the organisers."),
            (not left.in_all, f"All your {settings.in_all} submissions are used."),
            (not left.today, used.format(settings.per_day)),
        ):
            if is_so:
                raise LimitReached(why)

    def check(
        self,
        submitter: Submitter,
        predictions: Paths,
        names: Iterable[str] | None = None,
        system: str = "",
        *,
        baseline: bool = False,
    ) -> Submission:
        """Check prediction files, and a system's name if there is one, without submitting; raises as `submit`."""
        with self.database.writing() as connection:
            state = self.state_at(connection)
            if not baseline:
                self._check_allowance(connection, submitter, now())
                _count_check(connection, state.settings, submitter, now())
        paths = [predictions] if isinstance(predictions, (str, Path)) else predictions
        asked = ids_to_answer(state.references, state.benchmark)
        read = read_submission(paths, asked, names, single_tasks=state.settings.single_tasks)
        if not baseline:
            with self.database.reading() as connection:
                self._check_new(connection, submitter, read, system)
        return read

    def _check_new(self, connection: sa.Connection, submitter: Submitter, read: Submission, system: str) -> None:
        """Refuse the submitter's own predictions (nothing is said about those of others), and a look-alike name.

        The other name is said only where the board shows it, or to the submitter whose it is.
        """
        same = (ENTRIES.c.submitter == submitter.id) & (ENTRIES.c.predictions_hash == read.hash)
        earlier = connection.execute(sa.select(ENTRIES.c.id).where(same)).first()
        if earlier:
            raise NotAccepted(f"You have submitted these predictions before, as entry {earlier.id}. Submit others.")
        others = {*connection.execute(sa.select(ENTRIES.c.system).distinct()).scalars()}
        if system not in others:
            check_scripts(system, "the name of the system")
        for other in others:
            if other != system and look_alike(other, system):
                own = sa.select(ENTRIES.c.id).where(ENTRIES.c.submitter == submitter.id, ENTRIES.c.system == other)
                shown = {entry.system for entry in listed(read_kept(connection), self.state_at(connection).rule)[0]}
                if other in shown or connection.execute(own).first():
                    raise NotAccepted(
                        f"there is a system {other!r} already, which looks alike; give that name or another"
                    )
                raise NotAccepted("a system that the board does not show has a name that looks alike; give another")

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
        baseline: bool = False,
    ) -> BoardEntry:
        """Check, score and keep a submission; returns the entry.

        Limits and duplicates are decided in the transaction that writes the entry. `names` replace the files'
        own in messages. A `baseline` of the organisers stands outside limits and ranks. Raises `NotAccepted` for wrong
        or incomplete predictions, and details that cannot be shown, `LimitReached` when the board is not open, or no
        submissions are left, and `UnusableInput` for a path that does not exist.
        """
        details = clean_details(system, link, note)
        settings_of_run = read_run_file(run) if run else {}
        state = self.state
        read = self.check(submitter, predictions, names, details["system"], baseline=baseline)
        scores, signature = state.score(read.texts)
        with self.database.writing() as connection:
            time = now()
            check_references(connection, state.number)
            if not baseline:
                self._check_allowance(connection, submitter, time)
                self._check_new(connection, submitter, read, details["system"])
            about = {"submitter": submitter.id, "submitted": time, "predictions_hash": read.hash}
            about |= {"run": json.dumps({**read.run, **settings_of_run}), "baseline": int(baseline)}
            added = connection.execute(sa.insert(ENTRIES).values(**details, **about).returning(ENTRIES.c.id))
            entry: int = added.scalar_one()
            connection.execute(sa.insert(db.PREDICTIONS).values(entry=entry, content=db.pack(read.texts)))
            row = {"reference_set": state.number, "scored": time, "signature": signature}
            row |= {"drawn_from": state.drawn_from(read.texts)}
            connection.execute(sa.insert(db.SCORES).values(entry=entry, points=packed(scores), **row))
            count_change(connection)
        return self._own(submitter, entry)

    def entries(self) -> list[BoardEntry]:
        """Return the best entry of each system with its rank, the best first."""
        return [*self._current()[0]]

    @property
    def margins(self) -> Points:
        """By task and for the average, the difference from which two shown scores are clearly different."""
        return self._current()[1]

    def _current(self) -> tuple[list[BoardEntry], Points]:
        with self.database.reading() as connection:
            state = self.state_at(connection)
            rule, cached = state.rule, self._listed
            if cached is None or cached[0] != (state.revision, rule):
                cached = self._listed = (state.revision, rule), listed(read_kept(connection), rule)
        return cached[1]

    def history(self, submitter: Submitter) -> list[BoardEntry]:
        """Return all entries of a submitter, the newest first; ranks are among the best of all systems."""
        ranked = {entry.id: entry for entry in self.entries()}
        with self.database.reading() as connection:
            rule, own = self.state_at(connection).rule, read_kept(connection, submitter.id)
        return [ranked.get(kept.entry.id, described(kept, rule)) for kept in reversed(own)]

    def withdraw(self, submitter: Submitter, entry: int) -> BoardEntry:
        """Take an entry off the board; it still counts for the limits. Only the submitter's own: else `BoardError`."""
        own = (ENTRIES.c.id == entry) & (ENTRIES.c.submitter == submitter.id)
        with self.database.writing() as connection:
            usable = type(entry) is int and 0 < entry < _LARGEST_ID
            row = connection.execute(sa.select(ENTRIES.c.withdrawn).where(own)).one_or_none() if usable else None
            if row is None:
                raise BoardError(f"You have no entry {entry!r:.20}. Give the number of one in your history.")
            if row.withdrawn is None:
                connection.execute(sa.update(ENTRIES).where(own).values(withdrawn=now()))
                count_change(connection)
        return self._own(submitter, entry)

    def announcements(self) -> list[tuple[str, str]]:
        """Return what the owner has announced, the newest first: the time and a sentence."""
        public = sa.select(db.ACTS).where(db.ACTS.c.public == 1).order_by(db.ACTS.c.id.desc())
        with self.database.reading() as connection:
            return [(row.time, f"{row.act}. {row.why}".strip()) for row in connection.execute(public)]

    def _own(self, submitter: Submitter, entry: int) -> BoardEntry:
        return next(own for own in self.history(submitter) if own.id == entry)


def _allowance(connection: sa.Connection, settings: BoardSettings, submitter: Submitter, time: str) -> Allowance:
    count = sa.select(sa.func.count()).where(ENTRIES.c.submitter == submitter.id)
    today = connection.execute(count.where(ENTRIES.c.submitted >= time[:10])).scalar_one()
    left = max(0, settings.in_all - connection.execute(count).scalar_one())
    return Allowance(min(left, max(0, settings.per_day - today)), left)


def _count_check(connection: sa.Connection, settings: BoardSettings, submitter: Submitter, time: str) -> None:
    """Count a check of files; raises `LimitReached` when all of the day are used."""
    made = sa.select(sa.func.count()).where(CHECKS.c.submitter == submitter.id, CHECKS.c.time >= time[:10])
    most = CHECKS_OF_EACH * settings.per_day
    if connection.execute(made).scalar_one() >= most:
        raise LimitReached(
            f"All your {most:,} checks of today are used; each submission, also one that is refused, is a check. The "
            "next day begins at 00:00 UTC. zero-scrolls verify checks files on your own computer."
        )
    connection.execute(sa.insert(CHECKS).values(submitter=submitter.id, time=time))


def check_references(connection: sa.Connection, number: int) -> None:
    """Raise `BoardError` unless the references with this id, which were scored against, are still the current ones."""
    if int(read_state(connection)["references"]) != number:
        raise BoardError("The references were corrected while this was scored. Try again.")


def readable(time: str) -> str:
    """Return a time of the tables as people read it."""
    return f"{time[:10]} {time[11:16]} UTC"
