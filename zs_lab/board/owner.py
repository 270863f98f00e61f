"""What the owner of a board does: the actions of `zero-scrolls board` with their arguments; most return what it prints.

Every act is recorded: who, when and why. What cannot be done is a `BoardError`, a file that cannot be used an
`UnusableInput`; nothing has changed then.
"""

import getpass
import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from zs_bench.commands import OK, REFUSED
from zs_bench.commands.outputs import as_json, check_outputs, progress, write
from zs_bench.errors import UnusableInput
from zs_bench.extras import from_extra
from zs_bench.files.writing import whole_file
from zs_bench.problems import counted, lines
from zs_bench.published import rows as published
from zs_bench.reports.report import eval_results as eval_results_yaml
from zs_bench.reports.tables import Table
from zs_bench.scoring.score_files import read_references
from zs_bench.validation.from_source import read_hard_ids, references_from_source, with_documents
from zs_bench.validation.references import References
from zs_lab.board import (
    AVERAGE,
    NO_CHANGE,
    SET_ASIDE,
    SHOWN,
    BoardError,
    NotAccepted,
    Settings,
    Submitter,
    create_board,
)
from zs_lab.board import board as boards
from zs_lab.board import database as db
from zs_lab.board.board import Board
from zs_lab.board.cleaning import MAX_NOTE, clean_line, clean_name, clean_settings, look_alike, now
from zs_lab.board.scores import Score, Scores, Texts, packed
from zs_lab.board.standing import Kept, Phase, apply_rule, listed
from zs_metric.tasks import find_benchmark

#: The submitter of the organisers' baselines.
ORGANISERS = "Organisers"
#: The score of a task with fewer examples than this can reveal whether single predictions are right.
ENOUGH = 100


class Said(NamedTuple):
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
    benchmark: str = "zero_scrolls",
    hard_ids: str | None = None,
    **settings: Any,
) -> Said:
    """Set up a board; returns its size, and a warning about tasks of few examples. The arguments are the options."""
    chosen = find_benchmark(benchmark)
    about = clean_settings(Settings(title=f"{chosen.title} board"), **settings)
    hard = read_hard_ids(hard_ids) if hard_ids else None
    options: Any = {"revision": revision, "benchmark": chosen, "progress": progress()}
    if references:
        read = read_references(references, benchmark=chosen, hard_ids=hard)
        read = with_documents(read, source, split, **options) if source else read
    elif source:
        read = references_from_source(source, chosen.tasks, split or "validation", **options)
        read = read if hard is None else read.with_hard_questions(hard)
    else:
        raise UnusableInput("give what submissions are scored against: --references PATH or --source SOURCE")
    made = create_board(board, read, benchmark=chosen, settings=about)
    small = [f"{task} ({count})" for task, count in made.sizes.items() if count < ENOUGH]
    which = "all of them" if len(small) == len(made.sizes) else ", ".join(small)
    warning = f"Tasks with fewer than {ENOUGH} examples, whose scores reveal single predictions: {which}."
    notes = lines(problem for problem in read.problems if problem.kind == "no-inputs")
    notes += [f"{warning} That is fine for trying the board out."] * bool(small)
    return Said(
        f"{about.title}: {_size(made.references[1])}, in {made.database.name}. Keep it private.", "\n".join(notes)
    )


def _size(references: References) -> str:
    count = sum(len(by_id) for splits in references.tasks.values() for by_id in splits.values())
    return f"{counted(len(references.tasks), 'task')}, {counted(count, 'example')}"


def record(connection: sa.Connection, act: str, why: str | None, *, public: bool = False) -> str:
    """Record an act of the owner: what, by whom (the user of this machine), when and why; returns it as a sentence."""
    try:
        who = getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without a name
        who = "unknown"
    reason = clean_line(why, "the reason", MAX_NOTE)
    connection.execute(sa.insert(db.ACTS).values(time=now(), who=who, act=act, why=reason, public=int(public)))
    db.add_to_state(connection, "revision")
    return f"{act}."


