"""The report of a check: the sentence for a paper, and the numbers behind it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from zs_bench.errors import UnusableInput
from zs_bench.problems import counted, printable
from zs_bench.reports.tables import Table
from zs_lab.audit.check import VERDICTS, Check, Label
from zs_lab.audit.sampling import Floats, Quantity, Sample, agreement, estimate, judge_help, stratum_name
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
_Points = Mapping[str, Sequence[Mapping[str, float]]]  # by letter, the ends of each estimate in points


class AuditReport(NamedTuple):
    """What the labels of a check say, as JSON-able data and as text.

    `estimates`, by letter as in `sampling`, are of each system, and for two systems also of the difference; they rest
    on the labels of the annotator who gave most. `strata` has by name the numbers of examples, of labelled ones, and of
    each verdict over the systems; `without_judge` the estimates without a model's verdicts, where these were used.
    """

    data: dict[str, Any]
    text: str


def report_on(check: Check, labels: Sequence[Label], judged: Floats | None = None) -> AuditReport:
    """Return the report of a check from its labels; `judged` are the verdicts of a model on all N answers, 0 to 1.

    Raises `UnusableInput` without labels of this check or of one of its strata, and for verdicts on two systems.
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
    estimates, judge = _in_points(estimate(sample)), None if judged is None else judge_help(sample)
    by_answer: dict[tuple[str, str], list[str]] = {}
    for label in own:
        by_answer.setdefault(label.card, []).append(label.verdict)
    agreed = agreement(list(by_answer.values()))
    data = {
        "schema": "zero_scrolls_audit_report/1",
        "version": VERSION,
        "benchmark": check.benchmark,
        "task": check.task,
        "systems": check.systems,
        "seed": check.seed,
        "answers": len(check.ids),
        "labelled": len(sample.places),
        "cannot_tell": int(np.isnan(sample.verdicts).sum()),
        "annotator": annotator,
        "median_seconds": float(np.median([label.seconds for label in mine.values()])),
        "sentences": _sentences([printable(name) for name in check.systems], estimates),
        "estimates": estimates,
        "strata": _strata(sample),
        "agreement": agreed and agreed._asdict(),
        "judge": judge and judge._asdict(),
        "without_judge": _in_points(estimate(replace(sample, judged=None))) if judge and judge.slope else None,
    }
    return AuditReport(data, _text(data, len(labels) - len(own)))


def _in_points(estimates: Mapping[str, Sequence[Quantity]]) -> _Points:
    return {
        letter: [{end: 100 * value for end, value in quantity._asdict().items()} for quantity in rows]
        for letter, rows in estimates.items()
    }


def _strata(sample: Sample) -> dict[str, dict[str, int]]:
    strata = {}
    for number, members, chosen in sample.strata():
        verdicts = sample.verdicts[chosen]
        kinds = [verdicts == 1, verdicts == 0, np.isnan(verdicts)]
        counts = dict(zip(VERDICTS, (int(kind.sum()) for kind in kinds), strict=True))
        name = stratum_name(number, sample.scores.shape[1])
        strata[name] = {"answers": len(members), "labelled": len(chosen), **counts}
    return strata


def _sample(check: Check, labels: Mapping[tuple[str, str], Label], judged: Floats | None) -> Sample:
    """Return the examples of which every system's answer has a label."""
    verdicts: dict[int, list[float]] = {}
    for place in check.drawn:
        cards = [(check.ids[place], answer) for answer in check.answers[place]]
        if all(card in labels for card in cards):
            verdicts[place] = [VERDICTS[labels[card].verdict] for card in cards]
    table = np.array(list(verdicts.values()), dtype=float).reshape(-1, len(check.systems))
    return Sample(check.scores, np.array(list(verdicts), dtype=np.int64), table, judged)


