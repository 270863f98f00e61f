"""The report of a check: the sentence for a paper, and the numbers behind it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from zs_bench.errors import UnusableInput
from zs_bench.problems import counted, printable
from zs_bench.reports.tables import Table
from zs_lab.audit.check import VERDICTS, Check, Label
from zs_lab.audit.sampling import (
    Agreement,
    Floats,
    JudgeHelp,
    Quantity,
    Sample,
    agreement,
    estimate,
    judge_help,
    stratum_name,
)
from zs_metric.version import VERSION

#: The quantities of `sampling`, as words.
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
        sentences: the findings, the headline first.
        estimates: by letter, for each system, and for two systems also of the difference; see `sampling`.
        strata: by name, the numbers of examples, of labelled ones, and of each verdict over the systems.
        without_judge: the estimates without a model's verdicts, where these were used.
        left_out: how many labels are of answers that are not in this check.
    """

    benchmark: str
    task: str
    systems: Sequence[str]
    seed: int
    answers: int
    labelled: int
    cannot_tell: int
    annotator: str
    median_seconds: float
    sentences: Sequence[str]
    estimates: _Estimates
    strata: Mapping[str, Mapping[str, int]]
    agreement: Agreement | None
    judge: JudgeHelp | None
    without_judge: _Estimates | None
    left_out: int

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON-able data, in points."""
        data: dict[str, Any] = {"schema": "zero_scrolls_audit_report/1", "version": VERSION, **asdict(self)}
        del data["left_out"]
        for name in ("estimates", "without_judge"):
            data[name] = data[name] and {
                letter: [{end: 100 * value for end, value in quantity._asdict().items()} for quantity in rows]
                for letter, rows in data[name].items()
            }
        agreement, judge = (each and each._asdict() for each in (self.agreement, self.judge))
        return {**data, "agreement": agreement, "judge": judge}

    def as_text(self) -> str:
        columns = [*map(printable, self.systems), "difference"][: len(self.estimates["A"])]
        rows = [(letter, title, *map(_text, self.estimates[letter])) for letter, title in TITLES.items()]
        counts = [(name, *map(str, row.values())) for name, row in self.strata.items()]
        strata = Table(("score", "examples", "labelled", *VERDICTS), counts, range(1, 6)).text()
        parts = ["\n".join(self.sentences), Table(("", "points", *columns), rows).text(), strata]
        return "\n\n".join([*parts, "\n".join(self._notes())]) + "\n"

    def _notes(self) -> list[str]:
        by = f"labelled by {printable(self.annotator)}, {self.median_seconds:.0f} seconds each (median)"
        notes = [
            f"{self.task}: {self.labelled:,} of {self.answers:,} examples {by}; seed {self.seed}.",
            "A = F + P - U and L = P + W, of all answers; intervals of 95 %, with the finite-population correction.",
        ]
        if self.cannot_tell:
            notes.append(
                f"Nobody could tell for {counted(self.cannot_tell, 'answer')}: the two numbers are the bounds from "
                "taking them all to be wrong or right, and the interval covers both."
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
            met = f"The model's verdicts correlate with people's by {self.judge.correlation:.2f} within the strata"
            if self.without_judge is None:
                notes.append(f"{met}, not above {self.judge.needed:.2f}: they are not used.")
            else:
                before, after = (
                    100 * (rows["P"][0].high - rows["P"][0].low) for rows in (self.without_judge, self.estimates)
                )
                helped = "helped" if after < before else "did not help"
                widths = f"the interval of P is {after:.1f} points wide, {before:.1f} without them"
                needed = f"(needed: {self.judge.needed:.2f})"
                notes.append(f"{met} {needed} and are used (PPI++). They {helped}: {widths}.")
        if self.left_out:
            notes.append(
                f"{counted(self.left_out, 'label')} of answers outside this sample left out: check that the files of "
                "labels belong to it."
            )
        return notes


def report_on(check: Check, labels: Sequence[Label], judged: Floats | None = None) -> AuditReport:
    """Return the report of a check from its labels; `judged` are the verdicts of a model on all N answers, 0 to 1.

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
    sample = _sample(check, mine, judged)
    estimates, judge = estimate(sample), None if judged is None else judge_help(sample)
    strata = {}
    for number, members, chosen in sample.strata():
        verdicts = sample.verdicts[chosen]
        kinds = [verdicts == 1, verdicts == 0, np.isnan(verdicts)]
        counts = dict(zip(VERDICTS, (int(kind.sum()) for kind in kinds), strict=True))
        strata[stratum_name(number, len(check.systems))] = {"answers": len(members), "labelled": len(chosen), **counts}
    by_answer: dict[tuple[str, str], list[str]] = {}
    for label in own:
        by_answer.setdefault(label.card, []).append(label.verdict)
    return AuditReport(
        benchmark=check.benchmark,
        task=check.task,
        systems=check.systems,
        seed=check.seed,
        answers=len(check.ids),
        labelled=len(sample.places),
        cannot_tell=int(np.isnan(sample.verdicts).sum()),
        annotator=annotator,
        median_seconds=float(np.median([label.seconds for label in mine.values()])),
        sentences=_sentences([printable(name) for name in check.systems], estimates),
        estimates=estimates,
        strata=strata,
        agreement=agreement(list(by_answer.values())),
        judge=judge,
        without_judge=estimate(replace(sample, judged=None)) if judge and judge.slope else None,
        left_out=len(labels) - len(own),
    )


def _sample(check: Check, labels: Mapping[tuple[str, str], Label], judged: Floats | None) -> Sample:
    """Return the examples of which every system's answer has a label."""
    verdicts: dict[int, list[float]] = {}
    for place in check.drawn:
        cards = [(check.ids[place], answer) for answer in check.answers[place]]
        if all(card in labels for card in cards):
            verdicts[place] = [VERDICTS[labels[card].verdict] for card in cards]
    table = np.array(list(verdicts.values()), dtype=float).reshape(-1, len(check.systems))
    return Sample(check.scores, np.array(list(verdicts), dtype=np.int64), table, judged)


def _sentences(systems: Sequence[str], estimates: _Estimates) -> list[str]:
    begins = [f"{name}: of" for name in systems] if len(systems) > 1 else ["Of"]
    sentences = [
        f"{begin} {_text(lost, 0)} lost points, {_text(by_right, 0)} belong to right answers."
        for begin, lost, by_right in zip(begins, estimates["L"], estimates["P"], strict=False)
    ]
    if len(systems) > 1:
        (first, second), score, right = systems, estimates["F"][2], estimates["A"][2]
        lead, points = 100 * abs(score.least), f"{_text(right, sign='+')} points"
        leader = f"{first if score.least > 0 else second} is ahead by {lead:.1f} points"
        by_score = f"By score {leader if lead else 'neither is ahead'}; by people"
        if right.low <= 0 <= right.high:
            return [*sentences, f"{by_score} neither is shown to be ahead (right answers: {points})."]
        opposed = ", against that" if score.least * right.low < 0 else ""
        sentences.append(f"{by_score} {first if right.low > 0 else second} is{opposed}: {points}.")
    return sentences


def _text(quantity: Quantity, decimals: int = 1, sign: str = "") -> str:
    """The quantity in points: `24 [18, 30]`; without an interval where it is known."""
    least, most, low, high = (f"{round(100 * end, decimals) + 0.0:{sign}.{decimals}f}" for end in quantity)
    value = least if least == most else f"{least} to {most}"
    return value if quantity.low == quantity.high else f"{value} [{low}, {high}]"
