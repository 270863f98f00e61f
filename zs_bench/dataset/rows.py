"""The benchmark's rows, one per reference, read as all files are; rows with the same `id` are one example.

Fields, as in the Hub's dataset: `id`, `pid`, `input`, `output`; the four index fields (`Indices`);
`truncation_seperator` (sic); for MuSiQue, SpaceDigest and BookSumSort `inner_docs_start_indices`. Only `id` and `input`
are required, and for a task whose prompt is one text, what it has a place for: `context`, `input`. A row with a null or
missing `output` has no reference; nor have rows of an id whose outputs are all empty. If an index field is missing or
not a whole number, all four are `None`, and the input is split by its headers. Rows of SCROLLS have the first four
fields only.

As Parquet, they are a row for each id, in a folder that `datasets.load_dataset(folder, task)` reads.

The examples in the package are such rows, written for this project, at least two per task. They work offline and are
the page's first examples; a score on them says nothing about a model. The rows of SCROLLS are derived from those of
ZeroSCROLLS: the same document, query and references, without instruction and headers, and for QuALITY with the text of
the option instead of its letter. Only ContractNLI has rows of its own.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from zs_bench.benchmarks import DEFAULT, Benchmark, Task, find_benchmark, find_task
from zs_bench.errors import PromptFormatError, UnusableInput, from_extra
from zs_bench.files.entries import Entry, ReadFile, id_fault, row_fault
from zs_bench.files.formats import read_source
from zs_bench.files.input_files import InputFile
from zs_bench.files.json_text import kind
from zs_bench.files.reference_texts import is_blank, texts_of
from zs_bench.files.writing import whole_file
from zs_bench.inputs import Indices, PromptParts, QueryAndDocument, compose, document_name, split, split_query
from zs_bench.problems import Problem, lines
from zs_metric.texts import clean_text, with_row


@dataclass(frozen=True, slots=True)
class Example:
    """One id with all its references. The other fields are those of its first row.

    `parts`, `document`, `query` and `as_dict` raise `PromptFormatError` if the input cannot be split into parts.

    Attributes:
        text: the whole input; in SCROLLS query and document separately, so that the some fifty questions about each
            book of NarrativeQA share one copy of the book.
        references: the outputs of its rows, in order; empty if there are none.
        pids: the `pid` of each row, or `None`.
        inner_docs_start_indices: the offsets in the input at which its units begin, or `None`.
    """

    task: Task
    id: str
    text: str | QueryAndDocument
    references: list[str]
    pids: list[str | None]
    indices: Indices | None = None
    truncation_seperator: str | None = None
    inner_docs_start_indices: list[int] | None = None

    @property
    def input(self) -> str:
        return self.text if isinstance(self.text, str) else compose(self.task, self.text.document, self.text.query)[0]

    @property
    def parts(self) -> PromptParts:
        return split(self.task, self.input, self.indices, name=self.id)

    @property
    def document(self) -> str:
        return self.parts.document if isinstance(self.text, str) else self.text.document

    @property
    def query(self) -> str:
        """The query alone; empty for a task without queries."""
        return (self.parts if isinstance(self.text, str) else self.text).query or ""

    @property
    def document_name(self) -> str | None:
        """A hash of the document, equal for equal ones; `None` if the input cannot be split."""
        try:
            return document_name(self.document)
        except PromptFormatError:
            return None

    def as_dict(self) -> dict[str, Any]:
        """The example as JSON-able data: the fields of the data, with `references` for `output`, and the four parts."""
        parts, inner = self.parts, self.inner_docs_start_indices
        return {
            "id": self.id,
            "input": self.input,
            "references": list(self.references),
            **(self.indices or parts.indices)._asdict(),
            "truncation_seperator": self.separator,
            **({} if inner is None else {"inner_docs_start_indices": list(inner)}),
            **{name: getattr(parts, name) for name in ("instruction", "document", "query", "response_header")},
        }

    @property
    def separator(self) -> str:
        """The text that marks where the document was cut: that of the row, else of the task's template, else ""."""
        template = self.task.template
        if template is None or self.task.benchmark.query_first:
            return ""
        return self.truncation_seperator or template.separator


def read_examples(source: InputFile, task: Task) -> tuple[list[Example], list[Problem]]:
    """The examples of a file, in order of first appearance, and warnings about it.

    Raises `UnusableInput` for rows that cannot be read.
    """
    examples: dict[str, Example] = {}
    documents: dict[str, str] = {}
    problems: list[Problem] = []
    for item in read_source(source, "examples", ReadFile(source.name, benchmark=task.benchmark)):
        row = _example(item, task) if isinstance(item, Entry) else item
        if isinstance(row, Problem):
            problems.append(row)
        elif isinstance(row, Example) and isinstance(item, Entry):
            earlier = examples.get(row.id)
            if earlier is None:
                parts = split_query(task, row.input) if task.benchmark.query_first else None
                if parts:  # equal documents share memory
                    document = documents.setdefault(parts.document, parts.document)
                    row = replace(row, text=parts._replace(document=document))
                examples[row.id] = row
            elif earlier.input != row.input:
                message = "An earlier row of the ID has another input. Keep one"
                problems.append(Problem("conflict", message, task.name, row.id, item.place))
            else:
                earlier.references.extend(row.references)
                earlier.pids.extend(row.pids)
    if any(problem.is_error for problem in problems):
        raise UnusableInput("; ".join(lines(problems)), problems=problems)
    # Some mirrors write an empty text where the split has no references.
    return [replace(row, references=[]) if is_blank(row.references) else row for row in examples.values()], problems


