"""Two or more systems on the same references, each compared with the first: `compare`, and the result in every form.

Every difference is new minus old: the score of the other system minus that of the first one. `verdict` puts an outcome
into a sentence. Text and Markdown have a table for each pair of systems, LaTeX a row for each system, CSV and JSON have
every question with all predictions.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from zs_bench.answers import AveragedResult, aligned, results_of
from zs_bench.problems import MAX_PROBLEMS, counted, lines, lines_by_system, short
from zs_bench.reports.answers import loss_differences
from zs_bench.reports.post_text import post_in_words
from zs_bench.reports.report import (
    AS_IF,
    DAGGER,
    PARTIAL_NOTE,
    averages,
    format_interval,
    interval_as_json,
    one_decimal,
    signed,
    written,
)
from zs_bench.reports.runs import runs_as_json, systems_in_words
from zs_bench.reports.tables import Table, few, latex_text, listed, markdown_text
from zs_bench.scoring.compare import (
    CHANGED,
    Comparison,
    Outcome,
    SystemComparison,
    TaskOutcome,
    compare_systems,
    corrected,
)
from zs_bench.scoring.scored import ScoredFile
from zs_bench.statistics.intervals import unseen_share
from zs_bench.statistics.paired_comparison import ALPHA, FEWEST_SCORING, METHOD_IN_WORDS, PairedComparison, Unseen
from zs_bench.statistics.randomization import EXCHANGES
from zs_bench.statistics.randomization import SIGNATURE as RANDOMIZATION
from zs_metric.errors import ZeroScrollsError
from zs_metric.rouge import ROUGE_TYPES
from zs_metric.version import VERSION

if TYPE_CHECKING:
    from zs_bench.scoring.comparison_data import ComparisonReport

#: The tests that can be asked for beside the interval's.
TESTS = ("randomization",)


def compare(
    systems: Mapping[str, ScoredFile], margins: Mapping[str, float] | None = None, test: str | None = None
) -> Comparison:
    """Compare every system with the first, all scored on the same references.

    A margin is the loss in points up to which a system is as good as the first, by task; "average" is that of the
    average over all tasks, or of the only task that all systems have, "mean" that of the mean over those compared, and
    each also that of tasks without one. With the test "randomization" there is its p-value beside the interval's.
    Raises `ZeroScrollsError` for fewer than two systems, two of one name, other benchmarks or aggregations of ROUGE, a
    margin of the average where all have the same several tasks of more, and another test.
    """
    if test not in (None, *TESTS):
        raise ZeroScrollsError(f"no test {test!r}; it is {' or '.join(map(repr, TESTS))}")
    named = {short(name, 200): scored for name, scored in systems.items()}
    if len(named) < 2 or len(named) < len(systems):
        raise ZeroScrollsError(f"two or more systems of different names can be compared, not {', '.join(named)}")
    if len({scored.benchmark.name for scored in systems.values()}) > 1:
        raise ZeroScrollsError("the systems are scored on different benchmarks; score them on the same one")
    if len({scored.rouge_aggregation for scored in systems.values()}) > 1:
        raise ZeroScrollsError("the systems are scored by different aggregations of ROUGE; score them by the same one")
    first, *others = named.items()
    margins = _of_the_only_task(named, margins or {})
    matches = [compare_systems(first, other, margins, randomization=bool(test)) for other in others]
    return Comparison(named, corrected(matches), bool(test))


def _of_the_only_task(systems: Mapping[str, ScoredFile], margins: Mapping[str, float]) -> Mapping[str, float]:
    """Return the margins, that of the average as that of the task where all systems have one and the same alone.

    Raises `ZeroScrollsError` where they have the same several tasks and not all of the average.
    """
    tasks, *others = [[name for name in scored.benchmark.tasks if name in scored.scored] for scored in systems.values()]
    refused = any(scored.scored.keys() < scored.tasks.keys() for scored in systems.values())
    benchmark = next(iter(systems.values())).benchmark
    all_tasks = benchmark.tasks
    if (
        "average" not in margins
        or benchmark.headline
        or refused
        or not 0 < len(tasks) < len(all_tasks)
        or any(each != tasks for each in others)
    ):
        return margins
    points, rest = margins["average"], {name: margin for name, margin in margins.items() if name != "average"}
    if len(tasks) > 1:
        raise ZeroScrollsError(
            f"a margin of {points:g} is for the average of all {len(all_tasks)} tasks, and all systems have the same "
            f"{len(tasks)}: give mean={points:g} for the mean of these, or {tasks[0]}={points:g} for a task"
        )
    return {tasks[0]: points, **rest}


def outcomes(match: SystemComparison) -> Sequence[tuple[str, str, Outcome]]:
    """Return name, title and outcome of the tasks, and last of the mean where it is over several.

    The averages beside the benchmark's score stand before it.
    """
    rows: list[tuple[str, str, Outcome]]
    rows = [(name, outcome.task.title, outcome) for name, outcome in match.tasks.items()]
    beside = [(title, title, outcome) for title, outcome in match.beside.items()]
    if match.headline:
        return [*rows, *beside, *((title, title, outcome) for title, outcome in match.headline.items())]
    if match.mean is None or len(match.averaged) < 2:
        return rows
    rows += beside
    name = "average" if match.whole else f"mean of {len(match.averaged)} tasks"
    return [*rows, (name, name.capitalize(), match.mean)]


def headline(match: SystemComparison) -> str:
    """Return the verdict on the average, or on the only task, as a sentence."""
    if not (rows := outcomes(match)):
        return "Nothing to compare: no question was answered by both systems."
    last = rows[-max(1, len(match.headline)) :]
    return " ".join(f"{title}: {verdict(outcome, match.first, match.second)}." for _, title, outcome in last)


def verdict(outcome: Outcome, first: str, second: str) -> str:
    """Return the verdict on the second system, a sentence without a full stop; differences are second minus first."""
    paired = outcome.comparison
    by = _points(paired)
    if outcome.partial:
        both, p = f"{paired.examples:,} of {outcome.total:,} examples", _p_in_words(outcome)
        return f"no verdict on the whole, since both answered only {both}; on these {second} minus {first} is {by}{p}"
    if outcome.kind == "identical":
        few = paired.reason or _rare(unseen_share(paired.examples))
        return f"the answers of {second} and {first} are identical; {few}"
    if paired.reason:
        return f"undecided, {paired.reason}: {second} minus {first} is {by}"
    seen = f"{_seen(paired)}{_p_in_words(outcome)}"
    if outcome.margin is None and outcome.kind == "undecided":
        return f"no clear difference between {first} and {second}: {seen}{_detectable(paired)}"
    if outcome.margin is None:
        return _clear_difference(outcome, first, second, seen)
    return _at_margin(outcome, outcome.margin, first, second)


def _points(paired: PairedComparison) -> str:
    return f"{signed(paired.difference)} points{format_interval(paired.interval, ' ')}"


def _seen(paired: PairedComparison) -> str:
    return _points(paired) if paired.interval else "no score differs"


def _clear_difference(outcome: Outcome, first: str, second: str, seen: str) -> str:
    """Return that the second system is better or worse, and what may have stayed unseen if it could turn the sign."""
    clearly, unseen = f"{second} is {outcome.kind} than {first}", outcome.comparison.may_turn
    if unseen is None:
        return f"{clearly}: {seen}"
    failing = second if outcome.kind == "better" else first
    return f"{clearly} on these answers: {seen}; {_rare(unseen.share, failing, unseen)}"


def _rare(share: float, system: str = "", unseen: Unseen | None = None) -> str:
    """Return in how many of the answers failures could stay unseen, as a clause."""
    place = " that score" if unseen else ""
    place = f"{f' to {unseen.task}' if unseen and unseen.task else ''}{place}"
    return (
        f"failures{f' of {system}' if system else ''} in up to {100 * share:.2g} % of answers{place} could stay unseen"
    )


def _at_margin(outcome: Outcome, margin: float, first: str, second: str) -> str:
    paired = outcome.comparison
    by = _seen(paired)
    seen = f"{by}{_p_in_words(outcome)}"
    within = f"as good as {first} within {margin:g} point{'s' * (margin != 1)}"
    above = f", and the 95 % interval lies above {-margin:g}" if paired.interval else ""
    lower = ", but lower" if paired.interval and paired.interval.high < 0 else ""
    if outcome.kind == "as good":
        return f"{second} is {within}{lower}: {seen if outcome.randomization else by}{above}"
    why_not = _unseen(paired, margin, first, second)
    if outcome.kind == "better" and not paired.passes(margin):
        return f"{second} is better than {first} on these answers, but not shown to be {within}: {seen}{why_not}"
    if outcome.kind == "better":
        return _clear_difference(outcome, first, second, seen)
    if outcome.kind == "worse":
        return f"{second} is worse than {first}, and not shown to be {within}: {seen}{why_not}"
    contradicts = outcome.randomization is not None or clear(replace(outcome, corrected=None))
    return f"undecided whether {second} is {within}: {seen if contradicts else by}{why_not or _detectable(paired)}"


def _p_in_words(outcome: Outcome) -> str:
    """Return the p-value, and the corrected one where it decides; empty without one."""
    own, corrected = outcome.comparison.p_value, outcome.corrected
    if own is None:
        return ""
    text, more = f", p {_equals(own)}", list[str]()
    if corrected is not None:
        more.append(f"{p_value(corrected)} corrected for {outcome.corrected_for}")
    if outcome.randomization is not None:
        more.append(f"{p_value(outcome.randomization)} by randomisation")
    return f"{text} ({', '.join(more)})" if more else text


def _equals(p: float) -> str:
    return p_value(p) if p < 0.0001 else f"= {p_value(p)}"


def _unseen(paired: PairedComparison, margin: float, first: str, second: str) -> str:
    """Return what could stay unseen, and how many answers the margin needs, where the interval alone lies above it."""
    unseen = paired.unseen
    if not paired.above(margin) or paired.passes(margin):
        return ""
    if unseen.scoring < FEWEST_SCORING:
        return f"; {counted(unseen.scoring, 'answer')} of {first} score, and a margin needs {FEWEST_SCORING}"
    needed = unseen.needed(margin + paired.difference)
    more = (
        f"; such a margin needs about {needed:,} answers{f' to {unseen.task}' if unseen.task else ''}" if needed else ""
    )
    return f"; {_rare(unseen.share, second, unseen)} and cost {unseen.points:.1f} points{more}"


def clear(outcome: Outcome) -> bool:
    """Return whether the difference is clear: p, or where it decides the corrected p, is below 0.05."""
    p = outcome.comparison.p_value if outcome.corrected is None else outcome.corrected
    return p is not None and p < ALPHA


def better(outcome: Outcome, match: SystemComparison) -> str | None:
    """Return the name of the better system; `None` where the difference is not clear, or not of the whole."""
    name = match.second if outcome.comparison.difference > 0 else match.first
    return name if clear(outcome) and not outcome.partial else None


def verdict_word(outcome: Outcome, match: SystemComparison) -> str:
    if outcome.margin is not None or outcome.kind == "identical":
        return outcome.kind
    if outcome.partial:
        return "no verdict"
    return f"{winner} better" if (winner := better(outcome, match)) else "no clear difference"


def gate(match: SystemComparison) -> list[dict[str, Any]]:
    """Return whether each margin that was asked for is shown to hold, with the reason."""
    return [
        {"name": name, "margin": margin, "holds": match.holds(name), "reason": _reason(match, name, margin)}
        for name, margin in match.margins.items()
    ]


def _reason(match: SystemComparison, name: str, margin: float) -> str:
    if outcome := match.outcome(name):
        return verdict(replace(outcome, margin=margin), match.first, match.second)
    if name == "average" and match.averaged:
        count = f"{len(match.averaged)} of {len(match.benchmark.tasks)}"
        return f"{count} tasks were compared; give --margin mean=POINTS or TASK=POINTS"
    missing = [f"{task}: {why}" for task, why in match.not_compared.items()]
    return match.not_compared.get(name) or "; ".join(missing * (name in ("mean", "average"))) or "no answers of either"


def p_value(p: float | None) -> str:
    """Return the p-value to 3 decimals, a small one to 4; "–" if there is none.

    >>> list(map(p_value, (0.0312, 0.001, 0.0007, 0.0001, 1e-7, None)))
    ['0.031', '0.001', '0.0007', '0.0001', '< 0.0001', '–']
    """
    if p is None:
        return "–"
    return f"{p:.3f}" if p >= 0.001 else f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def closed_book_gap(match: SystemComparison, *, titles: bool = False) -> str:
    """Return the points gained from the document, overall and by task; empty unless that is what the two differ in.

    Tasks have the names that commands take, or with `titles` those of a page.
    """
    if match.without_document is None or not match.tasks:
        return ""
    gaps, sign = [], 1 if match.without_document == match.first else -1
    for name, title, outcome in outcomes(match):
        points, interval = sign * outcome.comparison.difference, outcome.comparison.interval
        if interval and sign < 0:
            interval = replace(interval, low=-interval.high, high=-interval.low)
        shown = title if titles and isinstance(outcome, TaskOutcome) else name
        gaps.append(f"{shown} {signed(points)}{format_interval(interval, ' ')}")
    whole = [gaps.pop()] if len(gaps) > len(match.tasks) else []
    return (
        f"Points gained from the document: {'; '.join([*whole, ', '.join(gaps)])} "
        f"({match.without_document} is the same model, asked without the document)."
    )


def _detectable(paired: PairedComparison) -> str:
    """Return what loss is found in samples of this size; empty without an interval."""
    if paired.detectable is None:
        return ""
    loss = f"a true loss of {paired.detectable:.1f} points would be found in 80 % of samples of this size"
    return f"; with this spread, {loss}"


def warnings(match: SystemComparison, *, titles: bool = False) -> list[str]:
    """Return what limits the comparison, a sentence each.

    With `titles` they are those of a page, which begin with a capital and have the titles of tasks.
    """
    shown = match.benchmark.titles if titles else {name: name for name in match.benchmark.all_tasks}
    reasons: dict[str, list[str]] = {}
    for task, why in match.not_compared.items():
        reasons.setdefault(why, []).append(shown[task])
    sentences = [f"{'Not' if titles else 'not'} compared, {why}: {', '.join(tasks)}" for why, tasks in reasons.items()]
    for name, outcome in match.tasks.items():
        task = shown[name]
        if outcome.partial:
            parts = [f"{len(outcome.examples):,} of {outcome.total:,} examples were answered by both"]
            for system, ids in ((match.first, outcome.only_first), (match.second, outcome.only_second)):
                parts += [f"{len(ids):,} only by {system} ({few(ids)})"] if ids else []
            sentences.append(f"{task}: {'; '.join(parts)}; only those by both are compared")
        if lacking := _invisible(outcome):
            sentences.append(f"{task}: {lacking}")
        if outcome.unequal:
            questions = counted(len(outcome.unequal), "question")
            why = "that rows without ids answer more often in one are left out"
            sentences.append(f"{task}: {questions} {why} ({few(outcome.unequal)})")
        for side, count, asked, rows, score in outcome.again:
            system, questions = (match.first, match.second)[side], counted(asked, "question")
            sentences.append(
                f"{task}: {system} answers {count:,} of its {questions} more than once: {score:.2f} over all its "
                f"{rows:,} rows, {outcome.scores[side]:.2f} over the {len(outcome.examples):,} that are compared"
            )
    the = "The" if titles else "the"
    return sentences + [f"{the} two were not scored in the same way: {line}" for line in match.differ]


def problems_of_systems(systems: Mapping[str, ScoredFile], *, errors: bool) -> list[str]:
    """Return what was found in the files of the systems, for a page: the errors, or the warnings."""
    return lines_by_system(
        {
            name: lines(
                (problem for problem in scored.problems if problem.is_error == errors), titles=scored.benchmark.titles
            )
            for name, scored in systems.items()
        }
    )


def _invisible(outcome: TaskOutcome) -> str:
    """Return that a type of ROUGE is 0 on every answer of both, so that no change can be seen; else nothing."""
    if max(outcome.scores) > 0:
        return ""
    answers = (answer for row in outcome.examples for answer in row[:2])
    results = [result.rouge for answer in answers for result in results_of(answer) if result.rouge]
    zero = [name for name in ROUGE_TYPES if all(rouge[name].fmeasure == 0 for rouge in results)] if results else []
    if not zero or outcome.identical == len(outcome.examples):
        return ""
    names = " and ".join(name.replace("rouge", "ROUGE-") for name in zero)
    return f"{names} is 0 on every answer of both, so that all score 0 and no change can be seen"


def as_text(comparison: Comparison) -> str:
    """Return the comparison for a terminal: per pair of systems a table, verdicts, and how many answers changed."""
    about = [
        *about_systems(comparison),
        *(f"Signature of {name}: {text}" for name, text in signatures(comparison).items()),
    ]
    matches = ("\n".join(_lines(match)) for match in comparison.comparisons)
    return "\n\n".join([*matches, *(["\n".join(about)] if about else [])])


def _lines(match: SystemComparison) -> Iterator[str]:
    yield from [headline(match), ""]
    count = sum(len(outcome.examples) for outcome in match.tasks.values())
    examples, tasks = counted(count, "example"), counted(len(match.tasks), "task")
    yield f"{match.first} and {match.second}: {examples} answered by both, in {tasks}."
    if match.settings:
        yield f"The runs differ in: {', '.join(match.settings)}."
    if match.tasks:
        yield from ["", table(match).text(), ""]
        yield from (f"{name}: {verdict(outcome, match.first, match.second)}." for name, _, outcome in outcomes(match))
        if needs := closed_book_gap(match):
            yield from ["", needs]
        yield from ["", f"Answers that changed by more than {CHANGED:g} points, from {match.first} to {match.second}:"]
        yield from (f"- {changes(outcome)}" for outcome in match.tasks.values())
        yield ""
        yield about_differences(match)
    yield from listed("Warnings", warnings(match))


def losses(comparison: Comparison, match: SystemComparison, *, titles: bool = False) -> tuple[str, Table]:
    """Return what the compared examples lost more points to in the second system: a title, and a table with rows.

    Where nothing differs the title says so, and the table has no rows; with `titles` tasks have those of a page.
    """
    ids = {name: {row.first.id for row in outcome.examples} for name, outcome in match.tasks.items()}
    systems = [comparison.systems[name] for name in (match.first, match.second)]
    first, second = short(match.first, 24), short(match.second, 24)
    rows = [
        (match.benchmark.titles[task] if titles else task, cause, f"{x:.2f}", f"{y:.2f}", f"{y - x:+.2f}")
        for task, cause, x, y in loss_differences(systems, ids)
    ]
    title = f"Points lost in {second}, and how many more than in {first}:"
    title = title if rows else f"{second} lost as many points to each cause as {first}."
    return title, Table(("task", "lost to", first, second, "difference"), rows, right=(2, 3, 4))


def losses_as_text(comparison: Comparison, match: SystemComparison) -> str:
    title, rows = losses(comparison, match)
    return f"{title}\n{rows.text()}" if rows.rows else title


def about_systems(comparison: Comparison) -> list[str]:
    """Return a sentence on the runs of each system that has several, and on the rules that its answers went through."""
    rules = {name: post_in_words(scored)[:1] for name, scored in comparison.systems.items()}
    return [*systems_in_words(comparison.systems), *lines_by_system(rules)]


def signatures(comparison: Comparison) -> dict[str, str]:
    """Return the signature of each system that has one, by its name."""
    found = ((name, scored.signature()) for name, scored in comparison.systems.items())
    return {name: str(signature) for name, signature in found if signature}


def about_differences(match: SystemComparison) -> str:
    return (
        f"Difference: {match.second} minus {match.first}, with a 95 % interval ({METHOD_IN_WORDS}), "
        f"{AS_IF}. It is called clear if p < 0.05 (two-sided); with several tasks or systems the p corrected for their "
        "number (Holm) is used, so that an interval may exclude 0 where no difference is clear. Wins, ties and losses "
        f"are those of {match.second}.{_about_randomization(match)}"
    )


def by_randomization(match: SystemComparison) -> bool:
    """Return whether the comparison has p-values of randomisation."""
    return any(outcome.randomization is not None for _, _, outcome in outcomes(match))


def _about_randomization(match: SystemComparison) -> str:
    """Return what the p-values of randomisation are, and where they contradict the interval's; empty without them."""
    if not by_randomization(match):
        return ""
    apart = [
        name
        for name, _, outcome in outcomes(match)
        if (p := outcome.randomization) is not None and (p < ALPHA) != clear(replace(outcome, corrected=None))
    ]
    text = (
        f" Beside it, p by paired approximate randomisation, {EXCHANGES:,} exchanges of the answers to an example, or "
        f"to those of a document ({RANDOMIZATION})."
    )
    sides = f" The two tests stand on different sides of {ALPHA:g}: {', '.join(apart)}; the interval's decides."
    return text + sides if apart else text


