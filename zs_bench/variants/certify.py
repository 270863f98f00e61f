"""`certify`: whether the scores that a file has recorded are the official ones, and which variant gives them."""

from typing import Any

from zs_bench.answers import Answer
from zs_bench.benchmarks import Task
from zs_bench.scoring.recorded import Pair, RecordedScores, recorded_scores
from zs_bench.scoring.scored import ScoredFile, ScoredTask
from zs_bench.variants.definitions import METRIC_VARIANTS, OFFICIAL, ScoredTexts
from zs_metric.scoring import score_task
from zs_metric.version import VERSION

SCHEMA = "zero-scrolls-certify/1"
#: The most answers that are scored under all variants: those that differ first.
MOST = 300


def certify(scored: ScoredFile) -> dict[str, Any]:
    """Compare the recorded scores of a scored file with the official ones, as JSON-able data.

    Keys: `schema`, `version`, `signature`, `agrees` (whether scores are recorded and all are the official ones), and
    `tasks`, name to `None` where nothing is recorded, else to: `recorded`, the name of the field; `shares`, whether
    they are shares of 1; `answers` and `agree`, numbers; `mean` of the recorded scores in points; `differences`, the
    largest first, with `id`, `recorded` and `official`; and `given_by`, the variant that gives the most of `tried`
    answers, if it gives more than the official metric, with `agree` and `does`.
    """
    rows = scored.validation.checked.rows
    tasks = {name: _of_task(task, recorded_scores(task, rows)) for name, task in scored.scored.items()}
    found = [each for each in tasks.values() if each]
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "signature": str(scored.signature()),
        "agrees": bool(found) and all(not each["differences"] for each in found),
        "tasks": tasks,
    }


def _of_task(task: ScoredTask, recorded: RecordedScores | None) -> dict[str, Any] | None:
    if recorded is None:
        return None
    differing = recorded.differing
    return {
        "recorded": recorded.name,
        "shares": recorded.are_shares,
        "answers": len(recorded.pairs),
        "agree": len(recorded.pairs) - len(differing),
        "unrecorded": task.answered - len(recorded.pairs),
        "mean": sum(pair.recorded for pair in recorded.pairs) / len(recorded.pairs),
        "differences": [
            {"id": pair.answer.id, "recorded": pair.recorded, "official": pair.official} for pair in differing
        ],
        "given_by": _given_by(task.task, recorded, differing) if differing else None,
    }


def _given_by(task: Task, recorded: RecordedScores, differing: list[Pair]) -> dict[str, Any] | None:
    """The variant that gives most of the recorded scores, unless the official metric gives as many."""
    alike = [pair for pair in recorded.pairs if recorded.agree(pair.recorded, pair.official)]
    tried = [*differing[: MOST // 2], *alike]
    tried = [*tried, *differing[MOST // 2 :]][:MOST]
    texts = [_text(pair.answer) for pair in tried]
    agree = {
        name: sum(recorded.agree(pair.recorded, variant.points(row)) for pair, row in zip(tried, texts, strict=True))
        for name, variant in METRIC_VARIANTS.items()
        if variant.applies_to(task.benchmark)
    }
    best = max(agree, key=agree.__getitem__)
    if agree[best] <= agree[OFFICIAL]:
        return None
    return {"variant": best, "does": METRIC_VARIANTS[best].does, "agree": agree[best], "tried": len(tried)}


def _text(answer: Answer) -> ScoredTexts:
    """Return an answer as a task of its own."""
    columns = [answer.text], [answer.references]
    return ScoredTexts(answer.task, *columns, official=score_task(answer.task, *columns))
