"""A comparison of systems for people: verdicts in sentences, the tables for a terminal, Markdown and LaTeX."""

from collections.abc import Iterator
from dataclasses import replace

from zs_bench.problems import counted, short
from zs_bench.reports.report import format_interval, one_decimal
from zs_bench.reports.tables import Table, few, latex_text, listed, markdown_text
from zs_bench.scoring.pairing import CHANGED, Comparison, Outcome, SystemComparison, TaskOutcome
from zs_bench.statistics.columns import EQUAL
from zs_bench.statistics.paired_comparison import Needed
from zs_bench.tasks import info


def headline(match: SystemComparison) -> str:
    """Return the verdict on the average, or on the only task, as a sentence; empty if nothing was compared."""
    *_, (title, outcome) = [("", None), *titled_outcomes(match).items()]
    return f"{title}: {verdict(outcome, match.first, match.second)}." if outcome else ""


def verdict(outcome: Outcome, first: str, second: str) -> str:
    """Return the verdict as a sentence, without a full stop.

    Without a margin it names the better system, and difference and interval are given from its side; with a margin it
    is about the second system, and they are its gain or its loss.

    >>> from zs_bench.statistics.intervals import Interval
    >>> from zs_bench.statistics.paired_comparison import PairedComparison
    >>> paired = PairedComparison(0.5, Interval(-0.9, 1.8), 1.6, 0.31, 30, 20, 50)
    >>> print(verdict(Outcome((40.5, 40.0), paired, 2.0), "A", "B"))
    B is as good as A within 2 points: a loss of 0.5 points [-0.9, 1.8], of less than 1.6 with 95 % confidence
    """
    paired, margin = outcome.comparison, outcome.margin
    gained, equal = paired.difference < 0, abs(paired.difference) <= EQUAL
    points, interval = _seen(outcome, reverse=gained and not (equal and margin is None))
    leads = (
        f"equal scores{interval}" if equal else f"{second if gained else first} leads by {points:.1f} points{interval}"
    )
    if paired.below is None or paired.p_value is None:
        return f"undecided, {paired.reason}: {leads}"
    p = f"p {'' if paired.p_value < 0.0001 else '= '}{p_value(paired.p_value)}"
    if margin is None:
        if paired.separated():
            return f"{leads.replace(' leads by ', ' is better by ', 1)}, {p}"
        return f"no clear difference: {leads}, {p}{_needed(outcome.needed)}"
    by = "equal scores" if equal else f"a {'gain' if gained else 'loss'} of {one_decimal(points)} points"
    by += interval
    within = f"as good as {first} within {margin:g} points"
    below = f"{'a loss ' * (gained or equal)}of less than {one_decimal(paired.below)}"
    sentences = {
        "better": f"{second} is better than {first}: {by}, {p}",
        "as good": f"{second} is {within}: {by}, {'no loss' if paired.below <= 0 else below} with 95 % confidence",
        "worse": f"{second} is worse than {first}, and not shown to be {within}: {by}, {p}",
        "undecided": f"undecided whether {second} is {within}: {by}{_needed(outcome.needed)}",
    }
    return sentences[outcome.kind]


def better(outcome: Outcome, match: SystemComparison) -> str | None:
    """Return the name of the better system; `None` where the difference is not clear."""
    if not outcome.comparison.separated():
        return None
    return match.first if outcome.comparison.difference > 0 else match.second


def verdict_word(outcome: Outcome, match: SystemComparison) -> str:
    """Return the verdict in a few words."""
    if outcome.margin is not None:
        return outcome.kind
    return f"{winner} better" if (winner := better(outcome, match)) else "no clear difference"


