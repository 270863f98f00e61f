"""The prompts of a run in the order in which they are sent, the references of their examples, and what they would cost.

Prompts about one document follow each other, and the document comes first in a prompt, so a server that caches prefixes
reads a document once for all its questions.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from zs_bench.benchmarks import find_benchmark, find_task
from zs_bench.dataset.source import Source
from zs_bench.dataset.sources import TaskData, kind_of, open_tasks
from zs_bench.errors import TaskNotInSource, UnusableInput
from zs_bench.problems import short
from zs_bench.progress import Progress
from zs_bench.prompts import Request, Settings, make_requests
from zs_bench.reports.tables import Table
from zs_bench.token_counts import WORDS, Tokenizer
from zs_bench.validation.from_source import add_loaded
from zs_bench.validation.references import References

#: Tokens per word, where words are counted: an estimate for English, which the table names.
TOKENS_PER_WORD = 4 / 3


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

    An empty split in the settings is the validation split, or the only one. Raises `UnusableInput` when there is
    nothing to send, and what `load_examples`, `make_prompt` and `trim` raise.
    """
    benchmark = find_benchmark(settings.benchmark)
    wanted = [find_task(name, benchmark=benchmark) for name in tasks] or list(benchmark.tasks.values())
    prompts = RunPrompts([], References(source=Source(kind_of(settings.source), split=settings.split or None)), [])
    opened = open_tasks(settings.source, list(dict.fromkeys(wanted)), revision=settings.revision, progress=progress)
    is_empty = True
    for task, data in opened:
        if isinstance(data, TaskData):
            loaded = data.load(settings.split or None)
            add_loaded(prompts.references, loaded)
            by_id = prompts.references.of(task.name, loaded.split)
            names = {id_: each.document for id_, each in by_id.items() if each.document}
            # The list is emptied while it is read, so that no text is in memory as example and as prompt.
            loaded.examples.reverse()
            taken = (loaded.examples.pop() for _ in range(len(loaded.examples)))
            requests = list(make_requests(settings, taken, names))
            is_empty &= not requests
            prompts.requests.extend(in_order(requests, shard))
        elif isinstance(data, TaskNotInSource) and not tasks:
            prompts.absent.append(task.name)
        else:
            raise data
    if is_empty:
        raise UnusableInput(f"{settings.source} has no examples; check --source and --split")
    return prompts


def in_order(requests: Iterable[Request], shard: Shard | None = None) -> list[Request]:
    """Return the requests, or those of a shard, with those about one document together, where the first of them is."""
    by_document: dict[str, list[Request]] = {}
    for request in requests:
        digest = hashlib.sha256(request.document.encode("utf-8", "surrogatepass")).digest()
        if shard is None or int.from_bytes(digest, "big") % shard.total == shard.number - 1:
            by_document.setdefault(request.document, []).append(request)
    return [request for rows in by_document.values() for request in rows]


def estimate_text(
    requests: Sequence[Request], tokenizer: Tokenizer, window: int | None, price: tuple[float, float] | None
) -> str:
    """Return the table of prompts, tokens, prompts over the window and price by task, with a sum.

    The requests of a task follow each other. Without a `window`, in tokens, the column of prompts that do not fit into
    it with their answers is left out, as is that of the `price`, of a million tokens of prompt and of answer.
    """
    if not requests:
        return "This part of the run has no prompts."
    exact = tokenizer.name != WORDS.name
    rows: list[tuple[str, list[int]]] = []
    for task, of_task in groupby(requests, key=lambda request: request.task.name):
        group = list(of_task)
        tokens = [round(tokenizer.count(request.text) * (1 if exact else TOKENS_PER_WORD)) for request in group]
        answers = [request.answer_tokens for request in group]
        over = sum(sum(pair) > (window or 0) for pair in zip(tokens, answers, strict=True))
        documents = len({request.document for request in group})
        rows.append((task, [len(group), documents, sum(tokens), max(tokens), sum(answers), over]))
    columns = list(zip(*(numbers for _, numbers in rows), strict=True))
    rows.append(("all", [max(column) if index == 3 else sum(column) for index, column in enumerate(columns)]))
    cells = []
    for task, numbers in rows:
        *counts, over_window = (f"{number:,}" for number in numbers)
        cost = f"{(numbers[2] * price[0] + numbers[4] * price[1]) / 1e6:,.2f}" if price else ""
        cells.append((task, *counts, over_window if window else "", cost))
    head = ("task", "prompts", "documents", "tokens", "longest", "answers", "over window" if window else "")
    table = Table((*head, "price" if price else ""), cells, right=range(1, 8))
    counted = "by the tokenizer" if exact else "as four thirds of the words"
    most = ", and the price the most it costs" if price else ""
    return f"{table.text()}\nTokens are counted {counted}; 'answers' is the most that may be generated{most}."


