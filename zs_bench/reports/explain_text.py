"""An explanation (`zs_metric.explain`) as plain text: for a terminal, and for whoever hears a view read out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

# The most entries of a list that are written out; the data has more.
FEW = 20
_ROUGE_TITLES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
_SHARED = {"unigram": "one by one", "bigram": "in pairs of neighbours", "lcs": "in the longest common subsequence"}
_BIGRAM = 3  # its column in a token of the data


def render(explanation: Mapping[str, Any]) -> str:
    """The explanation in words, one thing a line, each line ending in a line feed.

    >>> from zs_metric.explain import explain
    >>> print(render(explain("quality", "A good answer is B", "B")), end="")
    quality: 0.00 of 100 points (accuracy).
    Why: the first letter found is A (here the word “A”), not B.
    Lost 100.00 points: 100.00 to format.
    What if: the letter that the answer names, alone, “B”: 100.00 points.
    Answer: [A] good answer is B
    Read: A, the first letter that stands alone; it is the article. Also there: B.
    Reference: B.
    """
    view = explanation["view"]
    lines = [
        f"{explanation['task']}: {explanation['score']:.2f} of 100 points ({explanation['metric']}).",
        *([f"Why: {explanation['reason']}."] if explanation["reason"] else []),
        _ledger_line(explanation),
        *_what_if_lines(explanation["what_if"]),
        *_VIEWS[explanation["metric"]](view),
        *(f"Note: {sentence}." for sentence in view["omitted"]),
    ]
    return "".join(f"{line}\n" for line in lines)


def _ledger_line(explanation: Mapping[str, Any]) -> str:
    lost = {part: points for part, points in explanation["ledger"].items() if points >= 0.005}
    if not lost:
        return "Nothing was lost."
    direction = explanation["length_direction"]
    notes = {"length": f" ({direction})" if direction else ""}
    parts = ", ".join(f"{points:.2f} to {part}{notes.get(part, '')}" for part, points in lost.items())
    return f"Lost {100 - explanation['score']:.2f} points: {parts}."


def _what_if_lines(repairs: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for repair in repairs:
        yield f"What if: {repair['change']}, {_quoted(repair['answer'])}: {repair['score']:.2f} points."


def _word_lines(view: Mapping[str, Any]) -> Iterator[str]:
    yield f"Answer: {_one_line(view['answer'])}"
    for step in view["steps"]:
        changes = [*(f"{piece!r} goes" for piece in step["removed"])]
        changes += [f"{before!r} becomes {after!r}" for before, after in step["replaced"]]
        yield f"  {step['name']}: " + (f"{step['text']!r} ({_few(changes)})" if changes else "no change")
    yield f"Words of the answer, those shared in brackets: {_bracketed_tokens(view['answer_tokens'])}"
    yield f"Words of reference {view['best_reference'] + 1}: {_bracketed_tokens(view['reference_tokens'])}"
    if "shared" in view:
        yield f"Shared: {view['shared']}. Precision {view['precision']:.2f}, recall {view['recall']:.2f}."
    yield from _typography_lines(view)
    for i, reference in enumerate(view["references"], start=1):
        yield f"Reference {i}: {reference['score']:.2f} points: {_quoted(reference['text'])}."


def _rouge_lines(view: Mapping[str, Any]) -> Iterator[str]:
    for name, part in view["types"].items():
        yield (
            f"{_ROUGE_TITLES[name]}: precision {part['precision']:.2f}, recall {part['recall']:.2f}, "
            f"F {part['fmeasure']:.2f}, with reference {part['best_reference'] + 1}."
        )
    factors = " x ".join(f"{factor:.2f}" for factor in view["geometric_mean"]["factors"].values())
    yield f"Score: the cube root of {factors}, {view['geometric_mean']['value']:.2f}."
    for i, reference in enumerate(view["references"], start=1):
        scores = ", ".join(f"{title} {reference[name]:.2f}" for name, title in _ROUGE_TITLES.items())
        yield f"Reference {i}, {_count(reference['words'], 'word')}: {scores}."
    for kind, count in view["answer"]["shared"].items():
        if kind != "lcs" or not view["lcs_omitted"]:
            yield f"Words of the answer shared {_SHARED[kind]}: {count:,} of {view['answer']['words']:,}."
    yield from _typography_lines(view)
    yield f"Answer, shared pairs of words in brackets: {_bracketed_text(view['answer'])}"
    for winner in view["winners"]:
        titles = ", ".join(_ROUGE_TITLES[name] for name in winner["types"])
        yield f"Reference {winner['reference'] + 1}, the best for {titles}: {_bracketed_text(winner)}"


def _accuracy_lines(view: Mapping[str, Any]) -> Iterator[str]:
    first, others = view["letters"][:1], view["letters"][1:]
    yield f"Answer: {_bracketed(view['answer'], [(letter['start'], letter['end']) for letter in first])}"
    trap = "; it is the article" if view["article_trap"] else ""
    also = f" Also there: {_few([letter['letter'] for letter in others])}." if others else ""
    for letter in first:
        yield f"Read: {letter['letter']}, the first letter that stands alone{trap}.{also}"
    if not first:
        yield "Read: no letter."
    yield from _would_be_lines(view["would_be"])
    yield f"Reference: {_few(view['reference_letters'])}."


def _exp_similarity_lines(view: Mapping[str, Any]) -> Iterator[str]:
    yield f"Answer: {_bracketed(view['answer'], [view['span']] if view['span'] else [])}"
    truth, value = view["truth"], view["value"]
    if value is None:
        yield f"Read: no percentage. Reference: {truth:.10g}%."
    else:
        apart = abs(value - truth)
        yield (
            f"Read: {value:.10g}%. Reference: {truth:.10g}%. They are {apart:.10g} points apart; "
            f"every {view['half_width']} points halve the score."
        )
    yield from _would_be_lines(view["would_be"])


def _concordance_lines(view: Mapping[str, Any]) -> Iterator[str]:
    yield f"Read: {_few(view['order'], 100) or 'no ids'}."
    yield f"Reference: {_few(view['truth'], 100)}."
    if view["permutation"]:
        yield f"In order: {view['in_order']:,} of {view['pairs']:,} pairs."
        pairs = [f"{view['order'][i]} before {view['order'][j]}" for i, j in view["discordant"][:FEW]]
        if pairs:
            yield f"Out of order: {', '.join(pairs)}{', …' if view['discordant_count'] > len(pairs) else ''}."
    else:
        faults = [f"{name} {_few(view[name])}" for name in ("missing", "repeated", "foreign") if view[name]]
        yield f"Not a permutation: {'; '.join(faults) or 'nothing was read'}."
    for piece in view["fused"][:FEW]:
        yield f"Fused: {_quoted(piece['text'])} was read as {_id(piece['read'])}, not as {_few(piece['meant'])}."
    yield from _would_be_lines(view["would_be"])


_VIEWS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[str]]] = {
    "rouge": _rouge_lines,
    "f1": _word_lines,
    "exact_match": _word_lines,
    "accuracy": _accuracy_lines,
    "exp_similarity": _exp_similarity_lines,
    "concordance_index": _concordance_lines,
}


def _typography_lines(view: Mapping[str, Any]) -> Iterator[str]:
    for found in view["typography"]:
        yield (
            f"Typography that costs points: {found['character']} ({found['name']}), {found['ascii']!r} in ASCII, "
            f"{found['in_answer']} in the answer and {found['in_references']} in the references."
        )
    if view["typography"]:
        yield f"With ASCII in its place on both sides: {view['lenient_score']:.2f} points."


def _would_be_lines(would_be: Mapping[str, Any] | None) -> Iterator[str]:
    if would_be:
        yield f"A reader would have read ({would_be['how']}) {would_be['answer']}: {would_be['score']:.2f} points."


def _bracketed_tokens(tokens: Iterable[Mapping[str, Any]]) -> str:
    return " ".join(f"[{one['token']}]" if one["shared"] else one["token"] for one in tokens) or "none"


def _bracketed_text(text: Mapping[str, Any]) -> str:
    """The text with every run of words that are shared in pairs in brackets."""
    runs = groupby(text["tokens"], key=itemgetter(_BIGRAM))
    spans = [(run[0][0], run[-1][1]) for run in (list(tokens) for marked, tokens in runs if marked)]
    return _bracketed(text["text"], spans)


def _bracketed(text: str, spans: Iterable[Sequence[int]]) -> str:
    pieces, end = [], 0
    for start, stop in spans:
        pieces += [text[end:start], f"[{text[start:stop]}]"]
        end = stop
    return _one_line("".join([*pieces, text[end:]]))


def _one_line(text: str) -> str:
    return " ".join(text.split()) or "(empty)"


def _quoted(text: str) -> str:
    return f"“{_one_line(text if len(text) <= 200 else text[:199] + '…')}”"


def _few(items: Sequence[Any], limit: int = FEW) -> str:
    return ", ".join(map(_id, items[:limit])) + (", …" if len(items) > limit else "")


def _id(item: object) -> str:
    return "a huge number" if isinstance(item, int) and item >= 10**12 else str(item)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
