"""The report of a check: the sentence for a paper, and the numbers behind it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zs_bench.errors import UnusableInput
from zs_bench.problems import counted, printable
from zs_bench.reports.tables import Table
from zs_lab.audit.check import Check
from zs_lab.audit.estimates import Agreement, JudgeHelp, Quantity, Sample, agreement, estimate, judge_help
from zs_lab.audit.labels import VERDICTS, Label
from zs_lab.audit.sampling import Floats, stratum_name
from zs_metric.version import VERSION

#: The quantities of `estimates`, as words.
TITLES: Mapping[str, str] = {
    "A": "right answers",
    "F": "score",
    "L": "lost points",
    "P": "lost by right answers",
    "W": "lost by wrong answers",
    "U": "given to wrong answers",
}


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What the labels of a check say.

    Attributes:
        annotator: whose labels the estimates rest on: the one with most.
        estimates: by letter, for each system, and for two systems also of the difference; see `estimates`.
        without_judge: the same without the model's verdicts, where these were used.
        strata: by name: answers, labelled ones, and how many of these have each verdict, over the systems.
        agreement: of several annotators; `None` where no answer has two labels.
        left_out: how many labels are of answers that are not in this check.
        seconds: the median time of a label.
    """

    check: Check
    annotator: str
    labelled: int
    estimates: Mapping[str, Sequence[Quantity]]
    strata: Mapping[str, Sequence[int]]
    unclear: int
    agreement: Agreement | None
    left_out: int
    seconds: float
    judge: JudgeHelp | None = None
    without_judge: Mapping[str, Sequence[Quantity]] | None = None

    @property
    def sentences(self) -> list[str]:
        """The findings, a sentence each, the headline first."""
        lost, by_right = self.estimates["L"], self.estimates["P"]
        pairs = zip(self.check.systems, lost, by_right, strict=False)
        several = len(self.check.systems) > 1
        sentences = [
            f"{f'{printable(name)}: of' if several else 'Of'} {_whole(all_lost)} lost points, {_whole(part)} belong to "
            "right answers."
            for name, all_lost, part in pairs
        ]
        return sentences + ([_order(self)] if several else [])

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON-able data, in points."""
        check = self.check
        return {
            "schema": "zero_scrolls_audit_report/1",
            "version": VERSION,
            "benchmark": check.benchmark,
            "task": check.task,
            "systems": list(check.systems),
            "seed": check.seed,
            "answers": len(check.ids),
            "labelled": self.labelled,
            "cannot_tell": self.unclear,
            "annotator": self.annotator,
            "median_seconds": self.seconds,
            "sentences": self.sentences,
            "estimates": _as_json(self.estimates),
            "strata": {
                name: dict(zip(("answers", "labelled", *VERDICTS), counts, strict=True))
                for name, counts in self.strata.items()
            },
            "agreement": self.agreement and self.agreement._asdict(),
            "judge": self.judge and self.judge._asdict(),
            "without_judge": self.without_judge and _as_json(self.without_judge),
        }

    def as_text(self) -> str:
        """Return the report as plain text."""
        check = self.check
        columns = [*map(printable, check.systems), *(["difference"] if len(check.systems) > 1 else [])]
        rows = [
            (letter, title, *(_exact(quantity) for quantity in self.estimates[letter]))
            for letter, title in TITLES.items()
        ]
        strata = Table(
            ("score", "examples", "labelled", *VERDICTS),
            [(name, *map(str, counts)) for name, counts in self.strata.items()],
            range(1, 6),
        )
        parts = ["\n".join(self.sentences), Table(("", "points", *columns), rows).text(), strata.text()]
        return "\n\n".join([*parts, "\n".join(self._notes())]) + "\n"

    def _notes(self) -> list[str]:
        check = self.check
        by = f"labelled by {printable(self.annotator)}, {self.seconds:.0f} seconds each (median)"
        yields = [
            f"{check.task}: {self.labelled:,} of {len(check.ids):,} examples {by}; seed {check.seed}.",
            "A = F + P - U and L = P + W, of all answers; intervals of 95 %, with the finite-population correction.",
        ]
        if self.unclear:
            yields.append(
                f"Nobody could tell for {counted(self.unclear, 'answer')}: the two numbers are the bounds from taking "
                "them all to be wrong or right, and the interval covers both."
            )
        if self.agreement:
            alpha = (
                "not defined, all labels being equal" if self.agreement.alpha is None else f"{self.agreement.alpha:.2f}"
            )
            yields.append(
                f"On {counted(self.agreement.answers, 'answer')} with several labels, {self.agreement.raw:.0%} of the "
                f"pairs agree; Krippendorff's alpha {alpha}, Gwet's AC1 {self.agreement.ac1:.2f}."
            )
        elif self.labelled:
            yields.append("Nobody else has labelled any of these answers, so agreement is not known.")
        if self.judge:
            yields.append(_help(self.judge, self.estimates, self.without_judge))
        if self.left_out:
            yields.append(
                f"{counted(self.left_out, 'label')} of answers outside this sample left out: check that the files of "
                "labels belong to it."
            )
        return yields


def report_on(check: Check, labels: Sequence[Label], judged: Floats | None = None) -> AuditReport:
    """Return the report of a check from its labels.

    Args:
        judged: the verdicts of a model on all N answers, 0 to 1.

    Raises:
        UnusableInput: without labels of this check, without any in one of its strata, and for verdicts of a model on
            two systems.
    """
    if judged is not None and len(check.systems) > 1:
        raise UnusableInput("a model's verdicts help with the check of one system; this one has two")
    cards = {(check.ids[place], answer) for place, answer in check.cards}
    own = [label for label in labels if label.task == check.task and (label.id, label.answer) in cards]
    if labels and not own:
        raise UnusableInput(
            f"none of the {counted(len(labels), 'label')} is of an answer in this sample of {check.task}; use the "
            "sample, or the predictions, that they were made for"
        )
    if not own:
        raise UnusableInput("there are no labels yet; label some of the sample first")
    annotator, _ = Counter(label.annotator for label in own).most_common(1)[0]
    mine = {(label.id, label.answer): label for label in own if label.annotator == annotator}
    verdicts = {answer: VERDICTS[label.verdict] for answer, label in mine.items()}
    labelled = [
        place for place in check.drawn if all((check.ids[place], answer) in verdicts for answer in check.answers[place])
    ]
    rows = [[verdicts[check.ids[place], answer] for answer in check.answers[place]] for place in labelled]
    sample = Sample(
        check.scores,
        check.strata,
        np.array(labelled, dtype=np.int64),
        np.array(rows, dtype=float).reshape(len(labelled), len(check.systems)),
        judged,
    )
    by_answer: dict[tuple[str, str], list[str]] = {}
    for label in own:
        by_answer.setdefault((label.id, label.answer), []).append(label.verdict)
    judge = None if judged is None else judge_help(sample)
    return AuditReport(
        check,
        annotator,
        len(labelled),
        estimate(sample),
        _strata(check, sample),
        int(np.isnan(sample.verdicts).sum()),
        agreement(list(by_answer.values())),
        len(labels) - len(own),
        float(np.median([label.seconds for label in mine.values()])),
        judge,
        estimate(Sample(sample.scores, sample.strata, sample.places, sample.verdicts))
        if judge and judge.slope
        else None,
    )


def _strata(check: Check, sample: Sample) -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {}
    for stratum in np.unique(sample.strata):
        verdicts = sample.verdicts[sample.strata[sample.places] == stratum]
        counts = [(verdicts == 1).sum(), (verdicts == 0).sum(), np.isnan(verdicts).sum()]
        name = stratum_name(int(stratum), len(check.systems))
        rows[name] = [int((sample.strata == stratum).sum()), len(verdicts), *map(int, counts)]
    return rows


def _order(report: AuditReport) -> str:
    """The sentence about which of two systems is ahead, by score and by people."""
    score, right = report.estimates["F"][2], report.estimates["A"][2]
    first, second = map(printable, report.check.systems)
    by_score = f"By score {first if score.least > 0 else second} is ahead by {100 * abs(score.least):.1f} points"
    if not score.least:
        by_score = "By score neither is ahead"
    if right.low <= 0 <= right.high:
        return f"{by_score}; by people neither is shown to be ahead (right answers: {_exact(right, sign='+')} points)."
    ahead, opposed = (first if right.low > 0 else second), score.least * right.low < 0
    return f"{by_score}; by people {ahead} is{', against that' if opposed else ''}: {_exact(right, sign='+')} points."


def _help(
    judge: JudgeHelp, used: Mapping[str, Sequence[Quantity]], without: Mapping[str, Sequence[Quantity]] | None
) -> str:
    met = f"The model's verdicts correlate with people's by {judge.correlation:.2f} within the strata"
    if without is None:
        return f"{met}, not above {judge.needed:.2f}: they are not used."
    before, after = (100 * (rows["P"][0].high - rows["P"][0].low) for rows in (without, used))
    word = "helped" if after < before else "did not help"
    return (
        f"{met} (needed: {judge.needed:.2f}) and are used (PPI++). They {word}: the interval of P is {after:.1f} "
        f"points wide, {before:.1f} without them."
    )


def _whole(quantity: Quantity) -> str:
    """The quantity in whole points: `24 [18, 30]`; without an interval where it is known."""
    value = _range(quantity, 0)
    if quantity.low == quantity.high:
        return value
    return f"{value} [{100 * quantity.low:.0f}, {100 * quantity.high:.0f}]"


def _exact(quantity: Quantity, sign: str = "") -> str:
    value = _range(quantity, 1, sign)
    if quantity.low == quantity.high:
        return value
    return f"{value} [{100 * quantity.low:{sign}.1f}, {100 * quantity.high:{sign}.1f}]"


def _range(quantity: Quantity, decimals: int, sign: str = "") -> str:
    ends = [f"{100 * end:{sign}.{decimals}f}" for end in (quantity.least, quantity.most)]
    return " to ".join(dict.fromkeys(ends))


def _as_json(estimates: Mapping[str, Sequence[Quantity]]) -> dict[str, list[dict[str, float]]]:
    return {
        letter: [{name: 100 * end for name, end in quantity._asdict().items()} for quantity in rows]
        for letter, rows in estimates.items()
    }
