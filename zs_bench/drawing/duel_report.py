"""Two systems as HTML: the verdict, the differences drawn, the table, and the examples that differ most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from zs_bench.catalog import FACTS
from zs_bench.drawing.cards import notice
from zs_bench.drawing.duel_chart import Difference, duel_chart
from zs_bench.drawing.markup import html, join
from zs_bench.reports.comparison_text import p_value, verdict, warnings
from zs_bench.reports.matches import Comparison, ExampleDifference, Match, Outcome

_MEAN = "Mean of tasks"
#: Examples shown at either end.
MOST_EXAMPLES = 8


def duel_report(comparison: Comparison) -> Markup:
    """Every match of the comparison."""
    return join(_match(match) for match in comparison.matches)


def _match(match: Match) -> Markup:
    rows: list[tuple[str, Outcome]] = [(FACTS[task].title, outcome) for task, outcome in match.tasks.items()]
    if match.mean is not None:
        rows.append((_MEAN, match.mean))
    told = warnings(match)
    care = notice("warning", "Compare with care", told) if told else Markup("")
    if not rows:
        return care
    overall = verdict(match.mean, match.first, match.second) if match.mean else ""
    return html(
        '<section class="zs-losses" id="duel"><h3>{} against {}</h3>'
        '<p class="zs-reason" role="status">Overall: {}.</p>{}{}{}{}</section>',
        match.first,
        match.second,
        overall,
        care,
        _chart(match, rows),
        _table(match, rows),
        _examples(match),
    )


def _chart(match: Match, rows: Sequence[tuple[str, Outcome]]) -> Markup:
    differences = [_difference(title, outcome) for title, outcome in rows]
    told = "; ".join(f"{d.title} {d.value:+.2f}{'' if d.separated else ', not separated'}" for d in differences)
    label = f"{match.first} minus {match.second}, points with 95 % intervals: {told}"
    return duel_chart(differences, (f"{match.second} better", f"{match.first} better"), label)


def _difference(title: str, outcome: Outcome) -> Difference:
    found = outcome.duel
    low, high = (found.interval.low, found.interval.high) if found.interval else (None, None)
    return Difference(title, found.difference, low, high, found.separated())


def _table(match: Match, rows: Iterable[tuple[str, Outcome]]) -> Markup:
    return html(
        '<div class="zs-scroll" tabindex="0" role="region" aria-label="Differences per task">'
        '<table class="zs-table" id="duel-table"><thead><tr><th scope="col">Task</th>'
        '<th scope="col" class="num">{}</th><th scope="col" class="num">{}</th>'
        '<th scope="col" class="num">Difference</th><th scope="col" class="num">p</th>'
        '<th scope="col" class="num">Wins, ties, losses</th><th scope="col">Verdict</th></tr></thead><tbody>{}</tbody>'
        "</table></div>",
        match.first,
        match.second,
        join(_row(match, title, outcome) for title, outcome in rows),
    )


def _row(match: Match, title: str, outcome: Outcome) -> Markup:
    found = outcome.duel
    ends = f" [{found.interval.low:+.2f}, {found.interval.high:+.2f}]" if found.interval else ""
    return html(
        '<tr><th scope="row">{}</th><td class="num">{:.2f}</td><td class="num">{:.2f}</td><td class="num">{}</td>'
        '<td class="num">{}</td><td class="num">{} · {} · {}</td><td class="wrap">{}</td></tr>',
        title,
        *outcome.scores,
        f"{found.difference:+.2f}{ends}",
        p_value(found.p_value),
        found.wins,
        found.ties,
        found.losses,
        verdict(outcome, match.first, match.second),
    )


def _examples(match: Match) -> Markup:
    """The examples that differ most, for the first and for the second system."""
    rows = [(FACTS[task].title, example) for task, found in match.tasks.items() for example in found.examples]
    rows.sort(key=lambda row: row[1].difference, reverse=True)
    sides = (
        (match.first, [row for row in rows[:MOST_EXAMPLES] if row[1].difference > 0]),
        (match.second, [row for row in reversed(rows[-MOST_EXAMPLES:]) if row[1].difference < 0]),
    )
    lists = join(
        html("<div><h4>Best for {}</h4><ul class='zs-list'>{}</ul></div>", name, join(_example(*row) for row in found))
        for name, found in sides
    )
    return html(
        '<details class="zs-details"><summary>Where they differ most</summary><div class="zs-sides">{}</div></details>',
        lists,
    )


def _example(title: str, example: ExampleDifference) -> Markup:
    return html(
        "<li>{} <code>{}</code>: {:.1f} against {:.1f} ({:+.1f})</li>",
        title,
        example.id[:80],
        example.first,
        example.second,
        example.difference,
    )
