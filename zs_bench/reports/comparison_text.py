"""A comparison of systems for people: verdicts in sentences, the tables for a terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zs_bench.catalog import FACTS
from zs_bench.problems import short
from zs_bench.reports.exports import markdown_table, markdown_text
from zs_bench.reports.matches import Comparison, Match, Outcome, TaskOutcome
from zs_bench.reports.report_text import ends, table
from zs_bench.statistics.bootstrap import Interval
from zs_bench.statistics.pairs import EQUAL

#: How many examples at either end are named per task.
MOST = 2


def verdict(outcome: Outcome, first: str, second: str) -> str:
    """What the comparison says, in a sentence; the difference and its interval are told of the better one.

    >>> from zs_bench.statistics.duel import Duel
    >>> verdict(Outcome((40.0, 42.5), Duel(-2.5, None, 0.31, False, 10_000, 3, 2, 5, 87)), "one", "two")
    'not separated: two leads by 2.5 points, p = 0.310; about 87 more examples would be needed'
    """
    found = outcome.duel
    leader = first if found.difference > 0 else second
    by = f"by {abs(found.difference):.1f} points{_of_the_better(outcome)}, p = {p_value(found.p_value)}"
    if found.separated():
        return f"{leader} is better {by}"
    if abs(found.difference) <= EQUAL:
        return "no difference"
    return f"not separated: {leader} leads {by}; {_needed(outcome.more_examples)}"


def p_value(p: float) -> str:
    """The p-value to 3 decimals, a small one to 4."""
    return f"{p:.3f}" if p >= 0.001 else f"{p:.4f}"


def _of_the_better(outcome: Outcome) -> str:
    """The interval around the difference, seen from the better of the two."""
    found = outcome.duel.interval
    if found and outcome.duel.difference < 0:
        found = Interval(-found.high, -found.low, found.level, found.resamples, found.seed, found.clusters)
    return ends(found, " ")


def _needed(examples: int | None) -> str:
    """How many more examples would be needed: an order of magnitude, so two digits are told."""
    if examples is None:
        return "from a single document nothing can be said"
    if not examples:
        return "a few more examples may separate them"
    return f"about {float(f'{examples:.2g}'):,.0f} more examples would be needed"


def warnings(match: Match) -> list[str]:
    """What speaks against the comparison, a sentence each."""
    told = [f"{task}: not compared, {why}" for task, why in match.not_compared.items()]
    told += [f"{task}: {_left_out(found, match)}" for task, found in match.tasks.items() if found.partial]
    return [*told, *(f"the two scores rest on different things: {line}" for line in match.differ)]


def _left_out(found: TaskOutcome, match: Match) -> str:
    alone = ((match.first, found.only_first), (match.second, found.only_second))
    told = [f"{len(ids):,} only by {name} ({_few(ids)})" for name, ids in alone if ids]
    both = f"{len(found.examples):,} of {found.total:,} examples were answered by both"
    return "; ".join([both, *told, "only those by both are compared"])


def _few(ids: Sequence[str]) -> str:
    return ", ".join(map(short, ids[:3])) + (", …" if len(ids) > 3 else "")


def mean_title(match: Match) -> str:
    """What the mean over the tasks compared is called."""
    count = len(match.averaged)
    return "average" if match.whole else f"mean of {count} task{'' if count == 1 else 's'}"


def outcomes(match: Match) -> Iterator[tuple[str, Outcome]]:
    """The tasks by their names, and last the mean."""
    yield from match.tasks.items()
    if match.mean:
        yield mean_title(match), match.mean


def as_text(comparison: Comparison) -> str:
    """The comparison for a terminal: per pair of systems the table, the verdicts, and where they differ most."""
    return "\n\n".join("\n".join(_match_lines(match)) for match in comparison.matches)


def _match_lines(match: Match) -> Iterator[str]:
    count = sum(len(found.examples) for found in match.tasks.values())
    yield f"{match.first} against {match.second}: {count:,} examples answered by both, tasks: {len(match.tasks)}."
    if match.tasks:
        head = ("task", short(match.first, 20), short(match.second, 20), "difference", "", "p", "wins-ties-losses")
        rows = [(title, *_cells(found)) for title, found in outcomes(match)]
        yield from ["", *table([head, *rows], right=(1, 2, 3, 5, 6))]
        yield from ["", *(f"{title}: {verdict(found, match.first, match.second)}." for title, found in outcomes(match))]
        yield from ["", "Furthest apart:", *map(_extremes, match.tasks.values(), match.tasks)]
        yield from ["", _about(match)]
    if told := warnings(match):
        yield from ["", "Warnings:", *(f"- {line}" for line in told)]


def _cells(found: Outcome) -> tuple[str, str, str, str, str, str]:
    duel, (first, second) = found.duel, found.scores
    counts = f"{duel.wins}-{duel.ties}-{duel.losses}"
    return (
        f"{first:.4f}",
        f"{second:.4f}",
        f"{duel.difference:+.1f}",
        ends(duel.interval),
        p_value(duel.p_value),
        counts,
    )


def _extremes(found: TaskOutcome, task: str) -> str:
    """The examples that the first won by most, and those that it lost by most."""
    won = [one for one in found.examples[:MOST] if one.difference > 0]
    lost = [one for one in found.examples[: -MOST - 1 : -1] if one.difference < 0]
    told = [f"{short(one.id)} {one.difference:+.1f}" for one in [*won, *lost]]
    return f"- {task}: {', '.join(told) or 'nowhere apart'}"


def _about(match: Match) -> str:
    """What the numbers are, and what they do not account for."""
    duel = next(iter(match.tasks.values())).duel
    drawn = f", {duel.interval.resamples:,} resamples, seed {duel.interval.seed}" if duel.interval else ""
    return (
        f"Difference: {match.first} minus {match.second}. Interval: 95 %, paired bootstrap{drawn}. "
        f"p: paired randomisation, two-sided, at most {max(f.duel.rounds for _, f in outcomes(match)):,} swaps; "
        "it is not corrected for the number of tasks."
    )


def as_markdown(comparison: Comparison) -> str:
    """The comparison as Markdown, a table of verdicts per pair of systems."""
    return "\n".join("\n".join(_markdown_lines(match)) + "\n" for match in comparison.matches)


def _markdown_lines(match: Match) -> Iterator[str]:
    first, second = markdown_text(match.first), markdown_text(match.second)
    head = ("task", first, second, "wins-ties-losses", "verdict")
    titles = {task: FACTS[task].title for task in match.tasks}
    rows = [(titles.get(name, name), *_cells(found), verdict(found, first, second)) for name, found in outcomes(match)]
    yield from markdown_table(head, [(*row[:3], *row[-2:]) for row in rows], right=(1, 2, 3))
    if told := warnings(match):
        yield from ["", *(f"- {markdown_text(line)}" for line in told)]
