"""ZeroSCROLLS and its tasks, a row each; the texts of their prompts are in `zs_bench/data/templates.json`.

Source: ZeroSCROLLS (arXiv 2305.14196) Tables 1, 3, 5 and 6, and section 4 with its released experiments.
"""

import json
from pathlib import Path
from typing import Any

from zs_bench.tasks.info import BenchmarkInfo, Naive, TaskInfo, TaskSize, Template
from zs_metric.tasks import ZERO_SCROLLS, find_task

_TEMPLATES = json.loads(Path(__file__).parents[1].joinpath("data", "templates.json").read_text(encoding="utf-8"))
# How an id names its document: a book's shuffles end in `_n`, the questions about a story begin with `story_`.
_BOOK, _STORY = r"(?s)(.+)_\d+", r"(?s)([^_]+)_.*"

BENCHMARK = BenchmarkInfo(
    ZERO_SCROLLS,
    code="ZS",
    repo="tau/zero_scrolls",
    splits=("validation", "test"),
    query_first=False,
    average_decimals=1,
    marks={"naive": "Naive", "gpt4": "GPT-4 (v0314), 8,192 tokens", "human": "Human"},
    naive_average="the naive answers, given without reading",
    validation_questions=(10, 28),
)


def _row(name: str, *titles: str, **columns: Any) -> TaskInfo:
    title, short_title, kind, domain = titles
    template = Template(*_TEMPLATES[name])
    return TaskInfo(find_task(name), title, short_title, kind, domain, template=template, **columns)


TASKS = (
    _row(
        "gov_report",
        "GovReport",
        "GvRp",
        "Summarization",
        "government",
        size=TaskSize(7273, 500),
        summaries=True,
        answer_budget=1024,
        naive=Naive("a random span of 500 words", span=500),
    ),
    _row(
        "summ_screen_fd",
        "SummScreenFD",
        "SSFD",
        "Summarization",
        "TV",
        size=TaskSize(5663, 337),
        summaries=True,
        answer_budget=512,
        naive=Naive("a random span of 200 words", span=200),
    ),
    _row(
        "qmsum",
        "QMSum",
        "QMsm",
        "Query-based summarization",
        "meetings",
        size=TaskSize(10839, 281),
        summaries=True,
        answer_budget=512,
        naive=Naive("a random span of 50 words", span=50),
    ),
    _row(
        "squality",
        "SQuALITY",
        "SQAL",
        "Query-based summarization",
        "literature",
        size=TaskSize(4971, 260),
        summaries=True,
        answer_budget=512,
        naive=Naive("a random span of 120 words", span=120),
        document_of_id=_STORY,
    ),
    _row(
        "qasper",
        "Qasper",
        "Qspr",
        "Question answering",
        "science",
        size=TaskSize(3531, 500),
        answer_budget=128,
        naive=Naive(
            "answering at random Yes, No, Unanswerable or a span of 15 words", ("Yes", "No", "Unanswerable"), span=15
        ),
    ),
    _row(
        "narrative_qa",
        "NarrativeQA",
        "Nrtv",
        "Question answering",
        "literature, film",
        size=TaskSize(49384, 500),
        answer_budget=64,
        naive=Naive("a random span of 4 words", span=4),
    ),
    _row(
        "quality",
        "QuALITY",
        "QALT",
        "Multiple choice",
        "literature, misc",
        size=TaskSize(4248, 500),
        options=True,
        answer_budget=10,
        naive=Naive("a random letter", ("A", "B", "C", "D")),
        document_of_id=_STORY,
    ),
    _row(
        "musique",
        "MuSiQue",
        "MuSQ",
        "Multi-hop question answering",
        "Wikipedia",
        size=TaskSize(1749, 500),
        answer_budget=32,
        naive=Naive("always answering “Unanswerable”", ("Unanswerable",)),
        answerability=True,
    ),
    _row(
        "space_digest",
        "SpaceDigest",
        "SpDg",
        "Aggregation",
        "hotel reviews",
        size=TaskSize(5481, 500),
        answer_budget=36,
        naive=Naive("always answering 50%", ("50%",)),
    ),
    _row(
        "book_sum_sort",
        "BookSumSort",
        "BkSS",
        "Aggregation",
        "literature",
        size=TaskSize(6840, 500),
        answer_budget=256,
        naive=Naive("leaving the summaries in the order given", order=True),
        document_of_id=_BOOK,
        measured_outputs=None,
    ),
)