def log(board: Board) -> Table:
    """Return the recorded acts in their order."""
    with board.database.reading() as connection:
        rows = connection.execute(sa.select(db.ACTS).order_by(db.ACTS.c.id))
        return Table(("time", "who", "act", "why"), [(row.time, row.who, row.act, row.why) for row in rows])


def change_settings(board: Board, *, why: str | None = None, **changes: Any) -> Table:
    """Change those settings that are not `None`; returns all of them."""
    with board.database.writing() as connection:
        before = boards.settings_of(db.read_state(connection))
        after = asdict(clean_settings(before, **changes))
        names = [name for name, value in after.items() if value != getattr(before, name)]
        if names:
            db.write_state(connection, "settings", json.dumps(after))
            record(connection, "Changed: " + ", ".join(names), why)
    return Table((), [(name, str(value)) for name, value in after.items()])


def invite(board: Board, name: str, *, why: str | None = None) -> Said:
    """Let a submitter of that name submit; a name `hf:USER` is that of a user of the Hugging Face Hub.

    Returns:
        A new submission code; empty for a user of the Hub, who signs in. The code is not kept: a submitter who loses it
        is invited again.
    """
    name = clean_name(name, "the name of a submitter")
    code = "" if name.startswith(boards.HUB) else f"zs-{secrets.token_urlsafe(24)}"
    kept = {"code_hash": boards.hash_of_code(code) if code else None, "revoked": None}
    alike = look_alike(name)
    with board.database.writing() as connection:
        row = connection.execute(sa.select(db.SUBMITTERS).where(db.SUBMITTERS.c.alike == alike)).one_or_none()
        if alike == look_alike(ORGANISERS) or (row and row.name != name):
            other = row.name if row else ORGANISERS
            raise BoardError(f"there is {other!r} already, which looks alike; give that name or a different one")
        if row:
            connection.execute(sa.update(db.SUBMITTERS).where(db.SUBMITTERS.c.id == row.id).values(**kept))
        else:
            connection.execute(sa.insert(db.SUBMITTERS).values(name=name, alike=alike, created=now(), **kept))
        record(connection, f"Invited {name}", why)
    if not code:
        return Said(note=f"{name} may submit in a Space, signed in.")
    earlier = " It replaces the earlier one." if row and row.code_hash else ""
    return Said(code, f"The submission code of {name}; it is not kept, so hand it on now.{earlier}")


def revoke(board: Board, name: str, *, why: str | None = None) -> str:
    """Take no more submissions from this submitter; the entries stay."""
    with board.database.writing() as connection:
        same = db.SUBMITTERS.c.name == name
        if not connection.execute(sa.update(db.SUBMITTERS).where(same).values(revoked=now())).rowcount:
            raise BoardError(f"there is no submitter {name!r}; zero-scrolls board submitters lists them")
        return record(connection, f"Revoked {name}", why) + " The entries stay."


def submitters(board: Board) -> Table:
    """Return who was invited, in that order, when that was revoked, and the number of entries."""
    count = sa.select(sa.func.count()).where(db.ENTRIES.c.submitter == db.SUBMITTERS.c.id).scalar_subquery()
    with board.database.reading() as connection:
        rows = connection.execute(sa.select(db.SUBMITTERS, count.label("entries")).order_by(db.SUBMITTERS.c.id))
        cells = [(row.name, row.created, row.revoked or "", str(row.entries)) for row in rows]
    return Table(("submitter", "invited", "revoked", "entries"), cells, right=[3])


def submissions(board: Board) -> list[Kept]:
    """Return all entries as they are kept, in the order of their submission: private.

    The remark of an entry also says why it was set aside, and which earlier entry has the same predictions.
    """
    with board.database.reading() as connection:
        kept = board.kept(connection)
    first: dict[str, int] = {}
    submitted = []
    for one in kept:
        same = first.setdefault(one.predictions, one.entry.id)
        copy = f"same predictions as entry {same}" if same != one.entry.id else None
        remark = "; ".join(filter(None, (one.entry.remark, one.set_aside, copy))) or None
        submitted.append(replace(one, entry=replace(one.entry, remark=remark)))
    return submitted


