"""What the owner of a board does; every act is recorded, with who did it, when and why."""

import getpass
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from zs_bench.errors import UnusableInput
from zs_bench.extras import from_extra
from zs_bench.files.writing import write_whole
from zs_bench.progress import Progress
from zs_bench.published import rows as published
from zs_bench.reports.report import eval_results
from zs_bench.reports.tables import Table
from zs_bench.validation.references import References
from zs_lab.board import AVERAGE, NO_CHANGE, SET_ASIDE, BoardError, Entry, NoBoard, NoSuchEntry, NotAccepted, Settings
from zs_lab.board.board import (
    HUB,
    Board,
    Paths,
    add_entry,
    averaged_tasks,
    check_references,
    hash_of_code,
    is_official,
    settings_of,
)
from zs_lab.board.cleaning import MAX_NOTE, clean_details, clean_line, clean_name, look_alike, now
from zs_lab.board.database import Database
from zs_lab.board.schema import (
    ACTS,
    ENTRIES,
    PREDICTIONS,
    REFERENCES,
    SCORES,
    SUBMITTERS,
    add_to_state,
    pack_references,
    read_state,
    unpack,
    write_state,
)
from zs_lab.board.scores import Scores, read_submission, score
from zs_lab.board.standing import Kept, Phase, described, listed, replayed

#: The submitter of the organisers' baselines.
ORGANISERS = "Organisers"


def record(connection: Connection, act: str, why: str | None, *, public: bool = False) -> None:
    """Record an act of the owner: what, by whom (the user of this machine), when and why."""
    try:
        who = getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without a name
        who = "unknown"
    reason = clean_line(why, "the reason", MAX_NOTE)
    connection.execute(insert(ACTS).values(time=now(), who=who, act=act, why=reason, public=int(public)))


def acts(board: Board) -> list[tuple[str, str, str, str]]:
    """Return the recorded acts in their order: the time, who, what and why."""
    with board.database.reading() as connection:
        rows = connection.execute(select(ACTS).order_by(ACTS.c.id))
        return [(row.time, row.who, row.act, row.why) for row in rows]


def change_settings(board: Board, why: str | None = None, **changes: Any) -> Settings:
    """Change those settings that are not `None`; returns all of them.

    Raises:
        BoardError: as `Settings.changed`.
    """
    with board.database.writing() as connection:
        before = settings_of(read_state(connection))
        after = before.changed(**changes)
        if after != before:
            write_state(connection, "settings", json.dumps(asdict(after)))
            names = [name for name, value in asdict(after).items() if value != getattr(before, name)]
            record(connection, "Changed: " + ", ".join(names), why)
            add_to_state(connection, "revision")
    return after


def invite(board: Board, name: str, why: str | None = None) -> tuple[str, bool]:
    """Let a submitter of that name submit; a name `hf:USER` is that of a user of the Hugging Face Hub.

    Returns:
        A new submission code (empty for a user of the Hub, who signs in), and whether it replaces an earlier one. The
        code is not kept: a submitter who loses it is invited again.

    Raises:
        BoardError: for a name that cannot be shown, or that looks like another submitter's.
    """
    name = clean_name(name, "the name of a submitter")
    code = "" if name.startswith(HUB) else f"zs-{secrets.token_urlsafe(24)}"
    kept = {"code_hash": hash_of_code(code) if code else None, "revoked": None}
    alike = look_alike(name)
    with board.database.writing() as connection:
        row = connection.execute(select(SUBMITTERS).where(SUBMITTERS.c.alike == alike)).one_or_none()
        if alike == look_alike(ORGANISERS) or (row and row.name != name):
            other = row.name if row else ORGANISERS
            raise BoardError(f"there is {other!r} already, which looks alike; give that name or a different one")
        if row:
            connection.execute(update(SUBMITTERS).where(SUBMITTERS.c.id == row.id).values(**kept))
        else:
            connection.execute(insert(SUBMITTERS).values(name=name, alike=alike, created=now(), **kept))
        record(connection, f"Invited {name}", why)
    return code, bool(row and row.code_hash)


def revoke(board: Board, name: str, why: str | None = None) -> None:
    """Take no more submissions from this submitter; the entries stay.

    Raises:
        BoardError: when there is no submitter of that name.
    """
    with board.database.writing() as connection:
        same = SUBMITTERS.c.name == name
        if not connection.execute(update(SUBMITTERS).where(same).values(revoked=now())).rowcount:
            raise BoardError(f"there is no submitter {name!r}; zero-scrolls board submitters lists them")
        record(connection, f"Revoked {name}", why)


