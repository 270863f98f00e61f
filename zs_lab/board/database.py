"""The database of a board: SQLite or PostgreSQL, with one writer at a time.

SQLite makes the tables STRICT and keeps its default journal. A reader then needs no file of its own, so a board can be
read on a full disk and in a folder that cannot be written. Times are texts in UTC (`2026-11-22T13:21:23Z`), so that
they sort as texts.
"""

import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DatabaseError, DataError, IntegrityError, OperationalError

from zs_bench.errors import MissingExtra, UnusableInput
from zs_lab.board.records import BoardError, BoardUnavailable, NoBoard

PATIENCE = 60  # the seconds that a connection waits for a writer, or for a server
SCHEMA = 4  # the version of the tables below
_BEFORE = 3  # the version that is brought up to date when it is opened
_LOCK = 0x5A5343524F4C4C53  # the key of PostgreSQL's lock; any number that nothing else in the database uses
METADATA = sa.MetaData()


def _table(name: str, *columns: sa.Column[Any], texts: str = "", nullable: str = "") -> sa.Table:
    """Return a table with these columns, and with columns of text that have these names."""
    named = [sa.Column(text, sa.Text, nullable=False) for text in texts.split()]
    named += [sa.Column(text, sa.Text) for text in nullable.split()]
    return sa.Table(name, METADATA, *columns, *named, sqlite_strict=True)


def _number(name: str, *references: sa.ForeignKey, **options: Any) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, *references, nullable=False, **options)


def _content(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary, nullable=False)


def _entry() -> sa.Column[int]:
    return _number("entry", sa.ForeignKey("entries.id"), primary_key=True)


#: `schema`; `benchmark`; `settings` (JSON, see `BoardSettings`); `key` (the secret of the noise, see `scores.py`);
#: `references` (the id of the current ones) and `official` (whether they are those of the benchmark's dataset);
#: `revision` (counts the changes of the board).
STATE = _table("settings", sa.Column("name", sa.Text, primary_key=True), texts="value")
REFERENCES = _table("reference_sets", _number("id", primary_key=True), _content("content"), texts="added")
#: Who may submit; the organisers' baselines have a submitter without a code.
SUBMITTERS = _table(
    "submitters",
    _number("id", primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("code_hash", sa.Text, unique=True),
    texts="created",
    nullable="revoked",
)
#: `run` is JSON; `set_aside` is why it could not be scored again.
ENTRIES = _table(
    "entries",
    _number("id", primary_key=True),
    _number("submitter", sa.ForeignKey("submitters.id"), index=True),
    _number("baseline"),
    texts="system run submitted predictions_hash",
    nullable="link note withdrawn hidden set_aside remark",
)
PREDICTIONS = _table("predictions", _entry(), _content("content"))
#: `points` is JSON, see `scores.packed`. `drawn_from` is a hash that the noise follows from, none before version 4.
SCORES = _table(
    "scores",
    _entry(),
    _number("reference_set", sa.ForeignKey("reference_sets.id")),
    texts="scored signature points",
    nullable="drawn_from",
)
#: When each submitter had files checked.
CHECKS = _table(
    "checks",
    _number("id", primary_key=True),
    _number("submitter", sa.ForeignKey("submitters.id"), index=True),
    texts="time",
)
#: What the owner did; `public` is 1 for what the page says.
ACTS = _table("acts", _number("id", primary_key=True), _number("public"), texts="time who act why")


def read_state(connection: sa.Connection) -> dict[str, str]:
    return {row.name: row.value for row in connection.execute(sa.select(STATE))}


def write_state(connection: sa.Connection, name: str, value: object) -> None:
    connection.execute(sa.update(STATE).where(STATE.c.name == name).values(value=str(value)))


def count_change(connection: sa.Connection) -> None:
    write_state(connection, "revision", int(read_state(connection)["revision"]) + 1)


def pack(data: Any) -> bytes:
    """Return JSON-able data, compressed."""
    return zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())


def unpack(content: bytes) -> Any:
    return json.loads(zlib.decompress(content))


