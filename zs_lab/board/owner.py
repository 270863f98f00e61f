"""What the owner of a board does: the actions of `zero-scrolls board` with their arguments; most return what it prints.

Every act is recorded: who, when and why. What cannot be done is a `BoardError`, a file that cannot be used an
`UnusableInput`; nothing has changed then.
"""

import getpass
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from zs_bench import published
from zs_bench.benchmarks import DEFAULT, find_benchmark
from zs_bench.commands import OK, REFUSED
from zs_bench.commands.outputs import as_json, check_outputs, progress, write
from zs_bench.errors import UnusableInput, from_extra
from zs_bench.files.writing import whole_file
from zs_bench.problems import counted, lines
from zs_bench.reports.report import eval_results as eval_results_yaml
from zs_bench.reports.tables import Table
from zs_bench.scoring.score_files import read_references
from zs_bench.validation.from_source import read_hard_ids, references_from_source, with_documents
from zs_lab.board import board as boards
from zs_lab.board import create_board
from zs_lab.board import database as db
from zs_lab.board.board import Board, State
from zs_lab.board.cleaning import MAX_NOTE, check_scripts, clean_line, clean_name, clean_settings, now
from zs_lab.board.database import ENTRIES, PREDICTIONS, SUBMITTERS
from zs_lab.board.look_alikes import look_alike
from zs_lab.board.records import AVERAGE, BoardError, BoardSettings, NotAccepted, Submitter
from zs_lab.board.scores import Kept, Rule, Score, Scores, listed, packed, read_kept

ORGANISERS = "Organisers"  # the submitter of the organisers' baselines
MUCH_NOISE = 10  # a standard deviation of the noise, in points, with which scores are hardly of use
NO_ENTRY = "there is no entry {}; zero-scrolls board list has their numbers"


class Printed(NamedTuple):
    """What a command prints: its result, a note on standard error, and the exit status."""

    text: str = ""
    note: str = ""
    status: int = OK


def init(
    board: str,
    *,
    references: Sequence[str] | None = None,
    source: str | None = None,
    split: str | None = None,
    revision: str | None = None,
    benchmark: str = DEFAULT,
    hard_ids: str | None = None,
    **settings: Any,
) -> Printed:
    """Set up a board; returns its size, and a warning about tasks of few examples. The arguments are the options.

    Raises `BoardError` for tasks of few examples if nobody has chosen how many submissions there are.
    """
    chosen = find_benchmark(benchmark)
    about = clean_settings(BoardSettings(title=f"{chosen.title} board"), **settings)
    hard = read_hard_ids(hard_ids) if hard_ids else None
    if references:
        read = read_references(references, benchmark=chosen, hard_ids=hard)
        if source:
            read = with_documents(read, source, split, revision, benchmark=chosen, progress=progress())
    elif source:
        read = references_from_source(source, chosen.tasks, split, revision, benchmark=chosen, progress=progress())
        read = read if hard is None else read.with_hard_questions(hard, chosen)
    else:
        raise UnusableInput("give what submissions are scored against: --references PATH or --source SOURCE")
    kept = boards.unpack_references(boards.pack_references(read, chosen), chosen)
    noisy = _much_noise(State(chosen, about, kept, 1, "", 0))
    if noisy and settings.get("in_all") is None:
        raise BoardError(
            f"{noisy}. No board was made. Choose with --in-all N, and fewer submissions have less noise (--in-all 1); "
            "or give --exact if the references are no secret"
        )
    made = create_board(board, read, benchmark=chosen, settings=about)
    notes = lines(problem for problem in read.problems if problem.kind == "no-inputs")
    notes += [f"{noisy}. To choose again, remove the board, and set it up with fewer --in-all."] if noisy else []
    return Printed(f"{about.title}: {_size(made.state)}, in {made.database.name}. Keep it private.", "\n".join(notes))


def _much_noise(state: State) -> str:
    """Return which tasks are shown with much noise, as a sentence without its full stop; empty if none are."""
    noise = {task: state.rule.noise(task, Score(count, (0.0,))) for task, count in state.sizes.items()}
    much = [f"{task} ({points:.0f} points)" for task, points in noise.items() if points > MUCH_NOISE]
    of_each = f"{counted(state.settings.in_all, 'submission')} of each submitter"
    return f"Few examples for {of_each}, so scores are shown with much noise: {', '.join(much)}" if much else ""