def p_value(p: float | None) -> str:
    """Return the p-value to 3 decimals, a small one to 4; "–" if there is none.

    >>> p_value(0.0312), p_value(0.0007), p_value(1e-7), p_value(None)
    ('0.031', '0.0007', '< 0.0001', '–')
    """
    if p is None:
        return "–"
    return f"{p:.3f}" if p >= 0.001 else f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def closed_book_gap(match: SystemComparison) -> str:
    """Return the points that need the document, overall and by task; empty unless that is what the two differ in."""
    if match.without_document is None or not match.tasks:
        return ""
    reverse = match.without_document == match.first
    seen = {name: _seen(outcome, reverse=reverse) for name, outcome in outcomes(match)}
    gaps = [f"{name} {points:+.1f}{interval}" for name, (points, interval) in seen.items()]
    whole = [gaps.pop()] if match.mean and len(match.averaged) > 1 else []
    return (
        f"Points that need the document: {'; '.join([*whole, ', '.join(gaps)])} "
        f"({match.without_document} is the same model, asked without the document)."
    )


def _seen(outcome: Outcome, *, reverse: bool) -> tuple[float, str]:
    """Return the difference and its interval, first minus second, or the reverse."""
    points, interval = outcome.comparison.difference, outcome.comparison.interval
    if not reverse:
        return points, format_interval(interval, " ")
    return -points, format_interval(interval and replace(interval, low=-interval.high, high=-interval.low), " ")


def _needed(needed: Needed | None) -> str:
    """Return about how many more examples would decide, to two digits; empty where it cannot be told."""
    if needed is None:
        return ""
    about, least = (f"{float(f'{count:.2g}'):,.0f}" for count in (needed.about, needed.least))
    far = needed.most is None or needed.most > 20 * max(needed.about, 1)
    most = "far more" if far else f"{float(f'{needed.most:.2g}'):,.0f}"
    return f"; about {about} more examples would decide ({least} to {most})"


def warnings(match: SystemComparison) -> list[str]:
    """Return what limits the comparison, a sentence each."""
    reasons: dict[str, list[str]] = {}
    for task, why in match.not_compared.items():
        reasons.setdefault(why, []).append(task)
    return [
        *(f"not compared, {why}: {', '.join(tasks)}" for why, tasks in reasons.items()),
        *(f"{task}: {_left_out(outcome, match)}" for task, outcome in match.tasks.items() if outcome.partial),
        *(f"the two were not scored in the same way: {line}" for line in match.differ),
    ]


def _left_out(outcome: TaskOutcome, match: SystemComparison) -> str:
    alone = ((match.first, outcome.only_first), (match.second, outcome.only_second))
    only = [f"{len(ids):,} only by {name} ({few(list(map(short, ids)))})" for name, ids in alone if ids]
    both = f"{len(outcome.examples):,} of {outcome.total:,} examples were answered by both"
    return "; ".join([both, *only, "only those by both are compared"])


def outcomes(match: SystemComparison) -> Iterator[tuple[str, Outcome]]:
    """Yield the tasks by their names, and last the mean where it is over several."""
    yield from match.tasks.items()
    if match.mean and len(match.averaged) > 1:
        yield "average" if match.whole else f"mean of {len(match.averaged)} tasks", match.mean


def titled_outcomes(match: SystemComparison) -> dict[str, Outcome]:
    """Return the outcomes by the display names of the tasks."""
    return {
        info(outcome.task).title if isinstance(outcome, TaskOutcome) else name.capitalize(): outcome
        for name, outcome in outcomes(match)
    }


def as_text(comparison: Comparison) -> str:
    """Return the comparison for a terminal: per pair of systems a table, verdicts, and how many answers changed."""
    return "\n\n".join("\n".join(_match_lines(match)) for match in comparison.comparisons)


def _match_lines(match: SystemComparison) -> Iterator[str]:
    if first := headline(match):
        yield from [first, ""]
    count = sum(len(outcome.examples) for outcome in match.tasks.values())
    examples, tasks = counted(count, "example"), counted(len(match.tasks), "task")
    yield f"{match.first} and {match.second}: {examples} answered by both, in {tasks}."
    if match.settings:
        yield f"The runs differ in: {', '.join(match.settings)}."
    if match.tasks:
        yield from ["", table(match).text(), ""]
        yield from (f"{name}: {verdict(outcome, match.first, match.second)}." for name, outcome in outcomes(match))
        if needs := closed_book_gap(match):
            yield from ["", needs]
        yield from ["", f"Answers that changed by more than {CHANGED:g} points, from {match.first} to {match.second}:"]
        yield from (f"- {changes(outcome)}" for outcome in match.tasks.values())
        yield ""
        yield (
            f"Difference: {match.first} minus {match.second}, with its 95 % interval, which decides; p is its other "
            "side, two-sided. p (Holm) is corrected for the number of tasks."
        )
    yield from listed("Warnings", warnings(match))


