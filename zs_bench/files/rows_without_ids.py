"""Rows without ids: which question a row answers, and which rows of a file answer the same one.

The scripts of LongBench and others write no id, but beside each answer the references of its question, and its length
or its text. What a row says of its question is its `Identity`. From it follow, wherever the rows are used:

- **An id.** It is the identity, `3f2a91c04d1e`, and `3f2a91c04d1e-2` for the second row of a task with the same one. So
  two files in different orders have the same ids (`own_ids`).
- **The id of other data.** Against references that have ids, the k-th row with an identity is the k-th id with it, if
  there are as many of both; the others are left out (`match`).
- **Runs.** Scripts that append to their file repeat questions, all or some. References and length are no key, since two
  of a few hundred questions may share them. So it counts how rows repeat (`runs_of`): a beginning of the file all of
  whose questions come again, or questions that all stand equally often.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import gcd
from typing import Any, NamedTuple

from zs_bench.files.entries import Entry, Identity
from zs_bench.files.json_text import written
from zs_metric.texts import clean_text

#: The kind of the warning of questions that are answered several times.
REPEATED = "repeated-questions"
# A run mostly has questions that it does not repeat; else what is known of them does not tell them apart.
_DIFFERENT = 0.9
# Runs that stand in each other have at least so many questions for each time that they stand; labels have few.
_FEWEST = 5
# The fields that say something of a question, in the rows of LongBench, L-Eval and kvpress.
_FACTS = ("length", "query", "question")


class OwnId(NamedTuple):
    """The id that is made for a row without one, the id of the first row that answers its question, and its run."""

    id: str
    question: str
    run: int

    @property
    def again(self) -> str | None:
        """The id of the row whose question it answers again, if it does."""
        return None if self.question == self.id else self.question


def facts_of(row: Mapping[str, Any]) -> tuple[str, ...]:
    """What a row says of its question besides its references, as written."""
    texts = (written(row.get(name)) for name in _FACTS)
    return tuple(clean_text(text, "row") for text in texts if text is not None)


def identity_of(references: Any, facts: Sequence[str] = ()) -> Identity | None:
    """The identity of a question with these references, and facts such as its length; `None` without a reference."""
    texts = references if isinstance(references, list) else [references]
    if not texts or not all(isinstance(text, str) for text in texts):
        return None
    cleaned = sorted(clean_text(text, "reference") for text in texts)
    return Identity(_hash([cleaned, *facts]), _hash([cleaned]))


def _hash(content: Any) -> str:
    return hashlib.sha256(json.dumps(content).encode("ascii")).hexdigest()[:12]


def own_ids(identities: Sequence[Identity]) -> list[str]:
    """The ids of the rows of a task, in their order.

    >>> own_ids([Identity("a", "r"), Identity("b", "r"), Identity("a", "r")])
    ['a', 'b', 'a-2']
    """
    return [numbered_id(*pair) for pair in _numbered([row.question for row in identities])]


def numbered_id(question: str, number: int) -> str:
    """The id of the row with this number, from 1, among those of an identity."""
    return question if number == 1 else f"{question}-{number}"


def base_id(id_: str) -> str:
    """The id of the first row with the same identity as that with this `numbered_id`."""
    return id_.partition("-")[0]


def least_often(files: Iterable[Iterable[str]]) -> dict[str, int]:
    """How often the rows with an identity stand in that of the files, each its own ids, that has them least often.

    Where files of the same questions have them more or less often, the further ones ask them again.

    >>> least_often([["a", "a-2", "b"], ["a"], ["c", "c-2"]])
    {'a': 1, 'b': 1, 'c': 2}
    """
    least: dict[str, int] = {}
    for ids in files:
        for name, count in Counter(map(base_id, ids)).items():
            least[name] = min(count, least.get(name, count))
    return least


def question_again(own: OwnId, least: Mapping[str, int]) -> str | None:
    """The id of the question that a row asks again, if it does, also by what the other files have (`least_often`)."""
    base, _, number = own.id.partition("-")
    return own.again or (base if int(number or 1) > least[base] else None)


def _numbered(keys: Iterable[Any]) -> list[tuple[Any, int]]:
    """Each key with its number, from 1, among its equals."""
    counts: Counter[Any] = Counter()
    numbered = []
    for key in keys:
        counts[key] += 1
        numbered.append((key, counts[key]))
    return numbered


def match(rows: Sequence[Identity], known: Mapping[str, Identity]) -> list[str | None]:
    """The known id of each row, `None` of one that is left out.

    Where the references' side knows nothing else of a question, its references alone count.

    >>> a, b, c = (Identity(name, name) for name in "abc")
    >>> match([b, a, c], {"7": a, "8": b})
    ['8', '7', None]
    """
    questions = {each.question for each in known.values()}
    by_question = any(row.question in questions for row in rows)

    def key(each: Identity) -> str:
        return each.question if by_question else each.references

    ids: dict[str, list[str]] = defaultdict(list)
    for id_, each in known.items():
        ids[key(each)].append(id_)
    keys = [key(row) for row in rows]
    counts = Counter(keys)
    fits = {each for each, count in counts.items() if len(ids.get(each, ())) == count}
    return [ids[each][number - 1] if each in fits else None for each, number in _numbered(keys)]


def runs_of(identities: Sequence[Identity]) -> list[int]:
    """The number of the run, from 0, that each row is of; all 0 where no question is seen to be asked again.

    Of rows that only have references, which may be labels, the whole file must be the same part again and again.

    >>> rows = [Identity(name, "r") for name in "abcabc"]
    >>> runs_of(rows), runs_of(rows[:5]), runs_of([*rows[:3], Identity("a", "r")])
    ([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1], [0, 0, 0, 0])
    """
    keys = [row.question for row in identities]
    if all(row.is_by_references for row in identities):
        return [number // size for number in range(len(keys))] if (size := _period(keys)) else [0] * len(keys)
    if times := _times_each(keys):
        counts = Counter(keys)
        return [(number - 1) // (counts[key] // times) for key, number in _numbered(keys)]
    sizes = [*_begun_again(keys)]
    sizes.append(len(keys) - sum(sizes))
    if len({*keys[-sizes[-1] :]}) < _DIFFERENT * sizes[-1] or len(sizes) > len({*keys}):
        return [0] * len(keys)
    return [run for run, size in enumerate(sizes) for _ in range(size)]


def name_rows(identities: Sequence[Identity]) -> list[OwnId]:
    """The id, the question and the run of each row of a task.

    >>> rows = [Identity(name, "r") for name in ("a", "b", "a", "b")]
    >>> [tuple(row) for row in name_rows(rows)]
    [('a', 'a', 0), ('b', 'b', 0), ('a-2', 'a', 1), ('b-2', 'b', 1)]
    """
    runs, first = runs_of(identities), dict[Hashable, str]()
    within = _numbered(zip((row.question for row in identities), runs, strict=True))
    rows = zip(own_ids(identities), runs, within, strict=True)
    return [OwnId(id_, first.setdefault((question, number), id_), run) for id_, run, ((question, _), number) in rows]


def own_ids_of(rows: Iterable[Entry], by: Callable[[Entry], Hashable]) -> dict[int, OwnId]:
    """The ids made for rows that have references but no id, by their numbers; each group `by` is numbered by itself."""
    groups: dict[Hashable, list[tuple[int, Identity]]] = defaultdict(list)
    for row in rows:
        if row.id is None and row.fault is None and (identity := row_identity(row)):
            groups[by(row)].append((row.number, identity))
    named: dict[int, OwnId] = {}
    for group in groups.values():
        numbers, identities = zip(*group, strict=True)
        named |= zip(numbers, name_rows(identities), strict=True)
    return named


def row_identity(row: Entry) -> Identity | None:
    """The identity of the question of a row; `None` of one without references."""
    return None if row.references is None else row.identity or identity_of(row.references, row.facts)


def share_facts(first: Iterable[Identity], second: Iterable[Identity]) -> bool:
    """Whether two sides that share references mostly say the same else, such as the length, of these questions.

    They do not where one side lacks it, or has it as another tokenizer counts.

    >>> row, other = Identity("a", "r"), Identity("b", "r")
    >>> share_facts([row], [other]), share_facts([row], [row]), share_facts([row], [Identity("c", "s")])
    (False, True, True)
    """
    one, two = set(first), set(second)
    references = {each.references for each in one} & {each.references for each in two}
    return 2 * len({each.references for each in one & two}) >= len(references)


def _period(keys: Sequence[str]) -> int:
    """The size of the part that the keys are again and again; 0 if they are not, or the part has one key alone."""
    last = len(keys) // 2
    sizes = (size for size in range(2, last + 1) if len(keys) % size == 0 and keys[size:] == keys[:-size])
    return next((size for size in sizes if len(set(keys[:size])) > 1), 0)


def _times_each(keys: Sequence[str]) -> int:
    """How often every key stands, if all do so equally often but for a few that stand a multiple of that; else 0."""
    counts = Counter(keys)
    times = gcd(*counts.values())
    are_different = len(counts) >= _DIFFERENT * len(keys) / max(times, 1)
    return times if 1 < times <= max(2, len(counts) // _FEWEST) and len(counts) > 1 and are_different else 0


def _begun_again(keys: Sequence[str]) -> Iterator[int]:
    """The sizes of the runs before the last: parts at the beginning whose keys all come again after it, each as often.

    A part ends where two keys in a row have been in it. A single key is no part, nor are a few again and again.
    """
    left, start = Counter(keys), 0
    while True:
        begun, end = Counter[str](), start
        while end < len(keys):
            key, following = keys[end], keys[end + 1] if end + 1 < len(keys) else ""
            if left[key] <= begun[key] + 1 or (key in begun and following in begun):
                break
            left[key] -= 1
            begun[key] += 1
            end += 1
        if end - start < 2 or len(begun) < _DIFFERENT * (end - start):
            return
        yield end - start
        start = end
