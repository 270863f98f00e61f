"""Questions that rows without ids answer several times, as where a script appended a second run to its file."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from zs_bench.files.entries import Entry
from zs_bench.files.rows_without_ids import REPEATED, OwnId, own_ids_of
from zs_bench.problems import Place, Problem

_NUMBERS = ("", "", "two", "three", "four", "five")
# How many runs a sentence names.
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Repeated:
    """The rows of a task some of whose questions are answered several times.

    Attributes:
        often: how often, a sentence.
        rows: the number of the rows.
        place: the file of the first.
        whole: the ids of the rows of each run that has all questions, by where they are in the file.
    """

    task: str
    often: str
    rows: int
    place: Place
    whole: Sequence[tuple[str, Sequence[str]]]

    def problem(self, score_of_ids: Callable[[Sequence[str]], float | None] = lambda _: None) -> Problem:
        """The warning; with the scores of the runs alone, where `score_of_ids` gives the score of the rows of some."""
        what = f"{self.often} All {self.rows:,} rows are scored"
        for where, ids in self.whole[:_NAMED]:
            score = score_of_ids(ids)
            what += f"; {where}" + (" are a whole run" if score is None else f" alone: {score:.1f}")
        return Problem(REPEATED, what, self.task, place=self.place, is_error=False)


def repeated_of_task(rows: Iterable[Entry], task: str) -> Repeated | None:
    """What is repeated in the rows of a task, as they were read; `None` if nothing is."""
    of_task = [row for row in rows if row.task == task]
    own = own_ids_of(of_task, by=lambda _: task)
    if all(each.again is None for each in own.values()):
        return None
    named = [(row, own[row.number]) for row in of_task if row.number in own]
    times = Counter(each.question for _, each in named)
    most, several_files = max(times.values()), len({row.place.file for row, _ in named}) > 1
    if most == min(times.values()):
        number = _NUMBERS[most] if most < len(_NUMBERS) else f"{most:,}"
        where = "in these files" if several_files else "in one file"
        often = f"Every question stands {most:,} times: {number} runs {where}?"
    else:
        again = sum(count > 1 for count in times.values())
        often = f"{again:,} of {len(times):,} questions stand more than once: was the run begun again?"
    by_run: dict[int, list[tuple[Entry, OwnId]]] = defaultdict(list)
    for row, each in named:
        by_run[each.run].append((row, each))
    runs = [of_run for _, of_run in sorted(by_run.items()) if len(of_run) == len(times)]
    whole = [(_where([row for row, _ in of_run]), [each.id for _, each in of_run]) for of_run in runs]
    return Repeated(task, often, len(named), Place(named[0][0].place.file), whole)


def _where(rows: Sequence[Entry]) -> str:
    """Which rows of the file these are, in words."""
    first, last = rows[0].place, rows[-1].place
    in_a_row = [row.number for row in rows] == list(range(rows[0].number, rows[0].number + len(rows)))
    if first.file == last.file and in_a_row and first.row and last.row:
        return f"rows {first.row:,} to {last.row:,}"
    return "a row of each"