def table(match: SystemComparison) -> Table:
    old, new = short(match.first, 12), short(match.second, 12)
    systems = (short(match.first, 24), short(match.second, 24))
    head = ["task", *systems, f"{new} - {old}", "", "p", "p (Holm)", f"{new} wins-ties-losses"]
    rows = [[name, *_cells(outcome, match)] for name, _, outcome in outcomes(match)]
    if exchanges := [p_value(outcome.randomization) for _, _, outcome in outcomes(match) if by_randomization(match)]:
        head.insert(7, "p (random)")
        rows = [[*row[:7], p, *row[7:]] for row, p in zip(rows, exchanges, strict=True)]
    return Table(head, rows, right=range(1, len(head)) if exchanges else (1, 2, 3, 5, 6, 7))


def _cells(outcome: Outcome, match: SystemComparison) -> tuple[str, ...]:
    paired, holm, counts = outcome.comparison, "", ""
    if isinstance(outcome, TaskOutcome):
        holm = p_value(match.corrected[outcome.task.name])
        counts = f"{paired.wins}-{paired.ties}-{paired.losses}"
    elif outcome.corrected is not None:
        holm = p_value(outcome.corrected)
    both = f" ({paired.examples:,} of {outcome.total:,})"
    scores = (written(score, partial=outcome.partial, mark=both) for score in outcome.scores)
    return *scores, signed(paired.difference), format_interval(paired.interval), p_value(paired.p_value), holm, counts


