"""Two or more systems on the same references, each compared with the first: `compare`, and the result in every form.

`verdict` puts an outcome into a sentence. Text, Markdown and LaTeX have a table for each pair of systems, CSV and JSON
have every question with all predictions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from zs_bench.problems import counted, short
from zs_bench.reports.report import averages, format_interval, interval_as_json, one_decimal
from zs_bench.reports.tables import Table, few, latex_text, listed, markdown_text
from zs_bench.scoring.pairing import CHANGED, Comparison, Outcome, SystemComparison, TaskOutcome, compare_systems
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.statistics.columns import EQUAL
from zs_bench.statistics.paired_comparison import Needed
from zs_metric.errors import ZeroScrollsError
from zs_metric.version import VERSION

SCHEMA = "zero-scrolls-comparison/1"


def compare(systems: Mapping[str, ScoredFile], margins: Mapping[str, float] | None = None) -> Comparison:
    """Compare every system with the first, all scored on the same references.

    A margin is the loss in points up to which a system is as good as the first, by task; "average" is that of the
    average, and of the tasks without one.

    Raises:
        ZeroScrollsError: for fewer than two systems, two of one name, different benchmarks or aggregations of ROUGE.
    """
    named = {short(name, 200): scored for name, scored in systems.items()}
    if len(named) < 2 or len(named) < len(systems):
        raise ZeroScrollsError(f"two or more systems of different names can be compared, not {', '.join(named)}")
    if len({scored.benchmark.name for scored in systems.values()}) > 1:
        raise ZeroScrollsError("the systems are scored on different benchmarks; score them on the same one")
    if len({scored.rouge_aggregation for scored in systems.values()}) > 1:
        raise ZeroScrollsError("the systems are scored by different aggregations of ROUGE; score them by the same one")
    first, *others = named.items()
    return Comparison(named, [compare_systems(first, other, margins) for other in others])


def outcomes(match: SystemComparison) -> Sequence[tuple[str, str, Outcome]]:
    """Return name, title and outcome of the tasks, and last of the mean where it is over several."""
    rows: list[tuple[str, str, Outcome]] = [
        (name, outcome.task.title, outcome) for name, outcome in match.tasks.items()
    ]
    if match.mean and len(match.averaged) > 1:
        name = "average" if match.whole else f"mean of {len(match.averaged)} tasks"
        rows.append((name, name.capitalize(), match.mean))
    return rows


def headline(match: SystemComparison) -> str:
    """Return the verdict on the average, or on the only task, as a sentence."""
    if not (rows := outcomes(match)):
        return "Nothing to compare: no question was answered by both systems."
    _, title, outcome = rows[-1]
    return f"{title}: {verdict(outcome, match.first, match.second)}."


def verdict(outcome: Outcome, first: str, second: str) -> str:
    """Return the verdict as a sentence, without a full stop: about the better system, or at a margin the second one.

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
    gaps = []
    for name, _, outcome in outcomes(match):
        points, interval = _seen(outcome, reverse=match.without_document == match.first)
        gaps.append(f"{name} {points:+.1f}{interval}")
    whole = [gaps.pop()] if len(gaps) > len(match.tasks) else []
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
    far = needed.most is None or needed.most > 20 * max(needed.about, 1)
    about, least, most = (f"{float(f'{count or 0:.2g}'):,.0f}" for count in (needed.about, needed.least, needed.most))
    return f"; about {about} more examples would decide ({least} to {'far more' if far else most})"


def warnings(match: SystemComparison) -> list[str]:
    """Return what limits the comparison, a sentence each."""
    reasons: dict[str, list[str]] = {}
    for task, why in match.not_compared.items():
        reasons.setdefault(why, []).append(task)
    sentences = [f"not compared, {why}: {', '.join(tasks)}" for why, tasks in reasons.items()]
    for task, outcome in match.tasks.items():
        if outcome.partial:
            parts = [f"{len(outcome.examples):,} of {outcome.total:,} examples were answered by both"]
            for name, ids in ((match.first, outcome.only_first), (match.second, outcome.only_second)):
                parts += [f"{len(ids):,} only by {name} ({few(ids)})"] if ids else []
            sentences.append(f"{task}: {'; '.join(parts)}; only those by both are compared")
    return sentences + [f"the two were not scored in the same way: {line}" for line in match.differ]