def _size(state: State) -> str:
    return f"{counted(len(state.sizes), 'task')}, {counted(sum(state.sizes.values()), 'example')}"


def record(connection: sa.Connection, act: str, why: str | None, *, public: bool = False) -> str:
    """Record an act of the owner: what, by whom (the user of this machine), when and why; returns it as a sentence."""
    try:
        who = getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without a name
        who = "unknown"
    reason = clean_line(why, "the reason", MAX_NOTE)
    connection.execute(sa.insert(db.ACTS).values(time=now(), who=who, act=act, why=reason, public=int(public)))
    db.count_change(connection)
    return f"{act}."


def log(board: Board) -> Table:
    with board.database.reading() as connection:
        rows = connection.execute(sa.select(db.ACTS).order_by(db.ACTS.c.id))
        return Table(("time", "who", "act", "why"), [(row.time, row.who, row.act, row.why) for row in rows])


def change_settings(board: Board, *, why: str | None = None, **changes: Any) -> Table:
    """Change those settings that are not `None`; returns all of them."""
    if changes.get("in_all") is not None:
        raise BoardError("the noise in the scores follows from --in-all, which cannot be changed; make a new board")
    with board.database.writing() as connection:
        before = asdict(board.state_at(connection).settings)
        after = asdict(clean_settings(BoardSettings(**before), **changes))
        names = [name for name, value in after.items() if value != before[name]]
        if names:
            db.write_state(connection, "settings", json.dumps(after))
            record(connection, "Changed: " + ", ".join(names), why)
    return Table((), [(name, str(value)) for name, value in after.items()])


def invite(board: Board, name: str, *, why: str | None = None) -> Printed:
    """Let a submitter submit; returns a new submission code, or none for `hf:USER`, a user of the Hub who signs in."""
    name = clean_name(name, "the name of a submitter")
    code = "" if name.startswith(boards.HUB) else f"zs-{secrets.token_urlsafe(24)}"
    values = {"code_hash": boards.hash_of_code(code) if code else None, "revoked": None}
    with board.database.writing() as connection:
        rows = {row.name: row for row in connection.execute(sa.select(SUBMITTERS))}
        row = rows.get(name)
        if not row:
            check_scripts(name, "the name of a submitter")
        for other in (ORGANISERS, *rows):
            if look_alike(name, other) and (other == ORGANISERS or not row):
                raise BoardError(f"there is {other!r} already, which looks alike; give that name or a different one")
        if row:
            connection.execute(sa.update(SUBMITTERS).where(SUBMITTERS.c.id == row.id).values(**values))
        else:
            connection.execute(sa.insert(SUBMITTERS).values(name=name, created=now(), **values))
        record(connection, f"Invited {name}", why)
    if not code:
        return Printed(note=f"{name} may submit in a Space, signed in.")
    earlier = " It replaces the earlier one." if row and row.code_hash else ""
    return Printed(code, f"The submission code of {name}; it is not kept, so hand it on now.{earlier}")


def revoke(board: Board, name: str, *, why: str | None = None) -> str:
    """Take no more submissions from this submitter; the entries stay."""
    with board.database.writing() as connection:
        same = SUBMITTERS.c.name == name
        if not connection.execute(sa.update(SUBMITTERS).where(same).values(revoked=now())).rowcount:
            raise BoardError(f"there is no submitter {name!r}; zero-scrolls board submitters lists them")
        return record(connection, f"Revoked {name}", why) + " The entries stay."


def submitters(board: Board) -> Table:
    """Return who was invited, in that order, when that was revoked, and the number of entries."""
    count = sa.select(sa.func.count()).where(ENTRIES.c.submitter == SUBMITTERS.c.id).scalar_subquery()
    with board.database.reading() as connection:
        rows = connection.execute(sa.select(SUBMITTERS, count.label("entries")).order_by(SUBMITTERS.c.id))
        cells = [(row.name, row.created, row.revoked or "", str(row.entries)) for row in rows]
    return Table(("submitter", "invited", "revoked", "entries"), cells, right=[3])