def changes(outcome: TaskOutcome, *, titles: bool = False) -> str:
    """Return how many answers changed, with some ids, and how many texts are the same; with `titles` for a page."""
    averaged = any(isinstance(answer.result, AveragedResult) for row in outcome.examples for answer in row[:2])
    is_binary = outcome.task.metric.is_binary and not averaged
    words = ("right to wrong", "wrong to right") if is_binary else ("lower", "higher")
    groups = zip(words, (outcome.lost, outcome.gained), strict=True)
    parts = [f"{len(ids):,} {word}{f' ({few(ids)})' if ids else ''}" for word, ids in groups]
    task = outcome.task.title if titles else outcome.task.name
    return f"{task}: {', '.join(parts)}; {outcome.identical:,} of {len(outcome.examples):,} texts are identical"


def as_markdown(comparison: Comparison) -> str:
    """Return the comparison as Markdown, a table of verdicts per pair of systems."""
    text = []
    for match in comparison.comparisons:
        first, second = match.first, match.second
        rows = []
        for name, title, outcome in outcomes(match):
            *scores, _, _, _, _, counts = _cells(outcome, match)
            shown = title if isinstance(outcome, TaskOutcome) else name
            rows.append((shown, *scores, counts, verdict(outcome, first, second)))
        head = ("task", first, second, f"{second} wins-ties-losses", "verdict")
        text.append(Table(head, rows, right=(1, 2, 3)).markdown())
        if needs := closed_book_gap(match):
            text += ["", markdown_text(needs)]
        if limits := warnings(match):
            text += ["", *(f"- {markdown_text(line)}" for line in limits)]
        text.append("")
    if about := about_systems(comparison):
        text += [*(f"- {markdown_text(line)}" for line in about), ""]
    text += [*(f"- {markdown_text(name)}: `{signature}`" for name, signature in signatures(comparison).items()), ""]
    return "\n".join(text)


