"""The report of a check: the sentence for a paper, and the numbers behind it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
_Estimates = Mapping[str, Sequence[Quantity]]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What the labels of a check say.

    Attributes:
        annotator: whose labels the estimates rest on: the one with most.
        estimates: by letter, for each system, and for two systems also of the difference; see `estimates`.
        strata: by name: answers, labelled ones, and how many of these have each verdict, over the systems.
        agreement: of several annotators; `None` where no answer has two labels.
        left_out: how many labels are of answers that are not in this check.
        seconds: the median time of a label.
        judge: how a model's verdicts help, if there are any.
        without_judge: the estimates without them, where they were used.
    """

    check: Check
    annotator: str
    estimates: _Estimates
    strata: Mapping[str, Sequence[int]]
    agreement: Agreement | None
    left_out: int
    seconds: float
    judge: JudgeHelp | None = None
    without_judge: _Estimates | None = None

    @property
    def _labelled(self) -> int:
        return sum(counts[1] for counts in self.strata.values())

    @property
    def _unclear(self) -> int:
        return sum(counts[-1] for counts in self.strata.values())

    @property
    def sentences(self) -> list[str]:
        """The findings, a sentence each, the headline first."""
        systems = [printable(name) for name in self.check.systems]
        begins = [f"{name}: of" for name in systems] if len(systems) > 1 else ["Of"]
        sentences = [
            f"{begin} {_text(lost, 0)} lost points, {_text(by_right, 0)} belong to right answers."
            for begin, lost, by_right in zip(begins, self.estimates["L"], self.estimates["P"], strict=False)
        ]
        return sentences + ([self._order(*systems)] if len(systems) > 1 else [])

    def _order(self, first: str, second: str) -> str:
        """The sentence about which of two systems is ahead, by score and by people."""
        score, right = self.estimates["F"][2], self.estimates["A"][2]
        leader, lead = first if score.least > 0 else second, 100 * abs(score.least)
        by_score = f"By score {leader} is ahead by {lead:.1f} points" if lead else "By score neither is ahead"
        points = f"{_text(right, sign='+')} points"
        if right.low <= 0 <= right.high:
            return f"{by_score}; by people neither is shown to be ahead (right answers: {points})."
        ahead, opposed = (first if right.low > 0 else second), score.least * right.low < 0
        return f"{by_score}; by people {ahead} is{', against that' if opposed else ''}: {points}."

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
            "labelled": self._labelled,
            "cannot_tell": self._unclear,
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
        columns = [*map(printable, self.check.systems), "difference"][: len(self.estimates["A"])]
        rows = [(letter, title, *map(_text, self.estimates[letter])) for letter, title in TITLES.items()]
        counts = [(name, *map(str, row)) for name, row in self.strata.items()]
        strata = Table(("score", "examples", "labelled", *VERDICTS), counts, range(1, 6)).text()
        parts = ["\n".join(self.sentences), Table(("", "points", *columns), rows).text(), strata]
        return "\n\n".join([*parts, "\n".join(self._notes())]) + "\n"

    def _notes(self) -> list[str]:
        check = self.check
        by = f"labelled by {printable(self.annotator)}, {self.seconds:.0f} seconds each (median)"
        notes = [
            f"{check.task}: {self._labelled:,} of {len(check.ids):,} examples {by}; seed {check.seed}.",
            "A = F + P - U and L = P + W, of all answers; intervals of 95 %, with the finite-population correction.",
        ]
        if self._unclear:
            notes.append(
                f"Nobody could tell for {counted(self._unclear, 'answer')}: the two numbers are the bounds from taking "
                "them all to be wrong or right, and the interval covers both."
            )
        if self.agreement:
            answers, raw, alpha, ac1 = self.agreement
            defined = "not defined, all labels being equal" if alpha is None else f"{alpha:.2f}"
            notes.append(
                f"On {counted(answers, 'answer')} with several labels, {raw:.0%} of the pairs agree; Krippendorff's "
                f"alpha {defined}, Gwet's AC1 {ac1:.2f}."
            )
        else:
            notes.append("Nobody else has labelled any of these answers, so agreement is not known.")
        if self.judge:
            notes.append(_help(self.judge, self.estimates, self.without_judge))
        if self.left_out:
            notes.append(
                f"{counted(self.left_out, 'label')} of answers outside this sample left out: check that the files of "
                "labels belong to it."
            )
        return notes


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
    own = [label for label in labels if label.task == check.task and label.card in cards]
    if labels and not own:
        raise UnusableInput(
            f"none of the {counted(len(labels), 'label')} is of an answer in this sample of {check.task}; use the "
            "sample, or the predictions, that they were made for"
        )
    if not own:
        raise UnusableInput("there are no labels yet; label some of the sample first")
    annotator, _ = Counter(label.annotator for label in own).most_common(1)[0]
    mine = {label.card: label for label in own if label.annotator == annotator}
    cards_of = {place: [(check.ids[place], answer) for answer in check.answers[place]] for place in check.drawn}
    labelled = [place for place in check.drawn if all(card in mine for card in cards_of[place])]
    verdicts = [[VERDICTS[mine[card].verdict] for card in cards_of[place]] for place in labelled]
    shape = len(labelled), len(check.systems)
    places = np.array(labelled, dtype=np.int64)
    sample = Sample(check.scores, check.strata, places, np.array(verdicts, dtype=float).reshape(shape), judged)
    by_answer: dict[tuple[str, str], list[str]] = {}
    for label in own:
        by_answer.setdefault(label.card, []).append(label.verdict)
    judge = None if judged is None else judge_help(sample)
    return AuditReport(
        check,
        annotator,
        estimate(sample),
        _strata(sample),
        agreement(list(by_answer.values())),
        len(labels) - len(own),
        float(np.median([label.seconds for label in mine.values()])),
        judge,
        estimate(replace(sample, judged=None)) if judge and judge.slope else None,
    )


def _strata(sample: Sample) -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {}
    for stratum in np.unique(sample.strata):
        verdicts = sample.verdicts[sample.strata[sample.places] == stratum]
        counts = [(verdicts == 1).sum(), (verdicts == 0).sum(), np.isnan(verdicts).sum()]
        name = stratum_name(int(stratum), sample.scores.shape[1])
        rows[name] = [int((sample.strata == stratum).sum()), len(verdicts), *map(int, counts)]
    return rows


def _help(judge: JudgeHelp, used: _Estimates, without: _Estimates | None) -> str:
    met = f"The model's verdicts correlate with people's by {judge.correlation:.2f} within the strata"
    if without is None:
        return f"{met}, not above {judge.needed:.2f}: they are not used."
    before, after = (100 * (rows["P"][0].high - rows["P"][0].low) for rows in (without, used))
    helped = "helped" if after < before else "did not help"
    widths = f"the interval of P is {after:.1f} points wide, {before:.1f} without them"
    return f"{met} (needed: {judge.needed:.2f}) and are used (PPI++). They {helped}: {widths}."


def _text(quantity: Quantity, decimals: int = 1, sign: str = "") -> str:
    """The quantity in points: `24 [18, 30]`; without an interval where it is known."""
    least, most, low, high = (f"{round(100 * end, decimals) + 0.0:{sign}.{decimals}f}" for end in quantity)
    value = least if least == most else f"{least} to {most}"
    return value if quantity.low == quantity.high else f"{value} [{low}, {high}]"


def _as_json(estimates: _Estimates) -> dict[str, list[dict[str, float]]]:
    return {
        letter: [{name: 100 * end for name, end in quantity._asdict().items()} for quantity in rows]
        for letter, rows in estimates.items()
    }