def list_entries(board: Board) -> Table:
    """Return a row for each entry, also for those that the board does not show, with its exact average."""
    rows = []
    for kept in submissions(board):
        one, average = kept.entry, _points(kept.scores.get(AVERAGE))
        rows.append((str(one.id), one.submitted, one.submitter, one.system, one.state, average, one.remark or ""))
    return Table(("entry", "submitted", "submitter", "system", "state", "average", "remark"), rows, right=[0, 5])


def show(board: Board, entry: int) -> Table:
    """Return the details of an entry and its exact scores."""
    kept = next((one for one in submissions(board) if one.entry.id == entry), None)
    if kept is None:
        raise _no_entry(entry)
    names = ("id", "submitter", "system", "link", "note", "submitted", "state", "remark")
    details = {name: getattr(kept.entry, name) for name in names} | {"signature": kept.signature}
    details |= {f"run, {name}": value for name, value in kept.entry.run.items()}
    titles = {AVERAGE: board.average_title} | {task: task for task in board.tasks}
    details |= {title: _points(kept.scores.get(name)) for name, title in titles.items()}
    return Table((), [(name, str(value)) for name, value in details.items() if value is not None])


def _no_entry(entry: int) -> BoardError:
    return BoardError(f"there is no entry {entry}; zero-scrolls board list has their numbers")


def _points(score: Score | None) -> str:
    return "–" if score is None else f"{score.exact:.2f}"


def hide(board: Board, entry: int, *, undo: bool = False, why: str | None = None) -> str:
    """Take an entry off the board, or put it back."""
    act = f"Put entry {entry} back on the board" if undo else f"Took entry {entry} off the board"
    return _change(board, entry, act, why, hidden=None if undo else now())


def remark(board: Board, entry: int, text: str | None = None, *, why: str | None = None) -> str:
    """Put a remark beside an entry, or take it away."""
    line = clean_line(text, "the remark", MAX_NOTE) or None
    return _change(board, entry, f"Remark on entry {entry}: {line or 'none'}", why, remark=line)


def _change(board: Board, entry: int, act: str, why: str | None, **values: Any) -> str:
    with board.database.writing() as connection:
        if not connection.execute(sa.update(db.ENTRIES).where(db.ENTRIES.c.id == entry).values(**values)).rowcount:
            raise _no_entry(entry)
        return record(connection, act, why)


def baseline(
    board: Board,
    system: str,
    files: Iterable[str | Path],
    *,
    note: str | None = None,
    link: str | None = None,
    why: str | None = None,
) -> str:
    """Add the organisers' own entry, which stands outside limits, the rule and the ranks; raises as `Board.submit`."""
    same = sa.select(db.SUBMITTERS.c.id).where(db.SUBMITTERS.c.name == ORGANISERS)
    with board.database.writing() as connection:
        if connection.execute(same).first() is None:
            about = {"name": ORGANISERS, "alike": look_alike(ORGANISERS), "created": now()}
            connection.execute(sa.insert(db.SUBMITTERS).values(**about))
        organisers = Submitter(connection.execute(same).scalar_one(), ORGANISERS)
    entry = board.submit(organisers, system=system, predictions=files, note=note, link=link, baseline=True)
    with board.database.writing() as connection:
        return record(connection, f"Added the baseline {entry.system}, entry {entry.id}", why)


