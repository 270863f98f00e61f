"""A comparison of systems for people: verdicts in sentences, the tables for a terminal, Markdown and LaTeX."""

from collections.abc import Iterator
from dataclasses import replace

from zs_bench.problems import counted, short
from zs_bench.reports.report_text import ends, one_decimal
from zs_bench.reports.tables import few, latex_table, latex_text, listed, markdown_table, markdown_text, text_table
from zs_bench.scoring.pairing import Comparison, Outcome, SystemComparison, TaskOutcome
from zs_bench.statistics.columns import EQUAL
from zs_bench.tasks import info

#: How many examples at either end are named per task.
MOST = 2


def verdict(outcome: Outcome, first: str, second: str) -> str:
    """The result of the comparison as a sentence; difference and interval are given from the better system's side.

    >>> from zs_bench.statistics.paired_comparison import PairedComparison
    >>> verdict(Outcome((40.0, 42.5), PairedComparison(-2.5, None, 0.31, False, 10_000, 3, 2, 5, 87)), "one", "two")
    'no clear difference: two leads by 2.5 points, p = 0.310; about 87 more examples would be needed'
    """
    found = outcome.comparison
    leader = first if found.difference > 0 else second
    points, interval = _seen(outcome, reverse=found.difference < 0)
    by = f"by {points:.1f} points{interval}, p = {p_value(found.p_value)}"
    if found.separated():
        return f"{leader} is better {by}"
    if abs(found.difference) <= EQUAL:
        return "no difference"
    return f"no clear difference: {leader} leads {by}; {_needed(outcome.more_examples)}"


def better(outcome: Outcome, match: SystemComparison) -> str | None:
    """The name of the better system; `None` where the difference is not clear."""
    if not outcome.comparison.separated():
        return None
    return match.first if outcome.comparison.difference > 0 else match.second


def verdict_word(outcome: Outcome, match: SystemComparison) -> str:
    """The verdict in a few words."""
    if winner := better(outcome, match):
        return f"{winner} better"
    return "no difference" if abs(outcome.comparison.difference) <= EQUAL else "no clear difference"


def p_value(p: float) -> str:
    """The p-value to 3 decimals, a small one to 4."""
    return f"{p:.3f}" if p >= 0.001 else f"{p:.4f}"


def document_points(match: SystemComparison) -> str:
    """The points that need the document, overall and by task; empty unless that is what the two differ in."""
    if match.without_document is None or not match.tasks:
        return ""
    reverse = match.without_document == match.first
    seen = {title: _seen(one, reverse=reverse) for title, one in outcomes(match)}
    found = [f"{title} {points:+.1f}{interval}" for title, (points, interval) in seen.items()]
    whole = [found.pop()] if match.mean and len(match.averaged) > 1 else []
    return (
        f"Points that need the document: {'; '.join([*whole, ', '.join(found)])} "
        f"({match.without_document} is the same model, asked without the document)."
    )


def _seen(outcome: Outcome, *, reverse: bool) -> tuple[float, str]:
    """The difference and its interval, first minus second, or the reverse."""
    points, found = outcome.comparison.difference, outcome.comparison.interval
    if not reverse:
        return points, ends(found, " ")
    return -points, ends(found and replace(found, low=-found.high, high=-found.low), " ")


def _needed(examples: int | None) -> str:
    """How many more examples would be needed: an order of magnitude, to two digits."""
    if examples is None:
        return "a single document says nothing about others"
    if not examples:
        return "a few more examples may be enough"
    return f"about {float(f'{examples:.2g}'):,.0f} more examples would be needed"


def warnings(match: SystemComparison) -> list[str]:
    """What limits the comparison, a sentence each."""
    reasons: dict[str, list[str]] = {}
    for task, why in match.not_compared.items():
        reasons.setdefault(why, []).append(task)
    return [
        *(f"not compared, {why}: {', '.join(tasks)}" for why, tasks in reasons.items()),
        *(f"{task}: {_left_out(found, match)}" for task, found in match.tasks.items() if found.partial),
        *(f"the two were not scored in the same way: {line}" for line in match.differ),
    ]


def _left_out(found: TaskOutcome, match: SystemComparison) -> str:
    alone = ((match.first, found.only_first), (match.second, found.only_second))
    only = [f"{len(ids):,} only by {name} ({few(list(map(short, ids)))})" for name, ids in alone if ids]
    both = f"{len(found.examples):,} of {found.total:,} examples were answered by both"
    return "; ".join([both, *only, "only those by both are compared"])


def outcomes(match: SystemComparison) -> Iterator[tuple[str, Outcome]]:
    """The tasks by their names, and last the mean where it is over several."""
    yield from match.tasks.items()
    if match.mean and len(match.averaged) > 1:
        yield "average" if match.whole else f"mean of {len(match.averaged)} tasks", match.mean


