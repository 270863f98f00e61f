"""What tests of the benchmark share: commands run in this process, and a stand-in for the Hub with data."""

from functools import cache
from typing import NamedTuple

import pytest
from benchmark_zips import scrolls_zip, zipped
from hub_client import only_a_stand_in

from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import BENCHMARK as ZERO_SCROLLS
from zs_start.cli import main


class Done(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def zero_scrolls(capsys):

    def run(*arguments):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stopped:  # argparse
            status = stopped.code
        return Done(status, *capsys.readouterr())

    return run


@cache
def good_data():
    """The ZIPs of every task, by dataset."""
    return {
        "tau/zero_scrolls": {f"{task}.zip": zipped(task) for task in ZERO_SCROLLS.tasks},
        "tau/scrolls": {f"{task}.zip": scrolls_zip(task) for task in SCROLLS.tasks},
    }


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A stand-in with good data of both benchmarks, and no other address within reach."""
    with only_a_stand_in(tmp_path / "cache", monkeypatch) as server:
        for name, files in good_data().items():
            server.repo("datasets", name).commit(files)
        yield server