def submissions(board: Board) -> list[Kept]:
    """Return all entries as they are kept; the remark also says why one was set aside, or which other is the same."""
    with board.database.reading() as connection:
        entries = read_kept(connection)
    first: dict[str, int] = {}
    submitted = []
    for kept in entries:
        same = first.setdefault(kept.predictions, kept.entry.id)
        copy = f"same predictions as entry {same}" if same != kept.entry.id else None
        remark = "; ".join(filter(None, (kept.entry.remark, kept.set_aside, copy))) or None
        submitted.append(replace(kept, entry=replace(kept.entry, remark=remark, state=kept.state)))
    return submitted


def list_entries(board: Board) -> Table:
    """Return a row for each entry, also for those that the board does not show, with its exact average."""
    head, rule = ("id", "submitted", "submitter", "system", "state"), board.state.rule
    rows = [
        [*(str(getattr(kept.entry, name)) for name in head), _points(kept, AVERAGE, rule), kept.entry.remark or ""]
        for kept in submissions(board)
    ]
    return Table(("entry", *head[1:], "average", "remark"), rows, right=[0, 5])


def show(board: Board, entry: int) -> Table:
    """Return the details of an entry and its exact scores."""
    kept = next((kept for kept in submissions(board) if kept.entry.id == entry), None)
    if kept is None:
        raise BoardError(NO_ENTRY.format(entry))
    names = ("id", "submitter", "system", "link", "note", "submitted", "state", "remark")
    details = {name: getattr(kept.entry, name) for name in names} | {"signature": kept.signature}
    details |= {f"run, {name}": value for name, value in kept.entry.run.items()}
    state = board.state
    for title, name in ((state.average_title, AVERAGE), *((task, task) for task in state.tasks)):
        details[title] = _points(kept, name, state.rule)
    return Table((), [(name, str(value)) for name, value in details.items() if value is not None])


def _points(kept: Kept, name: str, rule: Rule) -> str:
    exact = rule.exact(kept.scores)
    return f"{exact[name]:.2f}" if name in exact else "–"


def hide(board: Board, entry: int, *, undo: bool = False, why: str | None = None) -> str:
    act = f"Put entry {entry} back on the board" if undo else f"Took entry {entry} off the board"
    return _change(board, entry, act, why, hidden=None if undo else now())


def remark(board: Board, entry: int, text: str | None = None, *, why: str | None = None) -> str:
    """Put a remark beside an entry, or take it away."""
    line = clean_line(text, "the remark", MAX_NOTE) or None
    return _change(board, entry, f"Remark on entry {entry}: {line or 'none'}", why, remark=line)


def _change(board: Board, entry: int, act: str, why: str | None, **values: str | None) -> str:
    with board.database.writing() as connection:
        if not connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == entry).values(**values)).rowcount:
            raise BoardError(NO_ENTRY.format(entry))
        return record(connection, act, why)


def baseline(
    board: Board, system: str, files: Iterable[str | Path], *, why: str | None = None, **details: str | None
) -> str:
    """Add the organisers' own entry, perhaps with a `note` and a `link`; raises as `Board.submit`."""
    same = sa.select(SUBMITTERS.c.id).where(SUBMITTERS.c.name == ORGANISERS)
    with board.database.writing() as connection:
        if connection.execute(same).first() is None:
            connection.execute(sa.insert(SUBMITTERS).values(name=ORGANISERS, created=now()))
        organisers = Submitter(connection.execute(same).scalar_one(), ORGANISERS)
    entry = board.submit(organisers, system=system, predictions=files, baseline=True, **details)
    with board.database.writing() as connection:
        return record(connection, f"Added the baseline {entry.system}, entry {entry.id}", why)


class Rescored(NamedTuple):
    """The scores of kept predictions and their signature, or why there are none."""

    scores: Scores = {}  # noqa: RUF012
    signature: str = ""
    set_aside: str | None = "its predictions are missing in the database"
    drawn_from: str = ""


