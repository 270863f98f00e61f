"""The long jobs of the id doctor: what is wrong with an upload, and the repaired submission file. No Gradio here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zs_bench.doctor import (
    FILE_NAMES,
    Diagnosis,
    KnownIds,
    as_submission_csv,
    examine,
    ids_of_references,
    ids_of_source,
    repair,
)
from zs_bench.drawing.doctor_report import diagnosis_report, repaired_report
from zs_bench.files.gather import gather_references
from zs_bench.files.sources import open_inputs
from zs_bench.reports.scoring import Progress
from zs_metric.tasks import find_benchmark


@dataclass(frozen=True, slots=True)
class Examined:
    """A diagnosis as the page shows it.

    Attributes:
        report: HTML.
        offers: the kinds of repairs that are made only when accepted, with the number of each.
        missing: how many answers are missing.
        repairable: whether a repaired file would be another one than what was given, or answers are missing.
    """

    report: str
    offers: dict[str, int]
    missing: int
    repairable: bool


#: Predictions, references, where these are from, and the benchmark.
Given = tuple[Sequence[str], Sequence[str], str, str]


def look(given: Given, progress: Progress) -> Examined:
    """Examine an upload against the ids of references that were uploaded (`files`), or of a source."""
    progress(0.0, "")
    found = _examine(*given)
    missing = sum(count.ids - count.answers for count in found.counts.values() if count.ids is not None)
    repairable = any(one.repair for one in found.findings) or missing > 0
    return Examined(str(diagnosis_report(found)), found.offers, missing, repairable)


def mend(
    given: Given,
    accept: Sequence[str],
    fill_missing: bool,
    folder: Path,
    progress: Progress,
) -> tuple[str, Path]:
    """Repair an upload: what was changed as HTML, and the official file, written into the folder."""
    progress(0.0, "")
    repaired = repair(_examine(*given), accept, fill_missing=fill_missing)
    path = folder / FILE_NAMES[given[-1]]
    path.write_text(as_submission_csv(repaired.answers), encoding="utf-8", newline="")
    return str(repaired_report(repaired)), path


def _examine(predictions: Sequence[str], references: Sequence[str], source: str, benchmark: str) -> Diagnosis:
    known, names = _known(references, source, benchmark), [Path(path).name for path in predictions]
    found = examine(predictions, known, names=names)
    answered = [task for task, count in found.counts.items() if count.answers]
    # Who gives a few tasks does not miss the others; who gives most of them may want to submit.
    few = 0 < len(answered) <= len(find_benchmark(benchmark).tasks) // 2
    return examine(predictions, known.only(answered), names=names) if few else found


def _known(references: Sequence[str], source: str, benchmark: str) -> KnownIds:
    if source != "files":
        return ids_of_source(source, benchmark=benchmark)
    opened = open_inputs(references, [Path(path).name for path in references])
    return ids_of_references(gather_references(*opened, benchmark=benchmark), benchmark=benchmark)
