"""The cleaning rules of SCROLLS (arXiv 2201.03533, section 3.2): which examples of a data set each would drop or cut.

* GovReport: a report with less than twice or more than 1,000 times the words of its summary; a summary that its report
  contains word for word.
* Qasper: a paper with fewer than 8,192 characters.
* NarrativeQA: a text is cut at the markers of the story's start and end. The paper does not list these: here they are
  those usual in the files of Project Gutenberg, and the head of a page in HTML.
"""

import re
from collections.abc import Sequence

_MARKER = re.compile(
    r"\*{3} ?(?:START|END) OF (?:THE|THIS) (?:COPYRIGHTED )?PROJECT GUTENBERG"
    r"|\*(?:START|END)?\*{0,2} ?(?:THE )?SMALL PRINT"
    r"|^\W*(?:END OF )?(?:THE |THIS )?PROJECT GUTENBERG(?:'S|’S| E-?TEXT| E-?BOOK)\b"
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