def table(match: SystemComparison) -> Table:
    """Return the scores of both systems, the difference and its interval, and the p-values."""
    head = (
        "task",
        short(match.first, 24),
        short(match.second, 24),
        "difference",
        "",
        "p",
        "p (Holm)",
        "wins-ties-losses",
    )
    rows = [(name, *_cells(outcome, match)) for name, outcome in outcomes(match)]
    return Table(head, rows, right=(1, 2, 3, 5, 6, 7))


def _cells(outcome: Outcome, match: SystemComparison) -> tuple[str, ...]:
    paired, holm, counts = outcome.comparison, "", ""
    if isinstance(outcome, TaskOutcome):
        holm = p_value(match.corrected[outcome.task.name])
        counts = f"{paired.wins}-{paired.ties}-{paired.losses}"
    scores = (f"{score:.4f}" for score in outcome.scores)
    difference = f"{round(paired.difference, 1) + 0.0:+.1f}"
    return *scores, difference, format_interval(paired.interval), p_value(paired.p_value), holm, counts


def changes(outcome: TaskOutcome) -> str:
    """Return how many answers changed, with some ids, and how many texts are the same."""
    right = outcome.task.metric.name in ("accuracy", "exact_match")  # their scores are 0 or 100
    words = ("right to wrong", "wrong to right") if right else ("lower", "higher")
    parts = [
        f"{len(ids):,} {word}{f' ({few(list(map(short, ids)))})' if ids else ''}"
        for word, ids in zip(words, (outcome.lost, outcome.gained), strict=True)
    ]
    return f"{outcome.task}: {', '.join(parts)}; {outcome.identical:,} of {len(outcome.examples):,} texts are identical"


def as_markdown(comparison: Comparison) -> str:
    """Return the comparison as Markdown, a table of verdicts per pair of systems."""
    return "\n".join("\n".join(_markdown_lines(match)) + "\n" for match in comparison.comparisons)


def _markdown_lines(match: SystemComparison) -> Iterator[str]:
    first, second = markdown_text(match.first), markdown_text(match.second)
    rows = []
    for name, outcome in outcomes(match):
        title = info(outcome.task).title if isinstance(outcome, TaskOutcome) else name
        scores, counts = _cells(outcome, match)[:2], _cells(outcome, match)[-1]
        rows.append((title, *scores, counts, verdict(outcome, first, second)))
    yield Table(("task", first, second, "wins-ties-losses", "verdict"), rows, right=(1, 2, 3)).markdown()
    if needs := closed_book_gap(match):
        yield from ["", markdown_text(needs)]
    if limits := warnings(match):
        yield from ["", *(f"- {markdown_text(line)}" for line in limits)]


def as_latex(comparison: Comparison) -> str:
    """Return the comparison as LaTeX tables, one per pair of systems; a star marks a clear difference."""
    note = "% difference: first minus second; *: the 95 % interval does not hold 0, p < 0.05 (not corrected)"
    tables = []
    for match in comparison.comparisons:
        head = ("Task", latex_text(match.first), latex_text(match.second), "Difference", "95\\%", "$p$")
        rows = []
        for title, outcome in titled_outcomes(match).items():
            _, _, points, interval, p, *_ = _cells(outcome, match)
            difference = f"${points}${'$^*$' if outcome.comparison.separated() else ''}"
            rows.append((latex_text(title), *map(one_decimal, outcome.scores), difference, interval, p))
        tables.append(f"{Table(head, rows, right=range(1, 6)).latex()}\n{note}\n")
    return "\n".join(tables)