def submitters(board: Board) -> list[tuple[str, str, str, int]]:
    """Return who was invited, in that order: the name, when, when revoked (or empty), and the number of entries."""
    count = select(func.count()).where(ENTRIES.c.submitter == SUBMITTERS.c.id).scalar_subquery()
    with board.database.reading() as connection:
        rows = connection.execute(select(SUBMITTERS, count.label("entries")).order_by(SUBMITTERS.c.id))
        return [(row.name, row.created, row.revoked or "", row.entries) for row in rows]


def submissions(board: Board) -> list[Entry]:
    """Return all entries in the order of their submission with all their exact scores, and their states: private.

    The remark of an entry also says why it was set aside, and whose earlier entry has the same predictions.
    """
    tasks = list(board.tasks)
    with board.database.reading() as connection:
        kept, scores = board.kept(connection)
        columns = (ENTRIES.c.id, ENTRIES.c.set_aside, ENTRIES.c.predictions_hash, SCORES.c.signature)
        about = {row.id: row for row in connection.execute(select(*columns).outerjoin(SCORES))}
    first: dict[str, int] = {}
    entries = []
    for one in kept:
        entry, row = one.entry, about[one.entry.id]
        shown = described(replace(one, entry=replace(entry, state="")), {}, {}, tasks, Phase())
        if entry.id in scores:
            numbers = {name: round(each.exact, 4) for name, each in scores[entry.id].by_name.items()}
            shown = replace(shown, average=numbers.pop(AVERAGE, None), tasks=numbers, signature=row.signature)
        same = first.setdefault(row.predictions_hash, entry.id)
        copy = f"same predictions as entry {same}" if same != entry.id else None
        remark = "; ".join(filter(None, (entry.remark, row.set_aside, copy))) or None
        entries.append(replace(shown, state=entry.state, remark=remark))
    return entries


def hide(board: Board, entry: int, *, hidden: bool = True, why: str | None = None) -> None:
    """Take an entry off the board, or put it back.

    Raises:
        NoSuchEntry: when there is none.
    """
    what = f"Took entry {entry} off the board" if hidden else f"Put entry {entry} back on the board"
    _change(board, entry, what, why, hidden=now() if hidden else None)


def remark(board: Board, entry: int, text: str | None, why: str | None = None) -> None:
    """Put a remark beside an entry, or take it away.

    Raises:
        NoSuchEntry: when there is none.
        NotAccepted: for a remark that cannot be shown.
    """
    line = clean_line(text, "the remark", MAX_NOTE) or None
    _change(board, entry, f"Remark on entry {entry}: {line or 'none'}", why, remark=line)


def _change(board: Board, entry: int, act: str, why: str | None, **values: Any) -> None:
    with board.database.writing() as connection:
        if not connection.execute(update(ENTRIES).where(ENTRIES.c.id == entry).values(**values)).rowcount:
            raise NoSuchEntry(f"there is no entry {entry}; zero-scrolls board list has their numbers")
        add_to_state(connection, "revision")
        record(connection, act, why)


def add_baseline(board: Board, system: str, predictions: Paths, why: str | None = None, **details: str | None) -> Entry:
    """Add the organisers' own entry, which stands outside limits, the rule and the ranks.

    Raises:
        NotAccepted, UnusableInput: as `Board.submit`.
    """
    values: dict[str, Any] = clean_details(system, details.get("link"), details.get("note"))
    paths = [predictions] if isinstance(predictions, (str, Path)) else predictions
    number, references = board.references
    read = read_submission(paths, references, board.benchmark, single_tasks=True)
    scores = board.score(read, references)
    with board.database.writing() as connection:
        check_references(connection, number)
        same = select(SUBMITTERS.c.id).where(SUBMITTERS.c.name == ORGANISERS)
        if connection.execute(same).first() is None:
            about = {"name": ORGANISERS, "alike": look_alike(ORGANISERS), "created": now()}
            connection.execute(insert(SUBMITTERS).values(**about))
        submitter = connection.execute(same).scalar_one()
        values["run"] = json.dumps(dict(read.run))
        entry = add_entry(
            connection, submitter, values, read, scores=scores, references=number, time=now(), baseline=True
        )
        record(connection, f"Added the baseline {values['system']}, entry {entry}", why)
    return next(one for one in submissions(board) if one.id == entry)


@dataclass(frozen=True, slots=True)
class Rescored:
    """What scoring all entries again changes.

    Attributes:
        changes: a sentence for each entry whose exact scores, state or rank change.
        set_aside: by entry, why it cannot be scored.
        done: whether the board was changed.
    """

    changes: tuple[str, ...]
    set_aside: Mapping[int, str]
    done: bool