def as_latex(comparison: Comparison) -> str:
    """Return the scores as a LaTeX table (booktabs) with a row for each system; the best score of a column is bold.

    The last columns have the difference to the first system, on the average or on what was compared.
    """
    systems = list(comparison.systems.values())
    columns, names = _latex_columns(systems), list(map(latex_text, comparison.systems))
    rows, differences, comments = [], list[str](), [r"\usepackage{booktabs}"]
    for place, (name, match) in enumerate(zip(names, [None, *comparison.comparisons], strict=True)):
        cells, difference = [name], tuple[str, ...](["", "", ""])
        compared = _by_column(match) if match else {}
        for key, column in columns.items():
            outcome = compared.get(key)
            cells.append(column.cell(place) + _STAR * bool(outcome and clear(outcome)))
        if match and match.tasks:
            _, title, last = outcomes(match)[-1]
            difference = _cells(last, match)[2:5]
            differences.append(f"{name}: {latex_text(title)}")
        rows.append([*cells, *map(_latex_signs, difference)])
        comments += [f"{name}: {latex_text(line)}" for line in warnings(match)] if match else []
    both = "; stars and differences are of the examples that both answered"
    notes = [f"{PARTIAL_NOTE}{both}"] if any(map(ScoredFile.leaves_out, systems)) else []
    stars = list(_latex_stars(comparison, names[0]))
    has_stars = any(_STAR in cell for row in rows for cell in row)
    notes += [star for star in stars if has_stars and star.startswith("*")]
    comments += map(latex_text, about_systems(comparison))
    comments += [f"{latex_text(name)}: {signature}" for name, signature in signatures(comparison).items()]
    comments[1:1] = [star for star in stars if star not in notes]
    notes += [f"minus {names[0]}: {'; '.join(differences)}"] if differences else []
    head = ("System", *(column.title for column in columns.values()), f"minus {names[0]}", r"95\,\%", "$p$")
    table = Table(head, rows, range(1, len(head)), notes).latex()
    return "".join(f"% {note}\n" for note in comments) + f"{table}\n"


