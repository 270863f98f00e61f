"""LongBench: 21 tasks in English, Chinese and code, with its two averages over categories; and LongBench-E.

Source: arXiv 2308.14508; the prompts and answer budgets of THUDM/LongBench are in `prompts.json`, the classes of TREC
and LSHT in `classes.json`.
"""

import json
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zs_bench.benchmarks.longbench import metrics as m
from zs_bench.benchmarks.records import Average, Benchmark, Task, TaskSize
from zs_metric.metrics import Metric

if TYPE_CHECKING:
    from zs_bench.benchmarks.copies import Copy

_HERE = Path(__file__).parent
_PROMPTS, _CLASSES = (
    json.loads(_HERE.joinpath(f"{name}.json").read_text(encoding="utf-8")) for name in ("prompts", "classes")
)
_SINGLE, _MULTI, _SUMMARIES = "Single-document QA", "Multi-document QA", "Summarization"
_FEW, _SYNTHETIC, _CODE = "Few-shot learning", "Synthetic tasks", "Code completion"
#: Name and short title of the categories, in the order of the paper's tables.
_CATEGORIES = {
    _SINGLE: ("single", "Single-Doc QA"),
    _MULTI: ("multi", "Multi-Doc QA"),
    _SUMMARIES: ("summaries", "Summarization"),
    _FEW: ("few_shot", "Few-shot"),
    _CODE: ("code", "Code"),
    _SYNTHETIC: ("synthetic", "Synthetic"),
}
TREC, LSHT = m.classification(_CLASSES["trec"]), m.classification(_CLASSES["lsht"])
_TABLE: tuple[tuple[str, str, str, int, str, Metric], ...] = (
    ("narrativeqa", "NarrativeQA", _SINGLE, 200, "en", m.F1),
    ("qasper", "Qasper", _SINGLE, 200, "en", m.F1),
    ("multifieldqa_en", "MultiFieldQA-en", _SINGLE, 150, "en", m.F1),
    ("multifieldqa_zh", "MultiFieldQA-zh", _SINGLE, 200, "zh", m.F1_CHINESE),
    ("hotpotqa", "HotpotQA", _MULTI, 200, "en", m.F1),
    ("2wikimqa", "2WikiMQA", _MULTI, 200, "en", m.F1),
    ("musique", "Musique", _MULTI, 200, "en", m.F1),
    ("dureader", "DuReader (zh)", _MULTI, 200, "zh", m.ROUGE_L_CHINESE),
    ("gov_report", "GovReport", _SUMMARIES, 200, "en", m.ROUGE_L),
    ("qmsum", "QMSum", _SUMMARIES, 200, "en", m.ROUGE_L),
    ("multi_news", "MultiNews", _SUMMARIES, 200, "en", m.ROUGE_L),
    ("vcsum", "VCSUM (zh)", _SUMMARIES, 200, "zh", m.ROUGE_L_CHINESE),
    ("trec", "TREC", _FEW, 200, "en", TREC),
    ("triviaqa", "TriviaQA", _FEW, 200, "en", m.F1_LINE),
    ("samsum", "SAMSum", _FEW, 200, "en", m.ROUGE_L_LINE),
    ("lsht", "LSHT (zh)", _FEW, 200, "zh", LSHT),
    ("passage_count", "Passage Count", _SYNTHETIC, 200, "en", m.COUNT),
    ("passage_retrieval_en", "PassageRetrieval-en", _SYNTHETIC, 200, "en", m.RETRIEVAL),
    ("passage_retrieval_zh", "PassageRetrieval-zh", _SYNTHETIC, 200, "zh", m.RETRIEVAL_CHINESE),
    ("lcc", "LCC", _CODE, 500, "code", m.EDIT),
    ("repobench-p", "RepoBench-P", _CODE, 500, "code", m.EDIT),
)
_OF_E = (
    *("qasper", "multifieldqa_en", "hotpotqa", "2wikimqa", "gov_report", "multi_news", "trec", "triviaqa", "samsum"),
    *("passage_count", "passage_retrieval_en", "lcc", "repobench-p"),
)


def _row(*given: Any, of_e: bool = False) -> Task:
    name, title, category, questions, _, metric = given
    size = TaskSize(test=None if of_e else questions)
    columns: dict[str, Any] = {"choices": tuple(_CLASSES.get(name, ()))}
    columns |= dict(zip(("prompt", "answer_budget"), _PROMPTS[name], strict=True))
    columns |= {"cut": "middle", "chat": category not in (_FEW, _CODE), "stop": ("\n",) if name == "samsum" else ()}
    return Task(name, metric, title=title, kind=category, size=size, **columns)


def _averages() -> dict[str, Average]:
    """The two of the paper, each the mean of six categories, and that of the 16 tasks in English and code."""
    averages = {}
    for language, title in (("en", "English"), ("zh", "Chinese")):
        parts = []
        for category, (name, short) in _CATEGORIES.items():
            members = tuple(row[0] for row in _TABLE if row[2] == category and row[4] in (language, "code"))
            averages[part := f"{name}_{language}"] = Average(f"{category}, {title}", members, short, hidden=True)
            parts.append(part)
        averages[title.lower()] = Average(f"{title}, mean of six categories", tuple(parts), title)
    tasks = tuple(row[0] for row in _TABLE if row[4] != "zh")
    averages["english_tasks"] = Average("English and code, mean of 16 tasks", tasks, "Mean of 16")
    return averages


def _copies() -> "tuple[Copy, ...]":
    from zs_bench.benchmarks.longbench.copies import COPIES  # noqa: PLC0415  (metrics that few commands need)

    return COPIES


_SAME: dict[str, Any] = {
    "folder": _HERE,
    "splits": ("test",),
    "average_decimals": 2,
    "paper": "https://arxiv.org/abs/2308.14508",
    "row_fields": frozenset({"pred", "answers"}),
    "other_files": frozenset({"result.json"}),
    "carries_references": True,
    "copies": _copies,
}
BENCHMARK = Benchmark(
    *("longbench", "LongBench", "longbench_score"),
    rows=tuple(_row(*row) for row in _TABLE),
    averages=_averages(),
    headline=("english", "chinese"),
    repo="THUDM/LongBench",
    hub_file="data.zip",
    lead="Published LongBench results: the systems of its README.",
    code="LB",
    **_SAME,
)
E_BENCHMARK = Benchmark(
    *("longbench_e", "LongBench-E", "longbench_e_score"),
    rows=tuple(_row(*row, of_e=True) for row in _TABLE if row[0] in _OF_E),
    folder_name="pred_e",
    length_bins={"0-4k": 4000, "4-8k": 8000, "8k+": inf},
    code="LBE",
    **_SAME,
)
