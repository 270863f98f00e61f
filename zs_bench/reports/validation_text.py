"""Prediction files for a terminal: what is wrong and what was repaired, and their scores under all metric variants."""

from collections.abc import Mapping
from typing import Any

from zs_bench.problems import counted, lines, short
from zs_bench.reports.tables import Table, listed
from zs_bench.scoring.scored import ScoredFile
from zs_bench.validation.rules import OFFERED
from zs_bench.validation.validate import Validation
from zs_bench.variants import AVERAGE, OFFICIAL


def validation_as_text(validation: Validation, *, verdict: bool = True) -> str:
    """Return the tasks in numbers, everything that is wrong, the possible repairs, and, if wanted, the verdict."""
    files, ids = validation.read.files, validation.known_ids
    text = [
        f"{file.name}: {file.format}, {counted(file.rows, 'row')}" if file.format else f"{file.name}: not readable"
        for file in files[:12]
    ]
    text += [f"… and {counted(len(files) - 12, 'more file')}"] if len(files) > 12 else []
    if not ids.lists:
        text.append("IDs: none; check against some with --references, --ids or --source")
    elif ids.by_overlap and len(ids.lists) > 1:
        text.append(f"IDs: {ids.lists[0].source}, for each task the split with most of its IDs")
    else:
        text.append(f"IDs: {ids.lists[0]}")
    is_of_paper = any(counts.published for counts in validation.counts.values())
    columns = 3 if is_of_paper else 2
    rows = [
        (task, *("?" if count is None else f"{count:,}" for count in counts[:columns]))
        for task, counts in validation.counts.items()
    ]
    if rows:
        head = ("task", "answers", "IDs", "paper's test split")[: columns + 1]
        text += ["", Table(head, rows, right=range(1, columns + 1)).text()]
    text += _wrong("Wrong", validation)
    text += listed("Warnings", lines(problem for problem in validation.problems if not problem.is_error))
    text += listed("Repairs", _repairs(validation))
    if verdict:
        official = [file.format for file in files] == ["official CSV"]
        what = "the official file" if is_of_paper else "one file of all answers"
        next_step = "" if official or not validation.ready else f" --fix OUT.csv writes {what}."
        text += ["", _verdict(validation) + next_step]
    return "\n".join(text)


def repaired_as_text(repaired: Validation, out: str) -> str:
    """Return every change on a line of its own, what is still wrong, and the verdict."""
    answers, changes = counted(len(repaired.answers), "answer"), counted(len(repaired.changes), "change")
    if not repaired.answers:  # what is wrong has been listed before
        return f"\n{out} was not written: no answer could be read.\n\n{_verdict(repaired)}"
    changed = (f"- {change}" for change in repaired.changes)
    written = f"Written to {out}: {answers}, {changes}."
    return "\n".join(["", written, *changed, *_wrong("Still wrong", repaired), "", _verdict(repaired)])


def _wrong(title: str, validation: Validation) -> list[str]:
    return listed(title, lines(problem for problem in validation.problems if problem.is_error))


def _verdict(validation: Validation) -> str:
    return validation.verdict[:1].upper() + validation.verdict[1:] + "."


def _repairs(validation: Validation) -> list[str]:
    repairs, offers = [], validation.offers
    if safe := sum(problem.repair is not None and problem.repair.safe for problem in validation.problems):
        repairs.append(f"--fix OUT.csv makes {counted(safe, 'repair')} that cannot change the score of a valid answer")
    filled = sum(offers.pop(kind, 0) for kind in ("missing", "missing-task"))
    repairs += [f"--accept {kind}: {OFFERED[kind]} ({number:,})" for kind, number in offers.items()]
    return repairs + (["--fill-missing: give missing ids an empty answer, which scores 0"] if filled else [])


def variants_as_text(rescored: Mapping[str, Any]) -> str:
    """Return the result of `zs_bench.variants.rescored_file`: what each variant of the metrics changes.

    Last it says which of them gives the reported numbers.
    """
    rows = []
    for name, variant in rescored["variants"].items():
        changes = [f"{task} {delta:+.4f}" for task, delta in variant["deltas"].items() if abs(delta or 0) >= 0.00005]
        average = variant["scores"][AVERAGE]
        none = "" if name == OFFICIAL else "none"
        rows.append((name, "-" if average is None else f"{average:.4f}", ", ".join(changes) or none))
    text = [Table(("variant", AVERAGE, "difference from the official scores"), rows, right=[1]).text()]
    if (given_by := rescored["given_by"]) is not None:
        reported = ", ".join(f"{name} {points}" for name, points in rescored["reported"].items())
        text += ["", f"Reported: {reported}."]
        text += [f"The variant {name!r} gives exactly this: {rescored['variants'][name]['does']}" for name in given_by]
        text += [] if given_by else ["No known variant gives this on these answers."]
    return "\n".join(text)


def certificate_as_text(result: Mapping[str, Any], scored: ScoredFile) -> str:
    """Return the result of `zs_bench.variants.certify`, with the first differences of each task."""
    text: list[str] = []
    for name, found in result["tasks"].items():
        text += [""] if text else []
        if found is None:
            text.append(f"{name}: no recorded score. --columns score=NAME says which field or column has it.")
            continue
        differences, what = found["differences"], f"{found['recorded']}{' (0 to 1)' if found['shares'] else ''}"
        agree = f"the recorded {what} is the official score for {found['agree']:,} of {found['answers']:,} answers"
        means = f"mean {found['mean']:.4f}, official {scored.tasks[name].score:.4f}"
        text.append(f"{name}: {agree}; {means}.")
        if found["unrecorded"]:
            text.append(f"{counted(found['unrecorded'], 'answer')} without a recorded score.")
        if differences:
            answers = {answer.id: answer.text for answer in scored.tasks[name].answers}
            rows = []
            for row in differences[:10]:
                points = (f"{row[name]:.2f}" for name in ("recorded", "official"))
                rows.append((short(row["id"], 40), *points, short(answers[row["id"]], 50)))
            text.append(Table(("id", "recorded", "official", "answer"), rows, right=(1, 2)).text())
            text += [f"… and {len(differences) - 10:,} more: --json OUT"] if len(differences) > 10 else []
            given = found["given_by"]
            text.append(
                f"The variant {given['variant']!r} gives {given['agree']:,} of {given['tried']:,}: {given['does']}"
                if given
                else "No known variant of the metric gives more of them."
            )
    return "\n".join(text)
