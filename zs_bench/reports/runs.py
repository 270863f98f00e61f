"""What differs between several runs of one system, and what their intervals do not hold, in words and as a table."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypedDict

from zs_bench.problems import counted, short
from zs_bench.reports.tables import Table
from zs_bench.scoring.scored import ScoredFile

if TYPE_CHECKING:
    from zs_bench.scoring.report_data import RunsData, SpreadData
    from zs_bench.scoring.runs import Spread

#: What the intervals of several runs hold, and what they do not.
NOT_SEEN = (
    "The intervals are over examples, each with all its runs, so the noise of single answers is in them. They do "
    "not include differences between whole runs: the runs' scores and their standard deviation show those, and a few "
    "runs estimate them poorly."
)
#: What is not said of several runs.
NO_PATTERNS = "Patterns of answers are looked for in one run: score it alone."
HEAD = ("between runs", "scores", "standard deviation", "examples that score differently")


def runs_in_words(scored: ScoredFile) -> str:
    """Return how many runs there are, their names, and what is averaged; empty for one run."""
    if not scored.runs:
        return ""
    names = ", ".join(map(short, scored.runs))
    return f"{counted(len(scored.runs), 'run')} of one system ({names}): points are the means over the runs."


def spreads(scored: ScoredFile) -> "dict[str, Spread]":
    """Return what differs between the runs by title: tasks, and last the averages that are shown."""
    from zs_bench.scoring.runs import averaged_tasks, spread_of  # noqa: PLC0415  (most reports are of one run)

    rows = {task.task.title: task.spread for task in averaged_tasks(scored).values()}
    if scored.benchmark.headline:
        averages = {name: scored.benchmark.averages[name].title for name in scored.benchmark.headline}
        found = {title: spread_of(scored, scored.benchmark.weights(name)) for name, title in averages.items()}
        return rows | {title: spread for title, spread in found.items() if spread}
    averaged = sum(task.task.averaged for task in averaged_tasks(scored).values())
    whole = spread_of(scored) if averaged > 1 else None
    title = "Average" if averaged == len(scored.benchmark.tasks) else f"Mean of {averaged} tasks"
    return rows | ({title: whole} if whole else {})


def runs_table(scored: ScoredFile) -> Table:
    """Return the scores of the runs, their standard deviation, and the share of examples that score differently."""
    rows = [
        (title, ", ".join(f"{score:.1f}" for score in each.scores), deviation(each), f"{100 * each.share:.0f} %")
        for title, each in spreads(scored).items()
    ]
    return Table(HEAD, rows, right=(2, 3))


def deviation(spread: "Spread") -> str:
    """Return the standard deviation to one decimal; "–" for fewer than three runs."""
    return "–" if spread.deviation is None else f"{spread.deviation:.1f}"


def about_runs(scored: ScoredFile) -> list[str]:
    """Return what the runs are, and what the intervals hold of them; nothing for one run."""
    return [runs_in_words(scored), NOT_SEEN, NO_PATTERNS] if scored.runs else []


def systems_in_words(systems: Mapping[str, ScoredFile]) -> list[str]:
    """Return a sentence on the runs of each system that has several, and what the intervals do not hold."""
    sentences = [
        f"{name}: {runs_in_words(scored)} {_between(scored)}" for name, scored in systems.items() if scored.runs
    ]
    return [*sentences, NOT_SEEN] if sentences else []


def _between(scored: ScoredFile) -> str:
    if not (rows := [*spreads(scored).items()]):
        return "Nothing was scored."
    title, last = rows[-1]
    parts = [] if last.deviation is None else [f"standard deviation {deviation(last)}"]
    parts.append(f"{100 * last.share:.0f} % of examples score differently")
    return f"{title}: {', '.join(f'{score:.1f}' for score in last.scores)}, {', '.join(parts)}."


def latex_note(scored: ScoredFile) -> Iterable[str]:
    """Yield the note below a LaTeX table: how many runs, and the standard deviations between them."""
    if scored.runs:
        each = ", ".join(f"{title} {deviation(row)}" for title, row in spreads(scored).items())
        between = f"; standard deviation between them: {each}" if len(scored.runs) > 2 else ""
        held = "intervals are over examples and hold no differences between runs"
        yield f"means of {len(scored.runs)} runs; {held}{between}"


def spread_as_json(spread: "Spread") -> "SpreadData":
    """Return a spread as JSON-able data, in points and shares of 1."""
    return {"scores": [*spread.scores], "standard_deviation": spread.deviation, "differing": spread.share}


class _RunsKey(TypedDict, total=False):
    runs: "RunsData"


def runs_as_json(scored: ScoredFile) -> _RunsKey:
    """Return the key `runs` of JSON, with their names and what differs between them; nothing for one run."""
    if not scored.runs:
        return {}
    from zs_bench.scoring.runs import spread_of  # noqa: PLC0415  (most reports are of one run)

    headline = any(scored.averages[name][1] is not None for name in scored.benchmark.headline)
    spread = None if headline else spread_of(scored)
    return {"runs": {"names": [*scored.runs], "mean_of_tasks": spread_as_json(spread) if spread else None}}
