"""Two or more systems on the same references, each compared with the first: `compare`, and the result in every form.

Every difference is new minus old: the score of the other system minus that of the first one. `verdict` puts an outcome
into a sentence. Text and Markdown have a table for each pair of systems, LaTeX a row for each system, CSV and JSON have
every question with all predictions.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from zs_bench.answers import aligned
from zs_bench.problems import counted, short
from zs_bench.reports.report import averages, format_interval, interval_as_json, one_decimal, signed
from zs_bench.reports.tables import Table, few, latex_text, listed, markdown_text
from zs_bench.scoring.compare import CHANGED, Comparison, Outcome, SystemComparison, TaskOutcome, compare_systems
from zs_bench.scoring.scored import ScoredFile
from zs_bench.statistics.paired_comparison import ALPHA, Needed, PairedComparison
from zs_metric.errors import ZeroScrollsError
from zs_metric.version import VERSION

#: In version 2 differences, wins and losses are those of the second system; version 1 had those of the first.
SCHEMA = "zero-scrolls-comparison/2"


def compare(systems: Mapping[str, ScoredFile], margins: Mapping[str, float] | None = None) -> Comparison:
    """Compare every system with the first, all scored on the same references.

    A margin is the loss in points up to which a system is as good as the first, by task; "average" is that of the
    average over all tasks, "mean" that of the mean over those compared, and each also that of tasks without one.
    Raises `ZeroScrollsError` for fewer than two systems, two of one name, other benchmarks or aggregations of ROUGE.
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
    rows = [(name, outcome.task.title, outcome) for name, outcome in match.tasks.items()]
    if match.mean is None or len(match.averaged) < 2:
        return rows
    name = "average" if match.whole else f"mean of {len(match.averaged)} tasks"
    return [*rows, (name, name.capitalize(), match.mean)]


def headline(match: SystemComparison) -> str:
    """Return the verdict on the average, or on the only task, as a sentence."""
    if not (rows := outcomes(match)):
        return "Nothing to compare: no question was answered by both systems."
    _, title, outcome = rows[-1]
    return f"{title}: {verdict(outcome, match.first, match.second)}."


def verdict(outcome: Outcome, first: str, second: str) -> str:
    """Return the verdict on the second system, a sentence without a full stop; differences are second minus first."""
    paired = outcome.comparison
    by = f"{signed(paired.difference)} points{format_interval(paired.interval, ' ')}"
    if outcome.partial:
        both, p = f"{paired.examples:,} of {outcome.total:,} examples", _p_in_words(outcome)
        return f"no verdict on the whole, since both answered only {both}; on these {second} minus {first} is {by}{p}"
    if outcome.kind == "identical":
        few = paired.reason or f"failures in up to {300 / paired.examples:.2g} % of answers could stay unseen"
        return f"the answers of {second} and {first} are identical; {few}"
    if paired.reason:
        return f"undecided, {paired.reason}: {second} minus {first} is {by}"
    seen = by if paired.interval else "no score differs"
    if outcome.margin is None:
        clear = f"{second} is {outcome.kind} than {first}: {by}{_p_in_words(outcome)}"
        unclear = f"no clear difference between {first} and {second}: {seen}{_p_in_words(outcome)}"
        return f"{unclear}{_needed(outcome.needed)}" if outcome.kind == "undecided" else clear
    return _at_margin(outcome, outcome.margin, first, second, seen)


def _at_margin(outcome: Outcome, margin: float, first: str, second: str, seen: str) -> str:
    paired, p = outcome.comparison, _p_in_words(outcome)
    within = f"as good as {first} within {margin:g} point{'s' * (margin != 1)}"
    undecided = p if clear(replace(outcome, corrected=None)) else _unseen(paired, margin) or _needed(outcome.needed)
    above = f", and the 95 % interval lies above {-margin:g}" if paired.interval else ""
    lower = ", but lower" if paired.interval and paired.interval.high < 0 else ""
    return {
        "better": f"{second} is better than {first}: {seen}{p}",
        "as good": f"{second} is {within}{lower}: {seen}{above}",
        "worse": f"{second} is worse than {first}, and not shown to be {within}: {seen}{p}",
        "undecided": f"undecided whether {second} is {within}: {seen}{undecided}",
    }[outcome.kind]


def _p_in_words(outcome: Outcome) -> str:
    """Return the p-value, and the corrected one where it decides; empty without one."""
    own, corrected = outcome.comparison.p_value, outcome.corrected
    if own is None:
        return ""
    text = f", p {'' if own < 0.0001 else '= '}{p_value(own)}"
    return text if corrected is None else f"{text} ({p_value(corrected)} corrected for all tasks)"


