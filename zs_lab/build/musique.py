"""MuSiQue from records of the full release, or of the same shape (ZeroSCROLLS section 3.1.2).

One example is 20 paragraphs and a question that needs several of them. A question may have a twin of the same id that
cannot be answered, with the reference "unanswerable". The paper draws 400 answerable and 100 unanswerable ones. Of two
twins only one is drawn, since a pair gives itself away.

That a twin cannot be answered is checked. The full release made it so by taking out every paragraph with the answer to
one step of the question, and marks that step in `question_decomposition` by a null `paragraph_support_idx`. The answers
to marked steps must not stand in the paragraphs; in a record without marks, the answer to the question and its aliases
must not. Where one does, it is a tell-tale.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zs_bench.benchmarks import find_task
from zs_lab.build.reading import Record
from zs_lab.build.samples import EmptySample, NewExample, NewSample, Options, option, recent, seeded_random, text_of
from zs_lab.build.tell_tales import Hit

UNANSWERABLE = "unanswerable"
# The fields that every record has; another name cannot be given.
_FIELDS = ("id", "question", "answer", "paragraphs")
_Twins = Mapping[str, Mapping[bool, NewExample]]  # by id, the example of each kind: answerable or not


@dataclass(frozen=True, slots=True)
class QuestionOptions(Options):
    """How MuSiQue is built.

    If there are too few questions of one kind, the other is reduced so that the ratio is kept. Records with another
    number of paragraphs are left out.
    """

    answerable: int = option("Questions with an answer.", default=400, least=0)
    unanswerable: int = option("Questions without an answer.", default=100, least=0)
    paragraphs: int = option("Paragraphs per example.", default=20)


def build_musique(records: Iterable[Record], options: QuestionOptions, seed: int = 0) -> NewSample:
    """Return the examples; raises `UnusableInput` for a field that does not exist, and when no record can be used.

    A record has `id`, `question`, `answer` and `paragraphs`, a list of `{title, paragraph_text}`; `answerable` is true
    by default, and `answer_aliases` are further references.
    """
    sample = NewSample(find_task("musique"))
    twins = _twins(records, options, sample)
    sample.examples = _choose(twins, options, seed)
    if unused := sum(len(kinds) for kinds in twins.values()) - len(sample.examples):
        sample.dropped["records that were not drawn"] = unused
    seeded_random(seed, "order").shuffle(sample.examples)
    if not sample.examples:
        kinds = {kind for by_kind in twins.values() for kind in by_kind}
        lacking = "answerable" if True not in kinds else "unanswerable"
        without = f"; --{lacking} 0 does without" if kinds else ""
        raise EmptySample(f"there is no {lacking} record that can be used{without}", sample)
    unanswerable = sum(example.references[0] == UNANSWERABLE for example in sample.examples)
    sample.notes.append(f"{len(sample.examples) - unanswerable} questions are answerable, {unanswerable} are not.")
    return sample


def _twins(records: Iterable[Record], options: QuestionOptions, sample: NewSample) -> _Twins:
    twins: dict[str, dict[bool, NewExample]] = {}
    for _, record, day in recent(records, options, sample, dict.fromkeys(_FIELDS)):
        id_, question, answer = (text_of(record, name) for name in ("id", "question", "answer"))
        units = [
            f"Title: {text_of(row, 'title')}\n{text_of(row, 'paragraph_text') or text_of(row, 'text')}"
            for row in _objects(record, "paragraphs")
        ]
        aliases = record.get("answer_aliases")
        answers = [answer, *map(str, aliases if isinstance(aliases, (list, tuple)) else ())]
        answerable = text_of(record, "answerable").lower() not in {"false", "0", "no"}
        without_answer = "records without an answer (needed also to check that a question cannot be answered)"
        if sample.drop_if(
            (not id_, "records without an id"),
            (not question, "records without a question"),
            (not answer, without_answer),
            (len(units) != options.paragraphs, f"records without {options.paragraphs} paragraphs"),
            (answerable in twins.get(id_, ()), "records that repeat an id"),
        ):
            continue
        hits = [] if answerable else list(_answers_left(record, answers, units))
        sample.hits += hits
        if not sample.drop_if((hits and not options.accept, "unanswerable records with an answer in their paragraphs")):
            references = list(dict.fromkeys(answers)) if answerable else [UNANSWERABLE]
            twins.setdefault(id_, {})[answerable] = NewExample(id_, units, references, question, day)
    return twins


def _objects(record: Record, column: str) -> Sequence[Mapping[str, Any]]:
    value = record.get(column)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, (list, tuple)) else []


def _answers_left(record: Record, answers: Sequence[str], units: Sequence[str]) -> Iterator[Hit]:
    """Yield where the paragraphs of an unanswerable record hold an answer that was to be taken out."""
    steps = [step for step in _objects(record, "question_decomposition") if "paragraph_support_idx" in step]
    removed = [text_of(step, "answer") for step in steps if step["paragraph_support_idx"] is None]
    patterns = [re.escape(answer) for answer in removed or answers if answer.strip()]
    for number, unit in enumerate(units if patterns else (), start=1):
        if match := re.search(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", unit, re.IGNORECASE):
            owner = f"{text_of(record, 'id')}, paragraph {number}"
            yield Hit(owner, unit, match.start(), match.end(), "answer to a question without one")


def _choose(twins: _Twins, options: QuestionOptions, seed: int) -> list[NewExample]:
    """Return examples of both kinds, never two of one id."""
    ids = sorted(twins)
    seeded_random(seed, "ids").shuffle(ids)
    wanted = {True: options.answerable, False: options.unanswerable}
    # Ids that have one kind only come first, so that the others remain for either.
    ids.sort(key=lambda name: len(twins[name]))
    chosen: dict[bool, list[NewExample]] = {True: [], False: []}
    for name in ids:
        if kinds := [kind for kind in twins[name] if len(chosen[kind]) < wanted[kind]]:
            kind = min(kinds, key=lambda kind: len(chosen[kind]) / wanted[kind])
            chosen[kind].append(twins[name][kind])
    share = min((len(chosen[kind]) / wanted[kind] for kind in wanted if wanted[kind]), default=0.0)
    return [example for kind in (True, False) for example in chosen[kind][: round(share * wanted[kind])]]
