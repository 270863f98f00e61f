"""Real answers labelled by hand with the patterns that they show, and how well the rules find them.

A line of the labels is a set of answers: their number, the hash of their texts, and by pattern the places of those that
show it; the others show none. An answer with several counts under the first one of the rules. The texts are no part of
the project (see `real_answers.py`).
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from statistics import fmean
from typing import NamedTuple
from zipfile import ZipFile

from real_answers import LONGBENCH, REAL, WITHOUT
from scored_answers import answers_of

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.patterns import RULES, Pattern, patterns_of_task
from zs_metric.results import ExampleResult

LABELS = Path(__file__).parents[1] / "zs_bench" / "pattern_labels.jsonl"

#: The smallest precision and recall of a rule.
LEAST_PRECISION, LEAST_RECALL = 0.9, 0.6
_ORDER = [rule.name for rule in RULES]


class Counts(NamedTuple):
    """How many answers are labelled with a pattern, in how many a rule finds it, and in how many both."""

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


class Answers(NamedTuple):
    """The answers of a system to one task by id, their results, and their patterns."""

    texts: dict[str, str]
    results: dict[str, ExampleResult]
    patterns: list[Pattern]


@cache
def answers(system: str, task: str) -> Answers:
    """Read and score the answers of a system: `one` or `two` of the real ones, or a system of LongBench."""
    if system in ("one", "two"):
        texts = json.loads((REAL / f"system_{system}" / f"preds_{task}.json").read_text(encoding="utf-8"))
        lines = (REAL / "references" / f"{task}.jsonl").read_text(encoding="utf-8").splitlines()
        references: dict[str, list[str]] = {id_: [] for id_ in texts}
        for row in map(json.loads, lines):
            if row["id"] in texts:
                references[row["id"]].append(row["output"])
    else:
        with ZipFile(LONGBENCH / f"pred__{system}.zip") as archive:
            lines = archive.read(f"pred/{system}/{task.replace('_qa', 'qa')}.jsonl").decode().splitlines()
        rows = {f"{task}_{place}": json.loads(line) for place, line in enumerate(lines)}
        texts, references = ({id_: row[key] for id_, row in rows.items()} for key in ("pred", "answers"))
    scored = answers_of(TASKS[task], {id_: (text, references[id_]) for id_, text in texts.items()})
    return Answers(texts, {answer.id: answer.result for answer in scored}, patterns_of_task(scored))


def label_sets() -> Iterator[tuple[Answers, dict[str, str]]]:
    """Yield the sets that are at hand: the answers, and the label of each id that has one.

    Raises:
        ValueError: if the texts are not those that were labelled.
    """
    for row in map(json.loads, LABELS.read_text(encoding="utf-8").splitlines()):
        if row["system"] not in ("one", "two") and not LONGBENCH.is_dir():
            continue
        found = answers(row["system"], row["task"])
        if sha256(json.dumps(found.texts, sort_keys=True).encode()).hexdigest() != row["sha256"]:
            raise ValueError(f"{row['task']} of {row['system']} does not hold the texts that were labelled")
        ids = {int(id_.rpartition("_")[2]): id_ for id_ in found.texts}
        by_hand: dict[str, str] = {}
        for name in sorted(row["labels"], key=_ORDER.index):
            for place in row["labels"][name]:
                by_hand.setdefault(ids[place], name)
        yield found, by_hand


def count() -> dict[str, Counts]:
    """The counts of every pattern over all sets."""
    labelled, matched, both = Counter[str](), Counter[str](), Counter[str]()
    for found, by_hand in label_sets():
        labels, by_rule = set(by_hand.items()), {(id_, row.name) for row in found.patterns for id_ in row.ids}
        for counter, pairs in ((labelled, labels), (matched, by_rule), (both, labels & by_rule)):
            counter.update(name for _, name in pairs)
    return {name: Counts(labelled[name], matched[name], both[name]) for name in _ORDER}


def too_low(counts: dict[str, Counts]) -> list[str]:
    """The rules whose precision or recall is too low."""
    return [name for name, row in counts.items() if row.precision < LEAST_PRECISION or row.recall < LEAST_RECALL]


def gains() -> Iterator[tuple[str, str, int, float, float]]:
    """Yield for pairs of systems pattern, task, number of answers, and the gain as predicted and as it is.

    The answers are those of the pattern to questions that the other system answers without it; the gain is that of its
    answers in their place. Both are points of the task.
    """
    pairs = [(*pair, task) for pair in permutations(("one", "two")) for task in TASKS]
    if LONGBENCH.is_dir():
        pairs += [("llama2-7b", "llama2-7b-chat-4k", task) for task in ("qasper", "musique", "gov_report", "qmsum")]
    for first, second, task in pairs:
        mine, other = answers(first, task), answers(second, task)
        for pattern in mine.patterns:
            same = {id_ for row in other.patterns if row.name == pattern.name for id_ in row.ids}
            undone = [id_ for id_ in pattern.ids if id_ in other.results and id_ not in same]
            if pattern.points is not None and len(undone) >= 5:
                share = len(undone) / len(mine.texts)
                gained = fmean(other.results[id_].score - mine.results[id_].score for id_ in undone)
                yield pattern.name, task, len(undone), pattern.points * len(undone) / pattern.count, gained * share


def main() -> int:
    """Print the tables; return the exit status."""
    if not REAL.is_dir():
        print(WITHOUT)
        return 0
    total, counts = sum(len(found.texts) for found, _ in label_sets()), count()
    print(f"{total:,} real answers labelled by hand\n\n{'pattern':22}labelled  found  precision  recall")
    for name, row in counts.items():
        shares = f"{row.precision:11.0%}{row.recall:8.0%}" if row.labelled or row.matched else ""
        print(f"{name:22}{row.labelled:8}{row.matched:7}{shares}")
    print(f"\nToo low: {', '.join(too_low(counts)) or 'none'}")
    print(f"\nAnother system's answers without it{'':5}answers  predicted gain  real gain")
    for name, task, number, predicted, real in gains():
        print(f"{name:22}{task:18}{number:7}{predicted:16.1f}{real:11.1f}")
    return int(bool(too_low(counts)))


if __name__ == "__main__":
    sys.exit(main())
