"""A scored file as one HTML file that can be sent: no script, no request, light or dark as its reader's system is.

It holds the summary, the charts, the losses and the hundred most telling answers (`reports/telling.py` says which),
each with why it has its score; long answers are cut. Without references, nothing that a reference says is in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from zs_bench.catalog import FACTS
from zs_bench.reports.file_view import AnswerRow, FileView, look_at
from zs_bench.reports.scored import ScoredFile
from zs_bench.reports.telling import choose_telling
from zs_bench.reports.without_references import without_references
from zs_metric.explain import explain
from zs_metric.rouge_engines import engine
from zs_metric.version import VERSION

from . import words
from .cards import score_card
from .file_report import losses, problems, summary
from .markup import NOTHING, cut, html, join
from .page import page
from .why import why

#: The most characters of a text that are drawn, and of an answer that is explained at all.
LONGEST_SHOWN, LONGEST_EXPLAINED = 2_000, 50_000
# The metrics whose views hold the text of the answer anyway.
_VIEWS_WITH_ANSWER = ("rouge", "accuracy", "exp_similarity")


def html_report(scored: ScoredFile | FileView, *, references: bool = False) -> str:
    """The report.

    Args:
        scored: the scored file, or its view where there is one already (it takes the longest).
        references: whether it shows what the references say.
    """
    view = look_at(scored) if isinstance(scored, ScoredFile) else scored
    told = view.scored if references else _without_details(view.scored)
    chosen = choose_telling(view.rows)
    title = words.REPORT_TITLE.format(told.of.title)
    parts = [
        html("<header><h1>{}</h1>{}</header>", title, _about(references=references)),
        problems(told),
        summary(told),
        losses(view),
        _contents(chosen) if chosen else NOTHING,
        *(_task(name, rows, told.benchmark_name, references=references) for name, rows in chosen.items()),
    ]
    return page(title, parts)


def _without_details(scored: ScoredFile) -> ScoredFile:
    """What is wrong told without what stands there, which may be a reference."""
    return replace(scored, problems=[replace(problem, detail=None) for problem in scored.problems])


def _about(*, references: bool) -> Markup:
    lines = [
        words.REPORT_MADE.format(VERSION, engine().name),
        words.REPORT_WITH if references else words.REPORT_WITHOUT,
    ]
    return join(html('<p class="zs-soft">{}</p>', line) for line in lines)


def _contents(chosen: Mapping[str, Sequence[AnswerRow]]) -> Markup:
    links = join(
        html('<li><a href="#{}">{}</a> {}</li>', name, FACTS[name].title, len(rows)) for name, rows in chosen.items()
    )
    return html(
        '<h2>{}</h2><p class="zs-soft">{}</p><nav aria-label="Tasks"><ul>{}</ul></nav>',
        words.REPORT_TELLING,
        words.REPORT_RULE,
        links,
    )


def _task(name: str, rows: Sequence[AnswerRow], benchmark: str, *, references: bool) -> Markup:
    examples = join(_example(row, benchmark, references=references) for row in rows)
    return html('<section id="{}"><h3>{}</h3>{}</section>', name, FACTS[name].title, examples)


def _example(row: AnswerRow, benchmark: str, *, references: bool) -> Markup:
    if len(row.answer) > LONGEST_EXPLAINED:
        return _opened(
            row, None, _answer(row) + html('<p class="zs-soft">{}</p>', words.TOO_LONG.format(LONGEST_EXPLAINED))
        )
    told = explain(row.task, row.answer, row.references, benchmark=benchmark)
    told = told if references else without_references(told)
    card = score_card(row.task, replace(row.result, reason=told["reason"]), {}, live=False, benchmark=benchmark)
    answer = NOTHING if told["metric"] in _VIEWS_WITH_ANSWER else _answer(row)
    return _opened(row, told["reason"], answer + card + why(told, longest=LONGEST_SHOWN))


def _answer(row: AnswerRow) -> Markup:
    text = cut(row.answer, LONGEST_SHOWN) if row.answer.strip() else Markup('<span class="zs-none">empty</span>')
    return html('<h4>Answer</h4><p class="zs-text" tabindex="0">{}</p>', text)


def _opened(row: AnswerRow, reason: str | None, inside: Markup) -> Markup:
    return html(
        '<details class="zs-example"><summary><b>{:.2f}</b> <bdi>{}</bdi> <span class="zs-soft">{}{}</span></summary>'
        "{}</details>",
        row.result.score,
        cut(row.id, 120),
        words.LOST_MOST.format(row.lost_to),
        f": {reason}" if reason else "",
        inside,
    )