class Database:
    """The database of one board; `name` is its path or URL without a password, and `file` the path, if it has one."""

    def __init__(self, place: str | Path) -> None:
        url = _url(place)
        self.file = Path(url.database or "") if url.get_backend_name() == "sqlite" else None
        self.name = url.render_as_string(hide_password=True) if self.file is None else str(place)
        options = {"isolation_level": None, "timeout": PATIENCE} if self.file else {"connect_timeout": PATIENCE}
        try:
            self._engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args=options)
        except ModuleNotFoundError as error:
            raise MissingExtra(f'this needs {error.name}; install it with: pip install "psycopg[binary]"') from error
        if self.file:
            sa.event.listen(self._engine, "connect", _prepare_sqlite)
            sa.event.listen(self._engine, "begin", _begin_sqlite)

    @contextmanager
    def creating(self) -> Iterator[sa.Connection]:
        """Yield a transaction that fills the new tables; raises `UnusableInput` if there is something already."""
        with new_file(self.file) if self.file else nullcontext(), self.writing() as connection:
            if sa.inspect(connection).has_table(STATE.name):
                raise UnusableInput(f"there is a board in {self.name} already; give another database")
            METADATA.create_all(connection)
            connection.execute(sa.insert(STATE).values(name="schema", value=str(SCHEMA)))
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Yield a transaction that only reads; it sees the board as it was at its start."""
        with self._connected() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Yield a transaction that no other writer overlaps: written whole at its end, or not at all after an error."""
        with self._connected() as connection, connection.execution_options(begin="BEGIN IMMEDIATE").begin():
            if self.file is None:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            yield connection

    def check(self) -> None:
        """Raise `NoBoard` unless there is a board of this version; one of the version before is brought up to date."""
        if self._schema() == str(_BEFORE):
            self._update()
        schema = self._schema()
        if not schema:
            raise NoBoard(f"there is no board at {self.name}; make one with zero-scrolls board init")
        if int(schema) != SCHEMA:
            older = int(schema) < SCHEMA
            which = "an older version of zero-scrolls, use that" if older else "a newer version of zero-scrolls, update"
            raise NoBoard(f"the board at {self.name} was made by {which}")

    def _update(self) -> None:
        """Add what version 4 has more; entries keep their scores and the noise in these."""
        with self.writing() as connection:
            if read_state(connection)["schema"] == str(_BEFORE):  # else another process was faster
                connection.exec_driver_sql("ALTER TABLE scores ADD COLUMN drawn_from TEXT")
                CHECKS.create(connection)
                write_state(connection, "schema", SCHEMA)

    def _schema(self) -> str:
        """Return the version of the tables as digits; empty where these are no board."""
        schema, tables = "", set[str]()
        if self.file is None or self.file.is_file():
            with self.reading() as connection:
                tables |= {*sa.inspect(connection).get_table_names()}
                columns = sa.inspect(connection).get_columns(STATE.name) if STATE.name in tables else []
                if {column["name"] for column in columns} == {*STATE.columns.keys()}:
                    schema = read_state(connection).get("schema", "")
        needed = {*METADATA.tables} - ({CHECKS.name} if schema == str(_BEFORE) else set())
        is_whole = needed <= tables or schema not in (str(_BEFORE), str(SCHEMA))
        return schema if schema.isdecimal() and is_whole else ""

    def copy_to(self, path: Path) -> None:
        if self.file is None:
            raise BoardError(f"the board is in {self.name}; back that up with pg_dump")
        with new_file(path), self._connected() as connection:
            connection.execution_options(begin="").exec_driver_sql("VACUUM INTO ?", (str(path),))

    @contextmanager
    def _connected(self) -> Iterator[sa.Connection]:
        """Yield a connection; its errors are those of the board, without the SQL, which may hold values."""
        try:
            with self._engine.connect() as connection:
                yield connection
        except IntegrityError as error:
            raise BoardError("the board was changed by somebody else at the same time; try again") from error
        except (DataError, OverflowError, UnicodeEncodeError) as error:
            raise BoardError("a number or a text is none that the database can hold; correct it") from error
        except DatabaseError as error:
            why = " ".join(str(error.orig).split())
            if isinstance(error, OperationalError):
                detail = f"the board at {self.name} cannot be used ({why}); check the database"
                raise BoardUnavailable(detail) from error
            raise NoBoard(f"{self.name} is no board, or is damaged ({why}); give another path, or a backup") from error


@contextmanager
def new_file(path: Path) -> Iterator[None]:
    """Make a file that only its owner can read, or raise `UnusableInput`; after an error it is removed."""
    try:
        path.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        raise UnusableInput(f"{str(path)!r} exists already; give a new file") from None
    except (FileNotFoundError, NotADirectoryError):
        raise UnusableInput(f"there is no folder for {str(path)!r}; make it first") from None
    try:
        yield
    except BaseException:
        path.unlink()
        raise


def _url(place: str | Path) -> sa.URL:
    if "://" not in str(place):
        return sa.URL.create("sqlite", database=str(Path(place).absolute()))
    try:
        url = sa.make_url(str(place))
    except ArgumentError:
        raise UnusableInput("the board's URL cannot be read; write postgresql://user@host/name") from None
    if url.drivername not in ("postgresql", "postgres"):
        raise UnusableInput(f"no board in {url.drivername!r}; give a path, or a URL that begins with postgresql://")
    return url.set(drivername="postgresql+psycopg")


def _prepare_sqlite(connection: Any, _: object) -> None:
    # A text that was damaged in the file must not make the whole board unreadable.
    connection.text_factory = lambda content: content.decode("utf-8", "replace")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: sa.Connection) -> None:
    begin = connection.get_execution_options().get("begin", "BEGIN")
    if begin:
        connection.exec_driver_sql(begin)