def rescore(
    board: Board,
    references: References | None = None,
    *,
    drop: Iterable[str] = (),
    apply: bool = False,
    why: str | None = None,
    progress: Progress | None = None,
) -> Rescored:
    """Score all entries again: after an update of zero-scrolls, or against corrected references.

    The rule is applied again, in the order of submission. Everything changes at once, at the end.

    Args:
        drop: the tasks that the corrected references lack on purpose.
        apply: whether to change the board; otherwise this is a preview.

    Raises:
        UnusableInput: for references that cannot be used, or that lack a task which is not dropped.
        BoardError: when the references are corrected by somebody else meanwhile, or the board keeps changing.
    """
    current, against = board.references
    number, content = current, None
    if references is not None:
        absent = [task for task in board.tasks if not references.tasks.get(task) and task not in drop]
        if absent:
            what = f"the references have no {absent[0]}, which the board scores"
            raise UnusableInput(f"{what}; add its file, or remove the task from the board with --drop {absent[0]}")
        number, against, content = current + 1, references, pack_references(references, board.benchmark)
        against = replace(
            against, tasks={n: against.tasks[n] for n in board.benchmark.all_tasks if against.tasks.get(n)}
        )
    tasks = {name: board.benchmark.all_tasks[name] for name in against.tasks}
    scored: dict[int, Scores] = {}
    failed: dict[int, str] = {}
    for _ in range(5):
        with board.database.reading() as connection:
            revision = read_state(connection)["revision"]
            key = read_state(connection)["key"]
            done = [*scored, *failed]
            rows = connection.execute(select(PREDICTIONS).where(PREDICTIONS.c.entry.not_in(done))).all()
            kept, before = board.kept(connection)
        for place, row in enumerate(rows):
            if progress:
                progress(place / len(rows), f"entry {row.entry}")
            try:
                texts = unpack(row.content)
                scored[row.entry] = score(texts, against, board.benchmark, key=key, averaged=averaged_tasks(tasks))
            except NotAccepted as error:
                failed[row.entry] = str(error)
            except Exception:  # noqa: BLE001  (one damaged entry must not stop the others)
                failed[row.entry] = "its predictions are damaged in the database"
        after = replayed([_unless_failed(one, scored) for one in kept], scored)
        changes = _changes(kept, before, after, scored, {**board.tasks, **tasks})
        if not apply:
            return Rescored(changes, failed, done=False)
        with board.database.writing() as connection:
            check_references(connection, current)
            if read_state(connection)["revision"] != revision:
                continue  # the board has changed meanwhile
            if content is not None:
                connection.execute(insert(REFERENCES).values(id=number, added=now(), content=content))
                write_state(connection, "references", number)
                write_state(connection, "official", int(is_official(against)))
                record(connection, "The references were corrected, and all entries scored again", why, public=True)
            else:
                record(connection, "All entries were scored again", why)
            _replace(connection, after, scored, failed, number)
            return Rescored(changes, failed, done=True)
    raise BoardError("the board kept changing while it was scored again; close it to submissions and try again")


def _unless_failed(one: Kept, scored: Mapping[int, Scores]) -> Kept:
    """Return the entry with the state that it has when it can be scored, or cannot."""
    if one.entry.id not in scored:
        return replace(one, shown={}, entry=replace(one.entry, state=SET_ASIDE))
    again = one.entry.state == SET_ASIDE and bool(one.entry.submitted)  # a damaged one has no time
    return replace(one, entry=replace(one.entry, state=NO_CHANGE)) if again else one


def _replace(
    connection: Connection,
    after: Iterable[Kept],
    scored: Mapping[int, Scores],
    failed: Mapping[int, str],
    references: int,
) -> None:
    """Write the new scores, what is shown, and which entries are set aside."""
    for one in after:
        entry = one.entry.id
        values = {"shown": json.dumps(dict(one.shown)), "set_aside": failed.get(entry)}
        connection.execute(update(ENTRIES).where(ENTRIES.c.id == entry).values(**values))
        if entry in scored:
            row = {"reference_set": references, "scored": f"{now()} {secrets.token_hex(4)}", **scored[entry].as_row()}
            connection.execute(update(SCORES).where(SCORES.c.entry == entry).values(**row))
    add_to_state(connection, "revision")


