"""The view of a summary: which words, pairs of words and subsequence it shares with the references that won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from ..results import RougeType
from ..rouge import score_rouge_batch, tokens
from ..rouge_engines import ROUGE_TYPES
from .lcs import PAIR_LIMIT, lcs_places
from .marks import first_characters, shared
from .offenders import offending_characters
from .readings import Reading

#: The most tokens of one text that are listed with their marks.
TOKEN_LIMIT = 5_000

_Tokens = list[tuple[str, int, int]]
# Per ROUGE type, which tokens are marked.
_Marks = dict[str, list[bool]]


def view(reading: Reading) -> dict[str, Any]:
    """The data of the view. Scores, precision and recall are points.

    `answer`: `{text, words, shared, tokens}`, its tokens as `[start, end, unigram, bigram, lcs]`: offsets in the text,
    then 1 or 0 for what it shares, each type with the reference that won it; `shared` counts these three,
    `{unigram, bigram, lcs}`. `winners`: those references, `{reference, types,
    text, words, shared, tokens}`, marked for the types they won. `types`: per type `{precision, recall, fmeasure,
    best_reference}`. `geometric_mean`: `{factors, value}`, the F-measures per type and their mean. `references`: per
    reference `{words, rouge1, rouge2, rougeL}`, its F-measures. `lcs`: the length of the longest common subsequence;
    None where `lcs_omitted`, when the texts are too long to look for its places. `typography`, `lenient_score`: as for
    F1. `omitted`: sentences. `words` counts tokens.
    """
    omitted: list[str] = []
    types = dict(reading.result.rouge or {})
    answer = tokens(reading.prediction)
    winners = {part.best_reference: tokens(reading.references[part.best_reference]) for part in types.values()}
    marks, marks_of = _all_marks(answer, winners, types, omitted)
    return {
        "answer": _marked(reading.prediction, answer, marks, "the answer", omitted),
        "winners": [
            {
                "reference": i,
                "types": [name for name, part in types.items() if part.best_reference == i],
                **_marked(reading.references[i], found, marks_of[i], f"reference {i + 1}", omitted),
            }
            for i, found in sorted(winners.items())
        ],
        "types": {name: part._asdict() for name, part in types.items()},
        "geometric_mean": {
            "factors": {name: part.fmeasure for name, part in types.items()},
            "value": reading.result.score,
        },
        "references": _references(reading),
        "lcs": sum(marks["rougeL"]) if "rougeL" in marks else None,
        "lcs_omitted": "rougeL" not in marks,
        "typography": offending_characters(reading),
        "lenient_score": reading.kinder.score,
        "omitted": omitted,
    }


def repairs(reading: Reading) -> Iterator[tuple[str, str]]:
    """What could have been written instead: (the change, the answer)."""
    text = reading.prediction
    heading, _, rest = text.strip().partition("\n")
    if heading.endswith(":") and rest.strip():
        yield "without its first line", rest.strip()
    found = tokens(text)
    for part in {part.best_reference: part for part in (reading.result.rouge or {}).values()}.values():
        length = len(tokens(reading.references[part.best_reference]))
        if 1 < length < len(found):
            yield f"cut after the {length} words that the reference has", text[: found[length - 1][2]]


def _all_marks(
    answer: _Tokens, winners: dict[int, _Tokens], types: dict[str, RougeType], omitted: list[str]
) -> tuple[_Marks, dict[int, _Marks]]:
    """The marks of the answer, and those of each winner; without `rougeL` where the texts are too long for it."""
    marks: _Marks = {}
    marks_of: dict[int, _Marks] = {i: {} for i in winners}
    words = [token for token, _, _ in answer]
    for name in ROUGE_TYPES:
        i = types[name].best_reference
        pair = _MARKS[name](words, [token for token, _, _ in winners[i]])
        if pair is None:
            omitted.append(f"the longest common subsequence is not marked: more than {PAIR_LIMIT:,} pairs of words")
        else:
            marks[name], marks_of[i][name] = pair
    return marks, marks_of


def _mark_unigrams(words: Sequence[str], others: Sequence[str]) -> tuple[list[bool], list[bool]]:
    return shared(words, others), shared(others, words)


def _mark_bigrams(words: Sequence[str], others: Sequence[str]) -> tuple[list[bool], list[bool]]:
    pairs, other_pairs = list(pairwise(words)), list(pairwise(others))
    return _both_words(shared(pairs, other_pairs)), _both_words(shared(other_pairs, pairs))


def _both_words(pairs: list[bool]) -> list[bool]:
    """From marks of neighbouring pairs to marks of the words in them."""
    return [left or right for left, right in zip([False, *pairs], [*pairs, False], strict=True)]


def _mark_lcs(words: Sequence[str], others: Sequence[str]) -> tuple[list[bool], list[bool]] | None:
    places = lcs_places(words, others)
    if places is None:
        return None
    mine, theirs = {i for i, _ in places}, {j for _, j in places}
    return [i in mine for i in range(len(words))], [j in theirs for j in range(len(others))]


_MARKS = {"rouge1": _mark_unigrams, "rouge2": _mark_bigrams, "rougeL": _mark_lcs}


def _marked(text: str, found: _Tokens, marks: _Marks, what: str, omitted: list[str]) -> dict[str, Any]:
    shown = first_characters(text, what, omitted)
    listed = [(start, end) for _, start, end in found[:TOKEN_LIMIT] if end <= len(shown)]
    if len(found) > TOKEN_LIMIT:
        omitted.append(f"only the first {TOKEN_LIMIT:,} of {len(found):,} words of {what} are marked")
    none = [False] * len(found)
    columns = [marks.get(name, none) for name in ROUGE_TYPES]
    return {
        "text": shown,
        "words": len(found),
        "shared": {kind: sum(column) for kind, column in zip(("unigram", "bigram", "lcs"), columns, strict=True)},
        "tokens": [[start, end, *(int(column[i]) for column in columns)] for i, (start, end) in enumerate(listed)],
    }


def _references(reading: Reading) -> list[dict[str, Any]]:
    count = len(reading.references)
    results = score_rouge_batch([reading.prediction] * count, [[text] for text in reading.references])
    return [
        {"words": len(tokens(text)), **{name: part.fmeasure for name, part in (result.rouge or {}).items()}}
        for text, result in zip(reading.references, results, strict=True)
    ]