def _latex_stars(comparison: Comparison, first: str) -> Iterator[str]:
    """Yield what the stars mean at tasks and at the average, and the test that was done beside."""
    systems = len(comparison.comparisons)
    several = max(len(match.tasks) for match in comparison.comparisons) > 1
    families = ["tasks"] * several + ["systems"] * (systems > 1)
    corrected_for = f", corrected for the number of {' and '.join(families)} (Holm)" if families else ""
    yield f"* differs from {first} on the task: two-sided p $<$ 0.05{corrected_for}"
    if several:
        whole = f"corrected for the number of systems ({systems}, Holm)" if systems > 1 else "one test, not corrected"
        yield f"* at the average or mean: two-sided p $<$ 0.05, {whole}"
    if comparison.randomization:
        yield f"p beside by paired approximate randomisation ({RANDOMIZATION}) is in the JSON; it decides no star"


_STAR = "$^*$"


class _LatexColumn(NamedTuple):
    """The scores of the systems in one column, and which of them leave answers out."""

    title: str
    scores: list[float | None]
    partial: list[bool]

    def cell(self, place: int) -> str:
        """Return the score of a system, the best of several bold."""
        score, others = self.scores[place], [each for each in self.scores if each is not None]
        text = written(score, 1, partial=self.partial[place], mark=DAGGER, none="--")
        is_best = score is not None and len(others) > 1 and one_decimal(score) == one_decimal(max(others))
        return rf"\textbf{{{text}}}" if is_best else text