def _changes(
    kept: Iterable[Kept],
    before: Mapping[int, Scores],
    after: Iterable[Kept],
    scored: Mapping[int, Scores],
    tasks: Iterable[str],
) -> tuple[str, ...]:
    """Return a sentence for each entry that changes: its exact scores, its state and its rank."""
    kept, after, names = list(kept), list(after), [AVERAGE, *tasks]
    ranks = [
        {one.id: one.rank for one in listed(*each, names[1:], Phase())} for each in ((kept, before), (after, scored))
    ]
    sentences = []
    for old, new in zip(kept, after, strict=True):
        entry = old.entry.id
        parts = [
            f"{name} {points(was)} → {points(now_)}"
            for name in names
            if points(was := _exact(before, entry, name)) != points(now_ := _exact(scored, entry, name))
        ]
        if old.entry.state != new.entry.state:
            parts.append(f"{old.entry.state} → {new.entry.state}")
        if ranks[0].get(entry) != ranks[1].get(entry):
            parts.append(f"rank {ranks[0].get(entry) or '–'} → {ranks[1].get(entry) or '–'}")
        if parts:
            sentences.append(f"{entry}, {old.entry.system} ({old.entry.submitter}): " + ", ".join(parts))
    return tuple(sentences)


def _exact(scores: Mapping[int, Scores], entry: int, name: str) -> float | None:
    one = scores[entry].by_name.get(name) if entry in scores else None
    return one.exact if one else None


def points(score: float | None) -> str:
    """Return a score as the owner reads it."""
    return "–" if score is None else f"{score:.2f}"


def backup(board: Board, path: Path) -> None:
    """Write a copy of the board as of now to a new file; it is opened and checked before it gets its name.

    Raises:
        UnusableInput: when there is something at that path.
        BoardError: for PostgreSQL, and for a copy that is damaged.
    """
    if path.exists() or not path.parent.is_dir():
        raise UnusableInput(f"{str(path)!r} exists already, or its folder does not; give a new file")
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        board.database.copy_to(part)
        part.chmod(0o600)
        copy = Database(part)
        try:
            copy.check()
            with copy.reading() as connection:
                sound = connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
        except NoBoard:
            sound = False
        if not sound:
            raise BoardError("the copy is damaged; check the disk, and try again")
        part.rename(path)
    finally:
        for left in path.parent.glob(f"{part.name}*"):
            left.unlink()


def export_predictions(board: Board, folder: Path) -> list[Path]:
    """Write the predictions of every entry as `entry-N.json`, which `zero-scrolls score` reads; returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    with board.database.reading() as connection:
        rows = connection.execute(select(PREDICTIONS).order_by(PREDICTIONS.c.entry)).all()
    paths = []
    for row in rows:
        paths.append(folder / f"entry-{row.entry}.json")
        write_whole(paths[-1], json.dumps(unpack(row.content), ensure_ascii=False, indent=1) + "\n")
    return paths


def as_table(board: Board, *, every: bool = False) -> Table:
    """Return a row for each entry of the board, the best first: details, scores by task, rank."""
    details = ["baseline", "link", "note", "submitted", "signature", "run", "remark"]
    head = ["rank", "id", "system", "submitter", AVERAGE, *board.tasks, "not_separated_from", *details]
    rows = []
    for entry in board.entries(every=every):
        near = ", ".join(map(str, entry.not_separated_from))
        run = json.dumps(dict(entry.run)) if entry.run else None
        values = {**entry.as_dict(), **entry.tasks, "not_separated_from": near, "run": run}
        rows.append([values.get(name) for name in head])
    return Table(head, rows)


def as_parquet(board: Board, *, every: bool = False) -> bytes:
    """Return the entries as Parquet.

    Raises:
        MissingExtra: when a package that writes Parquet is not installed.
    """
    with from_extra("frames"):
        pandas = import_module("pandas")
    with from_extra("evaluate"):
        import_module("pyarrow")
    table = as_table(board, every=every)
    content: bytes = pandas.DataFrame(table.rows, columns=table.head).to_parquet(index=False)
    return content


def as_eval_results(board: Board, *, every: bool = False) -> dict[str, str]:
    """Return for each entry the name of a file and its YAML, for `.eval_results/` in the model's repo on the Hub.

    The average is in it where it is that of the whole benchmark.

    Raises:
        MissingExtra: without `huggingface_hub`.
        BoardError: when the references are not those of the benchmark's dataset.
    """
    if board.state()["official"] != "1":
        raise BoardError(
            "evaluation results are scores on the benchmark's dataset, and this board's references are others; "
            "use --csv or --parquet"
        )
    whole, title = set(board.benchmark.tasks) <= set(board.tasks), board.settings.title
    files = {}
    for entry in board.entries(every=every):
        scores = {task: points for task, points in entry.tasks.items() if points is not None}
        if whole and entry.average is not None:
            scores[published.AVERAGE] = entry.average
        notes = dict.fromkeys(scores, f"{title}, entry {entry.id}: {entry.signature}")
        files[f"entry-{entry.id}.yaml"] = eval_results(board.benchmark, scores, notes)
    return files
