r"""The inputs of SCROLLS taken apart and put together: no instruction and no header, the query before the document.

Source: SCROLLS (arXiv 2201.03533) section 3 and its data. The layout of every input is

    [ QUERY ⏎⏎ ] DOCUMENT

The summaries have no query. The query of QuALITY is the question, an empty line, and the four options on a line each,
` (A) text`; so its document begins after the first empty line that follows the line of `(D)`. Every other query ends at
the first empty line, which no query of the data has inside.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from zs_metric.errors import ZeroScrollsError
from zs_metric.tasks import find_task

#: The benchmarks whose inputs are of this form. They are for fine-tuning: a model learns the task, nobody tells it.
QUERY_FIRST = ("scrolls",)

_WITHOUT_QUERY = ("gov_report", "summ_screen_fd")
_WITH_OPTIONS = ("quality", "quality_hard")
_GAP = "\n\n"
_OPTIONS = re.compile(r"\n *\(A\)[^\n]*\n *\(B\)[^\n]*\n *\(C\)[^\n]*\n *\(D\)[^\n]*")


class InputParts(NamedTuple):
    """The two parts of an input: the query, `None` where the task has none, and the document."""

    query: str | None
    document: str


def split_input(task: str, text: str) -> InputParts | None:
    r"""The parts of an input; `None` when the task has a query and none is to be found.

    Raises:
        UnknownTask: with the likely name.

    >>> split_input("narrative_qa", "Who rows?\n\nA story.\n\nIts end.")
    InputParts(query='Who rows?', document='A story.\n\nIts end.')
    """
    find_task(task, benchmark="scrolls")
    if task in _WITHOUT_QUERY:
        return InputParts(None, text)
    options = _OPTIONS.search(text) if task in _WITH_OPTIONS else None
    if task in _WITH_OPTIONS and options is None:
        return None
    end = text.find(_GAP, options.end() if options else 0)
    return InputParts(text[:end], text[end + len(_GAP) :]) if end > 0 else None


def wanted(task: str) -> str:
    """What `split_input` looks for, in words."""
    if task in _WITH_OPTIONS:
        return "question with four options (A) to (D), a line each, before an empty line"
    return "query before an empty line"


def join_input(task: str, document: str, query: str | None = None) -> str:
    r"""The input of SCROLLS, from its parts.

    Raises:
        UnknownTask: with the likely name.
        ZeroScrollsError: for a query where the task has none, or none where it has one.

    >>> join_input("qmsum", "A: Hello.", "What was said?")
    'What was said?\n\nA: Hello.'
    """
    find_task(task, benchmark="scrolls")
    if (query is None) != (task in _WITHOUT_QUERY):
        raise ZeroScrollsError(f"{task} needs a query; give one" if query is None else f"{task} has no query; omit it")
    return document if query is None else f"{query}{_GAP}{document}"
