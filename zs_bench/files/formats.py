"""The file formats, one row each, and the reading of a file into entries of task, id and value.

A new format is a reader in a module of its own, and a row of `_ROWS`; the suffixes that an upload may have, the size
limits and the help follow from the row. A reader yields an `Entry` per prediction or reference, and a `Problem` for
what it cannot read, and goes on. Files of other tools are recognised by their columns (`read_tables.COLUMNS`) or by the
fields of their rows (`rows.SHAPES`).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, Literal, NamedTuple

from zs_bench.benchmarks import Benchmark
from zs_bench.errors import UnknownColumns, UnusableInput
from zs_bench.files import limits
from zs_bench.files.entries import Entry, Found, Nothing, ReadFile
from zs_bench.files.input_files import BY_LINES, InputFile, refused
from zs_bench.files.json_text import plain
from zs_bench.files.names import TEXT_FILES, name_split, name_task
from zs_bench.files.raw_data import is_table
from zs_bench.problems import Place, Problem

#: What a file is read for.
Role = Literal["predictions", "references", "examples"]


class Format(NamedTuple):
    """A file format.

    Attributes:
        reader: the module in this folder, and its function, which takes the open file and its `ReadFile`.
        examples: for help, what its files look like, by title; Markdown.
        rows: the function of the same module that yields the rows whatever their fields; "" for files without rows.
        by_lines: whether the reader holds one row at a time, so that files may be as large as `limits.Limits` says;
            otherwise `limits.MAX_WHOLE` is the limit.
    """

    suffix: str
    reader: str
    examples: Mapping[str, str]
    rows: str = ""
    by_lines: bool = False
    references: bool = True


_CSV = {"official CSV": "header `Task,ID,Prediction`, one row per answer"}
_TSV = {"TSV": "the same, with tabs instead of commas"}
_JSON = {
    "JSON, one per task": '`preds_qasper.json` or `qasper.json`: `{"id": "answer"}`',
    "JSON, all tasks": '`{"qasper": {"id": "answer"}}`',
}
_JSONL = {"JSONL": 'rows `{"task": "qasper", "id": "…", "prediction": "…"}`'}
_EVAL = {"Inspect log": "`.eval`, where Inspect is installed, or JSON; one per task"}
_ROWS = (
    Format(".csv", "read_tables.read_csv", _CSV, "rows_of_csv", references=False),
    Format(".tsv", "read_tables.read_csv", _TSV, "rows_of_csv", references=False),
    Format(".json", "read_json.read_json", _JSON, "rows_of_json"),
    Format(".jsonl", "read_json.read_json", _JSONL, "rows_of_json", by_lines=True),
    Format(".ndjson", "read_json.read_json", {}, "rows_of_json", by_lines=True),
    Format(".parquet", "read_tables.read_parquet", {"Parquet": "the same rows"}, "rows_of_parquet", by_lines=True),
    Format(".eval", "read_json.read_eval", _EVAL, by_lines=True),
)
#: The formats by suffix.
FORMATS: dict[str, Format] = {row.suffix: row for row in _ROWS}
# The endings of texts, whose content decides.
_TEXT = (".csv", ".tsv", ".json", *BY_LINES)
#: The endings that say nothing.
OPEN = ("", ".txt", ".raw")


def suffixes() -> tuple[str, ...]:
    """The suffixes of the files that are opened; a ZIP holds files of the other kinds, a .gz one of them."""
    return (*FORMATS, ".gz", *OPEN[1:], ".zip")


def _has_columns(head: bytes) -> bool:
    from zs_bench.files.read_tables import has_columns  # noqa: PLC0415  (a reader is imported when it reads)

    return has_columns(head)


def begins_well(suffix: str, head: bytes) -> bool:
    """Whether a file whose ending says nothing begins as one that is read."""
    return _recognised(suffix, head) is not FORMATS[".csv"] or _has_columns(head)


def _recognised(suffix: str, head: bytes) -> Format:
    """The format of a file: by its content, unless its ending names a format that is no text."""
    if head.startswith(b"PAR1"):
        return FORMATS[".parquet"]
    if suffix in FORMATS and suffix not in _TEXT:
        return FORMATS[suffix]
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return FORMATS[".json"]
    return FORMATS[suffix] if suffix in _TEXT and not _has_columns(head) else FORMATS[".csv"]


#: Why a file of another kind is not read; the first is of a text in a folder.
LONE_TEXT = f"it is a text alone; where {TEXT_FILES}"
NOT_KNOWN = f"its name ends in none of {', '.join(suffixes())}; save it as one of these"


def file_kinds(role: Role) -> str:
    """The files that can be given, in words.

    >>> file_kinds("references")
    '.json, .jsonl, .ndjson, .parquet or .eval files, a ZIP, or a folder'
    """
    *others, last = [format_.suffix for format_ in FORMATS.values() if format_.references or role == "predictions"]
    return f"{', '.join(others)} or {last} files, a ZIP, or a folder"


def help_table() -> str:
    """The formats of predictions and references as a table in Markdown."""
    examples = [row for format_ in FORMATS.values() for row in format_.examples.items()]
    references = (
        "the benchmark's rows (`id`, `output`; a row per reference) as `qasper.jsonl`, the Hub's `qasper.zip`, "
        'or JSON `{"id": ["reference"]}` per task, or `{"qasper": {…}}`'
    )
    rows = [("file", "looks like"), ("---", "---"), *examples, ("ZIP", "of any of these"), ("references", references)]
    return "".join(f"| {title} | {example} |\n" for title, example in rows)


def largest(suffix: str) -> int:
    """The size in bytes above which a file is refused, within the current limits."""
    if suffix == ".zip":
        return limits.current().zip_
    return limits.current().by_lines if suffix in FORMATS and FORMATS[suffix].by_lines else limits.current().whole


def read_source(source: InputFile, role: Role, file: ReadFile | None = None) -> Found:
    """Every entry of the file; one that cannot be read to its end gives a `Problem` without a row.

    `file` is filled in with what the reader finds out.
    """
    file = file or ReadFile(source.name)
    file.task, file.split = name_task(source.path, file.benchmark), name_split(source.path)
    file.text, file.has_inputs = "prediction" if role == "predictions" else "references", role == "examples"
    file.ending = source.path.suffix.lower()
    try:
        with source.opened() as stream:
            file.head = stream.readline(10_000)
            stream.seek(0)
            format_ = _recognised(file.ending, file.head)
            if role != "predictions" and not format_.references and not (role == "references" and is_table(file.head)):
                why = f"{format_.suffix} files hold predictions; references may be {file_kinds('references')}"
                yield replace(refused(source.name, why, is_error=file.has_inputs), task=None)
                return
            module, _, function = format_.reader.partition(".")
            for found in getattr(import_module(f"zs_bench.files.{module}"), function)(stream, file):
                if isinstance(found, Entry) and found.task is None:
                    found = found._replace(task=file.task, task_is_from_name=True)  # noqa: PLW2901
                yield found
    except UnusableInput as error:
        is_lone = file.ending == ".txt" and not begins_well(file.ending, file.head)  # a line without a delimiter
        problem = file.unreadable(LONE_TEXT if is_lone else error.message, None, file.task, detail=error.detail)
        kinds: Mapping[Role, str] = {"predictions": "columns", "references": "reference-columns"}
        if isinstance(error, UnknownColumns) and role in kinds and not is_lone:
            problem = replace(problem, kind=kinds[role], family="", columns=error.columns)
        yield problem


def read_plain(source: InputFile, faults: list[str] | None = None) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Every row of a table, of a list in JSON or of JSON Lines, whatever its fields, with its place and plain values.

    Raises `UnusableInput`, with the place, for a file that cannot be read, and for the first such row. If `faults` are
    given, the sentences on such rows are added to them instead, and the other rows are read.
    """
    file, at = ReadFile(source.name, ending=source.path.suffix.lower()), Place(source.name)
    try:
        with source.opened() as stream:
            file.head = stream.readline(10_000)
            stream.seek(0)
            format_ = _recognised(file.ending, file.head)
            if not format_.rows:
                raise UnusableInput(f"{format_.suffix} files hold other things than rows; give rows as JSON Lines")  # noqa: TRY301
            module, _, _ = format_.reader.partition(".")
            for number, row in getattr(import_module(f"zs_bench.files.{module}"), format_.rows)(stream, file):
                at = file.place(number)
                if not isinstance(row, UnusableInput):
                    yield at, {name: plain(value) for name, value in row.items()}
                elif faults is None:
                    raise row
                else:
                    faults.append(_with_step(at, row))
                at = Place(source.name)
    except UnusableInput as error:
        raise UnusableInput(_with_step(at, error)) from None


