"""References as a board keeps them: one split of each task, packed."""

from __future__ import annotations

import json
import zlib
from typing import Any

from zs_bench.problems import UnusableInput, lines
from zs_bench.validation.references import References
from zs_bench.validation.task_rules import references_of_other
from zs_metric.tasks import Benchmark


def pack(data: Any) -> bytes:
    """JSON-able data, compressed."""
    return zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())


def unpack(content: bytes) -> Any:
    """What `pack` packed."""
    return json.loads(zlib.decompress(content))


def freeze(references: References, benchmark: Benchmark) -> bytes:
    """The references, packed.

    Raises:
        UnusableInput: when a task has several splits, or references that cannot be scored against.
    """
    wrong = [problem for problem in references.problems if problem.refuses]
    tasks: dict[str, dict[str, Any]] = {}
    for name in (name for name in benchmark.all_tasks if references.tasks.get(name)):
        splits = references.tasks[name]
        if len(splits) > 1:
            found = " and ".join(split or "no named split" for split in splits)
            raise UnusableInput(f"the references of {name} are of {found}; give those of one split")
        ((split, by_id),) = splits.items()
        wrong += references.unlabelled.get((name, split), [])
        wrong += references.unreadable(benchmark.all_tasks[name], split)
        other = references_of_other(name, by_id, benchmark)
        wrong += [other] if other and other.refuses else []
        documents = {key: references.documents.get((name, split, key)) for key in by_id}
        tasks[name] = {"split": split, "references": by_id, "documents": documents}
    if wrong or not tasks:
        raise UnusableInput("; ".join(lines(wrong)) or "no references found; check the files")
    return pack({"benchmark": benchmark.name, "tasks": tasks})


def thaw(content: bytes) -> References:
    """The references that `freeze` packed."""
    found = References()
    for name, task in unpack(content)["tasks"].items():
        found.tasks[name] = {task["split"]: task["references"]}
        named = ((key, document) for key, document in task["documents"].items() if document)
        found.documents |= {(name, task["split"], key): document for key, document in named}
    return found
