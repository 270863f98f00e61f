"""SCROLLS and its tasks, a row each.

Source: SCROLLS (arXiv 2201.03533) Tables 1 and 2.
"""

from dataclasses import replace

from zs_bench.tasks import zero_scrolls
from zs_bench.tasks.info import BenchmarkInfo, TaskInfo, TaskSize
from zs_metric.tasks import SCROLLS, find_task

_IN_ZERO_SCROLLS = {row.task.name: row for row in zero_scrolls.TASKS}

BENCHMARK = BenchmarkInfo(
    SCROLLS,
    code="SC",
    repo="tau/scrolls",
    splits=("train", "validation", "test"),
    query_first=True,
    average_decimals=2,
    marks={"naive": "Naive", "best": "LED, 16,384 tokens"},
)


def _in_scrolls(name: str, size: TaskSize) -> TaskInfo:
    """A task of ZeroSCROLLS as SCROLLS has it: the same data set with other sizes, and fine-tuned models only."""
    task = find_task(name, benchmark=SCROLLS)
    return replace(_IN_ZERO_SCROLLS[name], task=task, size=size, answer_budget=None, naive=None)


TASKS = (
    _in_scrolls("gov_report", TaskSize(7886, 973, 972, 17457, 492.5)),
    _in_scrolls("summ_screen_fd", TaskSize(5598, 337, 338, 3673, 99.6)),
    _in_scrolls("qmsum", TaskSize(9497, 281, 272, 1257, 69.7)),
    _in_scrolls("qasper", TaskSize(3629, 1399, 1726, 2567, 11.4)),
    _in_scrolls("narrative_qa", TaskSize(51653, 10306, 5878, 55003, 4.6)),
    _in_scrolls("quality", TaskSize(4193, 2128, 2086, 2523, 10.3)),
    TaskInfo(
        find_task("contract_nli", benchmark=SCROLLS),
        "ContractNLI",
        "CNLI",
        "Natural language inference",
        "legal",
        size=TaskSize(1706, 2091, 1037, 7191, 1.4),
        measured_outputs="query",
    ),
    replace(
        _in_scrolls("quality", TaskSize()),
        task=find_task("quality_hard", benchmark=SCROLLS),
        title="QuALITY, hard",
        hard_part_of=find_task("quality", benchmark=SCROLLS),
        no_data="the data of quality marks no question as hard; give predictions and references of the hard ids as "
        "files, or a list of hard ids to the command line's --hard-ids",
    ),
)