def _example(row: Entry, task: Task) -> Example | Problem:
    row, data = row.numbered(0, task.name), row.data or {}
    if fault := id_fault(row):
        return fault
    texts = [] if row.value is None else texts_of(row)
    if isinstance(texts, Problem):
        return texts
    if wrong_field := row_fault(row, task.benchmark):
        return wrong_field
    needed = ("context", "input") if task.prompt and task.has_query else ("context",) if task.prompt else ("input",)
    for name in needed:
        if not isinstance(data.get(name), str):
            wrong = f"The {name} is {kind(data[name])}, not a text" if name in data else f"The row has no {name!r}"
            return Problem("not-an-input", wrong, task.name, row.id, row.place, family="unreadable")
    given = [clean_text(data[name], name) for name in needed]
    text, indices = compose(task, *given) if task.prompt else (given[0], Indices.of(data))
    pid, separator, starts = (data.get(name) for name in ("pid", "truncation_seperator", "inner_docs_start_indices"))
    are_whole = isinstance(starts, list) and all(type(start) is int for start in starts)  # `true` is not one
    return Example(
        task,
        row.id,
        text,
        with_row(texts, row.row),
        [clean_text(pid, "row") if isinstance(pid, str) else None] * (len(texts) or 1),
        indices,
        clean_text(separator, "row") if isinstance(separator, str) else None,
        starts if are_whole else None,
    )


def write_parquet(examples: Sequence[Example], path: Path) -> None:
    """Write a row for each id, with a list of `references`, possibly empty; the other columns are those of the data.

    Fields that are missing are null. It raises `MissingExtra` without pyarrow.
    """
    with from_extra("parquet"):
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    text, number = pyarrow.string(), pyarrow.int64()
    columns = {"id": text, "input": text, "references": pyarrow.list_(text)} | dict.fromkeys(Indices._fields, number)
    columns |= {"truncation_seperator": text, "inner_docs_start_indices": pyarrow.list_(number)}
    rows = [
        {name: getattr(example.indices if name in Indices._fields else example, name, None) for name in columns}
        for example in examples
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        parquet.write_table(pyarrow.Table.from_pylist(rows, pyarrow.schema(columns)), file)


def configurations(folder: Path) -> list[str]:
    """Return the lines of a dataset card's front matter that name each task's files as a configuration."""
    lines = []
    for task in sorted({path.parent for path in folder.glob("*/*.parquet")}):
        lines += [f"- config_name: {task.name}", "  data_files:"]
        for path in sorted(task.glob("*.parquet")):
            lines += [f"  - split: {path.stem}", f"    path: {task.name}/{path.name}"]
    return lines and ["configs:", *lines]


#: The split that is read by default, and the name of the files of the embedded examples.
SPLIT = "validation"

_OPTION = re.compile(r"^ \(([A-D])\) (.+)$", re.MULTILINE)


def sample_predictions(benchmark: object = DEFAULT) -> Path:
    """The sample predictions for the embedded examples, in the official format; `UnusableInput` if there are none."""
    benchmark = find_benchmark(benchmark)
    path = benchmark.file(f"{benchmark.name}_predictions.csv")
    if path is None:
        raise UnusableInput(f"{benchmark.title} has no sample; score files of your own")
    return path


#: Of the default benchmark: the sample, and the folder of its rows, `<task>/validation.jsonl`, also of references.
SAMPLE_PREDICTIONS = sample_predictions()
EMBEDDED = SAMPLE_PREDICTIONS.parent / "examples"


def load_embedded(task: str | Task, *, benchmark: str | Benchmark = DEFAULT) -> list[Example]:
    """The embedded examples of a task; raises `UnusableInput` for one without (QuALITY's hard questions)."""
    return list(_read(find_task(task, benchmark=benchmark)))


def embedded_file(task: Task) -> InputFile:
    """The rows of the task as a file; raises `UnusableInput` for a task without examples."""
    return InputFile.in_memory(f"{task.name}/{SPLIT}.jsonl", _text(task).encode())


@lru_cache(64)
def embedded_titles(benchmark: object = DEFAULT) -> Mapping[str, Mapping[str, str]]:
    """Short titles of the examples: task to id to title."""
    benchmark = find_benchmark(benchmark)
    path = benchmark.file("titles.json")
    titles = json.loads(path.read_text(encoding="utf-8")) if path else {}
    others = embedded_titles(benchmark.examples_of) if benchmark.examples_of else {}
    return {task: titles.get(task, others.get(task, {})) for task in benchmark.tasks}


def require_data(task: Task) -> None:
    """Raise `UnusableInput`, with what to do instead, for a task that no dataset has examples of."""
    if (why := task.no_data) is not None:
        raise UnusableInput(why)


@cache
def _read(task: Task) -> tuple[Example, ...]:
    return tuple(read_examples(embedded_file(task), task)[0])


def _text(task: Task) -> str:
    require_data(task)
    other = task.benchmark.examples_of
    if path := task.benchmark.file("examples", task.name, f"{SPLIT}.jsonl"):
        return path.read_text(encoding="utf-8")
    if other is None or task.name not in other.tasks:
        raise UnusableInput(f"no examples of {task} are embedded; take another source")
    lines = []
    for example in _read(other.tasks[task.name]):
        text, _ = compose(task, example.document, example.query or None)
        options = dict(_OPTION.findall(example.query)) if task.options else {}
        for pid, reference in zip(example.pids, example.references, strict=True):
            row = {"id": example.id, "pid": pid, "input": text, "output": options.get(reference, reference)}
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines)
