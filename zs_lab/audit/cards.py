"""The labelling page: one HTML file with the question, the references and the answer of every card, and no score.

It works without a network; `zero-scrolls audit label` serves the same page and saves on disk.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from markupsafe import Markup

from zs_bench.benchmarks import Task
from zs_bench.dataset.rows import Example
from zs_bench.dataset.sources import load_examples
from zs_bench.errors import PromptFormatError, SourceUnavailable, UnusableInput
from zs_bench.reports.html import environment
from zs_bench.scoring.scored import ScoredTask
from zs_lab.audit.check import Check, answer_hash
from zs_lab.audit.sampling import expected_widths, strata_of
from zs_metric.version import VERSION

#: What annotators go by; that formatting and fluency do not count is the paper's (Shaham et al. 2023, section 5).
GUIDELINE = (
    "Right: the answer says what a reference says, in whatever words, ignoring formatting, fluency and anything added "
    "that does not contradict it. Wrong: it says something else, contradicts itself, or lists several answers. Cannot "
    "tell: the question, the references and the document do not settle it."
)
_PASSAGE, _PASSAGES = 120, 2  # words of a passage, and how many are shown for the references and for the answer


def labelling_page(check: Check, scored: Sequence[ScoredTask], examples: Mapping[str, Example]) -> str:
    """Return the labelling page of a check, whose task is `scored` in each of its systems.

    `examples` are by id the inputs, for questions and passages; empty where only the references are at hand.
    """
    answers = [answer for task in scored for answer in task.answers]
    texts = {(answer.id, answer_hash(answer.text)): answer.text for answer in answers}
    half_widths = expected_widths(strata_of(check.scores), len(check.systems), check.drawn)
    widths = dict(zip(check.drawn, half_widths, strict=True))
    cards = []
    for place, answer in check.cards:
        id_ = check.ids[place]
        references, text = list(scored[0].references[id_].texts), texts[id_, answer]
        question, passages = None, list[str]()
        with suppress(PromptFormatError):  # of an input in another form
            if example := examples.get(id_):
                question = example.query
                passages = find_passages(example.document, [" ".join([question, *references]), text])
        card = {"id": id_, "answer": answer, "question": question, "references": references}
        cards.append({**card, "prediction": text, "passages": passages})
    task, second = scored[0].task, min(len(cards), max(30, math.ceil(len(cards) / 5)))
    data = {
        # A name for what the browser keeps: which answers are drawn of which.
        "sample": answer_hash(json.dumps([check.task, check.cards, check.ids])),
        "task": task.name,
        "seed": check.seed,
        "version": VERSION,
        "widths": [widths[place] for place, _ in check.cards],
        "second": second,
        "cards": cards,
    }
    script = Path(__file__).with_name("label.js").read_text(encoding="utf-8")
    template = environment("zs_lab.audit").get_template("label.html")
    return template.render(
        title=task.title,
        cards=len(cards),
        second=second,
        guideline=GUIDELINE,
        data=Markup(json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")),  # noqa: S704  (escaped)
        script=Markup(script),  # noqa: S704  (the project's own)
    )


def load_inputs(
    sources: Sequence[str], task: Task, ids: Sequence[str], split: str | None, revision: str | None = None
) -> dict[str, Example]:
    """Return the examples of a task by id from the first of these sources that has some of them; empty if none has."""
    for source in sources:
        with suppress(SourceUnavailable, UnusableInput):
            loaded = load_examples(source, task, split, revision=revision)
            examples = {example.id: example for example in loaded.examples}
            if not examples.keys().isdisjoint(ids):
                return examples
    return {}


def find_passages(document: str, texts: Sequence[str]) -> list[str]:
    """Return the passages of a document that share the rarest words with each of these texts, in their order."""
    ends = [match.span() for match in re.finditer(r"\S+", document)]
    starts = range(0, max(1, len(ends) - _PASSAGE // 2), _PASSAGE // 2) if ends else ()
    passages = [document[ends[start][0] : ends[start : start + _PASSAGE][-1][1]] for start in starts]
    contents = [set(re.findall(r"\w+", passage.lower())) for passage in passages]
    counts = Counter(word for content in contents for word in content)
    chosen: set[int] = set()
    for text in texts:
        words = counts.keys() & re.findall(r"\w+", text.lower())
        values = [sum(math.log(1 + len(contents) / counts[word]) for word in words & content) for content in contents]
        best: list[int] = []
        for place in sorted(range(len(values)), key=lambda place: -values[place]):
            if len(best) < _PASSAGES and values[place] and all(abs(place - other) > 1 for other in best):
                best.append(place)
        chosen.update(best)
    return [passages[place] for place in sorted(chosen)]