# What a column has: "task", "average" or "mean", and its name, for an average its title.
_Key = tuple[str, str]


def _by_column(match: SystemComparison) -> dict[_Key, Outcome]:
    found: dict[_Key, Outcome] = {("task", name): outcome for name, outcome in match.tasks.items()}
    found |= {("average", title): outcome for title, outcome in (*match.beside.items(), *match.headline.items())}
    return found | ({("mean", ""): match.mean} if match.mean else {})


def _latex_columns(systems: Sequence[ScoredFile]) -> dict[_Key, _LatexColumn]:
    """Return the columns of tasks and averages, and of the mean of the tasks that all have where it is the score."""
    columns: dict[_Key, _LatexColumn] = {}
    for name, task in systems[0].benchmark.all_tasks.items():
        rows = [each.scored.get(name) for each in systems]
        if any(rows):
            scores, partial = [row.score if row else None for row in rows], [bool(row and row.partial) for row in rows]
            columns["task", name] = _LatexColumn(latex_text(task.short_title), scores, partial)
    benchmark, averages = systems[0].benchmark, [scored.averages for scored in systems]
    others = [name for name, each in benchmark.averages.items() if not each.hidden and name not in benchmark.headline]
    for name in (*others, *benchmark.headline):
        average, scores = benchmark.averages[name], [of_system[name][1] for of_system in averages]
        if any(score is not None for score in scores):
            partial = [
                score is not None and each.leaves_out(average) for each, score in zip(systems, scores, strict=True)
            ]
            columns["average", average.title] = _LatexColumn(latex_text(average.short_title), scores, partial)
    has_headline = any(all(of_system[name][1] is not None for of_system in averages) for name in benchmark.headline)
    results = [scored.result for scored in systems if scored.result]
    alike = len(results) == len(systems) and len({tuple(result.missing_tasks) for result in results}) == 1
    if alike and len(columns) > 1 and not has_headline:
        title, partial = "Mean" if results[0].missing_tasks else "Avg", list(map(ScoredFile.leaves_out, systems))
        columns["mean", ""] = _LatexColumn(title, [result.mean_of_tasks for result in results], partial)
    return columns


