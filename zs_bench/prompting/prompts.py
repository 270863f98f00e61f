"""The ten canonical prompts, put together from their four parts (`zs_bench.prompting.dissect` takes them apart again).

Source: ZeroSCROLLS Tables 5 and 6. The layout of every prompt is

    INSTRUCTION ⏎⏎ CONTEXT_HEADER ⏎ DOCUMENT ⏎⏎ [ QUERY_HEADER ⏎ QUERY ⏎⏎ ] RESPONSE_HEADER ⏎

and a row's index fields (`Indices`) say where the document and the query stand in it, counted in characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from zs_metric.errors import ZeroScrollsError
from zs_metric.tasks import find_task


@dataclass(frozen=True, slots=True)
class Template:
    """The fixed texts of a task's prompt.

    Attributes:
        instruction: for BookSumSort with `{N}` where the number of summaries goes.
        omitted: what a trimmed prompt says is omitted ("report is", "summaries are").
    """

    instruction: str
    context_header: str
    query_header: str | None
    response_header: str
    omitted: str

    @property
    def separator(self) -> str:
        """What is put where a document was cut; the data's field `truncation_seperator`."""
        return f"... [The rest of the {self.omitted} omitted]\n\n"


class Indices(NamedTuple):
    """The index fields of a row, in characters from the start of `input`."""

    document_start_index: int
    document_end_index: int
    query_start_index: int
    query_end_index: int

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Indices | None:
        """The fields of a row of the data, `None` unless all four are whole numbers (`true` is none)."""
        numbers: list[Any] = [row.get(field) for field in cls._fields]
        return cls(*numbers) if all(type(number) is int for number in numbers) else None


_IF_UNANSWERABLE = 'If the question cannot be answered based on the information in the {}, write "unanswerable".'

TEMPLATES: Mapping[str, Template] = {
    "gov_report": Template(
        "You are given a report by a government agency. Write a one-page summary of the report.",
        "Report:",
        None,
        "Summary:",
        "report is",
    ),
    "summ_screen_fd": Template(
        "You are given a script of a TV episode. Summarize the episode in a paragraph.",
        "Episode Script:",
        None,
        "Summary:",
        "episode script is",
    ),
    "qmsum": Template(
        "You are given a meeting transcript and a query containing a question or instruction. Answer the query in one "
        "or more sentences.",
        "Transcript:",
        "Query:",
        "Answer:",
        "transcript is",
    ),
    "squality": Template(
        "You are given a story and a question. Answer the question in a paragraph.",
        "Story:",
        "Question:",
        "Answer:",
        "story is",
    ),
    "qasper": Template(
        "You are given a scientific article and a question. Answer the question as concisely as you can, using a "
        f"single phrase or sentence if possible. {_IF_UNANSWERABLE.format('article')} If the question is a yes/no "
        'question, answer "yes", "no", or "unanswerable".',
        "Article:",
        "Question:",
        "Answer:",
        "article is",
    ),
    "narrative_qa": Template(
        "You are given a story, which can be either a novel or a movie script, and a question. Answer the question as "
        "concisely as you can, using a single phrase if possible.",
        "Story:",
        "Question:",
        "Answer:",
        "story is",
    ),
    "quality": Template(
        "You are provided a story and a multiple-choice question with 4 possible answers (marked by A, B, C, D). "
        "Choose the best answer by writing its corresponding letter (either A, B, C, or D).",
        "Story:",
        "Question and Possible Answers:",
        "Answer:",
        "story is",
    ),
    "musique": Template(
        "You are given several paragraphs from Wikipedia and a question. Answer the question as concisely as you can, "
        f"using a single phrase if possible. {_IF_UNANSWERABLE.format('paragraphs')}",
        "Paragraphs:",
        "Question:",
        "Answer:",
        "paragraphs are",
    ),
    "space_digest": Template(
        "You are given a list of reviews about a specific hotel. Each review is either positive or negative. What is "
        "the percentage of positive reviews (e.g. 60%, 34%, etc.)?",
        "Reviews:",
        None,
        "Percentage of Positive Reviews:",
        "reviews are",
    ),
    "book_sum_sort": Template(
        "You are given {N} summaries of chapters or parts of a novel, in a shuffled order, where each summary is "
        "denoted by a numerical ID (e.g. Summary 1, Summary 3, etc.). Reorder the summaries according to the original "
        "order of chapters/parts in the novel by writing a list of length {N} of the summary IDs (e.g. if you were "
        'given 5 summaries, one possible answer could be "5, 1, 3, 4, 2").',
        "Summaries:",
        None,
        "Summary IDs in Correct Order:",
        "summaries are",
    ),
}


def template(task: str) -> Template:
    """The task's fixed texts.

    Raises:
        UnknownTask: with the likely name.
    """
    return TEMPLATES[find_task(task).name]


def compose(task: str, document: str, query: str | None = None, *, summaries: int | None = None) -> tuple[str, Indices]:
    r"""The canonical prompt (a row's `input`) and its index fields.

    Args:
        task: the task's name.
        document: the text.
        query: the question, for the tasks that have one.
        summaries: the number of summaries, for BookSumSort.

    Raises:
        UnknownTask: with the likely name.
        ZeroScrollsError: for a query or a number of summaries where the task has none, or none where it has one.

    >>> compose("gov_report", "A short report.")[0][-34:]
    'Report:\nA short report.\n\nSummary:\n'
    """
    parts = template(task)
    _check(task, "query", given=query is not None, wanted=parts.query_header is not None)
    _check(task, "number of summaries", given=summaries is not None, wanted="{N}" in parts.instruction)
    instruction = parts.instruction if summaries is None else parts.instruction.replace("{N}", str(summaries))
    head = f"{instruction}\n\n{parts.context_header}\n"
    body = f"{head}{document}\n\n"
    asked = "" if query is None else f"{parts.query_header}\n{query}"
    gap = "\n\n" if asked else ""
    indices = Indices(len(head), len(head) + len(document), len(body), len(body) + len(asked))
    return f"{body}{asked}{gap}{parts.response_header}\n", indices


def _check(task: str, what: str, *, given: bool, wanted: bool) -> None:
    if given != wanted:
        raise ZeroScrollsError(f"{task} needs a {what}; give one" if wanted else f"{task} has no {what}; omit it")
