"""Parquet, where pyarrow or pandas is installed: a row for each answer or reference."""

from collections.abc import Iterator
from importlib import import_module
from typing import IO, Any

from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_bench.files.entries import Found, ReadFile
from zs_bench.files.json_text import JsonNumber, JsonObject
from zs_bench.files.opened_file import reason_of, too_large
from zs_bench.files.rows import Row, read_rows

# Rows that are held at once.
_BATCH = 64


def read_parquet(stream: IO[bytes], file: ReadFile) -> Found:
    file.unit = "row"
    try:
        parquet = import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise UnusableInput(
            "Parquet needs pyarrow, which is not installed here; install it, or write the rows as JSON Lines"
        ) from None
    try:
        data = parquet.ParquetFile(stream)
        groups = (data.metadata.row_group(number) for number in range(data.metadata.num_row_groups))
        unpacked = sum(group.total_byte_size for group in groups)
    except Exception as error:
        raise UnusableInput(f"the Parquet file cannot be read ({reason_of(error)}); is it complete?") from error
    if unpacked > limits.current().whole:
        raise UnusableInput(f"it unpacks to {too_large(unpacked, limits.current().whole)}")
    yield from read_rows(enumerate(_rows(data), 1), file, "Parquet")


def _rows(data: Any) -> Iterator[Row]:
    try:
        for batch in data.iter_batches(_BATCH):
            for row in batch.to_pylist():
                yield {name: _as_json(value) for name, value in row.items()}
    except Exception as error:
        raise UnusableInput(f"the Parquet file cannot be read ({reason_of(error)}); is it complete?") from error


def _as_json(value: Any) -> Any:
    """A value of a cell as the readers of JSON give it."""
    if isinstance(value, list):
        return [_as_json(each) for each in value]
    if isinstance(value, dict):
        return JsonObject((str(name), _as_json(each)) for name, each in value.items())
    return value if value is None or isinstance(value, str | bool) else JsonNumber(str(value))