def _unseen(paired: PairedComparison, margin: float) -> str:
    """Return how many answers the margin needs, where the interval lies above it and the rule of three fails."""
    if not paired.above(margin) or not margin:
        return ""
    needed = math.floor(3 * paired.most / margin) + 1
    return f"; a margin of {margin:g} needs {needed:,} answers of a task, since rare failures may stay unseen in fewer"


def clear(outcome: Outcome) -> bool:
    """Return whether the difference is clear: p, or where it decides the corrected p, is below 0.05."""
    p = outcome.comparison.p_value if outcome.corrected is None else outcome.corrected
    return p is not None and p < ALPHA


def better(outcome: Outcome, match: SystemComparison) -> str | None:
    """Return the name of the better system; `None` where the difference is not clear."""
    name = match.second if outcome.comparison.difference > 0 else match.first
    return name if clear(outcome) else None


def verdict_word(outcome: Outcome, match: SystemComparison) -> str:
    if outcome.margin is not None or outcome.kind == "identical":
        return outcome.kind
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


def closed_book_gap(match: SystemComparison) -> str:
    """Return the points gained from the document, overall and by task; empty unless that is what the two differ in."""
    if match.without_document is None or not match.tasks:
        return ""
    gaps, sign = [], 1 if match.without_document == match.first else -1
    for name, _, outcome in outcomes(match):
        points, interval = sign * outcome.comparison.difference, outcome.comparison.interval
        if interval and sign < 0:
            interval = replace(interval, low=-interval.high, high=-interval.low)
        gaps.append(f"{name} {signed(points)}{format_interval(interval, ' ')}")
    whole = [gaps.pop()] if len(gaps) > len(match.tasks) else []
    return (
        f"Points gained from the document: {'; '.join([*whole, ', '.join(gaps)])} "
        f"({match.without_document} is the same model, asked without the document)."
    )


def _needed(needed: Needed | None) -> str:
    """Return about how many more examples would decide, to two digits; empty where it is unknown."""
    if needed is None:
        return ""
    far = needed.most is None or needed.most > 20 * max(needed.about, 1)
    about, least, most = (f"{float(f'{count or 0:.2g}'):,.0f}" for count in (needed.about, needed.least, needed.most))
    return f"; about {about} more examples would decide (perhaps {least} to {'far more' if far else most})"


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
        yield about_differences(match)
    yield from listed("Warnings", warnings(match))


def about_differences(match: SystemComparison) -> str:
    return (
        f"Difference: {match.second} minus {match.first}, with a 95 % interval; 95 of 100 samples like this one have "
        "an interval that holds the difference on all such examples. It is clear if p < 0.05 (two-sided), of several "
        f"tasks p (Holm), which is corrected for their number. Wins, ties and losses are those of {match.second}."
    )


def table(match: SystemComparison) -> Table:
    old, new = short(match.first, 12), short(match.second, 12)
    systems = (short(match.first, 24), short(match.second, 24))
    head = ("task", *systems, f"{new} - {old}", "", "p", "p (Holm)", f"{new} wins-ties-losses")
    rows = [(name, *_cells(outcome, match)) for name, _, outcome in outcomes(match)]
    return Table(head, rows, right=(1, 2, 3, 5, 6, 7))


def _cells(outcome: Outcome, match: SystemComparison) -> tuple[str, ...]:
    paired, holm, counts = outcome.comparison, "", ""
    if isinstance(outcome, TaskOutcome):
        holm = p_value(match.corrected[outcome.task.name])
        counts = f"{paired.wins}-{paired.ties}-{paired.losses}"
    scores = (f"{score:.4f}" for score in outcome.scores)
    return *scores, signed(paired.difference), format_interval(paired.interval), p_value(paired.p_value), holm, counts


def changes(outcome: TaskOutcome) -> str:
    """Return how many answers changed, with some ids, and how many texts are the same."""
    words = ("right to wrong", "wrong to right") if outcome.task.metric.is_binary else ("lower", "higher")
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
        head = ("task", first, second, f"{second} wins-ties-losses", "verdict")
        text.append(Table(head, rows, right=(1, 2, 3)).markdown())
        if needs := closed_book_gap(match):
            text += ["", markdown_text(needs)]
        if limits := warnings(match):
            text += ["", *(f"- {markdown_text(line)}" for line in limits)]
        text.append("")
    return "\n".join(text)


