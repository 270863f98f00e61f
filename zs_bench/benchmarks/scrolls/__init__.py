"""SCROLLS: seven tasks for fine-tuned models, six of them with the data of tasks of ZeroSCROLLS.

Source: arXiv 2201.03533, Tables 1 and 2. QuALITY's hard questions are scored beside them.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from zs_bench.benchmarks import zero_scrolls
from zs_bench.benchmarks.records import Benchmark, Task, TaskSize
from zs_metric.tasks import SCROLLS


def _row(name: str, *size: Any, like: str | None = None, **columns: Any) -> Task:
    """A task of ZeroSCROLLS as SCROLLS has it: the same data set with other sizes, and fine-tuned models only."""
    row = zero_scrolls.BENCHMARK.all_tasks[like or name]
    changed: dict[str, Any] = {"name": name, "metric": SCROLLS.metrics[name], "size": TaskSize(*size), **columns}
    return replace(row, answer_budget=None, naive=None, **changed)


#: With the columns of `TaskSize`.
_ROWS = (
    _row("gov_report", 7886, 973, 972, 17457, 492.5),
    _row("summ_screen_fd", 5598, 337, 338, 3673, 99.6),
    _row("qmsum", 9497, 281, 272, 1257, 69.7),
    _row("qasper", 3629, 1399, 1726, 2567, 11.4),
    _row("narrative_qa", 51653, 10306, 5878, 55003, 4.6),
    _row("quality", 4193, 2128, 2086, 2523, 10.3),
    Task(
        "contract_nli",
        SCROLLS.metrics["contract_nli"],
        title="ContractNLI",
        short_title="CNLI",
        kind="Natural language inference",
        domain="legal",
        asks="Say what a contract says about a statement.",
        size=TaskSize(1706, 2091, 1037, 7191, 1.4),
        choices=("Entailment", "Contradiction", "Not mentioned"),
        document_of_id=r"\A(\d+)_nda-\d+\Z",
        measured_outputs="query",
    ),
    _row(
        "quality_hard",
        like="quality",
        averaged=False,
        title="QuALITY, hard",
        part_of="quality",
        no_data="the data of quality marks no question as hard; give the hard ids to the command line's --hard-ids",
    ),
)
BENCHMARK = Benchmark(
    *("scrolls", "SCROLLS", "scrolls_score"),
    rows=_ROWS,
    code="SC",
    folder=Path(__file__).parent,
    examples_of=zero_scrolls.BENCHMARK,
    repo="tau/scrolls",
    paper="https://arxiv.org/abs/2201.03533",
    query_first=True,
    average_decimals=2,
    marks={"naive": "Naive", "best": "LED, 16,384 tokens"},
    lead="Published SCROLLS results of fine-tuned models: the paper and the leaderboard. For tasks scored by ROUGE, "
    "the number is the geometric mean of the three printed scores.",
    cleaning_source="section 3.2",
)