def _with_step(place: Place, error: UnusableInput) -> str:
    """The sentence on what cannot be read; one without a next step is given one."""
    if error.message.endswith("?") and place.row is not None:
        return f"{place}: {error} Else mend it, or leave it out"
    return f"{place}: {error}" + ("" if ";" in error.message else "; mend it, or leave it out")


def header_of(source: InputFile, role: Role, benchmark: Benchmark) -> Collection[str]:
    """The names of the columns of a table, or of the fields of its first row, if it has some."""
    file = ReadFile(source.name, benchmark=benchmark)
    next(iter(read_source(source, role, file)), None)
    return file.header


def read_all(
    sources: Iterable[InputFile],
    role: Role,
    files: list[ReadFile],
    columns: Mapping[str, str] | None,
    benchmark: Benchmark,
    *,
    optional: Collection[str] = (),
) -> Iterator[tuple[str, Entry | Nothing | Problem]]:
    """The content of all files, up to the limit, each with its file's name; a `ReadFile` each is added to `files`."""
    count = 0
    for source in (source for source in sources if source.path.name not in benchmark.other_files):
        file = ReadFile(source.name, columns=columns or {}, optional=optional, benchmark=benchmark)
        files.append(file)
        for entry in read_source(source, role, file):
            count += 1
            if count > limits.current().entries:
                message = f"more than {limits.current().entries:,} rows in all; what follows was not read"
                yield source.name, Problem("not-read", message, place=Place(source.name))
                return
            file.rows += isinstance(entry, Entry)
            yield source.name, entry