def _sentences(systems: Sequence[str], estimates: _Points) -> list[str]:
    begins = [f"{name}: of" for name in systems] if len(systems) > 1 else ["Of"]
    sentences = [
        f"{begin} {_quantity(lost, 0)} lost points, {_quantity(by_right, 0)} belong to right answers."
        for begin, lost, by_right in zip(begins, estimates["L"], estimates["P"], strict=False)
    ]
    if len(systems) > 1:
        (first, second), score, right = systems, estimates["F"][2]["least"], estimates["A"][2]
        points = f"{_quantity(right, sign='+')} points"
        leader = f"{first if score > 0 else second} is ahead by {abs(score):.1f} points"
        by_score = f"By score {leader if score else 'neither is ahead'}; by people"
        if right["low"] <= 0 <= right["high"]:
            return [*sentences, f"{by_score} neither is shown to be ahead (right answers: {points})."]
        opposed = ", against that" if score * right["low"] < 0 else ""
        sentences.append(f"{by_score} {first if right['low'] > 0 else second} is{opposed}: {points}.")
    return sentences


def _quantity(quantity: Mapping[str, float], decimals: int = 1, sign: str = "") -> str:
    """The quantity: `24 [18, 30]`; without an interval where it is known."""
    least, most, low, high = (f"{round(end, decimals) + 0.0:{sign}.{decimals}f}" for end in quantity.values())
    value = least if least == most else f"{least} to {most}"
    return value if quantity["low"] == quantity["high"] else f"{value} [{low}, {high}]"


def _text(data: Mapping[str, Any], left_out: int) -> str:
    """Return the report as text; `left_out` are the labels of answers that are not in this check."""
    columns = [*map(printable, data["systems"]), "difference"][: len(data["estimates"]["A"])]
    rows = [(letter, title, *map(_quantity, data["estimates"][letter])) for letter, title in TITLES.items()]
    counts = [(name, *map(str, row.values())) for name, row in data["strata"].items()]
    strata = Table(("score", "examples", "labelled", *VERDICTS), counts, range(1, 6)).text()
    parts = ["\n".join(data["sentences"]), Table(("", "points", *columns), rows).text(), strata]
    return "\n\n".join([*parts, "\n".join(_notes(data, left_out))]) + "\n"


def _notes(data: Mapping[str, Any], left_out: int) -> list[str]:
    by = f"labelled by {printable(data['annotator'])}, {data['median_seconds']:.0f} seconds each (median)"
    notes = [
        f"{data['task']}: {data['labelled']:,} of {data['answers']:,} examples {by}; seed {data['seed']}.",
        "A = F + P - U and L = P + W, of all answers; intervals of 95 %, with the finite-population correction.",
    ]
    if data["cannot_tell"]:
        notes.append(
            f"Nobody could tell for {counted(data['cannot_tell'], 'answer')}: the two numbers are the bounds from "
            "taking them all to be wrong or right, and the interval covers both."
        )
    if data["agreement"]:
        answers, raw, alpha, ac1 = data["agreement"].values()
        defined = "not defined, all labels being equal" if alpha is None else f"{alpha:.2f}"
        notes.append(
            f"On {counted(answers, 'answer')} with several labels, {raw:.0%} of the pairs agree; Krippendorff's "
            f"alpha {defined}, Gwet's AC1 {ac1:.2f}."
        )
    else:
        notes.append("Nobody else has labelled any of these answers, so agreement is not known.")
    if data["judge"]:
        _, correlation, needed = data["judge"].values()
        met = f"The model's verdicts correlate with people's by {correlation:.2f} within the strata"
        if data["without_judge"] is None:
            notes.append(f"{met}, not above {needed:.2f}: they are not used.")
        else:
            ends = [data[name]["P"][0] for name in ("without_judge", "estimates")]
            before, after = (interval["high"] - interval["low"] for interval in ends)
            helped = "helped" if after < before else "did not help"
            widths = f"the interval of P is {after:.1f} points wide, {before:.1f} without them"
            notes.append(f"{met} (needed: {needed:.2f}) and are used (PPI++). They {helped}: {widths}.")
    if left_out:
        notes.append(
            f"{counted(left_out, 'label')} of answers outside this sample left out: check that the files of labels "
            "belong to it."
        )
    return notes
