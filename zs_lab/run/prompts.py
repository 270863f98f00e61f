"""The prompts of a run in the order in which they are sent, and the references of their examples.

Prompts about one document follow each other, and the document comes first in a prompt, so a server that caches prefixes
reads a document once for all its questions.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from zs_bench.dataset.rows import Example
from zs_bench.dataset.sources import TaskData, open_tasks
from zs_bench.errors import TaskNotInSource, UnusableInput
from zs_bench.problems import short
from zs_bench.progress import Progress
from zs_bench.requests import Request, make_requests
from zs_bench.run_records.settings import Settings
from zs_bench.validation.from_source import add_loaded
from zs_bench.validation.references import References
from zs_metric.tasks import find_benchmark, find_task


class Shard(NamedTuple):
    """A part of a run: its number from 1, and how many there are."""

    number: int
    total: int

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"


class RunPrompts(NamedTuple):
    """The prompts of a run in their order; the references of all examples of its tasks; tasks that the source lacks."""

    requests: list[Request]
    references: References
    absent: list[str]


def load_requests(
    settings: Settings, tasks: Sequence[str] = (), *, shard: Shard | None = None, progress: Progress | None = None
) -> RunPrompts:
    """Read the source once, and return the prompts of these tasks (default: of all that the source has).

    An empty split in the settings is the validation split, or the only one that there is.

    Raises:
        UnusableInput: when there is nothing to send, and what `load_examples`, `make_prompt` and `trim` raise.
    """
    benchmark = find_benchmark(settings.benchmark)
    wanted = [find_task(name, benchmark=benchmark) for name in tasks] or list(benchmark.tasks.values())
    requests, absent = list[Request](), list[str]()
    references = References(about={"source": None, "split": settings.split or None, "revision": None})
    opened = open_tasks(settings.source, list(dict.fromkeys(wanted)), revision=settings.revision, progress=progress)
    for task, data in opened:
        if isinstance(data, TaskData):
            loaded = data.load(settings.split or None)
            add_loaded(references, loaded)
            names = {id_: name for (of_task, _, id_), name in references.documents.items() if of_task == task.name}
            requests += by_document(make_requests(settings, _taken_out(loaded.examples), names))
        elif isinstance(data, TaskNotInSource) and not tasks:
            absent.append(task.name)
        else:
            raise data
    if not requests:
        raise UnusableInput(f"{settings.source} has no examples; check --source and --split")
    chosen = [request for request in requests if shard is None or in_shard(request, shard)]
    return RunPrompts(chosen, references, absent)


def _taken_out(examples: list[Example]) -> Iterator[Example]:
    """Yield the examples in their order, and empty the list, so that no text is in memory as example and as prompt."""
    examples.reverse()
    while examples:
        yield examples.pop()


def by_document(requests: Iterable[Request]) -> list[Request]:
    """Return the requests, those about one document together, in the order in which the documents first appear."""
    places: dict[str, int] = {}
    return sorted(requests, key=lambda request: places.setdefault(request.document, len(places)))


def in_shard(request: Request, shard: Shard) -> bool:
    """Return whether the request belongs to the shard; prompts about one document stay together."""
    digest = hashlib.sha256(request.document.encode("utf-8", "surrogatepass")).hexdigest()
    return int(digest, 16) % shard.total == shard.number - 1


def find_shard(text: str, environment: Mapping[str, str]) -> Shard:
    """Return the shard that is written as `1/4`, or that `auto` or `auto/4` finds in the environment of a job.

    It is found in a SLURM array (numbered from 0, 1 or any other number), in an indexed job of Kubernetes, whose total
    is given as `auto/4`, and in the shards of NVIDIA's evaluator.

    Raises:
        UnusableInput: for another text, and when the environment has no shard or an unclear one.

    >>> find_shard("auto", {"SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "4"})
    Shard(number=1, total=4)
    >>> find_shard("auto/3", {"JOB_COMPLETION_INDEX": "2"})
    Shard(number=3, total=3)
    """
    first, _, second = text.partition("/")
    total = int(second) if second.isdecimal() else None
    if first == "auto" and (total or not second):
        shard = _shard_of_job(environment, total)
        if total not in (None, shard.total) or not 1 <= shard.number <= shard.total:
            raise UnusableInput(f"--shard {short(text)} finds part {shard}; name the part with --shard I/N")
        return shard
    shard = Shard(int(first) if first.isdecimal() else 0, total or 0)
    if not 1 <= shard.number <= shard.total:
        raise UnusableInput(f"--shard {short(text)!r} is not a part of the run; write part 1 of 4 as 1/4, or auto")
    return shard


def _shard_of_job(environment: Mapping[str, str], total: int | None) -> Shard:
    job = {name: int(value) for name, value in environment.items() if value.isdecimal()}
    if {"NEL_SHARD_IDX", "NEL_TOTAL_SHARDS"} <= job.keys():
        return Shard(job["NEL_SHARD_IDX"] + 1, job["NEL_TOTAL_SHARDS"])
    if {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT"} <= job.keys():
        place = job["SLURM_ARRAY_TASK_ID"] - job["SLURM_ARRAY_TASK_MIN"]
        return Shard(place // job.get("SLURM_ARRAY_TASK_STEP", 1) + 1, job["SLURM_ARRAY_TASK_COUNT"])
    if "JOB_COMPLETION_INDEX" in job and total:
        return Shard(job["JOB_COMPLETION_INDEX"] + 1, total)
    if "JOB_COMPLETION_INDEX" in job:
        raise UnusableInput("an indexed job does not say how many parts there are; give --shard auto/N")
    raise UnusableInput("--shard auto finds neither an array nor an indexed job here; name the part with --shard I/N")