def as_text(comparison: Comparison) -> str:
    """Return the comparison for a terminal: per pair of systems a table, verdicts, and how many answers changed."""
    return "\n\n".join("\n".join(_lines(match)) for match in comparison.comparisons)


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
        yield (
            f"Difference: {match.first} minus {match.second}, with its 95 % interval, which decides; p is its other "
            "side, two-sided. p (Holm) is corrected for the number of tasks."
        )
    yield from listed("Warnings", warnings(match))


def table(match: SystemComparison) -> Table:
    """Return the scores of both systems, the difference and its interval, and the p-values."""
    systems = (short(match.first, 24), short(match.second, 24))
    head = ("task", *systems, "difference", "", "p", "p (Holm)", "wins-ties-losses")
    rows = [(name, *_cells(outcome, match)) for name, _, outcome in outcomes(match)]
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
    groups = zip(words, (outcome.lost, outcome.gained), strict=True)
    parts = [f"{len(ids):,} {word}{f' ({few(ids)})' if ids else ''}" for word, ids in groups]
    return f"{outcome.task}: {', '.join(parts)}; {outcome.identical:,} of {len(outcome.examples):,} texts are identical"


def as_markdown(comparison: Comparison) -> str:
    """Return the comparison as Markdown, a table of verdicts per pair of systems."""
    text = []
    for match in comparison.comparisons:
        first, second = markdown_text(match.first), markdown_text(match.second)
        rows = []
        for name, title, outcome in outcomes(match):
            *scores, _, _, _, _, counts = _cells(outcome, match)
            shown = title if isinstance(outcome, TaskOutcome) else name
            rows.append((shown, *scores, counts, verdict(outcome, first, second)))
        text.append(Table(("task", first, second, "wins-ties-losses", "verdict"), rows, right=(1, 2, 3)).markdown())
        if needs := closed_book_gap(match):
            text += ["", markdown_text(needs)]
        if limits := warnings(match):
            text += ["", *(f"- {markdown_text(line)}" for line in limits)]
        text.append("")
    return "\n".join(text)


def as_latex(comparison: Comparison) -> str:
    """Return the comparison as LaTeX tables, one per pair of systems; a star marks a clear difference."""
    note = "% difference: first minus second; *: the 95 % interval does not hold 0, p < 0.05 (not corrected)"
    tables = []
    for match in comparison.comparisons:
        head = ("Task", latex_text(match.first), latex_text(match.second), "Difference", "95\\%", "$p$")
        rows = []
        for _, title, outcome in outcomes(match):
            _, _, points, interval, p, *_ = _cells(outcome, match)
            difference = f"${points}${'$^*$' if outcome.comparison.separated() else ''}"
            rows.append((latex_text(title), *map(one_decimal, outcome.scores), difference, interval, p))
        tables.append(f"{Table(head, rows, right=range(1, 6)).latex()}\n{note}\n")
    return "\n".join(tables)


class Question(NamedTuple):
    """One question with the prediction and score of every system by its name; `None` where a system has none.

    Scores are points. `differences` are the first system's score minus that of each other.
    """

    task: str
    id: str
    references: Sequence[str]
    predictions: Mapping[str, str | None]
    scores: Mapping[str, float | None]
    differences: Mapping[str, float | None]