def titled_outcomes(match: SystemComparison) -> dict[str, Outcome]:
    """The outcomes by the display names of the tasks."""
    return {
        info(found.task).title if isinstance(found, TaskOutcome) else name.capitalize(): found
        for name, found in outcomes(match)
    }


def as_text(comparison: Comparison) -> str:
    """The comparison for a terminal: for each pair of systems a table, verdicts, and the examples that differ most."""
    return "\n\n".join("\n".join(_match_lines(match)) for match in comparison.comparisons)


def _match_lines(match: SystemComparison) -> Iterator[str]:
    count = sum(len(found.examples) for found in match.tasks.values())
    examples, tasks = counted(count, "example"), counted(len(match.tasks), "task")
    yield f"{match.first} and {match.second}: {examples} answered by both, in {tasks}."
    if match.settings:
        yield f"The runs differ in: {', '.join(match.settings)}."
    if match.tasks:
        head = ("task", short(match.first, 24), short(match.second, 24), "difference", "", "p", "wins-ties-losses")
        rows = [(title, *_cells(found)) for title, found in outcomes(match)]
        yield from ["", *text_table([head, *rows], right=(1, 2, 3, 5, 6))]
        yield from ["", *(f"{title}: {verdict(found, match.first, match.second)}." for title, found in outcomes(match))]
        if needs := document_points(match):
            yield from ["", needs]
        if apart := [line for task, found in match.tasks.items() if (line := _extremes(found, task))]:
            yield from ["", "Largest differences:", *apart]
        yield from ["", _about(match)]
    yield from listed("Warnings", warnings(match))


def _cells(found: Outcome) -> tuple[str, str, str, str, str, str]:
    paired, (first, second) = found.comparison, (f"{score:.4f}" for score in found.scores)
    counts = f"{paired.wins}-{paired.ties}-{paired.losses}"
    return first, second, f"{paired.difference:+.1f}", ends(paired.interval), p_value(paired.p_value), counts


def _extremes(found: TaskOutcome, task: str) -> str:
    """The examples with the largest differences in favour of either system; empty if there are no differences."""
    won = [one for one in found.examples[:MOST] if one.difference > 0]
    lost = [one for one in found.examples[: -MOST - 1 : -1] if one.difference < 0]
    named = [f"{short(one.id)} {one.difference:+.1f}" for one in [*won, *lost]]
    return f"- {task}: {', '.join(named)}" if named else ""


def _about(match: SystemComparison) -> str:
    paired = next(iter(match.tasks.values())).comparison
    rounds = max(found.comparison.rounds for _, found in outcomes(match))
    drawn = f", {paired.interval.resamples:,} resamples, seed {paired.interval.seed}" if paired.interval else ""
    return (
        f"Difference: {match.first} minus {match.second}. Interval: 95 %, paired bootstrap{drawn}. "
        f"p: paired randomisation test, two-sided, {counted(rounds, 'swap')} at most, not corrected for the number of "
        "tasks."
    )


def as_markdown(comparison: Comparison) -> str:
    """The comparison as Markdown, a table of verdicts per pair of systems."""
    return "\n".join("\n".join(_markdown_lines(match)) + "\n" for match in comparison.comparisons)


def _markdown_lines(match: SystemComparison) -> Iterator[str]:
    first, second = markdown_text(match.first), markdown_text(match.second)
    rows = []
    for name, found in outcomes(match):
        title = info(found.task).title if isinstance(found, TaskOutcome) else name
        cells = _cells(found)
        rows.append((title, *cells[:2], cells[-1], verdict(found, first, second)))
    yield from markdown_table(("task", first, second, "wins-ties-losses", "verdict"), rows, right=(1, 2, 3))
    if needs := document_points(match):
        yield from ["", markdown_text(needs)]
    if care := warnings(match):
        yield from ["", *(f"- {markdown_text(line)}" for line in care)]


def as_latex(comparison: Comparison) -> str:
    """The comparison as LaTeX tables that need no package, one per pair of systems; a star marks p < 0.05."""
    return "\n".join("\n".join([*_latex_lines(match), ""]) for match in comparison.comparisons)


def _latex_lines(match: SystemComparison) -> Iterator[str]:
    head = ("Task", latex_text(match.first), latex_text(match.second), "Difference", "95\\%", "$p$")
    rows = []
    for title, found in titled_outcomes(match).items():
        *_, interval, p, _ = _cells(found)
        difference = f"${found.comparison.difference:+.1f}${'$^*$' if found.comparison.separated() else ''}"
        rows.append((latex_text(title), *map(one_decimal, found.scores), difference, interval, p))
    yield from latex_table(head, rows, right=range(1, 6))
    yield r"% difference: first minus second; *: p < 0.05, paired randomisation, not corrected for the number of tasks"
