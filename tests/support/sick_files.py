"""Prediction files for validation: good ones, which each test breaks in its own way."""

from collections.abc import Mapping, Sequence
from typing import Any

from written_files import as_bytes

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.source import Source
from zs_bench.files.input_files import InputFile
from zs_bench.problems import Problem
from zs_bench.validation.known_ids import IdList, KnownIds
from zs_bench.validation.predictions import read_predictions
from zs_bench.validation.validate import Validation, validate

#: How the ids of each task look; the number stands for the example.
SHAPES = {
    "gov_report": "crs_R4{:04d}",
    "summ_screen_fd": "fd_Gilmore_Girls_{:03d}x13",
    "qmsum": "va-sq-{}",
    "squality": "51150_{}",
    "qasper": "{:040x}",
    "narrative_qa": "{}",
    "quality": "62139_J05FWZR6_{}",
    "musique": "2hop__25797_{}",
    "space_digest": "{}",
    "book_sum_sort": "the_power_and_the_glory_{}",
}
_FIRST = {"qasper": 11**38, "narrative_qa": 3858, "space_digest": 182528}


def ids_of(task: str, count: int) -> list[str]:
    return [SHAPES[task].format(_FIRST.get(task, 0) + 7 * i) for i in range(count)]


#: Ids by task, as many as the published test split has.
TEST_IDS = {name: ids_of(name, TASKS[name].size.test) for name in SHAPES}
#: The same with three of each.
FEW_IDS = {task: ids[:3] for task, ids in TEST_IDS.items()}


def listed(
    ids: Mapping[str, Sequence[str]], *others: Mapping[str, Sequence[str]], split: str | None = "test"
) -> KnownIds:
    """The ids to check against; the others are of the validation split."""
    source = Source("files", label="a source")
    return KnownIds([IdList(source, split, ids), *(IdList(source, "validation", more) for more in others)])


def healthy(ids: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """An answer to every id, by file."""
    return {f"preds_{task}.json": {key: f"of {key}, this" for key in keys} for task, keys in ids.items()}


def sources(files: Mapping[str, Any]) -> list[InputFile]:
    return [InputFile.in_memory(name, as_bytes(content)) for name, content in files.items()]


def examined(files: Mapping[str, Any], ids: KnownIds | None = None) -> Validation:
    known_ids = ids or KnownIds()
    return validate(read_predictions(sources(files), benchmark=known_ids.benchmark), known_ids)


def reported(problems: Sequence[Problem]) -> list[tuple[str, str | None, str | None]]:
    return [(problem.kind, problem.task, problem.id) for problem in problems]