def rescore(
    board: Board,
    *,
    references: Sequence[str | Path] | None = None,
    drop: Iterable[str] = (),
    yes: bool = False,
    why: str | None = None,
) -> Printed:
    """Score all entries again: after an update of zero-scrolls, or against corrected references.

    With `yes` everything changes at once, at the end; without, this is a preview. `drop` are the tasks that the files
    of new references lack on purpose.
    """
    state = new = board.state
    act, printed, content, official = "All entries were scored again", list[str](), b"", "0"
    if references is not None:
        read = read_references(references, benchmark=state.benchmark)
        absent = [task for task in state.tasks if not read.by_task.get(task) and task not in drop]
        if absent:
            what = f"the references have no {absent[0]}, which the board scores"
            raise UnusableInput(f"{what}; add its file, or remove the task from the board with --drop {absent[0]}")
        act = "The references were corrected, and all entries scored again"
        official = boards.is_official(read, state.benchmark)
        content = boards.pack_references(read, state.benchmark)
        if db.unpack(content) == db.unpack(boards.pack_references(state.references, state.benchmark)):
            content, act = b"", "All entries were scored again, against the same references"
    if content:
        corrected = boards.unpack_references(content, state.benchmark)
        new = replace(state, references=corrected, number=state.number + 1)
        printed = [f"The references: {_size(state)} → {_size(new)}."] if _size(state) != _size(new) else []
    with board.database.reading() as connection:
        waiting = connection.execute(sa.select(PREDICTIONS)).all()
    rescored = _scored_again(waiting, new)
    with board.database.writing() if yes else board.database.reading() as connection:
        boards.check_references(connection, state.number)
        late = connection.execute(sa.select(PREDICTIONS).where(PREDICTIONS.c.entry.not_in(list(rescored)))).all()
        rescored |= _scored_again(late, new)
        before = read_kept(connection)
        after = [_after(kept, rescored.get(kept.entry.id, Rescored()), new.number) for kept in before]
        changes = _changes(before, after, state, new)
        if yes:
            is_seen = bool(changes or (before and new.rule.submissions))  # other references draw the noise again
            if content:
                connection.execute(sa.insert(db.REFERENCES).values(id=new.number, added=now(), content=content))
                db.write_state(connection, "references", new.number)
                db.write_state(connection, "official", official)
            record(connection, act, why, public=bool(content) and is_seen)
            for kept in after:
                _store(connection, kept)
    aside = [f"{kept.entry.id}: set aside, since {kept.set_aside}" for kept in after if kept.set_aside]
    count = f"{len(changes)} {'entry' if len(changes) == 1 else 'entries'}"
    printed += [*changes, *aside, f"{count} changed." if yes else f"{count} would change. To do it, add --yes."]
    return Printed("\n".join(printed), status=REFUSED if aside else OK)


def _after(kept: Kept, rescored: Rescored, references: int) -> Kept:
    """Return the entry with its new scores; the noise in them is drawn again only for other references."""
    drawn_from = rescored.drawn_from if references != kept.references else kept.drawn_from
    return replace(kept, references=references, **rescored._replace(drawn_from=drawn_from)._asdict())


def _scored_again(rows: Sequence[sa.Row[Any]], state: State) -> dict[int, Rescored]:
    """Return the scores of these predictions by entry."""
    report, rescored = progress(), dict[int, Rescored]()
    for place, row in enumerate(rows, 1):
        try:
            texts = db.unpack(row.content)
            rescored[row.entry] = Rescored(*state.score(texts), None, state.drawn_from(texts))
        except NotAccepted as error:
            rescored[row.entry] = Rescored(set_aside=str(error))
        except Exception:  # noqa: BLE001  (one damaged entry must not stop the others)
            rescored[row.entry] = Rescored(set_aside="its predictions are damaged in the database")
        if report:
            report(place / len(rows), f"entry {row.entry}")
    return rescored


def _store(connection: sa.Connection, kept: Kept) -> None:
    same = ENTRIES.c.id == kept.entry.id
    connection.execute(sa.update(ENTRIES).where(same).values(set_aside=kept.set_aside))
    if kept.scores:
        row = {"reference_set": kept.references, "scored": now(), "signature": kept.signature}
        row |= {"points": packed(kept.scores), "drawn_from": kept.drawn_from or None}
        connection.execute(sa.update(db.SCORES).where(db.SCORES.c.entry == kept.entry.id).values(**row))