def _latex_signs(text: str) -> str:
    """Return a text of numbers with minus signs and "<" as mathematics."""
    return re.sub(r"[+-][\d.]+|<", r"$\g<0>$", text).replace("–", "--")


class ComparedQuestion(NamedTuple):
    """One question with the prediction and score of every system by its name; `None` where a system has none.

    Scores are points. `differences` are the score of each other system minus the first one's.
    """

    task: str
    id: str
    references: Sequence[str]
    predictions: Mapping[str, str | None]
    scores: Mapping[str, float | None]
    differences: Mapping[str, float | None]


def questions(comparison: Comparison) -> list[ComparedQuestion]:
    """Return the questions that at least one system was scored on, in the order of the tasks and references."""
    first, rows = next(iter(comparison.systems)), []
    for name in comparison.systems[first].benchmark.all_tasks:
        tasks = [scored.tasks.get(name) for scored in comparison.systems.values()]
        for answers in aligned(*(task.answers if task else () for task in tasks)):
            answer = next(filter(None, answers))
            by_system = dict(zip(comparison.systems, answers, strict=True))
            texts = {system: each.text if each else None for system, each in by_system.items()}
            points = {system: each.result.score if each else None for system, each in by_system.items()}
            base = points[first]
            others = ((system, score) for system, score in points.items() if system != first)
            differences = {other: None if base is None or score is None else score - base for other, score in others}
            rows.append(ComparedQuestion(name, answer.id, list(answer.references), texts, points, differences))
    return rows


def as_csv(comparison: Comparison) -> str:
    """Return every question as a row: task, id, references, each system's prediction and score, the differences."""
    first, *others = comparison.systems
    columns = [f"{what}: {name}" for name in comparison.systems for what in ("prediction", "score")]
    head = ["task", "id", "references", *columns, *(f"difference: {name} - {first}" for name in others)]
    rows = []
    for row in questions(comparison):
        answers = [part for name in comparison.systems for part in (row.predictions[name], row.scores[name])]
        rows.append([row.task, row.id, " | ".join(row.references), *answers, *row.differences.values()])
    return Table(head, rows).csv()


