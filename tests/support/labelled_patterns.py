"""Real predictions labelled by hand with the patterns that they show, and how well the rules find them.

A line of the labels is a set of predictions: their number, the hash of their texts, and the labels by id; ids without
labels show no pattern. The texts are no part of the project (see `real_answers.py`).
"""

import json
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from real_answers import REAL, WITHOUT

from zs_bench.patterns import RULES
from zs_bench.scoring.score_files import score_files

LABELS = Path(__file__).parents[1] / "zs_bench" / "pattern_labels.jsonl"

#: The smallest precision and recall of a rule, unless named.
LEAST, LEAST_OF = 0.85, {"sentence_for_phrase": 0.75}


class Counts(NamedTuple):
    """How many predictions are labelled with a pattern, in how many a rule finds it, and in how many both."""

    labelled: int
    matched: int
    both: int

    @property
    def precision(self) -> float:
        """The share of those found that are labelled; 1 if none is found."""
        return self.both / self.matched if self.matched else 1.0

    @property
    def recall(self) -> float:
        """The share of those labelled that are found; 1 if none is labelled."""
        return self.both / self.labelled if self.labelled else 1.0


def label_sets() -> list[dict[str, Any]]:
    """The sets of labels."""
    return [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]


def count() -> dict[str, Counts]:
    """The counts of every pattern over all sets.

    Raises:
        ValueError: if the texts are not those that were labelled.
    """
    labelled, matched, both = Counter[str](), Counter[str](), Counter[str]()
    for label_set in label_sets():
        path = REAL / f"system_{label_set['system']}" / f"preds_{label_set['task']}.json"
        texts = json.loads(path.read_text(encoding="utf-8"))
        if sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest() != label_set["sha256"]:
            raise ValueError(f"{path} does not hold the texts that were labelled")
        by_hand = {(name, id_) for id_, names in label_set["labels"].items() for name in names}
        patterns = score_files([path], [REAL / "references"]).tasks[label_set["task"]].patterns
        by_rule = {(pattern.name, id_) for pattern in patterns for id_ in pattern.ids}
        for counter, pairs in ((labelled, by_hand), (matched, by_rule), (both, by_hand & by_rule)):
            counter.update(name for name, _ in pairs)
    return {rule.name: Counts(labelled[rule.name], matched[rule.name], both[rule.name]) for rule in RULES}


def too_low(counts: dict[str, Counts]) -> list[str]:
    """The rules whose precision or recall is too low."""
    return [name for name, row in counts.items() if min(row.precision, row.recall) < LEAST_OF.get(name, LEAST)]


def main() -> int:
    """Print the table; return the exit status."""
    if not REAL.is_dir():
        print(WITHOUT)
        return 0
    total, counts = sum(label_set["predictions"] for label_set in label_sets()), count()
    print(f"{total} real predictions labelled by hand\n\n{'pattern':22}labelled  found  precision  recall")
    for name, row in counts.items():
        shares = f"{row.precision:11.0%}{row.recall:8.0%}" if row.labelled or row.matched else ""
        print(f"{name:22}{row.labelled:8}{row.matched:7}{shares}")
    print(f"\nToo low: {', '.join(too_low(counts)) or 'none'}")
    return int(bool(too_low(counts)))


if __name__ == "__main__":
    sys.exit(main())
