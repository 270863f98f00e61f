"""Files for tests, written on the spot: text as it is, lists as JSONL rows, everything else as JSON."""

import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hostile_files import zipped

from zs_bench.files.entries import Entry, Found
from zs_bench.files.formats import Role, read_source
from zs_bench.files.input_files import InputFile
from zs_bench.files.paths import open_inputs
from zs_bench.problems import Problem
from zs_bench.scoring.score_files import score_files
from zs_bench.scoring.scored import ScoredFile


def as_bytes(content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, list):
        content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
    return (content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)).encode()


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_bytes(content))
    return path


def write_folder(folder: Path, files: Mapping[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write(folder / name, content)
    return folder


def zip_of(members: Mapping[str, Any], pack: int = zipfile.ZIP_DEFLATED) -> bytes:
    return zipped({name: as_bytes(content) for name, content in members.items()}, pack)


def write_zip(path: Path, members: Mapping[str, Any]) -> Path:
    return write(path, zip_of(members))


def official_csv(rows: Iterable[tuple[str, str, str]]) -> str:
    quoted = (",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    return "\r\n".join(["Task,ID,Prediction", *quoted, ""])


def read(name: str, content: Any, role: Role = "predictions") -> Found:
    """What the readers find in a file of that name."""
    return read_source(InputFile.in_memory(name, as_bytes(content)), role)


def entries(name: str, content: Any, role: Role = "predictions") -> list[tuple[Any, Any, Any]]:
    """Task, id and value of every entry; anything else found is a failure."""
    items = list(read(name, content, role))
    assert all(isinstance(entry, Entry) for entry in items), items
    return [(entry.task, entry.id, entry.value) for entry in items]


def problems(name: str, content: Any, role: Role = "predictions") -> list[Problem]:
    return [item for item in read(name, content, role) if isinstance(item, Problem)]


def score(folder: Path, predictions: Any, references: Any, **options: Any) -> ScoredFile:
    """Score one prediction file (a name and what it holds) or several, against references by task."""
    write_folder(folder / "answers", predictions)
    return score_files([folder / "answers"], [write(folder / "references.json", references)], **options)


def reported(scored: ScoredFile, *, is_error: bool = True) -> list[tuple[str, str | None, str | None]]:
    """Kind, task and id of the problems that refuse, or of the warnings."""
    return [(problem.kind, problem.task, problem.id) for problem in scored.problems if problem.is_error == is_error]


def refused(path: Path) -> Problem:
    """The one problem of a path from which nothing is opened."""
    sources, (problem,) = open_inputs([path])
    assert not sources
    assert problem.kind == "not-read"
    return problem
