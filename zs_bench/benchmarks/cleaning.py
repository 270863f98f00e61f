"""The cleaning rules of SCROLLS (arXiv 2201.03533, section 3.2): which examples of a data set each would drop.

* GovReport: a report with less than twice or more than 1,000 times the words of its summary; a summary that its report
  contains word for word.
* Qasper: a paper with fewer than 8,192 characters.
* NarrativeQA: a text with a marker of the story's start or end, outside of which are licence and headers.
"""

import re
from collections.abc import Sequence

_MARKER = re.compile(r"\*{3} ?(?:START|END) OF (?:THE|THIS) PROJECT GUTENBERG", re.IGNORECASE)


def _is_short(document: str, summaries: Sequence[str]) -> bool:
    return any(len(document.split()) < 2 * len(summary.split()) for summary in summaries)


def _is_long(document: str, summaries: Sequence[str]) -> bool:
    return any(len(document.split()) > 1_000 * len(summary.split()) for summary in summaries)


def _holds_summary(document: str, summaries: Sequence[str]) -> bool:
    text = " ".join(document.split())
    return any(summary and " ".join(summary.split()) in text for summary in summaries)


GOV_REPORT = {
    "the report has fewer words than twice its summary": _is_short,
    "the report has more than 1,000 times the words of its summary": _is_long,
    "the summary is in the report word for word": _holds_summary,
}
QASPER = {"the paper has fewer than 8,192 characters": lambda document, _: len(document) < 8_192}
NARRATIVE_QA = {
    "the text has a marker of the story's start or end, so that a licence or a header may be in it": (
        lambda document, _: _MARKER.search(document) is not None
    )
}
