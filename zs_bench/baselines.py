"""The naive baselines of the papers (fixed or random for ZeroSCROLLS, learnt heuristics for SCROLLS), and human scores.

ZeroSCROLLS, the row "Naive" of Table 3: the rows of the tasks describe the answers; a span is a number of
consecutive words of the document. A random answer depends only on the seed, the task and the id of its example.

SCROLLS (arXiv 2201.03533) section 5.1 and the row "Naive" of its Table 2, learnt from a training split:

* Summaries and questions: the first rho x n characters of the document, where n is its length and rho the mean ratio of
  output to document length over the training split. The paper says "input"; the query in front of the document is left
  out, as it is in the paper's own measure of the spread.
* QuALITY: the option, (A) to (D), that is right most often in the training split.
* ContractNLI: for each hypothesis the label that is right most often; for a hypothesis that the training split lacks,
  the label that is right most often of all.

The human score: each reference of an example is scored as a prediction against the others, as the paper does for
SQuALITY, one of four references against the other three. Examples with one reference are left out. First comes the mean
over an example's references, then the mean over the examples, so that all examples have the same weight. For ROUGE both
means are taken per ROUGE type, and the geometric mean comes last, as in every score (see `zs_metric/rouge.py`).
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from itertools import islice
from statistics import fmean
from typing import NamedTuple

from zs_bench.benchmarks import Task
from zs_bench.benchmarks.records import Naive
from zs_bench.dataset.rows import Example
from zs_bench.statistics.intervals import columns, score_of
from zs_metric.errors import ZeroScrollsError
from zs_metric.scoring import score_texts

# A function of an example that returns its answer.
Heuristic = Callable[[Example], str]

SEED = 0
_OPTION = re.compile(r"^ *\(([A-D])\) *(.*)$", re.MULTILINE)


def naive_answers(task: Task, examples: Iterable[Example], *, seed: int = SEED) -> dict[str, str]:
    """Return the naive answer to every example, by id.

    Raises `ZeroScrollsError` for a task without a naive answer, and for a prompt without a document or summaries.
    """
    naive = _naive(task)
    reads = naive.span or naive.order
    return {row.id: naive_answer(task, row.id, row.document if reads else "", seed=seed) for row in examples}


def naive_answer(task: Task, example_id: str, document: str, *, seed: int = SEED) -> str:
    """Return the naive answer to one example, given its id and its document."""
    naive = _naive(task)
    if naive.order:
        count = 0
        for match in re.finditer(r"^Summary ([0-9]{1,6}):", document, re.MULTILINE):
            count += int(match[1]) == count + 1
        if not count:
            raise ZeroScrollsError(f"{task}: the document of {example_id!r} has no line 'Summary 1:'; check the data")
        return ", ".join(map(str, range(1, count + 1)))

    def draw(purpose: str, count: int) -> int:
        digest = sha256(json.dumps((seed, task.name, example_id, purpose)).encode()).digest()
        return int.from_bytes(digest[:8], "big") % count

    choice = draw("choice", len(naive.choices) + bool(naive.span))
    if choice < len(naive.choices):
        return naive.choices[choice]
    words = document.split()
    start = draw("span", max(1, len(words) - naive.span + 1))
    return " ".join(words[start : start + naive.span])


def _naive(task: Task) -> Naive:
    naive = task.naive
    if naive is None:
        raise ZeroScrollsError(f"the paper has no naive answer to {task} of {task.benchmark.title}")
    return naive


def learn(task: Task, training: Iterable[Example]) -> Heuristic:
    """Return the baseline of a task of SCROLLS, learnt from the references of the training examples.

    Raises `ZeroScrollsError` for another benchmark's task, and when no training example has a reference.
    """
    if "train" not in task.benchmark.splits:
        raise ZeroScrollsError(f"{task} of {task.benchmark.title} has no heuristic baseline; it is defined for SCROLLS")
    examples = [example for example in training if example.references]
    if not examples:
        raise ZeroScrollsError(f"{task}: the training split has no references to learn the baseline from")
    if task.options:
        return _majority_option(examples)
    if task.measured_outputs == "query":  # the label that is right most often for a hypothesis
        labels: dict[str, Counter[str]] = {}
        for example in examples:
            labels.setdefault(example.query.strip(), Counter()).update(example.references)
        overall = sum(labels.values(), Counter[str]())
        return lambda example: labels.get(example.query.strip(), overall).most_common(1)[0][0]
    documents = ((document, example.references) for example in examples if (document := example.document))
    rho = fmean(len(reference) / len(document) for document, references in documents for reference in references)
    return lambda example: example.document[: round(rho * len(example.document))]


def _majority_option(training: Sequence[Example]) -> Heuristic:
    """Return the text of the option that is right most often."""

    def options(example: Example) -> dict[str, str]:
        return {letter: text.strip() for letter, text in _OPTION.findall(example.query)}

    right = Counter[str]()
    for example in training:
        references = {reference.strip() for reference in example.references}
        right.update(letter for letter, text in options(example).items() if text in references)
    if not right:
        raise ZeroScrollsError("no reference of the training split is one of its options; check the data")
    best = right.most_common(1)[0][0]
    return lambda example: options(example).get(best, "")


class HumanScore(NamedTuple):
    """The human score of a task in points, from `n` of `total` examples; `None` if none has several references."""

    score: float | None
    n: int
    total: int


def human_score(task: Task, references: Iterable[Sequence[str]]) -> HumanScore:
    """Return the human score of a task, from the references of each example; raises as `score_texts`."""
    examples = list(references)
    several = [texts for texts in examples if len(texts) > 1]
    if not several:
        return HumanScore(None, 0, len(examples))
    held_out = [text for texts in several for text in texts]
    others = [[*texts[:i], *texts[i + 1 :]] for texts in several for i in range(len(texts))]
    points = columns(score_texts(task.metric, held_out, others).examples)
    per_example = []
    for column in points:
        values = iter(column)
        per_example.append([fmean(islice(values, len(texts))) for texts in several])
    return HumanScore(score_of(per_example), len(several), len(examples))
