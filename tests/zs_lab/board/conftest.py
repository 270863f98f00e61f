"""Boards in SQLite, and in the slow tests in PostgreSQL too."""

import itertools
import os
import tempfile
from pathlib import Path

import postgres
import psycopg
import pytest
from boards import make_board

_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgresql():
    """The address of a server; `.ci/run` sets ZS_REQUIRE_POSTGRES, with which it may not be missing."""
    programs = postgres.programs()
    if programs is None:
        why = "no PostgreSQL here; install it with: apt-get install postgresql"
        pytest.fail(why) if os.environ.get("ZS_REQUIRE_POSTGRES") else pytest.skip(why)
    # The folder of pytest is closed to the server's user.
    with tempfile.TemporaryDirectory(prefix="zs-postgres-") as folder, postgres.server(programs, Path(folder)) as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def place(request, tmp_path):
    """Where a board can be made: a path, or a new database."""
    if request.param == "sqlite":
        return str(tmp_path / "board.sqlite")
    url, name = request.getfixturevalue("postgresql"), f"board{next(_numbers)}"
    with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{url}/{name}"


@pytest.fixture(autouse=True)
def no_chance(request, monkeypatch):
    """Leave out the noise, except in the tests of attacks."""
    if not request.module.__name__.endswith("test_attacks"):
        monkeypatch.setattr("zs_lab.board.scores._draw", lambda *_: 0.0)


@pytest.fixture
def board(place, tmp_path):
    """A board over `boards.KNOWN` without limits that a test would reach."""
    return make_board(tmp_path, place)