def _changes(before: Sequence[Kept], after: Sequence[Kept], *states: State) -> list[str]:
    """Return a sentence for each entry that changes: its exact scores, its state and its rank."""
    rules = [state.rule._replace(sealed=False) for state in states]
    ranks = [
        {entry.id: entry.rank for entry in listed(kept, rule)[0]}
        for kept, rule in zip((before, after), rules, strict=True)
    ]
    sentences = []
    for pair in zip(before, after, strict=True):
        entry = pair[0].entry
        facts = [
            (f"{name} ", *(_points(kept, name, rule) for kept, rule in zip(pair, rules, strict=True)))
            for name in dict.fromkeys([AVERAGE, *(task for rule in rules for task in rule.tasks)])
        ]
        facts.append(("", *(kept.state for kept in pair)))
        facts.append(("rank ", *(str(by_entry.get(entry.id) or "–") for by_entry in ranks)))
        changed = ", ".join(f"{name}{old} → {new}" for name, old, new in facts if old != new)
        if changed:
            sentences.append(f"{entry.id}, {entry.system} ({entry.submitter}): {changed}")
    return sentences


def backup(board: Board, out: str) -> str:
    board.database.copy_to(Path(out))
    return f"Copied to {out}. To restore it, stop the app and replace the board's file with it."


def export(
    board: Board,
    *,
    csv: str | None = None,
    parquet: str | None = None,
    eval_results: str | None = None,
    predictions: str | None = None,
) -> Printed:
    """Write what the board shows, or all predictions, which `zero-scrolls score` reads, to these paths."""
    if not (csv or parquet or eval_results or predictions):
        raise UnusableInput("which form? Give --csv OUT, --parquet OUT, --eval-results DIR or --predictions DIR")
    check_outputs(csv, parquet)
    if parquet:
        with from_extra("parquet"):  # before anything is written
            pyarrow, arrow = import_module("pyarrow"), import_module("pyarrow.parquet")
    table, written = as_table(board), []
    if csv:
        write(csv, table.csv())
        written += [csv] if csv != "-" else []
    if parquet:
        columns = {name: [row[place] for row in table.rows] for place, name in enumerate(table.head)}
        with whole_file(Path(parquet)) as file:
            arrow.write_table(pyarrow.table(columns), file)
        written.append(parquet)
    if eval_results:
        written.append(_write_files(eval_results, _as_eval_results(board)))
    if predictions:
        with board.database.reading() as connection:
            rows = connection.execute(sa.select(PREDICTIONS).order_by(PREDICTIONS.c.entry)).all()
        files = {f"entry-{row.entry}.json": as_json(db.unpack(row.content)) for row in rows}
        written.append(_write_files(predictions, files) + ", private")
    return Printed(note="Written: " + ", ".join(written) if written else "")


def _write_files(folder: str, files: Mapping[str, str]) -> str:
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write(str(Path(folder, name)), text)
    return f"{folder}: {counted(len(files), 'file')}"


def as_table(board: Board) -> Table:
    """Return a row for each listed entry, the best first: details, scores by task, rank."""
    details = ["baseline", "link", "note", "submitted", "signature", "run", "remark"]
    head = ["rank", "id", "system", "submitter", AVERAGE, *board.state.tasks, "not_separated_from", *details]
    rows = []
    for entry in board.entries():
        near, run = ", ".join(map(str, entry.not_separated_from)), json.dumps(dict(entry.run)) if entry.run else None
        values = {**asdict(entry), **entry.tasks, "not_separated_from": near, "run": run}
        rows.append([values.get(name) for name in head])
    return Table(head, rows)


def _as_eval_results(board: Board) -> dict[str, str]:
    """Return for each entry the name of a file and its YAML; the average is in it where it is the whole benchmark's."""
    with board.database.reading() as connection:
        is_official = db.read_state(connection)["official"] == "1"
    if not is_official:
        raise BoardError(
            "evaluation results are scores on the benchmark's dataset, and this board's references are others; "
            "use --csv or --parquet"
        )
    state, files = board.state, {}
    for entry in board.entries():
        scores = {task: points for task, points in entry.tasks.items() if points is not None}
        if entry.average is not None and set(state.benchmark.tasks) <= set(state.tasks):
            scores[published.AVERAGE] = entry.average
        notes = dict.fromkeys(scores, f"{state.settings.title}, entry {entry.id}: {entry.signature}")
        files[f"entry-{entry.id}.yaml"] = eval_results_yaml(state.benchmark, scores, notes)
    return files
