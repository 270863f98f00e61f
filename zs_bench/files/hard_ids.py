"""QuALITY's hard questions (SCROLLS, `quality_hard`): the data marks none, so that a list of their ids must be given.

The answers are those of `quality`: whoever gives the list, or references of `quality_hard`, need not give them twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from zs_bench.files import limits
from zs_bench.files.gather import Predictions, References
from zs_bench.files.json_text import parse
from zs_bench.problems import Problem, UnusableInput, short

ALL, HARD = "quality", "quality_hard"


def read_hard_ids(path: str | Path) -> list[str]:
    """The ids in a file: a JSON list of texts, or one id a line.

    Raises:
        UnusableInput: for a file that cannot be read or holds no ids.
    """
    name = short(str(path), 200)
    try:
        data = Path(path).read_bytes()[: limits.MAX_BYTES[".json"] + 1]
        text = data.decode("utf-8-sig")
        ids = parse(text) if text.lstrip()[:1] in ("[", "{") else text.split()
    except (OSError, UnicodeDecodeError, UnusableInput) as error:
        raise UnusableInput(f"{name}: the list of hard ids cannot be read ({short(str(error))})") from None
    if not isinstance(ids, list) or not ids or not all(isinstance(key, str) for key in ids):
        raise UnusableInput(f"{name}: a list of hard ids is a JSON list of texts, or one id a line")
    return ids


def with_hard_questions(
    predictions: Predictions, references: References, ids: Iterable[str] | None = None
) -> tuple[Predictions, References]:
    """The same with the task `quality_hard`, if its ids are given, or its references and no answers.

    Args:
        predictions: as gathered, for SCROLLS.
        references: likewise.
        ids: of the hard questions.
    """
    answers = predictions.tasks.get(ALL)
    if answers is None or HARD in predictions.tasks or predictions.benchmark != "scrolls":
        return predictions, references
    if ids is None:
        known = {key for split in references.tasks.get(HARD, {}).values() for key in split}
        return (_asked(predictions, known), references) if known else (predictions, references)
    hard = set(ids)
    splits = {
        split: {key: texts for key, texts in by_id.items() if key in hard}
        for split, by_id in references.tasks.get(ALL, {}).items()
    }
    if not any(splits.values()):
        problem = Problem("hard-ids", "none of the hard ids is in the references of quality; check the list", HARD)
        return replace(predictions, problems=[*predictions.problems, problem]), references
    places = {(HARD, *key[1:]): found for key, found in references.places.items() if key[0] == ALL}
    documents = {(HARD, *key[1:]): found for key, found in references.documents.items() if key[0] == ALL}
    found = replace(
        references,
        tasks={**references.tasks, HARD: {split: by_id for split, by_id in splits.items() if by_id}},
        places={**references.places, **places},
        documents={**references.documents, **documents},
    )
    return _asked(predictions, hard), found


def _asked(predictions: Predictions, hard: Collection[str]) -> Predictions:
    """The answers to `quality` that are to hard questions are answers to `quality_hard` as well."""
    answers = {key: answer for key, answer in predictions.tasks[ALL].items() if key in hard}
    return replace(predictions, tasks={**predictions.tasks, HARD: answers})
