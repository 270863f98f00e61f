"""The tasks and splits that names of files, folders and columns say."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from zs_bench.benchmarks import BENCHMARKS, DEFAULT, Benchmark

SPLITS = ("train", "validation", "test")
_WORD = re.compile("[a-z0-9]+")
#: What to do with answers in files of their own, after "where" or "if".
TEXT_FILES = (
    "each answer is a file, name the file by the id, and its folder, which holds nothing else, by the task, as "
    "qasper/ID.txt, and give the folder or a ZIP of it"
)


@lru_cache(64)
def _by_bare_name(benchmark: Benchmark | None) -> Mapping[str, str]:
    """The tasks by their names without capitals, spaces and hyphens: those of the benchmark, and of all others."""
    tasks: dict[str, str] = {}
    for each in (*BENCHMARKS.values(), benchmark or BENCHMARKS[DEFAULT]):
        tasks |= each.names
        tasks |= {_bare(task): task for task in each.all_tasks}
    return tasks


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def name_task(path: PurePosixPath, benchmark: Benchmark | None = None) -> str:
    """The task that the name of a file, or else of its folder, says; the file's name if they say none or several.

    >>> names = ("qasper_validation.jsonl", "runs/qasper/preds.jsonl", "narrativeqa.jsonl", "a.json")
    >>> [name_task(PurePosixPath(name)) for name in names]
    ['qasper', 'qasper', 'narrative_qa', 'a']
    """
    tasks = named_tasks(path, benchmark)
    return tasks[0] if len(tasks) == 1 else path.stem


def named_tasks(path: PurePosixPath, benchmark: Benchmark | None = None) -> list[str]:
    """The tasks whose names stand as whole words in the name of a file, or else in that of its folder.

    A task after the name of SCROLLS keeps it, as lm-evaluation-harness writes it: `scrolls_qasper`.
    """
    by_name = _by_bare_name(benchmark)
    longest = max(len(_WORD.findall(task.lower().replace("_", " "))) for task in by_name.values())
    for name in (path.name, path.parent.name):
        words, tasks, start = _WORD.findall(name.lower()), list[str](), 0
        while start < len(words):
            bare = {"".join(words[start:end]): end for end in range(start + longest, start, -1)}
            found = next((bare_name for bare_name in bare if bare_name in by_name), None)
            if found:
                before = "_".join(["", *words[:start]])
                of = next((each for each in BENCHMARKS if before.endswith(f"_{each}")), DEFAULT)
                tasks.append(by_name[found] if of == DEFAULT else f"{of}_{by_name[found]}")
            start = bare[found] if found else start + 1
        if tasks:
            return list(dict.fromkeys(tasks))
    return []


def name_split(path: PurePosixPath) -> str | None:
    """The split whose name alone stands as a word in a file's name, if any."""
    splits = {word for word in _WORD.findall(path.name.lower()) if word in SPLITS}
    return splits.pop() if len(splits) == 1 else None


def known_task(task: object, benchmark: Benchmark | None = None) -> str | None:
    """The task if it is one of any benchmark, else `None`."""
    known = (*BENCHMARKS.values(), *filter(None, [benchmark]))
    return task if isinstance(task, str) and any(task in each.all_tasks for each in known) else None


def canonical_task(name: object, benchmark: Benchmark | None = None) -> str | None:
    """The task whose name this is, in whatever case and with whatever spaces or hyphens; `None` for another name.

    >>> canonical_task("GovReport"), canonical_task("zero_scrolls_gov-report"), canonical_task("gov")
    ('gov_report', 'gov_report', None)
    """
    if not isinstance(name, str):
        return None
    return _by_bare_name(benchmark).get(_bare(name).removeprefix(_bare(DEFAULT)))


def bare_task(task: Any, benchmark: Benchmark) -> Any:
    """The task's name without the benchmark's, as lm-evaluation-harness writes it: `scrolls_qasper` in SCROLLS."""
    bare = task.removeprefix(f"{benchmark.name}_") if isinstance(task, str) else None
    return bare if bare in benchmark.all_tasks else task
