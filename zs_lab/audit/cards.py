"""The labelling page: one HTML file with the question, the references and the answer of every card, and no score.

It works without a network; `zero-scrolls audit label` serves the same page and saves on disk.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from markupsafe import Markup

from zs_bench.dataset.rows import Example
from zs_bench.dataset.sources import load_examples
from zs_bench.errors import PromptFormatError, SourceUnavailable, UnusableInput
from zs_bench.reports.html import environment
from zs_bench.scoring.scored import ScoredTask
from zs_bench.tasks import info
from zs_lab.audit.check import Check, answer_hash
from zs_lab.audit.sampling import expected_widths
from zs_metric.tasks import Task
from zs_metric.version import VERSION

#: What annotators go by; the paper's words (Shaham et al. 2023, section 5).
GUIDELINE = (
    "Right: the answer says what a reference says, in whatever words, ignoring formatting, fluency and anything added "
    "that does not contradict it. Wrong: it says something else, contradicts itself, or lists several answers. Cannot "
    "tell: the question, the references and the document do not settle it."
)
# Words of a passage, and how many are shown for the references and for the answer.
_PASSAGE, _PASSAGES = 120, 2
_HERE = Path(__file__).parent


def labelling_page(check: Check, scored: Sequence[ScoredTask], examples: Mapping[str, Example]) -> str:
    """Return the labelling page of a check.

    Args:
        scored: the task of the check as scored in each of its systems.
        examples: by id, the inputs, for questions and passages; empty where only the references are at hand.
    """
    answers = {
        (id_, answer_hash(text)): text for one in scored for id_, text in zip(one.ids, one.predictions, strict=True)
    }
    task = scored[0].task
    widths = dict(zip(check.drawn, expected_widths(check.strata, len(check.systems), check.drawn), strict=True))
    cards = [
        _card(check.ids[place], answer, answers[check.ids[place], answer], scored[0], examples.get(check.ids[place]))
        for place, answer in check.cards
    ]
    data = {
        "sample": check.name,
        "task": task.name,
        "seed": check.seed,
        "version": VERSION,
        "widths": [widths[place] for place, _ in check.cards],
        "second": min(len(cards), max(30, math.ceil(len(cards) / 5))),
        "cards": cards,
    }
    page = environment("zs_lab.audit").get_template("label.html")
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    script = (_HERE / "label.js").read_text(encoding="utf-8")
    return page.render(
        title=info(task).title,
        cards=len(cards),
        second=data["second"],
        guideline=GUIDELINE,
        data=Markup(text),  # noqa: S704  (escaped above)
        script=Markup(script),  # noqa: S704  (the project's own)
    )


def _card(id_: str, answer: str, text: str, scored: ScoredTask, example: Example | None) -> dict[str, object]:
    references = list(scored.by_id[id_])
    question, passages = None, list[str]()
    if example is not None:
        try:
            question = example.query
            passages = find_passages(example.document, [" ".join([question, *references]), text])
        except PromptFormatError:
            question = None
    return {
        "id": id_,
        "answer": answer,
        "question": question,
        "references": references,
        "prediction": text,
        "passages": passages,
    }


def load_inputs(
    sources: Sequence[str], task: Task, ids: Sequence[str], split: str | None, revision: str | None = None
) -> dict[str, Example]:
    """Return the examples of a task by id from the first of these sources that has some of them; empty if none has."""
    for source in sources:
        try:
            loaded = load_examples(source, task, split, revision=revision)
        except (SourceUnavailable, UnusableInput):
            continue
        examples = {example.id: example for example in loaded.examples}
        if not examples.keys().isdisjoint(ids):
            return examples
    return {}


def find_passages(document: str, texts: Sequence[str]) -> list[str]:
    """Return the passages of a document that share the rarest words with each of these texts, in their order.

    >>> rain = "It rained. " * 200
    >>> [passage] = find_passages(f"{rain}The ship was called Argo. {rain}", ["Argo"])
    >>> "The ship was called Argo." in passage, len(passage.split())
    (True, 120)
    """
    words = [match.span() for match in re.finditer(r"\S+", document)]
    if not words:
        return []
    starts = range(0, max(1, len(words) - _PASSAGE // 2), _PASSAGE // 2)
    spans = [(words[start][0], words[min(start + _PASSAGE, len(words)) - 1][1]) for start in starts]
    contents = [_words(document[start:end]) for start, end in spans]
    counts = Counter(word for content in contents for word in content)
    chosen: set[int] = set()
    for text in texts:
        wanted = {word: math.log(1 + len(spans) / counts[word]) for word in _words(text) if word in counts}
        values = [sum(wanted.get(word, 0.0) for word in content) for content in contents]
        taken: list[int] = []
        for place in sorted(range(len(spans)), key=lambda place: -values[place]):
            if len(taken) == _PASSAGES or not values[place]:
                break
            if all(abs(place - other) > 1 for other in taken):
                taken.append(place)
        chosen.update(taken)
    return [document[spans[place][0] : spans[place][1]] for place in sorted(chosen)]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
