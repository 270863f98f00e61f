"""Score answers as rules leave them, and as they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from zs_bench.files.gather import Answer, Predictions, References
from zs_bench.problems import Problem
from zs_bench.reports.post_rules import PostRule, find_rules
from zs_bench.reports.scored import PostProcessed, ScoredFile
from zs_bench.reports.scoring import Progress, score_predictions


def score_processed(
    predictions: Predictions,
    references: References,
    post: Iterable[str] = (),
    *,
    progress: Progress | None = None,
    **options: Any,
) -> ScoredFile:
    """The scores of the answers as these rules leave them; what they were before stands in `processed`.

    Args:
        predictions: as gathered from files.
        references: likewise.
        post: the names of the rules, in their order (`zs_bench.reports.post_rules`); without any this is
            `score_predictions`.
        progress: told of every task, of both scores.
        options: as for `score_predictions`.

    Raises:
        UnknownRule: with the likely name.
    """
    rules = find_rules(post)
    if not rules:
        return score_predictions(predictions, references, progress=progress, **options)
    before = score_predictions(predictions, references, progress=_half(progress, 0), **options)
    processed, changed = process(predictions, rules)
    scored = score_predictions(processed, references, progress=_half(progress, 1), **options)
    scores = {name: task.score for name, task in before.tasks.items()}
    names = tuple(rule.name for rule in rules)
    return replace(scored, post=names, processed=PostProcessed(scores, changed))


def process(predictions: Predictions, rules: Iterable[PostRule]) -> tuple[Predictions, int]:
    """The answers as the rules leave them, and how many they changed; a warning for each that is empty by them."""
    steps = tuple(rules)
    tasks: dict[str, dict[str, Answer]] = {}
    problems, changed = list(predictions.problems), 0
    for task, answers in predictions.tasks.items():
        tasks[task] = {key: _processed(answer, task, steps) for key, answer in answers.items()}
        for key, answer in tasks[task].items():
            changed += answer != answers[key]
            if not answer.text.strip() and answers[key].text.strip():
                message = "the rules leave nothing of the answer; it is scored, 0"
                problems.append(Problem("emptied", message, task, key, answer.place, refuses=False))
    return replace(predictions, tasks=tasks, problems=problems), changed


def _processed(answer: Answer, task: str, rules: tuple[PostRule, ...]) -> Answer:
    text = answer.text
    for rule in rules:
        text = rule.change(text, task)
    return replace(answer, text=text)


def _half(progress: Progress | None, done: int) -> Progress | None:
    return progress and (lambda share, what: progress((done + share) / 2, what))