def as_json(comparison: Comparison) -> "ComparisonReport":
    """Return the comparison as JSON-able data; scores and differences are points, unrounded.

    `zs_bench/data/comparison.schema.json` (JSON Schema, draft 2020-12) describes it.

    A match has `without_document`, the name of the run that was asked without the document where the other one is of
    the same model with it, `not_compared`, task to reason, and `gate`, each margin with whether it `holds` and the
    reason. Each of its `tasks`, and its `mean` (`None` when no task was compared), has `scores` (on the examples
    compared), `difference` (second minus first), `wins`, `ties` and `losses` of the second, `p_value` (`None` without
    an interval), `p_holm`, corrected for the number of tasks and systems, `p_randomization` (`None` unless asked for),
    `detectable`, the loss that is found in 80 % of samples of this size by as many tests, and `kind`: the verdict on
    the second system, `identical`, `better`, `as good`, `worse` or `undecided`. `unseen` are its failures, and
    `unseen_first` of the first, that could stay unseen: in what `share` of the other's answers that score, at a cost
    of how many `points`, on which `task` of so many `answers`; `scoring` counts those that score. A benchmark with
    averages beside that of all tasks has those that are shown as `averages` of a match, by name, with their titles;
    `headline` names those that are its score.
    `questions` has each as a `ComparedQuestion`.
    """
    systems = ((name, scored, scored.signature()) for name, scored in comparison.systems.items())
    benchmark = comparison.comparisons[0].benchmark
    data: Any = {
        "schema": "zero-scrolls-comparison/2",
        "version": VERSION,
        "systems": [
            {
                "name": name,
                **averages(scored),
                "partial": scored.leaves_out(),
                "signature": signature and str(signature),
                **runs_as_json(scored),
                **_problems_as_json(scored),
            }
            for name, scored, signature in systems
        ],
        **({"headline": [*benchmark.headline]} if benchmark.headline else {}),
        "test": RANDOMIZATION if comparison.randomization else None,
        "matches": [
            {
                "first": match.first,
                "second": match.second,
                "tasks": {name: _outcome(outcome, match) for name, outcome in match.tasks.items()},
                "mean": None if match.mean is None else _outcome(match.mean, match),
                **_averages(match),
                "not_compared": dict(match.not_compared),
                "gate": gate(match),
                "without_document": match.without_document,
                "signatures_differ": list(match.differ),
                "settings_differ": list(match.settings),
                "warnings": warnings(match),
            }
            for match in comparison.comparisons
        ],
        "questions": [question._asdict() for question in questions(comparison)],
    }
    report: ComparisonReport = data
    return report


def _problems_as_json(scored: ScoredFile) -> dict[str, Any]:
    if not (problems := scored.problems):
        return {}
    listed = [problem.as_dict() for problem in problems[:MAX_PROBLEMS]]
    return {"problems": listed, "problems_left_out": len(problems) - len(listed)}


def _averages(match: SystemComparison) -> dict[str, Any]:
    """Return the averages that are compared, by name, as `averages`; nothing for a benchmark without others."""
    found = {**match.headline, **match.beside}
    titles = {name: average.title for name, average in match.benchmark.averages.items() if average.title in found}
    averages = {name: {"title": title, **_outcome(found[title], match)} for name, title in titles.items()}
    return {"averages": averages} if match.benchmark.averages else {}


def _outcome(outcome: Outcome, match: SystemComparison) -> dict[str, Any]:
    paired, of_task = outcome.comparison, isinstance(outcome, TaskOutcome)
    data = {
        "scores": list(outcome.scores),
        "difference": paired.difference,
        "interval": interval_as_json(paired.interval),
        "p_value": paired.p_value,
        **{name: getattr(paired, name) if of_task else None for name in ("wins", "ties", "losses")},
        "separated": clear(outcome),
        "p_holm": outcome.corrected,
        "p_randomization": outcome.randomization,
        "detectable": paired.detectable,
        "unseen": paired.unseen._asdict(),
        "unseen_first": paired.unseen_old._asdict(),
        "verdict": verdict(outcome, match.first, match.second),
        "kind": outcome.kind,
        "margin": outcome.margin,
    }
    if isinstance(outcome, TaskOutcome):
        data |= {"p_holm": match.corrected[outcome.task.name], "n": len(outcome.examples)}
        names = ("total", "only_first", "only_second", "lost", "gained", "identical")
        data |= {name: getattr(outcome, name) for name in names}
        data["examples"] = [
            {"id": x.id, "scores": [x.result.score, y.result.score], "difference": difference}
            for x, y, difference in outcome.examples
        ]
    return data
