"""The worst that a file can contain: every reader reports problems that say why, in bounded memory."""

import io
import tracemalloc
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

import pytest
from written_files import as_bytes, problems, read

from zs_bench.files import limits
from zs_bench.files.formats import read_source
from zs_bench.files.opened_file import Source


def within(megabytes: float, run: Callable[[], Any]) -> Any:
    tracemalloc.start()
    try:
        result = run()
        assert tracemalloc.get_traced_memory()[1] < megabytes * 1e6
    finally:
        tracemalloc.stop()
    return result


def test_a_line_of_fifty_megabytes_is_refused_with_the_limit_and_the_next_one_read() -> None:
    data = b'{"id": "7", "prediction": "' + b"a" * 50_000_000 + b'"}\n{"id": "8", "prediction": "b"}\n'
    problem, entry = within(150, lambda: list(read("qasper.jsonl", data)))
    assert (problem.message, problem.task, problem.place.row) == ("the line is longer than 20 MB", "qasper", 1)
    assert (entry.id, entry.place.row) == ("8", 2)


def test_a_file_that_grows_beyond_its_limit_while_it_is_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_WHOLE", 5)
    (problem,) = problems("qasper.json", {"7": "a"})
    assert problem.message == "the file is larger than 0.005 kB"


def test_rows_are_read_one_by_one_in_little_memory() -> None:
    row = as_bytes([{"id": "7", "input": "word " * 20_000, "output": "a"}])
    data = row * 300

    def count() -> int:
        return sum(1 for _ in read("qasper/test.jsonl", data, "references"))

    assert within(5, count) == 300


def test_a_file_that_breaks_off_gives_a_problem_instead_of_an_error() -> None:
    class Broken(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise OSError(5, "Input/output error")

    source = Source("qasper.json", PurePosixPath("qasper.json"), Broken, 10)
    (problem,) = read_source(source, "predictions")
    assert "the file cannot be read (Input/output error)" in problem.message