def as_latex(comparison: Comparison) -> str:
    """Return the scores as a LaTeX table (booktabs) with a row for each system; the best score of a column is bold.

    The last columns have the difference to the first system, on the average or on what was compared.
    """
    columns = _latex_columns(list(comparison.systems.values()))
    names = list(map(latex_text, comparison.systems))
    limits, rows = [], []
    notes = [
        r"\usepackage{booktabs}",
        f"* differs from {names[0]}: p $<$ 0.05, corrected for the number of tasks (Holm)",
    ]
    for place, (name, match) in enumerate(zip(names, [None, *comparison.comparisons], strict=True)):
        cells, difference = [name], tuple[str, ...](["", "", ""])
        for task, (_, scores) in columns.items():
            outcome = match and (match.tasks.get(task) if task else match.mean)
            cells.append(_latex_score(scores[place], scores) + "$^*$" * bool(outcome and clear(outcome)))
        if match and match.tasks:
            _, title, last = outcomes(match)[-1]
            difference = _cells(last, match)[2:5]
            notes.append(rf"$\Delta$ of {name}: {latex_text(title)}")
        rows.append([*cells, *map(_latex_signs, difference)])
        limits += [f"{name}: {latex_text(line)}" for line in warnings(match)] if match else []
    head = ("System", *(title for title, _ in columns.values()), rf"$\Delta$ {names[0]}", r"95\,\%", "$p$")
    table = Table(head, rows, right=range(1, len(head))).latex()
    return "".join(f"% {note}\n" for note in (*notes, *limits)) + f"{table}\n"


def _latex_columns(systems: Sequence[ScoredFile]) -> dict[str, tuple[str, list[float | None]]]:
    """Return title and scores of the columns by task; the average, or the mean of the tasks that all have, is ""."""
    columns: dict[str, tuple[str, list[float | None]]] = {}
    for name, task in systems[0].benchmark.all_tasks.items():
        if any(name in each.scored for each in systems):
            scores = [each.scored[name].score if name in each.scored else None for each in systems]
            columns[name] = (latex_text(task.short_title), scores)
    results = [scored.result for scored in systems if scored.result]
    alike = len(results) == len(systems) and len({tuple(result.missing_tasks) for result in results}) == 1
    if alike and len(columns) > 1:
        title = "Mean" if results[0].missing_tasks else "Avg"
        columns[""] = (title, [result.mean_of_tasks for result in results])
    return columns


def _latex_score(score: float | None, scores: Iterable[float | None]) -> str:
    if score is None:
        return "--"
    best = one_decimal(max(each for each in scores if each is not None))
    return rf"\textbf{{{best}}}" if one_decimal(score) == best else one_decimal(score)


def _latex_signs(text: str) -> str:
    """Return a text of numbers with minus signs and "<" as mathematics."""
    return re.sub(r"[+-][\d.]+|<", r"$\g<0>$", text).replace("–", "--")


class Question(NamedTuple):
    """One question with the prediction and score of every system by its name; `None` where a system has none.

    Scores are points. `differences` are the score of each other system minus the first one's.
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
        tasks = [scored.tasks.get(name) for scored in comparison.systems.values()]
        for answers in aligned(*(task.answers if task else () for task in tasks)):
            answer = next(filter(None, answers))
            by_system = dict(zip(comparison.systems, answers, strict=True))
            texts = {system: each.text if each else None for system, each in by_system.items()}
            points = {system: each.result.score if each else None for system, each in by_system.items()}
            base = points[first]
            others = ((system, score) for system, score in points.items() if system != first)
            differences = {other: None if base is None or score is None else score - base for other, score in others}
            rows.append(Question(name, answer.id, list(answer.references), texts, points, differences))
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


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as JSON-able data; scores and differences are points, unrounded.

    A match has `without_document`, the name of the run that was asked without the document where the other one is of
    the same model with it, `not_compared`, task to reason, and `gate`, each margin with whether it `holds` and the
    reason. Each of its `tasks`, and its `mean` (`None` when no task was compared), has `scores` (on the examples
    compared), `difference` (second minus first), `wins`, `ties` and `losses` of the second, `p_value` (`None` without
    an interval), `more_examples` and `more_examples_range` (`None` where it is decided or unknown, and for no upper
    end), and `kind`: the verdict on the second system, `identical`, `better`, `as good`, `worse` or `undecided`.
    `questions` has each as a `Question`.
    """
    systems = ((name, scored, scored.signature()) for name, scored in comparison.systems.items())
    return {
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


def _outcome(outcome: Outcome, match: SystemComparison) -> dict[str, Any]:
    paired, needed, of_task = outcome.comparison, outcome.needed, isinstance(outcome, TaskOutcome)
    data = {
        "scores": list(outcome.scores),
        "difference": paired.difference,
        "interval": interval_as_json(paired.interval),
        "p_value": paired.p_value,
        **{name: getattr(paired, name) if of_task else None for name in ("wins", "ties", "losses")},
        "separated": clear(outcome),
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
            {"id": x.id, "scores": [x.result.score, y.result.score], "difference": difference}
            for x, y, difference in outcome.examples
        ]
    return data
