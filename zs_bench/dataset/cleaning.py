"""The cleaning rules of SCROLLS (arXiv 2201.03533, section 3.2) as a report: the examples each rule would drop.

* GovReport: a report with less than twice or more than 1,000 times the words of its summary; a summary that its report
  contains word for word.
* Qasper: a paper with fewer than 8,192 characters.
* NarrativeQA: a text with a marker of the story's start or end, outside of which are licence and headers.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from zs_bench.dataset.rows import Example
from zs_bench.prompts.dissection import CannotDissect
from zs_metric.tasks import Task

FEWEST_CHARACTERS = 8_192
FEWEST_TIMES, MOST_TIMES = 2, 1_000

_MARKER = re.compile(r"\*{3} ?(?:START|END) OF (?:THE|THIS) PROJECT GUTENBERG", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CleaningRule:
    """A rule: the message about examples that break it, and the test of an example."""

    message: str
    breaks: Callable[[Example], bool]


def broken_rules(task: Task, examples: Iterable[Example]) -> dict[str, list[str]]:
    """The ids of the examples that break each rule of the task, by message.

    Examples whose document cannot be found in their input are left out.

    >>> from zs_metric.tasks import find_task
    >>> broken_rules(find_task("qmsum"), [])
    {}
    """
    rules = RULES.get(task.name, ())
    found: dict[str, list[str]] = {rule.message: [] for rule in rules}
    for example in examples:
        for rule in rules:
            if _has_document(example) and rule.breaks(example):
                found[rule.message].append(example.id)
    return found


def _has_document(example: Example) -> bool:
    try:
        return bool(example.document)
    except CannotDissect:
        return False


def _words(text: str) -> int:
    return len(text.split())


def _too_short(example: Example) -> bool:
    words = _words(example.document)
    return any(words < FEWEST_TIMES * _words(summary) for summary in example.references)


def _too_long(example: Example) -> bool:
    words = _words(example.document)
    return any(words > MOST_TIMES * _words(summary) for summary in example.references)


def _copied(example: Example) -> bool:
    document = " ".join(example.document.split())
    return any(summary and " ".join(summary.split()) in document for summary in example.references)


#: The rules by task; the other tasks have none.
RULES: Mapping[str, tuple[CleaningRule, ...]] = {
    "gov_report": (
        CleaningRule("the report has fewer words than twice its summary", _too_short),
        CleaningRule("the report has more than 1,000 times the words of its summary", _too_long),
        CleaningRule("the summary is in the report word for word", _copied),
    ),
    "qasper": (
        CleaningRule(
            "the paper has fewer than 8,192 characters", lambda example: len(example.document) < FEWEST_CHARACTERS
        ),
    ),
    "narrative_qa": (
        CleaningRule(
            "the text has a marker of the story's start or end, so that a licence or a header may be in it",
            lambda example: _MARKER.search(example.document) is not None,
        ),
    ),
}
