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
from datetime import date
from typing import Any

from zs_lab.build.reading import Record
from zs_lab.build.samples import Example, Options, Sample, option, recent, seeded_random, text_of
from zs_lab.build.tell_tales import Hit
from zs_metric.tasks import find_task

UNANSWERABLE = "unanswerable"
# The fields that every record has; another name cannot be given.
_FIELDS = ("id", "question", "answer", "paragraphs")
_Dated = tuple[Record, date | None]
# By id, the record of each kind: answerable or not.
_Twins = Mapping[str, Mapping[bool, _Dated]]


@dataclass(frozen=True, slots=True)
class QuestionOptions(Options):
    """How MuSiQue is built.

    If there are too few questions of one kind, the other is reduced so that the ratio is kept. Records with another
    number of paragraphs are left out.
    """

    answerable: int = option("Questions with an answer.", default=400, least=0)
    unanswerable: int = option("Questions without an answer.", default=100, least=0)
    paragraphs: int = option("Paragraphs per example.", default=20)


def build_musique(records: Iterable[Record], options: QuestionOptions, seed: int = 0) -> Sample:
    """Return the examples.

    A record has `id`, `question`, `answer` and `paragraphs`, a list of `{title, paragraph_text}`; `answerable` is true
    by default, and `answer_aliases` are further references.

    Raises:
        UnusableInput: for a field that does not exist, and when no record can be used.
    """
    sample = Sample(find_task("musique"))
    twins = _twins(records, options, sample)
    chosen = _choose(twins, options, seed)
    if unused := sum(len(kinds) for kinds in twins.values()) - len(chosen):
        sample.dropped["records that were not drawn"] = unused
    seeded_random(seed, "order").shuffle(chosen)
    sample.examples = [_example(record) for record, _ in chosen]
    sample.days = [day for _, day in chosen if day]
    if not sample.examples:
        kinds = {kind for by_kind in twins.values() for kind in by_kind}
        lacking = "answerable" if True not in kinds else "unanswerable"
        without = f"; --{lacking} 0 does without" if kinds else ""
        raise sample.empty(f"there is no {lacking} record that can be used{without}")
    unanswerable = sum(example.references[0] == UNANSWERABLE for example in sample.examples)
    sample.notes.append(f"{len(chosen) - unanswerable} questions are answerable, {unanswerable} are not.")
    return sample


def _twins(records: Iterable[Record], options: QuestionOptions, sample: Sample) -> _Twins:
    twins: dict[str, dict[bool, _Dated]] = {}
    for _, record, day in recent(records, options, sample, dict.fromkeys(_FIELDS)):
        kinds = twins.setdefault(text_of(record, "id"), {})
        answerable = _is_answerable(record)
        for is_so, why in (
            (not text_of(record, "id"), "records without an id"),
            (not text_of(record, "question"), "records without a question"),
            (
                not text_of(record, "answer"),
                "records without an answer (needed also to check that a question cannot be answered)",
            ),
            (len(_units(record)) != options.paragraphs, f"records without {options.paragraphs} paragraphs"),
            (answerable in kinds, "records that repeat an id"),
        ):
            if is_so:
                sample.drop(why)
                break
        else:
            hits = [] if answerable else list(_answers_left(record))
            sample.hits += hits
            if hits and not options.accept:
                sample.drop("unanswerable records with an answer in their paragraphs")
            else:
                kinds[answerable] = record, day
    return twins


def _is_answerable(record: Record) -> bool:
    return text_of(record, "answerable").lower() not in {"false", "0", "no"}


def _objects(record: Record, column: str) -> Sequence[Mapping[str, Any]]:
    value = record.get(column)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, (list, tuple)) else []


def _answers(record: Record) -> list[str]:
    aliases = record.get("answer_aliases")
    return [text_of(record, "answer"), *map(str, aliases if isinstance(aliases, (list, tuple)) else ())]


def _answers_left(record: Record) -> Iterator[Hit]:
    """Yield where the paragraphs of an unanswerable record hold an answer that was to be taken out."""
    steps = [step for step in _objects(record, "question_decomposition") if "paragraph_support_idx" in step]
    removed = [text_of(step, "answer") for step in steps if step["paragraph_support_idx"] is None]
    answers = [re.escape(answer) for answer in removed or _answers(record) if answer.strip()]
    for number, unit in enumerate(_units(record) if answers else (), start=1):
        if match := re.search(rf"(?<!\w)(?:{'|'.join(answers)})(?!\w)", unit, re.IGNORECASE):
            owner = f"{text_of(record, 'id')}, paragraph {number}"
            yield Hit(owner, unit, match.start(), match.end(), "answer to a question without one")


def _choose(twins: _Twins, options: QuestionOptions, seed: int) -> list[_Dated]:
    """Return records of both kinds, never two of one id."""
    ids = sorted(name for name, kinds in twins.items() if kinds)
    seeded_random(seed, "ids").shuffle(ids)
    wanted = {True: options.answerable, False: options.unanswerable}
    # Ids that have one kind only come first, so that the others remain for either.
    ids.sort(key=lambda name: len(twins[name]))
    chosen: dict[bool, list[_Dated]] = {True: [], False: []}
    for name in ids:
        if kinds := [kind for kind in twins[name] if len(chosen[kind]) < wanted[kind]]:
            kind = min(kinds, key=lambda kind: len(chosen[kind]) / wanted[kind])
            chosen[kind].append(twins[name][kind])
    share = min((len(chosen[kind]) / wanted[kind] for kind in wanted if wanted[kind]), default=0.0)
    return [record for kind in (True, False) for record in chosen[kind][: round(share * wanted[kind])]]


def _example(record: Record) -> Example:
    references = list(dict.fromkeys(_answers(record))) if _is_answerable(record) else [UNANSWERABLE]
    return Example(text_of(record, "id"), _units(record), references, text_of(record, "question"))


def _units(record: Record) -> list[str]:
    """Return the paragraphs as they are shown."""
    return [
        f"Title: {text_of(row, 'title')}\n{text_of(row, 'paragraph_text') or text_of(row, 'text')}"
        for row in _objects(record, "paragraphs")
    ]