def rescore(
    board: Board,
    *,
    references: Sequence[str | Path] | None = None,
    drop: Iterable[str] = (),
    yes: bool = False,
    why: str | None = None,
) -> Said:
    """Score all entries again: after an update of zero-scrolls, or against corrected references.

    The rule is applied again, in the order of submission. With `yes` everything changes at once, at the end; without,
    this is a preview.

    Args:
        references: files of corrected ones.
        drop: the tasks that they lack on purpose.

    Returns:
        A sentence for each entry whose exact scores, state or rank change, or that is set aside.
    """
    (current, against), tasks = board.references, list(board.tasks)
    number, content, said = current, b"", list[str]()
    if references is not None:
        read = read_references(references, benchmark=board.benchmark)
        absent = [task for task in tasks if not read.tasks.get(task) and task not in drop]
        if absent:
            what = f"the references have no {absent[0]}, which the board scores"
            raise UnusableInput(f"{what}; add its file, or remove the task from the board with --drop {absent[0]}")
        number, content = current + 1, boards.pack_references(read, board.benchmark)
        against = boards.unpack_references(content, board.benchmark)
        if _size(against) != _size(board.references[1]):
            said = [f"The references: {_size(board.references[1])} → {_size(against)}."]
    again = board.scoring(against)
    with board.database.reading() as connection:
        rows = connection.execute(sa.select(db.PREDICTIONS)).all()
    scored = _scored_again(rows, again)
    with board.database.writing() if yes else board.database.reading() as connection:
        boards.check_references(connection, current)
        late = connection.execute(sa.select(db.PREDICTIONS).where(db.PREDICTIONS.c.entry.not_in(list(scored)))).all()
        scored |= _scored_again(late, again)
        before = board.kept(connection)
        scored = {one.entry.id: ({}, "its predictions are missing in the database") for one in before} | scored
        after = apply_rule([_before_rule(one, scored[one.entry.id][0]) for one in before])
        if yes and content:
            connection.execute(sa.insert(db.REFERENCES).values(id=number, added=now(), content=content))
            db.write_state(connection, "references", number)
            db.write_state(connection, "official", boards.is_official(read))
            record(connection, "The references were corrected, and all entries scored again", why, public=True)
        elif yes:
            record(connection, "All entries were scored again", why)
        for one in after if yes else ():
            scores, signature_or_why = scored[one.entry.id]
            values = {"shown": json.dumps(one.shown), "set_aside": None if scores else signature_or_why}
            connection.execute(sa.update(db.ENTRIES).where(db.ENTRIES.c.id == one.entry.id).values(**values))
            if scores:
                row = {"reference_set": number, "scored": now(), "signature": signature_or_why, **packed(scores)}
                connection.execute(sa.update(db.SCORES).where(db.SCORES.c.entry == one.entry.id).values(**row))
    changes = _changes(before, after, [*dict.fromkeys([*tasks, *against.tasks])])
    aside = [f"{entry}: set aside, since {why}" for entry, (scores, why) in scored.items() if not scores]
    count = f"{len(changes)} {'entry' if len(changes) == 1 else 'entries'}"
    said += [*changes, *aside, f"{count} changed." if yes else f"{count} would change. To do it, add --yes."]
    return Said("\n".join(said), status=REFUSED if aside else OK)


def _scored_again(rows: Sequence[Any], again: Callable[[Texts], tuple[Scores, str]]) -> dict[int, tuple[Scores, str]]:
    """Return by entry its scores and their signature, or no scores and why there are none."""
    report, scored = progress(), dict[int, tuple[Scores, str]]()
    for place, row in enumerate(rows, 1):
        try:
            scored[row.entry] = again(db.unpack(row.content))
        except NotAccepted as error:
            scored[row.entry] = {}, str(error)
        except Exception:  # noqa: BLE001  (one damaged entry must not stop the others)
            scored[row.entry] = {}, "its predictions are damaged in the database"
        if report:
            report(place / len(rows), f"entry {row.entry}")
    return scored


def _before_rule(one: Kept, scores: Scores) -> Kept:
    """Return the entry with these scores, and the state that it has before the rule is applied."""
    state = one.entry.state
    if not scores:
        state = SET_ASIDE
    elif state == SET_ASIDE and one.entry.submitted:  # a damaged one has no time
        state = SHOWN if one.entry.baseline else NO_CHANGE
    return replace(one, scores=scores, shown={}, entry=replace(one.entry, state=state))


