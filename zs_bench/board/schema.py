"""The tables of a board, and the steps from one version of the schema to the next.

SQLite makes them STRICT. Times are texts in UTC (`2026-11-22T13:21:23Z`), so that they sort and compare as texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    insert,
    inspect,
    text,
)

from zs_bench.board.entry import NoBoard
from zs_bench.problems import UnusableInput

#: The version of the tables below.
SCHEMA = 1
#: By version the statements that make it the next one.
MIGRATIONS: Mapping[int, Sequence[str]] = {}

METADATA = MetaData()


def _table(name: str, *columns: Column[object]) -> Table:
    return Table(name, METADATA, *columns, sqlite_strict=True)


def _id() -> Column[object]:
    return Column("id", Integer, primary_key=True)


def _text(name: str, *, null: bool = False, unique: bool = False) -> Column[object]:
    return Column(name, Text, nullable=null, unique=unique)


def _of_entry() -> Column[object]:
    return Column("entry", Integer, ForeignKey("entries.id"), primary_key=True)


#: `schema`, `benchmark`, `title`, `per_day`, `in_all`, `references` (the id of the current ones), `revision` (counts
#: the changes).
SETTINGS = _table("settings", Column("name", Text, primary_key=True), _text("value"))
REFERENCES = _table("reference_sets", _id(), _text("added"), Column("content", LargeBinary, nullable=False))
SUBMITTERS = _table(
    "submitters",
    _id(),
    _text("name", unique=True),
    _text("code_hash", null=True, unique=True),
    _text("created"),
    _text("revoked", null=True),
)
ENTRIES = _table(
    "entries",
    _id(),
    Column("submitter", Integer, ForeignKey("submitters.id"), nullable=False, index=True),
    _text("system"),
    _text("link", null=True),
    _text("note", null=True),
    _text("run"),
    _text("submitted"),
    _text("predictions_hash", unique=True),
    Column("better", Integer, nullable=False),  # 1 when it was clearly better than its submitter's best
    _text("withdrawn", null=True),
    _text("hidden", null=True),
    _text("remark", null=True),
)
PREDICTIONS = _table("predictions", _of_entry(), Column("content", LargeBinary, nullable=False))
SCORES = _table(
    "scores",
    _of_entry(),
    Column("reference_set", Integer, ForeignKey("reference_sets.id"), nullable=False),
    _text("scored"),
    _text("signature"),
    _text("points"),  # JSON: the average and the tasks, not rounded
    Column("draws", LargeBinary, nullable=False),  # the average in every bootstrap resample
)


def create_tables(connection: Connection, name: str) -> None:
    """Make the tables in the database of that name.

    Raises:
        UnusableInput: when they are there.
    """
    if inspect(connection).has_table(SETTINGS.name):
        raise UnusableInput(f"there is a board in {name} already; give another database")
    METADATA.create_all(connection)
    connection.execute(insert(SETTINGS).values(name="schema", value=str(SCHEMA)))


def is_current(connection: Connection) -> bool:
    """Whether the tables are of the version that this module knows; older ones can be migrated.

    Raises:
        NoBoard: when they are newer.
    """
    found = _version(connection)
    if found > SCHEMA:
        raise NoBoard("the board was made by a newer version of zero-scrolls; update this one")
    return found == SCHEMA


def _version(connection: Connection) -> int:
    return int(connection.execute(text("SELECT value FROM settings WHERE name = 'schema'")).scalar_one())


def migrate(connection: Connection) -> None:
    """Bring older tables up to date."""
    for version in range(_version(connection), SCHEMA):
        for statement in MIGRATIONS[version]:
            connection.execute(text(statement))
    connection.execute(text("UPDATE settings SET value = :now WHERE name = 'schema'"), {"now": str(SCHEMA)})
