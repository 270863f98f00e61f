"""What is wrong with prediction files and what was repaired, for `zero-scrolls verify`."""

from collections.abc import Iterator

from zs_bench.problems import counted, lines
from zs_bench.reports.tables import Table, listed
from zs_bench.validation.known_ids import KnownIds
from zs_bench.validation.rules import OFFERED
from zs_bench.validation.validate import Validation


def validation_as_text(validation: Validation, *, verdict: bool = True) -> str:
    """Return the tasks in numbers, everything that is wrong, the possible repairs, and, if wanted, the verdict."""
    files = validation.read.files
    official = [file.format for file in files] == ["official CSV"]
    next_step = "" if official or not validation.ready else " --fix OUT.csv writes the official file."
    rows = [
        (task, *("?" if count is None else f"{count:,}" for count in (counts.answers, counts.ids, counts.published)))
        for task, counts in validation.counts.items()
    ]
    table = Table(("task", "answers", "IDs", "paper's test split"), rows, right=(1, 2, 3))
    return "\n".join(
        [
            *(
                f"{file.name}: {file.format}, {counted(file.rows, 'row')}"
                if file.format
                else f"{file.name}: not readable"
                for file in files[:12]
            ),
            *([f"… and {counted(len(files) - 12, 'more file')}"] if len(files) > 12 else []),
            f"IDs: {_ids(validation.known_ids)}",
            *(["", table.text()] if rows else []),
            *_wrong("Wrong", validation),
            *listed("Warnings", lines(problem for problem in validation.problems if not problem.is_error)),
            *listed("Repairs", [*_repairs(validation)]),
            *(["", _sentence(validation) + next_step] if verdict else []),
        ]
    )


def repaired_as_text(repaired: Validation, out: str) -> str:
    """Return every change on a line of its own, what is still wrong, and the verdict."""
    answers, changes = counted(len(repaired.answers), "answer"), counted(len(repaired.changes), "change")
    if not repaired.answers:  # what is wrong has been listed before
        return f"\n{out} was not written: no answer could be read.\n\n{_sentence(repaired)}"
    written = f"Written to {out}: {answers}, {changes}."
    changed = (f"- {change}" for change in repaired.changes)
    return "\n".join(["", written, *changed, *_wrong("Still wrong", repaired), "", _sentence(repaired)])


def _wrong(title: str, validation: Validation) -> list[str]:
    return listed(title, lines(problem for problem in validation.problems if problem.is_error))


def _sentence(validation: Validation) -> str:
    return validation.verdict[:1].upper() + validation.verdict[1:] + "."


def _ids(ids: KnownIds) -> str:
    if not ids.lists:
        return "none; check against some with --references, --ids or --source"
    if ids.by_overlap and len(ids.lists) > 1:
        return f"{ids.lists[0].source}, for each task the split with most of its IDs"
    return str(ids.lists[0])


def _repairs(validation: Validation) -> Iterator[str]:
    if safe := sum(problem.repair is not None and problem.repair.safe for problem in validation.problems):
        yield f"--fix OUT.csv makes {counted(safe, 'repair')} that cannot change the score of a valid answer"
    offers = validation.offers
    filled = sum(offers.pop(kind, 0) for kind in ("missing", "missing-task"))
    for kind, number in offers.items():
        yield f"--accept {kind}: {OFFERED[kind]} ({number:,})"
    if filled:
        yield "--fill-missing: give missing ids an empty answer, which scores 0"
