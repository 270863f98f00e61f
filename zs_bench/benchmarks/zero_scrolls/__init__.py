"""ZeroSCROLLS: ten tasks for models that were not trained on them.

Source: arXiv 2305.14196, Tables 1, 3, 5 and 6, and section 4 with its released experiments. The texts of the prompts
are in `templates.json`.

The cleaning rules are those of SCROLLS (arXiv 2201.03533, section 3.2): which examples of a data set each would drop or
cut.

* GovReport: a report with less than twice or more than 1,000 times the words of its summary; a summary that its report
  contains word for word.
* Qasper: a paper with fewer than 8,192 characters.
* NarrativeQA: a text is cut at the markers of the story's start and end. The paper does not list these: here they are
  those usual in the files of Project Gutenberg, and the head of a page in HTML.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zs_bench.benchmarks.records import Benchmark, Naive, Task, TaskSize, Template
from zs_metric.tasks import ZERO_SCROLLS

_MARKER = re.compile(
    r"\*{3} ?(?:START|END) OF (?:THE|THIS) (?:COPYRIGHTED )?PROJECT GUTENBERG"
    r"|\*(?:START|END)?\*{0,2} ?(?:THE )?SMALL PRINT"
    r"|^[^\w\n]*(?:END OF )?(?:THE |THIS )?PROJECT GUTENBERG(?:'S|’S| E-?TEXT| E-?BOOK)\b"
    r"|<(?:!DOCTYPE HTML|HTML|HEAD)\b",
    re.IGNORECASE | re.MULTILINE,
)


def _is_short(document: str, summaries: Sequence[str]) -> bool:
    return any(len(document.split()) < 2 * len(summary.split()) for summary in summaries)


def _is_long(document: str, summaries: Sequence[str]) -> bool:
    return any(len(document.split()) > 1_000 * len(summary.split()) for summary in summaries)


def _holds_summary(document: str, summaries: Sequence[str]) -> bool:
    text = " ".join(document.split())
    return any(summary and " ".join(summary.split()) in text for summary in summaries)


GOV_REPORT = {
    "dropped: the report has fewer words than twice its summary": _is_short,
    "dropped: the report has more than 1,000 times the words of its summary": _is_long,
    "dropped: the summary is in the report word for word": _holds_summary,
}
QASPER = {"dropped: the paper has fewer than 8,192 characters": lambda document, _: len(document) < 8_192}
NARRATIVE_QA = {
    "cut: the text has a marker of Project Gutenberg or the head of a page in HTML, outside of which is no story": (
        lambda document, _: _MARKER.search(document) is not None
    )
}


_HERE = Path(__file__).parent
_TEMPLATES = json.loads(_HERE.joinpath("templates.json").read_text(encoding="utf-8"))
# How the benchmark's own ids name the document: `51150_1` and `62139_J05FWZR6_1` the story (`s0001` in our examples),
# `emma_0` the book, `<40 hexadecimal digits>_7` that of NarrativeQA. Ids of other shapes tell none.
_STORY, _QUALITY_STORY = r"\A(s\d{4}|\d{5})_\d{1,2}\Z", r"\A(s?\d+)_[0-9A-Z]{8}_\d+\Z"
_BOOK, _NARRATIVE = r"\A(.+)_\d\Z", r"\A([0-9a-f]{40})_\d+\Z"
# Answers given without reading.
_YES_NO_OR_SPAN = Naive(
    "answering at random Yes, No, Unanswerable or a span of 15 words", ("Yes", "No", "Unanswerable"), span=15
)
_NO_ANSWER = Naive("always answering “Unanswerable”", ("Unanswerable",))
_HALF, _LETTER = Naive("always answering 50%", ("50%",)), Naive("a random letter", ("A", "B", "C", "D"))
_ORDER = Naive("leaving the summaries in the order given", order=True)
_BY_QUERY, _QA, _MULTI_HOP = "Query-based summarization", "Question answering", "Multi-hop question answering"


def _span(words: int) -> Naive:
    return Naive(f"a random span of {words} words", span=words)


def _row(name: str, titles: tuple[str, str, str, str], asks: str, *numbers: Any, **columns: Any) -> Task:
    columns |= zip(("title", "short_title", "kind", "domain"), titles, strict=True)
    words, test, columns["answer_budget"], columns["naive"] = numbers
    metric, template = ZERO_SCROLLS.metrics[name], Template(*_TEMPLATES[name])
    return Task(name, metric, asks=asks, size=TaskSize(words, test), template=template, **columns)


#: Titles, kind and domain; what it asks; the words of an input, the test examples, the answer budget and the naive
#: answer; other columns.
_ROWS = (
    _row(
        "gov_report",
        ("GovReport", "GvRp", "Summarization", "government"),
        "Summarize a government report.",
        *(7273, 500, 1024, _span(500)),
        cleaning=GOV_REPORT,
    ),
    _row(
        "summ_screen_fd",
        ("SummScreenFD", "SSFD", "Summarization", "TV"),
        "Sum up an episode of a series from its script.",
        *(5663, 337, 512, _span(200)),
    ),
    _row(
        "qmsum",
        ("QMSum", "QMsm", _BY_QUERY, "meetings"),
        "Answer a question about a meeting.",
        *(10839, 281, 512, _span(50)),
    ),
    _row(
        "squality",
        ("SQuALITY", "SQAL", _BY_QUERY, "literature"),
        "Answer a question about a story in a paragraph.",
        *(4971, 260, 512, _span(120)),
        document_of_id=_STORY,
    ),
    _row(
        "qasper",
        ("Qasper", "Qspr", _QA, "science"),
        "Answer a question about a research paper.",
        *(3531, 500, 128, _YES_NO_OR_SPAN),
        cleaning=QASPER,
    ),
    _row(
        "narrative_qa",
        ("NarrativeQA", "Nrtv", _QA, "literature, film"),
        "Answer a question about a book or a film.",
        *(49384, 500, 64, _span(4)),
        document_of_id=_NARRATIVE,
        cleaning=NARRATIVE_QA,
    ),
    _row(
        "quality",
        ("QuALITY", "QALT", "Multiple choice", "literature, misc"),
        "Choose the right answer.",
        *(4248, 500, 10, _LETTER),
        document_of_id=_QUALITY_STORY,
        options=True,
    ),
    _row(
        "musique",
        ("MuSiQue", "MuSQ", _MULTI_HOP, "Wikipedia"),
        "Combine facts from several paragraphs.",
        *(1749, 500, 32, _NO_ANSWER),
        answerability=True,
    ),
    _row(
        "space_digest",
        ("SpaceDigest", "SpDg", "Aggregation", "hotel reviews"),
        "Say what share of a hotel's reviews is positive.",
        *(5481, 500, 36, _HALF),
    ),
    _row(
        "book_sum_sort",
        ("BookSumSort", "BkSS", "Aggregation", "literature"),
        "Put summaries of chapters in order.",
        *(6840, 500, 256, _ORDER),
        document_of_id=_BOOK,
        measured_outputs=None,
    ),
)
BENCHMARK = Benchmark(
    *("zero_scrolls", "ZeroSCROLLS", "zero_scrolls_score"),
    rows=_ROWS,
    code="ZS",
    folder=_HERE,
    repo="tau/zero_scrolls",
    paper="https://arxiv.org/abs/2305.14196",
    # L-Eval's names of tasks that do not contain ours.
    names={"meetingsumm": "qmsum", "tvshowsumm": "summ_screen_fd", "scientificqa": "qasper"},
    splits=("validation", "test"),
    marks={"naive": "Naive", "gpt4": "GPT-4 (v0314), 8,192 tokens", "human": "Human"},
    naive_average="the naive answers, given without reading",
    validation_questions=(10, 28),
    lead="Published ZeroSCROLLS results: the paper, its leaderboard and later papers.",
)
TASKS = BENCHMARK.tasks
