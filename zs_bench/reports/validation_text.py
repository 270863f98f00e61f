"""What is wrong with prediction files, and what was repaired, for a terminal."""

from collections.abc import Iterable

from zs_bench.problems import Problem, counted, lines
from zs_bench.reports.tables import text_table
from zs_bench.validation.checks import OFFERED
from zs_bench.validation.known_ids import KnownIds
from zs_bench.validation.validate import Validation


def as_text(validation: Validation) -> str:
    """The tasks in numbers, everything that is wrong, the possible repairs, and the verdict."""
    return "\n".join(
        [
            *_files(validation),
            *_table(validation),
            *_listed("Wrong", validation.problems, refuses=True),
            *_listed("Warnings", validation.problems, refuses=False),
            *_repairs(validation),
            "",
            _sentence(validation) + _form(validation),
        ]
    )


def _form(validation: Validation) -> str:
    """The next step for answers that are ready but not in the official form."""
    official = [file.format for file in validation.read.files] == ["official CSV"]
    return "" if official or not validation.ready else " --fix OUT.csv writes the official file."


def as_text_of_repaired(repaired: Validation, out: str) -> str:
    """Every change on a line of its own, what is still wrong, and the verdict."""
    answers, changes = counted(len(repaired.answers), "answer"), counted(len(repaired.changes), "change")
    written = f"Written to {out}: {answers}, {changes}." if repaired.answers else "Nothing written: there is no answer."
    return "\n".join(
        [
            "",
            written,
            *(f"- {change}" for change in repaired.changes),
            *_listed("Still wrong", repaired.problems, refuses=True),
            "",
            _sentence(repaired),
        ]
    )


def _sentence(validation: Validation) -> str:
    return validation.verdict[:1].upper() + validation.verdict[1:] + "."


def _files(validation: Validation) -> list[str]:
    shown = [
        f"{file.name}: {file.format}, {counted(file.rows, 'row')}" if file.format else f"{file.name}: not readable"
        for file in validation.read.files[:12]
    ]
    more = len(validation.read.files) - len(shown)
    return [*shown, *([f"… and {more:,} more files"] if more else []), f"IDs: {_ids(validation.known)}", ""]


def _ids(known: KnownIds) -> str:
    if not known.lists:
        return "none; check against some with --references, --ids or --source"
    if known.by_overlap and len(known.lists) > 1:
        return f"{known.lists[0].source}, for each task the split with most of its IDs"
    return str(known.lists[0])


def _table(validation: Validation) -> list[str]:
    rows = [("task", "answers", "IDs", "paper's test split")]
    rows += [
        (
            task,
            f"{one.answers:,}",
            "?" if one.ids is None else f"{one.ids:,}",
            "?" if one.published is None else f"{one.published:,}",
        )
        for task, one in validation.counts.items()
    ]
    return text_table(rows, right=(1, 2, 3))


def _listed(title: str, problems: Iterable[Problem], *, refuses: bool) -> list[str]:
    found = lines(problem for problem in problems if problem.refuses == refuses)
    return ["", f"{title}:", *(f"- {line}" for line in found)] if found else []


def _repairs(validation: Validation) -> list[str]:
    safe = sum(problem.repair is not None and problem.repair.safe for problem in validation.problems)
    offers = validation.offers
    filled = sum(offers.pop(kind, 0) for kind in ("missing", "missing-task"))
    repairs = [
        *(
            [f"--fix OUT.csv makes {counted(safe, 'repair')} that cannot change the score of a valid answer"]
            if safe
            else []
        ),
        *(f"--accept {kind}: {OFFERED[kind]} ({number:,})" for kind, number in offers.items()),
        *(["--fill-missing: give missing ids an empty answer, which scores 0"] if filled else []),
    ]
    return ["", "Repairs:", *(f"- {line}" for line in repairs)] if repairs else []