def find_shard(text: str, environment: Mapping[str, str], earlier: Collection[int] = ()) -> Shard:
    """Return the shard that is written as `1/4`, or that `auto` or `auto/4` finds in the environment of a job.

    It is found in a SLURM array without gaps (from 0 or 1, or with as many tasks as are given or were before), in an
    indexed job of Kubernetes, whose total is given as `auto/4`, and in the shards of NVIDIA's evaluator. `earlier` are
    the totals of parts that were sent before. Raises `UnusableInput` if unclear.
    """
    first, _, second = text.partition("/")
    total = int(second) if second.isdecimal() else 0
    if first != "auto" or (second and not total):
        shard = Shard(int(first) if first.isdecimal() else 0, total)
        if not 1 <= shard.number <= shard.total:
            raise UnusableInput(f"--shard {short(text)!r} is not a part of the run; write part 1 of 4 as 1/4, or auto")
        return shard
    job = {name: int(value) for name, value in environment.items() if value.isdecimal()}
    if {"NEL_SHARD_IDX", "NEL_TOTAL_SHARDS"} <= job.keys():
        shard = Shard(job["NEL_SHARD_IDX"] + 1, job["NEL_TOTAL_SHARDS"])
    elif {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT"} <= job.keys():
        array = {name.removeprefix("SLURM_ARRAY_TASK_"): value for name, value in job.items()}
        shard = _of_array(array)
        if array["MIN"] > 1 and shard.total not in (total, *earlier):
            numbers = f"numbered from {array['MIN']}, so it may be a part of another"
            raise UnusableInput(f"the array is {numbers}; give --shard auto/{shard.total} if not, else --shard I/N")
    elif "JOB_COMPLETION_INDEX" not in job:
        none = "finds neither an array nor an indexed job here"
        raise UnusableInput(f"--shard auto {none}; name the part with --shard I/N")
    elif not total:
        raise UnusableInput("an indexed job does not say how many parts there are; give --shard auto/N")
    else:
        shard = Shard(job["JOB_COMPLETION_INDEX"] + 1, total)
    if not total and earlier and shard.total not in earlier:
        parts = f"{max(earlier)} parts, this job has {shard.total}"
        raise UnusableInput(
            f"the run in --out has {parts}; name the part of {max(earlier)} with --shard I/{max(earlier)}"
        )
    if total not in (0, shard.total) or not 1 <= shard.number <= shard.total:
        raise UnusableInput(f"--shard {short(text)} finds part {shard}; name the part with --shard I/N")
    return shard


def _of_array(job: Mapping[str, int]) -> Shard:
    """Return the shard of a task of a SLURM array; raises `UnusableInput` if the array has gaps, or this task alone."""
    first, count, step = job["MIN"], job["COUNT"], job.get("STEP", 1)
    if count == 1 or job.get("MAX", first + (count - 1) * step) != first + (count - 1) * step:
        what = "has this task alone" if count == 1 else "has gaps"
        raise UnusableInput(f"the array {what}, so its parts are unclear; name the part with --shard I/N")
    return Shard((job["ID"] - first) // step + 1, count)