def questions(comparison: Comparison) -> list[Question]:
    """Return the questions that at least one system was scored on, in the order of the tasks and references."""
    first, rows = next(iter(comparison.systems)), []
    for name in comparison.systems[first].benchmark.all_tasks:
        predictions: dict[str, dict[str, str]] = {}
        scores: dict[str, dict[str, float]] = {}
        references: dict[str, Sequence[str]] = {}
        for system, scored in comparison.systems.items():
            task = scored.scored.get(name) or ScoredTask(scored.benchmark.all_tasks[name])
            predictions[system] = dict(zip(task.ids, task.predictions, strict=True))
            scores[system] = dict(zip(task.ids, (example.score for example in task.examples), strict=True))
            references |= zip(task.ids, task.references, strict=True)
        for id_, texts in references.items():
            points = {system: by_id.get(id_) for system, by_id in scores.items()}
            base = points[first]
            others = ((system, score) for system, score in points.items() if system != first)
            differences = {other: None if base is None or score is None else base - score for other, score in others}
            answers = {system: by_id.get(id_) for system, by_id in predictions.items()}
            rows.append(Question(name, id_, list(texts), answers, points, differences))
    return rows


def as_csv(comparison: Comparison) -> str:
    """Return every question as a row: task, id, references, each system's prediction and score, the differences."""
    first, *others = comparison.systems
    columns = [f"{what}: {name}" for name in comparison.systems for what in ("prediction", "score")]
    head = ["task", "id", "references", *columns, *(f"difference: {first} - {name}" for name in others)]
    rows = []
    for row in questions(comparison):
        answers = [part for name in comparison.systems for part in (row.predictions[name], row.scores[name])]
        rows.append([row.task, row.id, " | ".join(row.references), *answers, *row.differences.values()])
    return Table(head, rows).csv()


def as_json(comparison: Comparison, *, with_questions: bool = False) -> dict[str, Any]:
    """Return the comparison as JSON-able data; scores and differences are points, unrounded.

    A match has `without_document`, the name of the run that was asked without the document where the other one is of
    the same model with it, and `not_compared`, task to reason. Each of its `tasks`, and its `mean` (`None` when no task
    was compared), has `scores` (on the examples compared), `difference` (first minus second), `p_value` (`None` without
    an interval), `exact` and `rounds` (false and 0: nothing is drawn), `more_examples` and `more_examples_range`
    (`None` where it is decided or unknown, and for no upper end), and `kind`: whether the second system is `better`,
    `as good`, `worse` or `undecided`. With questions, `questions` has each as a `Question`.
    """
    systems = ((name, scored, scored.signature()) for name, scored in comparison.systems.items())
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "systems": [
            {"name": name, **averages(scored), "signature": signature and str(signature)}
            for name, scored, signature in systems
        ],
        "matches": [
            {
                "first": match.first,
                "second": match.second,
                "tasks": {name: _outcome(outcome, match) for name, outcome in match.tasks.items()},
                "mean": None if match.mean is None else _outcome(match.mean, match),
                "not_compared": dict(match.not_compared),
                "without_document": match.without_document,
                "signatures_differ": list(match.differ),
                "settings_differ": list(match.settings),
                "warnings": warnings(match),
            }
            for match in comparison.comparisons
        ],
    }
    if with_questions:
        data["questions"] = [question._asdict() for question in questions(comparison)]
    return data


def _outcome(outcome: Outcome, match: SystemComparison) -> dict[str, Any]:
    paired, needed, of_task = outcome.comparison, outcome.needed, isinstance(outcome, TaskOutcome)
    data = {
        "scores": list(outcome.scores),
        "difference": paired.difference,
        "interval": interval_as_json(paired.interval),
        "p_value": paired.p_value,
        "exact": False,
        "rounds": 0,
        **{name: getattr(paired, name) if of_task else None for name in ("wins", "ties", "losses")},
        "separated": paired.separated(),
        "more_examples": needed and needed.about,
        "more_examples_range": needed and [needed.least, needed.most],
        "verdict": verdict(outcome, match.first, match.second),
        "kind": outcome.kind,
        "margin": outcome.margin,
    }
    if isinstance(outcome, TaskOutcome):
        data |= {"p_holm": match.corrected[outcome.task.name], "n": len(outcome.examples)}
        names = ("total", "only_first", "only_second", "lost", "gained", "identical")
        data |= {name: getattr(outcome, name) for name in names}
        data["examples"] = [
            {"id": row.id, "scores": [row.first, row.second], "difference": row.difference} for row in outcome.examples
        ]
    return data
