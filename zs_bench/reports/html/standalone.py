"""A scored file as one HTML file to send: no script, no request, light or dark as the reader's system is.

It holds the summary, the charts, the losses and the hundred most informative answers (see `file_view.py`), each
with the reason for its score; long answers are cut. Without references, it holds no text of one.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime, timezone
from pathlib import PurePath

from markupsafe import Markup

from zs_bench.reports.file_view import AnswerRow, FileView, choose_informative, explain_file
from zs_bench.reports.html.environment import cut, page, render
from zs_bench.reports.html.explanation import score_card, why
from zs_bench.reports.html.file_report import losses, problems, run_report, run_title, summary
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import info
from zs_metric.explain import explain
from zs_metric.rouge import engine
from zs_metric.version import VERSION

#: The most characters of a text that are shown, and of an answer that is explained at all.
LONGEST_SHOWN, LONGEST_EXPLAINED = 2_000, 50_000
# The metrics whose views show the text of the answer anyway.
_VIEWS_WITH_ANSWER = ("rouge", "accuracy", "exp_similarity")


@dataclass(frozen=True, slots=True)
class _Example:
    """One answer of the report; `card` and `why` are empty for an answer too long to be explained."""

    row: AnswerRow
    id: str
    reason: str | None
    answer: str | None
    card: Markup | str
    why: Markup | str


def html_report(
    scored: ScoredFile | FileView, *, references: bool = False, name: str | None = None, day: date | None = None
) -> str:
    """The report.

    Args:
        scored: the scored file, or its view where there is one already (it takes the longest).
        name: of the system; default: that of its file.
        day: the date on the report; default: today, UTC.
    """
    view = explain_file(scored) if isinstance(scored, ScoredFile) else scored
    shown = view.scored if references else _without_details(view.scored)
    chosen = choose_informative(view.rows)
    name = cut(name or system_name(shown), 120)
    benchmark = shown.of.title
    body = render(
        "standalone.html",
        name=name,
        benchmark=benchmark,
        files=shown.files,
        source=shown.source,
        day=day or datetime.now(timezone.utc).date(),
        version=VERSION,
        engine=engine().name,
        references=references,
        problems=problems(shown),
        summary=summary(replace(view, scored=shown)),
        run_title=run_title(shown),
        run=run_report(shown),
        losses=losses(view),
        tasks={task: [_example(row, references=references) for row in rows] for task, rows in chosen.items()},
        titles={task: info(shown.of.all_tasks[task]).title for task in chosen},
        longest=LONGEST_EXPLAINED,
    )
    return page(f"{name}: {benchmark} scores", [body])


def system_name(scored: ScoredFile) -> str:
    """What to call the system when nobody said: the model of a run, a file without the suffix, or how many files."""
    if scored.run is not None:
        return scored.run.title
    files = [file.name for file in scored.files]
    return PurePath(files[0]).stem if len(files) == 1 else f"{len(files)} files"


def _without_details(scored: ScoredFile) -> ScoredFile:
    """The problems without their details, which may quote a reference."""
    return replace(scored, problems=[replace(problem, detail=None) for problem in scored.problems])


def _example(row: AnswerRow, *, references: bool) -> _Example:
    answer = cut(row.answer, LONGEST_SHOWN)
    if len(row.answer) > LONGEST_EXPLAINED:
        return _Example(row, cut(row.id, 120), None, answer, "", "")
    found = explain(row.task, row.answer, row.references)
    found = found if references else found.without_references()
    card = score_card(row.task, found.result)
    shown = None if found.task.metric.name in _VIEWS_WITH_ANSWER else answer
    return _Example(row, cut(row.id, 120), found.reason, shown, card, why(found, longest=LONGEST_SHOWN))
