"""Answers that take no reading: the paper's naive baselines, for any list of examples.

Source: ZeroSCROLLS, the row "Naive" of Table 3. `NAIVE` holds what is answered per task; a span is so many words of the
document, one after another. What is random is drawn for each example by itself, from the seed, the task and the id
alone: neither the order of the examples, nor which others there are, nor the machine changes an answer.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from zs_bench.prompting.dissect import dissect
from zs_bench.sources.rows import Example
from zs_metric.errors import ZeroScrollsError
from zs_metric.tasks import find_task
from zs_metric.texts import clean_text

SEED = 0


@dataclass(frozen=True, slots=True)
class Naive:
    """The naive answer to a task.

    Attributes:
        choices: fixed texts; one of them is the answer.
        span: a random span of so many words of the document is the answer, or one more choice; 0 for none.
        order: the answer is 1, 2, 3, …, n, for n summaries in the document.
        words: what is done, for people: "… is below {words}".
    """

    words: str
    choices: tuple[str, ...] = ()
    span: int = 0
    order: bool = False


NAIVE: Mapping[str, Naive] = {
    "gov_report": Naive("a random span of 500 words", span=500),
    "summ_screen_fd": Naive("a random span of 200 words", span=200),
    "qmsum": Naive("a random span of 50 words", span=50),
    "squality": Naive("a random span of 120 words", span=120),
    "qasper": Naive(
        "answering at random Yes, No, Unanswerable or a span of 15 words", ("Yes", "No", "Unanswerable"), 15
    ),
    "narrative_qa": Naive("a random span of 4 words", span=4),
    "quality": Naive("a random letter", ("A", "B", "C", "D")),
    "musique": Naive("always answering “Unanswerable”", ("Unanswerable",)),
    "space_digest": Naive("always answering 50%", ("50%",)),
    "book_sum_sort": Naive("leaving the summaries in the order given", order=True),
}


def naive_answers(task: str, examples: Iterable[Example], *, seed: int = SEED) -> dict[str, str]:
    """The naive answer to every example, by id.

    Args:
        task: the task's name.
        examples: of that task; references are not looked at.
        seed: another one draws other spans and letters.

    Raises:
        UnknownTask: with the likely name.
        ZeroScrollsError: for a prompt whose document, or summaries, cannot be found, with its id.

    >>> from zs_bench.sources.embedded import load_embedded
    >>> naive_answers("quality", load_embedded("quality"))
    {'s0003_SAMPLE01_1': 'B', 's0004_SAMPLE02_1': 'C'}
    """
    name = find_task(task).name
    reads = NAIVE[name].span or NAIVE[name].order
    return {
        example.id: naive_answer(name, example.id, dissect(name, example).document if reads else "", seed=seed)
        for example in examples
    }


def naive_answer(task: str, key: str, document: str, *, seed: int = SEED) -> str:
    """The naive answer to one example, given its id and its document.

    >>> naive_answer("narrative_qa", "3858", "It was the best of times, it was the worst of times.")
    'It was the best'
    """
    naive = NAIVE[task]
    if naive.order:
        return ", ".join(map(str, range(1, _summaries(document, key) + 1)))
    choice = _draw((seed, task, key, "choice"), len(naive.choices) + bool(naive.span))
    if choice < len(naive.choices):
        return naive.choices[choice]
    return _span(document.split(), naive.span, (seed, task, key, "span"))


def _span(words: Sequence[str], length: int, key: tuple[int, str, str, str]) -> str:
    """So many words in a row, every place being as likely; the whole text when it is shorter."""
    start = _draw(key, max(1, len(words) - length + 1))
    return " ".join(words[start : start + length])


def _draw(key: tuple[int, str, str, str], count: int) -> int:
    """A number from 0 to `count` - 1 that depends on the key alone; a hash, since `random` may change its ways."""
    digest = sha256(json.dumps(key).encode()).digest()
    return int.from_bytes(digest[:8], "big") % count


def _summaries(document: str, key: str) -> int:
    """How many summaries the document holds: headings "Summary 1:", "Summary 2:", … at the start of a line."""
    count = 0
    for match in _HEADING.finditer(document):
        count += int(match[1]) == count + 1
    if not count:
        raise ZeroScrollsError(f"book_sum_sort: the document of {key!r} has no line 'Summary 1:'; check the data")
    return count


_HEADING = re.compile(r"^Summary ([0-9]{1,6}):", re.MULTILINE)


def as_csv(answers: Mapping[str, Mapping[str, str]]) -> str:
    r"""The official prediction file, Task,ID,Prediction, of `{task: {id: answer}}`.

    >>> as_csv({"space_digest": {"182528": "50%"}})
    'Task,ID,Prediction\nspace_digest,182528,50%\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("Task", "ID", "Prediction"))
    for task, texts in answers.items():
        writer.writerows((task, clean_text(key, "id"), clean_text(text, "prediction")) for key, text in texts.items())
    return out.getvalue()
