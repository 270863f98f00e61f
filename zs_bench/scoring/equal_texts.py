"""Answers whose texts are those of the references, of the reference of another example, or of many other answers.

The first may be read from the wrong column or file, the second be out of order, the third be errors of a run.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from math import ceil

from zs_bench.answers import Answer
from zs_bench.problems import Problem, short
from zs_bench.scoring.scored import ScoredTask

# The share of a task's answers from which on they may be the references.
_SHARE = 0.95
_ASK = "Probably the references are read as the answers; then give the file, or name the column, of the model's answers"
# The least share of a task's answers that are one text, or another example's reference; and the least numbers.
_PART, _SAME, _SWAPPED = 0.1, 10, 5
#: The metrics of answers in words, of which no two are alike by chance.
_IN_WORDS = ("f1", "exact_match", "rouge")
# How many letters and digits tell most texts apart, and in how many characters most texts have them.
_BEGINNING, _READ = 16, 40
# What is neither a letter nor a digit; in ASCII as bytes, of which capitals are made small and these dropped at once.
_OTHER = re.compile(r"[\W_]+")
_OTHER_IN_ASCII = "".join(_OTHER.findall("".join(map(chr, range(128))))).encode()
_IN_SMALL = bytes(range(256)).lower()


def are_references(task: ScoredTask) -> bool:
    """Whether the texts of the answers may be the references: 95 of 100 or more of them.

    Answers that are right or wrong must all be, as typed: a model answers a question with options in one letter too.
    """
    answers, is_binary = task.answers, task.task.metric.is_binary
    others = (each for each in answers if not (each.text in each.references if is_binary else _is_equal(each)))
    most = 0 if is_binary else len(answers) - ceil(_SHARE * len(answers))
    return len(answers) > 1 and len([*islice(others, most + 1)]) <= most


def equal_texts(tasks: Iterable[ScoredTask]) -> Iterator[Problem]:
    """A warning for each task whose answers may be the references, or one if those of all tasks may."""
    several = [task for task in tasks if len(task.answers) > 1]
    alike = [task for task in several if are_references(task)]
    groups = [alike] if alike and len(alike) == len(several) else [[task] for task in alike]
    for group in groups:
        answers = [answer for task in group for answer in task.answers]
        equal, as_typed = sum(map(_is_equal, answers)), sum(answer.text in answer.references for answer in answers)
        message = f"Every answer equals a reference, word for word. {_ASK}"
        if as_typed < len(answers):
            message = f"{equal:,} of {len(answers):,} answers equal a reference, capitals and punctuation aside. {_ASK}"
        name = group[0].task.name if len(group) < len(several) else None
        yield Problem("equal-to-references", message, name, is_error=False)


def doubtful_texts(task: ScoredTask) -> Iterator[Problem]:
    """A warning if many answers are one text that no reference is, and one if many are another example's reference."""
    answers, name = task.answers, task.task.name
    if task.task.metric.name not in _IN_WORDS or len(answers) < _SWAPPED:
        return
    keys = _keys(chain.from_iterable((answer.text, *answer.references) for answer in answers))
    owners = dict[str, str | None]()  # the id of the only example that has this text as a reference
    for answer in answers:
        for text in answer.references:
            key = keys[text]
            owners[key] = answer.id if owners.get(key, answer.id) == answer.id else None
    bare = [(answer, keys[answer.text]) for answer in answers]
    same = Counter(text for _, text in bare if text and text not in owners).most_common(1)
    every = f"{len(answers):,} answers"
    if same and same[0][1] >= max(_SAME, _PART * len(answers)):
        shown = next(answer.text for answer, text in bare if text == same[0][0])
        message = f"{same[0][1]:,} of {every} are one text, and no reference is. Did the run fail there?"
        yield Problem("same-text", message, name, is_error=False, detail=short(repr(shown)))
    others = [(answer.id, owners[text]) for answer, text in bare if owners.get(text) not in (None, answer.id)]
    own = sum(owners.get(text) == answer.id for answer, text in bare)
    if len(others) >= max(_SWAPPED, _PART * len(answers)) and len(others) > own:
        message = f"{len(others):,} of {every} equal the reference of another example. Are they in order?"
        first, other = others[0]
        yield Problem("other-reference", message, name, is_error=False, detail=f"{first} has that of {other}")


def _is_equal(answer: Answer) -> bool:
    """Whether the text is that of a reference, capitals, spaces and punctuation aside."""
    return answer.text in answer.references or _bare(answer.text) in map(_bare, answer.references)


def _keys(texts: Iterable[str]) -> dict[str, str]:
    """Return a key for each text; texts with the same letters and digits have the same key.

    It is the text's beginning where no other text begins so, since normalising whole texts takes long.
    """
    starts = {text: _start(text) for text in texts}
    count = Counter(starts.values())
    return {text: start if count[start] == 1 else _bare(text) for text, start in starts.items()}


def _start(text: str) -> str:
    """The first letters and digits of the text, of which equal texts have the same; of a short one all."""
    start = _bare(text[:_READ])[:_BEGINNING]
    return start if len(start) == _BEGINNING else _bare(text)[:_BEGINNING]


def _bare(text: str) -> str:
    """The letters and digits of the text, capitals aside; the text itself if it has none."""
    if text.isascii():
        return text.encode().translate(_IN_SMALL, _OTHER_IN_ASCII).decode() or text
    return _OTHER.sub("", text.casefold()) or text