def _changes(before: Sequence[Kept], after: Sequence[Kept], tasks: Sequence[str]) -> list[str]:
    """Return a sentence for each entry that changes: its exact scores, its state and its rank."""
    ranks = [{entry.id: entry.rank for entry in listed(kept, tasks, Phase())} for kept in (before, after)]
    sentences = []
    for pair in zip(before, after, strict=True):
        entry = pair[0].entry
        facts = [(f"{name} ", *(_points(one.scores.get(name)) for one in pair)) for name in (AVERAGE, *tasks)]
        facts.append(("", *(one.entry.state for one in pair)))
        facts.append(("rank ", *(str(by_entry.get(entry.id) or "–") for by_entry in ranks)))
        changed = ", ".join(f"{name}{old} → {new}" for name, old, new in facts if old != new)
        if changed:
            sentences.append(f"{entry.id}, {entry.system} ({entry.submitter}): {changed}")
    return sentences


def backup(board: Board, out: str) -> str:
    """Write a copy of the board as of now to a new file; raises as `Database.copy_to`."""
    board.database.copy_to(Path(out))
    return f"Copied to {out}. To restore it, stop the app and replace the board's file with it."


def export(
    board: Board,
    *,
    csv: str | None = None,
    parquet: str | None = None,
    eval_results: str | None = None,
    predictions: str | None = None,
    every: bool = False,
) -> Said:
    """Write what the board shows, or all predictions, which `zero-scrolls score` reads, to these paths."""
    if not (csv or parquet or eval_results or predictions):
        raise UnusableInput("which form? Give --csv OUT, --parquet OUT, --eval-results DIR or --predictions DIR")
    check_outputs(csv, parquet)
    table, written = as_table(board, every=every), []
    if csv:
        write(csv, table.csv())
        written += [csv] if csv != "-" else []
    if parquet:
        with from_extra("frames"):
            pandas = import_module("pandas")
        with from_extra("evaluate"):
            import_module("pyarrow")
        with whole_file(Path(parquet)) as file:
            file.write(pandas.DataFrame(table.rows, columns=table.head).to_parquet(index=False))
        written.append(parquet)
    if eval_results:
        written.append(_write_files(eval_results, _as_eval_results(board, every=every)))
    if predictions:
        with board.database.reading() as connection:
            rows = connection.execute(sa.select(db.PREDICTIONS).order_by(db.PREDICTIONS.c.entry)).all()
        files = {f"entry-{row.entry}.json": as_json(db.unpack(row.content)) for row in rows}
        written.append(_write_files(predictions, files) + ", private")
    return Said(note="Written: " + ", ".join(written) if written else "")


def _write_files(folder: str, files: Mapping[str, str]) -> str:
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write(str(Path(folder, name)), text)
    return f"{folder}: {counted(len(files), 'file')}"


def as_table(board: Board, *, every: bool = False) -> Table:
    """Return a row for each entry of the board, the best first: details, scores by task, rank."""
    details = ["baseline", "link", "note", "submitted", "signature", "run", "remark"]
    head = ["rank", "id", "system", "submitter", AVERAGE, *board.tasks, "not_separated_from", *details]
    rows = []
    for entry in board.entries(every=every):
        near, run = ", ".join(map(str, entry.not_separated_from)), json.dumps(dict(entry.run)) if entry.run else None
        values = {**entry.as_dict(), **entry.tasks, "not_separated_from": near, "run": run}
        rows.append([values.get(name) for name in head])
    return Table(head, rows)


def _as_eval_results(board: Board, *, every: bool) -> dict[str, str]:
    """Return for each entry the name of a file and its YAML; the average is in it where it is the whole benchmark's."""
    with board.database.reading() as connection:
        is_official = db.read_state(connection)["official"] == "1"
    if not is_official:
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
        files[f"entry-{entry.id}.yaml"] = eval_results_yaml(board.benchmark, scores, notes)
    return files
