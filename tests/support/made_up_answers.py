"""Made-up answers to Qasper whose truth is known: short, wordy, wrong ones, and right ones in other words."""

import random
from pathlib import Path
from typing import NamedTuple

from written_files import write

#: The probabilities of the kinds of answer: exact, right in many words, right in other words, wrong with some words of
#: the reference, wrong.
WORDY = {"exact": 0.1, "wordy": 0.4, "other": 0.2, "partly": 0.1, "wrong": 0.2}
TERSE = {"exact": 0.45, "wordy": 0.05, "other": 0.05, "partly": 0.15, "wrong": 0.3}
_WORDS = [f"{first}{last}" for first in "bcdfghjklmnprstv" for last in ("alo", "ema", "iru", "ola", "une")]


class MadeUp(NamedTuple):
    """A folder with inputs, the files of two systems, and by system and id whether the answer is right."""

    data: Path
    files: dict[str, Path]
    right: dict[str, dict[str, bool]]


def made_up(folder: Path, examples: int = 200, seed: int = 1) -> MadeUp:
    """Write the files of two systems, `wordy` and `terse`, and the data."""
    rng = random.Random(seed)
    rows, predictions, right = [], {"wordy": {}, "terse": {}}, {"wordy": {}, "terse": {}}
    for number in range(examples):
        id_, reference = f"example-{number:03}", " ".join(rng.sample(_WORDS, 3))
        document = (
            " ".join(rng.choices(_WORDS, k=400))
            + f". The result is {reference}. "
            + " ".join(rng.choices(_WORDS, k=400))
        )
        prompt = f"You are given a paper.\n\nArticle:\n{document}\n\nQuestion:\nWhat is result {number}?\n\nAnswer:\n"
        rows.append({"id": id_, "pid": f"{id_}_0", "input": prompt, "output": reference})
        for system, kinds in (("wordy", WORDY), ("terse", TERSE)):
            kind = rng.choices(list(kinds), list(kinds.values()))[0]
            right[system][id_] = kind in ("exact", "wordy", "other")
            predictions[system][id_] = {
                "exact": reference,
                "wordy": f"{reference} {' '.join(rng.sample(_WORDS, 12))}",
                "other": f"synonym-{number}",
                "partly": f"{reference.split()[0]} {' '.join(rng.sample(_WORDS, 2))}",
                "wrong": f"nonsense-{number}",
            }[kind]
    write(folder / "data" / "qasper" / "validation.jsonl", rows)
    files = {name: write(folder / name / "preds_qasper.json", answers) for name, answers in predictions.items()}
    return MadeUp(folder / "data", files, right)
